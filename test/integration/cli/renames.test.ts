import { describe, expect, test } from 'vitest';
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
  const names = [
    ['"table": "Employees"', '"table": "Staff"'],
    ['"column": "Job Title"', '"column": "Role"'],
  ] as const;

  /** Renames a table and a column of it, which has rules, in the files. */
  const renameInFiles = async () => {
    await replace(
      tablePath,
      ['"name": "Employees"', '"name": "Staff", "renamedFrom": "Employees"'],
      ['"name": "Job Title"', '"name": "Role", "renamedFrom": "Job Title"'],
    );
    await replace(relationPath, ...names);
    await replace(rulesPath, ...names);
  };

  test('a table and a column that were renamed in the files can be changed by later applies', async () => {
    await renameInFiles();
    await fixture.expectExit(0, 'apply', '--execute');
    await fixture.expectExit(0, 'plan');
    await fixture.changeJson(tablePath, { description: 'Who works here' });
    await replace(rulesPath, ['"Deputy Manager"', '"Manager"']);
    await fixture.expectExit(0, 'apply', '--execute');
    await fixture.expectExit(0, 'plan');

    // What others change is still theirs.
    await fixture.runAsOtherUser(async (client) => {
      const { keys } = await findRetailTable(client, 'Staff');
      await client.tables.update(keys, { description: 'Theirs' });
    });
    await fixture.changeJson(tablePath, { description: 'Ours' });
    const refused = await fixture.expectExit(4, 'apply', '--execute');
    expect(refused.stderr).toContain(
      '1 item has changed on the instance since the last pull: table/Retail/Staff.',
    );
  });

  test('what waits for the rename of a column with rules is written by the next apply', async () => {
    await renameInFiles();
    await replace(rulesPath, ['"Deputy Manager"', '"Manager"']);
    await replace(`${retail}/rules/Orders.Channel.rules.json`, ['"Partner"', '"Web"']);
    await fixture.expectExit(2, 'apply', '--execute');
    await fixture.expectExit(0, 'apply', '--execute');
    await fixture.expectExit(0, 'plan');
    const pulled = await fixture.expectExit(0, 'pull', '--project', fixture.project);
    expect(pulled.stdout).toBe('');
  });

  test('a rename on the instance is pulled, with a warning of the rules that it leaves behind', async () => {
    await fixture.runAsOtherUser(async (client) => {
      const { table, keys } = await findRetailTable(client, 'Employees');
      const columns = table.columns?.map((column) =>
        column.name === 'Job Title' ? { ...column, name: 'Role' } : column,
      );
      await client.tables.update(keys, { name: 'Staff', columns });
    });
    const pulled = await fixture.expectExit(0, 'pull', '--project', fixture.project);
    expect(pulled.stdout.trim().split('\n')).toEqual([`changed ${relationPath}`, `changed ${tablePath}`]);
    expect(pulled.stderr).toContain(
      `Warning: ${rulesPath}: the rules are still on Employees.Job Title, which is now named Staff.Role on the instance.`,
    );
    await replace(rulesPath, ...names);
    await fixture.changeJson(tablePath, { description: 'Who works here' });
    await fixture.expectExit(0, 'apply', '--execute');
    await fixture.changeJson(tablePath, { description: 'Who works here, and where' });
    await fixture.expectExit(0, 'apply', '--execute', '--prune', 'rules');
    await fixture.expectExit(0, 'plan', '--prune', 'rules');
  });
});
