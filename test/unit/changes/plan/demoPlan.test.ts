import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/base/json.ts';
import { getCubeSetRuleSubject } from '../../../../src/catalog/ruleSubject.ts';
import type { Plan } from '../../../../src/changes/model/plan.ts';
import { allValues, noValues } from '../../../../src/security/valueSet.ts';
import type { Write } from '../../../../src/changes/model/operation.ts';
import { PlanNeededError } from '../../../../src/changes/run/writeErrors.ts';
import { Bench, columnsIn, failure, getIds, operation, tableRef, updateTable } from '../run/support.ts';

/** The plan of writes on the demo. */
async function getPlan(bench: Bench, ...writes: readonly Write[]): Promise<Plan> {
  return (await bench.open().writer.plan(operation(writes))).plan;
}

/** A PATCH without some columns, or with replacements for them. */
async function withColumns(
  bench: Bench,
  table: string,
  change: (column: JsonObject) => JsonObject | undefined,
): Promise<Write> {
  const columns = columnsIn(await bench.read(tableRef(table))).flatMap((column) => change(column) ?? []);
  return updateTable(table, { columns });
}

const drop = (bench: Bench, table: string, name: string): Promise<Write> =>
  withColumns(bench, table, (column) => (column['name'] === name ? undefined : column));

const rename = (bench: Bench, table: string, name: string, to: string): Promise<Write> =>
  withColumns(bench, table, (column) => (column['name'] === name ? { ...column, name: to } : column));

/** The broken references, one line each; viewpoints are counted. */
function broken({ breaks }: Plan): readonly string[] {
  const lines = breaks
    .filter(({ referrerKind }) => referrerKind !== 'viewpoint')
    .map(({ referrerKind, referrer, names, reason }) => {
      const named = names.column === undefined ? names.table : `${names.table}.${names.column}`;
      return `${referrerKind} ${referrer.name} names ${named}${reason === 'missing' ? '' : ` (${reason})`}`;
    });
  const viewpoints = breaks.filter(({ referrerKind }) => referrerKind === 'viewpoint').length;
  return [...lines.sort(), ...(viewpoints === 0 ? [] : [`${viewpoints} viewpoints`])];
}

/** The number of the demo's viewpoints that name a column, counted on the documents themselves. */
async function viewpointsWith(bench: Bench, table: string, column: string): Promise<number> {
  const { value } = await bench.client.viewpoints.list({ with: 'details', limit: 1000 });
  const mark = `"table":${JSON.stringify(table)},"column":${JSON.stringify(column)}`;
  return value.viewpoints.filter((viewpoint) => JSON.stringify(viewpoint).includes(mark)).length;
}

describe('a column dropped from the demo lists all of its references, and nothing else', () => {
  test('Orders.Status: two expressions, a custom column, its two rules', async () => {
    using bench = new Bench();
    const plan = await getPlan(bench, await drop(bench, 'Orders', 'Status'));
    expect(plan.severity).toBe('breaking');
    expect(plan.deleted).toMatchObject([
      { kind: 'column', name: 'Status', within: ['Retail', 'Sales', 'Orders'] },
    ]);
    expect(plan.builds).toEqual([expect.objectContaining({ title: 'Retail', type: 'schema_changes' })]);
    const uses = await viewpointsWith(bench, 'Orders', 'Status');
    expect(broken(plan)).toEqual([
      'columnExpression Delivery names Orders.Status',
      'rule Orders.Status names Orders.Status',
      'rule Orders.Status names Orders.Status',
      'tableExpression Customer Value names Orders.Status',
      'tableExpression Monthly Store Sales names Orders.Status',
      ...(uses === 0 ? [] : [`${uses} viewpoints`]),
    ]);
  });

  test('the rules of known cube sets, because any datamodel may belong to them', async () => {
    using bench = new Bench();
    bench.cubeSets = [getCubeSetRuleSubject('Shops', 'Set'), getCubeSetRuleSubject('Other')];
    const rule = { datatype: 'text', members: ['Open'], allMembers: null, shares: [{ type: 'default' }] };
    for (const column of ['Status', 'Channel']) {
      await bench.client.extractRules.create({ server: 'Set', elasticube: 'Shops' }, [
        { ...rule, table: 'Orders', column },
      ]);
    }
    const plan = await getPlan(bench, await drop(bench, 'Orders', 'Status'));
    const ofSets = plan.breaks.filter(({ referrer }) => referrer.within[0] === 'Shops');
    expect(ofSets).toMatchObject([
      {
        referrerKind: 'rule',
        referrer: {
          name: 'Orders.Status',
          resource: { kind: 'rule', subject: { server: 'Set', elasticube: 'Shops' } },
        },
      },
    ]);
    expect(plan.unchecked).toEqual([]);
  });

  test('Regions.Region, a name that five tables share', async () => {
    using bench = new Bench();
    const plan = await getPlan(bench, await drop(bench, 'Regions', 'Region'));
    const uses = await viewpointsWith(bench, 'Regions', 'Region');
    expect(uses).toBeGreaterThan(0);
    expect(broken(plan).filter((line) => !line.startsWith('rule'))).toEqual([
      'columnExpression Region names Regions.Region',
      'tableExpression Monthly Store Sales names Regions.Region',
      `${uses} viewpoints`,
    ]);
    const rules = plan.breaks.filter(({ referrerKind }) => referrerKind === 'rule');
    expect(rules.every(({ referrer }) => referrer.within[0] === 'Retail')).toBe(true);
  });

  test('Stores.Region, a custom column of the same name', async () => {
    using bench = new Bench();
    const plan = await getPlan(bench, await drop(bench, 'Stores', 'Region'));
    const uses = await viewpointsWith(bench, 'Stores', 'Region');
    expect(broken(plan)).toEqual([
      'columnExpression Store Label names Stores.Region',
      ...(uses === 0 ? [] : [`${uses} viewpoints`]),
    ]);
  });

  test('Orders.Store Id, a key in several tables: only its own relation', async () => {
    using bench = new Bench();
    const plan = await getPlan(bench, await drop(bench, 'Orders', 'Store Id'));
    expect(broken(plan)).toEqual([
      'relation Orders.Store Id = Stores.Store Id names Orders.Store Id',
      'tableExpression Monthly Store Sales names Orders.Store Id',
    ]);
  });

  test('Orders.Order Date, the accumulation column of the table', async () => {
    using bench = new Bench();
    const plan = await getPlan(bench, await drop(bench, 'Orders', 'Order Date'));
    expect(broken(plan)).toContain('accumulation Orders names Orders.Order Date');
    expect(broken(plan)).toContain('columnExpression Order Month names Orders.Order Date');
  });

  test('an unused column breaks nothing, and is reported as deleted', async () => {
    using bench = new Bench();
    const plan = await getPlan(bench, await drop(bench, 'Stores', 'Square Meters'));
    expect(broken(plan)).toEqual([]);
    expect(plan.severity).toBe('destructive');
  });
});

