import { beforeEach, describe, expect, test } from 'vitest';
import { planOutputSchema } from '../../../src/cli/planOutputSchema.ts';
import type { PlatformClient } from '../../../src/client/platformClient.ts';
import { findRetailTable } from '../../support/demoTables.ts';
import { ProjectFixture } from '../../support/projectFixture.ts';

const retail = { kind: 'extract', server: 'LocalHost', elasticube: 'Retail' } as const;
const sqlPath = 'datamodels/Retail/tables/Customer Value.datamodel.sql';
const ordersPath = 'datamodels/Retail/tables/Orders.table.json';

/** Breaks the SQL of a custom table in two places, and creates a rule on a column that doesn't exist. */
async function addErrors(client: PlatformClient): Promise<void> {
  const { keys } = await findRetailTable(client, 'Customer Value');
  await client.tables.update(keys, { expression: { expression: 'SELECT Nothing, Nothing FROM Orders' } });
  await client.extractRules.create(retail, [
    {
      table: 'Orders',
      column: 'Gone',
      datatype: 'text',
      members: ['A'],
      allMembers: null,
      shares: [{ type: 'default' }],
    },
  ]);
}

describe.each(['guide', 'contract'] as const)('errors that an instance of the profile %s has', (profile) => {
  const fixture = new ProjectFixture({ profile });
  beforeEach(async () => {
    await fixture.runAsOtherUser(addErrors);
    await fixture.expectExit(0, 'pull', '--project', fixture.project);
    await fixture.changeJson(ordersPath, { description: 'Mine' });
  });

  test('in items that a plan does not change are listed, and do not prevent the apply', async () => {
    const { stdout } = await fixture.expectExit(2, 'plan');
    expect(stdout).toContain(`Error also on the instance: ${sqlPath}:1:8: `);
    expect(stdout).toMatch(
      /\nError also on the instance: \S*Orders\.Gone\.rules\.json:.* \(rules\/unknown-column\)\n/,
    );
    const json = await fixture.expectExit(2, 'plan', '--format', 'json');
    const { existingErrors, changes } = planOutputSchema.parse(JSON.parse(json.stdout));
    expect(existingErrors?.map(({ code }) => code).toSorted()).toEqual([
      'rules/unknown-column',
      'sql/unknown-column',
      'sql/unknown-column',
    ]);
    expect(changes.map(({ item }) => item)).toEqual(['table/Retail/Orders']);
    expect((await fixture.expectExit(2, 'plan', '--format', 'markdown')).stdout).toContain(
      '#### Errors also on the instance (3)',
    );
    expect((await fixture.expectExit(2, 'plan', '--format', 'github')).stdout).toContain(
      'title=Errors also on the instance::datamodels/',
    );
    await fixture.expectExit(0, 'apply', '--execute');
    await fixture.expectExit(0, 'plan');
  });

  test('in items that a plan changes prevent the apply, as do errors that the plan adds', async () => {
    await fixture.write(sqlPath, 'SELECT Nothing, Nothing FROM Orders\n-- Mine\n');
    expect((await fixture.expectExit(4, 'plan')).stderr).toContain(`${sqlPath}:1:8: error: `);
  });
});
