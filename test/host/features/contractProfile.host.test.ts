import assert from 'node:assert/strict';
import type * as vscode from 'vscode';
import type { Rule } from '../../../src/contract/rule.ts';
import { getExpressionText } from '../../../src/contract/table.ts';
import {
  type RuleMatrix,
  createRuleMatrix,
  getCellKey,
  getMatrixColumnKey,
} from '../../../src/security/matrix/ruleMatrix.ts';
import type { MatrixPageMessage } from '../../../src/webviews/protocol/ruleMatrix.ts';
import { fetchRetailRules, fetchTable } from '../../editor/support/demo.ts';
import type { JourneySandbox } from '../../editor/support/journeySandbox.ts';
import { readColumnRules } from '../../editor/support/matrixPage.ts';
import {
  demoViewpointName,
  fetchViewpoint,
  textEditorSettings,
} from '../../editor/support/viewpointDocument.ts';
import { useFaults } from '../support/faults.ts';
import { createTestDatamodel } from '../support/testDatamodel.ts';
import type { HostStudio } from '../support/studio.ts';
import { confirmPlan, saveAfterReview, undoLastChange, waitForPlan } from '../support/plans.ts';
import { TestProject } from '../support/projects.ts';
import { describeStudio, startHostSandbox } from '../support/suite.ts';
import { waitFor } from '../support/waiting.ts';

const retail = ['Sandbox', 'Datamodels', 'Retail'] as const;
const extractRules = '/api/elasticubes/LocalHost/Retail/datasecurity';
const liveRules = '/api/v1/elasticubes/live/Support%20Desk/datasecurity';

/** Saves the active document, and waits until the instance has it. */
async function save(studio: HostStudio, document: vscode.TextDocument): Promise<void> {
  assert.ok(document.isDirty, 'there is something to save');
  await studio.runCommand('File: Save');
  await waitFor(
    () => !document.isDirty,
    () => `${document.uri.path} is not saved: ${studio.messages.history.join(' | ')}`,
  );
}

const saveJson = async (studio: HostStudio, value: unknown): Promise<void> =>
  save(studio, await studio.replaceText(JSON.stringify(value)));

async function undo(studio: HostStudio): Promise<void> {
  await undoLastChange(studio);
  await studio.waitForStatusBarItem(/Undone: /);
}

