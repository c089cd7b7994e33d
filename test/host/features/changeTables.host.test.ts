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

/** Waits until the server has changed the table as it should be. */
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
  async (owned) => {
    const sandbox = owned.use(await startHostSandbox());
    return { sandbox, options: { env: sandbox.env, settings: textEditorSettings } };
  },
  (test) => {
    test('with nothing selected, the commands behind a key say what to choose', async ({ studio }) => {
      for (const [command, message] of [
        ['hide', 'In the explorer, select the tables or columns to hide.'],
        ['unhide', 'In the explorer, select the hidden tables or columns to show.'],
        ['delete', 'In the explorer, select the items to delete.'],
        ['duplicate', 'In the explorer, select a table, rule, or viewpoint to duplicate.'],
      ] as const) {
        void vscode.commands.executeCommand(`datamodelStudio.resources.${command}`);
        await studio.notification(message);
      }
    });

    test('a table is hidden and shown again', async ({ studio, sandbox }) => {
      await studio.contextMenu(returns, 'Edit', 'Hide');
      await studio.tree.itemShows(returns, /hidden/);
      assert.equal((await fetchReturns(sandbox)).hidden, true);
      assert.ok(!(await studio.contextMenuLabels(returns)).includes('Hide'));
      await studio.contextMenu(returns, 'Edit', 'Unhide');
      await studio.tree.itemShows(returns, /^(?!.*hidden)/);
      assert.equal((await fetchReturns(sandbox)).hidden, false);
    });

    test('several columns are hidden at once, and the selection is shown again', async ({
      studio,
      sandbox,
    }) => {
      const before = getHiddenColumns(await fetchReturns(sandbox));
      const columns = ['Return Date', 'Reason'].map((name) => [...returns, name]);
      await studio.tree.contextMenuOfMany(columns, 'Hide');
      for (const column of columns) {
        await studio.tree.itemShows(column, /hidden/);
      }
      assert.deepEqual(
        getHiddenColumns(await fetchReturns(sandbox)),
        [...before, 'Return Date', 'Reason'].toSorted(),
      );
      await studio.openView();
      await studio.tree.select([[...returns, 'Reason']]);
      void vscode.commands.executeCommand('datamodelStudio.resources.unhide');
      await studio.tree.itemShows([...returns, 'Reason'], /^(?!.*hidden)/);
      await undoLastChange(studio);
      await studio.statusBar(/Undone: Unhid Reason/);
      assert.ok(getHiddenColumns(await fetchReturns(sandbox)).includes('Reason'));
      await studio.tree.contextMenuOfMany(columns, 'Unhide');
      await waitForReturns(sandbox, (table) => getHiddenColumns(table).length === before.length);
    });

    test('the build settings of a table are changed, with the current ones preselected', async ({
      studio,
      sandbox,
    }) => {
      await studio.contextMenu(returns, 'Edit', 'Build Settings…');
      await studio.quickInput.title('Build Settings of Returns');
      await studio.quickInput.active('Append');
      await studio.quickPick('Incremental…');
      await studio.quickPick('Return Date');
      await studio.inputBox('3');
      await studio.inputBox('soon');
      await studio.quickInput.message('Enter a whole number of days, or leave empty.');
      await studio.inputBox('');
      await waitForReturns(sandbox, ({ buildBehavior }) => buildBehavior?.accumulativeConfig !== null);
      const table = await fetchReturns(sandbox);
      const column = table.columns?.find(({ name }) => name === 'Return Date');
      const config = table.buildBehavior?.accumulativeConfig;
      assert.deepEqual([config?.column, config?.lastDays, config?.keepOnlyDays], [column?.oid, 3, null]);

      await studio.contextMenu(returns, 'Edit', 'Build Settings…');
      await studio.quickInput.active('Incremental…');
      await studio.quickPick('Replace');
      await waitForReturns(sandbox, ({ buildBehavior }) => buildBehavior?.type === 'sync');
      await studio.contextMenu(returns, 'Edit', 'Build Settings…');
      await studio.quickInput.active('Replace');
    });

    test('a table and a viewpoint are copied under a free name', async ({ studio, sandbox }) => {
      const ranking = [...retail, 'Custom Tables', 'Store Ranking'] as const;
      await studio.contextMenu(ranking, 'Edit', 'Duplicate…');
      await studio.quickInput.title('Duplicate Store Ranking');
      assert.equal(studio.quickInput.current?.value(), 'Store Ranking copy');
      await studio.inputBox('Store Ranking');
      await studio.quickInput.message('Store Ranking is already in use.');
      await studio.inputBox('Ranking of Stores');
      await studio.treeItem([...retail, 'Custom Tables', 'Ranking of Stores']);
      await studio.openedEditor('Ranking of Stores.table.json');
      const original = (await fetchTable(sandbox, 'Retail', 'Store Ranking')).table;
      const copy = (await fetchTable(sandbox, 'Retail', 'Ranking of Stores')).table;
      assert.deepEqual(
        [copy.type, JSON.stringify(copy.expression).length],
        [original.type, JSON.stringify(original.expression).length],
      );
      assert.notEqual(copy.oid, original.oid);

      // A base table is copied with its columns; the second copy gets another number.
      for (const name of ['Returns copy', 'Returns copy 2']) {
        await studio.contextMenu(returns, 'Edit', 'Duplicate…');
        await studio.quickInput.title('Duplicate Returns');
        assert.equal(studio.quickInput.current?.value(), name);
        await studio.quickInput.accept();
        await studio.treeItem([...retail, 'Sales', name]);
        await studio.openedEditor(`${name}.table.json`);
      }
      const getColumnNames = async (table: string): Promise<readonly unknown[]> =>
        ((await fetchTable(sandbox, 'Retail', table)).table.columns ?? []).map((column) => column.name);
      assert.deepEqual(await getColumnNames('Returns copy'), await getColumnNames('Returns'));

      await studio.contextMenu(['Sandbox', 'Viewpoints', 'Revenue by Region'], 'Duplicate…');
      await studio.quickInput.title('Duplicate Revenue by Region');
      await studio.inputBox('Second Revenue');
      await studio.openedEditor('Second Revenue.viewpoint.json');
      const viewpoint = await fetchViewpoint(sandbox, 'Second Revenue');
      assert.deepEqual(viewpoint.details, (await fetchViewpoint(sandbox)).details);
    });

    test('a refused change is reported and leaves the row as it is', async ({ studio, sandbox }) => {
      await using _faults = await useFaults(sandbox, { kind: 'status', status: 403, methods: ['PATCH'] });
      await studio.contextMenu(returns, 'Edit', 'Hide');
      await studio.notification(/403/);
      await studio.tree.itemShows(returns, /^(?!.*hidden)/);
      assert.ok(
        getDatamodelTables(await fetchDatamodel(sandbox, 'Retail')).every(
          ({ name, hidden }) => name !== 'Returns' || hidden !== true,
        ),
      );
    });
  },
);
