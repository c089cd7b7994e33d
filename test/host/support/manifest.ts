import type * as vscode from 'vscode';
import { type TextMatcher, toExactPattern } from '../../editor/support/text.ts';
import { type ContextKeys, evaluateWhen } from './when.ts';

interface CommandEntry {
  readonly command: string;
  readonly title: string;
  readonly category?: string;
  readonly enablement?: string;
}

interface MenuEntry {
  readonly command?: string;
  readonly submenu?: string;
  readonly when?: string;
  readonly group?: string;
}

interface Contributions {
  readonly commands: readonly CommandEntry[];
  readonly menus: Readonly<Record<string, readonly MenuEntry[]>>;
  readonly submenus: readonly { readonly id: string; readonly label: string }[];
  readonly keybindings: readonly { readonly command: string; readonly key: string }[];
}

/** What the manifest contributes to menus, as the editor has translated it. */
export class Manifest {
  readonly #contributes: Contributions;

  constructor(extension: vscode.Extension<unknown>) {
    this.#contributes = extension.packageJSON.contributes;
  }

  get commandIds(): readonly string[] {
    return this.#contributes.commands.map(({ command }) => command);
  }

  get keybindings(): Contributions['keybindings'] {
    return this.#contributes.keybindings;
  }

  /** The command with a title, with or without its category, if the palette offers it. */
  findInPalette(title: string, keys: ContextKeys): string | undefined {
    const hidden = new Set(
      (this.#contributes.menus['commandPalette'] ?? [])
        .filter(({ when }) => !evaluateWhen(when, keys))
        .map(({ command }) => command),
    );
    return this.#contributes.commands.find(
      (entry) =>
        (entry.title === title || `${entry.category}: ${entry.title}` === title) &&
        !hidden.has(entry.command) &&
        evaluateWhen(entry.enablement, keys),
    )?.command;
  }

  /** The labels of a menu in its order, without separators and inline actions. */
  labels(menu: string, keys: ContextKeys): readonly string[] {
    return this.#entries(menu, keys)
      .filter(({ group }) => !isInline(group))
      .map((entry) => this.#label(entry));
  }

  /** The command behind a path of labels, through submenus. */
  find(menu: string, labels: readonly TextMatcher[], keys: ContextKeys): string | undefined {
    const [label, ...rest] = labels;
    const pattern = toExactPattern(label ?? '');
    const entry = this.#entries(menu, keys).find((candidate) => pattern.test(this.#label(candidate)));
    return rest.length === 0 || entry?.submenu === undefined
      ? entry?.command
      : this.find(entry.submenu, rest, keys);
  }

  #entries(menu: string, keys: ContextKeys): readonly MenuEntry[] {
    return (this.#contributes.menus[menu] ?? [])
      .filter(({ when }) => evaluateWhen(when, keys))
      .toSorted((a, b) => compareGroups(a.group, b.group));
  }

  #label({ command, submenu }: MenuEntry): string {
    return (
      this.#contributes.commands.find((entry) => entry.command === command)?.title ??
      this.#contributes.submenus.find(({ id }) => id === submenu)?.label ??
      ''
    );
  }
}

const isInline = (group = ''): boolean => group === 'inline' || group.startsWith('inline@');

/** `navigation` is first, then the groups by name; `@n` orders within a group. */
function compareGroups(a = '', b = ''): number {
  const [groupA = '', orderA = '0'] = a.split('@');
  const [groupB = '', orderB = '0'] = b.split('@');
  const rank = (group: string): string => (group === 'navigation' ? '' : group);
  return rank(groupA).localeCompare(rank(groupB)) || Number(orderA) - Number(orderB);
}
