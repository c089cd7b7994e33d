import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type JsonObject, type JsonValue, isJsonObject, stringify } from '../../../../src/base/json.ts';
import { asObject, getObjects, getText, isEmpty } from '../../../../src/changes/model/jsonMembers.ts';
import { StoppedError } from '../../../../src/changes/run/writeErrors.ts';
import { readTables } from '../../../../src/project/instance/identifiers.ts';
import { expectDefined } from '../../../support/expectations.ts';
import { getPropertyRuns } from '../../../support/soak.ts';
import type { PulledProject } from '../pull/pullSupport.ts';
import { testPeople } from './randomInstance.ts';
import { getSettableContents, pullNew } from './roundTripSupport.ts';
import { UndoFixture } from './undoSupport.ts';

const createOid = (number: number): string => `abcd0000-5eed-4000-8000-${String(number).padStart(12, '0')}`;
const createId = (number: number): string => `abcd${String(number).padStart(20, '0')}`;

const columnNames = ['K', 'L', 'X'] as const;
const tableNames = ['A', 'B', 'Z'] as const;
/** The columns that each relation joins, by the indices of their tables and their own. */
const relationEnds = [
  [
    [0, 1],
    [1, 1],
  ],
  [
    [0, 2],
    [1, 2],
  ],
  [
    [0, 1],
    [2, 0],
  ],
  [
    [1, 2],
    [2, 0],
  ],
] as const;

const description = fc.constantFrom(undefined, '', 'Text');
const columnState = fc.record({
  exists: fc.constantFrom(true, true, false),
  hidden: fc.boolean(),
  description,
});
/** The values that the rule of a column shows; `undefined` without a rule. */
const members = fc.constantFrom(undefined, undefined, ['1'], ['1', '2'], ['2']);
const tableState = fc.record({
  exists: fc.constantFrom(true, true, true, false),
  hidden: fc.boolean(),
  description,
  accumulates: fc.boolean(),
  columns: fc.tuple(columnState, columnState, columnState),
  members: fc.tuple(members, members, members),
});
const viewpointState = fc.option(
  fc.record({
    enabled: fc.boolean(),
    users: fc.subarray(testPeople.users.map(({ _id }) => _id)),
    groups: fc.subarray(testPeople.groups.map(({ _id }) => _id)),
    columns: fc.subarray([...columnNames], { minLength: 1 }),
    hasFilter: fc.constantFrom(false, false, true),
    // A viewpoint that is shared only with apps is never planned, since it can't be sent.
    hasAppsOnly: fc.constantFrom(false, false, true),
  }),
  { nil: undefined },
);
const instanceState = fc.record({
  tables: fc.tuple(tableState, tableState),
  relations: fc.subarray([...relationEnds.keys()]),
  viewpoints: fc.tuple(viewpointState, viewpointState),
});
type Value<Type> = Type extends fc.Arbitrary<infer Result> ? Result : never;
type InstanceState = Value<typeof instanceState>;

const omitUndefined = (object: Readonly<Record<string, JsonValue | undefined>>): JsonObject =>
  Object.fromEntries(
    Object.entries(object).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const])),
  );

/** Returns whether a column exists. The table Z and its only column always do. */
const hasColumn = ({ tables }: InstanceState, table: number, column: number): boolean =>
  table === 2
    ? column === 0
    : tables[table]?.exists === true && (column === 0 || tables[table].columns[column]?.exists === true);

function createTable(state: InstanceState, index: number): JsonObject {
  const table = state.tables[index];
  const accumulates = table?.accumulates === true && hasColumn(state, index, 1);
  return omitUndefined({
    oid: createOid(10 + index),
    id: `${tableNames[index]}.csv`,
    name: tableNames[index],
    type: 'base',
    hidden: table?.hidden,
    description: table?.description,
    buildBehavior: accumulates
      ? { type: 'accumulativeSync', accumulativeConfig: { column: createOid(101 + index * 10) } }
      : { type: 'sync', accumulativeConfig: null },
    columns: columnNames.flatMap((name, column) =>
      hasColumn(state, index, column)
        ? [
            omitUndefined({
              oid: createOid(100 + index * 10 + column),
              id: name,
              name,
              type: 18,
              hidden: table?.columns[column]?.hidden,
              description: table?.columns[column]?.description,
            }),
          ]
        : [],
    ),
  });
}

