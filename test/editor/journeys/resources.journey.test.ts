import assert from 'node:assert/strict';
import { fetchDatamodel, fetchRetailRules, fetchTable, getDatamodelTables } from '../support/demo.ts';
import { type JourneySandbox, startJourneySandbox } from '../support/journeySandbox.ts';
import { createSharedStudio } from '../support/sharedStudio.ts';
import type { Studio } from '../support/studio.ts';

const journey = createSharedStudio(async (owned) => {
  const sandbox = owned.use(await startJourneySandbox());
  return { sandbox, options: { env: sandbox.env } };
});

journey('a datamodel is created from scratch, down to its relations', async ({ studio, sandbox }) => {
  await studio.openView();
  // With nothing selected, each prompt names its purpose; an empty filter is refused instead of matching everything.
  await studio.runCommand('Datamodel Studio: New Rule…');
  await studio.quickInput.title('New Rule');
  await studio.quickInput.shows('Marketing');
  await studio.quickInput.cancel();
  await studio.runCommand('Datamodel Studio: Change Matching Custom Data…');
  await studio.quickInput.title('Change Custom Data');
  await studio.quickInput.message('Filter: which objects?');
  await studio.page.keyboard.press('Enter');
  await studio.quickInput.message('This is no JSON object.');
  await studio.quickInput.cancel();

  await studio.contextMenu(['Sandbox', 'Datamodels'], 'New Datamodel…');
  await studio.inputBox('Retail');
  await studio.quickInput.message('Retail is in use already.');
  await studio.inputBox('Stock');
  await studio.quickPick('Extract');
  await studio.treeItem('Stock');

  // Empty nodes offer the next step.
  await studio.tree.click(['Stock', 'No datasets yet']);
  await studio.quickInput.shows('Tables of a source');
  await studio.screenshot('explorer-empty-datamodel');
  await studio.quickInput.cancel();

  await studio.contextMenu('Stock', 'New', 'New Dataset…');
  await studio.quickPick('Tables of a source');
  await studio.inputBox('Files');
  await studio.quickPick('CSV files');
  await studio.inputBox('data/items.csv, data/shelves.csv');
  // The new resource is revealed, so no one has to search for it.
  await studio.contextMenu('Files', 'New Table…');
  await studio.inputBox('items.csv');
  await studio.inputBox('Items');
  await studio.inputBox('Item Id');
  await studio.quickInput.message('The last word of Item Id is no type: use integer, text, date or another.');
  await studio.inputBox('Item Id integer, Name text, Shelf Id integer');
  // A menu that is open when the document appears would close.
  await studio.openedEditor('Items.table.json');
  await studio.contextMenu('Files', 'New Table…');
  await studio.inputBox('shelves.csv');
  await studio.inputBox('Shelves');
  await studio.inputBox('Shelf Id integer, Aisle text');

  await studio.openedEditor('Shelves.table.json');
  await studio.contextMenu('Stock', 'New', 'New Relation…');
  await studio.quickInput.pick('Shelf Id');
  await studio.quickInput.pick('Shelf Id');
  await studio.screenshot('new-relation');
  await studio.quickInput.pick(/Create the relation/);
  await studio.treeItem('Items – Shelves');

  const made = await fetchDatamodel(sandbox, 'Stock');
  assert.deepEqual(
    getDatamodelTables(made).map(({ name }) => name),
    ['Items', 'Shelves'],
  );
  assert.equal(made.relations?.[0]?.columns?.length, 2);
});

journey(
  'tables are hidden and copied, rules are added, and the effects of a deletion are shown',
  async ({ studio, sandbox }) => {
    await studio.openView();
    await hidesAndCopiesTables(studio, sandbox);
    await addsAndCopiesRules(studio, sandbox);
    await showsWhatADeletionBreaks(studio, sandbox);
  },
);

