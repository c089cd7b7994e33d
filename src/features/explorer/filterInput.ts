import * as vscode from 'vscode';
import type { Clock } from '../../base/clock.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { FilterState } from './filterState.ts';

/** The pause in typing before the tree is filtered. */
const debounceMs = 150;

/** Asks for the filter text; filters the tree while typing, and restores the previous filter on cancel. */
export function showFilterInput(filter: FilterState, clock: Clock): Promise<void> {
  const store = new DisposableStore();
  const before = filter.current.text;
  const box = store.add(vscode.window.createInputBox());
  box.title = vscode.l10n.t('Filter Datamodels, Tables and Columns');
  box.placeholder = vscode.l10n.t('Words of the name; nothing shows all');
  box.prompt = vscode.l10n.t('What was not loaded yet stays, since it may hold a match.');
  box.value = before;
  // Clicking into the tree should not close the input.
  box.ignoreFocusOut = true;
  let pending: Disposable | undefined;
  return new Promise((resolve) => {
    const finish = (text: string): void => {
      pending?.dispose();
      filter.set(text);
      store.dispose();
      resolve();
    };
    store.add(
      box.onDidChangeValue((value) => {
        pending?.dispose();
        pending = clock.schedule(debounceMs, () => filter.set(value));
      }),
    );
    store.add(box.onDidAccept(() => finish(box.value)));
    store.add(box.onDidHide(() => finish(before)));
    box.show();
  });
}
