import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { getMenuItems, getPaletteCommands, type MenuContributions, type MenuItem } from '../support/menus.ts';
import { evaluateWhen } from '../support/whenClause.ts';

/** The menus of the manifest, as VS Code shows them for every kind of row in each of its states. */
const root = join(import.meta.dirname, '../..');
const texts: Readonly<Record<string, string>> = JSON.parse(
  readFileSync(join(root, 'package.nls.json'), 'utf8'),
);
const manifestText = readFileSync(join(root, 'package.json'), 'utf8');
const contributes: MenuContributions & {
  readonly keybindings: readonly { readonly command: string }[];
} = JSON.parse(
  manifestText.replaceAll(/"%([\w.-]+)%"/g, (_, key: string) => JSON.stringify(texts[key])),
).contributes;

/** Returns all combinations of one part of each list, joined. */
const combine = (...lists: readonly (readonly string[])[]): readonly string[] =>
  lists.reduce((starts, parts) => starts.flatMap((start) => parts.map((part) => `${start}${part}`)), ['']);

/** The rows of each view: the values of `viewItem` in all states. */
const rows: Readonly<Record<string, readonly string[]>> = {
  'datamodelStudio.explorer': [
    'connection.sandbox',
    ...combine(['connection.remote'], ['', '.locked', '.unlocked'], ['.signed-in', '.signed-out']),
    'pins',
    'datamodels',
    ...combine(['datamodel'], ['.extract', '.live'], ['', '.pinned'], ['', '.link'], ['', '.building']),
    ...combine(['dataset'], ['.extract', '.live', '.custom', '.unknown']),
    ...combine(['table'], ['.base', '.custom', '.unknown'], ['', '.pinned'], ['', '.hidden'], ['', '.live']),
    ...combine(['column'], ['', '.custom'], ['', '.hidden']),
    'relations',
    'relation',
    'rules',
    'ruleColumn',
    'rule',
    'cubeSets',
    'cubeSet',
    'viewpoints',
    'viewpointGroup',
    ...combine(['viewpoint'], ['.published', '.unpublished'], ['', '.link']),
    'customData',
    'customDataObject',
    'builds',
    ...combine(['build'], ['.running', '.done', '.failed', '.cancelled', '.gone']),
    ...combine(['error'], ['.signed-out', '.stopped', '.offline', '.not-offered', '.not-allowed', '.error']),
    'unreadable',
    'note',
    'more',
    'chunk',
  ],
  'datamodelStudio.builds': [
    'connection',
    ...combine(
      ['build'],
      ['.running', '.done', '.failed', '.cancelled', '.gone'],
      ['', '.model'],
      ['', '.table'],
    ),
  ],
  'datamodelStudio.history': [
    'historyConnection',
    ...combine(['historyEntry'], ['.done', '.over', '.unfinished']),
    'historyDocument',
    'historyWrite',
  ],
};

const menus = Object.entries(rows).flatMap(([view, viewItems]) =>
  viewItems.map((viewItem) => ({
    viewItem,
    items: getMenuItems(contributes, 'view/item/context', { view, viewItem }),
  })),
);

const getCommands = (items: readonly MenuItem[]): readonly string[] =>
  items.flatMap(({ command, items: nested = [] }) => [
    ...(command === undefined ? [] : [command]),
    ...getCommands(nested),
  ]);

const getLabels = (items: readonly MenuItem[]): readonly string[] => items.map(({ label }) => label);

const createVerbTest = (verbs: RegExp) => (label: string) => verbs.test(label);
const isOpening = createVerbTest(/^Open\b/);
const isDeleting = createVerbTest(/^(?:Delete|Remove)\b/);

test('the rows in this file are those of the trees', () => {
  const sources = ['explorer/nodes', 'builds', 'history'].flatMap((folder) => {
    const path = join(root, 'src/features', folder);
    return readdirSync(path).map((name) => readFileSync(join(path, name), 'utf8'));
  });
  const contextValues = sources.flatMap((text) =>
    [...text.matchAll(/contextValue =\s+'([^']+)'/g)].map(([, value]) => value ?? ''),
  );
  const known = Object.values(rows).flat();
  expect(contextValues.length).toBeGreaterThan(15);
  expect(contextValues.filter((value) => !known.includes(value))).toEqual([]);
});

