import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/base/json.ts';
import { getObjects, getText } from '../../../../src/changes/model/jsonMembers.ts';
import { StoppedError } from '../../../../src/changes/run/writeErrors.ts';
import { readTables } from '../../../../src/project/instance/identifiers.ts';
import { expectDefined } from '../../../support/expectations.ts';
import { PulledProject } from '../pull/pullSupport.ts';
import { testPeople } from './randomInstance.ts';
import { getSettableContents, pullNew } from './roundTripSupport.ts';
import { UndoFixture } from './undoSupport.ts';

const createOid = (number: number): string => `abcd0000-5eed-4000-8000-${String(number).padStart(12, '0')}`;
const createColumn = (number: number, name: string): JsonObject => ({
  oid: createOid(number),
  id: name,
  name,
  type: 18,
  // What a server adds to a new column.
  hidden: false,
  indexed: true,
  isUpsertBy: false,
});
const [key, linked, otherLinked] = [createColumn(10, 'K'), createColumn(11, 'X'), createColumn(20, 'X')];

interface Parts {
  readonly columns: readonly JsonObject[];
  readonly buildBehavior?: JsonObject;
  /** The table B, and its relation with X of A. */
  readonly hasLinkedTable?: boolean;
  readonly isLinked?: boolean;
  /** The column of A with a rule. */
  readonly protectedColumn?: string;
  readonly hasViewpoint?: boolean;
}

/** Creates an instance with the tables A and B. */
const createContent = ({
  columns,
  buildBehavior = { type: 'sync' },
  hasLinkedTable = true,
  isLinked = false,
  protectedColumn,
  hasViewpoint = false,
}: Parts) => ({
  ...testPeople,
  liveRules: [],
  datamodels: [
    {
      oid: createOid(1),
      title: 'M',
      type: 'extract',
      server: 'LocalHost',
      datasets: [
        {
          oid: createOid(2),
          name: 'S',
          fullname: 'CSV:S',
          type: 'extract',
          connection: { oid: createOid(3), provider: 'CSV', parameters: { folder: '/data' } },
          schema: {
            tables: [
              { oid: createOid(4), id: 'a.csv', name: 'A', type: 'base', buildBehavior, columns },
              ...(hasLinkedTable
                ? [
                    {
                      oid: createOid(5),
                      id: 'b.csv',
                      name: 'B',
                      hidden: false,
                      buildBehavior: { type: 'sync' },
                      type: 'base',
                      columns: [otherLinked],
                    },
                  ]
                : []),
            ],
          },
        },
      ],
      relations: isLinked
        ? [
            {
              oid: createOid(30),
              columns: [
                { dataset: createOid(2), table: createOid(4), column: createOid(11) },
                { dataset: createOid(2), table: createOid(5), column: createOid(20) },
              ],
            },
          ]
        : [],
    },
  ],
  extractRules:
    protectedColumn === undefined
      ? []
      : [
          {
            _id: `abcd${protectedColumn.codePointAt(0)}`.padEnd(24, '0'),
            server: 'LocalHost',
            elasticube: 'M',
            table: 'A',
            column: protectedColumn,
            datatype: 'text',
            members: ['1'],
            allMembers: null,
            exclusionary: false,
            shares: [{ type: 'default' }],
          },
        ],
  viewpoints: hasViewpoint
    ? [
        {
          id: 'abcd00000000000000000100',
          name: 'V',
          description: '',
          enabled: false,
          visibility: { enabled: false, apps: [], users: [], groups: [] },
          details: {
            datasource: { title: 'M', fullname: 'LocalHost/M', modelType: 'external' },
            columns: [{ table: 'A', column: 'K', dim: '[A.K]' }],
          },
        },
      ]
    : [],
});

const accumulation = { type: 'accumulativeSync', accumulativeConfig: { column: createOid(11) } };

/** Creates an instance, and a project whose apply makes it like another one. */
async function prepare(profile: 'guide' | 'contract', before: Parts, after: Parts) {
  const fixture = await UndoFixture.create(profile, {
    content: createContent(before),
    prunedKinds: ['table', 'column', 'relation', 'rules'],
  });
  const original = new PulledProject(new Map(fixture.project.texts));
  await fixture.adopt(createContent(after));
  return Object.assign(fixture, { original });
}

/** Returns the columns of A that exist and have rules. */
function listProtectedColumns({ instance }: UndoFixture): string {
  const { tables, rules } = instance.fixture.sandbox.store;
  const columns = getObjects(tables.getDocumentInModel(createOid(1), createOid(4))?.['columns']);
  return rules
    .getAll()
    .map(({ rule }) => getText(rule['column']))
    .filter((column) => columns.some(({ name }) => name === column))
    .join();
}

/** Returns which of the tables and columns of A in the expected states are visible, and which columns have rules. */
function describeVisible(fixture: UndoFixture, expectedStates: readonly string[]): string {
  const { datamodels, rules } = fixture.instance.fixture.sandbox.store;
  const tables = getObjects(datamodels.getDocument(createOid(1))?.['datasets']).flatMap(readTables);
  const [tableA] = tables;
  const visible = [...tables, ...getObjects(tableA?.['columns'])]
    .filter(({ hidden }) => hidden !== true)
    .map(({ name }) => getText(name))
    .filter((name) => expectedStates.some((state) => state.startsWith(name)));
  return `${visible.join()} with ${rules
    .getAll()
    .map(({ rule }) => getText(rule['column']))
    .join()}`;
}

