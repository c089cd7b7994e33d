import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createColumnId } from '../../../../src/project/language/nameIds.ts';
import { validateProject } from '../../../../src/project/validate/validateProject.ts';
import { expectDefined } from '../../../support/expectations.ts';
import { paths, validFiles } from '../../../support/projectFiles.ts';
import { createEngine } from './languageSupport.ts';

describe('a datamodel', () => {
  test('has the tables of its files, with the columns that their SQL will have', async () => {
    const { engine } = await createEngine();
    const update = expectDefined(engine.getDatamodel({ title: 'Retail', since: 0 }));
    expect(update).toMatchObject({
      type: 'extract',
      hasAllTables: true,
      hasMore: false,
      tableNames: ['Items', 'Orders', 'Totals'],
      datasets: ['Sales'],
      relations: [
        {
          columns: [
            { table: 'Items', column: 'Order' },
            { table: 'Orders', column: 'Id' },
          ],
        },
      ],
    });
    const [, orders, totals] = update.tables;
    expect(orders).toMatchObject({ path: paths.orders, dataset: 'Sales' });
    expect(orders?.table.columns?.map(({ oid, name, expression }) => [oid, name, expression])).toEqual([
      [createColumnId('Orders', 'Id'), 'Id', undefined],
      [createColumnId('Orders', 'Status'), 'Status', undefined],
      [createColumnId('Orders', 'Label'), 'Label', 'UPPER([Status])'],
    ]);
    expect(totals?.table.expression).toContain('FROM Orders');
    expect(totals?.catalogTable).toEqual({
      name: 'Totals',
      columns: [{ name: 'Status', type: 18 }, { name: 'Number' }],
    });
    expect(engine.getDatamodel({ title: 'Other', since: 0 })).toBeUndefined();
  });

  test('is updated by what has changed; unsaved changes take precedence over the file', async () => {
    const { engine, getText, write } = await createEngine();
    const before = expectDefined(engine.getDatamodel({ title: 'Retail', since: 0 }));
    const renamed = getText(paths.orders).replace('"Status"', '"State"');
    expect(engine.setUnsaved([{ path: paths.orders, text: renamed }])).toEqual({ datamodels: ['Retail'] });
    const after = expectDefined(engine.getDatamodel({ title: 'Retail', since: before.revision }));
    // The query of Totals uses the column.
    expect(after.tables.map(({ table }) => table.name)).toEqual(['Orders', 'Totals']);
    expect(after.tables[0]?.catalogTable.columns.map(({ name }) => name)).toEqual(['Id', 'State', 'Label']);

    write(paths.orders, getText(paths.orders).replace('"Status"', '"OnDisk"'));
    expect(await engine.update([paths.orders])).toEqual({ datamodels: [] });
    expect(engine.setUnsaved([{ path: paths.orders }])).toEqual({ datamodels: ['Retail'] });
    const saved = expectDefined(engine.getDatamodel({ title: 'Retail', since: after.revision }));
    expect(saved.tables[0]?.catalogTable.columns[1]?.name).toBe('OnDisk');
  });

  test('may have further tables as soon as a file cannot be read, and no longer once it can', async () => {
    const { engine } = await createEngine();
    const path = 'datamodels/Retail/tables/New.table.json';
    const hasAllTables = (): boolean | undefined =>
      engine.getDatamodel({ title: 'Retail', since: 0 })?.hasAllTables;
    expect(engine.setUnsaved([{ path, text: '{' }])).toEqual({ datamodels: ['Retail'] });
    expect(hasAllTables()).toBe(false);
    expect(engine.setUnsaved([{ path }])).toEqual({ datamodels: ['Retail'] });
    expect(hasAllTables()).toBe(true);
  });

  test('does not change with its rules and viewpoints', async () => {
    const { engine, getText } = await createEngine();
    const unsaved = [paths.rules, paths.viewpoint].map((path) => ({ path, text: `${getText(path)}\n` }));
    expect(engine.setUnsaved(unsaved)).toEqual({ datamodels: [] });
  });

  test('comes in several updates if it is large', async () => {
    const columns = Array.from({ length: 400 }, (_, index) => ({ name: `C${index}`, type: 18 }));
    const tables = Array.from({ length: 6 }, (_, index) => [
      `datamodels/Retail/tables/T${index}.table.json`,
      { name: `T${index}`, dataset: 'Sales', type: 'base', columns },
    ]);
    const { engine } = await createEngine(Object.fromEntries(tables));
    const sizes: number[] = [];
    let since = 0;
    for (let hasMore = true; hasMore; ) {
      const update = expectDefined(engine.getDatamodel({ title: 'Retail', since }));
      sizes.push(update.tables.length);
      ({ revision: since, hasMore } = update);
    }
    expect(sizes).toEqual([5, 3, 1]);
  });

  test('with a table that cannot be read may have further tables', async () => {
    const { engine } = await createEngine({ [paths.orders]: '{' });
    expect(engine.getDatamodel({ title: 'Retail', since: 0 })).toMatchObject({
      hasAllTables: false,
      tableNames: ['Items', 'Totals'],
    });
  });
});

