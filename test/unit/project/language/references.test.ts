import { describe, expect, test } from 'vitest';
import type { TableOrColumnName, ProjectRename } from '../../../../src/project/language/languageCalls.ts';
import { expectDefined } from '../../../support/expectations.ts';
import { type ProjectFiles, paths, validFiles } from '../../../support/projectFiles.ts';
import { mayContainName } from '../../../../src/project/language/findReferences.ts';
import { createEngine } from './languageSupport.ts';

const status: TableOrColumnName = { datamodel: 'Retail', table: 'Orders', column: 'Status' };
const orders: TableOrColumnName = { datamodel: 'Retail', table: 'Orders' };

/** A cube set with a rule on a table of Retail, and a filter and a formula in the viewpoint. */
const furtherFiles: ProjectFiles = {
  [paths.cubeSet]: [
    {
      cubeSet: 'All',
      table: 'Orders',
      column: 'Status',
      datatype: 'text',
      members: [],
      allMembers: true,
      shares: [{ type: 'default' }],
    },
  ],
  [paths.viewpoint]: {
    name: 'Sales',
    details: {
      datasource: { title: 'Retail' },
      columns: [
        {
          title: 'Status',
          dim: '[orders.status]',
          table: 'orders',
          column: 'status',
          filter: { by: { table: 'Orders', column: 'Status', dim: '[Orders.Status]' } },
        },
        { title: 'Other', dim: '[Items.Order]', table: 'Items', column: 'Order' },
      ],
    },
  },
};

/** A second datamodel with a table of the same name. */
const otherFiles: ProjectFiles = {
  'datamodels/Other/Other.datamodel.json': { title: 'Other', type: 'extract' },
  'datamodels/Other/datasets/Sales.dataset.json': { name: 'Sales', type: 'extract' },
  'datamodels/Other/tables/Orders.table.json': {
    name: 'Orders',
    dataset: 'Sales',
    columns: [{ name: 'Status', type: 18 }],
  },
};

describe('the name at the caret', () => {
  test.each([
    [paths.orders, '"Ord|ers"', orders],
    [paths.orders, '"name": "Sta|tus"', status],
    [paths.relation, '"Item|s"', { datamodel: 'Retail', table: 'Items' }],
    [paths.relation, '"column": "I|d"', { ...orders, column: 'Id' }],
    [paths.rules, '"column": "|Status"', status],
    [paths.viewpoint, '[Ord|ers.Status]', orders],
    [paths.viewpoint, '[Orders.Sta|tus]', status],
    [
      'datamodels/Retail/tables/Items.table.json',
      '"column": "Ord|er"',
      {
        datamodel: 'Retail',
        table: 'Items',
        column: 'Order',
      },
    ],
    [paths.label, '[Sta|tus]', status],
    [paths.totalsSql, 'FROM Or|ders', orders],
  ])('in %s at %s is that of the table or column', async (path, marked, name) => {
    const { findName } = await createEngine();
    expect(findName(path, marked)?.name).toEqual(name);
  });

  test('of a viewpoint and of SQL has the letter case of the table', async () => {
    const { findName } = await createEngine({
      [paths.totalsSql]: 'SELECT status FROM orders\n',
      ...furtherFiles,
    });
    expect(findName(paths.viewpoint, '[orders.sta|tus]')?.name).toEqual(status);
    expect(findName(paths.totalsSql, 'sta|tus')?.name).toEqual(status);
  });

  test('of an output of a custom table is that of its column', async () => {
    const { engine, findName, applyEdits } = await createEngine({
      [paths.totals]: {
        ...(validFiles[paths.totals] as object),
        columns: [
          { name: 'Status', type: 18 },
          { name: 'Number', type: 8 },
        ],
      },
      [paths.totalsSql]:
        'SELECT q.S AS Status, COUNT(*) AS number, 1 AS New\nFROM (SELECT o.Status AS S FROM Orders o) q\nORDER BY number\n',
    });
    const name = { datamodel: 'Retail', table: 'Totals', column: 'Number' };
    expect(findName(paths.totalsSql, 'AS num|ber')?.name).toEqual(name);
    expect(findName(paths.totalsSql, 'ORDER BY num|ber')?.name).toEqual(name);
    expect(findName(paths.totalsSql, 'AS Stat|us')?.name).toEqual({ ...name, column: 'Status' });
    // These names exist only in the SQL.
    expect(findName(paths.totalsSql, 'AS |S FROM')).toBeUndefined();
    expect(findName(paths.totalsSql, 'AS N|ew')).toBeUndefined();
    const rename = await engine.rename({ name, newName: 'Count' });
    const edits = 'edits' in rename ? rename.edits : [];
    expect(applyEdits(paths.totals, edits)).toContain('"renamedFrom": "Number"');
    expect(applyEdits(paths.totalsSql, edits)).toMatch(/AS \[?Count\]?, 1 AS New[^]*ORDER BY \[?Count\]?\n/);
  });

  test('is unknown for aliases, other texts, and names that belong to no single datamodel', async () => {
    const { findName } = await createEngine({ ...furtherFiles, ...otherFiles });
    expect(findName(paths.totalsSql, 'Orders o|')).toBeUndefined();
    expect(findName(paths.rules, '"O|pen"')).toBeUndefined();
    expect(findName(paths.viewpoint, '"Sal|es"')).toBeUndefined();
    // Two datamodels have the table.
    expect(findName(paths.cubeSet, '"Ord|ers"')).toBeUndefined();
  });
});

