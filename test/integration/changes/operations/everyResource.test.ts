import { describe, expect, test } from 'vitest';
import { createCustomDataObject, deleteMatching } from '../../../../src/changes/model/customDataWrites.ts';
import { createDatamodel, deleteDatamodel } from '../../../../src/changes/model/datamodelWrites.ts';
import { createDataset, deleteDataset } from '../../../../src/changes/model/datasetWrites.ts';
import { createRelation, deleteRelation } from '../../../../src/changes/model/relationWrites.ts';
import { createRule, deleteColumnRules, deleteRule } from '../../../../src/changes/operations/ruleActions.ts';
import {
  createBaseTable,
  createCustomColumn,
  createCustomTable,
  deleteColumns,
  deleteTable,
  hideTable,
} from '../../../../src/changes/operations/tableActions.ts';
import { createViewpoint, deleteViewpoint } from '../../../../src/changes/operations/viewpointActions.ts';
import { type JsonObject, isJsonObject, parseLossless } from '../../../../src/base/json.ts';
import { getRefsToRead, createRestore, createUndo } from '../../../../src/changes/journal/undo.ts';
import type { OperationReport } from '../../../../src/changes/run/writeErrors.ts';
import { people } from '../../../../src/sandbox/seeds/people.ts';
import { SandboxUserFixture, testLocation } from '../../../support/sandboxUserFixture.ts';

/** A user's changes in the editor, sent by the writer to a sandbox over a real socket, and undone. */
const person = new SandboxUserFixture();
const perform = person.perform.bind(person);

async function undoWith(how: typeof createUndo, report: OperationReport): Promise<OperationReport> {
  const entry = await person.getHistoryEntry(report);
  const present = [];
  for (const ref of getRefsToRead(entry)) {
    present.push({ ref, document: await person.readDocument(ref) });
  }
  const { operation, expect: expected } = await how(entry, present);
  return perform(operation, { expect: expected, undoes: entry.id });
}

/** Returns the ID of the resource created by the last request of an operation. */
function made({ writes }: OperationReport): string {
  const last = writes.at(-1);
  const answer = last?.state === 'done' ? last.answer : undefined;
  const one = Array.isArray(answer) ? (answer as unknown[])[0] : answer;
  const { oid, _id, id } = one as { oid?: string; _id?: string; id?: string };
  return oid ?? _id ?? id ?? '';
}

async function datamodel(title: string): Promise<JsonObject | undefined> {
  const all = parseLossless((await person.client.datamodels.list()).text) as readonly JsonObject[];
  const found = all.find((one) => one['title'] === title);
  const whole =
    found && parseLossless((await person.client.datamodels.get({ datamodelId: getId(found) })).text);
  return isJsonObject(whole) ? whole : undefined;
}

const getId = (document: JsonObject | undefined): string => document?.['oid'] as string;

const names = (model: JsonObject | undefined): readonly string[] =>
  ((model?.['datasets'] ?? []) as readonly { schema?: { tables?: readonly { name: string }[] } }[]).flatMap(
    ({ schema }) => (schema?.tables ?? []).map(({ name }) => name),
  );

async function stock(): Promise<{ datamodelId: string; datasetId: string; custom: string }> {
  const datamodelId = made(
    await perform(createDatamodel(testLocation, { title: `Stock ${Math.random()}`, type: 'extract' })),
  );
  const connection = {
    provider: 'CSV',
    fileName: 'items.csv',
    parameters: { files: ['items.csv', 'shelves.csv'] },
  };
  const datasetId = made(
    await perform(createDataset(testLocation, datamodelId, { name: 'Files', type: 'extract', connection })),
  );
  const custom = made(
    await perform(createDataset(testLocation, datamodelId, { name: 'SQL', type: 'custom' })),
  );
  return { datamodelId, datasetId, custom };
}

async function tables() {
  const { datamodelId, datasetId, custom } = await stock();
  const ids = { datamodelId, datasetId };
  const columns = [{ name: 'Shelf Id', type: 8 }];
  const items = made(
    await perform(createBaseTable(testLocation, ids, { id: 'items.csv', name: 'Items', columns })),
  );
  const shelves = made(
    await perform(createBaseTable(testLocation, ids, { id: 'shelves.csv', name: 'Shelves', columns })),
  );
  return { ids, items, shelves, custom };
}

const readTable = async (path: {
  datamodelId: string;
  datasetId: string;
  tableId: string;
}): Promise<JsonObject> => parseLossless((await person.client.tables.get(path)).text) as JsonObject;

const getColumns = (table: JsonObject): readonly JsonObject[] => table['columns'] as readonly JsonObject[];

