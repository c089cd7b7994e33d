import assert from 'node:assert/strict';
import { fetchTable } from '../../editor/support/demo.ts';
import type { HostStudio } from '../support/studio.ts';
import { describeOnSandbox } from '../support/suite.ts';
import { waitFor } from '../support/waiting.ts';

/** The test renames the connection from Sandbox to Demo. */
const retail = [/^(Sandbox|Demo)$/, 'Datamodels', 'Retail'] as const;

/** Waits until the editor shows the rows that the test has expanded. Unlike most helpers, expands none itself. */
async function waitForSameExpansion(studio: HostStudio, table: string): Promise<void> {
  await studio.tree.waitForVisibleRow([...retail, 'Sales', table, 'Order Date']);
  await studio.tree.waitForVisibleRow([...retail, 'Data Security', 'Customers.Segment']);
  assert.ok(!studio.tree.isRowVisible([...retail, 'Custom Tables', /./]));
}

async function waitForSameState(studio: HostStudio, table: string): Promise<void> {
  await waitForSameExpansion(studio, table);
  const view = studio.tree.getView('datamodelStudio.explorer');
  const getNames = (): readonly unknown[] => view.selection.map((row) => Reflect.get(Object(row), 'name'));
  await waitFor(
    () => getNames().join() === 'Channel',
    () => `The selection is ${getNames().join()}`,
  );
}

describeOnSandbox('the state of the tree', (test) => {
  test('expanded and selected nodes survive a refresh, renames and a reload', async ({ studio, sandbox }) => {
    await studio.openExplorer();
    for (const path of [
      retail,
      [...retail, 'Sales'],
      [...retail, 'Sales', 'Orders'],
      [...retail, 'Data Security'],
    ]) {
      await studio.tree.setExpandedInView(path, true);
    }
    await studio.tree.select([[...retail, 'Sales', 'Orders', 'Channel']]);
    await waitForSameState(studio, 'Orders');

    await studio.chooseFromContextMenu('Sandbox', 'Refresh');
    await waitForSameState(studio, 'Orders');

    // A colleague renames the table.
    const { path } = await fetchTable(sandbox, 'Retail', 'Orders');
    await sandbox.request('PATCH', path, { name: 'All Orders' });
    await studio.chooseFromContextMenu([...retail, 'Sales'], 'Refresh');
    await waitForSameState(studio, 'All Orders');

    await studio.chooseFromContextMenu('Sandbox', 'Edit Connection…');
    await studio.submitInputBox(sandbox.url);
    await studio.submitInputBox('');
    await studio.selectQuickPick('development');
    await studio.submitInputBox('Demo');
    await studio.submitInputBox('');
    await studio.tree.waitForVisibleRow(['Demo']);
    await waitForSameState(studio, 'All Orders');

    // Here, the selection is lost with the view; a journey test checks that a real reload restores it.
    await studio.reloadWindow();
    await waitForSameExpansion(studio, 'All Orders');

    await studio.tree.setExpandedInView([...retail, 'Data Security'], false);
    await studio.reloadWindow();
    await studio.tree.waitForVisibleRow([...retail, 'Sales', 'All Orders', 'Order Date']);
    assert.ok(!studio.tree.isRowVisible([...retail, 'Data Security', /./]));
  });
});
