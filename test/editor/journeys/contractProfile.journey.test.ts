import assert from 'node:assert/strict';
import type { Rule } from '../../../src/contract/rule.ts';
import { expressionText } from '../../../src/contract/table.ts';
import { rulesOfRetail, tableOf } from '../support/demo.ts';
import { applyPlan, openMatrix, said, shows, type } from '../support/matrixPage.ts';
import { type TestSandbox, openSandbox } from '../support/sandbox.ts';
import { isDirty, replaceText, save } from '../support/savedState.ts';
import { sharedStudio } from '../support/sharedStudio.ts';
import type { Studio } from '../support/studio.ts';
import { openViewpoint, settings, viewpointOf, withDescription } from '../support/viewpointDocument.ts';

const journey = sharedStudio(async (owned) => {
  const sandbox = owned.use(await openSandbox({ profile: 'contract' }));
  return { sandbox, options: { env: sandbox.env, settings } };
});

const retail = ['Sandbox', 'Datamodels', 'Retail'] as const;
const extractRules = '/api/elasticubes/LocalHost/Retail/datasecurity';
const liveRules = '/api/v1/elasticubes/live/Support%20Desk/datasecurity';

/** Gives the open document another text and saves it. */
async function saveText(studio: Studio, document: unknown): Promise<void> {
  await replaceText(studio, JSON.stringify(document));
  await isDirty(studio, true);
  await save(studio);
  await isDirty(studio, false);
}

/** The rule of a column that lists values, as the sandbox has it. */
async function listingRule(
  sandbox: TestSandbox,
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
  'a platform as the published contract has it is browsed and built, and its documents are saved and taken back',
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
    await isDirty(studio, true);
    await save(studio);
    await isDirty(studio, false);
    const value = await tableOf(sandbox, 'Retail', 'Customer Value');
    assert.match(expressionText(value.table.expression) ?? '', /-- looked at/);

    await studio.contextMenu([...retail, 'Sales', 'Orders'], 'Open as JSON');
    await studio.openedEditor('Orders.table.json');
    await studio.editorShows(/"Order.Id"/);
    const { table } = await tableOf(sandbox, 'Retail', 'Orders');
    await saveText(studio, { ...table, description: 'By a journey' });
    assert.equal((await tableOf(sandbox, 'Retail', 'Orders')).table.description, 'By a journey');

    await studio.tree.click(['Sandbox', 'Custom Data', /app: status-tags, model: Retail/]);
    await studio.openedEditor(/\.custom-data\.json$/);
    await studio.editorShows(/"certified"/);
    const query = `/api/v1/custom_data/query?query=${encodeURIComponent('{"app":"status-tags","model":"Retail"}')}`;
    const [tags] = (await sandbox.request('GET', query)) as readonly Readonly<Record<string, unknown>>[];
    await saveText(studio, { ...tags, by: 'journey' });
    const [changed] = (await sandbox.request('GET', query)) as readonly Readonly<Record<string, unknown>>[];
    assert.equal(changed?.['by'], 'journey');

    await openViewpoint(studio);
    const before = (await viewpointOf(sandbox)).description;
    await replaceText(studio, await withDescription(sandbox, 'By a journey'));
    await isDirty(studio, true);
    await save(studio);
    await isDirty(studio, false);
    assert.equal((await viewpointOf(sandbox)).description, 'By a journey');
    await studio.runCommand('Datamodel Studio: Undo Last Change');
    await studio.statusBar(/Taken back: /);
    assert.equal((await viewpointOf(sandbox)).description, before);
  },
);

journey(
  'rules of both kinds are edited where a rule with the same shares is overwritten, and taken back',
  async ({ studio, sandbox }) => {
    await studio.openView();
    const count = (await rulesOfRetail(sandbox)).length;
    await studio.tree.click([...retail, 'Data Security', 'Regions.Region', 'Sales North']);
    await studio.openedEditor(/\.rule\.json$/);
    await studio.editorShows(/"Nordics"/);
    const rule = await listingRule(sandbox, extractRules, 'Region', 'Nordics');
    await saveText(studio, { ...rule, members: ['North', 'Alps'] });
    const edited = await said(sandbox, extractRules, 'Regions.Region');
    assert.ok(edited.includes('Sales North: North; Alps'), edited.join('\n'));
    await studio.runCommand('Datamodel Studio: Undo Last Change');
    await studio.statusBar(/Taken back: /);
    const undone = await said(sandbox, extractRules, 'Regions.Region');
    assert.ok(undone.includes('Sales North: North; Nordics'), undone.join('\n'));
    assert.equal((await rulesOfRetail(sandbox)).length, count);

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

    await openMatrix(studio, 'Retail');
    await shows(studio, 'Sales South', 'Regions.Region', /South; Alps/);
    await type(studio, 'Sales South', 'Regions.Region', 'South');
    await applyPlan(studio);
    await studio.webview().getByText('The rules of the server say what the grid says.').waitFor();
    const regions = await said(sandbox, extractRules, 'Regions.Region');
    assert.ok(regions.includes('Sales South: South'), regions.join('\n'));
    assert.equal((await rulesOfRetail(sandbox)).length, count);
  },
);
