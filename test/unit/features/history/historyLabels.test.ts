import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { HistoryEntry } from '../../../../src/changes/journal/entry.ts';
import type { Operation } from '../../../../src/changes/model/operation.ts';
import { MemoryLog } from '../../../fakes/memoryLog.ts';

const loadModule = () => import('../../../../src/features/history/historyLabels.ts');
let labels: Awaited<ReturnType<typeof loadModule>>;

beforeAll(async () => {
  vi.resetModules();
  vi.doMock('vscode', () => ({
    env: { language: 'en' },
    l10n: { t: (text: string, ...args: readonly string[]) => text.replace('{0}', args[0] ?? '') },
  }));
  labels = await loadModule();
});

afterAll(() => {
  vi.doUnmock('vscode');
  vi.resetModules();
});

const createEntry = (name: string, time: Date, writes: Operation['writes'] = []): HistoryEntry =>
  ({
    id: name,
    startedAt: time.getTime(),
    operation: { connectionId: 'c', cause: 'save', subject: { name, within: [] }, writes },
    before: [],
    writes: [],
    after: [],
  }) as unknown as HistoryEntry;

describe('the times of entries', () => {
  const format = (entries: readonly HistoryEntry[], now: Date): readonly string[] =>
    labels.formatEntryTimes(entries, now.getTime()).map((text) => text.replaceAll('\u202F', ' '));

  test('have a date, so that they stay right after midnight', () => {
    const entries = [
      createEntry('A', new Date(2026, 10, 30, 23, 59, 58)),
      createEntry('B', new Date(2026, 10, 29, 8, 5)),
    ];
    const texts = ['Nov 30, 11:59 PM', 'Nov 29, 8:05 AM'];
    expect(format(entries, new Date(2026, 10, 30, 23, 59, 59))).toEqual(texts);
    expect(format(entries, new Date(2026, 11, 1))).toEqual(texts);
  });

  test('have the year if that is not the current one', () => {
    const entries = [createEntry('A', new Date(2025, 11, 31, 12, 0))];
    expect(format(entries, new Date(2026, 0, 1))).toEqual(['Dec 31, 2025, 12:00 PM']);
  });

  test('have seconds if entries with the same title have the same minute, in linear time', () => {
    const createEntries = (name: string) => [
      createEntry(name, new Date(2026, 10, 30, 9, 1, 2)),
      createEntry(name, new Date(2026, 10, 30, 9, 1, 3)),
      createEntry(name, new Date(2026, 10, 30, 9, 2)),
    ];
    const now = new Date(2026, 10, 30, 10);
    const texts = ['Nov 30, 9:01:02 AM', 'Nov 30, 9:01:03 AM', 'Nov 30, 9:02 AM'];
    expect(format([...createEntries('A'), createEntry('B', new Date(2026, 10, 30, 9, 1))], now)).toEqual([
      ...texts,
      'Nov 30, 9:01 AM',
    ]);
    const many = Array.from({ length: 20_000 }, (_item, index) => createEntries(`${index}`)).flat();
    expect(format(many, now).slice(-3)).toEqual(texts);
  });
});

test('if what an entry has changed cannot be determined, its row has no parts, and the log says why', async () => {
  const log = new MemoryLog();
  const entry = createEntry('A', new Date(2026, 10, 30), [
    {
      endpoint: 'tables.update',
      params: {},
      body: {},
      target: null,
    } as unknown as Operation['writes'][number],
  ]);
  expect(await labels.loadChangedParts(entry, log)).toEqual({ names: [], isComplete: true });
  expect(log.text).toContain('could not be determined');
});
