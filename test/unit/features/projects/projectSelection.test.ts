import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type * as vscode from 'vscode';
import type { ProjectSourceControl } from '../../../../src/features/projects/projectSourceControl.ts';
import type { WorkspaceProjects } from '../../../../src/features/projects/workspaceProjects.ts';

const loadModule = () => import('../../../../src/features/projects/projectSelection.ts');
let resolveProjectSelection: Awaited<ReturnType<typeof loadModule>>['resolveProjectSelection'];
/** The items of the last list. */
let shown: readonly vscode.QuickPickItem[] = [];

beforeAll(async () => {
  vi.resetModules();
  vi.doMock('vscode', () => ({
    l10n: {
      t: (text: string, ...args: readonly string[]) =>
        text.replaceAll(/\{(\d)\}/g, (_, index: string) => args[Number(index)] ?? ''),
    },
    StatusBarAlignment: {},
    TabInputCustom: class {
      readonly uri = undefined;
    },
    window: {
      tabGroups: { activeTabGroup: {} },
      showQuickPick: (items: readonly vscode.QuickPickItem[]) => {
        shown = items;
        return Promise.resolve(items[1]);
      },
    },
    workspace: { asRelativePath: ({ path }: { readonly path: string }) => path },
  }));
  ({ resolveProjectSelection } = await loadModule());
});

afterAll(() => {
  vi.doUnmock('vscode');
  vi.resetModules();
});

test('the list of projects marks an environment that needs care', async () => {
  const createProject = (path: string, name: string, role?: string) =>
    ({ folder: { path }, environment: { name, role } }) as unknown as ProjectSourceControl;
  const shop = createProject('shop', 'live', 'production');
  const projects = {
    refresh: () => Promise.resolve(),
    projectsWithEnvironment: [createProject('desk', 'dev', 'development'), shop],
  } as unknown as WorkspaceProjects;
  expect(await resolveProjectSelection(projects, [])).toEqual({ project: shop, paths: [] });
  expect(shown.map(({ label, description }) => [label, description])).toEqual([
    ['$(folder-library) desk', 'dev'],
    ['$(warning) shop', 'live (production)'],
  ]);
});
