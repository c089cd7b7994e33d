import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import { driftOutputSchema } from '../../../src/cli/outputSchemas.ts';
import { getObjects } from '../../../src/changes/model/jsonMembers.ts';
import type { PlatformClient } from '../../../src/client/platformClient.ts';
import { startCli } from '../../support/cliProcess.ts';
import { findRetailTable } from '../../support/demoTables.ts';
import { ProjectFixture } from '../../support/projectFixture.ts';

const retail = 'datamodels/Retail';
const tablePath = `${retail}/tables/Employees.table.json`;
const relationPath = `${retail}/relations/Employees.Employee Id - Orders.Employee Id.relation.json`;
const rulesPath = `${retail}/rules/Employees.Job Title.rules.json`;

describe.each(['guide', 'contract'] as const)('on an instance of the profile %s', (profile) => {
  const fixture = new ProjectFixture({ profile });

  const replace = async (path: string, ...replacements: readonly (readonly [string, string])[]) => {
    const text = await fixture.read(path);
    const changed = replacements.reduce((current, [from, to]) => current.replaceAll(from, to), text);
    expect(changed).not.toBe(text);
    await fixture.write(path, changed);
  };
  const newNameReplacements = [
    ['"table": "Employees"', '"table": "Staff"'],
    ['"column": "Job Title"', '"column": "Role"'],
  ] as const;

  /** Renames, in the files, a table and one of its columns, which has rules. */
  const renameInFiles = async () => {
    await replace(
      tablePath,
      ['"name": "Employees"', '"name": "Staff", "renamedFrom": "Employees"'],
      ['"name": "Job Title"', '"name": "Role", "renamedFrom": "Job Title"'],
    );
    await replace(relationPath, ...newNameReplacements);
    await replace(rulesPath, ...newNameReplacements);
  };

  test('after a table and a column were renamed in the files, later applies can change them', async () => {
    await renameInFiles();
    await fixture.expectExit(0, 'apply', '--execute');
    await fixture.expectExit(0, 'plan');
    await fixture.changeJson(tablePath, { description: 'Who works here' });
    await replace(rulesPath, ['"Assistant Manager"', '"Manager"']);
    await fixture.expectExit(0, 'apply', '--execute');
    await fixture.expectExit(0, 'plan');

    // Other users' changes aren't overwritten after a rename either.
    await fixture.runAsOtherUser(async (client) => {
      const { keys } = await findRetailTable(client, 'Staff');
      await client.tables.update(keys, { description: 'Theirs' });
    });
    await fixture.changeJson(tablePath, { description: 'Ours' });
    const refused = await fixture.expectExit(4, 'apply', '--execute');
    expect(refused.stderr).toContain(
      '1 item has changed on the server since the last pull: table/Retail/Staff.',
    );
  });

  test('a second rename is a warning while the lock file of another environment has the first name', async () => {
    const lock = await fixture.read('environments/default.lock.json');
    await renameInFiles();
    await fixture.expectExit(0, 'apply', '--execute');
    await fixture.write('environments/late.json', { url: 'https://late.example.com' });
    await fixture.write('environments/late.lock.json', lock);
    const validate = async (): Promise<string> => {
      const { code, stdout } = await startCli(['validate', '--project', fixture.project]).ended;
      expect(code).toBe(0);
      return stdout;
    };
    expect(await validate()).not.toContain('renamed twice');
    await replace(
      tablePath,
      ['"name": "Staff", "renamedFrom": "Employees"', '"name": "Team", "renamedFrom": "Staff"'],
      ['"name": "Role", "renamedFrom": "Job Title"', '"name": "Position", "renamedFrom": "Role"'],
    );
    const secondNameReplacements = [
      ['"table": "Staff"', '"table": "Team"'],
      ['"column": "Role"', '"column": "Position"'],
    ] as const;
    await replace(relationPath, secondNameReplacements[0]);
    await replace(rulesPath, ...secondNameReplacements);
    const stdout = await validate();
    expect(stdout).toContain(
      '"Team" was probably renamed twice, and these environments still have its first name: late ("Employees").',
    );
    // The apply of the other environment needs no rename.
    expect(stdout.match(/renamed twice/g)?.length).toBe(1);
    expect((await fixture.expectExit(2, 'plan')).stdout).toContain(
      '~ table/Retail/Team (renamed from table/Retail/Staff)\n',
    );
  });

  test('a pull of a rename says that the lock file of another environment cannot be used', async () => {
    const text = "environments/other.lock.json can't be used, so it's unknown whether its environment still";
    await fixture.write('environments/other.lock.json', '<<<<<<< HEAD\n');
    const project = ['--project', fixture.project] as const;
    expect((await fixture.expectExit(0, 'pull', ...project)).stderr).not.toContain(text);
    await fixture.runAsOtherUser(async (client) => {
      const { keys } = await findRetailTable(client, 'Employees');
      await client.tables.update(keys, { name: 'Staff' });
    });
    const { stderr } = await fixture.run('pull', ...project);
    expect(stderr).toContain('Renamed on the instance: table/Retail/Employees to table/Retail/Staff');
    expect(stderr).toContain(text);
  });

  test('if a rename of a column with rules is abandoned after its first step, the next apply completes it', async () => {
    await renameInFiles();
    fixture.proxy.intercept(({ method }) => (method === 'PATCH' ? 500 : 'forward'));
    const stopped = await fixture.expectExit(1, 'apply', '--execute');
    fixture.proxy.intercept();
    expect(stopped.stderr).toContain('Stopped after 1 of ');
    const [, journal = ''] = /Journal: (\S+)/.exec(stopped.stderr) ?? [];

    // Before the apply is abandoned, the plan shows that it was interrupted.
    const interrupted = await fixture.expectExit(2, 'plan');
    expect(interrupted.stdout).toContain('An earlier change was interrupted.');
    const refused = await fixture.expectExit(4, 'apply', '--execute');
    expect(refused.stderr).toContain('An earlier change was interrupted.');

    await fixture.expectExit(0, 'abandon', journal, '--execute', '--project', fixture.project);
    const planned = await fixture.expectExit(2, 'plan');
    expect(planned.stdout).toContain(
      '~ rules/Retail/Staff/Role (renamed from rules/Retail/Employees/Job Title)\n    2 rules follow the rename\n',
    );
    expect(planned.stdout).not.toContain('column: "Job Title"');
    expect(planned.stdout).toContain('After the next build, no one gains or loses access.');
    fixture.proxy.takeRequests();
    await fixture.expectExit(0, 'apply', '--execute');
    expect(
      fixture.proxy
        .takeRequests()
        .filter(({ method, path }) => method === 'POST' && path.includes('datasecurity')),
    ).toEqual([]);
    await fixture.expectExit(0, 'plan', '--prune', 'rules');
    const files = await fixture.readInstance();
    expect(files.get(`${retail}/rules/Staff.Role.rules.json`)).toBe(await fixture.read(rulesPath));
    expect(files.has(rulesPath)).toBe(false);
  });

  test('a plan shows that it moves the rules of a renamed column, even if their file is missing', async () => {
    await renameInFiles();
    await fixture.remove(rulesPath);
    const { stdout } = await fixture.expectExit(2, 'plan');
    const line = 'rules/Retail/Staff/Role (renamed from rules/Retail/Employees/Job Title)';
    expect(stdout).toContain(`~ ${line}\n    2 rules follow the rename\n`);
    expect(stdout).not.toContain('Only on the instance');
    const plan = JSON.parse((await fixture.expectExit(2, 'plan', '--format', 'json')).stdout);
    expect(plan).toMatchObject({ extras: [], counts: { update: plan.changes.length } });
    const getFollowing = ({ changes }: { readonly changes: readonly JsonObject[] }) =>
      changes.flatMap(({ item, followingRules }) =>
        followingRules === undefined ? [] : [[item, followingRules]],
      );
    expect(getFollowing(plan)).toEqual([['rules/Retail/Staff/Role', 2]]);
    const markdown = (await fixture.expectExit(2, 'plan', '--format', 'markdown')).stdout;
    expect(markdown).toMatch(/rules\/Retail\/Staff\/Role \(renamed from .*\n.*2 rules follow the rename/);
    const github = (await fixture.expectExit(2, 'plan', '--format', 'github')).stdout;
    expect(github).toContain(`${line}%0A2 rules follow the rename`);
    await fixture.expectExit(0, 'apply', '--execute');
    const files = await fixture.readInstance();
    expect(files.has(rulesPath)).toBe(false);
    expect([...files.keys()]).toContain(`${retail}/rules/Staff.Role.rules.json`);
    // Now the instance has the rules under the new name, and the project still has no file for them.
    const later = await fixture.expectExit(0, 'plan');
    expect(later.stdout).toContain('rules/Retail/Staff/Role');
  });

  test('rules that others have created on the new name of a column are replaced only by applying a plan file that shows them', async () => {
    await renameInFiles();
    await fixture.runAsOtherUser(async ({ extractRules }) => {
      const subject = { server: 'LocalHost', elasticube: 'Retail' };
      const column = { table: 'Employees', column: 'Job Title' };
      const rules = (await extractRules.listByColumn({ ...subject, ...column })).value;
      await extractRules.create(
        subject,
        rules.map((rule) => ({ ...rule, table: 'Staff', column: 'Role', members: ['Theirs'] })),
      );
    });
    const refused = await fixture.expectExit(4, 'apply', '--execute');
    expect(refused.stderr).toContain(
      '1 item has changed on the server since the last pull: rules/Retail/Staff/Role.',
    );
    const planPath = `${fixture.project}/plan.json`;
    const planned = await fixture.expectExit(2, 'plan', '--out', planPath);
    expect(planned.stdout).toContain(
      '~ rules/Retail/Staff/Role (renamed from rules/Retail/Employees/Job Title) (changed on the server)\n    Also deleted: rules on 1 column\n    Never pulled: rules/Retail/Staff/Role\n',
    );
    await fixture.expectExit(0, 'apply', planPath, '--execute');
    await fixture.expectExit(0, 'plan', '--prune', 'rules');
  });

  test('if others have created rules on both names of a column, the message says how to pull both', async () => {
    const customersPath = `${retail}/tables/Customers.table.json`;
    const [cityPath, townPath] = ['City', 'Town'].map(
      (column) => `${retail}/rules/Customers.${column}.rules.json`,
    ) as [string, string];
    await fixture.runAsOtherUser(async ({ extractRules }) => {
      const subject = { server: 'LocalHost', elasticube: 'Retail' };
      const [rule] = (
        await extractRules.listByColumn({ ...subject, table: 'Employees', column: 'Job Title' })
      ).value;
      await extractRules.create(
        subject,
        [
          ['City', 'Oslo'],
          ['Town', 'Bergen'],
        ].map(([column, member]) => ({
          ...rule,
          table: 'Customers',
          column,
          members: [member ?? ''],
          allMembers: null,
          exclusionary: false,
        })),
      );
    });
    await replace(customersPath, ['"name": "City"', '"name": "Town", "renamedFrom": "City"']);
    const renamedTable = await fixture.read(customersPath);
    const pull = ['pull', '--project', fixture.project] as const;
    for (const args of [[], ['--conflicts', 'ours'], ['--conflicts', 'theirs']]) {
      const pulled = await fixture.expectExit(2, ...pull, ...args);
      expect(pulled.stdout).toBe('');
      for (const item of ['rules/Retail/Customers/City', 'rules/Retail/Customers/Town']) {
        expect(pulled.stderr).toContain(
          `Warning: ${item}: not pulled, because with the new names in the project, these rules would all be on the same column: Customers.City, Customers.Town. Remove "renamedFrom"`,
        );
      }
    }
    expect((await fixture.expectExit(4, 'apply', '--execute')).stderr).toContain(
      'The instance already has rules on Customers.Town that would take effect with the rename.',
    );

    // The user does what the message says.
    await replace(customersPath, [', "renamedFrom": "City"', '']);
    const pulled = await fixture.expectExit(0, ...pull);
    expect(pulled.stdout).toBe(`created ${cityPath}\ncreated ${townPath}\n`);
    const rules = [cityPath, townPath].map(async (path) => JSON.parse(await fixture.read(path)));
    const [[cityRule], [townRule]] = await Promise.all(rules);
    await fixture.write(townPath, [{ ...townRule, members: [...cityRule.members, ...townRule.members] }]);
    await fixture.remove(cityPath);
    await fixture.write(customersPath, renamedTable);
    await fixture.expectExit(0, ...pull);

    const planned = await fixture.expectExit(2, 'plan');
    expect(planned.stdout).not.toContain('changed on the server');
    await fixture.expectExit(0, 'apply', '--execute');
    await fixture.expectExit(0, 'plan', '--prune', 'rules');
    const files = await fixture.readInstance();
    expect(files.get(townPath)).toMatch(/"members": \[\s*"Bergen",\s*"Oslo"\s*\]/);
    expect(files.has(cityPath)).toBe(false);
  });

  test('changes that wait for the rename of a column with rules are written by the next apply', async () => {
    await renameInFiles();
    await replace(rulesPath, ['"Assistant Manager"', '"Manager"']);
    await replace(`${retail}/rules/Orders.Channel.rules.json`, ['"Partner"', '"Web"']);
    await fixture.expectExit(2, 'apply', '--execute');
    await fixture.expectExit(0, 'apply', '--execute');
    await fixture.expectExit(0, 'plan');
    const pulled = await fixture.expectExit(0, 'pull', '--project', fixture.project);
    expect(pulled.stdout).toBe('');
  });

  test('what waits for the rename to be shown is listed as waiting, and not as newly visible', async () => {
    const productsPath = `${retail}/tables/Products.table.json`;
    await fixture.runAsOtherUser(async (client) => {
      const { table, keys } = await findRetailTable(client, 'Products');
      const columns = table.columns?.map((column) =>
        column.name === 'Brand' ? { ...column, hidden: true } : column,
      );
      await client.tables.update(keys, { columns });
    });
    await fixture.expectExit(0, 'pull', '--project', fixture.project);
    await renameInFiles();
    await replace(rulesPath, ['"Assistant Manager"', '"Manager"']);
    await replace(`${retail}/rules/Orders.Channel.rules.json`, ['"Partner"', '"Web"']);
    const { columns } = await fixture.readJson(productsPath);
    await fixture.changeJson(productsPath, {
      columns: getObjects(columns).map((column) =>
        column['name'] === 'Brand' ? { ...column, hidden: false } : column,
      ),
    });
    const waiting =
      'This apply only renames columns with rules, so that no one gains access in the meantime. Hidden until you apply again: Products.Brand.';
    const first = await fixture.expectExit(2, 'plan');
    expect(first.stdout).toContain(
      '~ table/Retail/Products (not in this apply)\n    columns/Brand/hidden: true → false\n',
    );
    expect(first.stdout).toContain(
      '    1 rule follows the rename\n    user jonas.berg@sandbox.local: all but "Assistant Manager" → all but "Manager" (not in this apply)\n',
    );
    expect(first.stdout).toContain(`Not in this apply: table/Retail/Products: ${waiting}\n`);
    expect(first.stdout).not.toMatch(/newly visible/i);
    expect(first.stdout).not.toContain('no longer hidden');

    // If the table has another change, only the line of the column is marked.
    await fixture.changeJson(productsPath, { description: 'What we sell' });
    const mixed = await fixture.expectExit(2, 'plan');
    expect(mixed.stdout).toContain(
      '~ table/Retail/Products\n    description: none → "What we sell"\n    columns/Brand/hidden: true → false (not in this apply)\n',
    );
    await fixture.expectExit(2, 'apply', '--execute');
    const second = await fixture.expectExit(2, 'plan');
    expect(second.stdout).toContain('! table/Retail/Products/Brand: no longer hidden; ');
    expect(second.stdout).not.toContain('Not in this apply');
    await fixture.expectExit(0, 'apply', '--execute');
    await fixture.expectExit(0, 'plan');
  });

  /** Renames the table and the column on the instance. */
  const renameOnInstance = async (client: PlatformClient) => {
    const { table, keys } = await findRetailTable(client, 'Employees');
    const columns = table.columns?.map((column) =>
      column.name === 'Job Title' ? { ...column, name: 'Role' } : column,
    );
    await client.tables.update(keys, { name: 'Staff', columns });
  };

  test('rules that were moved with the name of their column on the instance are merged with those in the files', async () => {
    await fixture.runAsOtherUser(async (client) => {
      const subject = { server: 'LocalHost', elasticube: 'Retail' };
      const formerColumn = { table: 'Employees', column: 'Job Title' };
      const rules = (await client.extractRules.listByColumn({ ...subject, ...formerColumn })).value;
      await renameOnInstance(client);
      await client.extractRules.create(
        subject,
        rules.map((rule) => ({ ...rule, table: 'Staff', column: 'Role' })),
      );
      await client.extractRules.deleteByColumn(subject, formerColumn);
    });
    await replace(rulesPath, ['"Assistant Manager"', '"Manager"']);
    const pulled = await fixture.expectExit(0, 'pull', '--project', fixture.project);
    const newPath = `${retail}/rules/Staff.Role.rules.json`;
    expect(pulled.stdout.trim().split('\n')).toEqual([
      `changed ${relationPath}`,
      `created ${newPath}`,
      `changed ${tablePath}`,
      `deleted ${rulesPath}`,
    ]);
    expect(pulled.stderr).toContain(
      'Renamed on the instance: the column Job Title of table/Retail/Staff to Role\n',
    );
    expect(pulled.stderr).toContain(`Kept: ${newPath} (differs from the instance)\n`);
    expect(await fixture.read(newPath)).toContain('"Manager"');
    await fixture.expectExit(0, 'apply', '--execute');
    await fixture.expectExit(0, 'plan', '--prune', 'rules');
  });

  test('a rename that was pulled is planned as a rename for other environments', async () => {
    await fixture.addEnvironment('prod');
    await fixture.runAsOtherUser(renameOnInstance);
    await fixture.expectExit(0, 'pull', '--project', fixture.project);
    await replace(rulesPath, ...newNameReplacements);
    await fixture.useNewInstance();
    const { stdout } = await fixture.expectExit(2, 'plan', '--environment', 'prod');
    expect(stdout).toContain('~ table/Retail/Staff (renamed from table/Retail/Employees)\n');
    expect(stdout).not.toMatch(/^\+ table/m);
    await fixture.expectExit(0, 'apply', '--environment', 'prod', '--execute');
    await fixture.expectExit(0, 'plan', '--environment', 'prod');
  });

  test('drift shows the name of a renamed item as a difference, in each format', async () => {
    await fixture.runAsOtherUser(renameOnInstance);
    for (const format of ['text', 'junit', 'markdown']) {
      const { stdout } = await fixture.expectExit(2, 'drift', '--format', format);
      const text = stdout.replaceAll('&quot;', '"');
      expect(text).toMatch(/[ ;`]name: "Staff" on the instance, "Employees" in the project/);
      expect(text).toContain('columns/Job Title/name: "Role" on the instance, "Job Title" in the project');
    }
    const json = await fixture.expectExit(2, 'drift', '--format', 'json');
    const { items } = driftOutputSchema.parse(JSON.parse(json.stdout));
    expect(items.find(({ item }) => item === 'table/Retail/Employees')?.parts).toEqual([
      { pointer: '/name', instance: 'Staff', project: 'Employees' },
      expect.objectContaining({ pointer: '/columns/Job Title' }),
    ]);
    // A renamed item without another difference is listed with its name only.
    const viewpointPath = 'viewpoints/Profit by Week.viewpoint.json';
    await fixture.changeJson(viewpointPath, { name: 'Weekly', renamedFrom: 'Profit by Week' });
    const { stdout } = await fixture.expectExit(2, 'drift', '--viewpoint', '*');
    expect(stdout).toContain(
      'viewpoint/Weekly: differs\n    name: "Profit by Week" on the instance, "Weekly" in the project\n',
    );
  });

  test('before a pull, drift names the rules that still have the former name of a column renamed on the instance', async () => {
    await fixture.runAsOtherUser(renameOnInstance);
    const item = 'rules/Retail/Employees/Job Title';
    for (const format of ['text', 'json', 'junit', 'markdown']) {
      const { stdout } = await fixture.expectExit(2, 'drift', '--format', format);
      if (format === 'json') {
        expect(JSON.parse(stdout)).toMatchObject({ rulesWithoutEffect: [{ item, path: rulesPath }] });
      } else {
        expect(stdout).toMatch(/Rules that restrict nothing/);
        expect(stdout).toContain(item);
      }
    }
    // In a plan, these rules have an effect: its apply restores the former name.
    const { stdout } = await fixture.expectExit(2, 'plan', '--format', 'json');
    expect(JSON.parse(stdout)).toMatchObject({ rulesWithoutEffect: [] });
  });

  test('a rename on the instance is pulled, with a warning about rules that still have the former name', async () => {
    await fixture.runAsOtherUser(renameOnInstance);
    const pulled = await fixture.expectExit(0, 'pull', '--project', fixture.project);
    expect(pulled.stdout.trim().split('\n')).toEqual([`changed ${relationPath}`, `changed ${tablePath}`]);
    expect(pulled.stderr).toContain(
      `Warning: ${rulesPath}: the rules are still on Employees.Job Title, which is now named Staff.Role on the instance.`,
    );
    const item = 'rules/Retail/Employees/Job Title';
    for (const [command, ...formats] of [
      ['plan', 'text', 'json', 'markdown', 'github'],
      ['drift', 'text', 'json', 'junit', 'markdown'],
    ] as const) {
      for (const format of formats) {
        const { stdout } = await fixture.expectExit(0, command, '--format', format);
        if (format === 'json') {
          expect(JSON.parse(stdout)).toMatchObject({
            state: 'same',
            rulesWithoutEffect: [{ item, path: rulesPath }],
          });
        } else {
          expect(stdout).toMatch(/Rules that restrict nothing/);
          expect(stdout).toContain(item);
        }
      }
    }
    await replace(rulesPath, ...newNameReplacements);
    await fixture.changeJson(tablePath, { description: 'Who works here' });
    await fixture.expectExit(0, 'apply', '--execute');
    // Rules on the former name are left on the instance; with --prune, the plan deletes them.
    const planWithoutPrune = await fixture.expectExit(0, 'plan');
    expect(planWithoutPrune.stdout).toContain(`have their column: ${item}\n`);
    const pruned = await fixture.expectExit(2, 'plan', '--prune', 'rules');
    expect(pruned.stdout).not.toContain('restrict nothing');
    await fixture.changeJson(tablePath, { description: 'Who works here, and where' });
    await fixture.expectExit(0, 'apply', '--execute', '--prune', 'rules');
    await fixture.expectExit(0, 'plan', '--prune', 'rules');
  });
});
