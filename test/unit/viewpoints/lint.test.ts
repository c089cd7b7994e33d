import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { datamodelSchema } from '../../../src/contract/datamodel.ts';
import {
  infusionSchema,
  viewpointColumnSchema,
  viewpointDetailsSchema,
  viewpointSchema,
  viewpointVisibilitySchema,
} from '../../../src/contract/viewpoint.ts';
import { type Catalog, lintViewpoint } from '../../../src/viewpoints/index.ts';
import { type ValueShape, viewpointShape } from '../../../src/viewpoints/lint/shape.ts';
import { formatDim } from '../../../src/viewpoints/datamodelLookup.ts';
import {
  numberColumn,
  catalog,
  getProblemCodes,
  dateColumn,
  findProblems,
  textColumn,
  createViewpoint,
} from './support.ts';

const withFlags = (column: object, infusion: object): object => ({ ...column, infusion });
const allValuesFilter = { filter: { all: true } };

test('a boolean has the same name where it is expected and where it is found', () => {
  const problems = lintViewpoint(
    createViewpoint([{ ...textColumn, ...allValuesFilter, title: true, infusion: { uid: 'yes' } }]),
  );
  expect(problems.filter(({ reason }) => reason === 'wrong-type').map(({ args }) => args)).toEqual([
    ['title', 'a string', 'true or false'],
    ['uid', 'true or false', 'a string'],
  ]);
});

describe('flags that only one column may have', () => {
  test.each([
    ['uid', 'one-uid', { ...textColumn, ...allValuesFilter }],
    ['defaultMeasure', 'one-default-measure', numberColumn],
    ['defaultDate', 'one-default-date', dateColumn],
  ])('%s: each after the first is reported', (flag, code, column) => {
    const flaggedColumn = withFlags(column, { [flag]: true });
    expect(
      findProblems(
        createViewpoint([flaggedColumn, flaggedColumn, withFlags(column, { [flag]: false }), flaggedColumn]),
      ),
    ).toEqual([`${code}: "${flag}": true`, `${code}: "${flag}": true`]);
    expect(
      getProblemCodes(createViewpoint([flaggedColumn, withFlags(column, { [flag]: false }), column])),
    ).toEqual([]);
  });

  test('a problem has the path of the flag, and its message names the first column with it', () => {
    const flaggedColumn = withFlags({ ...textColumn, ...allValuesFilter, title: 'State' }, { uid: true });
    expect(lintViewpoint(createViewpoint([flaggedColumn, textColumn, flaggedColumn]))).toMatchObject([
      { path: ['details', 'columns', 2, 'infusion', 'uid'], severity: 'error', args: ['State'] },
    ]);
  });
});

describe('uid-needs-filter', () => {
  test.each([undefined, null, {}])('%j is not a filter', (filter) => {
    expect(findProblems(createViewpoint([withFlags({ ...textColumn, filter }, { uid: true })]))).toEqual([
      'uid-needs-filter: "uid": true',
    ]);
  });

  test('any filter of the column with uid is enough, and a column without uid needs none', () => {
    expect(
      getProblemCodes(
        createViewpoint([withFlags({ ...textColumn, filter: { members: [] } }, { uid: true })]),
      ),
    ).toEqual([]);
    expect(
      getProblemCodes(
        createViewpoint([withFlags(textColumn, { uid: false }), { ...numberColumn, ...allValuesFilter }]),
      ),
    ).toEqual([]);
  });
});