async function hidesAndCopiesTables(studio: Studio, sandbox: JourneySandbox): Promise<void> {
  const returns = async () => (await fetchTable(sandbox, 'Retail', 'Returns')).table;
  await studio.contextMenu(['Sandbox', 'Datamodels', 'Retail', 'Sales', 'Returns'], 'Hide');
  const row = await studio.treeItem(['Retail', 'Sales', 'Returns']);
  await row.filter({ hasText: 'hidden' }).waitFor();
  assert.equal((await returns()).hidden, true);
  await studio.contextMenu(['Retail', 'Sales', 'Returns'], 'Unhide');
  await row.filter({ hasNotText: 'hidden' }).waitFor();

  await studio.contextMenu(['Retail', 'Sales', 'Returns'], 'Build Settings…');
  await studio.quickPick('Incremental…');
  await studio.quickPick('Return Date');
  await studio.inputBox('3');
  await studio.inputBox('soon');
  await studio.quickInput.message('Enter a whole number of days, or nothing.');
  await studio.inputBox('');
  await studio.notificationGone(/failed/);

  await studio.contextMenu(['Retail', 'Custom Tables', 'Store Ranking'], 'Duplicate…');
  await studio.inputBox('Store Ranking');
  await studio.quickInput.message('Store Ranking is in use already.');
  await studio.inputBox('Ranking of Stores');
  await studio.treeItem('Ranking of Stores');
  const behavior = (await returns()).buildBehavior;
  assert.equal(behavior?.type, 'accumulativeSync');
}

async function addsAndCopiesRules(studio: Studio, sandbox: JourneySandbox): Promise<void> {
  await studio.contextMenu(['Sandbox', 'Datamodels', 'Retail', 'Data Security'], 'New Rule…');
  await studio.quickPick('Categories.Category');
  await studio.quickPick(/A group/);
  await studio.quickInput.title(/2\/4/);
  await studio.quickPick('Sales');
  await studio.quickPick('Only certain values…');
  await studio.inputBox('Bikes, Helmets');
  await studio.page.locator('.tab.active', { hasText: '.rule.json' }).waitFor();
  const rules = await fetchRetailRules(sandbox);
  const added = rules.find(({ column, members }) => column === 'Category' && members?.includes('Helmets'));
  assert.deepEqual(added?.members, ['Bikes', 'Helmets']);
  assert.equal(added?.allMembers, null);

  // Started from a column, so the column isn't asked for; a column that can't have a rule gives the reason.
  const masterData = ['Sandbox', 'Datamodels', 'Retail', 'Master Data'];
  await studio.contextMenu([...masterData, 'Categories', 'Category'], 'New Rule…');
  await studio.quickInput.title('New Rule on Categories.Category');
  await studio.quickInput.cancel();
  await studio.contextMenu([...masterData, 'Stores', 'Opened On'], 'New Rule…');
  await studio.notification('Stores.Opened On cannot carry a rule');

  await studio.contextMenu(['Retail', 'Data Security', 'Categories.Category', 'Sales'], 'Duplicate…');
  await studio.quickPick(/A user/);
  // Users and groups of the instance are offered by name, and a typed name is resolved to an ID.
  await studio.quickInput.shows('liam.doyle@sandbox.local');
  await studio.screenshot('rule-party');
  await studio.page.keyboard.type('ines.moreau@sandbox.local');
  await studio.quickPick(/ines\.moreau@sandbox\.local/);
  await studio.treeItem(['Categories.Category', 'ines.moreau@sandbox.local']);
  await studio.contextMenu('ines.moreau@sandbox.local', 'Delete…');
  await studio.webview().getByRole('button', { name: 'Apply' }).click();
  await studio.statusBar(/Done: Delete /);
  await studio.treeItemGone(['Categories.Category', 'ines.moreau@sandbox.local']);
}

async function showsWhatADeletionBreaks(studio: Studio, sandbox: JourneySandbox): Promise<void> {
  await studio.contextMenu(['Sandbox', 'Datamodels', 'Retail', 'Master Data', 'Customers'], 'Delete…');
  const page = studio.webview();
  await page.getByRole('heading', { name: 'Delete Customers' }).waitFor();
  for (const theme of ['light', 'dark', 'hc'] as const) {
    await studio.setTheme(theme);
    await studio.screenshot(`plan-${theme}`);
  }
  await page.getByRole('button', { name: 'Cancel' }).focus();
  await studio.page.keyboard.press('Escape');
  await page.getByRole('heading', { name: 'Delete Customers' }).waitFor({ state: 'hidden' });
  const names = getDatamodelTables(await fetchDatamodel(sandbox, 'Retail')).map(({ name }) => name);
  assert.ok(names.includes('Customers'), 'nothing was deleted');

  await studio.contextMenu(['Retail', 'Master Data', 'Customers'], 'Delete…');
  await page.getByRole('button', { name: 'Apply Anyway' }).click();
  await studio.treeItemGone(['Retail', 'Master Data', 'Customers']);
}
