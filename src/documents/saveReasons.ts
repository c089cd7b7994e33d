import { type Clock, delay } from '../base/clock.ts';

/** Changes of several documents within this time are one refactoring… */
const burstMs = 200;

/** …and saves of several of them within this time are the editor's: no person is so quick. */
const refactoringMs = 500;

/** Documents were changed in one moment; those of them that were then saved. */
interface Burst {
  readonly saved: Set<string>;
  at: number;
}

/** Who wants a save: a person, the editor by itself, or it was not told. */
export type SaveOrigin = 'person' | 'editor' | 'unknown';

/** What the editor said of a save that it is about to do. */
interface Announcement {
  readonly byHand: boolean;
  /** The refactoring that the save may be a part of: known when it is announced, however late the write comes. */
  readonly burst: Burst | undefined;
}

/**
 * Tells saves by hand from others. The editor announces why it saves, except that what it saves after a refactoring
 * (`files.refactoring.autoSave`) looks like a save by hand: that follows a change of several documents at once, and
 * saves every one of them, while a person saves one. Which of the two it was is known a moment later.
 *
 * Between the announcement and the write the editor asks for the state of the file, which takes as long as the server
 * does. So an announcement never grows old: it counts until its write comes, another takes its place, or the document
 * is closed.
 */
export class SaveReasons {
  readonly #clock: Clock;
  readonly #announced = new Map<string, Announcement>();
  /** When each document was last changed, while the changes of one moment are looked at. */
  readonly #changed = new Map<string, number>();
  /** The last burst that each document was changed in. */
  readonly #bursts = new Map<string, Burst>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Somebody or something edited the document. */
  changed(document: string): void {
    const now = this.#clock.now();
    for (const [key, at] of this.#changed) {
      if (now - at > burstMs) {
        this.#changed.delete(key);
      }
    }
    this.#changed.set(document, now);
    if (this.#changed.size > 1) {
      const others = [...this.#changed.keys()];
      const known = others.map((key) => this.#bursts.get(key)).find((burst) => this.#isRecent(burst));
      const burst = known ?? { saved: new Set(), at: now };
      burst.at = now;
      for (const key of others) {
        this.#bursts.set(key, burst);
      }
    }
  }

  /** The editor says that it is about to save the document, and whether a person asked for it. */
  announced(document: string, byHand: boolean): void {
    const known = this.#bursts.get(document);
    const burst = this.#isRecent(known) ? known : undefined;
    burst?.saved.add(document);
    this.#announced.set(document, { byHand, burst });
  }

  /** The document is open no more. */
  closed(document: string): void {
    this.#announced.delete(document);
    this.#bursts.delete(document);
  }

  /**
   * Who wants the write that is coming. A save may come unannounced: "Save without Formatting" and the one in the
   * dialog of a window that closes are a person's; the one of a window that closes while auto save is on is not, and
   * none is announced when another extension took too long over the event.
   */
  async origin(document: string): Promise<SaveOrigin> {
    const announced = this.#announced.get(document);
    this.#announced.delete(document);
    if (announced === undefined) {
      return 'unknown';
    }
    const { byHand, burst } = announced;
    if (!byHand || burst === undefined) {
      return byHand ? 'person' : 'editor';
    }
    const left = burst.at + refactoringMs - this.#clock.now();
    if (burst.saved.size === 1 && left > 0) {
      await delay(this.#clock, left);
    }
    return burst.saved.size === 1 ? 'person' : 'editor';
  }

  #isRecent(burst: Burst | undefined): burst is Burst {
    return burst !== undefined && this.#clock.now() - burst.at <= refactoringMs;
  }
}
