import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { HistoryEntry } from '../../../../src/changes/journal/entry.ts';
import type { EntryDetails } from '../../../../src/features/history/historyLabels.ts';
import type { Operation } from '../../../../src/changes/model/operation.ts';

const loadModule = () => import('../../../../src/features/history/historyLabels.ts');
let labels: Awaited<ReturnType<typeof loadModule>>;

beforeAll(async () => {
  vi.resetModules();
  vi.doMock('vscode', () => ({
    env: { language: 'en' },
    l10n: {
      t: (text: string, ...args: readonly string[]) =>
        text.replaceAll(/\{(\d)\}/g, (_match, index: string) => args[Number(index)] ?? ''),
    },
  }));
  labels = await loadModule();
});

afterAll(() => {
  vi.doUnmock('vscode');
  vi.resetModules();
});

const describeRow = (operation: Partial<Operation>): string => {
  const entry = { operation: { connectionId: 'c', writes: [], ...operation } } as unknown as HistoryEntry;
  const details = { outcome: undefined, time: '', parts: { documents: [], names: [], isComplete: true } };
  return `${labels.getEntryLabel(entry, details)}: ${labels.describeRow(entry, details)}`;
};

const ruleWrites = [{ endpoint: 'extractRules.delete' }] as unknown as Operation['writes'];

test('a row begins with the name of what was changed, and says what was done', () => {
  const subject = { name: 'Orders', within: ['Retail'] };
  expect(describeRow({ cause: 'delete', subject })).toBe('Orders: deleted');
});

describe('a row about the apply of a project', () => {
  const operation = { connectionId: 'c', cause: 'apply', subject: { name: 'analytics', within: ['test'] } };
  const apply = { operation: { ...operation, writes: [] } } as unknown as HistoryEntry;
  const undo = { operation: { ...apply.operation, cause: 'undo' } } as unknown as HistoryEntry;
  const project = { name: 'analytics' };
  const parts = { documents: ['Orders'], names: ['description'], isComplete: true };
  const describeApply = (entry: HistoryEntry, details: Pick<EntryDetails, 'project' | 'parts'>): string =>
    `${labels.getEntryLabel(entry, details)}: ${labels.describeRow(entry, { outcome: undefined, time: '9:00', ...details })}`;

  test('begins with what was changed', () => {
    expect(describeApply(apply, { project, parts })).toBe('Orders: 9:00 · applied · description · analytics');
    expect(describeApply(undo, { project, parts })).toBe('Orders: 9:00 · undo · description · analytics');
    const documents = ['Orders', 'Stores', 'Regions.Region', 'Returns'];
    expect(describeApply(apply, { project, parts: { documents, names: documents, isComplete: true } })).toBe(
      'Orders, Stores, Regions.Region, …: 9:00 · applied · analytics',
    );
    expect(
      describeApply(apply, { project, parts: { documents: ['A'], names: ['A'], isComplete: false } }),
    ).toBe('A, …: 9:00 · applied · analytics');
  });

  test('has the environment if the project has several', () => {
    expect(describeApply(apply, { project: { name: 'analytics', environment: 'test' }, parts })).toBe(
      'Orders: 9:00 · applied · description · analytics (test)',
    );
  });

  test('begins with the project if what was changed has no name', () => {
    const none = { documents: [], names: [], isComplete: true };
    expect(describeApply(apply, { project, parts: none })).toBe('analytics: 9:00 · applied');
  });
});

test('a row about rules is not mistaken for one about their column or their party', () => {
  const column = { name: 'Orders.Status', within: ['Retail'] };
  expect(describeRow({ cause: 'delete', subject: column, writes: ruleWrites })).toBe(
    'Orders.Status: rules deleted',
  );
  const party = { name: 'Sales', within: ['Retail', 'Orders.Status'] };
  expect(describeRow({ cause: 'save', subject: party, writes: ruleWrites })).toBe(
    'Sales on Orders.Status: rules changed',
  );
  expect(describeRow({ cause: 'bulk', subject: { name: 'Retail', within: [] }, writes: ruleWrites })).toBe(
    'Retail: rules changed',
  );
});
