import fc from 'fast-check';
import type { JsonObject } from '../../../../src/base/json.ts';
import { asObject, getObjects, getText } from '../../../../src/changes/model/jsonMembers.ts';
import { readTables } from '../../../../src/project/instance/identifiers.ts';
import { randomModel } from '../randomModel.ts';
import type { InstanceContent } from './roundTripSupport.ts';

/** The users and groups of random instances. */
export const testPeople = {
  users: ['Ann', 'Bob', 'Cem'].map((name, index) => ({
    _id: `0000000000000000000000e${index}`,
    userName: name.toLowerCase(),
    email: `${name.toLowerCase()}@example.com`,
    firstName: name,
    lastName: '',
  })),
  groups: ['North', 'South'].map((name, index) => ({
    _id: `0000000000000000000000f${index}`,
    name,
    members: [],
  })),
} as const satisfies InstanceContent;

const parties: readonly JsonObject[] = [
  ...testPeople.users.map(({ _id }) => ({ type: 'user', party: _id })),
  ...testPeople.groups.map(({ _id }) => ({ type: 'group', party: _id })),
];

/** Names that need escaping somewhere: in keys, paths, SQL, or JSON. */
const nameText = fc.oneof(
  fc.constantFrom('Id', 'Name', 'Order Date', 'a/b', 'a~b', 'x]y', "it's", 'ÄÖ', 'constructor', 'con', '%41'),
  fc.string({ minLength: 1, maxLength: 6 }).map((text) => `n${text.replaceAll('\0', '')}z`),
);

const createNamesArbitrary = (minLength: number, maxLength: number): fc.Arbitrary<readonly string[]> =>
  fc.uniqueArray(nameText, { minLength, maxLength, selector: (name) => name.toLowerCase().trim() });

const optionalText = fc.option(fc.string({ maxLength: 5 }), { nil: null });

const columnDetails = fc.record({
  type: fc.constantFrom(8, 18, 4, 40),
  hidden: fc.boolean(),
  indexed: fc.boolean(),
  isUpsertBy: fc.boolean(),
  description: optionalText,
  isCustom: fc.constantFrom(true, null, null),
});

const tableSpec = fc.record({
  columnNames: createNamesArbitrary(1, 4),
  columns: fc.array(columnDetails, { minLength: 4, maxLength: 4 }),
  hidden: fc.boolean(),
  description: optionalText,
  tags: fc.constantFrom(null, [], ['a', 'b']),
  accumulates: fc.boolean(),
  behavior: fc.constantFrom('sync', 'accumulativeSync', 'ignoreIfExists'),
  configOptions: fc.constantFrom<JsonObject | null>(
    null,
    { Table: 'T.csv', empty: null },
    { nested: { a: [1] } },
  ),
  sqlInObject: fc.boolean(),
});

const ruleSpec = fc.record({
  column: fc.nat(20),
  partyIndices: fc.shuffledSubarray([...parties.keys()], { minLength: 0 }),
  splitAt: fc.nat(parties.length),
  hasDefault: fc.boolean(),
  defaultAll: fc.constantFrom(true, false),
  members: fc.uniqueArray(fc.constantFrom('a', 'b', '1', 'ü'), { minLength: 1, maxLength: 3 }),
  otherContent: fc.constantFrom<JsonObject>(
    { members: [], allMembers: true },
    { members: [], allMembers: false },
    { members: ['c'], allMembers: null, exclusionary: false },
  ),
});

const modelSpec = fc.record({
  isLive: fc.boolean(),
  hasIdAsName: fc.boolean(),
  tableNames: createNamesArbitrary(4, 4),
  tables: fc.array(tableSpec, { minLength: 4, maxLength: 4 }),
  baseCount: fc.constantFrom(1, 2),
  customCount: fc.constantFrom(0, 1, 2),
  relations: fc.uniqueArray(fc.tuple(fc.nat(3), fc.nat(3)), {
    maxLength: 3,
    selector: ([a, b]) => `${Math.min(a, b)} ${Math.max(a, b)}`,
  }),
  rules: fc.uniqueArray(ruleSpec, { maxLength: 3, selector: ({ column }) => column }),
});

const viewpointSpec = fc.record({
  model: fc.nat(2),
  description: fc.string({ maxLength: 5 }),
  groups: fc.subarray(testPeople.groups.map(({ name }) => name)),
  users: fc.subarray(
    testPeople.users.map(({ _id }) => _id),
    { minLength: 1 },
  ),
  enabled: fc.boolean(),
});

