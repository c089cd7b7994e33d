import { expect, test } from 'vitest';
import { describeRuleDifferences } from '../../../src/cli/importOutput.ts';

const createRule = (column: string) => ({ table: 'Orders', column, members: ['a'], shares: [] });

test('the result of an import names the columns whose rules differ from what was sent, each once', () => {
  expect(describeRuleDifferences({ adds: [], deletes: [] })).toBeUndefined();
  expect(describeRuleDifferences({ adds: [createRule('Status')], deletes: [] })).toBe(
    'Done, but 1 rule on the server differs from what was sent: Orders.Status.',
  );
  expect(
    describeRuleDifferences({
      adds: [createRule('Status'), createRule('Channel')],
      deletes: [{ rule: createRule('Status'), index: 0 }],
    }),
  ).toBe('Done, but 3 rules on the server differ from what was sent: Orders.Channel and Orders.Status.');
});

test('it names ten columns, and counts the others', () => {
  const adds = Array.from({ length: 12 }, (_none, index) => createRule(`C${index + 10}`));
  expect(describeRuleDifferences({ adds, deletes: [] })).toMatch(
    /: Orders\.C10, .*Orders\.C19, and 2 more\.$/,
  );
});
