import { describe, expect, test } from 'vitest';
import { createSeedOid } from '../../../../src/sandbox/seeds/seedIds.ts';
import type { JsonObject } from '../../../../src/base/json.ts';
import { getCubeSetRuleSubject } from '../../../../src/catalog/ruleSubject.ts';
import type { Plan } from '../../../../src/changes/model/plan.ts';
import { allValues, noValues } from '../../../../src/security/valueSet.ts';
import { getText } from '../../../../src/changes/model/jsonMembers.ts';
import type { Write } from '../../../../src/changes/model/operation.ts';
import { createDatasetUpdateWrite } from '../../../../src/changes/model/datasetWrites.ts';
import { createRelationDeletionWrite } from '../../../../src/changes/model/relationWrites.ts';
import { PlanNeededError } from '../../../../src/changes/run/writeErrors.ts';
import {
  ChangeFixture,
  getColumns,
  getFailure,
  getIds,
  createOperation,
  createTableRef,
  createTableUpdate,
} from '../run/support.ts';

/** The plan of writes on the demo. */
async function getPlan(fixture: ChangeFixture, ...writes: readonly Write[]): Promise<Plan> {
  return (await fixture.open().writer.plan(createOperation(writes))).plan;
}

/** Creates a PATCH of a table that changes some of its columns, or leaves them out. */
async function createColumnsWrite(
  fixture: ChangeFixture,
  table: string,
  change: (column: JsonObject) => JsonObject | undefined,
): Promise<Write> {
  const columns = getColumns(await fixture.read(createTableRef(table))).flatMap(
    (column) => change(column) ?? [],
  );
  return createTableUpdate(table, { columns });
}

const createDropWrite = (fixture: ChangeFixture, table: string, name: string): Promise<Write> =>
  createColumnsWrite(fixture, table, (column) => (column['name'] === name ? undefined : column));

const createRenameWrite = (
  fixture: ChangeFixture,
  table: string,
  name: string,
  newName: string,
): Promise<Write> =>
  createColumnsWrite(fixture, table, (column) =>
    column['name'] === name ? { ...column, name: newName } : column,
  );

/** The broken references, one line each; viewpoints are counted. */
function formatBreaks({ breaks }: Plan): readonly string[] {
  const lines = breaks
    .filter(({ referrerKind }) => referrerKind !== 'viewpoint')
    .map(({ referrerKind, referrer, names, reason }) => {
      const name = Object.values(names).join('.');
      return `${referrerKind} ${referrer.name} names ${name}${reason === 'missing' ? '' : ` (${reason})`}`;
    });
  const viewpoints = breaks.filter(({ referrerKind }) => referrerKind === 'viewpoint').length;
  return [...lines.sort(), ...(viewpoints === 0 ? [] : [`${viewpoints} viewpoints`])];
}

/** The number of the demo's viewpoints that name a column, counted on the documents themselves. */
async function countViewpointsWith(fixture: ChangeFixture, table: string, column: string): Promise<number> {
  const { value } = await fixture.client.viewpoints.list({ with: 'details', limit: 1000 });
  const columnText = `"table":${JSON.stringify(table)},"column":${JSON.stringify(column)}`;
  return value.viewpoints.filter((viewpoint) => JSON.stringify(viewpoint).includes(columnText)).length;
}

