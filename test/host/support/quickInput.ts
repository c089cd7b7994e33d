import { setTimeout } from 'node:timers/promises';
import * as vscode from 'vscode';
import { waitForEditor } from '../../../src/platform/waitForEditor.ts';
import { type TextMatcher, toExactPattern } from '../../editor/support/textPatterns.ts';
import type { Patches } from './patches.ts';
import { waitFor } from './waiting.ts';

/** A prompt that is open: a list, or a box for a line of text. */
export interface Prompt {
  readonly kind: 'list' | 'box';
  readonly getTitle: () => string;
  readonly getPlaceholder: () => string;
  /** The prompt below a box, or its validation error. */
  readonly getMessage: () => string;
  readonly getValue: () => string;
  readonly getItems: () => readonly vscode.QuickPickItem[];
  /** The items that Enter would choose. */
  readonly getActiveItems: () => readonly vscode.QuickPickItem[];
  readonly canPickMany: boolean;
  /** Whether a list shows that it waits for something. */
  readonly isBusy?: () => boolean;
  /** True if the typed text is hidden. */
  readonly isPassword: boolean;
  readonly getButtons: () => readonly vscode.QuickInputButton[];
  type(text: string): Promise<void> | void;
  /** Chooses items of a list. */
  choose(items: readonly vscode.QuickPickItem[]): void;
  /** Presses Enter in a box. Returns false if the value was refused. */
  accept(): Promise<boolean> | boolean;
  cancel(): void;
  pressButton?(button: vscode.QuickInputButton | undefined): void;
  /** Presses a button in the row of an item. */
  pressItemButton?(item: vscode.QuickPickItem, button: vscode.QuickInputButton): void;
}

type Options = vscode.QuickPickOptions & { readonly canPickMany?: boolean };

/** The prompts of the extension, answered by the test in place of a person. */
export class QuickInput {
  readonly #open: Prompt[] = [];

