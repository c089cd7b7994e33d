import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { requireProject } from '../../../../src/cli/requireProject.ts';
import { stringify } from '../../../../src/base/json.ts';
import { emptyLock, formatLock } from '../../../../src/project/pull/lock.ts';
import { checkSettings } from '../../../../src/project/validate/checkSettings.ts';
import { type ValidateOptions, validateProject } from '../../../../src/project/validate/validateProject.ts';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'project-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

type Files = Readonly<Record<string, unknown>>;

const modelFolder = 'datamodels/Retail';

/** A project without any finding. */
const validFiles: Files = {
  'datamodel-studio.json': { version: 1 },
  'environments/test.json': { url: 'https://test.example.com' },
  [`${modelFolder}/Retail.datamodel.json`]: { title: 'Retail', type: 'extract' },
  [`${modelFolder}/datasets/Sales.dataset.json`]: { name: 'Sales', type: 'extract' },
  [`${modelFolder}/tables/Orders.table.json`]: {
    dataset: 'Sales',
    name: 'Orders',
    type: 'base',
    columns: [
      { name: 'Id', type: 8 },
      { name: 'Status', type: 18 },
      {
        name: 'Label',
        type: 18,
        isCustom: true,
        expression: { $file: 'Orders/Label.datamodel.sql' },
      },
    ],
  },
  [`${modelFolder}/tables/Orders/Label.datamodel.sql`]: 'UPPER([Status])\n',
  [`${modelFolder}/tables/Items.table.json`]: {
    dataset: 'Sales',
    name: 'Items',
    type: 'base',
    columns: [{ name: 'Order', type: 8 }],
  },
  [`${modelFolder}/relations/Items.Order - Orders.Id.relation.json`]: {
    columns: [
      { table: 'Items', column: 'Order' },
      { table: 'Orders', column: 'Id' },
    ],
  },
  [`${modelFolder}/rules/Orders.Status.rules.json`]: [
    {
      table: 'Orders',
      column: 'Status',
      datatype: 'text',
      members: ['Open'],
      allMembers: null,
      shares: [
        { type: 'group', party: { bound: 1 } },
        { type: 'group', party: 'Data Team' },
        { type: 'user', party: 'anna@shop.example' },
      ],
    },
    {
      table: 'Orders',
      column: 'Status',
      datatype: 'text',
      members: [],
      allMembers: true,
      shares: [{ type: 'default' }],
    },
  ],
};

/** Writes the valid files with others in place of some of them, and returns the findings as texts. */
async function validate(changes: Files = {}, options: ValidateOptions = {}): Promise<readonly string[]> {
  for (const [path, content] of Object.entries({ ...validFiles, ...changes })) {
    if (content !== undefined) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(
        join(folder, path),
        typeof content === 'string' ? content : `${stringify(content, 2)}\n`,
      );
    }
  }
  return (await validateProject(folder, options)).map(
    ({ path, line, severity, code }) => `${path.replace(`${modelFolder}/`, '')}:${line} ${severity} ${code}`,
  );
}

const statusRulesPath = `${modelFolder}/rules/Orders.Status.rules.json`;
const statusRules = validFiles[statusRulesPath] as readonly object[];

describe('the rules in a file', () => {
  test('must not list values while they give access to all', async () => {
    const [rule = {}, ...others] = statusRules;
    expect(await validate({ [statusRulesPath]: [{ ...rule, allMembers: true }, ...others] })).toEqual([
      'rules/Orders.Status.rules.json:9 error rules/all-members-true',
    ]);
  });
});

const ordersPath = `${modelFolder}/tables/Orders.table.json`;
const orders = validFiles[ordersPath] as { readonly columns: readonly object[] };

