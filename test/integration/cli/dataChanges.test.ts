import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import { planOutputSchema } from '../../../src/cli/planOutputSchema.ts';
import { ProjectFixture } from '../../support/projectFixture.ts';

const tables = 'datamodels/Retail/tables';
const regions = `${tables}/Regions.table.json`;
const changed = 'Changed data might change who sees what: see "Not checked".';

describe('a plan that changes data', () => {
  const fixture = new ProjectFixture({ profile: 'guide' });
  const plan = async (format: 'text' | 'markdown' | 'github' | 'json' = 'text') =>
    (await fixture.expectExit(2, 'plan', '--format', format)).stdout;
  const replace = async (path: string, from: string, to: string) => {
    const text = await fixture.read(path);
    expect(text).toContain(from);
    await fixture.write(path, text.replace(from, to));
  };
  /** Gives the custom column rules, on the instance. */
  const restrictStores = async () => {
    const rule = { table: 'Stores', column: 'Region', datatype: 'text' };
    await fixture.write('datamodels/Retail/rules/Stores.Region.rules.json', [
      { ...rule, members: [], allMembers: false, shares: [{ type: 'default' }] },
      {
        ...rule,
        members: ['North'],
        allMembers: null,
        shares: [{ type: 'group', party: 'Sales North' }],
      },
    ]);
    await fixture.expectExit(0, 'apply', '--execute');
  };
  /** Expects that a plan says of data that its change might change who sees what. */
  const expectUnchecked = async (...lines: readonly string[]) => {
    const text = await plan();
    expect(text).not.toContain('No one gains');
    expect(text).toContain(changed);
    const { access } = planOutputSchema.parse(JSON.parse(await plan('json')));
    expect(access.unchecked).toEqual([...lines, expect.stringContaining('rules of cube sets, because')]);
    for (const line of lines) {
      expect(text).toContain(`Not checked: ${line}\n`);
      expect(await plan('markdown')).toContain(line.split(':')[0]);
      expect(await plan('github')).toContain(line);
    }
  };

  test('by the SQL of a custom column with rules says that access might change', async () => {
    await restrictStores();
    await fixture.write(`${tables}/Stores/Region.datamodel.sql`, "'North'\n");
    await expectUnchecked('The SQL of Stores.Region changes: who sees which rows depends on Stores.Region');
  });

  test('by adding or removing the SQL of a column with rules says that access might change', async () => {
    await restrictStores();
    await replace(`${tables}/Stores.table.json`, '"isCustom": true', '"isCustom": false');
    await expectUnchecked(
      'The source or type of Stores.Region changes: who sees which rows depends on Stores.Region',
    );
  });

  test('by SQL that reads a restricted table says that access might change if nothing restricts the changed table', async () => {
    await fixture.write(`${tables}/Store Ranking.datamodel.sql`, 'SELECT [Region] FROM [Regions]\n');
    await expectUnchecked(
      'The SQL of Store Ranking changes: it has no rules of its own, but reads Regions, where rules restrict access',
    );
  });

  test('by a new column that reads a restricted table says that access might change if nothing restricts the table of the column', async () => {
    await fixture.changeJson(`${tables}/Store Ranking.table.json`, {
      columns: [
        ...((await fixture.readJson(`${tables}/Store Ranking.table.json`))['columns'] as JsonObject[]),
        {
          name: 'Area',
          type: 18,
          isCustom: true,
          expression: { $file: 'Store Ranking/Area.datamodel.sql' },
        },
      ],
    });
    await fixture.write(
      `${tables}/Store Ranking/Area.datamodel.sql`,
      'Lookup([Regions], [Region], [Rank], [Region Id])\n',
    );
    await expectUnchecked(
      'Store Ranking.Area is new: it has no rules of its own, but reads Regions, where rules restrict access',
    );
  });

  test('by the source of a column with rules says that access might change, in addition to what changed rules change', async () => {
    await replace(regions, '"id": "Region"', '"id": "Country"');
    await expectUnchecked(
      'The source or type of Regions.Region changes: who sees which rows depends on Regions.Region; Monthly Store Sales.Store Id',
    );
    await fixture.remove('datamodels/Retail/rules/Orders.Status.rules.json');
    const { stdout } = await fixture.expectExit(2, 'plan', '--prune', 'rules');
    expect(stdout).toMatch(/ gains? .*Orders\.Status.* Changed data might change who sees what/);
  });

  test.each([
    ['"id": "regions.csv"', '"id": "stores.csv"', 'Regions', 'Regions.Region; '],
    ['"type": 8', '"type": 18', 'Regions.Region Id', 'Regions.Region Id; '],
  ])(
    'by the source or type of restricted data says that access might change: %s',
    async (from, to, name, columns) => {
      await replace(regions, from, to);
      const { access } = planOutputSchema.parse(JSON.parse(await plan('json')));
      expect(access.summary).toContain(changed);
      expect(access.unchecked).toContainEqual(
        expect.stringContaining(
          `The source or type of ${name} changes: who sees which rows depends on ${columns}`,
        ),
      );
    },
  );

  test('does not mention changed descriptions, names, and data that access does not depend on', async () => {
    await replace(regions, '"id": "regions.csv"', '"id": "regions.csv", "description": "Where"');
    await fixture.write(`${tables}/Orders/Delivery.datamodel.sql`, "'slow'\n");
    expect(await plan()).toContain('No one gains or loses access.');
  });
});
