import { renameRestoredItems } from '../../../../src/changes/journal/renameRestored.ts';
import { createUndo } from '../../../../src/changes/journal/undo.ts';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/base/json.ts';
import { parseJournal } from '../../../../src/changes/journal/entry.ts';
import { asObject, getText } from '../../../../src/changes/model/jsonMembers.ts';
import { createViewpointUpdateWrite } from '../../../../src/changes/model/viewpointWrites.ts';
import { createSeedOid } from '../../../../src/sandbox/seeds/seedIds.ts';
import { unmask } from '../../../../src/base/secrets/maskPaths.ts';
import { ConflictError, SecretsNeededError } from '../../../../src/changes/run/writeErrors.ts';
import { createLiveRuleReplacementWrites } from '../../../../src/changes/rules/ruleWrites.ts';
import type { Write } from '../../../../src/changes/model/operation.ts';
import {
  ChangeFixture,
  getColumns,
  connectionId,
  getFailure,
  getIds,
  createOperation,
  createTableRef,
  createTableUpdate,
} from '../run/support.ts';
import { runApproved } from './runApproved.ts';
import { checkUndo } from './checkUndo.ts';
import { readInstanceContent } from './instanceContent.ts';
import { planRestore } from '../../../support/planRestore.ts';

const modelId = createSeedOid('Retail');
const retail = { kind: 'extract', server: 'LocalHost', elasticube: 'Retail' } as const;
const support = { kind: 'live', title: 'Support Desk' } as const;

async function readFirstRule(
  fixture: ChangeFixture,
  subject: typeof retail | typeof support,
): Promise<JsonObject> {
  const rules = await fixture.read({ kind: 'rules', subject });
  return (rules as readonly JsonObject[])[0] ?? {};
}

async function readFirstViewpoint(fixture: ChangeFixture): Promise<JsonObject> {
  const { value } = await fixture.client.viewpoints.list({ limit: 1 });
  return fixture.readObject({ kind: 'viewpoint', viewpointId: value.viewpoints[0]?.id ?? '' });
}

describe('tables', () => {
  test('a changed field is restored', async () => {
    const { losses } = await checkUndo(() => [
      createTableUpdate('Orders', { description: 'x', hidden: true }),
    ]);
    expect(losses).toEqual([]);
  });

  test('a dropped column is restored with its relation and accumulation', async () => {
    const { losses } = await checkUndo(async (fixture) => {
      const columns = getColumns(await fixture.read(createTableRef('Orders'))).filter(
        ({ name }) => name !== 'Order Date' && name !== 'Store Id',
      );
      return [createTableUpdate('Orders', { columns })];
    });
    expect(losses).toEqual([
      { code: 'new-id', name: 'Order Date' },
      { code: 'new-id', name: 'Store Id' },
    ]);
  });

  test('a deleted base table is restored with the relations of its columns', async () => {
    await checkUndo(() => [
      {
        endpoint: 'tables.delete',
        params: getIds(createTableRef('Orders')),
        target: createTableRef('Orders'),
      },
    ]);
  });

  test('a deleted custom table is restored; the relation of its columns can only be restored after a build', async () => {
    using fixture = new ChangeFixture();
    const { writer, history } = fixture.open();
    const target = createTableRef('Customer Value');
    await runApproved(
      writer,
      createOperation([{ endpoint: 'tables.delete', params: getIds(target), target }]),
    );
    const [entry] = await history.readEntries(connectionId);
    const undo = entry && (await writer.planUndo(entry));
    expect(undo?.losses.map(({ code }) => code)).toEqual(['new-id', 'column-settings', 'needs-build']);
    expect(undo?.operation.writes.map(({ endpoint }) => endpoint)).toEqual(['tables.create']);
  });
});

