import * as vscode from 'vscode';
import { type TextMatcher, toExactPattern } from '../../editor/support/textPatterns.ts';
import type { Patches } from './patches.ts';
import { contains } from './quickInput.ts';
import { waitFor } from './waiting.ts';

/** A message that the extension showed. */
export interface ShownMessage {
  readonly severity: 'information' | 'warning' | 'error' | 'progress';
  readonly text: string;
  readonly detail: string;
  readonly isModal: boolean;
  readonly actions: readonly string[];
  /** Presses one of its buttons, or closes it. */
  answer(action: string | undefined): void;
}

type Item = string | vscode.MessageItem;

/** The messages, modal questions and progress of the extension, answered by the test in place of a person. */
export class Messages {
  #shown: ShownMessage[] = [];
  readonly #texts: string[] = [];

  constructor(patches: Patches) {
    const kinds = [
      ['showInformationMessage', 'information'],
      ['showWarningMessage', 'warning'],
      ['showErrorMessage', 'error'],
    ] as const;
    for (const [name, severity] of kinds) {
      patches.replace(vscode.window, name, () => (text: string, ...rest: readonly unknown[]) => {
        const [first, ...others] = rest;
        const options = isOptions(first) ? first : {};
        return this.#show(severity, text, options, (isOptions(first) ? others : rest) as readonly Item[]);
      });
    }
    patches.replace(
      vscode.window,
      'withProgress',
      (withProgress) =>
        <R>(
          options: vscode.ProgressOptions,
          task: (progress: vscode.Progress<object>, token: vscode.CancellationToken) => Thenable<R>,
        ) =>
          options.location === vscode.ProgressLocation.Notification
            ? this.#runWithProgress(options, task)
            : withProgress(options, task),
    );
  }

  /** The messages that are open now. */
  get open(): readonly ShownMessage[] {
    return this.#shown;
  }

  /** The texts of all messages since the last reset, including those that are closed. */
  get history(): readonly string[] {
    return this.#texts;
  }

  /** Waits for an open message that is not modal. */
  async find(text: TextMatcher): Promise<ShownMessage> {
    return waitFor(
      () => this.#shown.find((message) => !message.isModal && contains(message.text, text)),
      () => `No message ${text}; open: ${this.#describe()}`,
    );
  }

  /** Waits until no open message has the text. */
  async waitForGone(text: TextMatcher): Promise<void> {
    await waitFor(
      () => !this.#shown.some((message) => contains(message.text, text)),
      () => `The message ${text} stays`,
    );
  }

  async clickAction(text: TextMatcher, action: string): Promise<void> {
    const message = await waitFor(
      () =>
        this.#shown.find(
          (candidate) =>
            !candidate.isModal && contains(candidate.text, text) && candidate.actions.includes(action),
        ),
      () => `No message ${text} with ${action}; open: ${this.#describe()}`,
    );
    message.answer(action);
  }

  /** Waits for the modal question. */
  async findQuestion(): Promise<ShownMessage> {
    return waitFor(
      () => this.#shown.find(({ isModal }) => isModal),
      () => `No question; open: ${this.#describe()}`,
    );
  }

  /** Presses a button of the modal question; Cancel closes it. */
  async answerQuestion(action: string): Promise<void> {
    const pattern = toExactPattern(action);
    const question = await waitFor(
      () =>
        this.#shown.find(
          ({ isModal, actions }) =>
            isModal && (action === 'Cancel' || actions.some((label) => pattern.test(label))),
        ),
      () => `No question with ${action}; open: ${this.#describe()}`,
    );
    question.answer(action === 'Cancel' ? undefined : action);
  }

  /** Closes everything and forgets the texts. */
  reset(): void {
    for (const message of this.#shown.toReversed()) {
      message.answer(message.severity === 'progress' ? 'Cancel' : undefined);
    }
    this.#shown = [];
    this.#texts.length = 0;
  }

  #describe(): string {
    return this.#shown.length === 0
      ? 'none'
      : this.#shown
          .map(({ text, detail, actions }) => `"${text}" ${detail} [${actions.join(', ')}]`)
          .join('; ');
  }

  #show(
    severity: ShownMessage['severity'],
    text: string,
    options: vscode.MessageOptions,
    items: readonly Item[],
  ): Promise<Item | undefined> {
    const { promise, resolve } = Promise.withResolvers<Item | undefined>();
    const getTitle = (item: Item): string => (typeof item === 'string' ? item : item.title);
    this.#add({
      severity,
      text,
      detail: options.detail ?? '',
      isModal: options.modal === true,
      actions: items.map(getTitle),
      answer: (action) => resolve(items.find((item) => getTitle(item) === action)),
    });
    return promise;
  }

  async #runWithProgress<R>(
    { title = '', cancellable }: vscode.ProgressOptions,
    task: (progress: vscode.Progress<object>, token: vscode.CancellationToken) => Thenable<R>,
  ): Promise<R> {
    const source = new vscode.CancellationTokenSource();
    let report = '';
    const remove = this.#add({
      severity: 'progress',
      get text() {
        return report === '' ? title : `${title}: ${report}`;
      },
      detail: '',
      isModal: false,
      actions: cancellable === true ? ['Cancel'] : [],
      answer: (action) => {
        if (action === 'Cancel') {
          source.cancel();
        }
      },
    });
    try {
      return await task(
        {
          report: (value) => {
            report = 'message' in value ? String(value.message) : report;
          },
        },
        source.token,
      );
    } finally {
      remove();
      source.dispose();
    }
  }

  #add(message: ShownMessage): () => void {
    const remove = (): void => {
      this.#shown = this.#shown.filter((other) => other !== shown);
    };
    const isProgress = message.severity === 'progress';
    const shown: ShownMessage = Object.create(message, {
      answer: {
        value: (action: string | undefined) => {
          if (!isProgress) {
            remove();
          }
          message.answer(action);
        },
      },
    });
    this.#texts.push(message.text);
    this.#shown = [...this.#shown, shown];
    return remove;
  }
}

const isOptions = (value: unknown): value is vscode.MessageOptions =>
  typeof value === 'object' && value !== null && !('title' in value);
