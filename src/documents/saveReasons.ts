import { type Clock, delay } from '../base/clock.ts';

/** An announcement of a save counts for the write that follows it at once. */
const announcedMs = 5000;

/** Changes of several documents within this time are one refactoring… */
const burstMs = 200;

/** …and saves of several of them within this time are the editor's: no person is so quick. */
const refactoringMs = 500;

/** Documents were changed in one moment; those of them that were then saved. */
interface Burst {
  readonly saved: Set<string>;
  at: number;
}

/**
 * Tells saves by hand from others. The editor announces why it saves, except that what it saves after a refactoring
 * (`files.refactoring.autoSave`) looks like a save by hand: that follows a change of several documents at once, and
 * saves every one of them, while a person saves one. Which of the two it was is known a moment later.
 */
export class SaveReasons {
  readonly #clock: Clock;
  readonly #announced = new Map<string, { readonly byHand: boolean; readonly at: number }>();
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
    this.#announced.set(document, { byHand, at: this.#clock.now() });
    const burst = this.#bursts.get(document);
    if (this.#isRecent(burst)) {
      burst.saved.add(document);
    }
  }

  /** The document is open no more. */
  closed(document: string): void {
    this.#announced.delete(document);
    this.#bursts.delete(document);
  }

  /** Whether the write that is coming is what a person asked for. */
  async isByHand(document: string): Promise<boolean> {
    const announced = this.#announced.get(document);
    this.#announced.delete(document);
    // "Save without formatting" is not announced, and nobody but a person does it.
    if (announced === undefined || this.#clock.now() - announced.at > announcedMs) {
      return true;
    }
    const burst = this.#bursts.get(document);
    if (!announced.byHand || !this.#isRecent(burst)) {
      return announced.byHand;
    }
    const left = burst.at + refactoringMs - this.#clock.now();
    if (burst.saved.size === 1) {
      await delay(this.#clock, left);
    }
    return burst.saved.size === 1;
  }

  #isRecent(burst: Burst | undefined): burst is Burst {
    return burst !== undefined && this.#clock.now() - burst.at <= refactoringMs;
  }
}
