import { expect, test } from 'vitest';
import { getTableEffects } from '../../../../src/changes/endpoints/tableEffects.ts';
import { Documents } from '../../../../src/changes/model/snapshot.ts';
import { createTableRef, createTableUpdate } from '../run/support.ts';

test('changed columns of a datamodel that could not be read refer to their table instead', () => {
  const target = createTableRef('Orders');
  const keptColumn = { oid: 'kept', name: 'Kept', hidden: false };
  const droppedColumn = { oid: 'dropped', name: 'Dropped', hidden: false };
  const documents = new Documents([
    { ref: target, document: { oid: target.tableId, name: 'Orders', columns: [keptColumn, droppedColumn] } },
  ]);
  const write = createTableUpdate('Orders', {
    hidden: true,
    columns: [{ ...keptColumn, hidden: true }, { name: 'Margin' }],
  });
  const sources = { documents, oldIndex: undefined, newIndex: undefined };
  const { created, changed, deleted } = getTableEffects(write, sources);
  expect(created).toEqual([{ kind: 'column', name: 'Margin', within: ['Orders'] }]);
  expect(changed).toMatchObject([
    { kind: 'table', name: 'Orders', within: [], resource: target, fields: [{ field: 'hidden' }] },
    { kind: 'column', name: 'Kept', within: ['Orders'], resource: target, fields: [{ field: 'hidden' }] },
  ]);
  expect(deleted).toEqual([{ kind: 'column', name: 'Dropped', within: ['Orders'], resource: target }]);
});
