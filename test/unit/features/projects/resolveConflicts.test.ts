import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { silentLog } from '../../../../src/base/log.ts';
import type { PullConflict } from '../../../../src/project/pull/decideUnit.ts';
import { ProjectPull } from '../../../../src/project/pull/pullProject.ts';
import { defaultProjectSettings } from '../../../../src/project/settings/projectSettings.ts';
import { expectDefined } from '../../../support/expectations.ts';
import { ChangeFixture } from '../../changes/run/support.ts';

const customersPath = 'datamodels/Retail/tables/Customers.table.json';
const ordersPath = 'datamodels/Retail/tables/Orders.table.json';
const dependentText =
  "Customers (Table in Retail): not pulled, because it depends on something that wasn't pulled. " +
  'Pull first: you can resolve the conflict only after you pull the items that it depends on.';

let folder = '';
let fixture: ChangeFixture;
/** What the editor has shown: messages with their buttons, and opened documents. */
const shown: string[] = [];
/** The details in the lists that the editor has shown. */
const details: string[] = [];
/** The buttons and items that the user selects next. */
let answers: string[] = [];
let unsavedPaths: readonly string[] = [];

const createApi = () => {
  const format = (text: string, ...values: readonly unknown[]): string =>
    text.replace(/\{(\d+)\}/g, (_, index: string) => String(values[Number(index)]));
  const answer = (candidates: readonly string[]): string | undefined =>
    candidates.find((candidate) => candidate === answers[0] && answers.shift() === candidate);
  const show = async (text: string, ...actions: readonly string[]): Promise<string | undefined> => {
    shown.push([text, ...actions.map((action) => `[${action}]`)].join(' '));
    return answer(actions);
  };
  return {
    l10n: { t: format },
    QuickPickItemKind: { Separator: -1 },
    Uri: {
      from: ({ path }: { path: string }) => ({ path, toString: () => path }),
      joinPath: (base: { fsPath: string }, path: string) => {
        const file = join(base.fsPath, path);
        return { path: file, fsPath: file, toString: () => file };
      },
    },
    workspace: { textDocuments: [] },
    commands: {
      executeCommand: async (name: string, uri: { path: string }) => {
        shown.push(`${name} ${uri.path}`);
      },
    },
    window: {
      showInformationMessage: show,
      showWarningMessage: show,
      showErrorMessage: show,
      showQuickPick: async (items: readonly { label: string; detail?: string }[]) => {
        details.push(...items.flatMap(({ detail }) => detail ?? []));
        const label = answer(items.map((item) => item.label));
        return items.find((item) => item.label === label);
      },
    },
  };
};

const loadModule = () => import('../../../../src/features/projects/resolveConflicts.ts');
let resolveConflicts: Awaited<ReturnType<typeof loadModule>>['resolveConflicts'];

beforeAll(async () => {
  vi.resetModules();
  vi.doMock('vscode', createApi);
  ({ resolveConflicts } = await loadModule());
});

afterAll(() => {
  vi.doUnmock('vscode');
  vi.resetModules();
});

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'resolve-'));
  fixture = new ChangeFixture();
  shown.length = 0;
  details.length = 0;
  answers = [];
  unsavedPaths = [];
});

afterEach(() => {
  fixture[Symbol.dispose]();
  rmSync(folder, { recursive: true, force: true });
});

const createPull = (): ProjectPull =>
  new ProjectPull(
    {
      folder,
      settings: defaultProjectSettings,
      isNewProject: !existsSync(join(folder, 'datamodel-studio.json')),
      environmentName: 'default',
      address: { url: 'https://analytics.example.com' },
    },
    {
      limits: { datamodels: ['Retail'] },
      signal: new AbortController().signal,
      log: silentLog,
      getUnsavedPaths: () => unsavedPaths,
    },
  );
const openClient = async () => fixture.client;

