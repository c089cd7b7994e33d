import { expect, test } from 'vitest';
import type { OperationCause } from '../../../../src/changes/model/operation.ts';
import { createRuleWrites } from '../../../../src/changes/rules/ruleWrites.ts';
import { ChangeFixture, createOperation } from '../run/support.ts';

const subject = { kind: 'extract', server: 'LocalHost', elasticube: 'Cube' } as const;
const createRule = (column: string, party: string) => ({
  table: 'Stores',
  column,
  datatype: 'text',
  members: ['North'],
  allMembers: null,
  shares: [{ type: 'user', party }],
});

/** Plans a change of the rules on several columns; returns the created and deleted rules, those in parentheses unmarked. */
async function planRuleChange(cause: OperationCause) {
  using fixture = new ChangeFixture();
  const { value: rules = [] } = await fixture.client.extractRules.create(subject, [
    createRule('Kept', 'anna'),
    createRule('Halved', 'anna'),
    createRule('Halved', 'ben'),
    createRule('Emptied', 'anna'),
  ]);
  const { plan } = await fixture.open().writer.plan(
    createOperation(
      createRuleWrites(subject, {
        adds: [createRule('Kept', 'ben'), createRule('New', 'ben')],
        updates: [],
        deletes: [2, 3].map((index) => ({ index, rule: { ...rules[index] } })),
      }),
      cause,
    ),
  );
  return [plan.created, plan.deleted].map((list) =>
    list.map(({ name, isPartOfChange }) => (isPartOfChange === true ? name : `(${name})`)),
  );
}

test('an apply changes the rules on a column that had some before and has some afterward', async () => {
  expect(await planRuleChange('apply')).toEqual([
    ['Stores.Kept', '(Stores.New)'],
    ['Stores.Halved', '(Stores.Emptied)'],
  ]);
});

test('other operations create and delete single rules', async () => {
  expect(await planRuleChange('bulk')).toEqual([
    ['(Stores.Kept)', '(Stores.New)'],
    ['(Stores.Halved)', '(Stores.Emptied)'],
  ]);
});