describe('a project', () => {
  test('without mistakes has no findings, even if a party has a number instead of a name', async () => {
    expect(await validate()).toEqual([]);
  });

  test('is a folder with settings or with folders of a project', async () => {
    await expect(requireProject(folder)).rejects.toThrow("The folder isn't a project.");
    await expect(requireProject(join(folder, 'missing'))).rejects.toThrow("doesn't exist");
    await mkdir(join(folder, 'viewpoints'));
    await requireProject(folder);
  });

  test('has an error if its folder of environments is a file or cannot be read', async () => {
    const path = join(folder, 'environments');
    const getMessages = async () => (await checkSettings(folder)).findings.map(({ message }) => message);
    await writeFile(path, '');
    expect(await getMessages()).toEqual([expect.stringContaining('(ENOTDIR)')]);
    await rm(path);
    await symlink(path, path);
    expect(await getMessages()).toEqual([expect.stringContaining('ELOOP')]);
  });

  test('is named in the message if a folder inside it is opened instead', async () => {
    const inner = join(folder, 'a b', 'datamodels', 'Retail');
    await mkdir(inner, { recursive: true });
    await expect(requireProject(inner)).rejects.toThrow(
      "The folder isn't a project. Expected: datamodel-studio.json",
    );
    await writeFile(join(folder, 'a b', 'datamodel-studio.json'), '{}');
    const path = relative(process.cwd(), join(folder, 'a b'));
    await expect(requireProject(inner)).rejects.toThrow(
      `The folder isn't a project. It's inside a project: run the command with --project '${path}' instead.`,
    );
  });

  test.each<[name: string, changes: Files, findings: readonly string[]]>([
    [
      'broken settings',
      { 'datamodel-studio.json': '{\n"version": 1,\n"manages": {}}' },
      ['datamodel-studio.json:3 error settings/invalid-file'],
    ],
    [
      'merge conflicts, without what follows from them',
      {
        'datamodel-studio.json': '{\n<<<<<<< HEAD\n"version": 1\n=======\n"version": 1,\n>>>>>>> other\n}',
        'environments/test.json': '{\n"url": "https://test.example.com"\n>>>>>>> other\n}',
        [ordersPath]: '{\n<<<<<<< HEAD\n"name": "Orders"\n}',
        [`${modelFolder}/tables/Orders/Label.datamodel.sql`]: "[Status]\n\n<<<<<<< HEAD\n+ ''\n",
      },
      [
        'datamodel-studio.json:2 error settings/invalid-file',
        'tables/Orders.table.json:2 error project/merge-conflict',
        'tables/Orders/Label.datamodel.sql:3 error project/merge-conflict',
        'environments/test.json:3 error settings/invalid-file',
      ],
    ],
    [
      'secrets in plain text, but not the names of variables',
      {
        'environments/test.json':
          '{\n"url": "https://test.example.com",\n"connections": {"Retail": {\n"Sales": {"parameters": {"Password": "hunter2!x",\n"Server": "db"}},\n"B": {"parameters": {"Password": {"$env": "B_PASSWORD"}}}}}}',
        [`${modelFolder}/datasets/Sales.dataset.json`]:
          '{"name": "Sales", "type": "extract", "connection": {\n"parameters": {\n"Password": "••••••••",\n"ApiKey": "AKx93-2jd92"}}}',
      },
      [
        'datasets/Sales.dataset.json:4 warning project/plain-secret',
        'environments/test.json:4 warning project/plain-secret',
        'environments/test.json:6 warning settings/unknown-dataset',
      ],
    ],
    [
      'secrets in custom data, which an apply would write',
      {
        'datamodel-studio.json': '{"version": 1, "manage": {"customData": {"Hook": {"app": "hooks"}}}}',
        'custom-data/Hook.custom-data.json':
          '{"name": "Hook", "content": {\n"app": "hooks",\n"webhook": {"apiKey": "AKx93-2jd92"},\n"url": "https://bob:Pa55w0rd99@example.com/x"}}',
      },
      [
        'custom-data/Hook.custom-data.json:3 error project/plain-secret',
        'custom-data/Hook.custom-data.json:4 error project/plain-secret',
      ],
    ],
    [
      'properties of custom data that do not match its filter',
      {
        'datamodel-studio.json':
          '{"version": 1, "manage": {"customData": {"Hook": {"app": "hooks", "level": 1, "old": {"$exists": false}}}}}',
        'custom-data/Hook.custom-data.json':
          '{"name": "Hook", "content": {\n"app": "Hooks",\n"level": 1,\n"old": null}}',
      },
      [
        'custom-data/Hook.custom-data.json:2 error project/schema',
        'custom-data/Hook.custom-data.json:4 error project/schema',
      ],
    ],
    [
      // A property that the file doesn't have stays as it is, and a reference may stand for any ID.
      'no custom data that may match its filter',
      {
        'datamodel-studio.json':
          '{"version": 1, "manage": {"customData": {"Hook": {"app": "hooks", "owner": "0b6df0a77f96d4b73c572389"}}}}',
        'custom-data/Hook.custom-data.json':
          '{"name": "Hook", "content": {"owner": {"$ref": {"user": "Ann"}}}}',
      },
      [],
    ],
    [
      'every mistake in the settings',
      {
        'datamodel-studio.json': '{\n"version": 1,\n"manage": {\n"datamodels": "*",\n"cubes": []},\n"x": 1}',
      },
      [
        'datamodel-studio.json:4 error settings/invalid-file',
        'datamodel-studio.json:5 error settings/invalid-file',
        'datamodel-studio.json:6 error settings/invalid-file',
      ],
    ],
    [
      'an environment with an invalid address and role',
      { 'environments/test.json': { url: 'ftp://example.com', role: 'prod' } },
      [
        'environments/test.json:2 error settings/invalid-file',
        'environments/test.json:3 error settings/invalid-file',
      ],
    ],
    [
      'an environment with a weaker role than another one with the same address',
      {
        'environments/a.json': { url: 'http://example.com.', tenant: 't1' },
        'environments/prod.json': { url: 'https://example.com', role: 'production' },
      },
      ['environments/a.json:1 warning settings/weaker-role'],
    ],
    [
      'a broken lock',
      {
        'environments/test.json': { url: 'https://example.com' },
        'environments/test.lock.json': '{\n<<<<<<< HEAD\n',
      },
      ['environments/test.lock.json:2 error settings/invalid-lock'],
    ],
    [
      'a lock file whose environment was deleted',
      {
        'environments/prod.lock.json': formatLock(emptyLock),
        'environments/default.lock.json': formatLock(emptyLock),
      },
      ['environments/prod.json:1 error settings/invalid-file'],
    ],
    [
      'a table in a dataset that does not exist',
      { [ordersPath]: { ...orders, dataset: 'Sale' } },
      ['tables/Orders.table.json:2 error reference/unknown-dataset'],
    ],
    [
      'a relation on a column that does not exist',
      {
        [`${modelFolder}/relations/Items.Order - Orders.Id.relation.json`]: {
          columns: [
            { table: 'Items', column: 'Order' },
            { table: 'Orders', column: 'Ids' },
          ],
        },
      },
      ['relations/Items.Order - Orders.Id.relation.json:9 error reference/unknown-column'],
    ],
    [
      'a reference to a table that does not exist',
      { [ordersPath]: { ...orders, accumulate: { $ref: { table: 'Order', column: 'Id' } } } },
      ['tables/Orders.table.json:25 error reference/unknown-table'],
    ],
    [
      'SQL with an unknown column',
      { [`${modelFolder}/tables/Orders/Label.datamodel.sql`]: 'UPPER(\n[Statu])\n' },
      ['tables/Orders/Label.datamodel.sql:2 error sql/unknown-column'],
    ],
    [
      'SQL that no table refers to',
      { [`${modelFolder}/tables/Orders/Old.datamodel.sql`]: '1\n' },
      ['tables/Orders/Old.datamodel.sql:1 warning project/unreferenced-sql'],
    ],
    [
      'a viewpoint on a datamodel that the project manages and does not have',
      {
        'viewpoints/Profit.viewpoint.json': {
          name: 'Profit',
          details: { datasource: { title: 'Retial' }, columns: [] },
        },
      },
      expect.arrayContaining([
        'viewpoints/Profit.viewpoint.json:5 warning viewpoint/unknown-datamodel',
      ]) as readonly string[],
    ],
  ])('reports %s', async (_name, changes, findings) => {
    expect(await validate(changes)).toEqual(findings);
  });

  test.each([
    [
      'extract',
      'live',
      'An extract datamodel can\'t have a dataset of type "live". Expected: extract, custom.',
    ],
    ['live', 'EXTRACT', 'A live datamodel can\'t have a dataset of type "EXTRACT". Expected: live, custom.'],
    ['extract', 'custom', undefined],
    ['live', 'custom', undefined],
    ['Live', 'live', undefined],
  ])(
    'of type %s with a dataset of type %s has an error if the types contradict each other',
    async (type, datasetType, message) => {
      const path = `${modelFolder}/datasets/More.dataset.json`;
      await validate({
        [`${modelFolder}/Retail.datamodel.json`]: { title: 'Retail', type },
        [`${modelFolder}/datasets/Sales.dataset.json`]: { name: 'Sales', type: type.toLowerCase() },
        [path]: { name: 'More', type: datasetType },
      });
      const findings = (await validateProject(folder)).filter((finding) =>
        finding.path.includes('/datasets/'),
      );
      expect(findings.map(({ detail: _detail, ...finding }) => finding)).toEqual(
        message === undefined
          ? []
          : [
              {
                path,
                line: 3,
                column: 11,
                severity: 'error',
                code: 'project/schema',
                message,
                subject: `"${datasetType}"`,
              },
            ],
      );
    },
  );

  test('does not report what follows from a file that cannot be read', async () => {
    expect(await validate({ [ordersPath]: '{"name": "Orders",' })).toEqual([
      'tables/Orders.table.json:1 error project/syntax',
    ]);
  });

  test('reports what is wrong beside a table that cannot be read', async () => {
    const brokenTable = { [`${modelFolder}/tables/Broken.table.json`]: '{' };
    const createViewpoint = (table: string, column: string) => ({
      name: table,
      details: {
        datasource: { title: 'Retail' },
        columns: [{ table, column, dim: `[${table}.${column}]`, id: 'x' }],
      },
    });
    const findings = await validate({
      ...brokenTable,
      [`${modelFolder}/tables/Orders/Label.datamodel.sql`]: 'UPPER([Statu])\n',
      [`${modelFolder}/tables/Sums.table.json`]: {
        dataset: 'Sales',
        name: 'Sums',
        type: 'custom',
        columns: [],
        expression: { $file: 'Sums.datamodel.sql' },
      },
      [`${modelFolder}/tables/Sums.datamodel.sql`]: 'SELECT o.[Stat], b.[Any] FROM [Orders] o, [Broken] b\n',
      [`${modelFolder}/relations/a.relation.json`]: {
        columns: [
          { table: 'Broken', column: 'Id' },
          { table: 'Items', column: 'Nope' },
        ],
      },
      [`${modelFolder}/rules/Orders.Nope.rules.json`]: [
        {
          table: 'Orders',
          column: 'Nope',
          datatype: 'text',
          members: [],
          allMembers: true,
          shares: [{ type: 'default' }],
        },
      ],
      [`${modelFolder}/rules/Broken.Id.rules.json`]: [
        {
          table: 'Broken',
          column: 'Id',
          datatype: 'text',
          members: [],
          allMembers: true,
          shares: [{ type: 'default' }],
        },
      ],
      'viewpoints/Known.viewpoint.json': createViewpoint('Orders', 'Nope'),
      'viewpoints/Unknown.viewpoint.json': createViewpoint('Broken', 'Any'),
    });
    expect(findings.filter((finding) => /unknown|project/.test(finding))).toEqual([
      'relations/a.relation.json:9 error reference/unknown-column',
      'rules/Orders.Nope.rules.json:4 error rules/unknown-column',
      'tables/Broken.table.json:1 error project/syntax',
      'tables/Orders/Label.datamodel.sql:1 error sql/unknown-column',
      'tables/Sums.datamodel.sql:1 error sql/unknown-column',
      expect.stringMatching(/^viewpoints\/Known\.viewpoint\.json:\d+ error viewpoint\/unknown-column$/),
    ]);
  });

  test('does not report unknown columns of a table whose columns are partly listed elsewhere', async () => {
    const changes = {
      [`${modelFolder}/tables/Orders/Label.datamodel.sql`]: 'UPPER([Statu])\n',
      [`${modelFolder}/relations/a.relation.json`]: {
        columns: [
          { table: 'Orders', column: 'Dropped' },
          { table: 'Items', column: 'Nope' },
        ],
      },
    };
    expect(
      await validate({
        ...changes,
        [ordersPath]: { ...orders, tupleTransformations: [{ name: 'Dropped' }] },
      }),
    ).toEqual(['relations/a.relation.json:9 error reference/unknown-column']);
  });

  test('names the subject of each finding', async () => {
    await validate({
      [`${modelFolder}/tables/Orders/Label.datamodel.sql`]: 'UPPER([Statu])\n',
      [ordersPath]: { ...orders, dataset: 'Sale' },
      [`${modelFolder}/rules/Orders.Id.rules.json`]: [
        { table: 'Orders', column: 'Id', datatype: 'text', members: ['a'], shares: [{ type: 'default' }] },
      ],
    });
    const subjects = (await validateProject(folder)).map(({ code, subject }) => `${code} ${subject}`);
    expect(subjects).toEqual([
      'rules/datatype-mismatch "text"',
      'reference/unknown-dataset "Sale"',
      expect.stringMatching(/^sql\/unknown-column \[?Statu\]?$/),
    ]);
  });

  test('cannot be opened if its folder cannot be listed', async () => {
    // Even root can't list a folder whose name is too long for the system.
    await expect(requireProject(join(folder, 'x'.repeat(300)))).rejects.toThrow(
      "Can't read the project folder. Its path is too long (ENAMETOOLONG).",
    );
  });

  test('does not report a viewpoint on a datamodel that is not managed', async () => {
    const findings = await validate({
      'datamodel-studio.json': { version: 1, manage: { datamodels: ['Retail'] } },
      'viewpoints/Profit.viewpoint.json': {
        name: 'Profit',
        details: { datasource: { title: 'Other' }, columns: [] },
      },
    });
    expect(findings.filter((finding) => finding.includes('unknown-datamodel'))).toEqual([]);
  });

  test('may have a former name in a viewpoint, but not in a part of one', async () => {
    const findings = await validate({
      'viewpoints/Profit.viewpoint.json': {
        name: 'Profit',
        renamedFrom: 'Gain',
        visibility: { renamedFrom: 'Gain' },
      },
    });
    expect(findings.filter((finding) => finding.includes('information viewpoint/schema'))).toEqual([
      'viewpoints/Profit.viewpoint.json:5 information viewpoint/schema',
    ]);
  });

  test('has the same findings in the same order each time', async () => {
    const changes = {
      [ordersPath]: { ...orders, dataset: 'Sale' },
      [`${modelFolder}/tables/Z.datamodel.sql`]: '1',
    };
    expect(await validate(changes)).toEqual(await validate(changes));
  });
});

