import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import type * as vscode from 'vscode';

const loadModule = () => import('../../../../src/features/projects/initializeRepository.ts');
let module: Awaited<ReturnType<typeof loadModule>>;
let root = '';
let isTrusted = true;
let isInWorkspace = true;
let commands: readonly string[] = [];
const executed: string[] = [];

beforeAll(async () => {
  vi.resetModules();
  vi.doMock('vscode', () => ({
    l10n: { t: (text: string) => text },
    workspace: {
      getWorkspaceFolder: () => (isInWorkspace ? {} : undefined),
      get isTrusted() {
        return isTrusted;
      },
    },
    commands: {
      getCommands: () => Promise.resolve(commands),
      executeCommand: (command: string) => {
        executed.push(command);
        return Promise.resolve();
      },
    },
  }));
  module = await loadModule();
});

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'repository-'));
  [isTrusted, isInWorkspace, commands] = [true, true, ['git.init']];
  executed.length = 0;
  return () => rmSync(root, { recursive: true });
});

afterAll(() => {
  vi.doUnmock('vscode');
  vi.resetModules();
});

const offer = (folder = root) => module.findRepositoryOffer({ fsPath: folder } as vscode.Uri);

test('a repository is offered for a folder of the workspace that is in no repository', async () => {
  const offered = await offer();
  expect([offered?.label, offered?.note]).toEqual(['Initialize Repository', undefined]);
  await offered?.run();
  expect(executed).toEqual(['git.init']);
  isInWorkspace = false;
  expect(await offer()).toBeUndefined();
});

test('no repository is offered inside another repository, or without Git', async () => {
  mkdirSync(join(root, '.git'));
  mkdirSync(join(root, 'analytics'));
  expect(await offer(join(root, 'analytics'))).toBeUndefined();
  rmSync(join(root, '.git'), { recursive: true });
  commands = [];
  expect(await offer()).toBeUndefined();
});

test('in Restricted Mode, which has no Git, the message says so and leads to the trust of the workspace', async () => {
  [isTrusted, commands] = [false, []];
  const offered = await offer();
  expect(offered?.label).toBe('Manage Workspace Trust');
  expect(offered?.note).toBe(
    "Git isn't available in Restricted Mode. To put the project under version control, trust the workspace, and then run Git: Initialize Repository.",
  );
  await offered?.run();
  expect(executed).toEqual(['workbench.trust.manage']);
});
