import { expect, test, vi } from 'vitest';
import { getObjects, getText } from '../../../../src/changes/model/jsonMembers.ts';
import { loadWriteKind } from '../../../../src/changes/endpoints/writeKinds.ts';
import { DocumentReader } from '../../../../src/changes/model/documentReader.ts';
import { createDatasetCreationOperation } from '../../../../src/changes/model/datasetWrites.ts';
import { createRelationCreationOperation } from '../../../../src/changes/model/relationWrites.ts';
import { StoppedError } from '../../../../src/changes/run/writeErrors.ts';
import { createSeedOid } from '../../../../src/sandbox/seeds/seedIds.ts';
import { ChangeFixture, connectionId, getFailure, type WriteFault } from './support.ts';
import { expectDefined } from '../../../support/expectations.ts';

const datamodelId = createSeedOid('Retail');
const location = { connectionId, within: ['Retail'] };

const getFirst = async (fixture: ChangeFixture, list: 'relations' | 'datasets') => {
  const [item = {}] = getObjects((await fixture.readObject({ kind: 'datamodel', datamodelId }))[list]);
  return item;
};

/** Relations have no names, and a second one may join the same columns. */
const createSameRelation = async (fixture: ChangeFixture) => {
  const joinedColumns = getObjects((await getFirst(fixture, 'relations'))['columns']).map(
    ({ dataset, table, column }) => ({
      dataset: getText(dataset),
      table: getText(table),
      column: getText(column),
    }),
  );
  return createRelationCreationOperation(location, datamodelId, joinedColumns, 'Once more');
};

const setLosses = (fixture: ChangeFixture, ...losses: WriteFault[]) => {
  fixture.getWriteFault = () => losses.shift();
};

test('a relation whose request never arrived is not confused with one that existed before', async () => {
  using fixture = new ChangeFixture();
  const operation = await createSameRelation(fixture);
  setLosses(fixture, 'request-lost');
  const { writer } = fixture.open();
  const stopped = await getFailure(writer.run(operation));
  expect(stopped).toBeInstanceOf(StoppedError);
  expect(stopped).toMatchObject({ changedNothing: true });
});

test('a relation whose response was lost is distinguished from the one that existed before', async () => {
  using fixture = new ChangeFixture();
  const oldId = getText((await getFirst(fixture, 'relations'))['oid']);
  const operation = await createSameRelation(fixture);
  setLosses(fixture, 'response-lost');
  const { writer } = fixture.open();
  const { writeStates } = await writer.run(operation);
  expect(writeStates).toMatchObject([{ state: 'done', answer: { oid: expect.any(String) } }]);
  expect(writeStates).not.toMatchObject([{ answer: { oid: oldId } }]);
});

test('a dataset that had the name before is not taken for the new one', async () => {
  using fixture = new ChangeFixture();
  const { name } = await getFirst(fixture, 'datasets');
  setLosses(fixture, 'request-lost');
  const { writer } = fixture.open();
  const operation = createDatasetCreationOperation(location, datamodelId, {
    name: getText(name),
    type: 'custom',
  });
  expect(await getFailure(writer.run(operation))).toMatchObject({ changedNothing: true });
});

test('an item without an ID in the list does not prevent a creation', async () => {
  using fixture = new ChangeFixture();
  const { name } = await getFirst(fixture, 'datasets');
  const reader = new DocumentReader(fixture.client);
  const [write] = createDatasetCreationOperation(location, datamodelId, {
    name: getText(name),
    type: 'custom',
  }).writes;
  const kind = await loadWriteKind(expectDefined(write));
  vi.spyOn(reader, 'readList').mockResolvedValueOnce([{ name: getText(name) }]);
  expect(await kind.readBefore(expectDefined(write), reader)).toEqual([]);
  expect(await kind.readBefore(expectDefined(write), reader)).toMatchObject([{ ref: { kind: 'dataset' } }]);
});
