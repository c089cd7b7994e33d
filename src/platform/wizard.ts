import * as vscode from 'vscode';
import { DisposableStore } from '../base/disposable.ts';
import { toPlainText } from './serverText.ts';
import type { StepAnswer, StepPosition, WizardStep } from './wizardSteps.ts';

/** Asks for a line of text and stores it in a property; surrounding whitespace is trimmed. */
export function createTextStep<Key extends string, State extends { readonly [key in Key]: string }>(
  key: Key,
  getQuestion: (state: State) => TextQuestion,
): WizardStep<State> {
  return async (state, position) => {
    const answer = await promptForText({ value: state[key], ...getQuestion(state) }, position);
    return typeof answer === 'object' ? { value: { ...state, [key]: answer.value.trim() } } : answer;
  };
}

/** Asks for one of several options and stores it in a property. */
export function createChoiceStep<Key extends keyof State, State extends object>(
  key: Key,
  getQuestion: (state: State) => {
    readonly title: string;
    readonly placeholder: string;
    readonly items: readonly ChoiceItem<State[Key]>[];
  },
): WizardStep<State> {
  return async (state, position) => {
    const { items, ...choiceQuestion } = getQuestion(state);
    const answer = await promptForChoice({ ...choiceQuestion, currentValue: state[key] }, items, position);
    return typeof answer === 'object' ? { value: { ...state, [key]: answer.value } } : answer;
  };
}

/** Asks for one of the known names, or a typed one, and stores it in a property. */
export function createNameStep<Key extends string, State extends { readonly [key in Key]: string }>(
  key: Key,
  getQuestion: (state: State) => NameQuestion,
): WizardStep<State> {
  return async (state, position) => {
    const answer = await promptForName({ currentValue: state[key], ...getQuestion(state) }, position);
    return typeof answer === 'object' ? { value: { ...state, [key]: answer.value } } : answer;
  };
}

export interface NameQuestion {
  readonly title: string;
  readonly placeholder: string;
  readonly names: readonly { readonly id: string; readonly name: string }[];
  readonly icon: string;
  /** Returns the label of the item for a typed name that is not a known one. */
  readonly formatTypedName: (name: string) => string;
}

/** Asks for a known name, stored by its ID, or accepts the typed text as it is. */
function promptForName(
  { names, icon, formatTypedName, ...question }: NameQuestion & { readonly currentValue: string },
  position: StepPosition,
): Promise<StepAnswer<string>> {
  const iconPath = new vscode.ThemeIcon(icon);
  const isKnownName = (text: string): boolean => names.some(({ id, name }) => id === text || name === text);
  return promptForChoice(
    {
      ...question,
      createTypedItem: (text) =>
        isKnownName(text) ? undefined : { label: formatTypedName(toPlainText(text)), iconPath, value: text },
    },
    names.map(({ id, name }) => ({
      label: toPlainText(name),
      ...(id === name ? {} : { description: toPlainText(id) }),
      iconPath,
      value: id,
    })),
    position,
  );
}

export interface TextQuestion {
  readonly title: string;
  readonly prompt: string;
  readonly value?: string;
  readonly placeholder?: string;
  readonly password?: boolean;
  /** Returns the problem with the value; `undefined` if it is valid. */
  readonly validate?: (value: string) => string | undefined;
}

/**
 * Asks for a line of text. The input stays open while another window has the focus, since users copy tokens from
 * elsewhere.
 */
export function promptForText(question: TextQuestion, position: StepPosition): Promise<StepAnswer<string>> {
  const inputBox = vscode.window.createInputBox();
  inputBox.title = question.title;
  inputBox.prompt = toPlainText(question.prompt);
  inputBox.value = question.value ?? '';
  inputBox.placeholder = question.placeholder ?? '';
  inputBox.password = question.password ?? false;
  // The editor renders command links in prompts and in problems, so both are made plain text.
  const validate = (value: string): string | undefined => {
    const problem = question.validate?.(value);
    return problem === undefined ? undefined : toPlainText(problem);
  };
  return showQuickInput(inputBox, position, (finish) => [
    inputBox.onDidChangeValue((value) => {
      inputBox.validationMessage = value === '' ? undefined : validate(value);
    }),
    inputBox.onDidAccept(() => {
      const problem = validate(inputBox.value);
      inputBox.validationMessage = problem;
      if (problem === undefined) {
        finish({ value: inputBox.value });
      }
    }),
  ]);
}

export interface ChoiceItem<T> extends vscode.QuickPickItem {
  readonly value: T;
}

export interface ChoiceQuestion<T> {
  readonly title: string;
  readonly placeholder: string;
  /** The option selected initially. */
  readonly currentValue?: T;
  /** Creates an additional option for the typed text, which is trimmed. */
  readonly createTypedItem?: (text: string) => ChoiceItem<T> | undefined;
}

/** Asks for one of several options. */
export function promptForChoice<T>(
  question: ChoiceQuestion<T>,
  items: readonly ChoiceItem<T>[],
  position: StepPosition,
): Promise<StepAnswer<T>> {
  const quickPick = vscode.window.createQuickPick<ChoiceItem<T>>();
  quickPick.title = question.title;
  quickPick.placeholder = question.placeholder;
  quickPick.matchOnDescription = question.createTypedItem !== undefined;
  quickPick.items = items;
  const currentItems = items.filter(({ value }) => value === question.currentValue);
  if (currentItems.length > 0) {
    quickPick.activeItems = currentItems;
  }
  return showQuickInput(quickPick, position, (finish) => [
    quickPick.onDidChangeValue((value) => {
      const text = value.trim();
      const typedItem = text === '' ? undefined : question.createTypedItem?.(text);
      if (question.createTypedItem !== undefined) {
        quickPick.items = typedItem === undefined ? items : [...items, { ...typedItem, alwaysShow: true }];
      }
    }),
    quickPick.onDidAccept(() => {
      const [pickedItem] = quickPick.selectedItems;
      if (pickedItem !== undefined) {
        finish({ value: pickedItem.value });
      }
    }),
  ]);
}

/** Shows an input as a step of a wizard, with its Back button, and returns its answer. */
export function showQuickInput<T>(
  input: vscode.QuickInput & {
    buttons: readonly vscode.QuickInputButton[];
    readonly onDidTriggerButton: vscode.Event<vscode.QuickInputButton>;
  },
  position: StepPosition,
  registerListeners: (finish: (answer: StepAnswer<T>) => void) => readonly vscode.Disposable[],
): Promise<StepAnswer<T>> {
  const store = new DisposableStore();
  if (position.totalSteps > 1) {
    input.step = position.step;
    input.totalSteps = position.totalSteps;
  }
  input.ignoreFocusOut = true;
  input.buttons = position.step > 1 ? [vscode.QuickInputButtons.Back] : [];
  return new Promise<StepAnswer<T>>((resolve) => {
    const finish = (answer: StepAnswer<T>): void => {
      resolve(answer);
      store.dispose();
    };
    store.add(input);
    store.add(input.onDidTriggerButton(() => finish('back')));
    store.add(input.onDidHide(() => finish(undefined)));
    for (const subscription of registerListeners(finish)) {
      store.add(subscription);
    }
    input.show();
  });
}
