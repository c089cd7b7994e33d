import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import { planOutputSchema } from '../../../src/cli/planOutputSchema.ts';
import { isWrite } from '../../support/interceptingProxy.ts';
import { ProjectFixture } from '../../support/projectFixture.ts';

const folder = 'datamodels/Retail';
const subject = { server: 'LocalHost', elasticube: 'Retail' };
const outdated =
  'The plan is out of date: the project or the instance has changed since. Nothing was written.';

describe.each(['guide', 'contract'] as const)('on an instance of the profile %s', (profile) => {
  const fixture = new ProjectFixture({ profile });

  /** Creates a rule that only the instance has: no one sees any value of the column. */
  const addRule = (table: string, column: string, datatype: string) =>
    fixture.runAsOtherUser(async ({ extractRules }) => {
      const rule = {
        table,
        column,
        datatype,
        members: [],
        allMembers: false,
        shares: [{ type: 'default' }],
      } as const;
      await extractRules.create(subject, [rule]);
    });
  const deleteRules = (table: string, column: string) =>
    fixture.runAsOtherUser(async ({ extractRules }) => {
      const { value } = await extractRules.listByColumn({ ...subject, table, column });
      expect(value).not.toEqual([]);
      for (const { _id } of value) {
        await extractRules.delete({ ruleId: _id ?? '' });
      }
    });
  /** Copies a custom table of the project. */
  const addTable = async (): Promise<void> => {
    const table = await fixture.readJson(`${folder}/tables/Customer Value.table.json`);
    const expression = { $file: 'Value Copy.datamodel.sql' };
    const file = { ...table, name: 'Value Copy', expression };
    await fixture.write(`${folder}/tables/Value Copy.table.json`, file);
    const sql = await fixture.read(`${folder}/tables/Customer Value.datamodel.sql`);
    await fixture.write(`${folder}/tables/Value Copy.datamodel.sql`, sql);
  };
  const addRelation = (...columns: readonly { table: string; column: string }[]) => {
    const name = columns.map(({ table, column }) => `${table}.${column}`).join(' - ');
    return fixture.write(`${folder}/relations/${name}.relation.json`, { columns });
  };
  const path = () => join(fixture.project, 'plan.json');
  const createPlan = async (): Promise<string> =>
    (await fixture.expectExit(2, 'plan', '--out', path())).stdout;
  const applyFile = (code: number) => fixture.expectExit(code, 'apply', path(), '--execute');
  const expectRefusal = async (): Promise<void> => {
    fixture.proxy.takeRequests();
    expect((await applyFile(4)).stderr).toContain(outdated);
    expect(fixture.proxy.takeRequests().filter(isWrite)).toEqual([]);
  };

  test('a plan says who will see a new column, and a column that is no longer hidden', async () => {
    const employees = `${folder}/tables/Employees.table.json`;
    const { columns } = (await fixture.readJson(employees)) as { readonly columns: readonly JsonObject[] };
    await fixture.changeJson(employees, {
      columns: [
        ...columns.map((column) => (column['name'] === 'Salary' ? { ...column, hidden: false } : column)),
        { name: 'Bonus', id: 'Bonus', type: 8 },
      ],
    });
    const text = await createPlan();
    expect(text).toContain(
      '! table/Retail/Employees/Salary: no longer hidden; visible in the rows that rules allow; Job Title: everyone else: all values; ',
    );
    expect(text).toContain(
      '0 to delete. Newly visible in the rows that rules allow: Employees.Salary and Employees.Bonus. Access to everything else stays the same.',
    );
    const { access } = planOutputSchema.parse(JSON.parse(await readFile(path(), 'utf8')));
    expect(access.newlyVisible?.map(({ item, column, reason }) => [item, column, reason])).toEqual([
      ['table/Retail/Employees', 'Salary', 'unhidden'],
      ['table/Retail/Employees', 'Bonus', 'new'],
    ]);
  });

  test('a plan file is refused if a rule that only the instance had on a new table is gone', async () => {
    await addTable();
    await addRule('Value Copy', 'Customer Id', 'numeric');
    expect(await createPlan()).toContain('Customer Id: everyone else: no values (already on the instance)');
    await deleteRules('Value Copy', 'Customer Id');
    await expectRefusal();
    expect(await createPlan()).toContain('without rules');
  });

  test('a plan file is refused if a linked rule that only the instance had no longer restricts a new table', async () => {
    await addTable();
    await addRelation(
      { table: 'Customers', column: 'Customer Id' },
      { table: 'Value Copy', column: 'Customer Id' },
    );
    await fixture.remove(`${folder}/rules/Customers.Segment.rules.json`);
    await createPlan();
    await deleteRules('Customers', 'Segment');
    await expectRefusal();
  });

  test('a plan file is refused if a rule is gone that would have taken access away from someone', async () => {
    await addRelation({ table: 'Store Ranking', column: 'Store' }, { table: 'Stores', column: 'Store' });
    await addRule('Store Ranking', 'Store', 'text');
    expect(await createPlan()).toContain('Store Ranking.Store');
    await deleteRules('Store Ranking', 'Store');
    await expectRefusal();
    await createPlan();
    await applyFile(0);
  });

  test('a change of a rule that has nothing to do with a plan leaves it up to date', async () => {
    await fixture.changeJson(`${folder}/tables/Returns.table.json`, { description: 'What came back' });
    await addRule('Store Ranking', 'Store', 'text');
    await createPlan();
    await deleteRules('Store Ranking', 'Store');
    await applyFile(0);
  });
});
