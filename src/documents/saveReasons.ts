import { type Clock, delay } from '../base/clock.ts';

/** Changes of several documents within this time count as one refactoring. */
const burstMs = 200;

/** Saves of several of these documents within this time count as automatic: no user is that quick. */
const refactoringMs = 500;

/** A change of several documents at once. */
interface Burst {
  /** The changed documents that were saved afterwards. */
  readonly saved: Set<string>;
  at: number;
}

/** The origin of a save: the user, the editor on its own, or unknown. */
export type SaveOrigin = 'person' | 'editor' | 'unknown';

/** The editor's announcement of a save (`onWillSaveTextDocument`). */
interface Announcement {
  readonly byHand: boolean;
  /** The refactoring that the save may belong to, determined at the announcement: the write may come much later. */
  readonly burst: Burst | undefined;
}

/**
 * Distinguishes explicit saves from automatic ones. The editor announces the reason of a save, but reports the save
 * after a refactoring (`files.refactoring.autoSave`) as an explicit one. Such a save follows a change of several
 * documents and saves all of them, while a user saves one document, so a short wait shows which of the two it is.
 *
 * Between the announcement and the write, the editor requests the file's stat, which may take long. So an announcement
 * never expires: it is valid until its write comes, another announcement replaces it, or the document is closed.
 */
export class SaveReasons {
  readonly #clock: Clock;
  readonly #announced = new Map<string, Announcement>();
  /** The times of the changes within the last {@link burstMs}, by document. */
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

  /** Called when the editor is about to save the document. */
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
   * Consumes the announcement and returns the origin of the write that follows. Some saves are not announced: explicit
   * ones by "Save without Formatting" or in the dialog of a closing window, automatic ones when a window closes while
   * auto save is on, and any save if another extension took too long to handle the event.
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
