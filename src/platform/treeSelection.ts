import type { Disposable } from '../base/disposable.ts';
import type { TreeTarget } from '../contributions.ts';

/** The selection of the explorer, for commands run by a keybinding, since keybindings pass no node. */
export class TreeSelection {
  #getSelection: () => readonly TreeTarget[] = () => [];

  get current(): readonly TreeTarget[] {
    return this.#getSelection();
  }

  /** Sets the function that returns the selection. */
  track(read: () => readonly TreeTarget[]): Disposable {
    this.#getSelection = read;
    return {
      dispose: () => {
        this.#getSelection = () => [];
      },
    };
  }
}
