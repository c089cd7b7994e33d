import type { Disposable } from '../base/disposable.ts';
import type { TreeTarget } from '../contributions.ts';

/** What is selected in the explorer, for commands that a key runs: a key passes no node. */
export class TreeSelection {
  #getSelection: () => readonly TreeTarget[] = () => [];

  get current(): readonly TreeTarget[] {
    return this.#getSelection();
  }

  /** The view that is asked from now on. */
  track(read: () => readonly TreeTarget[]): Disposable {
    this.#getSelection = read;
    return {
      dispose: () => {
        this.#getSelection = () => [];
      },
    };
  }
}
