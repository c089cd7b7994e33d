import fc from 'fast-check';
import { type JsonObject, type JsonValue, parseLossless, stringify } from '../../../../src/base/json.ts';
import { asObject, getObjects, getText } from '../../../../src/changes/model/jsonMembers.ts';
import { readTables } from '../../../../src/project/instance/identifiers.ts';
import { expectDefined } from '../../../support/expectations.ts';
import { testPeople } from './randomInstance.ts';
import type { UndoFixture } from './undoSupport.ts';

export const createOid = (number: number): string =>
  `abcd0000-5eed-4000-8000-${String(number).padStart(12, '0')}`;
const createId = (number: number): string => `abcd${String(number).padStart(20, '0')}`;

export const columnNames = ['K', 'L', 'X'] as const;
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
  renamed: fc.constantFrom(false, false, true),
});
/** The values that the rule of a column shows; `undefined` without a rule. */
const members = fc.constantFrom(undefined, undefined, ['1'], ['1', '2'], ['2']);
const tableState = fc.record({
  exists: fc.constantFrom(true, true, true, false),
  hidden: fc.boolean(),
  description,
  renamed: fc.constantFrom(false, false, true),
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
    // Such a viewpoint is never planned, since it can't be sent.
    hasAppsOnly: fc.constantFrom(false, false, true),
  }),
  { nil: undefined },
);
/** Random states of an instance with one datamodel. */
export const instanceState = fc.record({
  tables: fc.tuple(tableState, tableState),
  relations: fc.subarray([...relationEnds.keys()]),
  viewpoints: fc.tuple(viewpointState, viewpointState),
});
export type Value<Type> = Type extends fc.Arbitrary<infer Result> ? Result : never;
export type InstanceState = Value<typeof instanceState>;

const omitUndefined = (object: Readonly<Record<string, JsonValue | undefined>>): JsonObject =>
  Object.fromEntries(
    Object.entries(object).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const])),
  );

/** Returns whether a column exists. The table Z and its only column always do. */
const hasColumn = ({ tables }: InstanceState, table: number, column: number): boolean =>
  table === 2
    ? column === 0
    : tables[table]?.exists === true && (column === 0 || tables[table].columns[column]?.exists === true);

const nameTable = ({ tables }: InstanceState, index: number): string =>
  `${tableNames[index]}${tables[index]?.renamed === true ? newNameSuffix : ''}`;

const nameColumn = ({ tables }: InstanceState, index: number, column: number): string =>
  `${columnNames[column]}${tables[index]?.columns[column]?.renamed === true ? newNameSuffix : ''}`;

const newNameSuffix = 'New';

/** Returns the name of a table or column that may be renamed, so that both of its names are the same. */
const toFirstName = (name: string): string => name.replaceAll(newNameSuffix, '');

function createTable(state: InstanceState, index: number): JsonObject {
  const table = state.tables[index];
  const accumulates = table?.accumulates === true && hasColumn(state, index, 1);
  return omitUndefined({
    oid: createOid(10 + index),
    id: `${tableNames[index]}.csv`,
    name: nameTable(state, index),
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
              name: nameColumn(state, index, column),
              type: 18,
              hidden: table?.columns[column]?.hidden,
              description: table?.columns[column]?.description,
            }),
          ]
        : [],
    ),
  });
}

export const createRules = (state: InstanceState): readonly JsonObject[] =>
  state.tables.flatMap((table, index) =>
    columnNames.flatMap((_name, columnIndex) => {
      const shown = table.members[columnIndex];
      return shown === undefined || !hasColumn(state, index, columnIndex)
        ? []
        : [
            {
              _id: createId(index * 10 + columnIndex),
              server: 'LocalHost',
              elasticube: 'M',
              table: nameTable(state, index),
              column: nameColumn(state, index, columnIndex),
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
  state: InstanceState,
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
        table: nameTable(state, 0),
        column: nameColumn(state, 0, columnNames.indexOf(column)),
        dim: `[${nameTable(state, 0)}.${nameColumn(state, 0, columnNames.indexOf(column))}]`,
        ...(hasFilter && position === 0 ? { filter: { members: ['1'] } } : {}),
      })),
    },
  };
};

/** Creates the content of an instance in a state. */
export function createContent(state: InstanceState, isPlanned = false) {
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
      viewpoint === undefined ? [] : [createViewpoint(viewpoint, index, isPlanned, state)],
    ),
  };
}

/** What queries of a table show. */
interface TableAccess {
  /** The values of protected columns: of its own, and of those of tables that it's linked to. */
  readonly shown: ReadonlyMap<string, ReadonlySet<string>>;
  readonly visibleColumns: ReadonlySet<string>;
}
export type Access = ReadonlyMap<string, TableAccess>;

/** Returns what queries of each table show; a renamed table or column has its first name. */
export function getAccess(model: JsonObject, rules: readonly JsonObject[]): Access {
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
              shown.set(toFirstName(key), shown.get(toFirstName(key))?.intersection(values) ?? values);
            }
          }
        }
      }
      const visible =
        hidden === true ? [] : getObjects(columns).filter((column) => column['hidden'] !== true);
      return [
        toFirstName(getText(name)),
        { shown, visibleColumns: new Set(visible.map((column) => toFirstName(getText(column['name'])))) },
      ];
    }),
  );
}

/**
 * Returns a row of each table with a column that is visible in it, but neither before nor after. Tables that don't exist
 * before have no data.
 */
export const findWiderAccess = (access: Access, before: Access, after: Access): readonly string[] =>
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

export const readAccess = ({ instance }: UndoFixture): Access => {
  const { datamodels, rules } = instance.fixture.sandbox.store;
  return getAccess(
    expectDefined(datamodels.getDocument(createOid(1))),
    rules.getAll().map(({ rule }) => rule),
  );
};

/** Replaces the files of the project by those of another state, in which tables and columns may have other names. */
export async function adoptState(fixture: UndoFixture, state: InstanceState): Promise<void> {
  await fixture.adopt(createContent(state, true));
  const { texts } = fixture.project;
  const addFormerName = (item: JsonObject): JsonObject => {
    const name = getText(item['name']);
    const renamedFrom = name.endsWith(newNameSuffix) ? toFirstName(name) : `${name}${newNameSuffix}`;
    return { ...item, renamedFrom };
  };
  for (const [path, text] of texts) {
    if (path.endsWith('.table.json')) {
      const table = asObject(parseLossless(text));
      const columns = getObjects(table['columns']).map(addFormerName);
      texts.set(path, stringify({ ...addFormerName(table), columns }));
    }
  }
}

/** Runs an action, and returns what is visible right before each of its writes, except for builds. */
export async function recordAccess(
  fixture: UndoFixture,
  action: () => Promise<unknown>,
): Promise<readonly Access[]> {
  const during: Access[] = [];
  const changes = fixture.instance.fixture;
  changes.getWriteFault = (line) => {
    if (!line.includes('/builds')) {
      during.push(readAccess(fixture));
    }
    return undefined;
  };
  await action();
  changes.getWriteFault = () => undefined;
  return during;
}