describe('dates', () => {
  test('a level or a default date requires a date column', () => {
    expect(
      findProblems(
        createViewpoint([
          { ...textColumn, level: 'days' },
          { ...dateColumn, level: 'months' },
        ]),
      ),
    ).toEqual(['level-needs-datetime: "level": "days"']);
    expect(
      findProblems(
        createViewpoint([
          withFlags(numberColumn, { defaultDate: true }),
          withFlags(dateColumn, { defaultDate: false }),
        ]),
      ),
    ).toEqual(['default-date-type: "defaultDate": true']);
  });

  test('without a datatype, the datamodel or the dim decides whether a column has dates', () => {
    const columnWithoutDatatype = { ...numberColumn, datatype: undefined, level: 'days' };
    expect(getProblemCodes(createViewpoint([columnWithoutDatatype]))).toEqual(['level-needs-datetime']);
    expect(getProblemCodes(createViewpoint([columnWithoutDatatype]), null)).toEqual([]);
    expect(getProblemCodes(createViewpoint([{ ...dateColumn, datatype: undefined, level: 'days' }]))).toEqual(
      [],
    );
    expect(
      getProblemCodes(createViewpoint([withFlags({ dim: '[A.B (Calendar)]' }, { defaultDate: true })]), null),
    ).toEqual([]);
  });

  test('a complete datamodel overrides a datatype that claims a date', () => {
    const wronglyTypedColumn = { ...textColumn, datatype: 'datetime', dim: '[Orders.Status]' };
    expect(getProblemCodes(createViewpoint([{ ...wronglyTypedColumn, level: 'days' }]))).toEqual([
      'level-needs-datetime',
    ]);
    expect(getProblemCodes(createViewpoint([withFlags(wronglyTypedColumn, { defaultDate: true })]))).toEqual([
      'default-date-type',
    ]);
    expect(
      getProblemCodes(createViewpoint([{ ...wronglyTypedColumn, level: 'days' }]), {
        ...catalog,
        complete: false,
      }),
    ).toEqual([]);
  });

  test('a level that is null or of a wrong type does not count', () => {
    expect(getProblemCodes(createViewpoint([{ ...textColumn, level: null }]))).toEqual([]);
    expect(getProblemCodes(createViewpoint([{ ...textColumn, level: 3 }]))).toEqual(['schema']);
  });
});

describe('agg-needs-number', () => {
  test.each([
    { ...textColumn, agg: 'sum' },
    { ...textColumn, agg: 'average', datatype: undefined },
    { ...textColumn, agg: 'average', datatype: 'numeric' },
    { ...dateColumn, agg: 'sum' },
  ])('%j: the column is not a number in the datamodel', (column) => {
    expect(lintViewpoint(createViewpoint([column]), catalog)).toMatchObject([
      { code: 'agg-needs-number', severity: 'warning', path: ['details', 'columns', 0, 'agg'] },
    ]);
  });

  test('without the datamodel the datatype of the document counts', () => {
    expect(findProblems(createViewpoint([{ ...textColumn, agg: 'sum' }]), null)).toEqual([
      'agg-needs-number: "agg": "sum"',
    ]);
    expect(
      getProblemCodes(createViewpoint([{ ...textColumn, agg: 'sum', datatype: undefined }]), null),
    ).toEqual([]);
  });

  test.each([
    { ...textColumn, agg: 'count' },
    { ...numberColumn, agg: 'sum' },
    { ...numberColumn, agg: 'average', datatype: 'text' },
    { table: 'Not Loaded', column: 'x', agg: 'sum' },
  ])('%j is valid', (column) => {
    expect(getProblemCodes(createViewpoint([column]))).toEqual([]);
  });
});

describe('filter-conflict', () => {
  const createFilteredViewpoint = (filter: object): string => createViewpoint([{ ...numberColumn, filter }]);

  test.each([{ members: ['a'] }, { from: 1, to: 2 }, { exclude: { members: ['a'] } }, { '>=': 5 }])(
    'all and %j conflict',
    (conditions) => {
      expect(findProblems(createFilteredViewpoint({ all: true, ...conditions }))).toEqual([
        'filter-conflict: "all": true',
      ]);
      expect(getProblemCodes(createFilteredViewpoint({ all: false, ...conditions }))).toEqual([]);
      expect(getProblemCodes(createFilteredViewpoint(conditions))).toEqual([]);
    },
  );

  test.each([{ explicit: true, multiSelection: true }, { members: [] }, { members: null }, { filter: {} }])(
    'all and %j is valid',
    (options) => {
      expect(getProblemCodes(createFilteredViewpoint({ all: true, ...options }))).toEqual([]);
    },
  );

  test('the message names a condition', () => {
    const [problem] = lintViewpoint(createFilteredViewpoint({ all: true, to: 5, members: ['a'] }), catalog);
    expect(problem).toMatchObject({
      severity: 'warning',
      message: '"all" selects every value, so it can\'t be combined with "members".',
    });
  });
});

