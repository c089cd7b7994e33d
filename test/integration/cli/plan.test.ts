import { cp, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { asObject, getObjects, getText } from '../../../src/changes/model/jsonMembers.ts';
import { errorOutputSchema } from '../../../src/cli/outputSchemas.ts';
import { planOutputSchema } from '../../../src/cli/planOutputSchema.ts';
import { isWrite } from '../../support/interceptingProxy.ts';
import { largeEditPrune, makeLargeEdit } from '../../support/largeEdit.ts';
import { ProjectFixture } from '../../support/projectFixture.ts';

const ordersPath = 'datamodels/Retail/tables/Orders.table.json';

describe.each(['guide', 'contract'] as const)('an instance of the profile %s', (profile) => {
  const fixture = new ProjectFixture({ profile });
  const runPlan = async (code: number, ...args: readonly string[]) => {
    const { stdout } = await fixture.expectExit(code, 'plan', '--format', 'json', ...args);
    return planOutputSchema.parse(JSON.parse(stdout));
  };
  const takeWrites = () => fixture.proxy.takeRequests().filter(isWrite);

  test('that matches the project gets a plan without changes', async () => {
    const exit = await fixture.expectExit(0, 'plan');
    expect(exit).toMatchObject({
      stdout: 'Environment: default (development)\nNothing to change: the instance matches the project.\n',
      stderr: '',
    });
    expect(takeWrites()).toEqual([]);
    expect(await runPlan(0)).toMatchObject({
      state: 'same',
      counts: { create: 0, update: 0, delete: 0, requests: 0 },
      limits: {},
    });
  });

  test('gets a plan of the items to create, change, delete, and build, of what will break, and of changed access', async () => {
    await makeLargeEdit(fixture);
    const path = join(fixture.project, 'plan.json');
    const view = await runPlan(2, ...largeEditPrune, '--out', path);
    expect(takeWrites()).toEqual([]);
    expect(view).toMatchObject({
      state: 'differs',
      prune: ['tables', 'relations', 'rules', 'viewpoints'],
      counts: { create: 25, update: 12, delete: 5 },
      problems: [],
      unknown: [],
    });
    // Of new datasets, only the connections are created, and not the files that they read.
    expect(view.builds).toHaveLength(2);
    expect(view.builds).toContainEqual({ datamodel: 'Retail', type: 'schema_changes' });
    expect(view.builds).toContainEqual({
      datamodel: 'Archive',
      type: 'schema_changes',
      files: ['orders.csv', 'order_items.csv', 'returns.csv'],
    });
    const { stdout } = await fixture.expectExit(2, 'plan', ...largeEditPrune);
    expect(stdout).toContain(
      'Upload the files of the new datasets of Archive before you build it: orders.csv, order_items.csv, returns.csv\n',
    );
    const markdown = await fixture.expectExit(2, 'plan', ...largeEditPrune, '--format', 'markdown');
    expect(markdown.stdout).toContain('- `Upload orders.csv for Archive`\n');
    expect(view.access.rows).toContainEqual({
      effect: 'gains',
      party: 'Group Support',
      text: expect.stringContaining('Retail · Orders.Channel: all but "Partner" → all values'),
    });
    expect(view.access.rows).toContainEqual({
      effect: 'loses',
      party: 'Everyone else',
      text: expect.stringContaining('Retail · Orders.Status: all values → only "open"'),
    });
    expect(view.changes.find(({ item }) => item === 'table/Retail/Orders')).toMatchObject({
      action: 'update',
      path: ordersPath,
      changedOnServer: false,
      parts: [{ pointer: '/description', after: 'Large edit of Orders' }],
    });
    const text = await readFile(path, 'utf8');
    const other = join(fixture.project, 'other.json');
    await fixture.expectExit(2, 'plan', ...largeEditPrune, '--out', other);
    expect(await readFile(other, 'utf8')).toBe(text);
    expect(planOutputSchema.parse(JSON.parse(text))).toEqual(view);
    expect(text).not.toContain(fixture.proxy.token);

    // Without --prune, items that exist only on the instance are kept, and so are the rules on them.
    const planWithoutPrune = await runPlan(2);
    expect(planWithoutPrune.counts.delete).toBe(0);
    expect(planWithoutPrune.extras).toContainEqual({ item: 'table/Retail/Employees' });

    const github = await fixture.expectExit(2, 'plan', ...largeEditPrune, '--format', 'github');
    expect(github.stderr).toMatch(/^Plan: 25 to create, 12 to change, 5 to delete\. .+\n$/);
    const lines = github.stdout.trimEnd().split('\n');
    const getCount = (level: string) =>
      lines.filter((line) => new RegExp(`^::${level} (?:file=[^:,]+,)?title=[^:]+::`, 'u').test(line)).length;
    const counts = ['error', 'warning', 'notice'].map(getCount);
    expect(counts.reduce((sum, count) => sum + count)).toBe(lines.length);
    expect(Math.max(...counts)).toBeLessThanOrEqual(10);
    expect(lines).toContainEqual(
      expect.stringMatching(/^::notice title=Will be changed \(12\)::.*table\/Retail\/Orders%0A/),
    );
    expect(lines).toContainEqual(
      expect.stringMatching(/^::warning title=Will be deleted \(5\)::.*table\/Retail\/Employees%0A/),
    );
    expect(github.stdout).toMatch(
      /^::warning title=Loses access.*Everyone else.*Retail · Orders\.Status: all values → only "open" · also affects/m,
    );
  });

  test('gets a plan that warns of a former name that nothing on it has', async () => {
    await fixture.changeJson('viewpoints/Profit by Week.viewpoint.json', {
      name: 'Weekly Profit',
      renamedFrom: 'Profit per Week',
    });
    const text =
      'The former name "Profit per Week" wasn\'t found on the instance. "Weekly Profit" will be created as a new viewpoint.';
    const item = 'viewpoint/Weekly Profit';
    const { stdout } = await fixture.expectExit(2, 'plan', '--viewpoint', '*');
    expect(stdout).toContain(`Not renamed: ${item}/renamedFrom: ${text}\n`);
    expect((await runPlan(2)).notes).toContainEqual({
      code: 'former-name-missing',
      severity: 'warning',
      item,
      pointer: '/renamedFrom',
      text,
    });
    const markdown = await fixture.expectExit(2, 'plan', '--format', 'markdown');
    expect(markdown.stdout).toContain('#### Not renamed (1)');
    const github = await fixture.expectExit(2, 'plan', '--format', 'github');
    expect(github.stdout).toContain(
      `::warning file=viewpoints/Profit by Week.viewpoint.json,title=Not renamed%3A ${item}/renamedFrom::${text}\n`,
    );
  });

  test('gets a plan that warns of a new column that may be a renamed one', async () => {
    const path = 'datamodels/Retail/tables/Stores.table.json';
    await fixture.write(path, (await fixture.read(path)).replace('"name": "Opened On"', '"name": "Opening"'));
    const text = 'To rename "Stores.Opened On" instead, add "renamedFrom": "Opened On".';
    const item = 'table/Retail/Stores';
    const { stdout } = await fixture.expectExit(2, 'plan');
    expect(stdout).toContain(`Not renamed: ${item}/columns/Opening: ${text}\n`);
    const markdown = await fixture.expectExit(2, 'plan', '--format', 'markdown');
    expect(markdown.stdout).toContain('#### Not renamed (1)');
    const github = await fixture.expectExit(2, 'plan', '--format', 'github');
    expect(github.stdout).toContain(
      `::warning file=${path},title=Not renamed%3A ${item}/columns/Opening::${text}\n`,
    );
  });

  test('gets a plan that says who gains a viewpoint, in all formats', async () => {
    await fixture.changeJson('viewpoints/Profit by Week.viewpoint.json', {
      enabled: true,
      visibility: { apps: ['teams', 'word'], groups: ['Sales', 'Support'], users: [], enabled: true },
    });
    // A user who is no longer named gains it, too, because of a group.
    const parties = 'Group Sales, Group Support, and User amara.okafor@sandbox.local';
    const summary = 'Group Sales, Group Support, and 1 more gain the viewpoint Profit by Week.';
    const line = 'viewpoint Profit by Week: not visible → visible in teams and word';
    const { stdout } = await fixture.expectExit(2, 'plan', '--viewpoint', '*');
    expect(stdout).toContain(`! Gains access: ${parties}: ${line}\n`);
    expect(stdout).toContain(`0 to delete. ${summary}\n`);
    expect((await runPlan(2)).access).toMatchObject({
      summary,
      rows: [
        {
          effect: 'gains',
          party: parties,
          text: line,
          viewpoints: ['Profit by Week'],
        },
      ],
    });
    const markdown = await fixture.expectExit(2, 'plan', '--format', 'markdown');
    expect(markdown.stdout).toContain(`\n\`${summary}\`\n`);
    expect(markdown.stdout).toContain(`#### Gains access (1)\n\n- \`${parties}: ${line}\`\n`);
    const github = await fixture.expectExit(2, 'plan', '--format', 'github');
    const title = `Gains access%3A ${parties.replaceAll(',', '%2C')}`;
    expect(github.stdout).toContain(`\n::warning title=${title}::${line}\n`);
  });

  test('is compared only for the items that the options --datamodel and --viewpoint select', async () => {
    await fixture.changeJson(ordersPath, { hidden: true });
    await fixture.publishInFile('viewpoints/Profit by Week.viewpoint.json');
    await fixture.changeJson('datamodels/Marketing/tables/Leads.table.json', { hidden: true });
    const getItems = async (...args: readonly string[]) =>
      (await runPlan(2, ...args)).changes.map(({ item }) => item);
    expect(await getItems('--datamodel', 'Re*')).toEqual(['table/Retail/Orders']);
    expect(await getItems('--viewpoint', 'Profit*')).toEqual(['viewpoint/Profit by Week']);
    expect(await getItems('--datamodel', 'Marketing', '--viewpoint', 'Profit*')).toEqual([
      'table/Marketing/Leads',
      'viewpoint/Profit by Week',
    ]);
    await runPlan(0, '--datamodel', 'Support Desk', '--prune', 'datamodels,viewpoints,rules');
    for (const command of ['plan', 'drift', 'apply']) {
      const { stderr } = await fixture.expectExit(4, command, '--datamodel', 'retail');
      expect(stderr).toContain(
        'No datamodel matches --datamodel. Names are case-sensitive. Did you mean "Retail"?',
      );
    }
  });

  test('that can be read only in part gets a plan that cannot be applied', async () => {
    await fixture.changeJson(ordersPath, { hidden: true });
    await fixture.sandbox.setFaults([{ kind: 'status', status: 403, pathPrefix: '/api/elasticubes' }]);
    const exit = await fixture.expectExit(3, 'plan', '--prune', 'rules,tables,datamodels');
    expect(exit.stdout).toMatch(/\n~ table\/Retail\/Orders\n {4}hidden: false → true\n[^~+-]/);
    expect(exit.stdout).toContain("Can't read the rules of Retail: ");
    await fixture.expectExit(3, 'apply', '--prune', 'rules', '--execute');
    await fixture.sandbox.setFaults([{ kind: 'drop' }]);
    await fixture.expectExit(3, 'plan');
    await fixture.sandbox.setFaults([]);
    await fixture.write(ordersPath, '{"name": "Orders",');
    const broken = await fixture.expectExit(3, 'plan', '--prune', 'rules,tables,datamodels');
    expect(broken.stdout).toContain(`Can't read ${ordersPath}:1:`);
    expect(broken.stdout).not.toMatch(/^[~+-]/m);
    expect(takeWrites()).toEqual([]);
  });

  test('that does not return a datamodel gets a plan with this reason only', async () => {
    fixture.proxy.intercept(({ path }) => (/\/datamodels\/[\w-]{24,}/.test(path) ? 403 : 'forward'));
    const { stdout } = await fixture.expectExit(3, 'plan');
    expect(stdout).toContain("Can't read the datamodel Retail: ");
    expect(stdout).toMatch(
      /^Can't read \d+ items: On the instance, this is part of something that couldn't be read\.$/m,
    );
    expect(stdout).not.toContain("name that the project doesn't manage");
    expect((await fixture.expectExit(3, 'drift')).stdout).not.toContain('name that the project');
  });

  test('loses nothing because a file or folder of the project was misnamed', async () => {
    const rules = 'datamodels/Retail/rules/Orders.Status';
    const move = (from: string, to: string) => rename(join(fixture.project, from), join(fixture.project, to));
    await move(`${rules}.rules.json`, `${rules}.rule.json`);
    await move('viewpoints', 'viewpoint');
    const { changes, unknown } = await runPlan(3, '--prune', 'rules,viewpoints');
    expect(changes).toEqual([]);
    expect(unknown.map(({ what }) => what)).toEqual([`${rules}.rule.json:1:1`, 'viewpoint:1:1']);
    await move('viewpoint', 'viewpoints');
    await move('datamodels', 'datamodel');
    expect((await runPlan(3, '--prune', 'datamodels')).changes).toEqual([]);
  });

  test('gets no plan file if the plan is refused: an old one is removed, and any other file is left alone', async () => {
    const path = join(fixture.project, 'old.plan.json');
    const saved = await fixture.expectExit(0, 'plan', '--out', path);
    expect(saved.stderr).toContain(`Saved the plan for apply: ${path}\n`);
    await fixture.read('old.plan.json');
    // The extension .md doesn't match the format of the file.
    const markdownPath = join(fixture.project, 'plan.md');
    const misnamed = await fixture.expectExit(0, 'plan', '--out', markdownPath);
    expect(misnamed.stderr).toContain(
      `Saved the plan for apply, as JSON: ${markdownPath}. For a report in Markdown`,
    );
    expect((await fixture.readJson('plan.md'))['command']).toBe('plan');
    // A plan with unknown items is saved, but no apply accepts it.
    const ordersPath = 'datamodels/Retail/tables/Orders.table.json';
    const orders = await fixture.read(ordersPath);
    await fixture.write(ordersPath, `broken ${orders}`);
    const unusable = await fixture.expectExit(3, 'plan', '--out', path);
    expect(unusable.stderr).toContain(`Saved the plan, but it can't be applied: ${path}\n`);
    await fixture.write(ordersPath, orders);
    await fixture.expectExit(0, 'plan', '--out', path);
    await fixture.remove('plan.md');
    await fixture.expectExit(4, 'plan', '--datamodel', 'retail', '--out', path);
    await expect(fixture.read('old.plan.json')).rejects.toThrow('ENOENT');
    const settings = await fixture.read('datamodel-studio.json');
    const settingsPath = join(fixture.project, 'datamodel-studio.json');
    await fixture.expectExit(4, 'plan', '--datamodel', 'retail', '--out', settingsPath);
    expect(await fixture.read('datamodel-studio.json')).toBe(settings);
  });

  test('gets no plan if the project cannot be applied, an option is invalid, or the folder is not a project', async () => {
    await fixture.write('datamodels/Retail/rules/Stores.City.rules.json', [
      {
        table: 'Stores',
        column: 'City',
        datatype: 'text',
        members: ['Bern'],
        shares: [{ type: 'group', party: 'Nobody' }],
      },
    ]);
    const refused = await fixture.expectExit(4, 'plan');
    expect(refused.stdout).toContain(
      "Can't apply rules/Retail/Stores/City: The instance has no group Nobody. Correct the name in the project, or add it on the instance.",
    );
    const out = await fixture.expectExit(4, 'plan', '--out', join(fixture.project, 'missing', 'plan.json'));
    expect(out.stderr).toContain(
      "Can't write the --out file. The file or its folder doesn't exist (ENOENT).",
    );
    expect((await fixture.expectExit(4, 'plan', '--prune', 'all')).stderr).toContain(
      'Unknown kind in --prune: "all".',
    );
    const empty = await fixture.createFolder('empty');
    expect((await fixture.expectExit(4, 'plan', '--project', empty)).stderr).toContain(
      "The folder isn't a project",
    );
    await fixture.expectExit(4, 'apply', '--execute');
    expect(takeWrites()).toEqual([]);
  });

  describe('without a viewpoint service', () => {
    const path = 'viewpoints/Profit by Week.viewpoint.json';
    const missing =
      'The instance has no viewpoint service, but the project has viewpoints, or had some at the last pull. If the instance isn\'t supposed to have one, set "viewpoints": false in the file of its environment.';
    const removeService = () =>
      fixture.sandbox.setFaults([{ kind: 'status', status: 404, pathPrefix: '/api/v1/infusion' }]);

    test('gets no plan, apply, or drift that claims a match, if there should be viewpoints', async () => {
      await fixture.changeJson(path, { enabled: true });
      await removeService();
      const unknown = [{ what: 'the viewpoints', problem: missing }];
      const planned = await runPlan(3);
      expect(planned).toMatchObject({ state: 'unknown', notes: [], unknown });
      const line = `Can't read the viewpoints: ${missing}\n`;
      const applied = await fixture.expectExit(3, 'apply', '--execute');
      expect(applied.stdout).toContain(line);
      expect(applied.stdout).not.toContain('Nothing to change');
      const drift = await fixture.expectExit(3, 'drift', '--viewpoint', 'Profit*');
      expect(drift.stdout).toContain(line);
      const json = await fixture.expectExit(3, 'drift', '--format', 'json');
      expect(JSON.parse(json.stdout)).toMatchObject({ state: 'unknown', unknown });
      for (const [command, format] of [
        ['plan', 'markdown'],
        ['plan', 'github'],
        ['drift', 'junit'],
        ['drift', 'markdown'],
      ] as const) {
        const { stdout } = await fixture.expectExit(3, command, '--format', format);
        expect(stdout).toContain('The instance has no viewpoint service, but the project has viewpoints');
      }
      // Commands that need no viewpoints are not affected.
      await runPlan(0, '--datamodel', '*');
    });

    test('gets no pull that claims to be complete, and keeps its files', async () => {
      const file = await fixture.read(path);
      await removeService();
      const pull = ['pull', '--project', fixture.project, '--prune', 'viewpoints'];
      const { stdout, stderr } = await fixture.expectExit(3, ...pull);
      expect(stdout).toBe('');
      expect(stderr).toContain(`Can't read the viewpoints: ${missing}\n`);
      expect(await fixture.read(path)).toBe(file);
      // Viewpoints that were pulled before are only in the lock file.
      await fixture.remove('viewpoints');
      await fixture.expectExit(3, ...pull);
      await runPlan(3);
    });

    test('is compared completely if it never had viewpoints', async () => {
      await removeService();
      const folder = await fixture.createFolder('without-viewpoints');
      const text = 'The instance has no viewpoint service.';
      expect((await fixture.expectExit(0, 'pull', '--project', folder)).stderr).toContain(
        `Warning: ${text}\n`,
      );
      expect(await runPlan(0, '--project', folder)).toMatchObject({ state: 'same', unknown: [] });
      await fixture.expectExit(0, 'drift', '--project', folder);
      // A viewpoint that only the project has can't be compared, either.
      await cp(join(fixture.project, path), join(folder, path));
      await runPlan(3, '--project', folder);
    });

    test('gets everything except viewpoints if its environment excludes them', async () => {
      const { manage } = await fixture.readJson('datamodel-studio.json');
      await fixture.changeJson('datamodel-studio.json', {
        manage: { ...asObject(manage), cubeSets: ['Regional Sales'] },
      });
      await fixture.addEnvironment('old', { viewpoints: false });
      await fixture.changeJson(path, { enabled: true });
      await removeService();
      const environment = ['--environment', 'old'];
      const pull = ['pull', ...environment, '--project', fixture.project, '--prune', 'viewpoints'];
      await fixture.expectExit(0, ...pull);
      const rulesPath = 'cube-sets/Regional Sales/rules/Regions.Region.rules.json';
      const rules = await fixture.read(rulesPath);
      await fixture.write(rulesPath, rules.replace('"Nordics"', '"Iberia"'));
      const planned = await fixture.expectExit(2, 'plan', ...environment);
      expect(planned.stdout).toContain('~ cube set rules/Regional Sales/Regions/Region\n');
      expect(planned.stdout).not.toContain('viewpoint/');
      await fixture.expectExit(0, 'apply', ...environment, '--execute');
      await fixture.expectExit(0, 'drift', ...environment);
      // Neither the files nor the last seen states in the lock file are lost.
      await fixture.expectExit(0, ...pull);
      expect(await fixture.readJson(path)).toMatchObject({ enabled: true });
      expect(await fixture.read('environments/old.lock.json')).toContain('"viewpoint/Profit by Week"');
      const limited = await fixture.expectExit(4, 'plan', ...environment, '--viewpoint', 'None');
      expect(limited.stderr).toContain('"viewpoints" in the file of the environment');
      // Other environments still have viewpoints.
      await fixture.expectExit(3, 'plan');
    });
  });

  test('gets a plan of deleted columns, and of what will break on the instance without them', async () => {
    const path = 'datamodels/Marketing/tables/Leads.table.json';
    const { columns } = await fixture.readJson(path);
    const names = ['Campaign Id', 'Created On'];
    await fixture.changeJson(path, {
      columns: getObjects(columns).filter(({ name }) => !names.includes(getText(name))),
    });
    const folder = 'datamodels/Marketing';
    await fixture.remove(`${folder}/relations/Campaigns.Campaign Id - Leads.Campaign Id.relation.json`);
    // The table is only on the instance.
    await fixture.remove(`${folder}/tables/Campaign Performance.table.json`);
    await fixture.remove(`${folder}/tables/Campaign Performance.datamodel.sql`);
    const { counts, breaks } = await runPlan(2, '--prune', 'columns,relations');
    expect(counts).toMatchObject({ update: 1, delete: 3 });
    const markdown = await fixture.expectExit(
      2,
      'plan',
      '--prune',
      'columns,relations',
      '--format',
      'markdown',
    );
    expect(markdown.stdout).toContain('#### Will be deleted (3)');
    expect(markdown.stdout).toContain('table/Marketing/Leads/columns/Created On');
    expect(breaks).toContainEqual({
      item: 'Marketing › Custom Tables › Campaign Performance',
      text: 'SQL of a custom table · refers to Leads.Campaign Id',
    });
  });

  test('gets no plan of files with errors, unless the options leave these files out', async () => {
    const sqlPath = 'datamodels/Marketing/tables/Campaign Performance.datamodel.sql';
    await fixture.write(sqlPath, 'SELECT Nothing FROM Leads\n');
    await fixture.changeJson(ordersPath, { hidden: true });
    const errorLine = `${sqlPath}:1:8: error: `;
    for (const args of [['plan'], ['apply', '--execute']] as const) {
      const refused = await fixture.expectExit(4, ...args);
      expect(refused.stdout).toBe('');
      expect(refused.stderr).toMatch(
        /^The files to be applied have 1 error\. Nothing was written\.\n.*Campaign Performance\.datamodel\.sql:1:8: error: .*\nIf the instance accepts these files, use --ignore-errors sql\/unknown-column\. The plan then lists what it ignores\.\n$/,
      );
      expect(refused.stderr).toContain(errorLine);
    }
    const { stdout } = await fixture.expectExit(4, 'plan', '--format', 'json');
    expect(errorOutputSchema.parse(JSON.parse(stdout)).error.message).toContain(errorLine);
    // Errors that would prevent the next attempt are listed at the first one.
    const copyPath = 'viewpoints/Copy.viewpoint.json';
    await fixture.write(copyPath, await fixture.read('viewpoints/Profit by Week.viewpoint.json'));
    const { stderr } = await fixture.expectExit(4, 'plan');
    expect(stderr).toMatch(
      /^The files to be applied have 1 error, and other files have 2 errors\. Nothing was written\.\n/,
    );
    expect(stderr.match(/The same item is in .*\(project\/duplicate-item\)/g)).toHaveLength(2);
    expect(stderr).not.toContain('--ignore-errors');
    await fixture.remove(copyPath);
    expect((await runPlan(2, '--datamodel', 'Retail')).changes).toMatchObject([
      { item: 'table/Retail/Orders' },
    ]);
    expect(takeWrites()).toEqual([]);
  });

  test('gets a plan that lists ignored errors, and whose file can be applied', async () => {
    const sqlPath = 'datamodels/Marketing/tables/Campaign Performance.datamodel.sql';
    await fixture.write(sqlPath, 'SELECT Nothing FROM Leads\n');
    const ignore = ['--ignore-errors', 'sql/unknown-column'] as const;
    const file = `${fixture.stateFolder}.plan.json`;
    const planned = await fixture.expectExit(2, 'plan', ...ignore, '--out', file);
    expect(planned.stdout).toMatch(
      /^Ignored error: \S.*Campaign Performance\.datamodel\.sql:1:8: .* \(sql\/unknown-column\)$/m,
    );
    const { hash, ignoredErrors } = await runPlan(2, ...ignore);
    expect(ignoredErrors).toMatchObject([{ code: 'sql/unknown-column', path: sqlPath, line: 1, column: 8 }]);
    expect((await runPlan(2, '--ignore-errors', 'sql/unknown-column,sql/syntax')).hash).toBe(hash);
    const { stdout } = await fixture.expectExit(2, 'plan', ...ignore, '--format', 'markdown');
    expect(stdout).toContain('#### Ignored errors (1)');
    const annotated = await fixture.expectExit(2, 'plan', ...ignore, '--format', 'github');
    expect(annotated.stdout).toContain('title=Ignored errors::');

    await fixture.expectExit(4, 'plan', '--ignore-errors', 'sql/syntax');
    for (const code of ['project/syntax', 'reference/unknown-table', 'sql/none']) {
      const refused = await fixture.expectExit(4, 'plan', '--ignore-errors', code);
      expect(refused.stderr).toContain('Unknown code in --ignore-errors. Expected: ');
    }
    await fixture.expectExit(4, 'apply', file, ...ignore);
    expect(takeWrites()).toEqual([]);
    const applied = await fixture.expectExit(0, 'apply', file, '--execute');
    expect(applied.stdout).toContain('Ignored error: ');
    expect(takeWrites().length).toBe(1);
  });

  test('gets a plan that shows which items other users have changed on it since the last pull', async () => {
    await fixture.setTableDescription('Orders', 'Changed there');
    expect((await runPlan(2)).changes).toMatchObject([
      {
        item: 'table/Retail/Orders',
        changedOnServer: true,
        parts: [
          {
            pointer: '/description',
            before: 'Changed there',
            after: expect.stringContaining('One row per order'),
            changedOnServer: true,
          },
        ],
      },
    ]);
    const text = await fixture.expectExit(2, 'plan', '--format', 'markdown');
    expect(text.stdout).toContain('Changed on the server since the last pull (1)');
  });

  test('gets a plan of more changes than fit into a GitHub comment, with names escaped', async () => {
    const count = 1200;
    const hostile = 'a](https://evil.example)<b>@octocat #12 www.evil.example `code` **b**\n# c';
    const viewpoint = await fixture.readJson('viewpoints/Profit by Month.viewpoint.json');
    const names = Array.from({ length: count }, (_, index) =>
      index === 0 ? hostile : `z viewpoint that is new and has a long name, number ${index}`,
    );
    await Promise.all(
      names.map((name, index) =>
        fixture.write(`viewpoints/new-${index}.viewpoint.json`, { ...viewpoint, name }),
      ),
    );
    const { stdout } = await fixture.expectExit(2, 'plan', '--format', 'markdown', '--viewpoint', '*');
    expect(stdout.length).toBeLessThan(65_536);
    expect(stdout).toContain(`#### Will be created (${count})`);
    const shown = stdout.split('\n').filter((line) => /^- `+ ?viewpoint/.test(line)).length;
    expect(shown).toBeGreaterThan(100);
    expect(stdout).toContain(`- … and ${count - shown} more\n`);
    // Names are formatted as code, in which Markdown has no markup, links, or mentions.
    expect(stdout).toContain(
      '- `` viewpoint/a](https://evil.example)<b>@octocat #12 www.evil.example `code` **b** # c ``\n',
    );
    const github = await fixture.expectExit(2, 'plan', '--format', 'github', '--viewpoint', '*');
    expect(github.stdout.split('\n').filter((line) => line !== '' && !line.startsWith('::'))).toEqual([]);
    expect(github.stdout).toContain('**b**%0A# c%0A');
  });
});
