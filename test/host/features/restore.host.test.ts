import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { Datamodel } from '../../../src/contract/datamodel.ts';
import { getColumnName, getTableName } from '../../../src/contract/table.ts';
import { fetchDatamodel, getDatamodelTables } from '../../editor/support/demo.ts';
import type { JourneySandbox } from '../../editor/support/journeySandbox.ts';
import type { TextMatcher } from '../../editor/support/textPatterns.ts';
import { fetchViewpoint } from '../../editor/support/viewpointDocument.ts';
import { documentSettings, save } from '../support/documents.ts';
import { applyPlan, cancelPlan, getSectionTexts, waitForPlan, undoLastChange } from '../support/plans.ts';
import { readColumnRules, retailRulesPath } from '../support/rules.ts';
import type { HostStudio } from '../support/studio.ts';
import { describeStudio, startHostSandbox } from '../support/suite.ts';

type Path = readonly [TextMatcher, ...TextMatcher[]];

const retail = ['Sandbox', 'Datamodels', 'Retail'] as const;
const orders = [...retail, 'Sales', 'Orders'] as const;
const marketing = ['Sandbox', 'Datamodels', 'Marketing'] as const;
const leadsToCampaigns = [...marketing, 'Relations', 'Leads – Campaigns'] as const;

async function deleteRow(studio: HostStudio, path: Path): Promise<void> {
  await studio.chooseFromContextMenu(path, 'Delete…');
  await applyPlan(studio);
  await studio.waitForTreeItemGone(path);
}

/** Undoes a deletion. */
async function undoDeletion(studio: HostStudio, deleted: string): Promise<void> {
  await undoLastChange(studio, `Undo: Deleted ${deleted}`);
  await studio.waitForStatusBarItem(`Undone: Deleted ${deleted}`);
}

/** The columns of all tables except custom tables, whose columns are created by a build. */
const getColumns = (model: Datamodel): readonly string[] =>
  getDatamodelTables(model)
    .filter(({ type }) => type !== 'custom')
    .flatMap((table) =>
      (table.columns ?? []).map((column) => `${getTableName(table)}.${getColumnName(column)}`),
    )
    .toSorted();

/** The relation between Leads and Campaigns, and the oids of two columns of Leads. */
async function getRelation(sandbox: JourneySandbox) {
  const model = await fetchDatamodel(sandbox, 'Marketing');
  const table = getDatamodelTables(model).find(({ name }) => name === 'Leads');
  const getColumnId = (name: string) => table?.columns?.find((column) => column.name === name)?.oid;
  const relation = model.relations?.find(({ columns }) => columns?.some((end) => end.table === table?.oid));
  assert.ok(relation, 'Leads has a relation');
  return { relation, leadId: getColumnId('Lead Id'), campaignId: getColumnId('Campaign Id') };
}

