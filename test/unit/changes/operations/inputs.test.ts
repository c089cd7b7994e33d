import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/base/json.ts';
import { createConnectionInput } from '../../../../src/changes/operations/connectionInput.ts';
import { listDatasetConnections } from '../../../../src/changes/operations/datasetConnections.ts';
import {
  createRuleCopyOperation,
  createRuleDocument,
  createRuleDuplicationOperation,
  type RuleParty,
} from '../../../../src/changes/operations/ruleActions.ts';
import {
  createBuildBehavior,
  createColumnDeletionOperation,
  createColumnHidingOperation,
  createTableDuplicationOperation,
  createTableHidingOperation,
  getBuildPreset,
} from '../../../../src/changes/operations/tableActions.ts';
import {
  createSharingOperation,
  createViewpointDuplicationOperation,
} from '../../../../src/changes/operations/viewpointActions.ts';

const location = { connectionId: 'c1', within: ['Retail'] };
const dataset = { datamodelId: 'm1', datasetId: 'd1' };
const ids = { ...dataset, tableId: 't1' };

describe('the connection of a new dataset', () => {
  const provider = {
    name: 'Any',
    parameters: [
      { name: 'Server', value: 'localhost' },
      { name: 'Port', value: '1' },
    ],
  } as unknown as Parameters<typeof createConnectionInput>[0];

  test('has what the user entered, in place of the defaults of the connector', () => {
    expect(createConnectionInput(provider, { Server: 'db', Schema: 'public', Other: 'x' })).toStrictEqual({
      provider: 'Any',
      schema: 'public',
      parameters: { Server: 'db', Port: '1' },
      globalTableConfigOptions: {},
    });
    expect(createConnectionInput(provider, {})['schema']).toBeNull();
  });

  test('has the first file as its schema, and all files', () => {
    expect(createConnectionInput(provider, { Schema: 'public' }, ['a.csv', 'b.csv'])).toStrictEqual({
      provider: 'Any',
      schema: 'a.csv',
      fileName: 'a.csv',
      parameters: { Server: 'localhost', Port: '1', files: ['a.csv', 'b.csv'] },
      globalTableConfigOptions: {},
    });
  });
});

describe('a known connection', () => {
  const describeSource = (connection: JsonObject) =>
    listDatasetConnections([{ title: 'M', datasets: [{ oid: 'd', connection }] }], 'other').map(
      ({ name, source }) => [name, source],
    );

  test.each<readonly [string, JsonObject, readonly (readonly string[])[]]>([
    ['has a name', { provider: 'x', name: 'Main', parameters: {} }, [['Main', '']]],
    ['is described by its server alone', { provider: 'x', parameters: { Server: 's' } }, [['', 's']]],
    ['is described by its database alone', { provider: 'x', parameters: { Database: 'd' } }, [['', 'd']]],
    [
      'is described by its default database',
      { provider: 'x', parameters: { Server: 's', DefaultDatabase: 'd' } },
      [['', 's/d']],
    ],
    [
      'is described by its files and its server',
      { provider: 'x', parameters: { files: ['a', { path: 'b' }], Server: 's' } },
      [['', 'a, b, s']],
    ],
    [
      'is described by its files rather than by its schema',
      { provider: 'x', schema: 'z', parameters: { files: ['a'] } },
      [['', 'a']],
    ],
    [
      'is described by its schema if it has nothing else',
      { provider: 'x', schema: 'z', parameters: { files: 'a' } },
      [['', 'z']],
    ],
    ['needs a connector', { parameters: { Server: 's' } }, []],
  ])('%s', (_text, connection, expected) => {
    expect(describeSource(connection)).toEqual(expected);
  });
});