describe('the plan for deleting a column of the demo lists all references to it, and nothing else', () => {
  test('Orders.Status: two expressions, a custom column, its two rules', async () => {
    using fixture = new ChangeFixture();
    const plan = await getPlan(fixture, await createDropWrite(fixture, 'Orders', 'Status'));
    expect(plan.severity).toBe('breaking');
    expect(plan.deleted).toMatchObject([
      { kind: 'column', name: 'Status', within: ['Retail', 'Sales', 'Orders'] },
    ]);
    expect(plan.builds).toEqual([expect.objectContaining({ title: 'Retail', type: 'schema_changes' })]);
    const viewpointCount = await countViewpointsWith(fixture, 'Orders', 'Status');
    expect(formatBreaks(plan)).toEqual([
      'columnExpression Delivery names Orders.Status',
      'rule Orders.Status names Orders.Status',
      'rule Orders.Status names Orders.Status',
      'tableExpression Customer Value names Orders.Status',
      'tableExpression Monthly Store Sales names Orders.Status',
      ...(viewpointCount === 0 ? [] : [`${viewpointCount} viewpoints`]),
    ]);
  });

  test('references include the rules of known cube sets, because any datamodel may belong to them', async () => {
    using fixture = new ChangeFixture();
    fixture.cubeSets = [getCubeSetRuleSubject('Shops', 'Set'), getCubeSetRuleSubject('Other')];
    const rule = { datatype: 'text', members: ['Open'], allMembers: null, shares: [{ type: 'default' }] };
    for (const column of ['Status', 'Channel']) {
      await fixture.client.extractRules.create({ server: 'Set', elasticube: 'Shops' }, [
        { ...rule, table: 'Orders', column },
      ]);
    }
    const plan = await getPlan(fixture, await createDropWrite(fixture, 'Orders', 'Status'));
    const setBreaks = plan.breaks.filter(({ referrer }) => referrer.within[0] === 'Shops');
    expect(setBreaks).toMatchObject([
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
    using fixture = new ChangeFixture();
    const plan = await getPlan(fixture, await createDropWrite(fixture, 'Regions', 'Region'));
    const viewpointCount = await countViewpointsWith(fixture, 'Regions', 'Region');
    expect(viewpointCount).toBeGreaterThan(0);
    expect(formatBreaks(plan).filter((line) => !line.startsWith('rule'))).toEqual([
      'columnExpression Region names Regions.Region',
      'tableExpression Monthly Store Sales names Regions.Region',
      `${viewpointCount} viewpoints`,
    ]);
    const rules = plan.breaks.filter(({ referrerKind }) => referrerKind === 'rule');
    expect(rules.every(({ referrer }) => referrer.within[0] === 'Retail')).toBe(true);
  });

  test('Stores.Region, a custom column of the same name', async () => {
    using fixture = new ChangeFixture();
    const plan = await getPlan(fixture, await createDropWrite(fixture, 'Stores', 'Region'));
    const viewpointCount = await countViewpointsWith(fixture, 'Stores', 'Region');
    expect(formatBreaks(plan)).toEqual([
      'columnExpression Store Label names Stores.Region',
      ...(viewpointCount === 0 ? [] : [`${viewpointCount} viewpoints`]),
    ]);
  });

  test('Orders.Store Id, a key in several tables: only the relation of this column', async () => {
    using fixture = new ChangeFixture();
    const plan = await getPlan(fixture, await createDropWrite(fixture, 'Orders', 'Store Id'));
    expect(formatBreaks(plan)).toEqual([
      'relation Orders.Store Id = Stores.Store Id names Orders.Store Id',
      'tableExpression Monthly Store Sales names Orders.Store Id',
    ]);
  });

  test('Orders.Order Date, the accumulation column of the table', async () => {
    using fixture = new ChangeFixture();
    const plan = await getPlan(fixture, await createDropWrite(fixture, 'Orders', 'Order Date'));
    expect(formatBreaks(plan)).toContain('accumulation Orders names Orders.Order Date');
    expect(formatBreaks(plan)).toContain('columnExpression Order Month names Orders.Order Date');
  });

  test('an unused column breaks nothing, and is reported as deleted', async () => {
    using fixture = new ChangeFixture();
    const plan = await getPlan(fixture, await createDropWrite(fixture, 'Stores', 'Square Meters'));
    expect(formatBreaks(plan)).toEqual([]);
    expect(plan.severity).toBe('destructive');
  });
});

describe('other writes on the demo', () => {
  test('a column sent without its oid is a different one: references by oid break, references by name do not', async () => {
    using fixture = new ChangeFixture();
    const write = await createColumnsWrite(fixture, 'Orders', (column) => {
      const { oid: _oid, ...rest } = column;
      return column['name'] === 'Order Date' ? rest : column;
    });
    const plan = await getPlan(fixture, write);
    expect(formatBreaks(plan)).toContain('accumulation Orders names Orders.Order Date');
    expect(plan.created).toMatchObject([{ name: 'Order Date' }]);
  });

  test('a new column is reported as created in its table', async () => {
    using fixture = new ChangeFixture();
    const columns = [
      ...getColumns(await fixture.read(createTableRef('Orders'))),
      { id: 'New', name: 'New', type: 18, isCustom: true, expression: { expression: '1' } },
    ];
    const { created } = await getPlan(fixture, createTableUpdate('Orders', { columns }));
    expect(created).toEqual([{ kind: 'column', name: 'New', within: ['Retail', 'Sales', 'Orders'] }]);
  });

  test('a restored column breaks nothing: references to it were broken until then', async () => {
    using fixture = new ChangeFixture();
    const storedColumns = getColumns(await fixture.read(createTableRef('Orders')));
    const columnDrop = await createDropWrite(fixture, 'Orders', 'Store Id');
    await fixture.client.tables.update(createTableRef('Orders'), { columns: getColumns(columnDrop.body) });
    const restoredColumns = storedColumns.map((column) => {
      const { oid: _oid, ...rest } = column;
      return column['name'] === 'Store Id' ? rest : column;
    });
    const plan = await getPlan(fixture, createTableUpdate('Orders', { columns: restoredColumns }));
    expect(plan).toMatchObject({ severity: 'harmless', created: [{ name: 'Store Id' }] });
    // The last change date is maintained by the server and is no user's change.
    expect(plan.changed).toEqual([]);
  });

  test('a renamed column keeps relations and breaks all references by name', async () => {
    using fixture = new ChangeFixture();
    const plan = await getPlan(fixture, await createRenameWrite(fixture, 'Orders', 'Store Id', 'Shop'));
    expect(plan.changed).toMatchObject([
      { name: 'Store Id', fields: [{ field: 'name', before: 'Store Id', after: 'Shop' }] },
    ]);
    expect(formatBreaks(plan)).toEqual(['tableExpression Monthly Store Sales names Orders.Store Id']);
  });

  test('a column whose new name exists in another table of a query makes that name ambiguous', async () => {
    using fixture = new ChangeFixture();
    await fixture.open().writer.run(
      createOperation([
        {
          endpoint: 'tables.create',
          params: getIds({
            kind: 'dataset',
            datamodelId: createTableRef('Store Ranking').datamodelId,
            datasetId: createTableRef('Store Ranking').datasetId,
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
    const plan = await getPlan(fixture, await createRenameWrite(fixture, 'Orders', 'Channel', 'Segment'));
    expect(formatBreaks(plan)).toContain('tableExpression Joined names Customers.Segment (ambiguous)');
  });

  test('a rule change shows who gets to see what, before and after', async () => {
    using fixture = new ChangeFixture();
    const subject = { kind: 'extract', server: 'LocalHost', elasticube: 'Retail' } as const;
    const { value: rules } = await fixture.client.extractRules.list({ ...subject });
    const rule = rules.find(({ column, shares }) => column === 'Region' && shares?.[0]?.type === 'default');
    const ruleId = rule?._id ?? '';
    const plan = await getPlan(fixture, {
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
        ruleAfter: { grant: allValues, parties: everyoneElse },
      },
    ]);
  });

  test('a type that rules cannot use breaks them', async () => {
    using fixture = new ChangeFixture();
    const plan = await getPlan(
      fixture,
      await createColumnsWrite(fixture, 'Orders', (column) =>
        column['name'] === 'Channel' ? { ...column, type: 31 } : column,
      ),
    );
    expect(formatBreaks(plan)).toEqual([
      'rule Orders.Channel names Orders.Channel (type)',
      'rule Orders.Channel names Orders.Channel (type)',
    ]);
  });

  test('each expression lists a deleted table once', async () => {
    using fixture = new ChangeFixture();
    const plan = await getPlan(fixture, {
      endpoint: 'tables.delete',
      params: getIds(createTableRef('Orders')),
      target: createTableRef('Orders'),
    });
    const lines = formatBreaks(plan).filter((line) => line.startsWith('tableExpression'));
    expect(lines).toEqual([
      'tableExpression Customer Value names Orders',
      'tableExpression Monthly Store Sales names Orders',
    ]);
    expect(plan.deleted[0]).toMatchObject({ kind: 'table', name: 'Orders' });
  });

  test('a write that changes no name is harmless, and only its target is read', async () => {
    using fixture = new ChangeFixture();
    const plan = await getPlan(fixture, createTableUpdate('Orders', { description: 'x', hidden: true }));
    expect(plan).toMatchObject({ severity: 'harmless', builds: [], breaks: [] });
    expect(fixture.transport.requestLines).toHaveLength(1);
  });

  test('a change of a comment in SQL needs no build', async () => {
    using fixture = new ChangeFixture();
    const getBuilds = async (suffix: string) => {
      const write = await createColumnsWrite(fixture, 'Orders', (column) =>
        column['isCustom'] === true
          ? { ...column, expression: `${getText(column['expression'])}${suffix}` }
          : column,
      );
      // Only an apply reads a datamodel for its builds.
      const { plan } = await fixture.open().writer.plan(createOperation([write], 'apply'));
      const { builds, changed } = plan;
      expect(changed.flatMap(({ fields }) => fields.map(({ field }) => field))).toContain('expression');
      return builds.map(({ title }) => title);
    };
    expect(await getBuilds(' -- why')).toEqual([]);
    expect(await getBuilds(' + 1 -- why')).toEqual(['Retail']);
  });

  test('rules and viewpoints that cannot be read are reported, and do not block the change', async () => {
    using fixture = new ChangeFixture();
    const write = await createDropWrite(fixture, 'Orders', 'Status');
    fixture.sandbox.faults.set([
      { kind: 'status', status: 500, pathPrefix: '/api/v1/infusion' },
      { kind: 'status', status: 403, pathPrefix: '/api/elasticubes' },
    ]);
    const plan = await getPlan(fixture, write);
    expect([...plan.unchecked].sort()).toEqual(['rules', 'viewpoints']);
    expect(formatBreaks(plan)).toContain('columnExpression Delivery names Orders.Status');
  });

  test('a deleted name needs a review if its references could not be checked', async () => {
    using fixture = new ChangeFixture();
    const write = await createRenameWrite(fixture, 'Customers', 'Segment', 'Kind');
    fixture.sandbox.faults.set([
      { kind: 'status', status: 403, pathPrefix: '/api/v1/infusion' },
      { kind: 'status', status: 403, pathPrefix: '/api/elasticubes' },
    ]);
    expect(await getPlan(fixture, write)).toMatchObject({ severity: 'unchecked', breaks: [] });
    expect(await getFailure(fixture.open().writer.run(createOperation([write])))).toBeInstanceOf(
      PlanNeededError,
    );
  });

  test('an instance without viewpoints has none to check', async () => {
    using fixture = new ChangeFixture();
    const write = await createRenameWrite(fixture, 'Stores', 'Store Label', 'Label');
    fixture.sandbox.faults.set([{ kind: 'status', status: 404, pathPrefix: '/api/v1/infusion' }]);
    expect(await getPlan(fixture, write)).toMatchObject({ severity: 'harmless', unchecked: [] });
  });
});

describe('the query of a custom table determines its columns', () => {
  const createQueryWrite = (table: string, expression: string): Write =>
    createTableUpdate(table, { expression });

  test('a query with different columns breaks references to the old ones, and no others', async () => {
    using fixture = new ChangeFixture();
    const plan = await getPlan(
      fixture,
      createQueryWrite('Monthly Store Sales', 'SELECT [Store Id], [Store] AS Month FROM [Stores]'),
    );
    expect(plan.severity).toBe('breaking');
    expect(formatBreaks(plan)).toEqual([
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
    using fixture = new ChangeFixture();
    expect(await getPlan(fixture, createQueryWrite('Monthly Store Sales', expression))).toMatchObject({
      severity: 'harmless',
      breaks: [],
    });
  });

  test('a query with more columns, or in another case or order, keeps them', async () => {
    using fixture = new ChangeFixture();
    const expression =
      'SELECT 1 AS MORE, REVENUE, month, x AS "Store and Country", [Store Id], y AS Region, z AS Profit, o AS Orders, ' +
      'p AS [revenue per order] FROM [Stores] UNION SELECT 1, 2, 3, 4, 5, 6, 7, 8, 9';
    expect(await getPlan(fixture, createQueryWrite('Monthly Store Sales', expression))).toMatchObject({
      severity: 'harmless',
    });
  });
});

describe('who gains and who loses access', () => {
  const retail = { kind: 'extract', server: 'LocalHost', elasticube: 'Retail' } as const;

  /** A line for each party that gains or loses, in the order of the plan. */
  async function getAccessLines({ loadAccess }: Plan): Promise<readonly string[]> {
    const { subjects = [], partyNames } = (await loadAccess()) ?? {};
    return subjects.flatMap(({ title, difference: { rows } }) =>
      rows.map((row) => {
        const { type, id = '' } = row.party;
        const party = partyNames?.get(`${type}:${id}`) ?? 'everyone else';
        const partyAndEffect = `${title}: ${party} ${row.effect}${row.isUncertain ? '?' : ''}`;
        if (row.kind === 'column') {
          return `${partyAndEffect} ${row.name.table}.${row.name.column}`;
        }
        const [before, after] = [row.before, row.after].map(({ verdict, conditions }) =>
          [verdict, ...conditions.map(({ name }) => `${name.table}.${name.column}`)].join(' '),
        );
        return `${partyAndEffect} ${row.tables.join(', ')}: ${before} → ${after}`;
      }),
    );
  }

  const createDeletion = (table: string): Write => ({
    endpoint: 'tables.delete',
    params: getIds(createTableRef(table)),
    target: createTableRef(table),
  });

  test('is shown for a deleted table that linked others to a column with rules, everyone else first', async () => {
    using fixture = new ChangeFixture();
    const lines = await getAccessLines(await getPlan(fixture, createDeletion('Stores')));
    expect(lines).toMatchInlineSnapshot(`
      [
        "Retail: everyone else gains Orders, Order Items, Returns, Products, Categories, Customers, Employees, Calendar, Customer Value, Monthly Store Sales: none Regions.Region → all",
        "Retail: Marketing gains Regions, Monthly Store Sales: some Customers.Segment → all",
        "Retail: Support gains Regions, Monthly Store Sales: some Orders.Channel → all",
        "Retail: Sales gains Orders, Order Items, Returns, Products, Categories, Customers, Employees, Calendar, Customer Value, Monthly Store Sales: some Regions.Region → all",
        "Retail: Sales South gains Orders, Order Items, Returns, Products, Categories, Customers, Employees, Calendar, Customer Value, Monthly Store Sales: some Regions.Region → all",
        "Retail: Sales North gains Orders, Order Items, Returns, Products, Categories, Customers, Employees, Calendar, Customer Value, Monthly Store Sales: some Regions.Region → all",
        "Retail: daniel.novak@sandbox.local gains? Monthly Store Sales: none Regions.Region → all",
        "Retail: chiara.rossi@sandbox.local gains? Monthly Store Sales: none Regions.Region → all",
        "Retail: jonas.berg@sandbox.local gains? Monthly Store Sales: none Regions.Region → all",
        "Retail: liam.doyle@sandbox.local gains? Monthly Store Sales: none Orders.Status Regions.Region → all",
        "Retail: farid.haddad@sandbox.local gains? Orders, Order Items, Returns, Products, Categories, Customers, Employees, Calendar, Customer Value, Monthly Store Sales: some Regions.Region → all",
      ]
    `);
  });

  test('is shown for a deleted relation, whose plan loads the rules only when access is compared', async () => {
    using fixture = new ChangeFixture();
    const model = await fixture.readObject({
      kind: 'datamodel',
      datamodelId: createTableRef('Stores').datamodelId,
    });
    const relation = (model['relations'] as readonly JsonObject[]).find((each) =>
      JSON.stringify(each).includes(createSeedOid('Retail/Regions')),
    );
    const ref = {
      kind: 'relation',
      datamodelId: createTableRef('Stores').datamodelId,
      relationId: getText(relation?.['oid']),
    } as const;
    const plan = await getPlan(fixture, { endpoint: 'relations.delete', params: getIds(ref), target: ref });
    const requests = fixture.transport.requestLines.length;
    expect(await getAccessLines(plan)).toMatchInlineSnapshot(`
      [
        "Retail: everyone else gains Orders, Order Items, Returns, Products, Categories, Customers, Stores, Employees, Calendar, Monthly Store Sales, Customer Value: none Regions.Region → all",
        "Retail: Marketing gains Regions: some Customers.Segment → all",
        "Retail: Support gains Regions: some Orders.Channel → all",
        "Retail: Sales gains Orders, Order Items, Returns, Products, Categories, Customers, Stores, Employees, Calendar, Monthly Store Sales, Customer Value: some Regions.Region → all",
        "Retail: Sales South gains Orders, Order Items, Returns, Products, Categories, Customers, Stores, Employees, Calendar, Monthly Store Sales, Customer Value: some Regions.Region → all",
        "Retail: Sales North gains Orders, Order Items, Returns, Products, Categories, Customers, Stores, Employees, Calendar, Monthly Store Sales, Customer Value: some Regions.Region → all",
        "Retail: farid.haddad@sandbox.local gains? Orders, Order Items, Returns, Products, Categories, Customers, Stores, Employees, Calendar, Monthly Store Sales, Customer Value: some Regions.Region → all",
      ]
    `);
    expect(fixture.transport.requestLines.length).toBeGreaterThan(requests);
  });

  test('is shown for a deleted rule', async () => {
    using fixture = new ChangeFixture();
    const { value: rules } = await fixture.client.extractRules.list({ ...retail });
    const ruleId =
      rules.find(({ column, shares }) => column === 'Region' && shares?.[0]?.type === 'default')?._id ?? '';
    const plan = await getPlan(fixture, {
      endpoint: 'extractRules.delete',
      params: { ruleId },
      target: { kind: 'rule', subject: retail, ruleId },
    });
    expect(await getAccessLines(plan)).toMatchInlineSnapshot(`
      [
        "Retail: everyone else gains? Regions.Region",
      ]
    `);
  });

  test('is shown for a renamed column whose rules keep the old name', async () => {
    using fixture = new ChangeFixture();
    const plan = await getPlan(fixture, await createRenameWrite(fixture, 'Customers', 'Segment', 'Kind'));
    expect(await getAccessLines(plan)).toMatchInlineSnapshot(`
      [
        "Retail: Marketing gains Customers.Segment",
      ]
    `);
  });

  test('depends on the rules of a cube set, which apply to the tables of its datamodels', async () => {
    using fixture = new ChangeFixture();
    fixture.cubeSets = [getCubeSetRuleSubject('Regional Sales')];
    const lines = await getAccessLines(await getPlan(fixture, createDeletion('Stores')));
    expect(lines.filter((line) => line.startsWith('Regional Sales'))).toMatchInlineSnapshot(`
      [
        "Regional Sales: everyone else gains Orders, Order Items, Returns, Products, Categories, Customers, Employees, Calendar, Customer Value, Monthly Store Sales: none Regions.Region → all",
        "Regional Sales: Sales South gains Orders, Order Items, Returns, Products, Categories, Customers, Employees, Calendar, Customer Value, Monthly Store Sales: some Regions.Region → all",
        "Regional Sales: Sales North gains Orders, Order Items, Returns, Products, Categories, Customers, Employees, Calendar, Customer Value, Monthly Store Sales: some Regions.Region → all",
      ]
    `);
  });

  test('is unchecked for cube sets if a plan of a project knows none, and a change could affect their rules', async () => {
    using fixture = new ChangeFixture();
    const [liveModel] = (await fixture.client.datamodels.list({ title: 'Support Desk' })).value;
    const liveRelation = liveModel?.relations?.[0]?.oid ?? '';
    const model = await fixture.readObject({ kind: 'datamodel', datamodelId: createSeedOid('Retail') });
    const [relation = {}] = model['relations'] as readonly JsonObject[];
    const deleteRelation = (datamodelId: string, relationId: string) =>
      createRelationDeletionWrite({ datamodelId, relationId });
    const getUnchecked = async (write: Write, cubeSets: readonly string[] = []) => {
      const project = { folder: '/project', environment: 'test' };
      const operation = { ...createOperation([write], 'apply'), project, cubeSets };
      return (await fixture.open().writer.plan(operation)).plan.unchecked;
    };
    const rename = await createRenameWrite(fixture, 'Customers', 'Segment', 'Kind');
    const relationDeletion = deleteRelation(createSeedOid('Retail'), getText(relation['oid']));
    for (const write of [rename, createDeletion('Stores'), relationDeletion]) {
      expect(await getUnchecked(write)).toEqual(['cubeSets']);
      expect(await getUnchecked(write, ['Regional Sales'])).toEqual([]);
    }
    expect((await getPlan(fixture, rename)).unchecked).toEqual([]);
    expect(await getUnchecked(createTableUpdate('Orders', { description: 'x' }))).toEqual([]);
    const columns = getColumns(await fixture.read(createTableRef('Orders')));
    const isCustom = ({ isCustom: value }: JsonObject) => value === true;
    const changeColumns = (change: (column: JsonObject) => JsonObject, ...added: readonly JsonObject[]) =>
      createTableUpdate('Orders', { columns: [...columns.map(change), ...added] });
    const { datamodelId = '', datasetId = '' } = getIds(createTableRef('Orders'));
    const customColumn = { name: 'New', type: 18, isCustom: true };
    expect(columns.some(isCustom)).toBe(true);
    for (const [write, isAffected] of [
      [changeColumns((column) => (isCustom(column) ? { ...column, expression: "'x'" } : column)), true],
      [changeColumns((column) => ({ ...column, id: `Other ${getText(column['id'])}` })), true],
      [changeColumns((column) => column, { ...customColumn, expression: "'x'" }), true],
      [createTableUpdate('Orders', { id: 'other.csv' }), true],
      [createDatasetUpdateWrite({ datamodelId, datasetId }, { connection: { provider: 'other' } }), true],
      [changeColumns((column) => ({ ...column, description: 'x' }), { name: 'New', type: 18 }), false],
    ] as const) {
      expect(await getUnchecked(write)).toEqual(isAffected ? ['cubeSets'] : []);
      expect(await getUnchecked(write, ['Regional Sales'])).toEqual([]);
    }
    // A cube set never contains a live datamodel.
    expect(await getUnchecked(deleteRelation(createSeedOid('Support Desk'), liveRelation))).toEqual([]);
  });

  test('is computed for the undo of an apply with the same cube sets as for the apply', async () => {
    using fixture = new ChangeFixture();
    const { writer, history } = fixture.open();
    const rename = await createRenameWrite(fixture, 'Customers', 'Segment', 'Kind');
    const operation = {
      ...createOperation([rename], 'apply'),
      project: { folder: '/project', environment: 'test' },
      cubeSets: ['Regional Sales'],
    };
    await writer.run(operation, { approval: writer.approve((await writer.plan(operation)).planHash) });
    const [entry] = await history.readEntries(operation.connectionId);
    const choices = { overwrittenIds: new Set<string>(), names: new Map<string, string>() };
    const undos = entry && [
      await writer.planUndo(entry),
      await writer.planUndoForReview(entry, 'undo', choices),
      await writer.planUndoForReview(entry, 'restore', choices),
    ];
    expect(undos).toHaveLength(3);
    for (const undo of undos ?? []) {
      const requestCount = fixture.transport.requestLines.length;
      const { plan } = await writer.plan(undo.operation);
      expect(plan.unchecked).toEqual([]);
      expect(fixture.transport.requestLines.slice(requestCount)).toContainEqual(
        expect.stringContaining('Regional%20Sales'),
      );
    }
  });

  test('is not computed for a deleted viewpoint, and stays the same with a new description', async () => {
    using fixture = new ChangeFixture();
    const { value } = await fixture.client.viewpoints.list({ limit: 1 });
    const viewpointId = value.viewpoints[0]?.id ?? '';
    const plan = await getPlan(fixture, {
      endpoint: 'viewpoints.delete',
      params: { viewpointId },
      target: { kind: 'viewpoint', viewpointId },
    });
    expect(await plan.loadAccess()).toBeUndefined();
    expect(
      await getAccessLines(await getPlan(fixture, createTableUpdate('Orders', { description: 'x' }))),
    ).toEqual([]);
  });

  test('is an error instead of no difference if rules cannot be read', async () => {
    using fixture = new ChangeFixture();
    const plan = await getPlan(fixture, createDeletion('Stores'));
    fixture.sandbox.faults.set([{ kind: 'status', status: 403, pathPrefix: '/api/elasticubes' }]);
    await expect(plan.loadAccess()).resolves.toBeDefined();
    const unreadablePlan = await getPlan(fixture, createDeletion('Stores'));
    await expect(unreadablePlan.loadAccess()).rejects.toThrow(/403/);
  });
});