describe('containers of tables', () => {
  test('a deleted datamodel is restored with its contents and its rules; relations of custom tables need a build first', async () => {
    using fixture = new ChangeFixture();
    const { writer, history } = fixture.open();
    const target = { kind: 'datamodel', datamodelId: modelId } as const;
    const relationCount = ((await fixture.readObject(target))['relations'] as readonly unknown[]).length;
    const before = (await readInstanceContent(fixture)) as JsonObject;
    await runApproved(
      writer,
      createOperation([{ endpoint: 'datamodels.delete', params: { datamodelId: modelId }, target }]),
    );
    const [entry] = await history.readEntries(connectionId);
    const undo = entry && (await writer.planUndo(entry));
    await runApproved(writer, undo?.operation ?? createOperation([]));
    const after = (await readInstanceContent(fixture)) as JsonObject;
    expect(after['retailRules']).toEqual(before['retailRules']);
    expect(after['viewpoints']).toEqual(before['viewpoints']);
    const restoredRetail = (await fixture.client.datamodels.list()).value.find(
      ({ title }) => title === 'Retail',
    );
    const restoredModel = await fixture.client.datamodels.get({ datamodelId: restoredRetail?.oid ?? '' });
    expect(restoredModel.value.relations).toHaveLength(relationCount - 2);
    expect(undo?.losses.filter(({ code }) => code === 'needs-build')).toHaveLength(2);
    // Relations are labeled by the tables that they join.
    const reportedRelations = undo?.losses.filter(({ code, name }) => code === 'new-id' && / – /.test(name));
    expect(reportedRelations?.map(({ name }) => name)).toContain('Orders – Customers');
  });

  test('datamodels that one change deleted each get their own rules back, also under another name', async () => {
    using fixture = new ChangeFixture();
    const { writer, history } = fixture.open();
    const titles = ['Marketing', 'Retail'];
    const readAllRules = async () =>
      Promise.all(
        titles.map(async (elasticube) =>
          (await fixture.client.extractRules.list({ server: 'LocalHost', elasticube })).value.map(
            ({ table, column, members, shares }) => ({ table, column, members, shares }),
          ),
        ),
      );
    const before = await readAllRules();
    const deletions = titles.map((title): Write => {
      const datamodelId = createSeedOid(title);
      return {
        endpoint: 'datamodels.delete',
        params: { datamodelId },
        target: { kind: 'datamodel', datamodelId },
      };
    });
    await runApproved(writer, createOperation(deletions));
    const [entry] = await history.readEntries(connectionId);
    const undo = entry && (await writer.planUndo(entry));
    await runApproved(writer, undo?.operation ?? createOperation([]));
    expect(await readAllRules()).toEqual(before);

    const names = new Map(titles.map((title) => [createSeedOid(title), `${title} 2`]));
    const renamedUndo = entry && (await createUndo(renameRestoredItems(entry, names), []));
    const ruleCreations = renamedUndo?.operation.writes.filter(
      ({ endpoint }) => endpoint === 'extractRules.create',
    );
    expect(
      ruleCreations?.map(({ params, body }) => [
        params['elasticube'],
        new Set((body as readonly JsonObject[]).map(({ table }) => table)),
      ]),
    ).toEqual(
      [...titles.entries()]
        .map(([index, title]) => [`${title} 2`, new Set(before[index]?.map(({ table }) => table))])
        .toReversed(),
    );
  });

  test('secrets of a connection are not stored, and an undo asks for them', async () => {
    using fixture = new ChangeFixture();
    const { writer, history } = fixture.open();
    const datasetId = createSeedOid('Retail/dataset/Sales');
    const target = { kind: 'dataset', datamodelId: modelId, datasetId } as const;
    const connection = (await fixture.readObject(target))['connection'] as JsonObject;
    const createBody = (Password: string) => ({
      connection: { ...connection, parameters: { ...(connection['parameters'] as JsonObject), Password } },
    });
    const createWrite = (body: JsonObject): Write => ({
      endpoint: 'datasets.update',
      params: getIds(target),
      body,
      target,
    });
    await writer.run(createOperation([createWrite(createBody('hunter1'))]));
    await writer.run(createOperation([createWrite(createBody('hunter2'))]));
    const [entry] = await history.readEntries(connectionId);
    expect(JSON.stringify(await history.readEntries(connectionId))).not.toMatch(/hunter/);
    const undo = entry && (await writer.planUndo(entry));
    const refused = await getFailure(writer.run(undo?.operation ?? createOperation([])));
    expect(refused).toBeInstanceOf(SecretsNeededError);
    expect(refused).toMatchObject({ writeIndex: 0, paths: [['connection', 'parameters', 'Password']] });
  });
});