describe('dim-mismatch', () => {
  test.each([
    [{ ...textColumn, dim: '[Orders.Amount]' }, '[Orders.Status]'],
    [{ ...textColumn, dim: 'Orders.Status' }, '[Orders.Status]'],
    [{ ...textColumn, dim: '' }, '[Orders.Status]'],
    [{ ...textColumn, dim: '[Orders.Status (Calendar)]' }, '[Orders.Status]'],
    [{ ...dateColumn, dim: '[Orders.Date (Calendar)]' }, '[Orders.Order Date (Calendar)]'],
    [{ table: 'Orders', dim: '[Sales.Amount]' }, '[Orders.Amount]'],
  ])('%j should be %s', (column, expected) => {
    const problems = lintViewpoint(createViewpoint([column]));
    expect(problems.map(({ code, args }) => [code, ...args])).toContainEqual(['dim-mismatch', expected]);
  });

  test.each([
    textColumn,
    dateColumn,
    { ...dateColumn, dim: '[Orders.Order Date]' },
    { ...dateColumn, datatype: undefined },
    { ...dateColumn, datatype: 'text' },
    { ...textColumn, dim: '[ORDERS.status]' },
    { ...textColumn, dim: null },
    { dim: '[Orders.Status]' },
    { table: 'orders.csv', column: 'unit.price', dim: '[orders.csv.unit.price]' },
    { table: 'orders.csv', column: 'a]b', dim: '[orders.csv.a]b]' },
    { table: 'orders.csv', column: 'a]b', dim: '[orders.csv.a]]b]' },
    { dim: '[orders.csv.unit.price]' },
    { table: 'orders.csv', dim: '[orders.csv.unit.price]' },
    { ...dateColumn, column: 'Order Date (Calendar)' },
  ])('%j is valid', (column) => {
    expect(getProblemCodes(createViewpoint([column]))).toEqual([]);
  });

  test('a dim without a table and a column has to be well-formed', () => {
    for (const dim of ['', 'x', '[x]', '[.x]', '[x.]', '[]', ']x.y[']) {
      expect(findProblems(createViewpoint([{ dim }])), dim).toEqual([`dim-mismatch: "dim": "${dim}"`]);
    }
  });
});