describe('a similar name is suggested for an unknown name', () => {
  const rulesPath = `${modelFolder}/rules/Orders.Status.rules.json`;
  const rename = (path: string, from: string, to: string): Files => ({
    [path]: stringify(validFiles[path]).replaceAll(`"${from}"`, `"${to}"`),
  });
  const createViewpoint = (table: string, column: string): Files => ({
    'viewpoints/Profit.viewpoint.json': {
      name: 'Profit',
      details: {
        datasource: { title: 'Retail' },
        columns: [{ title: 'A', type: 'dimension', jaql: { dim: `[${table}.${column}]` }, table, column }],
      },
    },
  });

  test.each<[name: string, changes: Files, message: string]>([
    [
      'in the settings',
      { 'datamodel-studio.json': '{"version": 1, "manage": {"viewpoint": []}}' },
      'Unknown property "viewpoint". Did you mean "viewpoints"?',
    ],
    [
      'at the top of the settings',
      { 'datamodel-studio.json': '{"version": 1, "managed": {}}' },
      'Unknown property "managed". Did you mean "manage"?',
    ],
    [
      'in an environment',
      { 'environments/test.json': { url: 'https://test.example.com', rol: 'staging' } },
      'Unknown property "rol". Did you mean "role"?',
    ],
    [
      'in settings, unless none is similar',
      { 'datamodel-studio.json': '{"version": 1, "x": 1}' },
      'Unknown property "x".',
    ],
    [
      'of a column in SQL',
      { [`${modelFolder}/tables/Orders/Label.datamodel.sql`]: 'UPPER([Statu])\n' },
      'Orders has no column "Statu". Did you mean [Status]?',
    ],
    [
      'of a column of rules',
      rename(rulesPath, 'Status', 'Statuss'),
      '"Orders" has no column "Statuss". The rule has no effect. Did you mean "Status"?',
    ],
    [
      'of a table of rules',
      rename(rulesPath, 'Orders', 'Order'),
      'Unknown table "Order". The rule has no effect. Did you mean "Orders"?',
    ],
  ])('%s', async (_name, changes, message) => {
    await validate(changes);
    expect((await validateProject(folder)).map((finding) => finding.message)).toContain(message);
  });

  test('of a table and a column of a viewpoint', async () => {
    await validate(createViewpoint('Order', 'Status'));
    const getMessages = async () => (await validateProject(folder)).map(({ message }) => message);
    expect(await getMessages()).toContain('The datamodel has no table "Order". Did you mean "Orders"?');
    await validate(createViewpoint('Orders', 'Statuss'));
    expect(await getMessages()).toContain(
      'The table "Orders" has no column "Statuss". Did you mean "Status"?',
    );
  });
});