type Spec<Value> = Value extends fc.Arbitrary<infer Result> ? Result : never;

/** Creates the identifiers of an instance: each call returns another one. */
class Ids {
  readonly #prefix: string;
  #count = 0;

  constructor(prefix: string) {
    this.#prefix = prefix;
  }

  next(): string {
    this.#count += 1;
    return `${this.#prefix}-5eed-4000-8000-${String(this.#count).padStart(12, '0')}`;
  }

  nextHex(): string {
    this.#count += 1;
    return `${this.#prefix}${String(this.#count).padStart(16, '0')}`;
  }
}

function createTable(
  name: string,
  spec: Spec<typeof tableSpec>,
  { ids, sql, isLive }: { readonly ids: Ids; readonly sql: string | undefined; readonly isLive: boolean },
): JsonObject {
  const toExpression = (text: string) => (spec.sqlInObject ? { oid: ids.next(), expression: text } : text);
  const columns = spec.columnNames.map((columnName, index): JsonObject => {
    const { isCustom, ...details } = spec.columns[index] ?? {};
    return {
      oid: ids.next(),
      id: columnName,
      name: columnName,
      ...details,
      isCustom: isCustom ?? null,
      expression: isCustom === true ? toExpression(`${index} + 1`) : null,
    };
  });
  const [first] = columns;
  return {
    oid: ids.next(),
    id: sql === undefined ? `source of ${name}` : name,
    name,
    type: sql === undefined ? 'base' : 'custom',
    columns,
    expression: sql === undefined ? null : toExpression(sql),
    hidden: spec.hidden,
    description: spec.description,
    tags: spec.tags,
    configOptions: spec.configOptions,
    buildBehavior: isLive
      ? null
      : spec.accumulates
        ? { type: 'accumulativeSync', accumulativeConfig: { column: first?.['oid'] ?? null } }
        : { type: spec.behavior, accumulativeConfig: null },
  };
}

function createModel(title: string, spec: Spec<typeof modelSpec>, ids: Ids): JsonObject {
  const { isLive, baseCount, customCount, hasIdAsName } = spec;
  const tables = spec.tables.slice(0, baseCount + customCount).map((table, index) =>
    createTable(spec.tableNames[index] ?? '', table, {
      ids,
      isLive,
      sql: index < baseCount ? undefined : `SELECT ${index} AS "${title}"`,
    }),
  );
  const datasets = [
    ...tables.slice(0, baseCount).map((table, index): JsonObject => {
      const oid = ids.next();
      return {
        oid,
        name: hasIdAsName ? oid : `Source ${index}`,
        fullname: `CSV:${oid}`,
        type: isLive ? 'live' : 'extract',
        database: index === 0 ? 'db' : null,
        connection: {
          oid: ids.next(),
          name: `Connection ${index}`,
          provider: 'CSV',
          parameters: { folder: '/data', Password: 'hunter2hunter2' },
        },
        schema: { tables: [table] },
      };
    }),
    ...(customCount === 0
      ? []
      : [
          {
            oid: ids.next(),
            name: 'Custom',
            type: 'custom',
            connection: null,
            schema: { tables: tables.slice(baseCount) },
          },
        ]),
  ];
  const ends = datasets.flatMap((dataset) =>
    readTables(dataset).map((table) => ({
      dataset: dataset['oid'] ?? null,
      table: table['oid'] ?? null,
      column: getObjects(table['columns'])[0]?.['oid'] ?? null,
    })),
  );
  return {
    oid: ids.next(),
    title,
    type: isLive ? 'live' : 'extract',
    server: 'LocalHost',
    serverId: ids.next(),
    datasets,
    relations: spec.relations.flatMap(([a, b]) => {
      const columns = [ends[a], ends[b]].filter((end) => end !== undefined);
      return a === b || columns.length < 2 ? [] : [{ oid: ids.next(), columns }];
    }),
  };
}