const createRules = (state: InstanceState): readonly JsonObject[] =>
  state.tables.flatMap((table, index) =>
    columnNames.flatMap((column, columnIndex) => {
      const shown = table.members[columnIndex];
      return shown === undefined || !hasColumn(state, index, columnIndex)
        ? []
        : [
            {
              _id: createId(index * 10 + columnIndex),
              server: 'LocalHost',
              elasticube: 'M',
              table: tableNames[index] ?? '',
              column,
              datatype: 'text',
              members: shown,
              allMembers: null,
              exclusionary: false,
              shares: [{ type: 'default' }],
            },
          ];
    }),
  );

const createViewpoint = (
  { enabled, users, groups, columns, hasFilter, hasAppsOnly }: NonNullable<Value<typeof viewpointState>>,
  index: number,
  isPlanned: boolean,
): JsonObject => {
  const isShared = isPlanned || !hasAppsOnly;
  const hasApps = !isShared || users.length + groups.length > 0;
  return {
    id: createId(900 + index),
    name: `V${index}`,
    description: '',
    enabled,
    visibility: {
      enabled,
      apps: hasApps ? ['chat'] : [],
      users: isShared ? users : [],
      groups: isShared ? groups : [],
    },
    details: {
      datasource: { title: 'M', fullname: 'LocalHost/M', modelType: 'external' },
      columns: columns.map((column, position) => ({
        table: 'A',
        column,
        dim: `[A.${column}]`,
        ...(hasFilter && position === 0 ? { filter: { members: ['1'] } } : {}),
      })),
    },
  };
};

function createContent(state: InstanceState, isPlanned = false) {
  const joined = state.relations
    .flatMap((index) => {
      const ends = relationEnds[index];
      return ends === undefined ? [] : [ends];
    })
    .filter((ends) => ends.every(([table, column]) => hasColumn(state, table, column)));
  return {
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
              tables: [...tableNames.keys()]
                .filter((index) => hasColumn(state, index, 0))
                .map((index) => createTable(state, index)),
            },
          },
        ],
        relations: joined.map((ends, index) => ({
          oid: createOid(50 + index),
          columns: ends.map(([table, column]) => ({
            dataset: createOid(2),
            table: createOid(10 + table),
            column: createOid(100 + table * 10 + column),
          })),
        })),
      },
    ],
    extractRules: createRules(state),
    viewpoints: state.viewpoints.flatMap((viewpoint, index) =>
      viewpoint === undefined ? [] : [createViewpoint(viewpoint, index, isPlanned)],
    ),
  };
}

/** What queries of a table show. */
interface TableAccess {
  /** The values of protected columns of the table, and of the tables that it's linked to. */
  readonly shown: ReadonlyMap<string, ReadonlySet<string>>;
  readonly visibleColumns: ReadonlySet<string>;
}
type Access = ReadonlyMap<string, TableAccess>;

