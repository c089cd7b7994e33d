import { expect, test } from 'vitest';
import { createBulkRuleOperation } from '../../../../src/changes/operations/ruleActions.ts';
import { type JsonObject, type JsonValue, isJsonObject } from '../../../../src/base/json.ts';
import { readRenameState } from '../../../../src/changes/plan/readRenameState.ts';
import { createSeedOid } from '../../../../src/sandbox/seeds/seedIds.ts';
import { createDatasetCreationOperation } from '../../../../src/changes/model/datasetWrites.ts';
import { runApproved } from '../journal/runApproved.ts';
import { ChangeFixture, connectionId, type WriteFault } from './support.ts';

const subject = { kind: 'extract', server: 'LocalHost', elasticube: 'Retail' } as const;

const filterObjects = (list: JsonValue | undefined): readonly JsonObject[] =>
  Array.isArray(list) ? (list as readonly JsonValue[]).filter(isJsonObject) : [];

test('rules that are returned in an object with their count are found, changed and restored by undo', async () => {
  using fixture = new ChangeFixture();
  const rulesBefore = filterObjects(await fixture.read({ kind: 'rules', subject }));
  fixture.returnsListInObject = (line) => line === 'GET /api/elasticubes/LocalHost/Retail/datasecurity';
  const readRules = async () => filterObjects(await fixture.read({ kind: 'rules', subject }));
  expect(await readRules()).toEqual(rulesBefore);
  expect(await readRenameState(fixture.client, createSeedOid('Retail'))).toMatchObject({
    rules: [{ subject, rules: rulesBefore }],
  });

  const { writer, history } = fixture.open();
  const [rule = {}] = rulesBefore;
  const deletes = [{ index: 0, rule }];
  await runApproved(
    writer,
    createBulkRuleOperation({ connectionId, within: [] }, subject, { adds: [], deletes }),
  );
  expect(await readRules()).toHaveLength(rulesBefore.length - 1);
  const [entry] = await history.readEntries(connectionId);
  if (entry === undefined) {
    throw new Error('Nothing was recorded');
  }
  const undo = await writer.planUndo(entry);
  await runApproved(writer, undo.operation, {
    expectedVersions: undo.expectedVersions,
    undoneEntryId: entry.id,
    restoredIds: undo.restoredIds,
  });
  expect(await readRules()).toHaveLength(rulesBefore.length);
});

test('after a lost response, a created dataset is found in a list that is returned in an object with its count', async () => {
  using fixture = new ChangeFixture();
  const datamodelId = createSeedOid('Retail');
  fixture.returnsListInObject = (line) => line.startsWith('GET') && line.endsWith('/datasets');
  const losses: WriteFault[] = ['response-lost'];
  fixture.getWriteFault = () => losses.shift();
  const { writer } = fixture.open();
  const location = { connectionId, within: ['Retail'] };
  const report = await writer.run(
    createDatasetCreationOperation(location, datamodelId, { name: 'More', type: 'custom' }),
  );
  expect(report.writeStates).toMatchObject([{ state: 'done', answer: { name: 'More' } }]);
});
