import assert from 'node:assert/strict';
import { columnName, tableName } from '../../../src/contract/table.ts';
import { type Path, remove, undo } from '../support/deletion.ts';
import { datamodelOf, rulesOfRetail, tablesOf } from '../support/demo.ts';
import { journey } from '../support/journey.ts';
import { type TestSandbox, openSandbox } from '../support/sandbox.ts';

const retail: Path = ['Sandbox', 'Datamodels', 'Retail'];
const orders: Path = [...retail, 'Sales', 'Orders'];

/** Every column of a datamodel, as `Table.Column`. */
async function columnsOf(sandbox: TestSandbox, title: string): Promise<readonly string[]> {
  return tablesOf(await datamodelOf(sandbox, title))
    .flatMap((table) => (table.columns ?? []).map((column) => `${tableName(table)}.${columnName(column)}`))
    .toSorted();
}

/** What everybody may see of a column, by the rules of the sandbox. */
async function rulesOf(sandbox: TestSandbox, column: string): Promise<readonly string[]> {
  return (await rulesOfRetail(sandbox))
    .filter((rule) => rule.column === column)
    .map(({ members, allMembers, shares }) =>
      JSON.stringify([members, allMembers, shares?.map(({ type, party }) => [type, party])]),
    )
    .toSorted();
}

journey('tables, columns, datasets and rules are made and deleted, and come back', async ({ openStudio }) => {
  await using sandbox = await openSandbox();
  const studio = await openStudio({ env: sandbox.env });
  await studio.openView();

  await studio.contextMenu([...retail, 'Custom Tables'], 'New Custom Table…');
  await studio.inputBox('Open Orders');
  await studio.inputBox("SELECT [Order Id] FROM [Orders] WHERE [Status] = 'Open'");
  // What was asked for is SQL, so that is what opens.
  await studio.openedEditor('Open Orders.datamodel.sql');
  const table: Path = [...retail, 'Custom Tables', 'Open Orders'];
  await remove(studio, table);
  await undo(studio, 'Open Orders');
  await studio.treeItem(table);

  await studio.contextMenu(orders, 'New Custom Column…');
  await studio.inputBox('Order Year');
  await studio.quickPick('Integer');
  await studio.inputBox('GETYEAR([Order Date])');
  const column: Path = [...orders, 'Order Year'];
  await studio.treeItem(column);
  await remove(studio, column);
  await undo(studio, 'Order Year');
  await studio.treeItem(column);

  const rules = await rulesOf(sandbox, 'Region');
  const rule: Path = [...retail, 'Data Security', 'Regions.Region', 'Sales North'];
  await remove(studio, rule);
  assert.equal((await rulesOf(sandbox, 'Region')).length, rules.length - 1);
  await studio.runCommand('Datamodel Studio: Undo Last Change');
  await studio.dialogAction('Bring Back');
  await studio.treeItem(rule);
  assert.deepEqual(await rulesOf(sandbox, 'Region'), rules);

  const columns = await columnsOf(sandbox, 'Marketing');
  const dataset: Path = ['Sandbox', 'Datamodels', 'Marketing', 'Campaigns'];
  await remove(studio, dataset);
  await undo(studio, 'Campaigns');
  await studio.treeItem([...dataset, 'Leads']);
  assert.deepEqual(await columnsOf(sandbox, 'Marketing'), columns);
  await studio.screenshot('every-table-back');
});