describe('"manage"', () => {
  const formatSettings = (manage: string): string => `{\n"version": 1,\n"manage": {\n${manage}\n}}\n`;
  const findManageProblems = async (
    changes: Files,
    options?: ValidateOptions,
  ): Promise<readonly string[]> => {
    await validate(changes);
    return (await validateProject(folder, options)).map(
      ({ path, line, column, severity, code, message }) =>
        `${path}:${line}:${column} ${severity} ${code}: ${message}`,
    );
  };
  const viewpoints = {
    'viewpoints/Loss.viewpoint.json': { name: 'Loss' },
    'viewpoints/Profit.viewpoint.json': { name: 'Profit' },
  };
  const excludedRetail = `${modelFolder}/Retail.datamodel.json:1:1 warning project/not-managed: "manage" in datamodel-studio.json excludes the datamodel "Retail". Its files are neither pulled nor applied.`;

  test.each([
    ['"datamodels": [\n"Retial"]', 'datamodel-studio.json:5:1', '"Retial". Did you mean "Retail"?'],
    ['"datamodels": ["retail"]', 'datamodel-studio.json:4:16', '"retail". Did you mean "Retail"?'],
    ['"datamodels": ["retail*"]', 'datamodel-studio.json:4:16', '"retail*". Did you mean "Retail"?'],
    ['"datamodels": ["Sales *"]', 'datamodel-studio.json:4:16', '"Sales *".'],
  ])(
    'with the unmatched pattern %s has a warning at the pattern, and one for all files of the datamodel',
    async (manage, position, text) => {
      expect(await findManageProblems({ 'datamodel-studio.json': formatSettings(manage) })).toEqual([
        `${position} warning settings/unmatched-pattern: No datamodel in the project matches ${text}`,
        excludedRetail,
      ]);
    },
  );

  test('that excludes some of the files has one warning for each datamodel, and one for all viewpoints', async () => {
    const settings = formatSettings('"datamodels": [], "viewpoints": ["P*s", "Profit"]');
    expect(await findManageProblems({ 'datamodel-studio.json': settings, ...viewpoints })).toEqual(
      expect.arrayContaining([
        'datamodel-studio.json:4:34 warning settings/unmatched-pattern: No viewpoint in the project matches "P*s".',
        excludedRetail,
        'viewpoints/Loss.viewpoint.json:1:1 warning project/not-managed: "manage" in datamodel-studio.json excludes this viewpoint. Its file is neither pulled nor applied.',
      ]),
    );
    const none = formatSettings('"viewpoints": []');
    expect(await findManageProblems({ 'datamodel-studio.json': none, ...viewpoints })).toContain(
      'viewpoints/Loss.viewpoint.json:1:1 warning project/not-managed: "manage" in datamodel-studio.json excludes 2 viewpoints, such as this one. Their files are neither pulled nor applied.',
    );
  });

  test('without the name of a cube set or custom data object has a warning for its files', async () => {
    const rules = [{ cubeSet: 'All Sales', table: 'Orders', column: 'Status' }];
    const findings = await findManageProblems({
      'datamodel-studio.json': formatSettings('"cubeSets": ["All Sale"]'),
      'cube-sets/All Sales/rules/Orders.Status.rules.json': rules,
      'custom-data/Theme.custom-data.json': { name: 'Theme', content: { app: 'settings' } },
    });
    expect(findings).toEqual(
      expect.arrayContaining([
        'datamodel-studio.json:4:14 warning settings/unmatched-pattern: No cube set in the project matches "All Sale". Did you mean "All Sales"?',
        'cube-sets/All Sales/rules/Orders.Status.rules.json:1:1 warning project/not-managed: "manage" in datamodel-studio.json excludes the cube set "All Sales". Its files are neither pulled nor applied.',
        'custom-data/Theme.custom-data.json:1:1 warning project/not-managed: "manage" in datamodel-studio.json excludes this custom data object. Its file is neither pulled nor applied.',
      ]),
    );
  });

  test('may name what the project does not have yet, if it excludes no file', async () => {
    const settings = formatSettings(
      '"datamodels": ["Retail", "Sales *", "Support"], "viewpoints": ["Profit"]',
    );
    expect(await findManageProblems({ 'datamodel-studio.json': settings })).toEqual([]);
  });

  test('may name what is in a file that cannot be read', async () => {
    const other = { 'datamodels/Support/Support.datamodel.json': '{' };
    const settings = formatSettings('"datamodels": ["Support"]');
    expect(await findManageProblems({ 'datamodel-studio.json': settings, ...other })).toEqual([
      excludedRetail,
      expect.stringContaining('project/syntax'),
    ]);
  });

  test('that excludes a changed file has a warning if only changes are checked', async () => {
    const settings = formatSettings('"datamodels": ["Retial"]');
    const options = { changedPaths: [ordersPath] };
    expect(await findManageProblems({ 'datamodel-studio.json': settings }, options)).toEqual([
      excludedRetail,
    ]);
  });
});

