import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { type Table, getColumnName } from '../../../src/contract/table.ts';
import { fetchDatamodel, fetchTable, getDatamodelTables } from '../../editor/support/demo.ts';
import type { JourneySandbox } from '../../editor/support/journeySandbox.ts';
import { fetchViewpoint, textEditorSettings } from '../../editor/support/viewpointDocument.ts';
import { useFaults } from '../support/faults.ts';
import { undoLastChange } from '../support/plans.ts';
import { describeStudio, startHostSandbox } from '../support/suite.ts';
import { waitFor } from '../support/waiting.ts';

const retail = ['Sandbox', 'Datamodels', 'Retail'] as const;
const returns = [...retail, 'Sales', 'Returns'] as const;

const fetchReturns = async (sandbox: JourneySandbox): Promise<Table> =>
  (await fetchTable(sandbox, 'Retail', 'Returns')).table;

/** Waits until the table on the server passes the check. */
const waitForReturns = async (
  sandbox: JourneySandbox,
  check: (table: Table) => boolean | undefined,
): Promise<unknown> =>
  waitFor(
    async () => check(await fetchReturns(sandbox)),
    () => 'The table is not changed',
  );

const getHiddenColumns = ({ columns }: Table): readonly string[] =>
  (columns ?? [])
    .filter(({ hidden }) => hidden === true)
    .map(getColumnName)
    .toSorted();

