import { beforeEach, describe, expect, test } from 'vitest';
import { driftOutputSchema, pullOutputSchema } from '../../../src/cli/outputSchemas.ts';
import { planOutputSchema } from '../../../src/cli/planOutputSchema.ts';
import { findRetailTable } from '../../support/demoTables.ts';
import { isWrite } from '../../support/interceptingProxy.ts';
import { ProjectFixture } from '../../support/projectFixture.ts';

const reason =
  "Can't read the users and groups, and therefore the rules and viewpoints: The instance doesn't list all users and groups for this token, but it did for the last pull. Use an administrator's token.\n";
const targets = {
  name: 'Targets',
  id: 'targets.csv',
  dataset: 'Retail Files',
  type: 'base',
  columns: [{ name: 'Store', id: 'store', type: 18 }],
};
const rules = [
  {
    table: 'Targets',
    column: 'Store',
    datatype: 'text',
    members: ['A'],
    allMembers: null,
    shares: [{ type: 'default' }],
  },
];

describe.each(['guide', 'contract'] as const)(
  'if an instance of the profile %s lists no users',
  (profile) => {
    const fixture = new ProjectFixture({ profile });
    beforeEach(() =>
      fixture.sandbox.setFaults([
        { kind: 'status', status: 403, pathPrefix: '/api/v1/users' },
        { kind: 'status', status: 403, pathPrefix: '/api/users' },
      ]),
    );
    const runJson = async (...args: readonly string[]): Promise<unknown> =>
      JSON.parse((await fixture.expectExit(3, ...args, '--format', 'json')).stdout);

    test('items that do not depend on users are compared, and no summary says that nothing differs', async () => {
      expect((await fixture.expectExit(3, 'drift')).stdout).toMatch(
        /\nIt's unknown whether the instance differs from the project: \d+ items couldn't be compared\. \d+ items without differences\.\n$/,
      );
      const plan = (await fixture.expectExit(3, 'plan')).stdout;
      expect(plan).toMatch(
        /\nIt's unknown whether there is anything to change: \d+ items couldn't be compared\. \d+ items have no changes\.\n$/,
      );
      expect(plan).toContain(`Environment: default (development)\n${reason}`);
      const { counts } = driftOutputSchema.parse(await runJson('drift'));
      // Datamodels, datasets, tables, SQL, and relations; not rules and viewpoints.
      expect(counts.same).toBeGreaterThan(60);
      expect(counts.unknown).toBeGreaterThan(60);
      expect(counts.differs).toBe(0);
    });

    test('changes to tables are shown, nothing is written, and the rules of a new table count as unknown', async () => {
      const [dataset = ''] =
        /"dataset": "[^"]+"/.exec(await fixture.read('datamodels/Retail/tables/Orders.table.json')) ?? [];
      await fixture.changeJson('datamodels/Retail/tables/Orders.table.json', { description: 'Mine' });
      await fixture.write('datamodels/Retail/tables/Targets.table.json', {
        ...targets,
        ...(JSON.parse(`{${dataset}}`) as object),
      });
      await fixture.write('datamodels/Retail/rules/Targets.Store.rules.json', rules);
      const text = (await fixture.expectExit(3, 'plan')).stdout;
      expect(text).toContain('~ table/Retail/Orders\n');
      expect(text).toContain("! table/Retail/Targets is new: rules that couldn't be compared\n");
      expect(text).toContain(reason);
      expect(text).not.toContain('New tables without rules');
      expect(text).toMatch(
        /\nPlan: 1 to create, 1 to change, 0 to delete\. More might change, and nothing can be applied: \d+ items couldn't be compared\. 1 new table: without rules that are certain to restrict it, so everyone with access to the datamodel might see it\. Who gains or loses access is unknown\.\n$/,
      );
      const plan = planOutputSchema.parse(await runJson('plan'));
      expect(plan.state).toBe('unknown');
      expect(plan.changes.map(({ item }) => item)).toEqual(['table/Retail/Orders', 'table/Retail/Targets']);
      expect((await fixture.expectExit(3, 'drift')).stdout).toMatch(
        /\n2 items differ\. Others might differ, too: \d+ items couldn't be compared\.\n$/,
      );
      fixture.proxy.takeRequests();
      await fixture.expectExit(3, 'apply', '--execute');
      expect(fixture.proxy.takeRequests().filter(isWrite)).toEqual([]);
    });

    test('a pull leaves a new table out, because the project would not have its rules', async () => {
      await fixture.setTableDescription('Orders', 'Theirs');
      await fixture.runAsOtherUser(async (client) => {
        const { keys, table } = await findRetailTable(client, 'Orders');
        const columns = [
          { name: 'Store', id: 'store', type: 18, isCustom: false, hidden: false, indexed: true },
        ];
        await client.tables.create(keys, { name: 'New', id: table.id ?? '', type: 'base', columns });
      });
      const pulled = pullOutputSchema.parse(await runJson('pull', '--project', fixture.project));
      expect(pulled.files).toEqual([
        { path: 'datamodels/Retail/tables/Orders.table.json', state: 'changed' },
      ]);
      expect(pulled.warnings).toContain(
        'table/Retail/New: not pulled, because not all of its rules are known.',
      );
      await fixture.sandbox.setFaults([]);
      await fixture.expectExit(0, 'pull', '--project', fixture.project);
      expect(await fixture.read('datamodels/Retail/tables/New.table.json')).toContain('"New"');
    });
  },
);