describe('a change of tables and columns', () => {
  const columns = ['a', 'b', 'c', 'd'].map((oid) => ({ oid, id: oid, name: oid.toUpperCase(), type: 8 }));
  const table = { oid: 't1', id: 'orders.csv', name: 'Orders', type: 'base', tags: ['x'], columns };

  test.each([true, false])('says whether it hides something: %s', (isHidden) => {
    const causes = [
      createTableHidingOperation(location, ids, 'Orders', isHidden),
      createColumnHidingOperation(location, ids, table, ['a'], isHidden),
    ].map(({ cause }) => cause);
    expect(causes).toEqual(isHidden ? ['hide', 'hide'] : ['unhide', 'unhide']);
  });

  test('names up to three columns, and only the first three of more', () => {
    const getName = (...columnIds: readonly string[]) =>
      createColumnDeletionOperation(location, ids, table, columnIds).subject.name;
    expect(getName('a', 'b', 'c')).toBe('A, B, C');
    expect(getName('a', 'b', 'c', 'd')).toBe('A, B, C, …');
  });

  test('names a column and a table by the ID if they have no name', () => {
    const { subject } = createColumnDeletionOperation(
      location,
      ids,
      { id: 'orders.csv', columns: [{ oid: 'a', name: null, id: 'first' }, { oid: 'b' }, 'text'] },
      ['a', 'b'],
    );
    expect(subject).toEqual({ name: 'first, b', within: ['Retail', 'orders.csv'] });
    expect(createColumnDeletionOperation(location, ids, {}, ['a']).subject).toEqual({
      name: '',
      within: ['Retail', ''],
    });
  });

  test('copies a base table with its columns, but without their IDs', () => {
    const [write] = createTableDuplicationOperation(location, dataset, table, 'Copy').writes;
    expect(write?.body).toStrictEqual({
      type: 'base',
      tags: ['x'],
      id: 'orders.csv',
      name: 'Copy',
      columns: columns.map(({ oid: _oid, ...column }) => column),
    });
  });

  test.each(['SELECT 1', { oid: 'e', expression: 'SELECT 1' }])(
    'copies a custom table with its SQL, and leaves its columns to a build: %j',
    (expression) => {
      const customTable = { ...table, type: 'Custom', expression };
      const [write] = createTableDuplicationOperation(location, dataset, customTable, 'Copy').writes;
      expect(write?.body).toStrictEqual({
        type: 'Custom',
        tags: ['x'],
        name: 'Copy',
        expression: 'SELECT 1',
      });
    },
  );

  test('copies a custom table whose SQL is missing or unreadable', () => {
    const getBody = (expression: JsonObject | null) =>
      createTableDuplicationOperation(location, dataset, { type: 'custom', expression }, 'Copy').writes[0]
        ?.body;
    expect(getBody(null)).toStrictEqual({ type: 'custom', name: 'Copy' });
    expect(getBody({ oid: 'e' })).toStrictEqual({ type: 'custom', name: 'Copy', expression: '' });
  });

  test.each([
    [createBuildBehavior('replace'), 'sync', null, 'replace'],
    [createBuildBehavior('replace-changed'), 'ignoreIfExists', null, 'replace-changed'],
    [createBuildBehavior('append'), 'accumulativeSync', null, 'append'],
    [createBuildBehavior('incremental'), 'accumulativeSync', null, 'append'],
  ])('has the settings of a build preset: %j', (behavior, type, accumulativeConfig, preset) => {
    expect(behavior).toEqual({ type, accumulativeConfig });
    expect(getBuildPreset(behavior)).toBe(preset);
  });

  test('has settings for an incremental build', () => {
    const behavior = createBuildBehavior('incremental', { columnId: 'a', lastDays: 3, keepOnlyDays: null });
    expect(behavior['accumulativeConfig']).toEqual({
      column: 'a',
      type: 'lastStored',
      lastDays: 3,
      keepOnlyDays: null,
    });
  });
});

describe('a new rule', () => {
  const extract = { kind: 'extract', server: 'LocalHost', elasticube: 'Shop' } as const;
  const live = { kind: 'live', title: 'Desk' } as const;
  const parties: readonly RuleParty[] = [{ type: 'group', id: 'g' }, { type: 'default' }];

  test.each([
    [extract, [{ party: 'g', type: 'group' }, { type: 'default' }]],
    [live, [{ partyId: 'g', type: 'group' }, { type: 'default' }]],
  ])('names its parties as $kind datamodels do', (subject, shares) => {
    const input = { table: 'T', column: 'C', datatype: 'text', grant: { kind: 'nothing' }, parties } as const;
    expect(createRuleDocument(subject, input)['shares']).toEqual(shares);
    const old = {
      _id: 'r',
      created: 'x',
      lastModified: 'y',
      importedIdIdentifier: 'z',
      table: 'T',
      column: 'C',
      members: ['a'],
      shares: [],
    };
    const operation = createRuleDuplicationOperation(location, subject, old, parties);
    expect(operation.writes[0]?.body).toStrictEqual([{ table: 'T', column: 'C', members: ['a'], shares }]);
    expect(operation).toMatchObject({ cause: 'duplicate', subject: { name: 'T.C' } });
  });

  test('is added to several datamodels, each of which it names', () => {
    const rule = {
      _id: 'r',
      fullname: 'x',
      live: false,
      table: 'T',
      column: 'C',
      server: 's',
      elasticube: 'e',
    };
    const subjects = ['A', 'B'].map((elasticube) => ({ ...extract, elasticube }));
    const { writes, cause } = createRuleCopyOperation(location, subjects, [rule], 'T.C');
    expect(cause).toBe('duplicate');
    expect(writes.map(({ body }) => body)).toStrictEqual(
      ['A', 'B'].map((elasticube) => [{ table: 'T', column: 'C', server: 'LocalHost', elasticube }]),
    );
  });
});

describe('a viewpoint', () => {
  test('is copied unpublished, with an empty description if it has none', () => {
    const { writes } = createViewpointDuplicationOperation(location, { id: 'v', enabled: true }, 'Copy');
    expect(writes[0]?.body).toStrictEqual({ name: 'Copy', description: '' });
  });

  test('is shared even if its lists contain values that are not names', () => {
    const share = (visibility: JsonObject | null) =>
      createSharingOperation(
        location,
        { viewpointId: 'v', name: 'V' },
        { visibility },
        { apps: ['app'], groups: [{ id: 'g', name: 'G' }], users: [] },
      ).writes[0]?.body;
    expect(share({ apps: [7, 'old'], groups: 'G', users: [null] })).toStrictEqual({
      visibility: { apps: ['old', 'app'], groups: ['G'], users: [] },
    });
    expect(share({ groups: ['G'] })).toStrictEqual({
      visibility: { apps: ['app'], groups: ['G'], users: [] },
    });
    expect(share({ groups: ['g'] })).toStrictEqual({
      visibility: { apps: ['app'], groups: ['g'], users: [] },
    });
    expect(share(null)).toStrictEqual({ visibility: { apps: ['app'], groups: ['G'], users: [] } });
  });
});