  constructor(patches: Patches) {
    patches.replace(vscode.window, 'showQuickPick', () => this.#showQuickPick.bind(this));
    patches.replace(vscode.window, 'showInputBox', () => this.#showInputBox.bind(this));
    patches.replace(vscode.window, 'createQuickPick', (create) => () => this.#trackQuickPick(create()));
    patches.replace(vscode.window, 'createInputBox', (create) => () => this.#trackInputBox(create()));
  }

  /** The prompt in front; `undefined` if none is open. */
  get current(): Prompt | undefined {
    return this.#open.at(-1);
  }

  /** Chooses an item of the open list by its label. */
  async pick(label: TextMatcher): Promise<void> {
    const pattern = toExactPattern(label);
    await this.#choose(
      ({ label: text }) => pattern.test(toText(text)),
      () => `No entry ${label}; there is: ${this.#describe()}`,
    );
  }

  /** Chooses the item once it has certainly been shown, and its list has not changed meanwhile. */
  async #choose(
    matches: (item: vscode.QuickPickItem) => boolean,
    describeFailure: () => string,
  ): Promise<void> {
    const find = () => {
      const prompt = this.current;
      const item = prompt?.getItems().find(matches);
      return prompt === undefined || item === undefined ? undefined : { prompt, item };
    };
    for (;;) {
      const { prompt, item } = await waitFor(find, describeFailure);
      // The editor gets changes of the list when the current task has ended, and shows them before it replies.
      await setTimeout(0);
      await waitForEditor();
      if (find()?.item === item) {
        prompt.choose([item]);
        return;
      }
    }
  }

  /** Chooses an item of the open list by a text in its label, description or detail. */
  async pickByText(text: TextMatcher): Promise<void> {
    await this.#choose(
      (item) => contains(toItemText(item), text),
      () => `No entry with ${text}; there is: ${this.#describe()}`,
    );
  }

  /** Checks several items and confirms. */
  async pickMany(labels: readonly TextMatcher[]): Promise<void> {
    const patterns = labels.map(toExactPattern);
    const { prompt, items } = await waitFor(
      () => {
        const open = this.current;
        const found = patterns.map((pattern) =>
          open?.getItems().find(({ label }) => pattern.test(toText(label))),
        );
        return open?.canPickMany === true && found.every((item) => item !== undefined)
          ? { prompt: open, items: found }
          : undefined;
      },
      () => `No entries ${labels.join(', ')}; there is: ${this.#describe()}`,
    );
    prompt.choose(items);
  }

  /** Types into the open box, or into the filter of the open list, and leaves it open. */
  async fill(text: string): Promise<void> {
    const prompt = await this.#waitForPrompt();
    await prompt.type(text);
  }

  /** Types into the open box and presses Enter; a refused value keeps the box open. */
  async submitText(text: string): Promise<void> {
    const prompt = await this.#waitForPrompt('box');
    await prompt.type(text);
    await prompt.accept();
  }

  /** Types into the open list, and chooses the entry that it offers for the text. */
  async pickTyped(text: string, label: string): Promise<void> {
    await this.fill(text);
    await this.pick(label);
  }

  /** Waits for an entry that contains the text in its label, description or detail. */
  async waitForRow(text: TextMatcher): Promise<vscode.QuickPickItem> {
    return waitFor(
      () => this.current?.getItems().find((item) => contains(toItemText(item), text)),
      () => `No entry with ${text}; there is: ${this.#describe()}`,
    );
  }

  /** Waits until the entry that Enter would choose contains the text. */
  async waitForActiveRow(text: TextMatcher): Promise<void> {
    await waitFor(
      () => this.current?.getActiveItems().some((item) => contains(toItemText(item), text)),
      () =>
        `The active entry is not ${text} but ${this.current?.getActiveItems().map(toItemText).join(', ')}`,
    );
  }

  /** Presses Enter. */
  async accept(): Promise<void> {
    await (await this.#waitForPrompt()).accept();
  }

  /** Presses a button in the title of the prompt, by its tooltip. */
  async pressButton(tooltip: string): Promise<void> {
    const prompt = await this.#waitForPrompt();
    const button = prompt.getButtons().find((candidate) => candidate.tooltip === tooltip);
    if (button === undefined) {
      const tooltips = prompt.getButtons().map((each) => each.tooltip);
      throw new Error(`No button ${tooltip}; there is: ${tooltips.join(', ')}`);
    }
    prompt.pressButton?.(button);
  }

  /** Presses the only button in the row of an entry. */
  async pressItemButton(text: TextMatcher): Promise<void> {
    const item = await this.waitForRow(text);
    const [button] = item.buttons ?? [];
    if (button === undefined) {
      throw new Error(`${item.label} has no button`);
    }
    this.current?.pressItemButton?.(item, button);
  }

  /** Waits for a list, and returns the labels of its entries. */
  async getLabels(): Promise<readonly string[]> {
    const prompt = await this.#waitForPrompt('list');
    return prompt.getItems().map(({ label }) => label);
  }

  /** Waits for a prompt with this title. */
  async waitForTitle(text: TextMatcher): Promise<void> {
    await waitFor(
      () => this.current !== undefined && contains(this.current.getTitle(), text),
      () => `No prompt titled ${text}; there is: ${this.#describe()}`,
    );
  }

  /** Waits for a prompt whose text, as the extension or the test has set it, is this. */
  async waitForValue(text: string): Promise<void> {
    await waitFor(
      () => this.current?.getValue() === text,
      () =>
        `No prompt with the text "${text}", but "${this.current?.getValue()}"; there is: ${this.#describe()}`,
    );
  }

  /** Waits for a prompt with this message; see {@link Prompt}. */
  async waitForMessage(text: TextMatcher): Promise<void> {
    await waitFor(
      () => this.current !== undefined && contains(this.current.getMessage(), text),
      () => `No prompt with the message ${text}; there is: ${this.#describe()}`,
    );
  }

  /** Presses Escape, which closes the prompt. */
  async cancel(): Promise<void> {
    const prompt = await this.#waitForPrompt();
    prompt.cancel();
    await waitFor(
      () => !this.#open.includes(prompt),
      () => `The prompt stays: ${this.#describe()}`,
    );
  }

  /** Presses the Back button. */
  async pressBack(): Promise<void> {
    const prompt = await this.#waitForPrompt();
    prompt.pressButton?.(vscode.QuickInputButtons.Back);
  }

  /** Cancels prompts until none is open: some commands show their list again after a prompt that was opened from it. */
  async reset(): Promise<void> {
    await waitFor(
      () => {
        for (const prompt of this.#open.toReversed()) {
          prompt.cancel();
        }
        return this.current === undefined;
      },
      () => `A prompt stays: ${this.#describe()}`,
    );
  }

  async #waitForPrompt(kind?: Prompt['kind']): Promise<Prompt> {
    return waitFor(
      () => (kind === undefined || this.current?.kind === kind ? this.current : undefined),
      () => `No ${kind ?? 'prompt'} is open; there is: ${this.#describe()}`,
    );
  }

  #describe(): string {
    const prompt = this.current;
    if (prompt === undefined) {
      return 'no prompt';
    }
    const labels = prompt.getItems().map(({ label }) => label);
    return `"${prompt.getTitle()}" ${prompt.getMessage()} [${labels.slice(0, 40).join(', ')}]`;
  }

