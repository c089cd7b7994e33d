import { type ContextKeys, evaluateWhen } from './whenClause.ts';

/** A command of the manifest. */
export interface CommandEntry {
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

/** What the manifest contributes to menus, with translated texts. */
export interface MenuContributions {
  readonly commands: readonly CommandEntry[];
  readonly menus: Readonly<Record<string, readonly MenuEntry[]>>;
  readonly submenus: readonly { readonly id: string; readonly label: string }[];
}

/** An item of a menu as the editor shows it. */
export interface MenuItem {
  readonly label: string;
  readonly group: string;
  readonly command?: string;
  /** The items of a submenu. */
  readonly items?: readonly MenuItem[];
}

/**
 * Returns the items of a menu in the editor's order, without inline actions. As in the editor, a submenu is hidden if
 * all of its items are.
 */
export function getMenuItems(
  contributions: MenuContributions,
  menu: string,
  keys: ContextKeys,
): readonly MenuItem[] {
  return (contributions.menus[menu] ?? [])
    .filter(({ when, group }) => !isInline(group) && evaluateWhen(when, keys))
    .toSorted((a, b) => compareGroups(a.group, b.group))
    .map(({ command, submenu, group = '' }): MenuItem => {
      const [groupName = ''] = group.split('@');
      return submenu === undefined
        ? {
            label: contributions.commands.find((entry) => entry.command === command)?.title ?? '',
            group: groupName,
            ...(command === undefined ? {} : { command }),
          }
        : {
            label: contributions.submenus.find(({ id }) => id === submenu)?.label ?? '',
            group: groupName,
            items: getMenuItems(contributions, submenu, keys),
          };
    })
    .filter(({ items }) => items === undefined || items.length > 0);
}

/** Returns the commands that the palette offers. */
export function getPaletteCommands(
  { commands, menus }: MenuContributions,
  keys: ContextKeys,
): readonly CommandEntry[] {
  const hiddenCommands = new Set(
    (menus['commandPalette'] ?? [])
      .filter(({ when }) => !evaluateWhen(when, keys))
      .map(({ command }) => command),
  );
  return commands.filter(
    ({ command, enablement }) => !hiddenCommands.has(command) && evaluateWhen(enablement, keys),
  );
}

const isInline = (group = ''): boolean => group === 'inline' || group.startsWith('inline@');

/** `navigation` is first, then the groups by name; `@n` orders within a group. */
function compareGroups(a = '', b = ''): number {
  const [groupA = '', orderA = '0'] = a.split('@');
  const [groupB = '', orderB = '0'] = b.split('@');
  const getRank = (group: string): string => (group === 'navigation' ? '' : group);
  return getRank(groupA).localeCompare(getRank(groupB)) || Number(orderA) - Number(orderB);
}
