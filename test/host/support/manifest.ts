import type * as vscode from 'vscode';
import { type TextMatcher, toExactPattern } from '../../editor/support/textPatterns.ts';
import {
  getMenuItems,
  getPaletteCommands,
  type MenuContributions,
  type MenuItem,
} from '../../support/menus.ts';
import type { ContextKeys } from '../../support/whenClause.ts';

interface Contributions extends MenuContributions {
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
    return getPaletteCommands(this.#contributes, keys).find(
      (entry) => entry.title === title || `${entry.category}: ${entry.title}` === title,
    )?.command;
  }

  /** The labels of a menu in its order, without separators and inline actions. */
  getMenuLabels(menu: string, keys: ContextKeys): readonly string[] {
    return getMenuItems(this.#contributes, menu, keys).map(({ label }) => label);
  }

  /** The command of the menu item at a path of labels, which may lead through submenus. */
  findMenuCommand(menu: string, labels: readonly TextMatcher[], keys: ContextKeys): string | undefined {
    return findCommand(getMenuItems(this.#contributes, menu, keys), labels);
  }
}

function findCommand(items: readonly MenuItem[], labels: readonly TextMatcher[]): string | undefined {
  const [label, ...rest] = labels;
  const pattern = toExactPattern(label ?? '');
  const item = items.find((candidate) => pattern.test(candidate.label));
  return rest.length === 0 ? item?.command : findCommand(item?.items ?? [], rest);
}
