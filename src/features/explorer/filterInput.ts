import * as vscode from 'vscode';
import type { Clock } from '../../base/clock.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { FilterState } from './filterState.ts';

/** The pause in typing before the tree is filtered. */
const debounceMs = 150;

/** Asks for the filter text; filters the tree while typing, and restores the previous filter on cancel. */
export function showFilterInput(filter: FilterState, clock: Clock): Promise<void> {
  const store = new DisposableStore();
  const previousText = filter.nameFilter.text;
  const inputBox = store.add(vscode.window.createInputBox());
  inputBox.title = vscode.l10n.t('Filter by Name');
  inputBox.placeholder = vscode.l10n.t('Filter by name (leave empty to clear)');
  inputBox.prompt = vscode.l10n.t(
    "Items that aren't loaded yet stay visible, because they might contain matches.",
  );
  inputBox.value = previousText;
  // Clicking into the tree should not close the input.
  inputBox.ignoreFocusOut = true;
  let pendingUpdate: Disposable | undefined;
  return new Promise((resolve) => {
    const finish = (text: string): void => {
      pendingUpdate?.dispose();
      filter.set(text);
      store.dispose();
      resolve();
    };
    store.add(
      inputBox.onDidChangeValue((value) => {
        pendingUpdate?.dispose();
        pendingUpdate = clock.schedule(debounceMs, () => filter.set(value));
      }),
    );
    store.add(inputBox.onDidAccept(() => finish(inputBox.value)));
    store.add(inputBox.onDidHide(() => finish(previousText)));
    inputBox.show();
  });
}