describe.each(menus)('the context menu of $viewItem', ({ items }) => {
  const labels = getLabels(items);

  test('has at most 12 items, and so has each submenu', () => {
    expect(items.length).toBeLessThanOrEqual(12);
    for (const { items: nested = [] } of items) {
      expect(nested.length).toBeLessThanOrEqual(12);
    }
  });

  test('begins with what opens the row, and ends with what deletes it', () => {
    const firstOther = labels.findIndex((label) => !isOpening(label));
    const lastOpening = labels.findLastIndex((label) => isOpening(label));
    expect(firstOther === -1 || lastOpening < firstOther).toBe(true);
    const firstDeleting = labels.findIndex(isDeleting);
    expect(firstDeleting === -1 || firstDeleting === labels.length - 1).toBe(true);
  });

  test('has its groups in the order of VS Code', () => {
    const groups = items.map(({ group }) => group);
    expect(groups.filter((group) => !/^(?:navigation|[1-7]_[a-z]+)$/.test(group))).toEqual([]);
    for (const deletingItem of items.filter(({ label }) => isDeleting(label))) {
      expect(deletingItem.group).toBe('7_modification');
    }
  });

  test('has no label twice, no submenu of one item, and none that repeats its name', () => {
    expect(labels).toEqual([...new Set(labels)]);
    for (const { label, items: nested } of items) {
      expect(nested === undefined || nested.length > 1, label).toBe(true);
      expect(getLabels(nested ?? []).filter((inner) => inner.startsWith(`${label} `))).toEqual([]);
    }
  });
});

describe('with several rows selected', () => {
  const view = 'datamodelStudio.explorer';
  const getShownItems = (viewItem: string) =>
    getMenuItems(contributes, 'view/item/context', { view, viewItem, listMultiSelection: true });

  test('menus have only what applies to all of them', () => {
    const commands = new Set((rows[view] ?? []).flatMap((viewItem) => getCommands(getShownItems(viewItem))));
    expect([...commands].map((command) => command.replace('datamodelStudio.', '')).toSorted()).toEqual([
      'explorer.copyId',
      'explorer.copyLink',
      'explorer.copyName',
      'explorer.copyPath',
      'explorer.copyReference',
      'explorer.open',
      'explorer.openExpression',
      'explorer.openJson',
      'explorer.pin',
      'explorer.unpin',
      'forms.addColumns',
      'resources.delete',
      'resources.hide',
      'resources.unhide',
      'viewpoints.publish',
      'viewpoints.unpublish',
    ]);
  });

  test.each([
    ['table.base', ['Open as JSON', 'Edit', 'Add to Open Viewpoint', 'Copy', 'Pin', 'Delete…']],
    ['viewpoint.published', ['Open', 'Open as JSON', 'Unpublish', 'Copy', 'Delete…']],
    ['connection.sandbox', []],
  ])('the menu of %s has the items %j', (viewItem, labels) => {
    expect(getLabels(getShownItems(viewItem))).toEqual(labels);
  });
});

test('tables of live datamodels have no build settings', () => {
  const hasBuildSettings = (viewItem: string): boolean =>
    getCommands(
      getMenuItems(contributes, 'view/item/context', { view: 'datamodelStudio.explorer', viewItem }),
    ).includes('datamodelStudio.resources.buildBehaviour');
  expect(hasBuildSettings('table.base.pinned')).toBe(true);
  expect(hasBuildSettings('table.base.pinned.hidden.live')).toBe(false);
});

test('the common menus stay short', () => {
  const getMaximum = (pattern: RegExp): number =>
    Math.max(...menus.filter(({ viewItem }) => pattern.test(viewItem)).map(({ items }) => items.length));
  expect(getMaximum(/^datamodel\.(?!.*\.link)/)).toBeLessThanOrEqual(11);
  expect(getMaximum(/^table\./)).toBeLessThanOrEqual(12);
  expect(getMaximum(/^column/)).toBeLessThanOrEqual(10);
  expect(getMaximum(/^connection\./)).toBeLessThanOrEqual(11);
});

test('every submenu is used, and every item of it is shown for some row', () => {
  const shown = new Set(menus.flatMap(({ items }) => getCommands(items)));
  const getSubmenus = (menu: string) => contributes.menus[menu]?.map(({ submenu }) => submenu) ?? [];
  const usedSubmenus = new Set(getSubmenus('view/item/context'));
  const fileSubmenus = new Set(getSubmenus('explorer/context'));
  for (const { id } of contributes.submenus.filter((submenu) => !fileSubmenus.has(submenu.id))) {
    expect(usedSubmenus.has(id), id).toBe(true);
    expect(contributes.menus[id]?.filter(({ command = '' }) => !shown.has(command))).toEqual([]);
  }
});

