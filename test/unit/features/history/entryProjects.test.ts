import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { HistoryEntry } from '../../../../src/changes/journal/entry.ts';
import { EntryProjects } from '../../../../src/features/history/entryProjects.ts';

let folder = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'entry-projects-'));
  mkdirSync(join(folder, 'environments'));
});

afterEach(() => rmSync(folder, { recursive: true }));

const createEntry = (id: string, undoneEntryId?: string): HistoryEntry =>
  ({
    id,
    operation: {
      subject: { name: 'analytics', within: ['test'] },
      ...(undoneEntryId === undefined ? { project: { folder, environment: 'test' } } : {}),
    },
    undoneEntryId,
  }) as unknown as HistoryEntry;

const addEnvironment = (name: string): void =>
  writeFileSync(
    join(folder, 'environments', `${name}.json`),
    JSON.stringify({ url: `https://${name}.example.com`, role: 'staging' }),
  );

test('the environment of an apply, and of what undoes it, is named only if the project has several', async () => {
  const entries = [createEntry('again', 'undo'), createEntry('undo', 'apply'), createEntry('apply')];
  const find = () => {
    const projects = new EntryProjects(entries);
    return Promise.all(entries.map((entry) => projects.find(entry)));
  };
  addEnvironment('test');
  expect(await find()).toEqual(entries.map(() => ({ name: 'analytics' })));
  addEnvironment('production');
  expect(await find()).toEqual(entries.map(() => ({ name: 'analytics', environment: 'test' })));
});

test('a change that was not made from a project has no project, and an apply of a deleted folder has no environment', async () => {
  const save = { id: 's', operation: { subject: { name: 'Orders', within: [] } } } as unknown as HistoryEntry;
  const apply = { ...createEntry('apply'), operation: { ...createEntry('apply').operation } };
  const applyOfDeletedFolder = {
    ...apply,
    operation: {
      ...apply.operation,
      project: { folder: join(folder, 'applyOfDeletedFolder'), environment: 'test' },
    },
  };
  const projects = new EntryProjects([save, applyOfDeletedFolder]);
  expect(await projects.find(save)).toBeUndefined();
  expect(await projects.find(applyOfDeletedFolder)).toEqual({ name: 'analytics' });
});
