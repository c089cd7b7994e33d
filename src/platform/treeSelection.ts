import type { Disposable } from '../base/disposable.ts';
import type { TreeTarget } from '../contributions.ts';

/** The selection of the explorer, for commands run by a key binding: key bindings pass no node. */
export class TreeSelection {
  #getSelection: () => readonly TreeTarget[] = () => [];

  get current(): readonly TreeTarget[] {
    return this.#getSelection();
  }

  /** Sets the view to read the selection from. */
  track(read: () => readonly TreeTarget[]): Disposable {
    this.#getSelection = read;
    return {
      dispose: () => {
        this.#getSelection = () => [];
      },
    };
  }
}
