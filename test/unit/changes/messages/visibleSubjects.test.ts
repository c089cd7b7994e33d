import { expect, test } from 'vitest';
import { english } from '../../../../src/base/localize.ts';
import type { JsonObject } from '../../../../src/base/json.ts';
import { summarizeVisibleSubjects } from '../../../../src/changes/messages/visibleSubjects.ts';
import {
  ChangeFixture,
  createOperation,
  createTableRef,
  createTableUpdate,
  getColumns,
} from '../run/support.ts';

/** Returns what a plan says about an update of Orders after another. */
async function summarize(earlier: JsonObject, createUpdate: (columns: readonly JsonObject[]) => JsonObject) {
  using fixture = new ChangeFixture();
  const { writer } = fixture.open();
  await writer.run(createOperation([createTableUpdate('Orders', earlier)]));
  const columns = getColumns(await fixture.read(createTableRef('Orders')));
  const { plan } = await writer.plan(createOperation([createTableUpdate('Orders', createUpdate(columns))]));
  return summarizeVisibleSubjects(plan, english);
}

test('a plan names the columns that it adds, and what it no longer hides', async () => {
  const added = await summarize({ description: 'A' }, (columns) => ({
    columns: [...columns, { name: 'Salary', type: 8, expression: '1' }],
  }));
  expect(added).toEqual(['Newly visible in the rows that rules allow: Orders.Salary.']);
  expect(await summarize({ hidden: true }, () => ({ hidden: false }))).toEqual([
    'Newly visible in the rows that rules allow: Orders.',
  ]);
  expect(await summarize({ hidden: false }, () => ({ hidden: true }))).toEqual([]);
  expect(await summarize({ description: 'A' }, () => ({ description: 'B' }))).toEqual([]);
});
