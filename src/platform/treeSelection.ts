import type { Disposable } from '../base/disposable.ts';
import type { TreeTarget } from '../contributions.ts';

/** What is selected in the explorer, for commands that a key runs: a key passes no node. */
export class TreeSelection {
  #read: () => readonly TreeTarget[] = () => [];

  get current(): readonly TreeTarget[] {
    return this.#read();
  }

  /** The view that is asked from now on. */
  follow(read: () => readonly TreeTarget[]): Disposable {
    this.#read = read;
    return {
      dispose: () => {
        this.#read = () => [];
      },
    };
  }
}