describe('other writes on the demo', () => {
  test('a column sent without its oid is a different one: references by oid break, references by name do not', async () => {
    using bench = new Bench();
    const again = await withColumns(bench, 'Orders', (column) => {
      const { oid: _oid, ...rest } = column;
      return column['name'] === 'Order Date' ? rest : column;
    });
    const plan = await getPlan(bench, again);
    expect(broken(plan)).toContain('accumulation Orders names Orders.Order Date');
    expect(plan.created).toMatchObject([{ name: 'Order Date' }]);
  });

  test('a restored column breaks nothing: references to it were broken until then', async () => {
    using bench = new Bench();
    const stored = columnsIn(await bench.read(tableRef('Orders')));
    const dropped = await drop(bench, 'Orders', 'Store Id');
    await bench.client.tables.update(tableRef('Orders'), { columns: columnsIn(dropped.body) });
    const again = stored.map((column) => {
      const { oid: _oid, ...rest } = column;
      return column['name'] === 'Store Id' ? rest : column;
    });
    const plan = await getPlan(bench, updateTable('Orders', { columns: again }));
    expect(plan).toMatchObject({ severity: 'harmless', created: [{ name: 'Store Id' }] });
    // The last change date is maintained by the server and is no user's change.
    expect(plan.changed).toEqual([]);
  });

  test('a renamed column keeps relations and breaks all references by name', async () => {
    using bench = new Bench();
    const plan = await getPlan(bench, await rename(bench, 'Orders', 'Store Id', 'Shop'));
    expect(plan.changed).toMatchObject([
      { name: 'Store Id', fields: [{ field: 'name', before: 'Store Id', after: 'Shop' }] },
    ]);
    expect(broken(plan)).toEqual(['tableExpression Monthly Store Sales names Orders.Store Id']);
  });

  test('a column whose new name exists in another table of a query makes that name ambiguous', async () => {
    using bench = new Bench();
    await bench.open().writer.run(
      operation([
        {
          endpoint: 'tables.create',
          params: getIds({
            kind: 'dataset',
            datamodelId: tableRef('Store Ranking').datamodelId,
            datasetId: tableRef('Store Ranking').datasetId,
          }),
          body: {
            name: 'Joined',
            type: 'custom',
            expression:
              'SELECT [Segment] FROM [Customers] c JOIN [Orders] o ON o.[Customer Id] = c.[Customer Id]',
          },
        },
      ]),
    );
    const plan = await getPlan(bench, await rename(bench, 'Orders', 'Channel', 'Segment'));
    expect(broken(plan)).toContain('tableExpression Joined names Customers.Segment (ambiguous)');
  });

  test('a rule change shows who gets to see what, before and after', async () => {
    using bench = new Bench();
    const subject = { kind: 'extract', server: 'LocalHost', elasticube: 'Retail' } as const;
    const { value: rules } = await bench.client.extractRules.list({ ...subject });
    const rule = rules.find(({ column, shares }) => column === 'Region' && shares?.[0]?.type === 'default');
    const ruleId = rule?._id ?? '';
    const plan = await getPlan(bench, {
      endpoint: 'extractRules.update',
      params: { ruleId },
      target: { kind: 'rule', subject, ruleId },
      body: { allMembers: true },
    });
    const everyoneElse = [{ type: 'default', name: '' }];
    expect(plan.changed).toMatchObject([
      {
        name: 'Regions.Region',
        rule: { grant: noValues, parties: everyoneElse },
        becomes: { grant: allValues, parties: everyoneElse },
      },
    ]);
  });

  test('a type that rules cannot use breaks them', async () => {
    using bench = new Bench();
    const plan = await getPlan(
      bench,
      await withColumns(bench, 'Orders', (column) =>
        column['name'] === 'Channel' ? { ...column, type: 31 } : column,
      ),
    );
    expect(broken(plan)).toEqual([
      'rule Orders.Channel names Orders.Channel (type)',
      'rule Orders.Channel names Orders.Channel (type)',
    ]);
  });

  test('each expression lists a deleted table once', async () => {
    using bench = new Bench();
    const plan = await getPlan(bench, {
      endpoint: 'tables.delete',
      params: getIds(tableRef('Orders')),
      target: tableRef('Orders'),
    });
    const lines = broken(plan).filter((line) => line.startsWith('tableExpression'));
    expect(lines).toEqual([
      'tableExpression Customer Value names Orders',
      'tableExpression Monthly Store Sales names Orders',
    ]);
    expect(plan.deleted[0]).toMatchObject({ kind: 'table', name: 'Orders' });
  });

  test('a write that touches no name sends no request and is harmless', async () => {
    using bench = new Bench();
    const plan = await getPlan(bench, updateTable('Orders', { description: 'x', hidden: true }));
    expect(plan).toMatchObject({ severity: 'harmless', builds: [], breaks: [] });
    expect(bench.transport.lines).toHaveLength(1);
  });

  test('rules and viewpoints that cannot be read are reported, and do not block the change', async () => {
    using bench = new Bench();
    const write = await drop(bench, 'Orders', 'Status');
    bench.sandbox.faults.set([
      { kind: 'status', status: 500, pathPrefix: '/api/v1/infusion' },
      { kind: 'status', status: 403, pathPrefix: '/api/elasticubes' },
    ]);
    const plan = await getPlan(bench, write);
    expect([...plan.unchecked].sort()).toEqual(['rules', 'viewpoints']);
    expect(broken(plan)).toContain('columnExpression Delivery names Orders.Status');
  });

  test('a deleted name needs a review if its references could not be checked', async () => {
    using bench = new Bench();
    const write = await rename(bench, 'Customers', 'Segment', 'Kind');
    bench.sandbox.faults.set([
      { kind: 'status', status: 403, pathPrefix: '/api/v1/infusion' },
      { kind: 'status', status: 403, pathPrefix: '/api/elasticubes' },
    ]);
    expect(await getPlan(bench, write)).toMatchObject({ severity: 'unchecked', breaks: [] });
    expect(await failure(bench.open().writer.run(operation([write])))).toBeInstanceOf(PlanNeededError);
  });

  test('an instance without viewpoints has none to check', async () => {
    using bench = new Bench();
    const write = await rename(bench, 'Stores', 'Store Label', 'Label');
    bench.sandbox.faults.set([{ kind: 'status', status: 404, pathPrefix: '/api/v1/infusion' }]);
    expect(await getPlan(bench, write)).toMatchObject({ severity: 'harmless', unchecked: [] });
  });
});