test('the definition is the name in the file of the table, in the unsaved text', async () => {
  const { engine, describeLocation, getText } = await createEngine();
  const describeDefinition = (name: TableOrColumnName): string =>
    describeLocation(expectDefined(engine.findDefinition(name)));
  expect(describeDefinition(orders)).toBe('Orders.table.json:2: "Orders"');
  expect(describeDefinition(status)).toBe('Orders.table.json:11: "Status"');
  // A column that is only in the SQL of a custom table.
  expect(describeDefinition({ datamodel: 'Retail', table: 'Totals', column: 'Number' })).toBe(
    'Totals.table.json:2: "Totals"',
  );
  expect(engine.findDefinition({ datamodel: 'Retail', table: 'Nope' })).toBeUndefined();
  engine.setUnsaved([{ path: paths.orders, text: `\n\n${getText(paths.orders)}` }]);
  expect(engine.findDefinition(orders)?.span.start.line).toBe(3);
});

test('references are found in the JSON and SQL of all files, even after a byte-order mark', async () => {
  const { engine, describeLocation } = await createEngine({
    ...furtherFiles,
    [paths.label]: '\uFEFFUPPER([Status])\n',
  });
  const references = engine.findReferences({ name: status, includesDeclaration: true });
  expect(references.map(describeLocation).toSorted()).toEqual(
    [
      'Label.datamodel.sql:1: [Status]',
      'Orders.Status.rules.json:4: "Status"',
      'Orders.Status.rules.json:5: "Status"',
      'Orders.Status.rules.json:19: "Status"',
      'Orders.table.json:11: "Status"',
      'Sales.viewpoint.json:10: status]"',
      'Sales.viewpoint.json:12: "status"',
      'Sales.viewpoint.json:16: "Status"',
      'Sales.viewpoint.json:17: Status]"',
      'Totals.datamodel.sql:1: Status',
      'Totals.datamodel.sql:3: Status',
    ].toSorted(),
  );
  expect(engine.findReferences({ name: status, includesDeclaration: false })).toHaveLength(
    references.length - 1,
  );
});

test.each([
  ['"A/B"', true],
  [String.raw`"A\/b"`, true],
  [String.raw`"\u0041/B"`, true],
  ['"A", "B"', false],
])('%s may contain the name A/B: %s', (text, mayContain) => {
  expect(mayContainName(text, { table: 'A/B' })).toBe(mayContain);
});

