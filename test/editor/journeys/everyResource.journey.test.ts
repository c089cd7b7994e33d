import assert from 'node:assert/strict';
import type { Relation } from '../../../src/contract/datamodel.ts';
import { getColumnName, getTableName } from '../../../src/contract/table.ts';
import { type TreeItemPath, deleteFromTree, undoDeletion } from '../support/deletion.ts';
import { fetchDatamodel, fetchRetailRules, getDatamodelTables } from '../support/demo.ts';
import { type JourneySandbox, startJourneySandbox } from '../support/journeySandbox.ts';
import { waitForDirtyState, replaceEditorText, pressSave } from '../support/editorState.ts';
import { createSharedStudio } from '../support/sharedStudio.ts';
import { textEditorSettings } from '../support/viewpointDocument.ts';

const journey = createSharedStudio(async (owned) => {
  const sandbox = owned.use(await startJourneySandbox());
  return { sandbox, options: { env: sandbox.env, settings: textEditorSettings } };
});

const retail: TreeItemPath = ['Sandbox', 'Datamodels', 'Retail'];
const orders: TreeItemPath = [...retail, 'Sales', 'Orders'];
const marketing: TreeItemPath = ['Sandbox', 'Datamodels', 'Marketing'];
const leads: TreeItemPath = [...marketing, 'Relations', 'Leads – Campaigns'];

/** The relation of Leads and Campaigns, and the oids of two columns of Leads. */
async function getRelation(sandbox: JourneySandbox) {
  const model = await fetchDatamodel(sandbox, 'Marketing');
  const table = getDatamodelTables(model).find(({ name }) => name === 'Leads');
  const columnId = (name: string) => table?.columns?.find((column) => column.name === name)?.oid;
  const relation = model.relations?.find(({ columns }) => columns?.some((end) => end.table === table?.oid));
  assert.ok(relation, 'Leads has a relation');
  return { relation, leadId: columnId('Lead Id'), campaignId: columnId('Campaign Id') };
}

const endsWith = ({ columns }: Relation, column: string | null | undefined): boolean =>
  columns?.some((end) => end.column === column) ?? false;

/** Every column of a datamodel, as `Table.Column`. */
async function getColumns(sandbox: JourneySandbox, title: string): Promise<readonly string[]> {
  return getDatamodelTables(await fetchDatamodel(sandbox, title))
    .flatMap((table) =>
      (table.columns ?? []).map((column) => `${getTableName(table)}.${getColumnName(column)}`),
    )
    .toSorted();
}

/** The rules of a column in the sandbox, without their IDs. */
async function getRules(sandbox: JourneySandbox, column: string): Promise<readonly string[]> {
  return (await fetchRetailRules(sandbox))
    .filter((rule) => rule.column === column)
    .map(({ members, allMembers, shares }) =>
      JSON.stringify([members, allMembers, shares?.map(({ type, party }) => [type, party])]),
    )
    .toSorted();
}

