import * as vscode from 'vscode';
import { showQuickInput } from './wizard.ts';
import type { WizardStep } from './wizardSteps.ts';

/** An entry of the list below a text that is being typed. */
export interface SuggestionItem extends vscode.QuickPickItem {
  readonly text: string;
  /** True if it accepts the text, and false if it replaces the typed one, which can then be typed on. */
  readonly isAnswer: boolean;
}

/** Asks for a line of text for which entries are suggested while it's being typed, and stores it in a property. */
export function createSuggestionStep<Key extends string, State extends { readonly [key in Key]: string }>(
  key: Key,
  getQuestion: (state: State) => {
    readonly title: string;
    readonly placeholder: string;
    /** Returns the entries for a text, the answer first. */
    readonly getItems: (text: string) => readonly SuggestionItem[];
  },
): WizardStep<State> {
  return async (state, position) => {
    const { title, placeholder, getItems } = getQuestion(state);
    const quickPick = vscode.window.createQuickPick<SuggestionItem>();
    const showItems = (text: string): void => {
      // The list is about the end of the text, so it must not be filtered by the whole of it.
      quickPick.items = getItems(text).map((item) => ({ ...item, alwaysShow: true }));
    };
    quickPick.title = title;
    quickPick.placeholder = placeholder;
    quickPick.value = state[key];
    showItems(state[key]);
    const answer = await showQuickInput<string>(quickPick, position, (finish) => [
      quickPick.onDidChangeValue(showItems),
      quickPick.onDidAccept(() => {
        const [item] = quickPick.selectedItems;
        if (item?.isAnswer === true) {
          finish({ value: item.text });
        } else if (item !== undefined) {
          quickPick.value = item.text;
          showItems(item.text);
        }
      }),
    ]);
    return typeof answer === 'object' ? { value: { ...state, [key]: answer.value.trim() } } : answer;
  };
}
