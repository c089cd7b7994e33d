import type * as vscode from 'vscode';
import type { Disposable } from '../base/disposable.ts';
import type { NodeTarget, TreeTarget } from '../contributions.ts';

/** A node of the Connections view with what it represents. */
type SelectedNode = NodeTarget & TreeTarget;

/** The part of a tree view that has its selection. */
type SelectableView = Pick<vscode.TreeView<SelectedNode>, 'selection' | 'onDidChangeSelection'>;

/** The selection of the Connections view, for commands run by a keybinding, since keybindings pass no node. */
export class TreeSelection {
  #getSelection: () => readonly SelectedNode[] = () => [];

  get selectedNodes(): readonly SelectedNode[] {
    return this.#getSelection();
  }

  /** Sets the view whose selection is read. */
  track(view: SelectableView): Disposable {
    let lastSelection: readonly SelectedNode[] = [];
    const listener = view.onDidChangeSelection(({ selection }) => {
      lastSelection = selection;
    });
    this.#getSelection = () => {
      // While the editor loads rows again, it maps none of the selected rows to their elements and returns an empty
      // selection, although the rows stay selected. A selection that really becomes empty fires the event.
      const { selection } = view;
      if (selection.length > 0) {
        lastSelection = selection;
      }
      return lastSelection;
    };
    return {
      dispose: () => {
        listener.dispose();
        this.#getSelection = () => [];
      },
    };
  }
}