describeStudio(
  'deletions',
  async (disposables) => {
    const sandbox = disposables.use(await startHostSandbox());
    return { sandbox, options: { env: sandbox.env, settings: documentSettings } };
  },
  (test) => {
    test('custom data that was created, then changed in its document, is restored', async ({
      studio,
      sandbox,
    }) => {
      await studio.chooseFromContextMenu(['Sandbox', 'Custom Data'], 'New Custom Data Object…');
      await studio.submitInputBox('{ "app": "journey"');
      await studio.quickInput.waitForMessage('Enter a JSON object.');
      await studio.submitInputBox('{ "app": "journey", "step": "made" }');
      await studio.waitForEditor(/\.custom-data\.json$/);
      const { document } = await studio.waitForEditorText(/"made"/);
      await studio.replaceText(JSON.stringify({ ...JSON.parse(document.getText()), step: 'changed' }));
      await save(document);
      const object = 'app: journey, step: changed';
      await deleteRow(studio, ['Sandbox', 'Custom Data', object]);
      await undoDeletion(studio, object);
      await studio.findTreeItem(['Sandbox', 'Custom Data', object]);
      const objects = await sandbox.request(
        'GET',
        `/api/v1/custom_data/query?query=${encodeURIComponent('{"app":"journey"}')}`,
      );
      assert.equal((objects as readonly unknown[]).length, 1);
    });

    test('a viewpoint is restored', async ({ studio, sandbox }) => {
      await studio.chooseFromContextMenu(['Sandbox', 'Viewpoints'], 'New Viewpoint…');
      await studio.selectQuickPick('Marketing');
      await studio.submitInputBox('');
      await studio.quickInput.waitForMessage('Enter a name.');
      await studio.submitInputBox('Made Here');
      await studio.submitInputBox('By a test');
      await studio.waitForEditor('Made Here.viewpoint.json');
      const { description, details } = await fetchViewpoint(sandbox, 'Made Here');
      assert.deepEqual(
        [description, details?.datasource?.title, details?.datasource?.modelType],
        ['By a test', 'Marketing', 'external'],
      );
      await deleteRow(studio, ['Sandbox', 'Viewpoints', 'Made Here']);
      await assert.rejects(fetchViewpoint(sandbox, 'Made Here'));
      await undoDeletion(studio, 'Made Here');
      assert.equal((await fetchViewpoint(sandbox, 'Made Here')).description, 'By a test');
    });

    test('a relation that was changed in its document is restored', async ({ studio, sandbox }) => {
      const { relation, leadId, campaignId } = await getRelation(sandbox);
      studio.tree.runRowCommand(await studio.findTreeItem(leadsToCampaigns));
      await studio.waitForEditor(/\.relation\.json$/);
      const columns = relation.columns?.map((end) =>
        end.column === campaignId ? { ...end, column: leadId } : end,
      );
      await save(await studio.replaceText(JSON.stringify({ ...relation, columns })));
      const endsWithLead = async (): Promise<boolean | undefined> =>
        (await getRelation(sandbox)).relation.columns?.some((end) => end.column === leadId);
      assert.equal(await endsWithLead(), true, 'the relation is changed');
      await deleteRow(studio, leadsToCampaigns);
      await undoDeletion(studio, 'Leads – Campaigns');
      await studio.findTreeItem(leadsToCampaigns);
      assert.equal(await endsWithLead(), true);
    });

    test('a datamodel is restored from the history', async ({ studio, sandbox }) => {
      const before = await fetchDatamodel(sandbox, 'Marketing');
      await studio.openExplorer();
      await studio.tree.select([marketing]);
      // Like the keybinding, the test runs the command without a node.
      void vscode.commands.executeCommand('datamodelStudio.resources.delete');
      const { plan } = await waitForPlan(studio, 'Review Changes: Delete Marketing');
      assert.ok(getSectionTexts(plan, 'Will be deleted').includes('Marketing'));
      await applyPlan(studio);
      await studio.waitForTreeItemGone(marketing);
      await studio.runCommand('Datamodel Studio: Restore Previous State…');
      await studio.selectQuickPick('Deleted Marketing');
      const restore = await waitForPlan(studio, 'Restore: Deleted Marketing');
      assert.deepEqual(getSectionTexts(restore.plan, "Can't be restored"), [
        'The sharing and the schedule of Marketing',
      ]);
      assert.match(restore.plan.view.footnotes?.[0] ?? '', /^New IDs are assigned to: Marketing, /);
      restore.page.post({ type: 'apply' });
      await studio.waitForStatusBarItem('Restored: Deleted Marketing');
      await studio.findTreeItem(leadsToCampaigns);
      const after = await fetchDatamodel(sandbox, 'Marketing');
      const getTableNames = (model: Datamodel) => getDatamodelTables(model).map(({ name }) => name);
      assert.deepEqual(getTableNames(after), getTableNames(before));
      assert.equal(after.relations?.length, before.relations?.length);
      assert.deepEqual(getColumns(after), getColumns(before));
    });

    test('a dataset is restored with its tables', async ({ studio, sandbox }) => {
      const before = getColumns(await fetchDatamodel(sandbox, 'Marketing'));
      const dataset = [...marketing, 'Campaigns'] as const;
      await deleteRow(studio, dataset);
      await undoDeletion(studio, 'Campaigns');
      await studio.findTreeItem([...dataset, 'Leads']);
      assert.deepEqual(getColumns(await fetchDatamodel(sandbox, 'Marketing')), before);
    });

    test('a table whose name is now in use is restored under another name', async ({ studio, sandbox }) => {
      const table = [...retail, 'Sales', 'Returns'] as const;
      const getNames = async (): Promise<readonly string[]> =>
        getDatamodelTables(await fetchDatamodel(sandbox, 'Retail')).map(getTableName);
      const model = await fetchDatamodel(sandbox, 'Retail');
      const returns = getDatamodelTables(model).find(({ name }) => name === 'Returns');
      const dataset = model.datasets?.find(({ schema }) =>
        schema?.tables?.some(({ oid }) => oid === returns?.oid),
      );
      await deleteRow(studio, table);
      const path = `/api/v2/datamodels/${model.oid}/schema/datasets/${dataset?.oid ?? ''}/tables`;
      await sandbox.request('POST', path, { id: returns?.id, name: 'Returns', type: 'base', columns: [] });
      await studio.runCommand('Datamodel Studio: Undo Last Change');
      const { page, plan } = await waitForPlan(studio, 'Undo: Deleted Returns');
      const label = 'Returns already exists. Restore under a different name:';
      assert.deepEqual(plan.view.newNames, [{ label, name: 'Returns 2' }]);
      page.post({ type: 'rename', item: 0, name: 'orders' });
      const planWithProblem = await page.waitForMessage<typeof plan>(
        'plan',
        ({ view }) => view.newNames?.[0]?.name === 'orders',
      );
      assert.equal(planWithProblem.view.newNames?.[0]?.problem, 'orders is already in use.');
      page.post({ type: 'rename', item: 0, name: 'Old Returns' });
      await page.waitForMessage<typeof plan>('plan', ({ view }) => view.newNames?.[0]?.problem === undefined);
      await applyPlan(studio, 'Undo: Deleted Returns');
      await studio.findTreeItem([...retail, 'Sales', 'Old Returns']);
      const names = await getNames();
      assert.ok(names.includes('Old Returns'));
      assert.equal(names.filter((name) => name === 'Returns').length, 1);
    });

    test('a custom table is restored', async ({ studio, sandbox }) => {
      await studio.chooseFromContextMenu([...retail, 'Custom Tables'], 'New Custom Table…');
      await studio.submitInputBox('Open Orders');
      await studio.submitInputBox("SELECT [Order Id] FROM [Orders] WHERE [Status] = 'Open'");
      await studio.waitForEditor('Open Orders.datamodel.sql');
      const table = [...retail, 'Custom Tables', 'Open Orders'] as const;
      await deleteRow(studio, table);
      await undoDeletion(studio, 'Open Orders');
      await studio.findTreeItem(table);
      const names = getDatamodelTables(await fetchDatamodel(sandbox, 'Retail')).map(({ name }) => name);
      assert.ok(names.includes('Open Orders'));
    });

    test('a custom column is restored', async ({ studio }) => {
      await studio.chooseFromContextMenu(orders, 'New', 'Custom Column…');
      await studio.submitInputBox('Order Year');
      await studio.selectQuickPick('Integer');
      await studio.submitInputBox('GETYEAR([Order Date])');
      const column = [...orders, 'Order Year'] as const;
      await studio.findTreeItem(column);
      await deleteRow(studio, column);
      await undoDeletion(studio, 'Order Year');
      await studio.findTreeItem(column);
    });

    test('a rule is restored', async ({ studio, sandbox }) => {
      const read = (): Promise<readonly string[]> =>
        readColumnRules(sandbox, retailRulesPath, 'Regions.Region');
      const before = await read();
      const rule = [...retail, 'Data Security', 'Regions.Region', 'Sales North'] as const;
      await deleteRow(studio, rule);
      assert.equal((await read()).length, before.length - 1);
      await studio.runCommand('Datamodel Studio: Undo Last Change');
      const undo = await waitForPlan(studio, 'Undo: Deleted ');
      assert.match(undo.plan.view.summary, /Sales North gains values of Regions\.Region/);
      undo.page.post({ type: 'apply' });
      await studio.findTreeItem(rule);
      assert.deepEqual(await read(), before);
    });

    test('a table stays if the plan of its deletion, which lists what will break, is canceled', async ({
      studio,
      sandbox,
    }) => {
      const customers = [...retail, 'Master Data', 'Customers'] as const;
      const hasCustomers = async (): Promise<boolean> =>
        getDatamodelTables(await fetchDatamodel(sandbox, 'Retail')).some(({ name }) => name === 'Customers');
      await studio.chooseFromContextMenu(customers, 'Delete…');
      const { page, plan } = await waitForPlan(studio, 'Review Changes: Delete Customers');
      assert.equal(plan.view.applyLabel, 'Apply Anyway');
      assert.equal(plan.view.tone, 'error');
      assert.ok(getSectionTexts(plan, 'Will break').includes('Customer Value'));
      await cancelPlan(studio, page);
      await studio.findTreeItem(customers);
      assert.equal(await hasCustomers(), true);
      await deleteRow(studio, customers);
      assert.equal(await hasCustomers(), false);
    });

    test('several rows are deleted one after the other, each after its plan', async ({ studio, sandbox }) => {
      const viewpoints = ['Profit by Category', 'Profit by Region'].map((name) => [
        'Sandbox',
        'Viewpoints',
        name,
      ]);
      await studio.tree.chooseFromContextMenuOfSelection(viewpoints, 'Delete…');
      await applyPlan(studio, 'Review Changes: Delete Profit by Category');
      const { page } = await waitForPlan(studio, 'Review Changes: Delete Profit by Region');
      await cancelPlan(studio, page);
      await studio.waitForTreeItemGone(['Sandbox', 'Viewpoints', 'Profit by Category']);
      assert.equal((await fetchViewpoint(sandbox, 'Profit by Region')).name, 'Profit by Region');
    });
  },
);
