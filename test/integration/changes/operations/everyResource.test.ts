import { describe, expect, test } from 'vitest';
import {
  createObjectCreationOperation,
  createCustomDataDeletionOperation,
} from '../../../../src/changes/model/customDataWrites.ts';
import {
  createDatamodelCreationOperation,
  createDatamodelDeletionOperation,
} from '../../../../src/changes/model/datamodelWrites.ts';
import {
  createDatasetCreationOperation,
  createDatasetDeletionOperation,
} from '../../../../src/changes/model/datasetWrites.ts';
import {
  createRelationCreationOperation,
  createRelationDeletionOperation,
} from '../../../../src/changes/model/relationWrites.ts';
import {
  createRuleCreationOperation,
  createColumnRulesDeletionOperation,
  createRuleDeletionOperation,
} from '../../../../src/changes/operations/ruleActions.ts';
import {
  createBaseTableCreationOperation,
  createCustomColumnCreationOperation,
  createCustomTableCreationOperation,
  createColumnDeletionOperation,
  createTableDeletionOperation,
  createTableHidingOperation,
} from '../../../../src/changes/operations/tableActions.ts';
import {
  createViewpointCreationOperation,
  createViewpointDeletionOperation,
} from '../../../../src/changes/operations/viewpointActions.ts';
import { type JsonObject, isJsonObject, parseLossless } from '../../../../src/base/json.ts';
import {
  createRestore,
  createUndo,
  getRefsToRead,
  getRestoredRuleRefs,
} from '../../../../src/changes/journal/undo.ts';
import type { OperationReport } from '../../../../src/changes/run/writeErrors.ts';
import { people } from '../../../../src/sandbox/seeds/people.ts';
import { SandboxUserFixture, testLocation } from '../../../support/sandboxUserFixture.ts';
import { getText } from '../../../../src/changes/model/jsonMembers.ts';

/** The user whose changes the writer sends to a sandbox over a real socket, and undoes. */
const person = new SandboxUserFixture();
const perform = person.perform.bind(person);

async function performUndo(
  createOperation: typeof createUndo,
  report: OperationReport,
): Promise<OperationReport> {
  const entry = await person.getHistoryEntry(report);
  const read = (refs: ReturnType<typeof getRefsToRead>) =>
    Promise.all(refs.map(async (ref) => ({ ref, document: await person.readDocument(ref) })));
  const documents = await read(getRefsToRead(entry));
  const rules = await read(getRestoredRuleRefs(entry, documents));
  const { operation, expectedVersions: expected } = await createOperation(entry, [...documents, ...rules]);
  return perform(operation, { expectedVersions: expected, undoneEntryId: entry.id });
}

/** Returns the ID of the resource created by the last request of an operation. */
function getCreatedId({ writeStates }: OperationReport): string {
  const last = writeStates.at(-1);
  const answer = last?.state === 'done' ? last.answer : undefined;
  const created = Array.isArray(answer) ? (answer as unknown[])[0] : answer;
  const { oid, _id, id } = created as { oid?: string; _id?: string; id?: string };
  return oid ?? _id ?? id ?? '';
}

async function findDatamodel(title: string): Promise<JsonObject | undefined> {
  const all = parseLossless((await person.client.datamodels.list()).text) as readonly JsonObject[];
  const found = all.find((each) => each['title'] === title);
  const fullDocument =
    found && parseLossless((await person.client.datamodels.get({ datamodelId: getId(found) })).text);
  return isJsonObject(fullDocument) ? fullDocument : undefined;
}

const getId = (document: JsonObject | undefined): string => getText(document?.['oid']);

const getTableNames = (model: JsonObject | undefined): readonly string[] =>
  ((model?.['datasets'] ?? []) as readonly { schema?: { tables?: readonly { name: string }[] } }[]).flatMap(
    ({ schema }) => (schema?.tables ?? []).map(({ name }) => name),
  );