  #remove(prompt: Prompt): void {
    const index = this.#open.indexOf(prompt);
    if (index >= 0) {
      this.#open.splice(index, 1);
    }
  }

  async #showQuickPick(
    source: readonly (string | vscode.QuickPickItem)[] | Thenable<readonly (string | vscode.QuickPickItem)[]>,
    options: Options = {},
    token?: vscode.CancellationToken,
  ): Promise<unknown> {
    const raw = await source;
    const items = raw.map((item) => (typeof item === 'string' ? { label: item } : item));
    const { promise, resolve } = Promise.withResolvers<unknown>();
    let value = '';
    const finish = (result: unknown): void => {
      this.#remove(prompt);
      resolve(result);
    };
    const toResult = (item: vscode.QuickPickItem): unknown => raw[items.indexOf(item)];
    const prompt: Prompt = {
      kind: 'list',
      getTitle: () => options.title ?? '',
      getPlaceholder: () => options.placeHolder ?? '',
      getMessage: () => options.placeHolder ?? '',
      getValue: () => value,
      getItems: () => items,
      getActiveItems: () => items.slice(0, 1),
      canPickMany: options.canPickMany === true,
      isPassword: false,
      getButtons: () => [],
      type: (text) => {
        value = text;
      },
      choose: (chosen) =>
        finish(options.canPickMany === true ? chosen.map(toResult) : chosen.map(toResult)[0]),
      accept: () => {
        const picked = items.filter(({ picked: isPicked }) => isPicked === true);
        finish(
          options.canPickMany === true
            ? picked.map(toResult)
            : toResult(picked[0] ?? items[0] ?? { label: '' }),
        );
        return true;
      },
      cancel: () => finish(undefined),
    };
    token?.onCancellationRequested(() => prompt.cancel());
    this.#open.push(prompt);
    return promise;
  }

  async #showInputBox(options: vscode.InputBoxOptions = {}): Promise<string | undefined> {
    const { promise, resolve } = Promise.withResolvers<string | undefined>();
    let value = options.value ?? '';
    let problem = '';
    const validate = async (): Promise<void> => {
      const found = await options.validateInput?.(value);
      problem = typeof found === 'string' ? found : (found?.message ?? '');
    };
    const finish = (result: string | undefined): void => {
      this.#remove(prompt);
      resolve(result);
    };
    const prompt: Prompt = {
      kind: 'box',
      getTitle: () => options.title ?? '',
      getPlaceholder: () => options.placeHolder ?? '',
      getMessage: () => problem || (options.prompt ?? ''),
      getValue: () => value,
      getItems: () => [],
      getActiveItems: () => [],
      canPickMany: false,
      isPassword: options.password === true,
      getButtons: () => [],
      type: (text) => {
        value = text;
        return validate();
      },
      choose: () => undefined,
      accept: async () => {
        await validate();
        if (problem === '') {
          finish(value);
        }
        return problem === '';
      },
      cancel: () => finish(undefined),
    };
    this.#open.push(prompt);
    return promise;
  }

  /** Wraps the real list of the editor, so that the test can fire its events, too. */
  #trackQuickPick(pick: vscode.QuickPick<vscode.QuickPickItem>): vscode.QuickPick<vscode.QuickPickItem> {
    const events = new InputEvents();
    let chosen: readonly vscode.QuickPickItem[] | undefined;
    let typedText: string | undefined;
    const tracked: vscode.QuickPick<vscode.QuickPickItem> = events.wrap(pick, {
      // The editor reports only later that it has hidden the list.
      hide: () => {
        this.#remove(prompt);
        pick.hide();
      },
      show: () => {
        this.#remove(prompt);
        this.#open.push(prompt);
        // A focus change of an earlier step may happen only now. It closes a user's prompt, but must not fail a test.
        pick.ignoreFocusOut = true;
        pick.show();
      },
      read: (key) =>
        key === 'value'
          ? typedText
          : // A click makes an item the selected and the active one.
            key === 'selectedItems' || key === 'activeItems'
            ? chosen
            : undefined,
      write: (key) => {
        if (key === 'value') {
          typedText = undefined;
        }
      },
    });
    const prompt: Prompt = {
      kind: 'list',
      getTitle: () => pick.title ?? '',
      getPlaceholder: () => pick.placeholder ?? '',
      getMessage: () => pick.placeholder ?? '',
      getValue: () => typedText ?? pick.value,
      getItems: () => pick.items,
      getActiveItems: () => pick.activeItems,
      canPickMany: pick.canSelectMany,
      isBusy: () => pick.busy,
      isPassword: false,
      getButtons: () => pick.buttons,
      type: (text) => {
        // While the editor shows the list, it reports its own empty text once more.
        typedText = text;
        pick.value = text;
        events.changeValue.fire(text);
      },
      choose: (items) => {
        chosen = items;
        events.changeSelection.fire(items);
        events.accept.fire({ inBackground: false });
        chosen = undefined;
      },
      accept: () => {
        chosen = pick.activeItems.length > 0 ? pick.activeItems : pick.items.slice(0, 1);
        events.accept.fire({ inBackground: false });
        chosen = undefined;
        return true;
      },
      cancel: () => pick.hide(),
      pressButton: (button) => button !== undefined && events.button.fire(button),
      pressItemButton: (item, button) => events.itemButton.fire({ item, button }),
    };
    events.callOnHideOrDispose(pick, () => this.#remove(prompt));
    return tracked;
  }

  #trackInputBox(box: vscode.InputBox): vscode.InputBox {
    const events = new InputEvents();
    const tracked: vscode.InputBox = events.wrap(box, {
      hide: () => {
        this.#remove(prompt);
        box.hide();
      },
      show: () => {
        this.#remove(prompt);
        this.#open.push(prompt);
        // For the same reason as in `#trackQuickPick`.
        box.ignoreFocusOut = true;
        box.show();
      },
      read: () => undefined,
      write: () => undefined,
    });
    const getProblem = (): string => {
      const { validationMessage } = box;
      return typeof validationMessage === 'string' ? validationMessage : (validationMessage?.message ?? '');
    };
    const prompt: Prompt = {
      kind: 'box',
      getTitle: () => box.title ?? '',
      getPlaceholder: () => box.placeholder ?? '',
      getMessage: () => getProblem() || (box.prompt ?? ''),
      getValue: () => box.value,
      getItems: () => [],
      getActiveItems: () => [],
      canPickMany: false,
      get isPassword() {
        return box.password;
      },
      getButtons: () => box.buttons,
      type: (text) => {
        box.value = text;
        events.changeValue.fire(text);
      },
      choose: () => undefined,
      accept: () => {
        events.accept.fire({ inBackground: false });
        return getProblem() === '';
      },
      cancel: () => box.hide(),
      pressButton: (button) => button !== undefined && events.button.fire(button),
    };
    events.callOnHideOrDispose(box, () => this.#remove(prompt));
    return tracked;
  }
}