describe('names of the datamodel', () => {
  const table = { ...textColumn, table: 'Order', dim: '[Order.Status]' };
  const column = { ...textColumn, column: 'State', dim: '[Orders.State]' };

  test('are reported at the unknown name', () => {
    expect(
      findProblems(createViewpoint([table, column, { dim: '[Nowhere.X]' }, { dim: '[Orders.X]' }])),
    ).toEqual([
      'unknown-table: "table": "Order"',
      'unknown-column: "column": "State"',
      'unknown-table: "dim": "[Nowhere.X]"',
      'unknown-column: "dim": "[Orders.X]"',
    ]);
  });

  test.each([
    [{ ...textColumn, table: 'Ordrs' }, 'unknown-table: "table": "Ordrs"'],
    [{ ...textColumn, column: 'Statsu' }, 'unknown-column: "column": "Statsu"'],
    [{ ...dateColumn, table: 'Ordrs', dim: '[Orders.Order Dat]' }, 'unknown-table: "table": "Ordrs"'],
    [{ ...textColumn, table: 'Ordrs', column: 'Statsu', dim: 'x' }, 'unknown-table: "table": "Ordrs"'],
  ])('%j: the dim is not reported for a name that is wrong', (misspelled, problem) => {
    expect(findProblems(createViewpoint([misspelled]))).toEqual([problem]);
  });

  test('are reported at the dim if only the dim names the table or the column', () => {
    expect(
      findProblems(
        createViewpoint([
          { table: 'Orders', dim: '[Orders.Nope]' },
          { column: 'Status', dim: '[Nope.Status]' },
          { column: 'Nope', dim: '[Orders.Nope]' },
        ]),
      ),
    ).toEqual([
      'unknown-column: "dim": "[Orders.Nope]"',
      'unknown-table: "dim": "[Nope.Status]"',
      'unknown-column: "dim": "[Orders.Nope]"',
    ]);
    expect(
      getProblemCodes(
        createViewpoint([
          { table: 'Orders', dim: '[Orders.Status]' },
          { column: 'Status', dim: '[Orders.Status]' },
          { table: 'Orders', dim: '[Orders.Order Date (Calendar)]' },
        ]),
      ),
    ).toEqual([]);
  });

  test('with case-only differences prefer the exact spelling', () => {
    const catalogWithSameNames: Catalog = {
      complete: true,
      tables: [
        { name: 'Sales', columns: [{ name: 'Id', type: 8 }] },
        {
          name: 'sales',
          columns: [
            { name: 'D', type: 18 },
            { name: 'd', type: 31 },
          ],
        },
      ],
    };
    const createColumn = (name: string) => ({ table: 'sales', column: name, dim: `[sales.${name}]` });
    expect(
      getProblemCodes(
        createViewpoint([createColumn('D'), { ...createColumn('d'), level: 'days' }]),
        catalogWithSameNames,
      ),
    ).toEqual([]);
    expect(
      getProblemCodes(createViewpoint([{ ...createColumn('D'), level: 'days' }]), catalogWithSameNames),
    ).toEqual(['level-needs-datetime']);
  });

  test('are not checked without a complete catalog', () => {
    expect(getProblemCodes(createViewpoint([table, column]), null)).toEqual([]);
    expect(getProblemCodes(createViewpoint([table, column]), { ...catalog, complete: false })).toEqual([]);
    expect(lintViewpoint(createViewpoint([table, column]))).toEqual([]);
  });

  test('are found in any letter case, hidden or not, and in tables that were not loaded', () => {
    const upperCaseColumn = { table: 'ORDERS', column: 'STATUS', dim: '[ORDERS.STATUS]' };
    const hiddenColumn = { table: 'Orders', column: 'Secret', dim: '[Orders.Secret]' };
    expect(
      getProblemCodes(createViewpoint([upperCaseColumn, hiddenColumn, { table: 'Not Loaded', column: 'x' }])),
    ).toEqual([]);
  });
});

describe('deprecated', () => {
  test('keys are all reported, as information', () => {
    const column = withFlags(textColumn, { visible: false, hyperlink: 'x', aliases: [], header: true });
    expect(findProblems(createViewpoint([column]))).toEqual([
      'deprecated: "visible": false',
      'deprecated: "hyperlink": "x"',
      'deprecated: "aliases": []',
    ]);
    expect(lintViewpoint(createViewpoint([column]))[0]?.severity).toBe('information');
    expect(getProblemCodes(createViewpoint([withFlags(textColumn, { visible: null })]))).toEqual([]);
  });
});

describe('visibility', () => {
  const createSharedViewpoint = (visibility: unknown): string =>
    createViewpoint([textColumn], { visibility });

  test('needs an app, and a group or a user', () => {
    expect(findProblems(createSharedViewpoint({ groups: ['Sales'] }))).toEqual([
      'visibility-needs-app: "visibility": { "groups": [ "Sales" ] }',
    ]);
    expect(getProblemCodes(createSharedViewpoint({ apps: [], users: ['ada'] }))).toEqual([
      'visibility-needs-app',
    ]);
    expect(getProblemCodes(createSharedViewpoint({ apps: ['slack'], groups: [], users: null }))).toEqual([
      'visibility-needs-party',
    ]);
    expect(getProblemCodes(createSharedViewpoint({ apps: ['slack'], enabled: true }))).toEqual([
      'visibility-needs-party',
    ]);
  });

  test.each([
    null,
    {},
    { apps: [], groups: [], users: [], enabled: true },
    { apps: ['slack'], groups: ['Sales'] },
    { apps: ['slack'], users: ['ada'] },
  ])('%j is valid', (visibility) => {
    expect(getProblemCodes(createSharedViewpoint(visibility))).toEqual([]);
  });

  test.each([true, false])('contradicts the viewpoint if only one of them is published: %s', (enabled) => {
    const document = createViewpoint([], { enabled, visibility: { enabled: !enabled } });
    expect(findProblems(document)).toEqual([`publication-conflict: "enabled": ${String(!enabled)}`]);
    expect(lintViewpoint(document)).toMatchObject([
      { severity: 'error', path: ['visibility', 'enabled'], args: [String(enabled), String(!enabled)] },
    ]);
  });

  test.each([
    { enabled: true, visibility: { enabled: true } },
    { enabled: true, visibility: {} },
    { enabled: null, visibility: { enabled: true } },
    { visibility: { enabled: true } },
  ])('may agree with the viewpoint, or be the only one that says whether it is published: %j', (members) => {
    expect(getProblemCodes(createViewpoint([], members))).toEqual([]);
  });
});