/** Changes the tables on the instance, and adds one that is related to the customers. */
async function changeInstance(): Promise<void> {
  const { client } = fixture;
  const models = (await client.datamodels.list()).value;
  const datamodelId = expectDefined(models.find(({ title }) => title === 'Retail')).oid;
  for (const { oid: datasetId } of (await client.datasets.list({ datamodelId })).value) {
    const path = { datamodelId, datasetId };
    const tables = (await client.tables.list(path)).value;
    for (const { oid: tableId, name } of tables) {
      if (name === 'Customers' || name === 'Orders') {
        await client.tables.update({ ...path, tableId }, { description: 'Changed there' });
      }
    }
    const customers = tables.find(({ name }) => name === 'Customers');
    if (customers !== undefined) {
      const columns = customers.columns?.slice(0, 1).map(({ id, name, type }) => ({ id, name, type }));
      const content = { id: customers.id ?? '', name: 'New', type: 'base', columns };
      const created = expectDefined((await client.tables.create(path, content)).value);
      const ends = [customers, created].map((table) => ({
        dataset: datasetId,
        table: table.oid,
        column: expectDefined(table.columns?.[0]).oid,
      }));
      await client.relations.create({ datamodelId }, { columns: ends });
    }
  }
}

/** Finds the conflicts of a project that has deleted the customers and changed the orders. */
async function findConflicts({ keepsSql = false } = {}) {
  await createPull().run(openClient);
  rmSync(join(folder, customersPath));
  if (!keepsSql) {
    rmSync(join(folder, 'datamodels/Retail/tables/Customers'), { recursive: true });
  }
  const orders = readFileSync(join(folder, ordersPath), 'utf8');
  writeFileSync(join(folder, ordersPath), orders.replace(/"description": "[^"]*"/, '"description": "Mine"'));
  await changeInstance();
  const pull = createPull();
  const conflicts = await pull.findConflicts(openClient);
  expect(conflicts).toHaveLength(2);
  const [customers, ordersConflict] = ['Customers', 'Orders'].map((name) =>
    expectDefined(conflicts.find(({ unitKey }) => 'table' in unitKey && unitKey.table === name)),
  ) as [PullConflict, PullConflict];
  return {
    customers,
    orders: ordersConflict,
    resolve: (selected: readonly PullConflict[], first?: PullConflict) => resolve(pull, selected, first),
  };
}

const resolve = (pull: ProjectPull, conflicts: readonly PullConflict[], first?: PullConflict) =>
  resolveConflicts(
    { versionTexts: new Map(), unfinishedMerges: undefined as never },
    { pull, folder: { fsPath: folder, path: folder, toString: () => folder } as never, conflicts },
    first,
  );

describe('a conflict of a table that is left out, because the table depends on something that was not pulled', () => {
  test('is not reported as resolved, unlike other conflicts', async () => {
    const { customers, orders, resolve: resolveSome } = await findConflicts();
    answers = ["Use the Server's Version"];
    await resolveSome([customers, orders]);
    expect(shown).toEqual([`The conflict isn't resolved. ${dependentText}`]);
    // A line of its own begins with a capital letter, unless that of a name.
    expect(details).toEqual([
      "Deleted in the project and changed on the instance. The file wasn't restored.",
      '/description: changed in the file and on the instance. Your file was kept.',
    ]);
    expect(existsSync(join(folder, customersPath))).toBe(false);
    expect(readFileSync(join(folder, ordersPath), 'utf8')).toContain('"Changed there"');
  });

  test('is not shown with an empty version in place of that of the server, which cannot be used', async () => {
    const { customers, resolve: resolveSome } = await findConflicts();
    answers = ['Keep Yours'];
    await resolveSome([customers], customers);
    expect(shown).toEqual([
      "Customers (Table in Retail) is in conflict: deleted in the project and changed on the instance. The file wasn't restored. " +
        `The server's version can't be used. ${dependentText} [Keep Yours]`,
      'All conflicts are resolved.',
    ]);
    expect(await createPull().findConflicts(openClient)).toHaveLength(1);
  });

  test('is resolved after a pull', async () => {
    await findConflicts();
    await createPull().run(openClient);
    const pull = createPull();
    const found = (await pull.findConflicts(openClient)).filter(({ reason }) => reason === 'deleted-here');
    answers = ["Use the Server's Version"];
    await resolve(pull, found, found[0]);
    expect(shown.at(0)).toBe('vscode.open /Customers (Table in Retail)');
    expect(shown.at(-1)).toBe('All conflicts are resolved.');
    expect(readFileSync(join(folder, customersPath), 'utf8')).toContain('"Changed there"');
  });
});

test('a version of the instance whose files would replace others cannot be chosen', async () => {
  const { customers, resolve: resolveSome } = await findConflicts({ keepsSql: true });
  await resolveSome([customers], customers);
  expect(shown).toEqual([
    "Customers (Table in Retail) is in conflict: deleted in the project and changed on the instance. The file wasn't restored. " +
      "The server's version can't be used. " +
      'Full Name.datamodel.sql: another file has this path. Nothing was changed. ' +
      'Mail Domain.datamodel.sql: another file has this path. Nothing was changed. [Keep Yours]',
  ]);
});

test('conflicts in which neither version can be used are reported as resolvable only in the files', async () => {
  const { customers, orders, resolve: resolveSome } = await findConflicts({ keepsSql: true });
  answers = ["Use the Server's Version"];
  await resolveSome([customers, orders]);
  const [fullName, mailDomain] = ['Full Name', 'Mail Domain'].map(
    (column) => `${column}.datamodel.sql: another file has this path. Nothing was changed.`,
  );
  expect(shown.splice(0)).toEqual([
    `These conflicts can be resolved only in the files: ${fullName} ${mailDomain}`,
  ]);
  rmSync(join(folder, 'datamodels/Retail/tables/Customers/Mail Domain.datamodel.sql'));
  answers = ["Use the Server's Version"];
  await resolveSome([customers, orders]);
  expect(shown).toEqual([`This conflict can be resolved only in the files: ${fullName}`]);
});

test('a conflict whose file has unsaved changes is not reported as resolved', async () => {
  const { orders, resolve: resolveSome } = await findConflicts();
  unsavedPaths = [ordersPath];
  answers = ["Use the Server's Version"];
  await resolveSome([orders]);
  expect(shown).toEqual([
    "The conflict isn't resolved. Orders.table.json: not changed, because a file has unsaved changes or can't be read.",
  ]);
  expect(readFileSync(join(folder, ordersPath), 'utf8')).toContain('"Mine"');
});

test("a conflict in which the server's version is used is reported as resolved", async () => {
  const { orders, resolve: resolveSome } = await findConflicts();
  answers = ["Use the Server's Version"];
  await resolveSome([orders]);
  expect(shown).toEqual(['All conflicts are resolved.']);
});

test.each([
  ['"name": "Purchases", "renamedFrom": "Orders"', '"name": "Purchases"'],
  ['"name": "Purchases"', '"name": "Sales"'],
])('a conflict is not reported as resolved if %s has become %s meanwhile', async (from, to) => {
  await createPull().run(openClient);
  rmSync(join(folder, 'environments/default.lock.json'));
  const path = join(folder, ordersPath);
  const text = readFileSync(path, 'utf8')
    .replace('"name": "Orders"', '"name": "Purchases", "renamedFrom": "Orders"')
    .replace(/"description": "[^"]*"/, '"description": "Mine"');
  writeFileSync(path, text);
  const pull = createPull();
  const conflicts = (await pull.findConflicts(openClient)).filter((conflict) => conflict.path === ordersPath);
  expect(conflicts).toHaveLength(1);
  writeFileSync(path, text.replace(from, to));
  answers = ["Use the Server's Version"];
  await resolve(pull, conflicts);
  expect(shown).toEqual([
    "The conflict isn't resolved. Orders.table.json: not changed, because the project has a different name for it now. Pull again.",
  ]);
  expect(readFileSync(path, 'utf8')).toBe(text.replace(from, to));
});
