import { expect, test } from 'vitest';
import type { JsonValue } from '../../../../src/base/json.ts';
import { asObject, getObjects, getText } from '../../../../src/changes/model/jsonMembers.ts';
import type { Write } from '../../../../src/changes/model/operation.ts';
import type { Plan } from '../../../../src/changes/model/plan.ts';
import { createViewpointUpdateWrite } from '../../../../src/changes/model/viewpointWrites.ts';
import { expectDefined } from '../../../support/expectations.ts';
import {
  ChangeFixture,
  createOperation,
  createTableRef,
  createTableUpdate,
  getColumns,
} from '../run/support.ts';

const getPlan = async (fixture: ChangeFixture, ...writes: readonly Write[]): Promise<Plan> =>
  (await fixture.open().writer.plan(createOperation(writes, 'apply'))).plan;

const listFields = ({ changed }: Plan): readonly string[] =>
  changed.flatMap(({ name, fields }) => fields.map(({ field, after = '' }) => `${name} ${field}: ${after}`));

async function readPublishedViewpoint(fixture: ChangeFixture) {
  const { value } = await fixture.client.viewpoints.list({ with: ['visibility', 'details'], limit: 1000 });
  const viewpoint = expectDefined(
    getObjects(value.viewpoints as JsonValue).find(({ enabled }) => enabled === true),
  );
  return { id: getText(viewpoint['id']), name: getText(viewpoint['name']), viewpoint };
}

test('a viewpoint that is hidden while something else changes is shown once, with what differs in the end', async () => {
  using fixture = new ChangeFixture();
  const { id, name, viewpoint } = await readPublishedViewpoint(fixture);
  const visibility = asObject(viewpoint['visibility']);
  const update = (body: Parameters<typeof createViewpointUpdateWrite>[1]): Write =>
    createViewpointUpdateWrite({ viewpointId: id }, body);
  const plan = await getPlan(
    fixture,
    update({ enabled: false, visibility: { ...visibility, enabled: false } }),
    createTableUpdate('Orders', { description: 'All orders' }),
    update({ name: 'New name', enabled: true, visibility: { ...visibility, enabled: true } }),
  );
  expect(listFields(plan)).toEqual([`${name} name: New name`, 'Orders description: All orders']);
});

test('a viewpoint that ends as it was is not shown', async () => {
  using fixture = new ChangeFixture();
  const { id, viewpoint } = await readPublishedViewpoint(fixture);
  const update = (enabled: boolean): Write =>
    createViewpointUpdateWrite(
      { viewpointId: id },
      { enabled, visibility: { ...asObject(viewpoint['visibility']), enabled } },
    );
  expect((await getPlan(fixture, update(false), update(true))).changed).toEqual([]);
});

test('columns that a table gets and loses in two writes are shown once', async () => {
  using fixture = new ChangeFixture();
  const columns = getColumns(await fixture.read(createTableRef('Orders')));
  const dropped = getText(columns.at(-1)?.['name']);
  const changedColumns = [
    ...columns.map((column, index) => (index === 0 ? { ...column, hidden: true } : column)),
    { id: 'Extra', name: 'Extra', type: 8 },
  ];
  const plan = await getPlan(
    fixture,
    createTableUpdate('Orders', { description: 'All orders', columns: changedColumns }),
    createTableUpdate('Orders', { columns: changedColumns.filter(({ name }) => name !== dropped) }),
  );
  expect(plan.created.map(({ name }) => name)).toEqual(['Extra']);
  expect(plan.deleted.map(({ name }) => name)).toEqual([dropped]);
  expect(listFields(plan)).toEqual([
    'Orders description: All orders',
    `${getText(columns[0]?.['name'])} hidden: true`,
  ]);
});
