import assert from 'node:assert/strict';
import type { Rule } from '../../../src/contract/rule.ts';
import { getExpressionText } from '../../../src/contract/table.ts';
import { fetchRetailRules, fetchTable } from '../support/demo.ts';
import {
  applyShownPlan,
  openMatrixPage,
  readColumnRules,
  waitForCellText,
  typeIntoCell,
} from '../support/matrixPage.ts';
import { type JourneySandbox, startJourneySandbox } from '../support/journeySandbox.ts';
import { waitForDirtyState, replaceEditorText, pressSave } from '../support/editorState.ts';
import { createSharedStudio } from '../support/sharedStudio.ts';
import type { Studio } from '../support/studio.ts';
import {
  openViewpointAsText,
  textEditorSettings,
  fetchViewpoint,
  getDescribedText,
} from '../support/viewpointDocument.ts';

const journey = createSharedStudio(async (owned) => {
  const sandbox = owned.use(await startJourneySandbox({ profile: 'contract' }));
  return { sandbox, options: { env: sandbox.env, settings: textEditorSettings } };
});

const retail = ['Sandbox', 'Datamodels', 'Retail'] as const;
const extractRules = '/api/elasticubes/LocalHost/Retail/datasecurity';
const liveRules = '/api/v1/elasticubes/live/Support%20Desk/datasecurity';

/** Replaces the text of the open document and saves it. */
async function saveText(studio: Studio, document: unknown): Promise<void> {
  await replaceEditorText(studio, JSON.stringify(document));
  await waitForDirtyState(studio, true);
  await pressSave(studio);
  await waitForDirtyState(studio, false);
}

/** The rule of a column that lists values, as stored in the sandbox. */
async function listingRule(
  sandbox: JourneySandbox,
  path: string,
  column: string,
  member: string,
): Promise<Rule> {
  const rules = (await sandbox.request('GET', path)) as readonly Rule[];
  const found = rules.find((rule) => rule.column === column && rule.members?.includes(member));
  assert.ok(found, `A rule on ${column} lists ${member}`);
  return found;
}

journey(
  'a platform that follows the published contract is browsed and built, and its documents are saved and undone',
  async ({ studio, sandbox }) => {
    await studio.openView();
    await studio.treeItem([...retail, 'Custom Tables', 'Customer Value']);
    await studio.treeItem([...retail, 'Sales', 'Orders']);
    await studio.treeItem([...retail, 'Relations', /Orders.*Customers|Customers.*Orders/]);
    await studio.contextMenu(retail, 'Build…');
    await studio.quickPick('Full');
    await studio.statusBar(/Retail built in/, 60_000);

    await studio.contextMenu([...retail, 'Custom Tables', 'Customer Value'], 'Open SQL Expression');
    await studio.openedEditor('Customer Value.datamodel.sql');
    await (await studio.editorShows(/SELECT/i)).click();
    await studio.page.keyboard.press('Control+End');
    await studio.page.keyboard.insertText('\n-- looked at');
    await waitForDirtyState(studio, true);
    await pressSave(studio);
    await waitForDirtyState(studio, false);
    const value = await fetchTable(sandbox, 'Retail', 'Customer Value');
    assert.match(getExpressionText(value.table.expression) ?? '', /-- looked at/);

    await studio.contextMenu([...retail, 'Sales', 'Orders'], 'Open as JSON');
    await studio.openedEditor('Orders.table.json');
    await studio.editorShows(/"Order.Id"/);
    const { table } = await fetchTable(sandbox, 'Retail', 'Orders');
    await saveText(studio, { ...table, description: 'By a journey' });
    assert.equal((await fetchTable(sandbox, 'Retail', 'Orders')).table.description, 'By a journey');

    await studio.tree.click(['Sandbox', 'Custom Data', /app: status-tags, model: Retail/]);
    await studio.openedEditor(/\.custom-data\.json$/);
    await studio.editorShows(/"certified"/);
    const query = `/api/v1/custom_data/query?query=${encodeURIComponent('{"app":"status-tags","model":"Retail"}')}`;
    const [tags] = (await sandbox.request('GET', query)) as readonly Readonly<Record<string, unknown>>[];
    await saveText(studio, { ...tags, by: 'journey' });
    const [changed] = (await sandbox.request('GET', query)) as readonly Readonly<Record<string, unknown>>[];
    assert.equal(changed?.['by'], 'journey');

    await openViewpointAsText(studio);
    const before = (await fetchViewpoint(sandbox)).description;
    await replaceEditorText(studio, await getDescribedText(sandbox, 'By a journey'));
    await waitForDirtyState(studio, true);
    await pressSave(studio);
    await waitForDirtyState(studio, false);
    assert.equal((await fetchViewpoint(sandbox)).description, 'By a journey');
    await studio.runCommand('Datamodel Studio: Undo Last Change');
    await studio.statusBar(/Undone: /);
    assert.equal((await fetchViewpoint(sandbox)).description, before);
  },
);

journey(
  'rules of both kinds are edited and undone where a rule with the same shares is overwritten',
  async ({ studio, sandbox }) => {
    await studio.openView();
    const count = (await fetchRetailRules(sandbox)).length;
    await studio.tree.click([...retail, 'Data Security', 'Regions.Region', 'Sales North']);
    await studio.openedEditor(/\.rule\.json$/);
    await studio.editorShows(/"Nordics"/);
    const rule = await listingRule(sandbox, extractRules, 'Region', 'Nordics');
    await saveText(studio, { ...rule, members: ['North', 'Alps'] });
    const edited = await readColumnRules(sandbox, extractRules, 'Regions.Region');
    assert.ok(edited.includes('Sales North: North; Alps'), edited.join('\n'));
    await studio.runCommand('Datamodel Studio: Undo Last Change');
    await studio.statusBar(/Undone: /);
    const undone = await readColumnRules(sandbox, extractRules, 'Regions.Region');
    assert.ok(undone.includes('Sales North: North; Nordics'), undone.join('\n'));
    assert.equal((await fetchRetailRules(sandbox)).length, count);

    await studio.tree.click([
      'Sandbox',
      'Datamodels',
      'Support Desk',
      'Data Security',
      'Agents.Team',
      /liam/,
    ]);
    await studio.openedEditor(/\.rule\.json$/);
    await studio.editorShows(/"First.Line"/);
    const live = await listingRule(sandbox, liveRules, 'Team', 'First Line');
    await saveText(studio, { ...live, members: ['First Line', 'Second Line'] });
    const { members } = await listingRule(sandbox, liveRules, 'Team', 'First Line');
    assert.deepEqual(members, ['First Line', 'Second Line']);

    await openMatrixPage(studio, 'Retail');
    await waitForCellText(studio, 'Sales South', 'Regions.Region', /South; Alps/);
    await typeIntoCell(studio, 'Sales South', 'Regions.Region', 'South');
    await applyShownPlan(studio);
    await studio.webview().getByText('The rules of the server say what the grid says.').waitFor();
    const regions = await readColumnRules(sandbox, extractRules, 'Regions.Region');
    assert.ok(regions.includes('Sales South: South'), regions.join('\n'));
    assert.equal((await fetchRetailRules(sandbox)).length, count);
  },
);
