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
