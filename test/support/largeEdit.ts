import type { ProjectFixture } from './projectFixture.ts';

const retail = 'datamodels/Retail';
const copyNumbers = [1, 2, 3, 4, 5, 6];

/** The option with the kinds of items that {@link makeLargeEdit} deletes. */
export const largeEditPrune = ['--prune', 'relations,rules,tables,viewpoints'] as const;

/** The number of writes of an apply after {@link makeLargeEdit}. */
export const largeEditWriteCount = 40;

/**
 * Changes the project so that an apply has at least 30 writes of all kinds: a new datamodel, new tables with rules and
 * relations, changed and deleted ones, and viewpoints.
 */
export async function makeLargeEdit(fixture: ProjectFixture): Promise<void> {
  const dataset = await fixture.readJson(`${retail}/datasets/Sales.dataset.json`);
  const returns = await fixture.readJson(`${retail}/tables/Returns.table.json`);
  const categories = await fixture.readJson(`${retail}/tables/Categories.table.json`);
  await fixture.write('datamodels/Archive/Archive.datamodel.json', { title: 'Archive', type: 'extract' });
  await fixture.write('datamodels/Archive/datasets/Sales.dataset.json', dataset);
  for (const name of ['Returns', 'Old Returns']) {
    await fixture.write(`datamodels/Archive/tables/${name}.table.json`, { ...returns, name });
  }
  await fixture.write('datamodels/Archive/relations/Returns.relation.json', {
    columns: [
      { table: 'Old Returns', column: 'Return Id' },
      { table: 'Returns', column: 'Return Id' },
    ],
  });
  for (const number of copyNumbers) {
    const name = `Categories ${number}`;
    await fixture.write(`${retail}/tables/${name}.table.json`, { ...categories, name });
    await fixture.write(`${retail}/rules/${name}.Department.rules.json`, [
      createRule(name, 'Department', []),
      { ...createRule(name, 'Department', ['Home']), shares: [{ type: 'group', party: 'Sales' }] },
    ]);
    await fixture.write(`${retail}/relations/${name}.relation.json`, {
      columns: [
        { table: name, column: 'Category Id' },
        { table: 'Products', column: 'Category Id' },
      ],
    });
  }
  for (const name of ['Orders', 'Order Items', 'Returns', 'Products', 'Stores', 'Calendar']) {
    await fixture.changeJson(`${retail}/tables/${name}.table.json`, { description: `Large edit of ${name}` });
  }
  await fixture.write(`${retail}/tables/Orders/Days to Ship.datamodel.sql`, '1 + 1\n');
  await fixture.write(`${retail}/rules/Orders.Status.rules.json`, [createRule('Orders', 'Status', ['open'])]);
  await fixture.remove(`${retail}/rules/Orders.Channel.rules.json`);
  await fixture.remove(`${retail}/relations/Employees.Employee Id - Orders.Employee Id.relation.json`);
  await fixture.remove(`${retail}/tables/Employees.table.json`);
  await fixture.remove(`${retail}/tables/Employees/Employee.datamodel.sql`);
  await fixture.remove(`${retail}/rules/Employees.Job Title.rules.json`);
  await fixture.changeJson('datamodels/Marketing/tables/Ad Spend.table.json', { description: 'Large edit' });
  for (const name of ['Profit by Week', 'Units Sold by Week', 'Units Sold by Store']) {
    await fixture.changeJson(`viewpoints/${name}.viewpoint.json`, { description: 'Large edit' });
  }
  const viewpoint = await fixture.readJson('viewpoints/Profit by Month.viewpoint.json');
  for (const name of ['Profit by Month 2', 'Profit by Month 3']) {
    await fixture.write(`viewpoints/${name}.viewpoint.json`, { ...viewpoint, name });
  }
  await fixture.remove('viewpoints/Units Sold by Region.viewpoint.json');
}

/** A rule for everyone else. */
const createRule = (table: string, column: string, members: readonly string[]) => ({
  table,
  column,
  datatype: 'text',
  members,
  ...(members.length === 0 ? { allMembers: false } : {}),
  shares: [{ type: 'default' }],
});
