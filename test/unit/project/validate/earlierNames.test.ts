import { describe, expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '../../../../src/base/json.ts';
import { hashParts } from '../../../../src/project/compare/parts.ts';
import { formatItemKey, type ItemKey } from '../../../../src/project/item.ts';
import { emptyLock, formatLock } from '../../../../src/project/pull/lock.ts';
import { validateProject } from '../../../../src/project/validate/validateProject.ts';
import { paths, type ProjectFiles, validFiles } from '../../../support/projectFiles.ts';
import { createEngine } from '../language/languageSupport.ts';

const orders = validFiles[paths.orders] as JsonObject & {
  readonly columns: readonly (JsonObject & { readonly name: string })[];
};
const viewpoint = validFiles[paths.viewpoint] as JsonObject;

const createTableKey = (table: string): ItemKey => ({ kind: 'table', datamodel: 'Retail', table });

/** Returns the text of a lock file in which items were last seen. */
const createLock = (...items: readonly (readonly [ItemKey, JsonValue])[]): string =>
  formatLock({
    ...emptyLock,
    entries: new Map(
      items.map(([key, content], index) => [
        formatItemKey(key),
        {
          oid: `oid-${index}`,
          parts: hashParts(content),
          ...(key.kind === 'table'
            ? {
                columns: Object.fromEntries(
                  (content as typeof orders).columns.map(({ name }) => [name, `${index}/${name}`]),
                ),
              }
            : {}),
        },
      ]),
    ),
  });

const createTableLock = (name: string, content: JsonObject = {}): string =>
  createLock([createTableKey(name), { ...orders, name, ...content }]);

const createEnvironments = (locks: Readonly<Record<string, string>>): ProjectFiles =>
  Object.fromEntries(
    Object.entries(locks).flatMap(([name, lock]) => [
      [`environments/${name}.json`, { url: `https://${name}.example.com` }],
      [`environments/${name}.lock.json`, lock],
    ]),
  );

/** Returns the warnings about names of a project in which Orders was called Purchases, and Sales before that. */
async function findWarnings(
  files: ProjectFiles,
  changedPaths?: readonly string[],
): Promise<readonly string[]> {
  const { folder } = await createEngine(files);
  const findings = await validateProject(folder, changedPaths === undefined ? {} : { changedPaths });
  return findings
    .filter(({ code }) => code === 'project/renamed-twice')
    .map(
      ({ path, line, severity, message }) =>
        `${path}:${line} ${severity}: ${message.replace(/\. An apply there would .*$/, '.')}`,
    );
}

const describeNames = (name: string, environments: string): string =>
  `"${name}" was probably renamed twice, and these environments still have its first name: ${environments}.`;

const renamedTable = { [paths.orders]: { ...orders, renamedFrom: 'Purchases' } };

describe('a table that was renamed twice', () => {
  const warning = `${paths.orders}:24 warning: ${describeNames('Orders', 'old ("Sales")')}`;

  test('has a warning with each environment whose lock file has its first name', async () => {
    const locks = {
      done: createTableLock('Orders'),
      next: createTableLock('Purchases'),
      old: createTableLock('Sales'),
      // The table was changed, too.
      older: createTableLock('Sales Data', { description: 'Old', columns: orders.columns.slice(1) }),
    };
    expect(await findWarnings({ ...renamedTable, ...createEnvironments(locks) })).toEqual([
      warning.replace('old ("Sales")', 'old ("Sales"), older ("Sales Data")'),
    ]);
  });

  test.each<readonly [string, ProjectFiles, string]>([
    ['it was renamed once', renamedTable, createTableLock('Purchases')],
    ['it has the name already', renamedTable, createTableLock('Orders')],
    ['it was never pulled', renamedTable, createLock()],
    ['its file has no former name', { [paths.orders]: orders }, createTableLock('Sales')],
    [
      'the project still has the other table',
      { ...renamedTable, 'datamodels/Retail/tables/Sales.table.json': { ...orders, name: 'Sales' } },
      createTableLock('Sales'),
    ],
    [
      'the file of the other table cannot be read',
      { ...renamedTable, 'datamodels/Retail/tables/Sales.table.json': '{' },
      createTableLock('Sales'),
    ],
    [
      'another table was renamed from that name',
      {
        ...renamedTable,
        [paths.totals]: { ...(validFiles[paths.totals] as JsonObject), renamedFrom: 'Sales' },
      },
      createTableLock('Sales'),
    ],
    [
      'the table in the lock file is a different one',
      renamedTable,
      createTableLock('Customers', {
        type: 'custom',
        dataset: 'Other',
        columns: [{ name: 'Mail', type: 18 }],
      }),
    ],
    [
      'the other table is in another datamodel',
      renamedTable,
      createLock([
        { kind: 'table', datamodel: 'Other', table: 'Sales' },
        { ...orders, name: 'Sales' },
      ]),
    ],
  ])('has no warning if %s', async (_reason, files, lock) => {
    expect(await findWarnings({ ...files, ...createEnvironments({ old: lock }) })).toEqual([]);
  });

  test('has the warning if only its own file or a lock file has changed', async () => {
    const files = { ...renamedTable, ...createEnvironments({ old: createTableLock('Sales') }) };
    expect(await findWarnings(files, ['environments/old.lock.json'])).toEqual([warning]);
    expect(await findWarnings(files, [paths.orders])).toEqual([warning]);
    expect(await findWarnings(files, [paths.viewpoint])).toEqual([]);
  });

  test('has the warning in the editor, beside the other findings of its file', async () => {
    const lockPath = 'environments/old.lock.json';
    const { engine, write } = await createEngine({
      [paths.orders]: { ...orders, renamedFrom: 'Purchases', hiddn: true },
      ...createEnvironments({ old: createTableLock('Sales') }),
    });
    const getCodes = async (): Promise<readonly string[]> =>
      (await engine.getFindings(paths.orders)).map(({ code }) => code);
    const all = await engine.getFindingsUpdate(0);
    expect(all.files.map(([path, findings]) => [path, findings.map(({ code }) => code)])).toEqual([
      [paths.orders, await getCodes()],
    ]);
    expect((await getCodes()).toSorted()).toEqual(['project/renamed-twice', 'project/schema']);
    write(lockPath, createTableLock('Orders'));
    await engine.update([lockPath]);
    const update = await engine.getFindingsUpdate(all.revision);
    expect(update.files.map(([path, findings]) => [path, findings.map(({ code }) => code)])).toEqual([
      [paths.orders, ['project/schema']],
    ]);
    expect(await getCodes()).toEqual(['project/schema']);
  });
});

describe('a column that was renamed twice', () => {
  const [id, status, label] = orders.columns;
  const columns = [id, { ...status, renamedFrom: 'Condition' }, label] as readonly JsonObject[];
  const renamedColumn = { [paths.orders]: { ...orders, columns } };
  const createColumnLock = (...names: readonly JsonObject[]): string =>
    createTableLock('Orders', { columns: [id, ...names, label] as JsonObject[] });

  test('has a warning if the lock file lists it under its first name', async () => {
    const seen = [
      { ...status, name: 'State' },
      { name: 'Deleted', type: 18 },
    ];
    const environments = createEnvironments({ old: createColumnLock(...seen) });
    expect(await findWarnings({ ...renamedColumn, ...environments })).toEqual([
      `${paths.orders}:14 warning: ${describeNames('Status', 'old ("State")')}`,
    ]);
  });

  test.each<readonly [string, JsonObject[]]>([
    [
      'has the former name of the column',
      [
        { ...status, name: 'Condition' },
        { name: 'State', type: 18 },
      ],
    ],
    [
      'has the name of the column',
      [
        { ...status, name: 'Status' },
        { name: 'State', type: 18 },
      ],
    ],
    ['does not have the column', []],
    ['has a different column that the project no longer has', [{ name: 'State', type: 8 }]],
    [
      'has several columns that the project no longer has',
      [
        { name: 'A', type: 18 },
        { name: 'B', type: 18 },
      ],
    ],
  ])('has no warning if the lock file %s', async (_state, seen) => {
    const environments = createEnvironments({ old: createColumnLock(...seen) });
    expect(await findWarnings({ ...renamedColumn, ...environments })).toEqual([]);
  });
});

test('a viewpoint that was renamed twice has a warning', async () => {
  const lock = createLock([
    { kind: 'viewpoint', viewpoint: 'First' },
    { ...viewpoint, name: 'First' },
  ]);
  const files = { [paths.viewpoint]: { ...viewpoint, renamedFrom: 'Second' } };
  expect(await findWarnings({ ...files, ...createEnvironments({ old: lock }) })).toEqual([
    expect.stringContaining(describeNames('Sales', 'old ("First")')),
  ]);
});