interface InputHooks {
  /** Called instead of the methods of the editor when the extension shows or hides the input. */
  readonly show: () => void;
  readonly hide: () => void;
  /** Returns the value of a property for the extension; `undefined` for that of the editor. */
  readonly read: (key: string) => unknown;
  /** Called when the extension sets a property. */
  readonly write: (key: string) => void;
}

/** Events that the test fires on an input, beside those of the editor. */
class InputEvents {
  readonly accept = new vscode.EventEmitter<unknown>();
  readonly changeValue = new vscode.EventEmitter<string>();
  readonly changeSelection = new vscode.EventEmitter<readonly vscode.QuickPickItem[]>();
  readonly button = new vscode.EventEmitter<vscode.QuickInputButton>();
  readonly itemButton = new vscode.EventEmitter<vscode.QuickPickItemButtonEvent<vscode.QuickPickItem>>();

  wrap<T extends vscode.QuickInput>(input: T, { show, hide, read, write }: InputHooks): T {
    const testEvents: Readonly<Record<string, vscode.Event<never>>> = {
      onDidAccept: this.accept.event as vscode.Event<never>,
      onDidChangeValue: this.changeValue.event as vscode.Event<unknown> as vscode.Event<never>,
      onDidChangeSelection: this.changeSelection.event as vscode.Event<unknown> as vscode.Event<never>,
      onDidTriggerButton: this.button.event as vscode.Event<unknown> as vscode.Event<never>,
      onDidTriggerItemButton: this.itemButton.event as vscode.Event<unknown> as vscode.Event<never>,
    };
    return new Proxy(input, {
      get: (target, key) => {
        if (key === 'show' || key === 'hide') {
          return key === 'show' ? show : hide;
        }
        const overriddenValue = typeof key === 'string' ? read(key) : undefined;
        if (overriddenValue !== undefined) {
          return overriddenValue;
        }
        const value: unknown = Reflect.get(target, key, target);
        const event = testEvents[String(key)];
        if (event !== undefined && typeof value === 'function') {
          return (listener: (data: never) => unknown, ...rest: unknown[]) => {
            const subscription = event(listener);
            const editorSubscription: vscode.Disposable = value.call(target, listener, ...rest);
            return vscode.Disposable.from(subscription, editorSubscription);
          };
        }
        return typeof value === 'function' ? value.bind(target) : value;
      },
      set: (target, key, value) => {
        write(String(key));
        return Reflect.set(target, key, value, target);
      },
    });
  }

  callOnHideOrDispose(input: vscode.QuickInput, remove: () => void): void {
    input.onDidHide(remove);
    const dispose = input.dispose.bind(input);
    input.dispose = () => {
      remove();
      dispose();
    };
  }
}

/** Icons in a label are not part of its text. */
const toText = (label: string): string => label.replaceAll(/\$\([\w~-]+\)/g, '');

const toItemText = ({ label, description, detail }: vscode.QuickPickItem): string =>
  [toText(label), description ?? '', detail ?? ''].join('\n');

export const contains = (text: string, matcher: TextMatcher): boolean =>
  typeof matcher === 'string' ? text.includes(matcher) : matcher.test(text);