describe('connector secrets', () => {
  const target = {
    kind: 'dataset',
    datamodelId: modelId,
    datasetId: createSeedOid('Retail/dataset/Sales'),
  } as const;
  const createConnectionString = (secret: string) => `Server=db;Pwd=${secret};Pooling=true`;
  const createSecretChange = async (fixture: ChangeFixture, secret: string): Promise<Write> => {
    const connection = (await fixture.readObject(target))['connection'] as JsonObject;
    const parameters = {
      ...(connection['parameters'] as JsonObject),
      AdditionalParameters: createConnectionString(secret),
      url: `mongodb://u:${secret}@h/d`,
      credentials: secret,
    };
    return {
      endpoint: 'datasets.update',
      params: getIds(target),
      body: { connection: { ...connection, parameters } },
      target,
    };
  };

  test('within a text are neither stored nor shown in plans, and an undo asks for each of them', async () => {
    using fixture = new ChangeFixture();
    const { writer, history } = fixture.open();
    await writer.run(createOperation([await createSecretChange(fixture, 'hunter1')]));
    const second = createOperation([await createSecretChange(fixture, 'hunter2')]);
    expect(JSON.stringify((await writer.plan(second)).plan)).not.toMatch(/hunter/);
    await writer.run(second);
    const [entry] = await history.readEntries(connectionId);
    expect(JSON.stringify(entry)).toContain('Pooling=true');
    expect(JSON.stringify(await history.readEntries(connectionId))).not.toMatch(/hunter/);
    const undo = entry && (await writer.planUndo(entry));
    const refused = await getFailure(writer.run(undo?.operation ?? createOperation([])));
    const path = ['connection', 'parameters'];
    expect(refused).toBeInstanceOf(SecretsNeededError);
    expect(refused).toMatchObject({
      paths: [
        [...path, 'AdditionalParameters', 0],
        [...path, 'url', 0],
        [...path, 'credentials'],
      ],
    });
    const undoWithSecrets = createOperation(
      (undo?.operation.writes ?? []).map((write) => ({
        ...write,
        body: unmask(write.body ?? null, () => 'hunter1'),
      })),
    );
    await writer.run(undoWithSecrets);
    expect((await fixture.client.datasets.get(target)).value.connection).toMatchObject({
      parameters: { AdditionalParameters: createConnectionString('hunter1'), url: 'mongodb://u:hunter1@h/d' },
    });
  });

  test('in table options are not stored, and an undo asks for them only if it changes the options', async () => {
    using fixture = new ChangeFixture();
    const { writer, history } = fixture.open();
    const updateOptions = (password: string) =>
      createTableUpdate('Orders', { configOptions: { Table: 'o', password } });
    await runApproved(writer, createOperation([updateOptions('hunter1')]));
    const second = createOperation([updateOptions('hunter2')]);
    expect(JSON.stringify((await writer.plan(second)).plan)).not.toMatch(/hunter/);
    await runApproved(writer, second);
    await runApproved(writer, createOperation([createTableUpdate('Orders', { description: 'x' })]));
    const [described, changed] = await history.readEntries(connectionId);
    expect(JSON.stringify(await history.readEntries(connectionId))).not.toMatch(/hunter/);
    if (described === undefined || changed === undefined) {
      throw new Error('Nothing was recorded');
    }
    const undo = await writer.planUndo(described);
    await runApproved(writer, undo.operation, { expectedVersions: undo.expectedVersions });
    const { operation: undoOperation } = await writer.planUndo(changed);
    expect(await getFailure(writer.run(undoOperation))).toMatchObject({
      name: 'SecretsNeededError',
      paths: [['configOptions', 'password']],
    });
  });

  test('that an earlier version stored are neither shown nor sent', () => {
    const body = { connection: { parameters: { pwd: 'hunter1' } } };
    const lines = [
      {
        line: 'begin',
        id: '1',
        at: 1,
        pid: 1,
        operation: {
          connectionId,
          cause: 'save',
          subject: { name: 'Sales', within: [] },
          writes: [{ endpoint: 'datasets.update', params: {}, body, target }],
        },
        before: [{ ref: target, document: body }],
      },
      { line: 'sending', write: 0 },
      {
        line: 'result',
        write: 0,
        result: { state: 'done', path: '/', ms: 1, answer: body, problem: 'Pwd=hunter1;' },
      },
    ];
    const entry = parseJournal(lines.map((line) => JSON.stringify(line)).join('\n'));
    expect(entry?.operation.writes).toHaveLength(1);
    expect(entry?.writeStates[0]).toMatchObject({ state: 'done' });
    expect(JSON.stringify(entry)).not.toContain('hunter1');
  });
});