describe('the query of a custom table determines its columns', () => {
  const getQuery = (table: string, expression: string): Write => updateTable(table, { expression });

  test('a query with different columns breaks references to the old ones, and no others', async () => {
    using bench = new Bench();
    const plan = await getPlan(
      bench,
      getQuery('Monthly Store Sales', 'SELECT [Store Id], [Store] AS Month FROM [Stores]'),
    );
    expect(plan.severity).toBe('breaking');
    expect(broken(plan)).toEqual([
      'tableExpression Store Ranking names Monthly Store Sales.Revenue',
      'tableExpression Store Ranking names Monthly Store Sales.Store and Country',
    ]);
  });

  test.each([
    'SELECT * FROM [Stores]',
    'SELECT s.* FROM [Stores] s',
    'SELECT 1 + 1 FROM [Stores]',
    'SELECT [Store FROM',
    '',
  ])('a query whose columns are not fully known removes none: %s', async (expression) => {
    using bench = new Bench();
    expect(await getPlan(bench, getQuery('Monthly Store Sales', expression))).toMatchObject({
      severity: 'harmless',
      breaks: [],
    });
  });

  test('a query with more columns, or in another case or order, keeps them', async () => {
    using bench = new Bench();
    const expression =
      'SELECT 1 AS MORE, REVENUE, month, x AS "Store and Country", [Store Id], y AS Region, z AS Profit, o AS Orders, ' +
      'p AS [revenue per order] FROM [Stores] UNION SELECT 1, 2, 3, 4, 5, 6, 7, 8, 9';
    expect(await getPlan(bench, getQuery('Monthly Store Sales', expression))).toMatchObject({
      severity: 'harmless',
    });
  });
});