describe('rules of a cube set', () => {
  const cubeSetPath = 'cube-sets/All/rules/Orders.State.rules.json';
  const createRules = (names: object) => ({
    [cubeSetPath]: [
      {
        cubeSet: 'All',
        table: 'Orders',
        column: 'State',
        datatype: 'text',
        members: [],
        allMembers: true,
        shares: [{ type: 'default' }],
        ...names,
      },
    ],
  });
  const createSettings = (...datamodels: readonly string[]) => ({
    'datamodel-studio.json': { version: 1, manage: { datamodels, cubeSets: ['All'] } },
  });

  test('may be on a column of any datamodel that is not live', async () => {
    const state = { name: 'State', type: 18 };
    const otherTable = {
      'datamodels/Other/tables/Orders.table.json': { dataset: 'Sales', name: 'Orders', columns: [state] },
    };
    for (const [type, expected] of [
      ['extract', []],
      ['live', [`${cubeSetPath}:5 error rules/unknown-column`]],
    ] as const) {
      const other = {
        'datamodels/Other/Other.datamodel.json': { title: 'Other', type },
        'datamodels/Other/datasets/Sales.dataset.json': { name: 'Sales', type },
      };
      expect(await validate({ ...createSettings('*'), ...createRules({}), ...otherTable, ...other })).toEqual(
        expected,
      );
    }
  });

  test('with mistakes have errors if the project has all datamodels, and otherwise warnings', async () => {
    expect(await validate({ ...createSettings('*'), ...createRules({}) })).toEqual([
      `${cubeSetPath}:5 error rules/unknown-column`,
    ]);
    expect(await validate({ ...createSettings('*'), ...createRules({ table: 'Nowhere' }) })).toEqual([
      `${cubeSetPath}:4 error rules/unknown-table`,
    ]);
    const differentType = { column: 'Status', datatype: 'numeric' };
    expect(await validate({ ...createSettings('*'), ...createRules(differentType) })).toEqual([
      `${cubeSetPath}:6 error rules/datatype-mismatch`,
    ]);
    expect(await validate({ ...createSettings('Retail'), ...createRules(differentType) })).toEqual([
      `${cubeSetPath}:6 warning rules/datatype-mismatch`,
    ]);
    expect(await validate({ ...createSettings('Retail'), ...createRules({ table: 'Nowhere' }) })).toEqual([
      `${cubeSetPath}:4 warning rules/unknown-table`,
    ]);
    const [finding] = await validateProject(folder);
    expect(finding?.message).toBe(
      'No datamodel in the project has a table "Nowhere". Unless another datamodel in the cube set has it, the rule has no effect.',
    );
  });

  test('are not reported if a file that cannot be read may have their table', async () => {
    const findings = await validate({
      ...createSettings('*'),
      ...createRules({ table: 'Nowhere' }),
      [`${modelFolder}/tables/Broken.table.json`]: '{',
    });
    expect(findings.filter((finding) => finding.includes('unknown'))).toEqual([]);
  });

  test('are checked if any datamodel has changed', async () => {
    const files = { ...createSettings('*'), ...createRules({}) };
    expect(await validate(files, { changedPaths: [ordersPath] })).toEqual([
      `${cubeSetPath}:5 error rules/unknown-column`,
    ]);
    const rulesPath = `${modelFolder}/rules/Orders.Status.rules.json`;
    expect(await validate(files, { changedPaths: [rulesPath] })).toEqual([]);
  });
});