describe('relations', () => {
  const getRelation = async (fixture: ChangeFixture) =>
    (await fixture.client.relations.list({ datamodelId: modelId })).value[0];

  test('a deleted relation is restored under a new ID, which is reported', async () => {
    const { losses, restoredIds } = await checkUndo(async (fixture) => {
      const target = {
        kind: 'relation',
        datamodelId: modelId,
        relationId: (await getRelation(fixture))?.oid ?? '',
      } as const;
      return [{ endpoint: 'relations.delete', params: getIds(target), target }];
    });
    expect(losses).toEqual([{ code: 'new-id', name: createOperation([]).subject.name }]);
    expect(restoredIds).toHaveLength(1);
  });

  test('changes of a relation made before its deletion can still be undone afterwards', async () => {
    using fixture = new ChangeFixture();
    const { writer, history } = fixture.open();
    const relation = await getRelation(fixture);
    const [first, second] = relation?.columns ?? [];
    const target = { kind: 'relation', datamodelId: modelId, relationId: relation?.oid ?? '' } as const;
    const params = getIds(target);
    const reversedColumns = { columns: [second, first] as unknown as JsonObject[] };
    await runApproved(
      writer,
      createOperation([{ endpoint: 'relations.update', params, body: reversedColumns, target }]),
    );
    await runApproved(writer, createOperation([{ endpoint: 'relations.delete', params, target }]));
    const [deleted, changed] = await history.readEntries(connectionId);
    if (deleted === undefined || changed === undefined) {
      throw new Error('Nothing was recorded');
    }
    for (const entry of [deleted, changed]) {
      const {
        operation: undoOperation,
        expectedVersions: expected,
        restoredIds,
      } = await writer.planUndo(entry);
      await runApproved(writer, undoOperation, {
        expectedVersions: expected,
        undoneEntryId: entry.id,
        restoredIds,
      });
    }
    const { value } = await fixture.client.relations.list({ datamodelId: modelId });
    const restoredRelation = value.find(({ columns }) => columns?.[0]?.column === first?.column);
    expect(restoredRelation?.columns?.map(({ column }) => column)).toEqual([first?.column, second?.column]);
    expect(restoredRelation?.oid).not.toBe(relation?.oid);
    expect(value.map(({ columns }) => columns?.[0]?.column)).not.toContain(second?.column);
  });
});

describe('rules', () => {
  test('a replaced live rule is restored as it was, by a replacement', async () => {
    const { operation: undoOperation } = await checkUndo(async (fixture) => {
      const rule = await readFirstRule(fixture, support);
      return createLiveRuleReplacementWrites(support, rule, { ...rule, members: ['Austria'] });
    });
    expect(undoOperation.writes.map(({ step }) => step)).toEqual(['replaced', 'replaced']);
  });
});

