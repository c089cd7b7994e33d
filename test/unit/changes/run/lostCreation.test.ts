import { expect, test } from 'vitest';
import { getObjects, getText } from '../../../../src/changes/model/readJson.ts';
import { loadWriteKind } from '../../../../src/changes/endpoints/writeKinds.ts';
import { DocumentReader } from '../../../../src/changes/model/documentReader.ts';
import { createDataset } from '../../../../src/changes/model/datasetWrites.ts';
import { createRelation } from '../../../../src/changes/model/relationWrites.ts';
import { StoppedError } from '../../../../src/changes/run/writeErrors.ts';
import { createSeedOid } from '../../../../src/sandbox/seeds/seedIds.ts';
import { Bench, connectionId, failure, type Loss } from './support.ts';

const datamodelId = createSeedOid('Retail');
const place = { connectionId, within: ['Retail'] };

const first = async (bench: Bench, list: 'relations' | 'datasets') => {
  const [one = {}] = getObjects((await bench.object({ kind: 'datamodel', datamodelId }))[list]);
  return one;
};

/** Relations have no names, and a second one may join the same columns. */
const again = async (bench: Bench) => {
  const ends = getObjects((await first(bench, 'relations'))['columns']).map(({ dataset, table, column }) => ({
    dataset: getText(dataset),
    table: getText(table),
    column: getText(column),
  }));
  return createRelation(place, datamodelId, ends, 'Once more');
};

const losing = (bench: Bench, ...losses: Loss[]) => {
  bench.lose = () => losses.shift();
};

test('a relation whose request never arrived is not confused with one that existed before', async () => {
  using bench = new Bench();
  const operation = await again(bench);
  losing(bench, 'request');
  const { writer } = bench.open();
  const stopped = await failure(writer.run(operation));
  expect(stopped).toBeInstanceOf(StoppedError);
  expect(stopped).toMatchObject({ changedNothing: true });
});

test('a relation whose response was lost is distinguished from the one that existed before', async () => {
  using bench = new Bench();
  const old = getText((await first(bench, 'relations'))['oid']);
  const operation = await again(bench);
  losing(bench, 'answer');
  const { writer } = bench.open();
  const { writes } = await writer.run(operation);
  expect(writes).toMatchObject([{ state: 'done', answer: { oid: expect.any(String) } }]);
  expect(writes).not.toMatchObject([{ answer: { oid: old } }]);
});

test('a dataset that had the name before is not taken for the new one', async () => {
  using bench = new Bench();
  const { name } = await first(bench, 'datasets');
  losing(bench, 'request');
  const { writer } = bench.open();
  const operation = createDataset(place, datamodelId, { name: getText(name), type: 'custom' });
  expect(await failure(writer.run(operation))).toMatchObject({ changedNothing: true });
});

test('a list with an item that has no ID does not prevent creating another', async () => {
  using bench = new Bench();
  const { name } = await first(bench, 'datasets');
  const reader = new DocumentReader(bench.client);
  const [write] = createDataset(place, datamodelId, { name: getText(name), type: 'custom' }).writes;
  const nameless = {
    readList: () => Promise.resolve([{ name: getText(name) }]),
  } as unknown as DocumentReader;
  expect(write && (await (await loadWriteKind(write)).readBefore(write, nameless))).toEqual([]);
  expect(write && (await (await loadWriteKind(write)).readBefore(write, reader))).toMatchObject([
    { ref: { kind: 'dataset' } },
  ]);
});
