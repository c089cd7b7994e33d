import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import type * as vscode from 'vscode';

const loadModule = () => import('../../../../src/features/projects/sourceControlRows.ts');
let rows: Awaited<ReturnType<typeof loadModule>>;
let isTrusted = true;

beforeAll(async () => {
  vi.resetModules();
  vi.doMock('vscode', () => ({
    l10n: { t: (text: string, ...args: readonly string[]) => text.replace('{0}', args[0] ?? '') },
    workspace: {
      get isTrusted() {
        return isTrusted;
      },
    },
  }));
  rows = await loadModule();
});

beforeEach(() => {
  isTrusted = true;
});

afterAll(() => {
  vi.doUnmock('vscode');
  vi.resetModules();
});

const uri = { path: '/shop/environments/dev.json' } as vscode.Uri;

test('a click on the row of an environment that was not compared compares it', () => {
  const row = rows.createUncomparedRow(uri, 'dev', false);
  expect(row.command).toMatchObject({ command: 'datamodelStudio.projects.refresh', arguments: [uri] });
  expect(row.decorations?.tooltip).toBe('Compare with dev');
});

test('in Restricted Mode, it opens the file, as with any other row', () => {
  isTrusted = false;
  const row = rows.createUncomparedRow(uri, 'dev', true);
  expect(row.command).toMatchObject({ command: 'vscode.open', arguments: [uri] });
  expect(row.decorations?.tooltip).toBe(
    'This workspace is in Restricted Mode, so nothing is sent to the instances of its projects.',
  );
});

test('a row says what to do about a deletion on the server, unless a pull brings it in', () => {
  const deleted = { here: 'unchanged', server: 'deleted', isConflict: false, isNeverPulled: false } as const;
  const getTooltip = (item: Parameters<typeof rows.createItemRow>[1]) =>
    rows.createItemRow(uri, item).decorations?.tooltip;
  const table = { datamodel: 'Retail', table: 'Orders' } as const;
  expect(getTooltip({ ...deleted, key: { kind: 'table', ...table }, path: 'Orders.table.json' })).toBe(
    "Deleted on the server. A pull keeps the item's files, and an apply creates it again. To accept the deletion, delete its files.",
  );
  expect(getTooltip({ ...deleted, key: { kind: 'tableExpression', ...table }, path: 'Orders.sql' })).toBe(
    'Deleted on the server',
  );
});

test('an unchanged file that was not compared says why, and is opened by a click', () => {
  const error = new Error('503');
  const rules = { kind: 'rules', datamodel: 'Retail', table: 'Orders', column: 'Status' } as const;
  const reasons = rows.describeUncomparedFiles(
    [
      { path: 'a', key: rules, isManaged: true },
      { path: 'b', key: { kind: 'viewpoint', viewpoint: 'Sales' }, isManaged: true },
      { path: 'c', key: { kind: 'datamodel', datamodel: 'Retail' }, isManaged: true },
      { path: 'd', key: rules, isManaged: false },
    ],
    [
      { part: { kind: 'viewpoints' }, error },
      { part: { kind: 'rules', datamodel: 'Retail' }, error },
    ],
  );
  const unread = "Unchanged here. Its state on the server is unknown because it couldn't be read.";
  expect([...reasons]).toEqual([
    ['a', `${unread} The rules of Retail: 503`],
    ['b', `${unread} The viewpoints: 503`],
    ['c', expect.stringContaining("in a form that can't be stored in a file, or under a name")],
  ]);
  const row = rows.createUncomparedFileRow(uri, reasons.get('a') ?? '');
  expect(row.command).toMatchObject({ command: 'vscode.open', arguments: [uri] });
});
