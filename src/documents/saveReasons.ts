import { type Clock, delay } from '../base/clock.ts';

/** Changes of several documents within this time are one refactoring… */
const burstMs = 200;

/** …and saves of several of them within this time are automatic: no user is that quick. */
const refactoringMs = 500;

/** Documents that were changed at the same moment, and those of them that were then saved. */
interface Burst {
  readonly saved: Set<string>;
  at: number;
}

/** The origin of a save: the user, the editor on its own, or unknown. */
export type SaveOrigin = 'person' | 'editor' | 'unknown';

/** The editor's announcement of a save. */
interface Announcement {
  readonly byHand: boolean;
  /** The refactoring that the save may be a part of: known when it is announced, however late the write comes. */
  readonly burst: Burst | undefined;
}

/**
 * Distinguishes explicit saves from automatic ones. The editor announces why it saves, except that a save after a
 * refactoring (`files.refactoring.autoSave`) looks like an explicit one: that follows a change of several documents at
 * once, and saves every one of them, while a user saves one. A moment later it is known which of the two it was.
 *
 * Between the announcement and the write, the editor asks for the state of the file, which takes as long as the server
 * does. So an announcement never expires: it counts until its write comes, another replaces it, or the document is
 * closed.
 */
export class SaveReasons {
  readonly #clock: Clock;
  readonly #announced = new Map<string, Announcement>();
  /** The time of each document's last change, while changes of the same moment are collected. */
  readonly #changed = new Map<string, number>();
  /** The last burst that each document was changed in. */
  readonly #bursts = new Map<string, Burst>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Called when a document was edited in any way. */
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

  /** Called when the editor is about to save the document, with whether the user asked for it. */
  announced(document: string, byHand: boolean): void {
    const known = this.#bursts.get(document);
    const burst = this.#isRecent(known) ? known : undefined;
    burst?.saved.add(document);
    this.#announced.set(document, { byHand, burst });
  }

  /** Called when the document is closed. */
  closed(document: string): void {
    this.#announced.delete(document);
    this.#bursts.delete(document);
  }

  /**
   * Returns the origin of the write that is coming. A save may come unannounced: "Save without Formatting" and the one
   * in the dialog of a window that closes are explicit; the one of a window that closes while auto save is on is not,
   * and none is announced if another extension took too long to handle the event.
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
