import * as vscode from 'vscode';
import { DisposableStore } from '../base/disposable.ts';
import { toPlainText } from './serverText.ts';
import type { StepAnswer, StepPosition, WizardStep } from './wizardSteps.ts';

/** Asks for a line of text and stores it in a property; surrounding whitespace is trimmed. */
export function createTextStep<Key extends string, State extends { readonly [key in Key]: string }>(
  key: Key,
  question: (state: State) => TextQuestion,
): WizardStep<State> {
  return async (state, position) => {
    const answer = await promptForText({ value: state[key], ...question(state) }, position);
    return typeof answer === 'object' ? { value: { ...state, [key]: answer.value.trim() } } : answer;
  };
}

/** Asks for one of several options and stores it in a property. */
export function createChoiceStep<Key extends keyof State, State extends object>(
  key: Key,
  question: (state: State) => {
    readonly title: string;
    readonly placeholder: string;
    readonly items: readonly ChoiceItem<State[Key]>[];
  },
): WizardStep<State> {
  return async (state, position) => {
    const { items, ...rest } = question(state);
    const answer = await promptForChoice({ ...rest, current: state[key] }, items, position);
    return typeof answer === 'object' ? { value: { ...state, [key]: answer.value } } : answer;
  };
}

/** Asks for one of the known names, or a typed one, and stores it in a property. */
export function createNameStep<Key extends string, State extends { readonly [key in Key]: string }>(
  key: Key,
  question: (state: State) => NameQuestion,
): WizardStep<State> {
  return async (state, position) => {
    const answer = await promptForName({ current: state[key], ...question(state) }, position);
    return typeof answer === 'object' ? { value: { ...state, [key]: answer.value } } : answer;
  };
}

export interface NameQuestion {
  readonly title: string;
  readonly placeholder: string;
  readonly names: readonly { readonly id: string; readonly name: string }[];
  readonly icon: string;
  /** Returns the label of the item for the typed text. */
  readonly typed: (name: string) => string;
}

/** Asks for a known name, stored by its ID, or accepts the typed text as it is. */
function promptForName(
  { names, icon, typed, ...question }: NameQuestion & { readonly current: string },
  position: StepPosition,
): Promise<StepAnswer<string>> {
  const iconPath = new vscode.ThemeIcon(icon);
  const isKnownName = (text: string): boolean => names.some(({ id, name }) => id === text || name === text);
  return promptForChoice(
    {
      ...question,
      typed: (text) =>
        isKnownName(text) ? undefined : { label: typed(toPlainText(text)), iconPath, value: text },
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
  readonly problem?: (value: string) => string | undefined;
}

/**
 * Asks for a line of text. The input stays open while another window has the focus, since users copy tokens from
 * elsewhere.
 */
export function promptForText(question: TextQuestion, position: StepPosition): Promise<StepAnswer<string>> {
  const box = vscode.window.createInputBox();
  box.title = question.title;
  box.prompt = toPlainText(question.prompt);
  box.value = question.value ?? '';
  box.placeholder = question.placeholder ?? '';
  box.password = question.password ?? false;
  // The editor renders command links in prompts and in problems, so both are made plain text.
  const validate = (value: string): string | undefined => {
    const problem = question.problem?.(value);
    return problem === undefined ? undefined : toPlainText(problem);
  };
  return showQuickInput(box, position, (finish) => [
    box.onDidChangeValue((value) => {
      box.validationMessage = value === '' ? undefined : validate(value);
    }),
    box.onDidAccept(() => {
      const problem = validate(box.value);
      box.validationMessage = problem;
      if (problem === undefined) {
        finish({ value: box.value });
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
  readonly current?: T;
  /** Creates an additional option for the typed text, which is trimmed. */
  readonly typed?: (text: string) => ChoiceItem<T> | undefined;
}

/** Asks for one of several options. */
export function promptForChoice<T>(
  question: ChoiceQuestion<T>,
  items: readonly ChoiceItem<T>[],
  position: StepPosition,
): Promise<StepAnswer<T>> {
  const pick = vscode.window.createQuickPick<ChoiceItem<T>>();
  pick.title = question.title;
  pick.placeholder = question.placeholder;
  pick.matchOnDescription = question.typed !== undefined;
  pick.items = items;
  const current = items.filter(({ value }) => value === question.current);
  if (current.length > 0) {
    pick.activeItems = current;
  }
  return showQuickInput(pick, position, (finish) => [
    pick.onDidChangeValue((value) => {
      const text = value.trim();
      const typed = text === '' ? undefined : question.typed?.(text);
      if (question.typed !== undefined) {
        pick.items = typed === undefined ? items : [...items, { ...typed, alwaysShow: true }];
      }
    }),
    pick.onDidAccept(() => {
      const [chosen] = pick.selectedItems;
      if (chosen !== undefined) {
        finish({ value: chosen.value });
      }
    }),
  ]);
}

function showQuickInput<T>(
  input: vscode.QuickInput & {
    buttons: readonly vscode.QuickInputButton[];
    readonly onDidTriggerButton: vscode.Event<vscode.QuickInputButton>;
  },
  position: StepPosition,
  listen: (finish: (answer: StepAnswer<T>) => void) => readonly vscode.Disposable[],
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
    for (const subscription of listen(finish)) {
      store.add(subscription);
    }
    input.show();
  });
}