/** Returns the rules of a datamodel: some on columns that it doesn't have. */
function createRules(model: JsonObject, { rules }: Spec<typeof modelSpec>, ids: Ids): readonly JsonObject[] {
  const columns = getObjects(model['datasets'])
    .flatMap(readTables)
    .flatMap((table) =>
      getObjects(table['columns']).map(({ name }) => ({
        table: getText(table['name']),
        column: getText(name),
      })),
    );
  const isLive = model['type'] === 'live';
  const usedColumns = new Set<string>();
  return rules.flatMap((spec): readonly JsonObject[] => {
    const column = columns[spec.column] ?? { table: 'Nowhere', column: `${spec.column}` };
    if (usedColumns.has(JSON.stringify(column))) {
      return [];
    }
    usedColumns.add(JSON.stringify(column));
    const sets = [spec.partyIndices.slice(0, spec.splitAt), spec.partyIndices.slice(spec.splitAt)]
      .map((indices) => indices.flatMap((index) => parties[index] ?? []))
      .filter((shares) => shares.length > 0);
    const contents: readonly JsonObject[] = [{ members: spec.members, allMembers: null }, spec.otherContent];
    const ruleContents: readonly JsonObject[] = [
      ...sets.map((shares, index) => ({ ...contents[index], shares })),
      ...(spec.hasDefault || sets.length === 0
        ? [{ members: [], allMembers: spec.defaultAll, shares: [{ type: 'default' }] }]
        : []),
    ];
    return ruleContents.map(({ exclusionary, shares, ...content }) => ({
      _id: ids.nextHex(),
      ...(isLive
        ? { fullname: `live:${getText(model['title'])}`, live: true }
        : { server: 'LocalHost', elasticube: model['title'] ?? '', exclusionary: exclusionary ?? false }),
      ...column,
      datatype: 'text',
      ...content,
      shares: getObjects(shares).map(({ party, ...share }) => ({
        ...share,
        ...(party === undefined ? {} : { [isLive ? 'partyId' : 'party']: party }),
      })),
    }));
  });
}

/** A model of {@link randomModel} that a server could have: custom tables are in a dataset of their own. */
const legalModel = randomModel.map((model): JsonObject => {
  const [dataset = {}] = getObjects(model['datasets']);
  const [base, custom] = readTables(dataset);
  const customId = '00000000-c057-4000-8000-000000000001';
  return {
    ...model,
    datasets: [
      {
        ...dataset,
        type: 'extract',
        // An environment has a connection of its own, without identifiers of another instance.
        connection: { ...asObject(dataset['connection']), parameters: { folder: '/data' } },
        schema: { tables: [base ?? null] },
      },
      { oid: customId, name: 'Custom', type: 'custom', schema: { tables: [custom ?? null] } },
    ],
    relations: getObjects(model['relations']).map((relation) => ({
      ...relation,
      columns: getObjects(relation['columns']).map((end) =>
        end['table'] === custom?.['oid'] ? { ...end, dataset: customId } : end,
      ),
    })),
  };
});

/** Random instances with everything that requests can set. */
export const randomInstance: fc.Arbitrary<Required<InstanceContent>> = fc
  .record({
    titles: createNamesArbitrary(2, 2),
    models: fc.array(modelSpec, { minLength: 1, maxLength: 2 }),
    other: legalModel,
    viewpointNames: createNamesArbitrary(2, 2),
    viewpoints: fc.array(viewpointSpec, { maxLength: 2 }),
  })
  .map(({ titles, models, other, viewpointNames, viewpoints }) => {
    const ids = new Ids('abcd1234');
    const createdModels = models.map((spec, index) => {
      const model = createModel(titles[index] ?? '', spec, ids);
      return { model, rules: createRules(model, spec, ids) };
    });
    const rules = createdModels.flatMap((entry) => entry.rules);
    return {
      ...testPeople,
      datamodels: [...createdModels.map(({ model }) => model), other],
      extractRules: rules.filter(({ live }) => live !== true),
      liveRules: rules.filter(({ live }) => live === true),
      viewpoints: viewpoints.map(({ model, users, groups, enabled, description }, index): JsonObject => {
        const title = titles[model] ?? 'Somewhere else';
        const isLive = createdModels[model]?.model['type'] === 'live';
        return {
          id: ids.nextHex(),
          name: viewpointNames[index] ?? '',
          description,
          enabled,
          createdBy: testPeople.users[0]?._id ?? '',
          details: {
            datasource: {
              id: `localhost_${title}`,
              title: createdModels[model] === undefined ? (titles[0] ?? '') : title,
              fullname: isLive ? `live:${title}` : `LocalHost/${title}`,
              modelType: isLive ? 'live' : 'external',
            },
            columns: [{ dim: '[Orders.Id]', title: 'Id', datatype: 'text' }],
          },
          visibility: { apps: ['slack'], groups, users, enabled },
        };
      }),
    };
  });
