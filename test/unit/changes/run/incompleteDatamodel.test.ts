import { expect, test } from 'vitest';
import type { Write } from '../../../../src/changes/model/operation.ts';
import { createSeedOid } from '../../../../src/sandbox/seeds/seedIds.ts';
import { expectDefined } from '../../../support/expectations.ts';
import { ChangeFixture, connectionId, createOperation, createTableRef, getIds } from './support.ts';

const datamodelRef = { kind: 'datamodel', datamodelId: createSeedOid('Retail') } as const;
const tableRef = createTableRef('Orders');

/** Runs a deletion and undoes it; returns how often the undo sends each kind of write. */
async function countUndoWrites(fixture: ChangeFixture, deletion: Write): Promise<Record<string, number>> {
  const { writer, history } = fixture.open();
  const operation = createOperation([deletion], 'delete');
  const { planHash } = await writer.plan(operation);
  await writer.run(operation, { approval: writer.approve(planHash) });
  const [entry] = await history.readEntries(connectionId);
  const { operation: undo } = await writer.planUndo(expectDefined(entry));
  const groups = Map.groupBy(undo.writes, ({ endpoint }) => endpoint);
  return Object.fromEntries([...groups].map(([endpoint, writes]) => [endpoint, writes.length]));
}

test.each<[string, Write]>([
  ['table', { endpoint: 'tables.delete', params: getIds(tableRef), target: tableRef }],
  ['datamodel', { endpoint: 'datamodels.delete', params: getIds(datamodelRef), target: datamodelRef }],
])(
  'the undo of a deleted %s restores its contents, even if the instance returns datamodels without their contents',
  async (_kind, deletion) => {
    using completeFixture = new ChangeFixture();
    using incompleteFixture = new ChangeFixture();
    incompleteFixture.omitsContents = true;
    const expected = await countUndoWrites(completeFixture, deletion);
    expect(Object.keys(expected).length).toBeGreaterThan(1);
    expect(await countUndoWrites(incompleteFixture, deletion)).toEqual(expected);
  },
);