describe('schema', () => {
  test.each([
    [{ name: 5 }, '"name": 5'],
    [{ enabled: 'true' }, '"enabled": "true"'],
    [{ details: [] }, '"details": []'],
    [{ details: { columns: {} } }, '"columns": {}'],
    [{ details: { columns: [5] } }, '5'],
    [{ details: { columns: [null] } }, 'null'],
    [{ details: { datasource: 'Retail' } }, '"datasource": "Retail"'],
    [{ details: { datasource: { modelType: 'extract' } } }, '"modelType": "extract"'],
    [{ details: { columns: [{ sort: 'up' }] } }, '"sort": "up"'],
    [{ details: { columns: [{ datatype: 'date' }] } }, '"datatype": "date"'],
    [{ details: { columns: [{ agg: 'total' }] } }, '"agg": "total"'],
    [{ details: { columns: [{ level: 'decades' }] } }, '"level": "decades"'],
    [{ details: { columns: [{ filter: 'all' }] } }, '"filter": "all"'],
    [{ details: { columns: [{ filter: { members: 'a' } }] } }, '"members": "a"'],
    [{ details: { columns: [{ format: 'x' }] } }, '"format": "x"'],
    [{ details: { columns: [{ infusion: { uid: 1 } }] } }, '"uid": 1'],
    [{ visibility: { apps: 'slack' } }, '"apps": "slack"'],
    [{ visibility: { apps: ['slack', 1], users: ['a'] } }, '1'],
    [{ name: '' }, '"name": ""'],
    [{ desciption: 'x' }, '"desciption": "x"'],
    [{ details: { columns: [{ Table: 'x' }] } }, '"Table": "x"'],
    [{ details: { columns: [{ filter: { form: 1 } }] } }, '"form": 1'],
    [{ details: { columns: [{ table: 'Orders', unheardOf: [1] }] } }, '"unheardOf": [ 1 ]'],
    [{ details: { columns: [{ column: 'Status', columns: 'y' }] } }, '"columns": "y"'],
    [{ details: { columns: [{ filter: { values: [] } }] } }, '"values": []'],
    [{ tenant: { name: 'system' } }, '"tenant": { "name": "system" }'],
  ])('is violated by %j', (change, marked) => {
    const document = JSON.stringify(
      {
        id: '1',
        name: 'a',
        description: 'b',
        ...change,
        ...('desciption' in change ? { description: undefined } : {}),
      },
      undefined,
      1,
    );
    expect(findProblems(document, null)).toEqual([`schema: ${marked}`]);
  });

  test.each([
    { details: null, visibility: null, enabled: null },
    { details: { columns: null } },
    { details: { columns: [{ formula: '[a] + 1', context: { '[a]': {} } }] } },
    { details: { columns: [{ filter: { '>=': 1 } }] } },
    { details: { columns: [{ format: { mask: {} } }, { format: [1, 'x', {}] }] } },
    { details: { columns: [{ filter: { members: [1, 'x'], last: { count: 3 } } }] } },
  ])('%j is accepted', (change) => {
    expect(getProblemCodes(JSON.stringify({ id: '1', name: 'a', description: 'b', ...change }))).toEqual([]);
  });

  test('a property that is similar to a known one is a warning, even beside the known one', () => {
    const document = createViewpoint([], { descripton: 'x' });
    expect(lintViewpoint(document)).toMatchObject([
      { severity: 'warning', reason: 'similar-key', args: ['descripton', 'description'] },
    ]);
  });

  test('the additional keywords of the query language are information', () => {
    const problems = lintViewpoint(
      createViewpoint([
        { ...numberColumn, agg: 'median' },
        { ...dateColumn, level: 'hours' },
      ]),
    );
    expect(problems.map(({ code, severity }) => [code, severity])).toEqual([
      ['schema', 'information'],
      ['schema', 'information'],
    ]);
  });

  test('a property that nothing documents is information, once the text is complete', () => {
    const document = createViewpoint([{ ...textColumn, agregation: 'x' }]);
    expect(lintViewpoint(document, catalog)).toMatchObject([
      {
        severity: 'information',
        message: 'Unknown property "agregation". The API reference doesn\'t list it.',
      },
    ]);
    expect(getProblemCodes(document.slice(0, -1))).toEqual(['syntax']);
  });

  test('a new viewpoint needs a name', () => {
    expect(findProblems('{"description": ""}')).toEqual(['schema: {']);
    expect(getProblemCodes('{"name": "a", "description": ""}')).toEqual([]);
    expect(getProblemCodes('{"id": "1", "description": "a"}')).toEqual([]);
    expect(getProblemCodes('{"details": {}}')).toEqual([]);
  });

  test('of a duplicate key the last one counts', () => {
    const viewpointWithDuplicateKeys =
      '{"name": 5, "name": "a", "description": "b", "visibility": {"apps": ["x"]}, "visibility": {}}';
    expect(findProblems(viewpointWithDuplicateKeys)).toEqual([
      'schema: "name": 5',
      'schema: "visibility": {"apps": ["x"]}',
    ]);
  });

  test('has the keys of the contract', () => {
    const getFieldNames = (shape: ValueShape | undefined): readonly string[] =>
      shape?.type === 'object' ? [...shape.fields.keys()].sort() : [];
    const getField = (shape: ValueShape | undefined, key: string): ValueShape | undefined =>
      shape?.type === 'object' ? shape.fields.get(key) : undefined;
    const details = getField(viewpointShape, 'details');
    const columns = getField(details, 'columns');
    const column = columns?.type === 'list' ? columns.items : undefined;
    expect(getFieldNames(viewpointShape)).toEqual(Object.keys(viewpointSchema.shape).sort());
    expect(getFieldNames(details)).toEqual(Object.keys(viewpointDetailsSchema.shape).sort());
    expect(getFieldNames(column)).toEqual(Object.keys(viewpointColumnSchema.shape).sort());
    expect(getFieldNames(getField(column, 'infusion'))).toEqual(Object.keys(infusionSchema.shape).sort());
    expect(getFieldNames(getField(viewpointShape, 'visibility'))).toEqual(
      Object.keys(viewpointVisibilitySchema.shape).sort(),
    );
  });
});

test('a viewpoint of all columns of a real datamodel has no problems', () => {
  const file = join(import.meta.dirname, '../../fixtures/real-datamodel.json');
  const model = datamodelSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  const tables = (model.datasets ?? []).flatMap(({ schema }) => schema?.tables ?? []);
  const realCatalog: Catalog = {
    complete: true,
    tables: tables.map(({ name, columns }) => ({
      name: name ?? '',
      columns: (columns ?? []).map((column) => ({
        name: column.name ?? '',
        ...(typeof column.type === 'number' ? { type: column.type } : {}),
      })),
    })),
  };
  const columns = realCatalog.tables.flatMap((table) =>
    table.columns.map((column) => ({
      table: table.name,
      column: column.name,
      dim: formatDim(table.name, column.name, column.type === 4 || column.type === 31),
      datatype:
        column.type === 4 || column.type === 31 ? 'datetime' : column.type === 18 ? 'text' : 'numeric',
    })),
  );
  expect(columns.length).toBeGreaterThan(10);
  expect(getProblemCodes(createViewpoint(columns), realCatalog)).toEqual([]);
});