function getAccess(model: JsonObject, rules: readonly JsonObject[]): Access {
  const tables = new Map(
    getObjects(model['datasets'])
      .flatMap(readTables)
      .map((table) => [getText(table['oid']), table]),
  );
  const links = getObjects(model['relations'])
    .map(({ columns }) => getObjects(columns))
    .filter((ends) =>
      ends.every(({ table, column }) =>
        getObjects(tables.get(getText(table))?.['columns']).some(({ oid }) => oid === column),
      ),
    )
    .map((ends) => ends.map(({ table }) => getText(table)));
  return new Map(
    [...tables].map(([oid, { name, hidden, columns }]) => {
      const linked = new Set([oid]);
      // A set visits what is added meanwhile.
      for (const table of linked) {
        links
          .filter((link) => link.includes(table))
          .forEach((link) => link.forEach((other) => linked.add(other)));
      }
      const shown = new Map<string, ReadonlySet<string>>();
      for (const table of [...linked].map((id) => asObject(tables.get(id)))) {
        for (const column of getObjects(table['columns'])) {
          const key = `${getText(table['name'])}.${getText(column['name'])}`;
          for (const rule of rules.filter(
            (other) => `${getText(other['table'])}.${getText(other['column'])}` === key,
          )) {
            if (rule['allMembers'] !== true) {
              const values = new Set((rule['members'] as readonly JsonValue[]).map(getText));
              shown.set(key, shown.get(key)?.intersection(values) ?? values);
            }
          }
        }
      }
      const visible =
        hidden === true ? [] : getObjects(columns).filter((column) => column['hidden'] !== true);
      return [
        getText(name),
        { shown, visibleColumns: new Set(visible.map((column) => getText(column['name']))) },
      ];
    }),
  );
}

/**
 * Returns a row of each table with a column that is visible in it, but neither before nor after. Tables that don't exist
 * before have no data.
 */
const findWiderAccess = (access: Access, before: Access, after: Access): readonly string[] =>
  [...access].flatMap(([table, { shown, visibleColumns }]) => {
    const others = [before, after].flatMap((other) => other.get(table) ?? []);
    const keys = [...new Set([{ shown }, ...others].flatMap((other) => [...other.shown.keys()]))];
    const rows = keys.reduce<readonly (readonly string[])[]>(
      (all) => all.flatMap((row) => ['1', '2', '3'].map((value) => [...row, value])),
      [[]],
    );
    const shows = (columns: TableAccess['shown'], row: readonly string[]): boolean =>
      keys.every((key, index) => columns.get(key)?.has(row[index] ?? '') !== false);
    return !before.has(table)
      ? []
      : [...visibleColumns].flatMap((column) => {
          const allowed = others.filter((other) => other.visibleColumns.has(column));
          const row = rows.find(
            (values) => shows(shown, values) && !allowed.some((other) => shows(other.shown, values)),
          );
          return row === undefined
            ? []
            : [`${table}.${column}: ${keys.map((key, index) => `${key} = ${row[index]}`).join(', ')}`];
        });
  });

const readAccess = ({ instance }: UndoFixture): Access => {
  const { datamodels, rules } = instance.fixture.sandbox.store;
  return getAccess(
    expectDefined(datamodels.getDocument(createOid(1))),
    rules.getAll().map(({ rule }) => rule),
  );
};

/** Returns the items of a project without empty values, and without what a server adds to new columns. */
function getContents(project: PulledProject): JsonValue {
  const omitEmpty = (value: JsonValue, name = ''): JsonValue => {
    if (Array.isArray(value)) {
      return (value as readonly JsonValue[]).map((item) => omitEmpty(item));
    }
    if (!isJsonObject(value)) {
      return value;
    }
    // What can't be sent is restored as not shared.
    const isShared =
      name !== 'visibility' || !isEmpty(value['users'] ?? null) || !isEmpty(value['groups'] ?? null);
    return Object.fromEntries(
      Object.entries(value)
        .map(([member, content]) => [member, omitEmpty(content, member)] as const)
        .filter(
          ([member, content]) => !isEmpty(content) && member !== 'indexed' && (isShared || member !== 'apps'),
        ),
    );
  };
  return omitEmpty(getSettableContents(project));
}

/** The writes that the instance refuses, 0 for none, and how it responds to the others. */
const server = fc.record({
  refusedInApply: fc.constantFrom(0, 0, 1, 2, 3, 4, 5, 6, 8),
  refusedInUndo: fc.constantFrom(0, 0, 0, 1, 2, 3, 4),
  responses: fc.constantFrom('complete', 'complete', 'short', 'empty'),
});