test('a file has a key, and the datamodel of its folder even if it cannot be read', async () => {
  const { engine } = await createEngine({ [paths.rules]: '[{' });
  expect(engine.getFile(paths.label)).toEqual({
    key: { kind: 'columnExpression', datamodel: 'Retail', table: 'Orders', column: 'Label' },
    datamodel: 'Retail',
  });
  expect(engine.getFile(paths.rules)).toEqual({ key: undefined, datamodel: 'Retail' });
  expect(engine.getFile(paths.viewpoint)).toMatchObject({ key: { kind: 'viewpoint' }, datamodel: undefined });
});

test('the names that rules and viewpoints use are known', async () => {
  const { engine, getText } = await createEngine();
  const text = getText(paths.viewpoint).replace(
    '"details"',
    '"visibility": {"apps": ["Portal"], "groups": ["Everyone"], "users": [{"bound": 1}, "Ann"]}, "details"',
  );
  engine.setUnsaved([{ path: paths.viewpoint, text }]);
  expect(engine.getProjectNames()).toEqual({
    apps: ['Portal'],
    groups: ['Everyone', 'Sales'],
    users: ['Ann'],
    members: new Map([[createColumnId('Orders', 'Status'), ['Open']]]),
    datamodels: [{ title: 'Retail', isLive: false }],
  });
});

test('each file has the findings of validate, whatever they are', async () => {
  const changes = {
    [paths.orders]: { ...(validFiles[paths.orders] as object), dataset: 'Sale' },
    [paths.label]: 'UPPER([Stat])\n',
    [paths.totalsSql]: 'SELECT Nope FROM Orders WHERE\n',
    [paths.relation]: {
      columns: [
        { table: 'Items', column: 'Nope' },
        { table: 'Nope', column: 'Id' },
      ],
    },
    [paths.rules]: '[{"table": "Orders", "column": "Nope", "members": null, "shares": []}]',
    [paths.viewpoint]: {
      name: 'Sales',
      details: {
        datasource: { title: 'Retail' },
        columns: [{ title: 'A', dim: '[Orders.Status]', table: 'Orders', column: 'State' }],
      },
    },
    'viewpoints/Other.viewpoint.json': {
      name: 'Other',
      details: { datasource: { title: 'Nope' }, columns: [] },
    },
    'viewpoints/Broken.viewpoint.json': '{',
  };
  const { engine, folder } = await createEngine(changes);
  const expected = await validateProject(folder);
  const foundPaths = [...new Set(expected.map(({ path }) => path))];
  const findings = (await Promise.all(foundPaths.map((path) => engine.getFindings(path)))).flat();
  expect(findings).toEqual(expected);
  expect(new Set(expected.map(({ code }) => code.split('/')[0]))).toEqual(
    new Set(['project', 'reference', 'rules', 'sql', 'viewpoint']),
  );
});

test('findings are those of the unsaved text', async () => {
  const { engine } = await createEngine();
  expect(await engine.getFindings(paths.label)).toEqual([]);
  engine.setUnsaved([{ path: paths.label, text: 'UPPER([Statu])\n' }]);
  expect(await engine.getFindings(paths.label)).toMatchObject([
    { line: 1, column: 7, subject: '[Statu]', code: 'sql/unknown-column' },
  ]);
});

test('the findings of settings and environments follow the files and the items of the project', async () => {
  const environment = 'environments/prod.json';
  const url = 'https://analytics.example.com';
  const { engine, write } = await createEngine({
    [environment]: { url, connections: { Retail: { Sale: {} } } },
  });
  const getFindings = async () =>
    (await engine.getFindings(environment)).map(({ code, misspelled }) => [code, misspelled?.candidates]);
  expect(await getFindings()).toEqual([['settings/unknown-dataset', ['Sales']]]);
  // An unsaved change of an item is enough.
  const dataset = 'datamodels/Retail/datasets/Sales.dataset.json';
  engine.setUnsaved([{ path: dataset, text: '{"name": "Sale", "type": "extract"}' }]);
  expect(await getFindings()).toEqual([]);
  engine.setUnsaved([{ path: dataset }]);
  write(environment, { url, connections: { Retial: { Sales: {} } } });
  await engine.update([environment]);
  expect(await getFindings()).toEqual([['settings/unknown-datamodel', ['Retail']]]);
});

test('a project inside the folder of an item is not read with it, even after its settings file was deleted and written again', async () => {
  const inner = 'datamodels/Retail/tables/inner';
  const tablePath = `${inner}/datamodels/Shop/tables/Stores.table.json`;
  const table = { name: 'Stores', dataset: 'Sales', type: 'base', columns: [] };
  const { engine, folder, write } = await createEngine({
    [`${inner}/datamodel-studio.json`]: { version: 1 },
    [tablePath]: table,
  });
  const hasProblem = async (): Promise<boolean> => (await engine.getFindings(tablePath)).length > 0;
  expect(await hasProblem()).toBe(false);
  write(tablePath, { ...table, name: 'Shops' });
  await engine.update([tablePath]);
  expect(await hasProblem()).toBe(false);
  // Without its settings, it is a folder of the outer project, where tables are in other places.
  rmSync(join(folder, inner, 'datamodel-studio.json'));
  await engine.update([`${inner}/datamodel-studio.json`]);
  expect(await hasProblem()).toBe(true);
  write(`${inner}/datamodel-studio.json`, { version: 1 });
  await engine.update([`${inner}/datamodel-studio.json`]);
  expect(await hasProblem()).toBe(false);
});