/** The rule of a column that lists a value, as stored in the sandbox. */
async function fetchRuleWithMember(
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

/** The row of a party in the matrix, by the name in the rules. */
function findParty(rules: readonly Rule[], matrix: RuleMatrix, name: string): RuleMatrix['parties'][number] {
  const share = rules.flatMap(({ shares }) => shares ?? []).find((candidate) => candidate.partyName === name);
  const id = share?.partyId ?? share?.party;
  const party = matrix.parties.find((candidate) => candidate.id === id);
  assert.ok(party, `The rules name ${name}`);
  return party;
}

describeStudio(
  'a platform that follows the published contract',
  async (disposables) => {
    const sandbox = disposables.use(await startHostSandbox({ profile: 'contract' }));
    return { sandbox, options: { env: sandbox.env, settings: textEditorSettings } };
  },
  (test) => {
    test('is browsed and built', async ({ studio }) => {
      await studio.findTreeItem([...retail, 'Custom Tables', 'Customer Value']);
      await studio.findTreeItem([...retail, 'Sales', 'Orders']);
      await studio.findTreeItem([...retail, 'Relations', /Orders.*Customers|Customers.*Orders/]);
      await studio.chooseFromContextMenu(retail, 'Build', 'More Options…');
      await studio.selectQuickPick('Replace All');
      await studio.waitForStatusBarItem(/Retail built in/);
    });

    test('a failed build has no reason, but leads to SQL with errors', async ({ studio, sandbox }) => {
      const tables = { Items: { Label: 'text' } } as const;
      await createTestDatamodel(sandbox, 'Broken', tables, { Labels: 'SELECT [Lable] FROM [Items]' });
      await studio.chooseFromContextMenu('Sandbox', 'Refresh');
      await using _ = await useFaults(sandbox, { kind: 'failingBuilds' });
      await studio.chooseFromContextMenu(['Sandbox', 'Datamodels', 'Broken'], 'Build', 'Replace All');
      await studio.clickNotificationAction(
        /^Build of Broken failed: the server reported no reason \(see .* in the web interface\)\. The SQL of Labels has errors\.$/,
        'Open SQL',
      );
      await studio.waitForEditor('Labels.datamodel.sql');
    });

    test('an expression is saved', async ({ studio, sandbox }) => {
      await studio.chooseFromContextMenu([...retail, 'Custom Tables', 'Customer Value'], 'Open SQL');
      await studio.waitForEditor('Customer Value.datamodel.sql');
      const { document } = await studio.waitForEditorText(/SELECT/i);
      await save(studio, await studio.replaceText(`${document.getText()}\n-- looked at`));
      const { table } = await fetchTable(sandbox, 'Retail', 'Customer Value');
      assert.match(getExpressionText(table.expression) ?? '', /\n-- looked at$/);
    });

    test('a table is saved as JSON', async ({ studio, sandbox }) => {
      await studio.chooseFromContextMenu([...retail, 'Sales', 'Orders'], 'Open as JSON');
      await studio.waitForEditor('Orders.table.json');
      await studio.waitForEditorText(/"Order.Id"/);
      const { table } = await fetchTable(sandbox, 'Retail', 'Orders');
      await saveJson(studio, { ...table, description: 'By a test' });
      assert.equal((await fetchTable(sandbox, 'Retail', 'Orders')).table.description, 'By a test');
    });

    test('custom data is saved', async ({ studio, sandbox }) => {
      const query = encodeURIComponent('{"app":"status-tags","model":"Retail"}');
      const path = `/api/v1/custom_data/query?query=${query}`;
      const fetchTags = async () =>
        ((await sandbox.request('GET', path)) as readonly Readonly<Record<string, unknown>>[])[0];
      await studio.tree.click(['Sandbox', 'Custom Data', /app: status-tags, model: Retail/]);
      await studio.waitForEditor(/\.custom-data\.json$/);
      await studio.waitForEditorText(/"certified"/);
      await saveJson(studio, { ...(await fetchTags()), by: 'a test' });
      assert.equal((await fetchTags())?.['by'], 'a test');
    });

    test('a viewpoint is saved and undone', async ({ studio, sandbox }) => {
      await studio.tree.click(['Sandbox', 'Viewpoints', demoViewpointName]);
      await studio.waitForEditor(`${demoViewpointName}.viewpoint.json`);
      await studio.waitForEditorText(/"description"/);
      const viewpoint = await fetchViewpoint(sandbox);
      await saveJson(studio, { ...viewpoint, description: 'By a test' });
      assert.equal((await fetchViewpoint(sandbox)).description, 'By a test');
      await undo(studio);
      assert.equal((await fetchViewpoint(sandbox)).description, viewpoint.description);
    });

    // On this platform, adding a rule overwrites another rule on the same column that has the same shares.
    test('editing a rule and undoing the edit overwrite no other rule', async ({ studio, sandbox }) => {
      const { length } = await fetchRetailRules(sandbox);
      await studio.tree.click([...retail, 'Data Security', 'Regions.Region', 'Sales North']);
      await studio.waitForEditor(/\.rule\.json$/);
      await studio.waitForEditorText(/"Nordics"/);
      const rule = await fetchRuleWithMember(sandbox, extractRules, 'Region', 'Nordics');
      await saveAfterReview(
        studio,
        await studio.replaceText(JSON.stringify({ ...rule, members: ['North', 'Alps'] })),
      );
      const edited = await readColumnRules(sandbox, extractRules, 'Regions.Region');
      assert.ok(edited.includes('Sales North: North; Alps'), edited.join('\n'));
      await undo(studio);
      const undone = await readColumnRules(sandbox, extractRules, 'Regions.Region');
      assert.ok(undone.includes('Sales North: North; Nordics'), undone.join('\n'));
      assert.equal((await fetchRetailRules(sandbox)).length, length);
    });

    test('a rule of a live datamodel is edited', async ({ studio, sandbox }) => {
      const desk = ['Sandbox', 'Datamodels', 'Support Desk'] as const;
      await studio.tree.click([...desk, 'Data Security', 'Agents.Team', /liam/]);
      await studio.waitForEditor(/\.rule\.json$/);
      await studio.waitForEditorText(/"First.Line"/);
      const rule = await fetchRuleWithMember(sandbox, liveRules, 'Team', 'First Line');
      await saveAfterReview(
        studio,
        await studio.replaceText(JSON.stringify({ ...rule, members: ['First Line', 'Second Line'] })),
      );
      const { members } = await fetchRuleWithMember(sandbox, liveRules, 'Team', 'First Line');
      assert.deepEqual(members, ['First Line', 'Second Line']);
    });

    test('a cell of the rule matrix is applied', async ({ studio, sandbox }) => {
      const rules = await fetchRetailRules(sandbox);
      const matrix = createRuleMatrix(rules);
      const party = findParty(rules, matrix, 'Sales South');
      const column = { table: 'Regions', column: 'Region', datatype: 'text' } as const;
      const cell = matrix.cells.get(getCellKey(party.key, getMatrixColumnKey(column.table, column.column)));
      assert.deepEqual(cell?.value, [{ kind: 'only', values: new Set(['Alps', 'South']) }]);
      await studio.chooseFromContextMenu(retail, 'Data Security', 'Edit Rules in Grid…');
      const page = await studio.findPage('datamodelStudio.ruleMatrix', 'Rules: Retail');
      await page.waitForMessage('data');
      const { type, id } = party;
      const value = [{ kind: 'only' as const, values: ['South'] }];
      page.post({
        type: 'apply',
        cells: [
          { party: { type, ...(id === undefined ? {} : { id }) }, column, value, was: cell.canonicalKey },
        ],
      } satisfies MatrixPageMessage);
      const plan = await studio.findPage('datamodelStudio.plan');
      await plan.waitForMessage('plan');
      plan.post({ type: 'apply' });
      await page.waitForMessage(
        'outcome',
        ({ outcome }: { readonly outcome?: string } & { type: string }) => outcome === 'applied',
      );
      const regions = await readColumnRules(sandbox, extractRules, 'Regions.Region');
      assert.ok(regions.includes('Sales South: South'), regions.join('\n'));
      assert.equal((await fetchRetailRules(sandbox)).length, rules.length);
    });

    test('the result of an apply says to apply again for relations that can be created before the next build', async ({
      studio,
    }) => {
      await using project = await TestProject.createInWorkspace(
        'analytics',
        '{"version": 1, "manage": {"datamodels": ["Retail"], "viewpoints": []}}',
      );
      await studio.runCommand('Datamodel Studio: Pull into Folder…');
      await studio.selectQuickPick('analytics');
      (await studio.waitForNotification(/^Pulled Sandbox into analytics /)).answer(undefined);
      await project.write(
        'datamodels/Retail/tables/Statuses.table.json',
        '{"name": "Statuses", "type": "custom", "dataset": "Custom Tables", "expression": {"$file": "Statuses.datamodel.sql"}, "columns": [{"name": "Order Id"}]}',
      );
      await project.write(
        'datamodels/Retail/tables/Statuses.datamodel.sql',
        'SELECT [Order Id] FROM Orders\n',
      );
      await project.write(
        'datamodels/Retail/relations/Statuses.relation.json',
        '{"columns": [{"table": "Orders", "column": "Order Id"}, {"table": "Statuses", "column": "Order Id"}]}',
      );
      void studio.runCommand('Datamodel Studio: Apply Project…');
      const { page } = await waitForPlan(studio, 'Apply analytics to Sandbox');
      const { summary, sections } = await confirmPlan(page);
      assert.match(summary, / Apply again before you build: /);
      assert.ok(!sections.some((section) => section.title === 'Next steps'), JSON.stringify(sections));
    });
  },
);