async function createStock(): Promise<{ datamodelId: string; datasetId: string; customDatasetId: string }> {
  const datamodelId = getCreatedId(
    await perform(
      createDatamodelCreationOperation(testLocation, { title: `Stock ${Math.random()}`, type: 'extract' }),
    ),
  );
  const connection = {
    provider: 'CSV',
    fileName: 'items.csv',
    parameters: { files: ['items.csv', 'shelves.csv'] },
  };
  const datasetId = getCreatedId(
    await perform(
      createDatasetCreationOperation(testLocation, datamodelId, {
        name: 'Files',
        type: 'extract',
        connection,
      }),
    ),
  );
  const customDatasetId = getCreatedId(
    await perform(createDatasetCreationOperation(testLocation, datamodelId, { name: 'SQL', type: 'custom' })),
  );
  return { datamodelId, datasetId, customDatasetId };
}

async function createTables() {
  const { datamodelId, datasetId, customDatasetId } = await createStock();
  const ids = { datamodelId, datasetId };
  const columns = [{ name: 'Shelf Id', type: 8 }];
  const items = getCreatedId(
    await perform(
      createBaseTableCreationOperation(testLocation, ids, { id: 'items.csv', name: 'Items', columns }),
    ),
  );
  const shelves = getCreatedId(
    await perform(
      createBaseTableCreationOperation(testLocation, ids, { id: 'shelves.csv', name: 'Shelves', columns }),
    ),
  );
  return { ids, items, shelves, customDatasetId };
}

const readTable = async (path: {
  datamodelId: string;
  datasetId: string;
  tableId: string;
}): Promise<JsonObject> => parseLossless((await person.client.tables.get(path)).text) as JsonObject;

const getColumns = (table: JsonObject): readonly JsonObject[] => table['columns'] as readonly JsonObject[];