describeStudio(
  'changes of tables',
  async (disposables) => {
    const sandbox = disposables.use(await startHostSandbox());
    return { sandbox, options: { env: sandbox.env, settings: textEditorSettings } };
  },
  (test) => {
    test('with nothing selected, the commands that have a keybinding ask the user to select something', async ({
      studio,
    }) => {
      for (const [command, message] of [
        ['hide', 'In the Connections view, select the tables or columns to hide.'],
        ['unhide', 'In the Connections view, select the hidden tables or columns to unhide.'],
        ['delete', 'In the Connections view, select the items to delete.'],
        ['duplicate', 'In the Connections view, select a table, rule, or viewpoint to duplicate.'],
      ] as const) {
        void vscode.commands.executeCommand(`datamodelStudio.resources.${command}`);
        await studio.waitForNotification(message);
      }
    });

    test('a table is hidden and shown again', async ({ studio, sandbox }) => {
      await studio.chooseFromContextMenu(returns, 'Edit', 'Hide');
      await studio.tree.waitForItemText(returns, /hidden/);
      assert.equal((await fetchReturns(sandbox)).hidden, true);
      assert.ok(!(await studio.getContextMenuLabels(returns)).includes('Hide'));
      await studio.chooseFromContextMenu(returns, 'Edit', 'Unhide');
      await studio.tree.waitForItemText(returns, /^(?!.*hidden)/);
      assert.equal((await fetchReturns(sandbox)).hidden, false);
    });

    test('several selected columns are hidden at once, and shown again', async ({ studio, sandbox }) => {
      const before = getHiddenColumns(await fetchReturns(sandbox));
      const columns = ['Return Date', 'Reason'].map((name) => [...returns, name]);
      await studio.tree.chooseFromContextMenuOfSelection(columns, 'Hide');
      for (const column of columns) {
        await studio.tree.waitForItemText(column, /hidden/);
      }
      assert.deepEqual(
        getHiddenColumns(await fetchReturns(sandbox)),
        [...before, 'Return Date', 'Reason'].toSorted(),
      );
      await studio.openExplorer();
      await studio.tree.select([[...returns, 'Reason']]);
      void vscode.commands.executeCommand('datamodelStudio.resources.unhide');
      await studio.tree.waitForItemText([...returns, 'Reason'], /^(?!.*hidden)/);
      await undoLastChange(studio);
      await studio.waitForStatusBarItem(/Undone: Unhid Reason/);
      assert.ok(getHiddenColumns(await fetchReturns(sandbox)).includes('Reason'));
      await studio.tree.chooseFromContextMenuOfSelection(columns, 'Unhide');
      await waitForReturns(sandbox, (table) => getHiddenColumns(table).length === before.length);
    });

    test('the build settings of a table are changed, with the current ones preselected', async ({
      studio,
      sandbox,
    }) => {
      await studio.chooseFromContextMenu(returns, 'Edit', 'Build Settings…');
      await studio.quickInput.waitForTitle('Build Settings of Returns');
      await studio.quickInput.waitForActiveRow('Append');
      await studio.selectQuickPick('Incremental…');
      await studio.selectQuickPick('Return Date');
      await studio.submitInputBox('3');
      await studio.submitInputBox('soon');
      await studio.quickInput.waitForMessage('Enter a whole number of days, or leave empty.');
      await studio.submitInputBox('');
      await waitForReturns(sandbox, ({ buildBehavior }) => buildBehavior?.accumulativeConfig !== null);
      const table = await fetchReturns(sandbox);
      const column = table.columns?.find(({ name }) => name === 'Return Date');
      const config = table.buildBehavior?.accumulativeConfig;
      assert.deepEqual([config?.column, config?.lastDays, config?.keepOnlyDays], [column?.oid, 3, null]);

      await studio.chooseFromContextMenu(returns, 'Edit', 'Build Settings…');
      await studio.quickInput.waitForActiveRow('Incremental…');
      await studio.selectQuickPick('Replace');
      await waitForReturns(sandbox, ({ buildBehavior }) => buildBehavior?.type === 'sync');
      await studio.chooseFromContextMenu(returns, 'Edit', 'Build Settings…');
      await studio.quickInput.waitForActiveRow('Replace');
    });

    test('a table and a viewpoint are copied under a name that is not in use', async ({
      studio,
      sandbox,
    }) => {
      const ranking = [...retail, 'Custom Tables', 'Store Ranking'] as const;
      await studio.chooseFromContextMenu(ranking, 'Edit', 'Duplicate…');
      await studio.quickInput.waitForTitle('Duplicate Store Ranking');
      assert.equal(studio.quickInput.current?.getValue(), 'Store Ranking copy');
      await studio.submitInputBox('Store Ranking');
      await studio.quickInput.waitForMessage('Store Ranking is already in use.');
      await studio.submitInputBox('Ranking of Stores');
      await studio.findTreeItem([...retail, 'Custom Tables', 'Ranking of Stores']);
      await studio.waitForEditor('Ranking of Stores.table.json');
      const original = (await fetchTable(sandbox, 'Retail', 'Store Ranking')).table;
      const copy = (await fetchTable(sandbox, 'Retail', 'Ranking of Stores')).table;
      assert.deepEqual(
        [copy.type, JSON.stringify(copy.expression).length],
        [original.type, JSON.stringify(original.expression).length],
      );
      assert.notEqual(copy.oid, original.oid);

      // A base table is copied with its columns; the second copy gets a number.
      for (const name of ['Returns copy', 'Returns copy 2']) {
        await studio.chooseFromContextMenu(returns, 'Edit', 'Duplicate…');
        await studio.quickInput.waitForTitle('Duplicate Returns');
        assert.equal(studio.quickInput.current?.getValue(), name);
        await studio.quickInput.accept();
        await studio.findTreeItem([...retail, 'Sales', name]);
        await studio.waitForEditor(`${name}.table.json`);
      }
      const getColumnNames = async (table: string): Promise<readonly unknown[]> =>
        ((await fetchTable(sandbox, 'Retail', table)).table.columns ?? []).map((column) => column.name);
      assert.deepEqual(await getColumnNames('Returns copy'), await getColumnNames('Returns'));

      await studio.chooseFromContextMenu(['Sandbox', 'Viewpoints', 'Revenue by Region'], 'Duplicate…');
      await studio.quickInput.waitForTitle('Duplicate Revenue by Region');
      await studio.submitInputBox('Second Revenue');
      await studio.waitForEditor('Second Revenue.viewpoint.json');
      const viewpoint = await fetchViewpoint(sandbox, 'Second Revenue');
      assert.deepEqual(viewpoint.details, (await fetchViewpoint(sandbox)).details);
    });

    test('a refused change is reported, and the row stays unchanged', async ({ studio, sandbox }) => {
      await using _faults = await useFaults(sandbox, { kind: 'status', status: 403, methods: ['PATCH'] });
      await studio.chooseFromContextMenu(returns, 'Edit', 'Hide');
      await studio.waitForNotification(/403/);
      await studio.tree.waitForItemText(returns, /^(?!.*hidden)/);
      assert.ok(
        getDatamodelTables(await fetchDatamodel(sandbox, 'Retail')).every(
          ({ name, hidden }) => name !== 'Returns' || hidden !== true,
        ),
      );
    });
  },
);
