import { expect, test } from 'vitest';
import { changeManyRules } from '../../../../src/changes/operations/ruleActions.ts';
import { type JsonObject, type JsonValue, isJsonObject } from '../../../../src/base/json.ts';
import { readRenameState } from '../../../../src/changes/plan/readRenameState.ts';
import { createSeedOid } from '../../../../src/sandbox/seeds/seedIds.ts';
import { createDataset } from '../../../../src/changes/model/datasetWrites.ts';
import { apply } from '../journal/apply.ts';
import { Bench, connectionId, type Loss } from './support.ts';

const subject = { kind: 'extract', server: 'LocalHost', elasticube: 'Retail' } as const;

const objectsIn = (list: JsonValue | undefined): readonly JsonObject[] =>
  Array.isArray(list) ? (list as readonly JsonValue[]).filter(isJsonObject) : [];

test('rules that are returned in an object with their count are found, changed and restored by undo', async () => {
  using bench = new Bench();
  const plain = objectsIn(await bench.read({ kind: 'rules', subject }));
  bench.envelop = (line) => line === 'GET /api/elasticubes/LocalHost/Retail/datasecurity';
  const rules = async () => objectsIn(await bench.read({ kind: 'rules', subject }));
  expect(await rules()).toEqual(plain);
  expect(await readRenameState(bench.client, createSeedOid('Retail'))).toMatchObject({ rules: plain });

  const { writer, history } = bench.open();
  const [rule = {}] = plain;
  const deletes = [{ index: 0, rule }];
  await apply(writer, changeManyRules({ connectionId, within: [] }, subject, { adds: [], deletes }));
  expect(await rules()).toHaveLength(plain.length - 1);
  const [entry] = await history.readEntries(connectionId);
  if (entry === undefined) {
    throw new Error('Nothing was written down');
  }
  const back = await writer.planUndo(entry);
  await apply(writer, back.operation, { expect: back.expect, undoes: entry.id, moved: back.moved });
  expect(await rules()).toHaveLength(plain.length);
});

test('a created rule is found in such a list after a lost response', async () => {
  using bench = new Bench();
  const datamodelId = createSeedOid('Retail');
  bench.envelop = (line) => line.startsWith('GET') && line.endsWith('/datasets');
  const left: Loss[] = ['answer'];
  bench.lose = () => left.shift();
  const { writer } = bench.open();
  const place = { connectionId, within: ['Retail'] };
  const report = await writer.run(createDataset(place, datamodelId, { name: 'More', type: 'custom' }));
  expect(report.writes).toMatchObject([{ state: 'done', answer: { name: 'More' } }]);
});
