import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import { getObjects } from '../../../src/changes/model/jsonMembers.ts';
import { findRetailTable } from '../../support/demoTables.ts';
import { ProjectFixture } from '../../support/projectFixture.ts';

const folder = 'datamodels/Retail';

describe.each([
  ['guide', false],
  ['contract', true],
] as const)('a new custom table on an instance of the profile %s', (profile, hasColumnsAtOnce) => {
  const fixture = new ProjectFixture({ profile });

  test('is related to a protected table before its first build, if the instance has its columns by then', async () => {
    const table = await fixture.readJson(`${folder}/tables/Customer Value.table.json`);
    const sql = await fixture.read(`${folder}/tables/Customer Value.datamodel.sql`);
    await fixture.write(`${folder}/tables/Value Copy.table.json`, {
      ...table,
      name: 'Value Copy',
      expression: { $file: 'Value Copy.datamodel.sql' },
    });
    await fixture.write(`${folder}/tables/Value Copy.datamodel.sql`, sql);
    await fixture.write(`${folder}/relations/Value Copy.relation.json`, {
      columns: [
        { table: 'Customers', column: 'Customer Id' },
        { table: 'Value Copy', column: 'Customer Id' },
      ],
    });
    const first = await fixture.expectExit(2, 'apply', '--execute');
    expect(first.stdout).toContain('Not in this apply: relation');
    expect(first.stdout).toMatch(/^\+ relation\/.*Value Copy.* \(not in this apply\)$/m);
    expect(first.stdout).toContain(
      'Plan: 2 to create, 0 to change, 0 to delete. Not in this apply: 1 item. ',
    );
    expect(first.stderr).toContain('Done, but 1 item needs another apply: see "Not in this apply".');
    expect(
      first.stderr.includes(
        'Apply again to change columns that SQL has just created: table/Retail/Value Copy.',
      ),
    ).toBe(hasColumnsAtOnce);
    expect(first.stdout).toMatch(
      /^! table\/Retail\/Value Copy is new: rules on linked tables: Customers\.Segment, .* \(not in this apply\)$/m,
    );
    const advice = 'Apply again before you build: the instance already has the columns of the new tables';
    expect(first.stderr.includes(advice)).toBe(hasColumnsAtOnce);
    const build = 'Build Retail, and then apply again.';
    // Whether a build is needed shows only once the instance has the SQL.
    expect(first.stdout).not.toContain(build);
    expect(first.stderr.includes(build)).toBe(!hasColumnsAtOnce);
    const second = await fixture.run('apply', '--execute');
    if (hasColumnsAtOnce) {
      // Nothing was built in between: no one has seen the table without the relation.
      expect(second.code, second.stderr).toBe(0);
      expect(second.stdout).toContain('+ relation');
      await fixture.expectExit(0, 'plan');
    } else {
      expect(second.stderr).toContain(`Nothing can be written before the next build. ${build}`);
      expect(second.stdout).toContain(`\n${build}\n`);
      expect(second.stdout).not.toContain('Apply again before you build');
      expect(second.stdout).toContain(
        'Plan: 0 to create, 0 to change, 0 to delete. Not in this apply: 1 item. ',
      );
    }
  });
});

describe.each([
  ['guide', false],
  ['contract', true],
] as const)(
  'if the SQL of a custom table on an instance of the profile %s generates other columns, and a custom column of it is deleted',
  (profile, hasColumnsAtOnce) => {
    const fixture = new ProjectFixture({ profile });
    const path = `${folder}/tables/Customer Value`;

    const readColumnNames = async (): Promise<readonly string[]> =>
      fixture.runAsOtherUser(async (client) =>
        ((await findRetailTable(client, 'Customer Value')).table.columns ?? []).map(({ name }) => name ?? ''),
      );

    /** Adds the custom column as another user, pulls it, deletes it in the project, and edits the SQL. */
    const prepare = async (): Promise<void> => {
      await fixture.runAsOtherUser(async (client) => {
        const { table, keys } = await findRetailTable(client, 'Customer Value');
        const added = { name: 'Label', isCustom: true, type: 18, expression: '[Customer]' };
        await client.tables.update(keys, { columns: [...(table.columns as JsonObject[]), added] });
      });
      await fixture.expectExit(0, 'pull', '--project', fixture.project);
      const { columns } = await fixture.readJson(`${path}.table.json`);
      await fixture.changeJson(`${path}.table.json`, {
        columns: getObjects(columns).filter(({ name }) => name !== 'Label' && name !== 'Last Order'),
      });
      await fixture.remove(`${path}/Label.datamodel.sql`);
      const sql = await fixture.read(`${path}.datamodel.sql`);
      const changedSql = sql.replace('MAX(o.[Order Day]) AS [Last Order]', 'COUNT(*) AS [Lines]');
      expect(changedSql).not.toBe(sql);
      await fixture.write(`${path}.datamodel.sql`, changedSql);
    };

    const apply = ['apply', '--prune', 'columns', '--execute'] as const;
    const keptColumnNames = ['Customer Id', 'Customer', 'Orders', 'Lifetime Revenue', 'Value Class'];
    const expected = hasColumnsAtOnce
      ? [...keptColumnNames.slice(0, 4), 'Lines', 'Value Class']
      : [...keptColumnNames.slice(0, 4), 'Last Order', 'Value Class'];

    test('one apply makes both changes, and a second one has nothing to change', async () => {
      await prepare();
      const { stderr } = await fixture.expectExit(0, ...apply);
      expect(await readColumnNames(), stderr).toEqual(expected);
      await fixture.expectExit(0, 'plan', '--prune', 'columns');
    });
  },
);
