import { expect, test } from 'vitest';
import { restoreRelation } from '../../../../src/changes/endpoints/restoreRelation.ts';
import { UndoWrites } from '../../../../src/changes/model/undoWrites.ts';
import { createSeedOid } from '../../../../src/sandbox/seeds/seedIds.ts';
import { runApproved } from '../journal/runApproved.ts';
import { ChangeFixture, connectionId, createOperation } from '../run/support.ts';

test('a deleted dataset is created again with its database and its schema', async () => {
  using fixture = new ChangeFixture();
  const datamodelId = createSeedOid('Retail');
  const { value } = await fixture.client.datasets.create(
    { datamodelId },
    {
      name: 'Source',
      type: 'extract',
      connection: { provider: 'CSV' },
      database: 'shop',
      schemaName: 'public',
    },
  );
  const ids = { datamodelId, datasetId: value?.oid ?? '' };
  const { writer, history } = fixture.open();
  const deletion = { endpoint: 'datasets.delete', params: ids, target: { kind: 'dataset', ...ids } } as const;
  await runApproved(writer, createOperation([deletion]));
  const [entry] = await history.readEntries(connectionId);
  const undo = entry && (await writer.planUndo(entry));
  expect(undo?.operation.writes[0]?.body).toMatchObject({
    name: 'Source',
    database: 'shop',
    schemaName: 'public',
  });
});

test('the ends of a deleted relation keep fields that the guide does not describe', () => {
  const undoWrites = new UndoWrites([]);
  const createEnd = (name: string) => ({ dataset: 'd', table: 't', column: name, role: `${name} side` });
  const columns = [createEnd('a'), { ...createEnd('b'), isDropped: false }];
  restoreRelation(
    'm',
    { oid: 'r', type: 'server', columns },
    { name: 'a – b', model: undefined },
    undoWrites,
  );
  expect(undoWrites.writes).toMatchObject([{ endpoint: 'relations.create' }]);
  expect(undoWrites.writes[0]?.body).toEqual({ columns: [createEnd('a'), createEnd('b')] });
});
