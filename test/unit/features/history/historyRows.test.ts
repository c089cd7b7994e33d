import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { HistoryEntry } from '../../../../src/changes/journal/entry.ts';
import type { Operation } from '../../../../src/changes/model/operation.ts';
import type { ResourceRef } from '../../../../src/catalog/resourceRef.ts';
import { Emitter } from '../../../../src/base/event.ts';
import { toDisposable } from '../../../../src/base/disposable.ts';
import { FakeClock } from '../../../fakes/fakeClock.ts';
import { MemoryLog } from '../../../fakes/memoryLog.ts';

const loadModules = async () => ({
  ...(await import('../../../../src/features/history/historyLabels.ts')),
  ...(await import('../../../../src/features/history/historyTimes.ts')),
  ...(await import('../../../../src/features/history/historyTree.ts')),
});
let labels: Awaited<ReturnType<typeof loadModules>>;
/** Notifies the tree that the window has got or lost the focus. */
let changeFocus = (): void => undefined;

beforeAll(async () => {
  vi.resetModules();
  vi.doMock('vscode', () => ({
    env: { language: 'en' },
    EventEmitter: Emitter,
    TreeItem: class {
      readonly label = '';
    },
    TreeItemCollapsibleState: {},
    ThemeIcon: class {
      readonly id: string;
      constructor(id: string) {
        this.id = id;
      }
    },
    window: {
      onDidChangeWindowState: (listener: () => void) => {
        changeFocus = listener;
        return toDisposable(() => undefined);
      },
    },
    l10n: { t: (text: string, ...args: readonly string[]) => text.replace('{0}', args[0] ?? '') },
  }));
  labels = await loadModules();
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
    writeStates: [],
    after: [],
  }) as unknown as HistoryEntry;

describe('the times of entries', () => {
  const format = (entries: readonly HistoryEntry[], now: Date): readonly string[] =>
    labels.formatEntryTimes(entries, now.getTime()).map((text) => text.replaceAll('\u202F', ' '));

  test('have the date unless that is today', () => {
    const entries = [
      createEntry('A', new Date(2026, 10, 30, 23, 59, 58)),
      createEntry('B', new Date(2026, 10, 29, 8, 5)),
    ];
    expect(format(entries, new Date(2026, 10, 30, 23, 59, 59))).toEqual(['11:59 PM', 'Nov 29, 8:05 AM']);
    expect(format(entries, new Date(2026, 11, 1))).toEqual(['Nov 30, 11:59 PM', 'Nov 29, 8:05 AM']);
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
    const texts = ['9:01:02 AM', '9:01:03 AM', '9:02 AM'];
    expect(format([...createEntries('A'), createEntry('B', new Date(2026, 10, 30, 9, 1))], now)).toEqual([
      ...texts,
      '9:01 AM',
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
  expect(await labels.loadChangedParts(entry, log)).toEqual({ documents: [], names: [], isComplete: true });
  expect(log.text).toContain('could not be determined');
});

describe('the names of the documents of an entry', () => {
  const getName = (ref: ResourceRef, document?: unknown): string =>
    labels.getSnapshotName({ ref, document } as HistoryEntry['before'][number]);
  const subject = { kind: 'extract', server: 'LocalHost', elasticube: 'Retail' } as const;

  test('are their own names, or their kinds if they have none', () => {
    const ref = { kind: 'viewpoint', viewpointId: '1' } as const;
    expect(getName(ref, { name: 'Sales' })).toBe('Sales');
    expect(getName(ref, {})).toBe('viewpoint');
    expect(getName({ kind: 'datamodel', datamodelId: '1' }, { title: 'Retail' })).toBe('Retail');
  });

  test('distinguish the rules of datamodels, columns, and cube sets', () => {
    expect(getName({ kind: 'rules', subject })).toBe('Rules of Retail');
    expect(getName({ kind: 'rules', subject: { kind: 'live', title: 'Desk' } })).toBe('Rules of Desk');
    expect(getName({ kind: 'columnRules', subject, table: 'Orders', column: 'Status' })).toBe(
      'Rules of Retail › Orders.Status',
    );
    expect(getName({ kind: 'rules', subject: { ...subject, server: 'set' } })).toBe(
      'Rules of cube set Retail',
    );
  });
});

describe('the rows of the history', () => {
  const dayMs = 24 * 60 * 60_000;

  /** Shows the rows as the editor does, and counts how often they are shown. */
  async function showRows(clock: FakeClock, entries: readonly HistoryEntry[] = []) {
    const history = {
      readEntries: () => Promise.resolve(entries),
      readUnfinishedEntries: () => Promise.resolve([]),
      onDidChange: () => toDisposable(() => undefined),
    };
    const tree = new labels.HistoryTree({
      connections: { all: [{ id: 'c', name: 'C' }], onDidChange: history.onDidChange },
      changeServices: () => Promise.resolve({ history }),
      clock,
      log: new MemoryLog(),
    } as never);
    let count = 1;
    tree.onDidChangeTreeData(() => {
      count += 1;
      void tree.getChildren();
    });
    await tree.getChildren();
    return { tree, getCount: () => count };
  }

  test('show an undo, what was undone, and other changes with different icons', async () => {
    const createDoneEntry = (name: string, hour: number, cause: string, undoneEntryId?: string) => {
      const entry = createEntry(name, new Date(2026, 10, 30, hour));
      return {
        ...entry,
        operation: { ...entry.operation, cause },
        end: 'done',
        undoneEntryId,
      } as HistoryEntry;
    };
    const { tree } = await showRows(new FakeClock(), [
      createDoneEntry('Undo', 9, 'undo', 'Undone'),
      createDoneEntry('Undone', 8, 'apply'),
      createDoneEntry('Applied', 7, 'apply'),
    ]);
    const rows = await tree.getChildren();
    const items = await Promise.all(rows.map((row) => tree.getTreeItem(row)));
    expect(items.map(({ iconPath }) => iconPath)).toEqual([
      { id: 'history' },
      { id: 'discard' },
      { id: 'edit' },
    ]);
  });

  test('are shown again whenever a day is over, and not after the view is disposed', async () => {
    const clock = new FakeClock();
    const { tree, getCount } = await showRows(clock);
    await clock.advance(dayMs);
    expect(getCount()).toBe(2);
    await clock.advance(dayMs);
    expect(getCount()).toBe(3);
    tree.dispose();
    expect(clock.timerCount).toBe(0);
  });

  test('are shown again when the window gets the focus on another day', async () => {
    const clock = new FakeClock();
    let suspendedMs = 0;
    // While a computer is suspended, its timers stand still.
    const suspended = Object.assign(Object.create(clock) as FakeClock, {
      now: () => clock.now() + suspendedMs,
      schedule: clock.schedule.bind(clock),
    });
    const { tree, getCount } = await showRows(suspended);
    changeFocus();
    expect(getCount()).toBe(1);
    suspendedMs = dayMs;
    changeFocus();
    expect(getCount()).toBe(2);
    tree.dispose();
  });
});