/** Applies a state to an instance with another one, and undoes that: with a rollback if the apply stops. */
async function checkUndone(
  before: InstanceState,
  after: InstanceState,
  { refusedInApply, refusedInUndo, responses }: Value<typeof server>,
  profile: 'guide' | 'contract',
): Promise<'nothing' | 'undo' | 'rollBack'> {
  using fixture = await UndoFixture.create(profile, {
    content: createContent(before),
    prunedKinds: ['table', 'column', 'relation', 'rules', 'viewpoint'],
  });
  const contents = getContents(fixture.project);
  await fixture.adopt(createContent(after, true));
  const plan = await fixture.load();
  fc.pre(plan.prepared.compiled.problems.length === 0);
  if (plan.operation.writes.length === 0) {
    return 'nothing';
  }
  const changes = fixture.instance.fixture;
  // Without the ID of what was created, an undo can't delete it.
  changes.hasEmptyResponse = (line) => responses === 'empty' && /^(?:PATCH|PUT|DELETE)/.test(line);
  changes.shortensColumns = (line) => responses === 'short' && /^PATCH .*\/tables\//.test(line);
  const run = async (refusedWrite: number, action: () => Promise<unknown>) => {
    const during: Access[] = [];
    changes.getWriteFault = () => {
      during.push(readAccess(fixture));
      return during.length === refusedWrite ? 'refusal' : undefined;
    };
    try {
      await action();
      return { during, isStopped: false };
    } catch (error) {
      expect(error).toBeInstanceOf(StoppedError);
      return { during, isStopped: true };
    }
  };
  const accessBefore = readAccess(fixture);
  const accessAfter = getAccess(asObject(createContent(after).datamodels[0]), createRules(after));
  const applied = await run(refusedInApply, () => fixture.apply());
  const entry = expectDefined(await fixture.readLatest());
  const accessApplied = readAccess(fixture);
  const ending = applied.isStopped ? 'rollBack' : 'undo';
  const undone = await run(refusedInUndo, () =>
    ending === 'undo' ? fixture.undo(entry) : fixture.end(entry, 'rollBack'),
  );
  const finished = await run(0, async () => {
    if (undone.isStopped) {
      await (ending === 'undo'
        ? fixture.end(expectDefined(await fixture.readLatest()), 'resume')
        : fixture.end(entry, 'rollBack'));
    }
  });

  const undo = expectDefined(await fixture.readLatest());
  const requests = [entry, undo].map(({ operation }) =>
    operation.writes.map(({ endpoint, body = null, outputRefs = [] }) =>
      [endpoint, stringify(body), JSON.stringify(outputRefs)].join(' '),
    ),
  );
  const wider = {
    apply: applied.during.flatMap((access) => findWiderAccess(access, accessBefore, accessAfter)),
    [ending]: [...undone.during, ...finished.during].flatMap((access) =>
      findWiderAccess(access, accessBefore, accessApplied),
    ),
  };
  expect(wider, JSON.stringify(requests, null, 1)).toEqual({ apply: [], [ending]: [] });
  expect(finished.isStopped, JSON.stringify(requests, null, 1)).toBe(false);
  expect(getContents(await pullNew(fixture.instance)), JSON.stringify(requests, null, 1)).toEqual(contents);
  return ending;
}

describe.each(['guide', 'contract'] as const)('on an instance of the profile %s', (profile) => {
  test('an undo or a rollback restores everything, and shows only what is visible before or after', async () => {
    const counts = { nothing: 0, undo: 0, rollBack: 0 };
    await fc.assert(
      fc.asyncProperty(instanceState, instanceState, server, async (before, after, behavior) => {
        counts[await checkUndone(before, after, behavior, profile)] += 1;
      }),
      { numRuns: getPropertyRuns(15) },
    );
    expect(counts.undo).toBeGreaterThan(0);
    expect(counts.rollBack).toBeGreaterThan(0);
  });
});
