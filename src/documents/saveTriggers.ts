import { type Clock, delay } from '../base/clock.ts';

/** Changes of several documents within this time count as one refactoring. */
const burstMs = 200;

/** Saves of several of these documents within this time count as automatic: no user is that quick. */
const refactoringMs = 500;

/** A change of several documents at once. */
interface Burst {
  /** The changed documents that were saved afterwards. */
  readonly savedDocuments: Set<string>;
  lastChangeAt: number;
}

/** What triggered a save: a person, the editor (`files.autoSave`, `files.refactoring.autoSave`), or unknown. */
export type SaveTrigger = 'person' | 'autoSave' | 'unknown';

/** The editor's announcement of a save (`onWillSaveTextDocument`). */
interface Announcement {
  readonly isExplicit: boolean;
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
export class SaveTriggers {
  readonly #clock: Clock;
  readonly #announcements = new Map<string, Announcement>();
  /** The times of the changes within the last {@link burstMs}, by document. */
  readonly #changeTimes = new Map<string, number>();
  /** The last burst that each document was changed in. */
  readonly #bursts = new Map<string, Burst>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Called when a document was edited in any way. */
  handleChange(document: string): void {
    const now = this.#clock.now();
    for (const [key, changedAt] of this.#changeTimes) {
      if (now - changedAt > burstMs) {
        this.#changeTimes.delete(key);
      }
    }
    this.#changeTimes.set(document, now);
    if (this.#changeTimes.size > 1) {
      const changedDocuments = [...this.#changeTimes.keys()];
      const recentBurst = changedDocuments
        .map((key) => this.#bursts.get(key))
        .find((burst) => this.#isRecent(burst));
      const burst = recentBurst ?? { savedDocuments: new Set(), lastChangeAt: now };
      burst.lastChangeAt = now;
      for (const key of changedDocuments) {
        this.#bursts.set(key, burst);
      }
    }
  }

  /** Called when the editor is about to save the document. */
  handleWillSave(document: string, isExplicit: boolean): void {
    const lastBurst = this.#bursts.get(document);
    const burst = this.#isRecent(lastBurst) ? lastBurst : undefined;
    burst?.savedDocuments.add(document);
    this.#announcements.set(document, { isExplicit, burst });
  }

  /** Called when the document is closed. */
  handleClose(document: string): void {
    this.#announcements.delete(document);
    this.#bursts.delete(document);
  }

  /**
   * Consumes the announcement and returns the trigger of the write that follows. Some saves are not announced: explicit
   * ones by "Save without Formatting" or in the dialog of a closing window, automatic ones when a window closes while
   * auto save is on, and any save if another extension took too long to handle the event.
   */
  async takeTrigger(document: string): Promise<SaveTrigger> {
    const announcement = this.#announcements.get(document);
    this.#announcements.delete(document);
    if (announcement === undefined) {
      return 'unknown';
    }
    const { isExplicit, burst } = announcement;
    if (!isExplicit || burst === undefined) {
      return isExplicit ? 'person' : 'autoSave';
    }
    const remainingMs = burst.lastChangeAt + refactoringMs - this.#clock.now();
    if (burst.savedDocuments.size === 1 && remainingMs > 0) {
      await delay(this.#clock, remainingMs);
    }
    return burst.savedDocuments.size === 1 ? 'person' : 'autoSave';
  }

  #isRecent(burst: Burst | undefined): burst is Burst {
    return burst !== undefined && this.#clock.now() - burst.lastChangeAt <= refactoringMs;
  }
}
