import { afterAll, beforeAll, expect, test, vi } from 'vitest';
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
  const entry = { operation: { connectionId: 'c', writes: [], ...operation } as unknown as Operation };
  return `${labels.getEntryLabel(entry)}: ${labels.describeAction(entry)}`;
};

const ruleWrites = [{ endpoint: 'extractRules.delete' }] as unknown as Operation['writes'];

test('a row begins with the name of what was changed, and says what was done', () => {
  const subject = { name: 'Orders', within: ['Retail'] };
  expect(describeRow({ cause: 'delete', subject })).toBe('Orders: deleted');
  expect(describeRow({ cause: 'apply', subject: { name: 'analytics', within: ['test'] } })).toBe(
    'analytics: applied',
  );
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