describe('viewpoints and custom data', () => {
  test('a deleted viewpoint is restored without its bookmarks', async () => {
    const createRef = (viewpoint: JsonObject) =>
      ({ kind: 'viewpoint', viewpointId: getText(viewpoint['id']) }) as const;
    const { losses } = await checkUndo(async (fixture) => {
      const ref = createRef(await readFirstViewpoint(fixture));
      return [{ endpoint: 'viewpoints.delete', params: getIds(ref), target: ref }];
    });
    expect(losses.map(({ code }) => code)).toEqual(['new-id', 'bookmarks']);
  });

  test('columns that have exchanged their names stay in a viewpoint while the table gets its names back', async () => {
    using fixture = new ChangeFixture();
    const { writer, history } = fixture.open();
    const viewpoint = await readFirstViewpoint(fixture);
    const viewpointId = getText(viewpoint['id']);
    const createDetails = (...names: readonly string[]): JsonObject => ({
      ...asObject(viewpoint['details']),
      columns: names.map((column) => ({
        table: 'Stores',
        column,
        dim: `[Stores.${column}]`,
        datatype: 'text',
        title: column,
      })),
    });
    const visibility = { apps: ['teams'], groups: ['Sales'], users: [], enabled: true };
    await fixture.client.viewpoints.update(
      { viewpointId },
      { enabled: true, visibility, details: createDetails('Store', 'City') },
    );
    const columns = getColumns(await fixture.read(createTableRef('Stores')));
    const newNames = new Map([
      ['Store', 'City'],
      ['City', 'Store'],
    ]);
    const renamed = columns.map((column) => {
      const name = getText(column['name']);
      return { ...column, name: newNames.get(name) ?? name };
    });
    await runApproved(
      writer,
      createOperation([
        createTableUpdate('Stores', { columns: renamed }),
        createViewpointUpdateWrite({ viewpointId }, { details: createDetails('City', 'Store') }),
      ]),
    );
    const [entry] = await history.readEntries(connectionId);
    const undo = entry && (await writer.planUndo(entry));
    expect(undo?.operation.writes.map(({ endpoint }) => endpoint)).toEqual([
      'tables.update',
      'viewpoints.update',
    ]);
  });

  test('the plan of undoing a change of many objects names each of them once', async () => {
    using fixture = new ChangeFixture();
    const target = { kind: 'customData' } as const;
    const objectCount = 400;
    for (let index = 0; index < objectCount; index += 1) {
      await fixture.client.customData.create({ app: 'many', index, state: 'old' });
    }
    const { writer, history } = fixture.open();
    const body = { queryForSearch: { app: 'many' }, objectForUpdate: { state: 'new' } };
    await writer.run(createOperation([{ endpoint: 'customData.updateMatching', params: {}, body, target }]));
    const [entry] = await history.readEntries(connectionId);
    const undo = entry && (await writer.planUndo(entry));
    const { plan } = await writer.plan(undo?.operation ?? createOperation([]));
    expect(plan.changed).toHaveLength(objectCount);
    expect(new Set(plan.changed.map(({ name }) => name)).size).toBe(objectCount);
  });
});

test('an undo does not overwrite later changes; a restore does', async () => {
  using fixture = new ChangeFixture();
  const { writer, history } = fixture.open();
  await writer.run(createOperation([createTableUpdate('Orders', { description: 'Mine' })]));
  const [entry] = await history.readEntries(connectionId);
  await fixture.client.tables.update(createTableRef('Orders'), { description: "Another user's" });
  const undo = entry && (await writer.planUndo(entry));
  expect(
    await getFailure(
      writer.run(undo?.operation ?? createOperation([]), { expectedVersions: undo?.expectedVersions }),
    ),
  ).toBeInstanceOf(ConflictError);
  const restore = entry && (await planRestore(writer, entry));
  await writer.run(restore?.operation ?? createOperation([]));
  expect(await fixture.readObject(createTableRef('Orders'))).toMatchObject({
    description: expect.stringContaining('One row per order'),
  });
});
