import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import { isWrite } from '../../support/interceptingProxy.ts';
import { ProjectFixture } from '../../support/projectFixture.ts';
import { findRetailTable, updateTableDescription } from '../../support/demoTables.ts';

const fixture = new ProjectFixture({ profile: 'guide' });
const outOfDate =
  'The plan is out of date: the project or the instance has changed since. Nothing was written.';

const createTable = (name: string): Promise<void> =>
  fixture.runAsOtherUser(async (client) => {
    const { table, keys } = await findRetailTable(client, 'Returns');
    const columns = (table.columns ?? []).map(({ id, name: column, type, size }) => ({
      id,
      name: column,
      type,
      size,
    }));
    await client.tables.create(keys, { name, id: 'returns.csv', type: 'base', columns });
  });

const changeColumnSql = (table: string, column: string, sql: string): Promise<void> =>
  fixture.runAsOtherUser(async (client) => {
    const found = await findRetailTable(client, table);
    const columns = (found.table.columns ?? []).map((candidate) =>
      candidate.name === column ? { ...candidate, expression: { expression: sql } } : candidate,
    );
    await client.tables.update(found.keys, { columns });
  });

async function expectRefusal(message: string, ...args: readonly string[]): Promise<void> {
  fixture.proxy.takeRequests();
  const { stderr } = await fixture.expectExit(4, 'apply', ...args, '--execute');
  expect(stderr).toContain(message);
  expect(fixture.proxy.takeRequests().filter(isWrite)).toEqual([]);
}

describe('a change or addition by others', () => {
  test('in a datamodel is deleted with the datamodel only by applying a plan file that shows it', async () => {
    const path = `${fixture.stateFolder}.plan.json`;
    await fixture.remove('datamodels/Retail');
    const plan = await fixture.expectExit(2, 'plan', '--prune', 'datamodels', '--out', path);
    expect(plan.stdout).toMatch(
      /\n- datamodel\/Retail\n {4}Also deleted: \d+ datasets, \d+ tables, SQL of \d+ custom tables, SQL of \d+ custom columns, \d+ relations, rules on \d+ columns\n/,
    );
    expect(plan.stdout).toContain("to delete. Access to everything that isn't deleted stays the same.");
    await fixture.runAsOtherUser((client) => updateTableDescription(client, 'Stores', 'Others'));
    await expectRefusal(outOfDate, path);
    await createTable('New Table');
    await expectRefusal(
      '1 item has changed on the server since the last pull: datamodel/Retail.',
      '--prune',
      'datamodels',
    );
    const laterPlan = await fixture.expectExit(2, 'plan', '--prune', 'datamodels', '--out', path);
    expect(laterPlan.stdout).toContain('- datamodel/Retail (changed on the server)\n');
    expect(laterPlan.stdout).toContain('\n    Changed on the server: table/Retail/Stores\n');
    expect(laterPlan.stdout).toContain('\n    Never pulled: table/Retail/New Table\n');
    await fixture.expectExit(0, 'apply', path, '--execute');
  });

  test('to the SQL of a column is deleted with the column only by applying a plan file that shows it', async () => {
    const path = `${fixture.stateFolder}.plan.json`;
    const file = 'datamodels/Retail/tables/Customers.table.json';
    const { columns } = await fixture.readJson(file);
    const remainingColumns = (columns as readonly JsonObject[]).filter(({ name }) => name !== 'Mail Domain');
    await fixture.changeJson(file, { columns: remainingColumns });
    await fixture.remove('datamodels/Retail/tables/Customers/Mail Domain.datamodel.sql');
    await fixture.expectExit(2, 'plan', '--prune', 'columns', '--out', path);
    await changeColumnSql('Customers', 'Mail Domain', "'Others'");
    await expectRefusal(outOfDate, path);
    await expectRefusal(
      '1 item has changed on the server since the last pull: table/Retail/Customers.',
      '--prune',
      'columns',
    );
    const laterPlan = await fixture.expectExit(2, 'plan', '--prune', 'columns', '--out', path);
    expect(laterPlan.stdout).toContain(
      '~ table/Retail/Customers (changed on the server)\n    Also deleted: SQL of 1 custom column\n    Changed on the server: SQL/Retail/Customers/Mail Domain\n',
    );
    await fixture.expectExit(0, 'apply', path, '--execute');
  });
});

test('an apply that deletes all that its limits match is verified and recorded in the lock file', async () => {
  const options = ['--prune', 'datamodels', '--datamodel', 'Retail'];
  const lockPath = 'environments/default.lock.json';
  await fixture.remove('datamodels/Retail');
  expect(await fixture.read(lockPath)).toContain('"table/Retail/Stores"');
  const { stderr } = await fixture.expectExit(0, 'apply', ...options, '--execute');
  expect(stderr).not.toContain("couldn't be read");
  expect(await fixture.read(lockPath)).not.toContain('"table/Retail/Stores"');
  // A limit that matches nothing before an apply is most likely misspelled.
  const refused = await fixture.expectExit(4, 'plan', ...options);
  expect(refused.stderr).toContain('has a datamodel that matches --datamodel');
});
