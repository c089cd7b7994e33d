import * as vscode from 'vscode';
import { DisposableStore } from '../base/disposable.ts';
import type { StepAnswer, StepPosition, WizardStep } from './wizardSteps.ts';

/** A question for a line of text that becomes a field; blanks around it go. */
export function textStep<Key extends string, State extends { readonly [key in Key]: string }>(
  key: Key,
  question: (state: State) => TextQuestion,
): WizardStep<State> {
  return async (state, position) => {
    const answer = await askText({ value: state[key], ...question(state) }, position);
    return typeof answer === 'object' ? { value: { ...state, [key]: answer.value.trim() } } : answer;
  };
}

/** A question for one of several things that becomes a field. */
export function choiceStep<Key extends keyof State, State extends object>(
  key: Key,
  question: (state: State) => {
    readonly title: string;
    readonly placeholder: string;
    readonly items: readonly ChoiceItem<State[Key]>[];
  },
): WizardStep<State> {
  return async (state, position) => {
    const { items, ...rest } = question(state);
    const answer = await askChoice({ ...rest, current: state[key] }, items, position);
    return typeof answer === 'object' ? { value: { ...state, [key]: answer.value } } : answer;
  };
}

export interface TextQuestion {
  readonly title: string;
  readonly prompt: string;
  readonly value?: string;
  readonly placeholder?: string;
  readonly password?: boolean;
  /** What is wrong with the value; `undefined` when it is good. */
  readonly problem?: (value: string) => string | undefined;
}

/** Asks for a line of text. It stays while another window has the focus: tokens are copied from elsewhere. */
export function askText(question: TextQuestion, position: StepPosition): Promise<StepAnswer<string>> {
  const box = vscode.window.createInputBox();
  box.title = question.title;
  box.prompt = question.prompt;
  box.value = question.value ?? '';
  box.placeholder = question.placeholder ?? '';
  box.password = question.password ?? false;
  return ask(box, position, (finish) => [
    box.onDidChangeValue((value) => {
      box.validationMessage = value === '' ? undefined : question.problem?.(value);
    }),
    box.onDidAccept(() => {
      const problem = question.problem?.(box.value);
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

/** Asks for one of several things; `current` is chosen already. */
export function askChoice<T>(
  question: { readonly title: string; readonly placeholder: string; readonly current?: T },
  items: readonly ChoiceItem<T>[],
  position: StepPosition,
): Promise<StepAnswer<T>> {
  const pick = vscode.window.createQuickPick<ChoiceItem<T>>();
  pick.title = question.title;
  pick.placeholder = question.placeholder;
  pick.items = items;
  pick.activeItems = items.filter(({ value }) => value === question.current);
  return ask(pick, position, (finish) => [
    pick.onDidAccept(() => {
      const [chosen] = pick.selectedItems;
      if (chosen !== undefined) {
        finish({ value: chosen.value });
      }
    }),
  ]);
}

function ask<T>(
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