describe('a rename', () => {
  const expectEdits = (rename: ProjectRename) => {
    if ('refusal' in rename) {
      throw new Error(`Refused: ${rename.refusal.reason}`);
    }
    return rename.edits;
  };

  test('of a column changes all files, and records the former name', async () => {
    const { engine, applyEdits, write } = await createEngine(furtherFiles);
    const edits = expectEdits(await engine.rename({ name: status, newName: 'State' }));
    const changed = [...new Set(edits.map(({ path }) => path))];
    expect(changed.toSorted()).toEqual(
      [paths.orders, paths.rules, paths.cubeSet, paths.viewpoint, paths.label, paths.totalsSql].toSorted(),
    );
    expect(applyEdits(paths.orders, edits)).toContain('"name": "State"');
    expect(applyEdits(paths.orders, edits)).toContain('"renamedFrom": "Status"');
    expect(applyEdits(paths.label, edits)).toBe('UPPER([State])\n');
    // The other custom table keeps the name of its column.
    expect(applyEdits(paths.totalsSql, edits)).toBe(
      'SELECT o.State AS Status, COUNT(o.Id) AS Number\nFROM Orders o\nGROUP BY o.State\n',
    );
    expect(applyEdits(paths.viewpoint, edits)).not.toMatch(/Orders\.Status|"column": "status"/i);
    changed.forEach((path) => write(path, applyEdits(path, edits)));
    await engine.update(changed);
    expect((await Promise.all(changed.map((path) => engine.getFindings(path)))).flat()).toEqual([]);
    expect(engine.findReferences({ name: status, includesDeclaration: true })).toEqual([]);
  });

  test('of a table changes all files', async () => {
    const { engine, applyEdits } = await createEngine(furtherFiles);
    const edits = expectEdits(await engine.rename({ name: orders, newName: 'Sales Orders' }));
    expect(applyEdits(paths.orders, edits)).toContain('"renamedFrom": "Orders"');
    expect(applyEdits(paths.totalsSql, edits)).toContain('FROM [Sales Orders] o');
    expect(applyEdits(paths.relation, edits)).toContain('"table": "Sales Orders"');
    expect(applyEdits(paths.viewpoint, edits)).toContain('"dim": "[Sales Orders.status]"');
    expect(applyEdits(paths.cubeSet, edits)).toContain('"table": "Sales Orders"');
    expect(edits.some(({ isUncertain }) => isUncertain)).toBe(false);
  });

  test('of a date changes names with the suffix of its dim, and keeps the suffix', async () => {
    const nameWithSuffix = { table: 'Orders', column: 'Created (Calendar)' };
    const { engine, applyEdits, findName } = await createEngine({
      [paths.orders]: {
        ...(validFiles[paths.orders] as object),
        columns: [
          { name: 'Created', type: 31 },
          { name: 'Closed (Calendar)', type: 31 },
          { name: 'Closed', type: 31 },
        ],
      },
      [paths.viewpoint]: {
        name: 'Sales',
        details: {
          datasource: { title: 'Retail' },
          columns: [
            { title: 'A', dim: '[Orders.Created (Calendar)]', ...nameWithSuffix },
            { title: 'B', filter: { by: nameWithSuffix } },
            { title: 'C', table: 'Orders', column: 'Closed (Calendar)' },
          ],
        },
      },
    });
    const name = { ...orders, column: 'Created' };
    expect(findName(paths.viewpoint, '"column": "Crea|ted')?.name).toEqual(name);
    const createdEdits = expectEdits(await engine.rename({ name, newName: 'X' }));
    expect(applyEdits(paths.viewpoint, createdEdits).match(/\bX.*"|Created/g)).toEqual([
      'X (Calendar)]"',
      'X (Calendar)"',
      'X (Calendar)"',
    ]);
    const closedEdits = expectEdits(
      await engine.rename({ name: { ...orders, column: 'Closed' }, newName: 'X' }),
    );
    expect(applyEdits(paths.viewpoint, closedEdits)).toContain('"column": "Closed (Calendar)"');
  });

  test('of a column of a custom table changes its query', async () => {
    const { engine, applyEdits } = await createEngine();
    const rename = (column: string) =>
      engine.rename({ name: { datamodel: 'Retail', table: 'Totals', column }, newName: 'X' });
    expect(applyEdits(paths.totalsSql, expectEdits(await rename('Status')))).toContain(
      'SELECT o.Status AS X,',
    );
    expect(applyEdits(paths.totalsSql, expectEdits(await rename('Number')))).toContain('AS X\n');
  });

  test('of a column of a custom table changes its query if only the letter case differs', async () => {
    const { engine, applyEdits } = await createEngine({
      [paths.totals]: {
        ...(validFiles[paths.totals] as object),
        columns: [
          { name: 'Order_ID', type: 8 },
          { name: 'Number', type: 8 },
        ],
      },
      [paths.totalsSql]: 'SELECT o.Id AS order_id, COUNT(o.Id) AS Number\nFROM Orders o\nORDER BY order_id\n',
    });
    const rename = async (column: string) =>
      expectEdits(
        await engine.rename({ name: { datamodel: 'Retail', table: 'Totals', column }, newName: 'X' }),
      );
    const edits = await rename('Order_ID');
    expect(applyEdits(paths.totals, edits)).toContain('"name": "X"');
    expect(applyEdits(paths.totalsSql, edits)).toBe(
      'SELECT o.Id AS X, COUNT(o.Id) AS Number\nFROM Orders o\nORDER BY X\n',
    );
    expect(applyEdits(paths.totals, await rename('NUMBER'))).toContain('"name": "X"');
  });

  test('is uncertain in the rules of a cube set if another datamodel has the table, too', async () => {
    const { engine } = await createEngine({ ...furtherFiles, ...otherFiles });
    const edits = expectEdits(await engine.rename({ name: orders, newName: 'X' }));
    expect([...new Set(edits.filter(({ isUncertain }) => isUncertain).map(({ path }) => path))]).toEqual([
      paths.cubeSet,
    ]);
    expect(edits.filter(({ path }) => path.startsWith('datamodels/Other'))).toEqual([]);
  });

  test('back to the former name removes `renamedFrom`', async () => {
    const { engine, applyEdits, getText } = await createEngine({
      [paths.orders]: { ...(validFiles[paths.orders] as object), renamedFrom: 'Sales' },
    });
    const furtherEdits = expectEdits(await engine.rename({ name: orders, newName: 'Third' }));
    expect(applyEdits(paths.orders, furtherEdits)).toContain('"renamedFrom": "Sales"');
    const editsBack = expectEdits(await engine.rename({ name: orders, newName: 'Sales' }));
    expect(applyEdits(paths.orders, editsBack)).toBe(
      getText(paths.orders)
        .replace('"name": "Orders"', '"name": "Sales"')
        .replace(/,\n *"renamedFrom": "Sales"/, ''),
    );
  });

  test('of a column that was never pulled does not record its former name', async () => {
    const createLock = (columns: object) => ({
      version: 1,
      bound: [],
      items: { 'table/Retail/Orders': { oid: '1', columns, parts: {} } },
    });
    const { engine, applyEdits, write } = await createEngine({
      'environments/test.lock.json': createLock({ Id: '2' }),
    });
    const rename = async (name: TableOrColumnName): Promise<string> =>
      applyEdits(paths.orders, expectEdits(await engine.rename({ name, newName: 'X' })));
    expect(await rename(status)).not.toContain('renamedFrom');
    expect(await rename({ ...orders, column: 'Id' })).toContain('"renamedFrom": "Id"');
    write('environments/test.lock.json', createLock({ Id: '2', Status: '3' }));
    expect(await rename(status)).toContain('"renamedFrom": "Status"');
  });

  describe('a second time', () => {
    const createLock = (tables: readonly string[], columns: readonly string[]) => ({
      version: 1,
      bound: [],
      items: Object.fromEntries(
        tables.map((table, index) => [
          `table/Retail/${table}`,
          {
            oid: `t${index}`,
            columns: Object.fromEntries(columns.map((column) => [column, `c${column}`])),
            parts: {},
          },
        ]),
      ),
    });
    const file = validFiles[paths.orders] as { readonly columns: readonly object[] };
    const createRenamed = (...locks: readonly ReturnType<typeof createLock>[]) =>
      createEngine({
        [paths.orders]: {
          ...file,
          renamedFrom: 'Sales',
          columns: file.columns.map((column) =>
            'name' in column && column.name === 'Status' ? { ...column, renamedFrom: 'State' } : column,
          ),
        },
        ...Object.fromEntries(locks.map((lock, index) => [`environments/e${index}.lock.json`, lock])),
      });

    test('records the name that the instances have', async () => {
      const applied = await createRenamed(createLock(['Orders'], ['Status']));
      const renameApplied = async (name: TableOrColumnName, newName = 'X') =>
        applied.applyEdits(paths.orders, expectEdits(await applied.engine.rename({ name, newName })));
      expect(await renameApplied(orders)).toContain('"renamedFrom": "Orders"');
      expect(await renameApplied(status)).toContain('"renamedFrom": "Status"');
      // Back to the first name, which the instance no longer has.
      expect(await renameApplied(status, 'State')).toContain('"renamedFrom": "Status"');

      const pulled = await createRenamed(createLock(['Sales'], ['State']));
      const renamePulled = async (name: TableOrColumnName, newName = 'X') =>
        pulled.applyEdits(paths.orders, expectEdits(await pulled.engine.rename({ name, newName })));
      expect(await renamePulled(orders)).toContain('"renamedFrom": "Sales"');
      expect(await renamePulled(status)).toContain('"renamedFrom": "State"');
      expect(await renamePulled(status, 'State')).not.toContain('"renamedFrom": "State"');
    });

    test('is refused while instances have different names', async () => {
      const { engine } = await createRenamed(
        createLock(['Orders'], ['Status']),
        createLock(['Sales'], ['State']),
      );
      expect(await engine.rename({ name: orders, newName: 'X' })).toEqual({
        refusal: { reason: 'renamed-before', formerName: 'Sales' },
      });
      expect(await engine.rename({ name: status, newName: 'X' })).toEqual({
        refusal: { reason: 'renamed-before', formerName: 'State' },
      });
    });
  });

  test.each([
    [orders, ' ', 'empty'],
    [orders, 'Orders', 'same'],
    [orders, 'items', 'taken'],
    [status, 'ID', 'taken'],
    [{ ...orders, table: 'Nope' }, 'X', 'not-found'],
    [{ ...orders, column: 'Nope' }, 'X', 'not-found'],
  ] as const)('of %o to "%s" is refused: %s', async (name, newName, reason) => {
    const { engine } = await createEngine();
    expect(await engine.rename({ name, newName })).toEqual({ refusal: { reason } });
  });

  test('of a column that a star selects is refused', async () => {
    const { engine } = await createEngine({ [paths.totalsSql]: 'SELECT * FROM Items\n' });
    const name = { datamodel: 'Retail', table: 'Totals', column: 'Order' };
    expect(await engine.rename({ name, newName: 'X' })).toEqual({ refusal: { reason: 'star' } });
  });

  test('that would change what other SQL means is refused', async () => {
    const { engine } = await createEngine({
      [paths.totalsSql]: 'WITH Sales AS (SELECT 1 AS A)\nSELECT Sales.A, Orders.Id FROM Sales, Orders\n',
    });
    expect(await engine.rename({ name: orders, newName: 'Sales' })).toMatchObject({
      refusal: { reason: 'conflict', path: paths.totalsSql },
    });
  });

  test('names the files that cannot be read', async () => {
    const { engine } = await createEngine({ [paths.rules]: '[' });
    expect(await engine.rename({ name: orders, newName: 'X' })).toMatchObject({
      unreadablePaths: [paths.rules],
    });
  });

  test.each<[string, ProjectFiles]>([
    ['whose SQL is missing or empty', { [paths.totalsSql]: undefined, [paths.label]: '' }],
    ['of another datamodel', { ...otherFiles, 'datamodels/Other/tables/Items.table.json': '[' }],
  ])('does not name files %s', async (_case, changes) => {
    const { engine } = await createEngine(changes);
    expect(await engine.rename({ name: orders, newName: 'X' })).toMatchObject({ unreadablePaths: [] });
  });

  test('names misplaced and duplicate files, which it does not change', async () => {
    const misplaced = 'datamodels/Other/Sales.viewpoint.json';
    const copy = 'datamodels/Retail/rules/Copy.rules.json';
    const { engine } = await createEngine({
      ...otherFiles,
      [misplaced]: validFiles[paths.viewpoint],
      [copy]: validFiles[paths.rules],
    });
    const rename = await engine.rename({ name: orders, newName: 'X' });
    expect('edits' in rename && rename.unreadablePaths).toEqual([misplaced, copy, paths.rules]);
    expect(expectEdits(rename).map(({ path }) => path)).not.toContain(copy);
  });
});