journey(
  'everything created or changed in the explorer can be deleted and restored',
  async ({ studio, sandbox }) => {
    await studio.openView();

    await studio.contextMenu(['Sandbox', 'Custom Data'], 'New Custom Data Object…');
    await studio.inputBox('{ "app": "journey", "step": "made" }');
    await studio.openedEditor(/\.custom-data\.json$/);
    await studio.editorShows(/"made"/);
    const [made] = (await sandbox.request(
      'GET',
      `/api/v1/custom_data/query?query=${encodeURIComponent('{"app":"journey"}')}`,
    )) as readonly object[];
    await replaceEditorText(studio, JSON.stringify({ ...made, step: 'changed' }));
    await waitForDirtyState(studio, true);
    await pressSave(studio);
    await waitForDirtyState(studio, false);
    const object = 'app: journey, step: changed';
    await deleteFromTree(studio, ['Sandbox', 'Custom Data', object]);
    await undoDeletion(studio, object, { isReported: false });
    await studio.treeItem(['Sandbox', 'Custom Data', object]);

    await studio.contextMenu(['Sandbox', 'Viewpoints'], 'New Viewpoint…');
    await studio.quickPick('Marketing');
    await studio.inputBox('Made Here');
    await studio.inputBox('By a journey');
    await studio.openedEditor('Made Here.viewpoint.json');
    await deleteFromTree(studio, ['Sandbox', 'Viewpoints', 'Made Here']);
    await undoDeletion(studio, 'Made Here');
    await studio.tree.collapse(['Sandbox', 'Viewpoints']);

    const { relation, leadId, campaignId } = await getRelation(sandbox);
    await studio.tree.click(leads);
    await studio.openedEditor(/\.relation\.json$/);
    const columns = relation.columns?.map((end) =>
      end.column === campaignId ? { ...end, column: leadId } : end,
    );
    await replaceEditorText(studio, JSON.stringify({ ...relation, columns }));
    await waitForDirtyState(studio, true);
    await pressSave(studio);
    await waitForDirtyState(studio, false);
    assert.ok(endsWith((await getRelation(sandbox)).relation, leadId), 'the relation is changed');
    await deleteFromTree(studio, leads);
    await undoDeletion(studio, 'Leads – Campaigns');
    await studio.treeItem(leads);

    const before = await fetchDatamodel(sandbox, 'Marketing');
    await deleteFromTree(studio, marketing, 'palette');
    // Without undo: the history has the snapshot, regardless of later changes.
    await studio.runCommand('Datamodel Studio: Restore…');
    await studio.quickPick('Deleted Marketing');
    await studio.dialogAction('Bring Back');
    await studio.treeItem(leads);
    const after = await fetchDatamodel(sandbox, 'Marketing');
    assert.deepEqual(
      getDatamodelTables(after).map(({ name }) => name),
      getDatamodelTables(before).map(({ name }) => name),
    );
    assert.equal(after.relations?.length, before.relations?.length);
    await studio.screenshot('everything-back');
  },
);

journey(
  'tables, columns, datasets and rules are created, deleted and restored',
  async ({ studio, sandbox }) => {
    await studio.openView();

    await studio.contextMenu([...retail, 'Custom Tables'], 'New Custom Table…');
    await studio.inputBox('Open Orders');
    await studio.inputBox("SELECT [Order Id] FROM [Orders] WHERE [Status] = 'Open'");
    // The input was SQL, so the SQL document opens.
    await studio.openedEditor('Open Orders.datamodel.sql');
    await studio.statusBar('Ln 1, Col 56');
    const table: TreeItemPath = [...retail, 'Custom Tables', 'Open Orders'];
    await deleteFromTree(studio, table);
    await undoDeletion(studio, 'Open Orders');
    await studio.treeItem(table);

    await studio.contextMenu(orders, 'New Custom Column…');
    await studio.inputBox('Order Year');
    await studio.quickPick('Integer');
    await studio.inputBox('GETYEAR([Order Date])');
    const column: TreeItemPath = [...orders, 'Order Year'];
    await studio.treeItem(column);
    await deleteFromTree(studio, column);
    await undoDeletion(studio, 'Order Year');
    await studio.treeItem(column);

    const rules = await getRules(sandbox, 'Region');
    const rule: TreeItemPath = [...retail, 'Data Security', 'Regions.Region', 'Sales North'];
    await deleteFromTree(studio, rule);
    assert.equal((await getRules(sandbox, 'Region')).length, rules.length - 1);
    await studio.runCommand('Datamodel Studio: Undo Last Change');
    await studio.dialogAction('Bring Back');
    await studio.treeItem(rule);
    assert.deepEqual(await getRules(sandbox, 'Region'), rules);

    const columns = await getColumns(sandbox, 'Marketing');
    const dataset: TreeItemPath = ['Sandbox', 'Datamodels', 'Marketing', 'Campaigns'];
    await deleteFromTree(studio, dataset);
    await undoDeletion(studio, 'Campaigns');
    await studio.treeItem([...dataset, 'Leads']);
    assert.deepEqual(await getColumns(sandbox, 'Marketing'), columns);
    await studio.screenshot('every-table-back');
  },
);
