import * as vscode from 'vscode';
import type { TextMatcher } from '../../editor/support/textPatterns.ts';
import { decodeMarkdown } from './language.ts';
import type { Patches } from './patches.ts';
import { contains } from './quickInput.ts';
import { waitFor } from './waiting.ts';

/** The status bar items of the extension, as far as they are visible. */
export class StatusBar {
  readonly #visible = new Set<vscode.StatusBarItem>();
  readonly #messages = new Set<string>();

  constructor(patches: Patches) {
    patches.replace(vscode.window, 'createStatusBarItem', (create) => (...args: readonly unknown[]) => {
      const item: vscode.StatusBarItem = Reflect.apply(create, vscode.window, args);
      return this.#track(item);
    });
    patches.replace(
      vscode.window,
      'setStatusBarMessage',
      (set) =>
        (text: string, ...rest: readonly unknown[]) => {
          this.#messages.add(text);
          const shown: vscode.Disposable = Reflect.apply(set, vscode.window, [text, ...rest]);
          return new vscode.Disposable(() => {
            this.#messages.delete(text);
            shown.dispose();
          });
        },
    );
  }

  /** The texts of all visible items and messages, with icons as words. */
  get texts(): readonly string[] {
    return [...[...this.#visible].map(({ text }) => text), ...this.#messages];
  }

  /** Waits for a text in the status bar. */
  async waitForText(text: TextMatcher): Promise<void> {
    await waitFor(
      () => this.texts.some((shown) => contains(shown, text)),
      () => `The status bar does not show ${text} but: ${this.texts.join(' | ')}`,
    );
  }

  /** Waits until no item shows the text. */
  async waitForTextGone(text: TextMatcher): Promise<void> {
    await waitFor(
      () => !this.texts.some((shown) => contains(shown, text)),
      () => `The status bar still shows ${text}`,
    );
  }

  /** Clicks an item once the status bar shows the item. */
  async click(text: TextMatcher): Promise<void> {
    const item = await waitFor(
      () => [...this.#visible].find((candidate) => contains(candidate.text, text)),
      () => `The status bar has no item ${text} but: ${this.texts.join(' | ')}`,
    );
    const { command } = item;
    if (command === undefined) {
      throw new Error(`${item.text} has no command`);
    }
    void (typeof command === 'string'
      ? vscode.commands.executeCommand(command)
      : vscode.commands.executeCommand(command.command, ...(command.arguments ?? [])));
  }

  /**
   * A visible item, to read its other properties.
   * @throws Error if no item shows the text
   */
  getItem(text: TextMatcher): vscode.StatusBarItem {
    const item = [...this.#visible].find((candidate) => contains(candidate.text, text));
    if (item === undefined) {
      throw new Error(`The status bar has no item ${text} but: ${this.texts.join(' | ')}`);
    }
    return item;
  }

  /** The tooltip of an item, as text. */
  getTooltip(text: TextMatcher): string {
    const item = [...this.#visible].find((candidate) => contains(candidate.text, text));
    const tooltip = item?.tooltip;
    return typeof tooltip === 'string' ? tooltip : decodeMarkdown(tooltip?.value ?? '');
  }

  reset(): void {
    this.#messages.clear();
  }

  #track(item: vscode.StatusBarItem): vscode.StatusBarItem {
    const overrides: Readonly<Record<string, () => void>> = {
      show: () => {
        this.#visible.add(item);
        item.show();
      },
      hide: () => {
        this.#visible.delete(item);
        item.hide();
      },
      dispose: () => {
        this.#visible.delete(item);
        item.dispose();
      },
    };
    return new Proxy(item, {
      get: (target, key) => {
        const value: unknown = overrides[String(key)] ?? Reflect.get(target, key, target);
        return typeof value === 'function' ? value.bind(target) : value;
      },
      set: (target, key, value) => Reflect.set(target, key, value, target),
    });
  }
}