describe('changed files', () => {
  const otherModel = 'datamodels/Other';
  const createViewpoint = (title: string) => ({
    name: title,
    details: { datasource: { title }, columns: [{ table: 'Orders', column: 'Nope', id: 'x' }] },
  });
  const orderRules = [
    {
      table: 'Orders',
      column: 'Nope',
      datatype: 'text',
      members: [],
      allMembers: true,
      shares: [{ type: 'default' }],
    },
  ];
  const itemsPath = `${modelFolder}/tables/Items.table.json`;
  const labelPath = `${modelFolder}/tables/Orders/Label.datamodel.sql`;
  /** A mistake in each kind of file. */
  const mistakes: Files = {
    'environments/test.json': { url: 'ftp://x' },
    [itemsPath]: { ...(validFiles[itemsPath] as object), dataset: 'Nope' },
    [labelPath]: 'UPPER([Nope])\n',
    [`${modelFolder}/relations/a.relation.json`]: {
      columns: [
        { table: 'Items', column: 'Order' },
        { table: 'Orders', column: 'Nope' },
      ],
    },
    [`${modelFolder}/rules/Orders.Nope.rules.json`]: orderRules,
    'viewpoints/Retail.viewpoint.json': createViewpoint('Retail'),
    'viewpoints/Missing.viewpoint.json': createViewpoint('Missing'),
    [`${otherModel}/Other.datamodel.json`]: { title: 'Other', type: 'extract' },
    [`${otherModel}/rules/Orders.Nope.rules.json`]: orderRules,
  };

  /** Returns the paths of the files with findings, in short. */
  const findPaths = async (...changedPaths: readonly string[]): Promise<readonly string[]> => {
    const findings = await validate(mistakes, { changedPaths });
    return [...new Set(findings.map((finding) => finding.replace(/:.*/, '')))];
  };
  const retailPaths = [
    'relations/a.relation.json',
    'rules/Orders.Nope.rules.json',
    'tables/Items.table.json',
    'tables/Orders/Label.datamodel.sql',
  ];

  test.each<[what: string, changed: readonly string[], findings: readonly string[]]>([
    ['nothing', [], []],
    ['another file', ['README.md', 'docs/Retail.table.json'], []],
    [
      'the settings',
      ['datamodel-studio.json'],
      [
        'datamodels/Other/rules/Orders.Nope.rules.json',
        ...retailPaths,
        'environments/test.json',
        'viewpoints/Missing.viewpoint.json',
        'viewpoints/Retail.viewpoint.json',
      ],
    ],
    ['an environment', ['environments/test.json'], ['environments/test.json']],
    ['a table', [ordersPath], [...retailPaths, 'viewpoints/Retail.viewpoint.json']],
    [
      'a deleted table',
      [`${modelFolder}/tables/Gone.table.json`],
      [...retailPaths, 'viewpoints/Retail.viewpoint.json'],
    ],
    [
      'SQL of a table',
      [`${modelFolder}/tables/Sums.datamodel.sql`],
      [...retailPaths, 'viewpoints/Retail.viewpoint.json'],
    ],
    ['SQL of a column', [labelPath], ['tables/Items.table.json', 'tables/Orders/Label.datamodel.sql']],
    [
      'a dataset',
      [`${modelFolder}/datasets/Sales.dataset.json`],
      [...retailPaths, 'viewpoints/Retail.viewpoint.json'],
    ],
    ['a relation', [`${modelFolder}/relations/a.relation.json`], ['relations/a.relation.json']],
    ['rules', [`${modelFolder}/rules/Orders.Nope.rules.json`], ['rules/Orders.Nope.rules.json']],
    ['a viewpoint', ['viewpoints/Missing.viewpoint.json'], ['viewpoints/Missing.viewpoint.json']],
    [
      'a datamodel',
      [`${otherModel}/Other.datamodel.json`],
      ['datamodels/Other/rules/Orders.Nope.rules.json', 'viewpoints/Missing.viewpoint.json'],
    ],
    ['a deleted datamodel', ['datamodels/Gone/Gone.datamodel.json'], ['viewpoints/Missing.viewpoint.json']],
  ])('are checked with what depends on them: %s', async (_what, changed, findings) => {
    expect(await findPaths(...changed)).toEqual(findings);
  });

  test('are found if the file system returns decomposed Unicode names', async () => {
    const path = 'viewpoints/U\u0308bersicht.viewpoint.json';
    const changes = { [path]: '{' };
    expect(await validate(changes, { changedPaths: [path.normalize('NFC')] })).toHaveLength(1);
  });

  test('that repeat an item of another file are reported with that file', async () => {
    const [first, second] = [
      `${modelFolder}/relations/a.relation.json`,
      `${modelFolder}/relations/b.relation.json`,
    ];
    const columns = [
      { table: 'Items', column: 'Order' },
      { table: 'Orders', column: 'Status' },
    ];
    const findings = await validate(
      { [first]: { columns }, [second]: { columns } },
      { changedPaths: [second] },
    );
    expect(findings).toEqual([
      'relations/a.relation.json:1 error project/duplicate-item',
      'relations/b.relation.json:1 error project/duplicate-item',
    ]);
  });
});