describe.each(['guide', 'contract'] as const)('on an instance of the profile %s', (profile) => {
  test.each(['undo', 'rollBack'] as const)(
    '%s of several changes of a table never leaves it without a rule',
    async (ending) => {
      using fixture = await prepare(
        profile,
        { columns: [key, createColumn(12, 'L')], protectedColumn: 'K' },
        { columns: [key, createColumn(13, 'X')], protectedColumn: 'X', hasViewpoint: true },
      );
      const changes = fixture.instance.fixture;
      // The last write creates a viewpoint.
      changes.getWriteFault = (line) =>
        ending === 'rollBack' && line.includes('/viewpoints') ? 'refusal' : undefined;
      const applied = fixture.apply();
      await (ending === 'undo' ? applied : expect(applied).rejects.toThrow(StoppedError));
      const entry = expectDefined(await fixture.readLatest());
      // L is hidden, X is created, and then L is deleted and X shown.
      expect(entry.operation.writes.filter(({ endpoint }) => endpoint === 'tables.update')).toHaveLength(3);

      const protectedColumns: string[] = [];
      changes.getWriteFault = () => {
        protectedColumns.push(listProtectedColumns(fixture));
        return undefined;
      };
      await (ending === 'undo' ? fixture.undo(entry) : fixture.end(entry, 'rollBack'));
      expect(protectedColumns.length).toBeGreaterThan(2);
      expect(protectedColumns).not.toContain('');
    },
  );

  test.each<readonly [name: string, before: Parts, after: Parts]>([
    [
      'the deletion of a linked column, and a change of another one',
      { columns: [key, linked], isLinked: true },
      { columns: [{ ...key, description: 'changed' }] },
    ],
    [
      'the deletion of a linked column, and of the table that it was linked to',
      { columns: [key, linked], isLinked: true },
      { columns: [key], hasLinkedTable: false },
    ],
    [
      'the deletion of the column that a table accumulates by',
      { columns: [key, linked], buildBehavior: accumulation },
      { columns: [key], buildBehavior: { type: 'sync' } },
    ],
  ])('an undo restores everything after %s', async (_name, before, after) => {
    using fixture = await prepare(profile, before, after);
    await fixture.undo(await fixture.apply());
    const restored = getSettableContents(await pullNew(fixture.instance));
    expect(restored).toEqual(getSettableContents(fixture.original));
  });

  test('an undo restores everything if the responses of the apply show only IDs and names of columns', async () => {
    using fixture = await prepare(profile, { columns: [key, linked] }, { columns: [key] });
    const changes = fixture.instance.fixture;
    changes.shortensColumns = (line) => line.startsWith('PATCH');
    await fixture.undo(await fixture.apply());
    const restored = getSettableContents(await pullNew(fixture.instance));
    expect(restored).toEqual(getSettableContents(fixture.original));
  });

  describe.each(['undo', 'rollBack'] as const)('%s', (ending) => {
    test.each<readonly [name: string, before: Parts, after: Parts, expectedStates: readonly string[]]>([
      [
        'hides a column that the apply has shown before it widens rules',
        { columns: [key, { ...linked, hidden: true }], isLinked: true },
        { columns: [key, linked], isLinked: true, protectedColumn: 'K' },
        ['X with K', ' with K', ' with '],
      ],
      [
        'shows a column that it creates again after it has restored rules',
        { columns: [key, linked], protectedColumn: 'K' },
        { columns: [key] },
        [' with ', ' with ', ' with K', 'X with K'],
      ],
      [
        'shows a table that it creates again after it has restored rules',
        { columns: [key], protectedColumn: 'K', hasLinkedTable: true },
        { columns: [key], hasLinkedTable: false },
        [' with ', ' with ', ' with K', 'B with K'],
      ],
    ])('%s', async (_name, before, after, expectedStates) => {
      using fixture = await prepare(profile, before, { ...after, hasViewpoint: true });
      const changes = fixture.instance.fixture;
      changes.getWriteFault = (line) =>
        ending === 'rollBack' && line.includes('/viewpoints') ? 'refusal' : undefined;
      const applied = fixture.apply();
      await (ending === 'undo' ? applied : expect(applied).rejects.toThrow(StoppedError));
      const entry = expectDefined(await fixture.readLatest());

      const states: string[] = [];
      changes.getWriteFault = (line) => {
        if (!line.includes('/viewpoints')) {
          states.push(describeVisible(fixture, expectedStates));
        }
        return undefined;
      };
      await (ending === 'undo' ? fixture.undo(entry) : fixture.end(entry, 'rollBack'));
      states.push(describeVisible(fixture, expectedStates));
      expect(states).toEqual(expectedStates);
      const restored = getSettableContents(await pullNew(fixture.instance));
      expect(restored).toEqual(getSettableContents(fixture.original));
    });
  });
});