describe('creates, deletes, and restores by undo', () => {
  test('a datamodel with everything it contains', async () => {
    const { ids } = await tables();
    const { title } = (await person.client.datamodels.get(ids)).value;
    const report = await perform(deleteDatamodel(testLocation, ids.datamodelId, title));
    expect(await datamodel(title)).toBeUndefined();
    await undoWith(createUndo, report);
    expect(names(await datamodel(title))).toEqual(['Items', 'Shelves']);
  });

  test('a dataset with its tables', async () => {
    const { ids } = await tables();
    const { title } = (await person.client.datamodels.get(ids)).value;
    const report = await perform(deleteDataset(testLocation, ids, 'Files'));
    expect(names(await datamodel(title))).toEqual([]);
    await undoWith(createUndo, report);
    expect(names(await datamodel(title))).toEqual(['Items', 'Shelves']);
  });

  test('a table, a custom table, and a custom column', async () => {
    const { ids, items, custom } = await tables();
    const sql = { name: 'Shelf Ids', expression: 'SELECT [Shelf Id] FROM [Items]' };
    const customIds = { ...ids, datasetId: custom };
    const tableId = made(await perform(createCustomTable(testLocation, customIds, sql)));
    const deleted = await perform(deleteTable(testLocation, { ...customIds, tableId }, 'Shelf Ids'));
    await undoWith(createUndo, deleted);
    const { title } = (await person.client.datamodels.get(ids)).value;
    expect(names(await datamodel(title))).toContain('Shelf Ids');

    const path = { ...ids, tableId: items };
    const column = { name: 'Twice', type: 8, expression: '[Shelf Id] * 2' };
    await perform(createCustomColumn(testLocation, path, await readTable(path), column));
    const before = await readTable(path);
    const added = getColumns(before).find(({ name }) => name === 'Twice');
    const dropped = await perform(deleteColumns(testLocation, path, before, [getId(added)]));
    expect(getColumns(await readTable(path)).map(({ name }) => name)).toEqual(['Shelf Id']);
    await undoWith(createUndo, dropped);
    expect(getColumns(await readTable(path)).map(({ name }) => name)).toEqual(['Shelf Id', 'Twice']);

    const hidden = await perform(hideTable(testLocation, path, 'Items', true));
    expect((await readTable(path))['hidden']).toBe(true);
    await undoWith(createUndo, hidden);
    expect((await readTable(path))['hidden']).toBe(false);
  });

  test('a relation', async () => {
    const { ids, items, shelves } = await tables();
    const ends = [];
    for (const tableId of [items, shelves]) {
      const [column] = getColumns(await readTable({ ...ids, tableId }));
      ends.push({ dataset: ids.datasetId, table: tableId, column: getId(column) });
    }
    const relationId = made(
      await perform(createRelation(testLocation, ids.datamodelId, ends, 'Items – Shelves')),
    );
    const relations = async () => (await person.client.relations.list(ids)).value;
    const report = await perform(deleteRelation(testLocation, { ...ids, relationId }, 'Items – Shelves'));
    expect(await relations()).toEqual([]);
    await undoWith(createUndo, report);
    expect((await relations()).map(({ columns }) => columns?.length)).toEqual([2]);
  });

  test.each([
    { kind: 'extract', server: 'LocalHost', elasticube: 'Retail' },
    { kind: 'extract', server: 'set', elasticube: 'All Shops' },
    { kind: 'live', title: 'Support Desk' },
  ] as const)('a rule of $kind $elasticube$title, alone and with its column', async (subject) => {
    const rules = async () =>
      (subject.kind === 'live'
        ? (await person.client.liveRules.list(subject)).value
        : (await person.client.extractRules.list(subject)).value
      ).filter(({ column }) => column === 'New Column');
    const rule = {
      table: 'New Table',
      column: 'New Column',
      datatype: 'text',
      grant: { kind: 'only', members: ['a', 'b'] },
      parties: [{ type: 'user', id: people.chiara._id }],
    } as const;
    const ruleId = made(await perform(createRule(testLocation, subject, rule)));
    expect((await rules()).map(({ members }) => members)).toEqual([['a', 'b']]);
    const report = await perform(deleteRule(testLocation, subject, ruleId, 'Chiara'));
    expect(await rules()).toEqual([]);
    await undoWith(createUndo, report);
    expect((await rules()).map(({ members }) => members)).toEqual([['a', 'b']]);

    const all = await perform(deleteColumnRules(testLocation, subject, 'New Table', 'New Column'));
    expect(await rules()).toEqual([]);
    await undoWith(createUndo, all);
    expect((await rules()).map(({ members }) => members)).toEqual([['a', 'b']]);
  });

  test('a viewpoint, also long afterwards', async () => {
    const datasource = { title: 'Retail', fullname: 'LocalHost/Retail', modelType: 'external' };
    const form = { name: 'Made here', description: 'd', datasource };
    const viewpointId = made(await perform(createViewpoint(testLocation, form)));
    const report = await perform(deleteViewpoint(testLocation, viewpointId, 'Made here'));
    const found = async () =>
      (await person.client.viewpoints.list({ search: { name: 'Made here' } })).value.viewpoints.length;
    expect(await found()).toBe(0);
    await undoWith(createRestore, report);
    expect(await found()).toBe(1);
  });

  test('custom data', async () => {
    await perform(createCustomDataObject(testLocation, { app: 'made-here', big: 1 }, 'x'));
    await perform(createCustomDataObject(testLocation, { app: 'made-here', big: 2 }, 'y'));
    const found = async () => (await person.client.customData.query({ app: 'made-here' })).value.length;
    expect(await found()).toBe(2);
    const report = await perform(deleteMatching(testLocation, { app: 'made-here' }));
    expect(await found()).toBe(0);
    await undoWith(createUndo, report);
    expect(await found()).toBe(2);
  });

  test('undo deletes what was created', async () => {
    const report = await perform(createDatamodel(testLocation, { title: 'Short-lived', type: 'live' }));
    expect(await datamodel('Short-lived')).toBeDefined();
    await undoWith(createUndo, report);
    expect(await datamodel('Short-lived')).toBeUndefined();
  });
});
