import { describe, expect, test } from 'vitest';
import { getObjects } from '../../../src/changes/model/jsonMembers.ts';
import { isWrite } from '../../support/interceptingProxy.ts';
import { ProjectFixture } from '../../support/projectFixture.ts';

const retail = 'datamodels/Retail';
const tablePath = `${retail}/tables/Employees.table.json`;

describe.each(['guide', 'contract'] as const)('on an instance of the profile %s', (profile) => {
  const fixture = new ProjectFixture({ profile });

  /** Runs a command, and expects that its messages and report don't contain an escaped name. */
  const run = async (...args: readonly string[]): Promise<string> => {
    const { stdout, stderr } = await fixture.run(...args);
    const text = stdout + stderr;
    expect(text).not.toMatch(/~[01]/);
    return text;
  };

  const replace = async (path: string, ...replacements: readonly (readonly [string, string])[]) => {
    const text = await fixture.read(path);
    await fixture.write(
      path,
      replacements.reduce((current, [from, to]) => current.replaceAll(from, to), text),
    );
  };

  test('names with slashes and tildes are printed as they are', async () => {
    const newNames = [
      ['"table": "Employees"', '"table": "In/Out"'],
      ['"column": "Job Title"', '"column": "Job~/Role"'],
    ] as const;
    const { dataset, type, columns } = await fixture.readJson(tablePath);
    const newColumns = [{ name: 'New/Column', id: 'n', type: 18 }];
    await fixture.write(`${retail}/tables/New.table.json`, {
      name: 'New/Table',
      id: 'regions.csv',
      dataset,
      type,
      columns: newColumns,
    });
    await fixture.changeJson(tablePath, { columns: [...getObjects(columns), ...newColumns] });
    await replace(
      tablePath,
      ['"name": "Employees"', '"name": "In/Out", "renamedFrom": "Employees"'],
      ['"name": "Job Title"', '"name": "Job~/Role", "renamedFrom": "Job Title"'],
    );
    await replace(
      `${retail}/relations/Employees.Employee Id - Orders.Employee Id.relation.json`,
      ...newNames,
    );
    await replace(`${retail}/rules/Employees.Job Title.rules.json`, ...newNames, [
      '"Assistant Manager"',
      '"Manager"',
    ]);
    await replace(`${retail}/rules/Orders.Channel.rules.json`, ['"Partner"', '"Web"']);

    for (const format of ['text', 'markdown', 'github']) {
      const planned = await run('plan', '--format', format);
      expect(planned).toContain('table/Retail/New/Table');
      expect(planned).toContain('table/Retail/In/Out/New/Column');
    }
    for (const format of ['text', 'markdown', 'junit']) {
      expect(await run('drift', '--format', format)).toContain('table/Retail/In/Out');
    }

    let count = 0;
    fixture.proxy.intercept((request) => (isWrite(request) && (count += 1) === 3 ? 500 : 'forward'));
    const stopped = await run('apply', '--execute');
    fixture.proxy.intercept();
    const [, journal = ''] = /Journal: (\S+)/.exec(stopped) ?? [];
    expect(journal).not.toBe('');
    const project = ['--project', fixture.project];
    await run('resume');
    await run('resume', journal, ...project);
    await run('roll-back', journal, ...project);
    await run('resume', journal, ...project, '--execute');
    await run('apply', '--execute');
    expect((await fixture.expectExit(0, 'plan')).stdout).toContain('Nothing to change');
  });
});