/** Commands that only rows and pages run, because they need arguments. */
const internalCommands: readonly string[] = ['explorer.loadMore', 'explorer.openRow', 'jsonViews.open'];

test('every command is in a menu, in the palette, or has a key', () => {
  const isAlwaysHidden = (when: string | undefined): boolean => when === 'false';
  const hiddenCommands = new Set(
    contributes.menus['commandPalette']
      ?.filter(({ when }) => isAlwaysHidden(when))
      .map(({ command }) => command),
  );
  const offeredCommands = new Set([
    ...contributes.commands.map(({ command }) => command).filter((command) => !hiddenCommands.has(command)),
    ...menus.flatMap(({ items }) => getCommands(items)),
    ...Object.entries(contributes.menus)
      .filter(
        ([menu]) => /^(?:view|editor|webview|explorer|scm)\//.test(menu) && menu !== 'view/item/context',
      )
      .flatMap(([, entries]) => entries.map(({ command = '' }) => command)),
    ...contributes.keybindings.map(({ command }) => command),
  ]);
  const missing = contributes.commands
    .map(({ command }) => command.replace('datamodelStudio.', ''))
    .filter((command) => !offeredCommands.has(`datamodelStudio.${command}`));
  expect(missing.toSorted()).toEqual(internalCommands.toSorted());
});

describe('the palette', () => {
  const shown = getPaletteCommands(contributes, {
    'datamodelStudio.explorer.filtered': true,
    'datamodelStudio.sql.onSandbox': true,
  });

  test('has only titles that name what the command applies to', () => {
    expect(shown.length).toBeGreaterThan(40);
    const vagueTitles = shown
      .map(({ title }) => title)
      .filter((title) => /^\w+(?: with| To)?…?$/i.test(title));
    expect(vagueTitles).toEqual([]);
  });

  test('has each title once', () => {
    const titles = shown.map(({ title }) => title);
    expect(titles.filter((title, index) => titles.indexOf(title) !== index)).toEqual([]);
  });
});

/** The labels of the menu of a row in the Source Control view, and of its buttons. */
const getSourceControlRow = (scmResourceState: string, isWorkspaceTrusted = true) => {
  const keys = { scmProvider: 'datamodelStudio', scmResourceState, isWorkspaceTrusted };
  const menu = 'scm/resourceState/context';
  const buttons = (contributes.menus[menu] ?? [])
    .filter(({ group = '', when }) => group.startsWith('inline') && evaluateWhen(when, keys))
    .toSorted((a, b) => (a.group ?? '').localeCompare(b.group ?? ''))
    .map(({ command }) => contributes.commands.find((entry) => entry.command === command)?.title);
  return { menu: getMenuItems(contributes, menu, keys).map(({ label }) => label), buttons };
};

test.each(['here', 'server', 'both', 'differs'])('a file of the group %s can be opened', (group) => {
  const changes = ['Compare with Server', 'Pull', 'Plan…', 'Apply…'];
  expect(getSourceControlRow(group)).toEqual({ menu: ['Open File', ...changes], buttons: ['Open File'] });
  expect(getSourceControlRow(group, false)).toEqual({ menu: ['Open File'], buttons: ['Open File'] });
  // The project has no file for an item that was deleted here or added on the server.
  expect(getSourceControlRow(`${group}.noFile`)).toEqual({ menu: changes, buttons: [] });
});

test('conflicts of files are resolved from their rows, and a row without a file has no command to open it', () => {
  const changes = ['Resolve Conflicts…', 'Compare with Server', 'Pull', 'Plan…', 'Apply…'];
  expect(getSourceControlRow('conflict')).toEqual({
    menu: ['Open File', ...changes],
    buttons: ['Resolve Conflicts…', 'Open File'],
  });
  expect(getSourceControlRow('conflict.noFile')).toEqual({ menu: changes, buttons: ['Resolve Conflicts…'] });
  expect(getSourceControlRow('unknown')).toEqual({ menu: ['Open File'], buttons: ['Open File'] });
  expect(getSourceControlRow('uncompared')).toEqual({ menu: ['Refresh'], buttons: ['Refresh'] });
  expect(getSourceControlRow('loading')).toEqual({ menu: [], buttons: [] });
});