describe('undo', () => {
  test('a deleted datamodel is restored with everything it contains', async () => {
    const { ids } = await createTables();
    const { title } = (await person.client.datamodels.get(ids)).value;
    const report = await perform(createDatamodelDeletionOperation(testLocation, ids.datamodelId, title));
    expect(await findDatamodel(title)).toBeUndefined();
    await performUndo(createUndo, report);
    expect(getTableNames(await findDatamodel(title))).toEqual(['Items', 'Shelves']);
  });

  test('a deleted dataset is restored with its tables', async () => {
    const { ids } = await createTables();
    const { title } = (await person.client.datamodels.get(ids)).value;
    const report = await perform(createDatasetDeletionOperation(testLocation, ids, 'Files'));
    expect(getTableNames(await findDatamodel(title))).toEqual([]);
    await performUndo(createUndo, report);
    expect(getTableNames(await findDatamodel(title))).toEqual(['Items', 'Shelves']);
  });

  test('a deleted custom table and a deleted custom column are restored, and a hidden table is shown again', async () => {
    const { ids, items, customDatasetId } = await createTables();
    const sql = { name: 'Shelf Ids', expression: 'SELECT [Shelf Id] FROM [Items]' };
    const customIds = { ...ids, datasetId: customDatasetId };
    const tableId = getCreatedId(
      await perform(createCustomTableCreationOperation(testLocation, customIds, sql)),
    );
    const deleted = await perform(
      createTableDeletionOperation(testLocation, { ...customIds, tableId }, 'Shelf Ids'),
    );
    await performUndo(createUndo, deleted);
    const { title } = (await person.client.datamodels.get(ids)).value;
    expect(getTableNames(await findDatamodel(title))).toContain('Shelf Ids');

    const path = { ...ids, tableId: items };
    const column = { name: 'Twice', type: 8, expression: '[Shelf Id] * 2' };
    await perform(createCustomColumnCreationOperation(testLocation, path, await readTable(path), column));
    const before = await readTable(path);
    const added = getColumns(before).find(({ name }) => name === 'Twice');
    const dropped = await perform(createColumnDeletionOperation(testLocation, path, before, [getId(added)]));
    expect(getColumns(await readTable(path)).map(({ name }) => name)).toEqual(['Shelf Id']);
    await performUndo(createUndo, dropped);
    expect(getColumns(await readTable(path)).map(({ name }) => name)).toEqual(['Shelf Id', 'Twice']);

    const hidden = await perform(createTableHidingOperation(testLocation, path, 'Items', true));
    expect((await readTable(path))['hidden']).toBe(true);
    await performUndo(createUndo, hidden);
    expect((await readTable(path))['hidden']).toBe(false);
  });

  test('a deleted relation is restored', async () => {
    const { ids, items, shelves } = await createTables();
    const ends = [];
    for (const tableId of [items, shelves]) {
      const [column] = getColumns(await readTable({ ...ids, tableId }));
      ends.push({ dataset: ids.datasetId, table: tableId, column: getId(column) });
    }
    const relationId = getCreatedId(
      await perform(createRelationCreationOperation(testLocation, ids.datamodelId, ends, 'Items – Shelves')),
    );
    const listRelations = async () => (await person.client.relations.list(ids)).value;
    const report = await perform(
      createRelationDeletionOperation(testLocation, { ...ids, relationId }, 'Items – Shelves'),
    );
    expect(await listRelations()).toEqual([]);
    await performUndo(createUndo, report);
    expect((await listRelations()).map(({ columns }) => columns?.length)).toEqual([2]);
  });

  test.each([
    { kind: 'extract', server: 'LocalHost', elasticube: 'Retail' },
    { kind: 'extract', server: 'set', elasticube: 'All Shops' },
    { kind: 'live', title: 'Support Desk' },
  ] as const)(
    'a deleted rule of $kind $elasticube$title is restored, also if all rules of its column were deleted',
    async (subject) => {
      const listRules = async () =>
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
      const ruleId = getCreatedId(await perform(createRuleCreationOperation(testLocation, subject, rule)));
      expect((await listRules()).map(({ members }) => members)).toEqual([['a', 'b']]);
      const report = await perform(createRuleDeletionOperation(testLocation, subject, ruleId, 'Chiara'));
      expect(await listRules()).toEqual([]);
      await performUndo(createUndo, report);
      expect((await listRules()).map(({ members }) => members)).toEqual([['a', 'b']]);

      const all = await perform(
        createColumnRulesDeletionOperation(testLocation, subject, 'New Table', 'New Column'),
      );
      expect(await listRules()).toEqual([]);
      await performUndo(createUndo, all);
      expect((await listRules()).map(({ members }) => members)).toEqual([['a', 'b']]);
    },
  );

  test('a deleted viewpoint is restored from the history', async () => {
    const datasource = { title: 'Retail', fullname: 'LocalHost/Retail', modelType: 'external' };
    const form = { name: 'Made here', description: 'd', datasource };
    const viewpointId = getCreatedId(await perform(createViewpointCreationOperation(testLocation, form)));
    const report = await perform(createViewpointDeletionOperation(testLocation, viewpointId, 'Made here'));
    const countViewpoints = async () =>
      (await person.client.viewpoints.list({ search: { name: 'Made here' } })).value.viewpoints.length;
    expect(await countViewpoints()).toBe(0);
    await performUndo(createRestore, report);
    expect(await countViewpoints()).toBe(1);
  });

  test('deleted custom data is restored', async () => {
    await perform(createObjectCreationOperation(testLocation, { app: 'made-here', big: 1 }, 'x'));
    await perform(createObjectCreationOperation(testLocation, { app: 'made-here', big: 2 }, 'y'));
    const countObjects = async () =>
      (await person.client.customData.query({ app: 'made-here' })).value.length;
    expect(await countObjects()).toBe(2);
    const report = await perform(createCustomDataDeletionOperation(testLocation, { app: 'made-here' }));
    expect(await countObjects()).toBe(0);
    await performUndo(createUndo, report);
    expect(await countObjects()).toBe(2);
  });

  test('a created datamodel is deleted', async () => {
    const report = await perform(
      createDatamodelCreationOperation(testLocation, { title: 'Short-lived', type: 'live' }),
    );
    expect(await findDatamodel('Short-lived')).toMatchObject({ title: 'Short-lived', type: 'live' });
    await performUndo(createUndo, report);
    expect(await findDatamodel('Short-lived')).toBeUndefined();
  });
});
