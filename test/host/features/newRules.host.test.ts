import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { Rule } from '../../../src/contract/rule.ts';
import { fetchRetailRules } from '../../editor/support/demo.ts';
import type { JourneySandbox } from '../../editor/support/journeySandbox.ts';
import type { RuleSetFormEdit } from '../../../src/security/form/ruleEdit.ts';
import type { RuleQuestion } from '../../../src/webviews/protocol/formQuestions.ts';
import { HostedForm } from '../support/hostedForm.ts';
import { applyPlan, cancelPlan, getSectionTexts, waitForPlan } from '../support/plans.ts';
import { backUpRules, readColumnRules, retailRulesPath } from '../support/rules.ts';
import type { HostStudio } from '../support/studio.ts';
import { describeStudio, startHostSandbox } from '../support/suite.ts';
import { waitFor } from '../support/waiting.ts';

const retail = ['Sandbox', 'Datamodels', 'Retail'] as const;
const security = [...retail, 'Data Security'] as const;
const masterData = [...retail, 'Master Data'] as const;
const category = 'Categories.Category';

type RuleForm = HostedForm<RuleSetFormEdit, RuleQuestion>;

const waitForForm = (studio: HostStudio, title: string): Promise<RuleForm> =>
  HostedForm.fromActiveTab(studio, 'datamodelStudio.ruleForm', title);

/** Waits for the form of a new rule. VS Code ignores a save until it shows the unsaved document in the tab. */
async function waitForNewRule(studio: HostStudio): Promise<RuleForm> {
  const form = await waitForForm(studio, 'New Rule.rule.json');
  await waitFor(
    () => vscode.window.tabGroups.activeTabGroup.activeTab?.isDirty,
    () => 'The tab of the new rule has no unsaved changes',
  );
  return form;
}

const waitForText = ({ document }: RuleForm, text: RegExp): Promise<true> =>
  waitFor(
    () => text.test(document.getText()) || undefined,
    () => `The text is ${document.getText()}`,
  );

/**
 * Applies the reviewed creation and waits until the created rule's document is in front: it opens last, and would
 * otherwise take the place of what the next test opens.
 */
async function applyCreation(
  studio: HostStudio,
  column: string,
  rules: 'a rule' | 'rules' = 'a rule',
): Promise<void> {
  await applyPlan(studio, `Create ${rules} on ${column}`);
  await studio.waitForEditor(`${column}.rule.json`);
}

/** Adds a user or group with the button of the form. */
async function addParty(
  studio: HostStudio,
  form: RuleForm,
  kind: 'Group…' | 'User…',
  name: string,
): Promise<void> {
  form.ask({ kind: 'parties', rule: 0 });
  await studio.selectQuickPick(kind);
  await studio.selectQuickPick(name);
  await waitForText(form, /"(group|user)"/);
}

async function setMembers(
  form: RuleForm,
  value: 'only' | 'except',
  values: readonly string[],
): Promise<void> {
  await form.edit({ kind: 'rule', rule: 0, edit: { kind: 'ruleKind', value } });
  await form.edit({ kind: 'rule', rule: 0, edit: { kind: 'members', values } });
}

const getTabLabels = (): readonly string[] =>
  vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs.map(({ label }) => label));

const readCategoryRules = (sandbox: JourneySandbox): Promise<readonly string[]> =>
  readColumnRules(sandbox, retailRulesPath, category);

describeStudio(
  'new rules',
  async (disposables) => {
    const sandbox = disposables.use(await startHostSandbox());
    return { sandbox, options: { env: sandbox.env, settings: { 'files.autoSave': 'off' } } };
  },
  (test) => {
    test('a rule is created in an unsaved form, reviewed when it is saved, and then opened as a document', async ({
      studio,
      sandbox,
    }) => {
      await using _rules = await backUpRules(sandbox);
      await studio.chooseFromContextMenu(security, 'New Rule…');
      await studio.quickInput.waitForTitle('New Rule in Retail');
      await studio.selectQuickPick(category);
      const form = await waitForNewRule(studio);
      assert.equal(form.document.isDirty, true, 'closing it asks whether to save');
      assert.equal(vscode.window.tabGroups.activeTabGroup.activeTab?.label, 'New Rule.rule.json');
      await form.waitForTables();
      assert.equal(studio.quickInput.current, undefined, 'there is no further prompt');
      await addParty(studio, form, 'Group…', 'Sales');
      await setMembers(form, 'only', ['Bikes, Helmets', 'Tents; Poles']);
      assert.deepEqual(await readCategoryRules(sandbox), [], 'nothing is sent before it is saved');

      // The question about everyone else can be canceled, and so can the review: the form stays unsaved.
      await studio.runCommand('File: Save');
      await studio.quickInput.waitForTitle('Rule for Everyone Else');
      await studio.quickInput.waitForMessage(
        `${category} has no rule for everyone else. Select the values they can see`,
      );
      assert.deepEqual(await studio.quickInput.getLabels(), ['No values', 'All values', 'No rule']);
      await studio.quickInput.cancel();
      await studio.runCommand('File: Save');
      await studio.selectQuickPick('No values');
      const canceled = await waitForPlan(studio, `Create rules on ${category}`);
      await cancelPlan(studio, canceled.page);
      await studio.waitForEditor('New Rule.rule.json');
      assert.equal(form.document.isDirty, true);
      assert.deepEqual(await readCategoryRules(sandbox), []);

      await studio.runCommand('File: Save');
      await studio.selectQuickPick('No values');
      const { page, plan } = await waitForPlan(studio, `Create rules on ${category}`);
      assert.deepEqual(getSectionTexts(plan, 'Will be created'), [category, category]);
      assert.match(JSON.stringify(plan.view), /group Sales: only \\"Bikes, Helmets\\", \\"Tents; Poles\\"/);
      assert.deepEqual(await readCategoryRules(sandbox), []);
      page.post({ type: 'apply' });
      await studio.waitForEditor(`${category}.rule.json`);
      await studio.findTreeItem([...security, category, 'Sales']);
      assert.deepEqual(await readCategoryRules(sandbox), [
        'Sales: Bikes, Helmets; Tents; Poles',
        'default: Nothing',
      ]);
      const rules = await fetchRetailRules(sandbox);
      assert.equal(rules.find(({ column }) => column === 'Category')?.allMembers, null);
      // The document of the new rule replaces the form that it was created in.
      await waitFor(
        () => getTabLabels().join() === `${category}.rule.json`,
        () => `The tabs are ${getTabLabels().join()}`,
      );
      const created = await waitForForm(studio, `${category}.rule.json`);
      assert.equal(created.document.isDirty, false);
      assert.match(created.document.getText(), /"_id"/);
    });

    test('a rule is created from the node of its column, which already has a rule for everyone else', async ({
      studio,
      sandbox,
    }) => {
      await using _rules = await backUpRules(sandbox);
      await studio.chooseFromContextMenu([...security, 'Orders.Status'], 'New Rule…');
      const form = await waitForNewRule(studio);
      await addParty(studio, form, 'User…', 'ines.moreau@sandbox.local');
      await setMembers(form, 'except', ['Returned']);
      await studio.runCommand('File: Save');
      await applyCreation(studio, 'Orders.Status');
      await studio.findTreeItem([...security, 'Orders.Status', 'ines.moreau@sandbox.local']);
      const rules = await readColumnRules(sandbox, retailRulesPath, 'Orders.Status');
      assert.ok(rules.includes('ines.moreau@sandbox.local: All but Returned'), rules.join());
    });

    test('a new rule without a user or group is not sent if the user cancels the question about its error', async ({
      studio,
      sandbox,
    }) => {
      await using _rules = await backUpRules(sandbox);
      await studio.chooseFromContextMenu([...masterData, 'Categories', 'Category'], 'New', 'Rule…');
      const form = await waitForNewRule(studio);
      await studio.waitForProblemsWithText(form.document.uri, /user|group/);
      await studio.runCommand('File: Save');
      await studio.clickDialogAction('Cancel');
      assert.equal(form.document.isDirty, true);
      assert.equal(studio.quickInput.current, undefined);
      assert.deepEqual(await readCategoryRules(sandbox), []);

      // A rule that is discarded leaves no problems behind.
      await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
      await waitFor(
        () => vscode.languages.getDiagnostics(form.document.uri).length === 0 || undefined,
        () => 'The problems of the discarded rule are still listed',
      );
    });

    test('a new rule for everyone else is saved without a further question', async ({ studio, sandbox }) => {
      await using _rules = await backUpRules(sandbox);
      await studio.chooseFromContextMenu([...masterData, 'Categories', 'Category'], 'New', 'Rule…');
      const form = await waitForNewRule(studio);
      form.ask({ kind: 'parties', rule: 0 });
      await studio.selectQuickPick('Everyone else');
      await waitForText(form, /"default"/);
      await form.edit({ kind: 'rule', rule: 0, edit: { kind: 'ruleKind', value: 'everything' } });
      await studio.runCommand('File: Save');
      await applyCreation(studio, category);
      await studio.findTreeItem([...security, category, 'Everyone else']);
      assert.deepEqual(await readCategoryRules(sandbox), ['default: All']);
    });

    test('a column that cannot have rules is refused with the reason', async ({ studio }) => {
      await studio.chooseFromContextMenu([...masterData, 'Stores', 'Opened On'], 'New', 'Rule…');
      await studio.waitForNotification(
        "Can't add a rule to Stores.Opened On. Only text and numeric columns can have rules.",
      );
      assert.equal(studio.quickInput.current, undefined);
    });

    test('a rule is copied for another user, and the copy is deleted', async ({ studio, sandbox }) => {
      await using _rules = await backUpRules(sandbox);
      await studio.chooseFromContextMenu('Sandbox', 'Refresh');
      const column = [...security, 'Orders.Status'] as const;
      const ines = 'ines.moreau@sandbox.local';
      const before = await readColumnRules(sandbox, retailRulesPath, 'Orders.Status');
      await studio.chooseFromContextMenu([...column, 'liam.doyle@sandbox.local'], 'Duplicate…');
      await studio.selectQuickPick('User');
      // Users of the instance are offered by name, and a typed name is resolved to an ID.
      await studio.quickInput.waitForRow('liam.doyle@sandbox.local');
      await studio.quickInput.fill(ines);
      assert.ok(!(await studio.quickInput.getLabels()).includes(`User "${ines}"`), 'the user is known');
      await studio.selectQuickPick(ines);
      await studio.findTreeItem([...column, ines]);
      assert.deepEqual(
        await readColumnRules(sandbox, retailRulesPath, 'Orders.Status'),
        [...before, `${ines}: Nothing`].toSorted(),
      );
      await studio.chooseFromContextMenu([...column, ines], 'Delete…');
      await applyPlan(studio);
      await studio.waitForStatusBarItem(/Done: Delete /);
      await studio.waitForTreeItemGone([...column, ines]);
      assert.deepEqual(await readColumnRules(sandbox, retailRulesPath, 'Orders.Status'), before);
    });

    test('a rule that the server no longer has is not copied', async ({ studio, sandbox }) => {
      await using _rules = await backUpRules(sandbox);
      await studio.chooseFromContextMenu('Sandbox', 'Refresh');
      const row = await studio.findTreeItem([...security, 'Orders.Channel', 'Support']);
      const rules = await fetchRetailRules(sandbox);
      const deletedRule = rules.find(
        ({ column, shares }) =>
          column === 'Channel' && shares?.some(({ partyName }) => partyName === 'Support'),
      );
      await sandbox.request('DELETE', `/api/elasticubes/datasecurity/${deletedRule?._id}`);
      studio.tree.chooseFromContextMenuOfRow(row, 'Duplicate…');
      await studio.selectQuickPick('Group');
      await studio.selectQuickPick('Finance');
      await studio.waitForNotification('This rule no longer exists on the server.');
      assert.deepEqual(await readColumnRules(sandbox, retailRulesPath, 'Orders.Channel'), ['default: All']);
    });

    test('all rules of a column are deleted at once', async ({ studio, sandbox }) => {
      await using _rules = await backUpRules(sandbox);
      await studio.chooseFromContextMenu('Sandbox', 'Refresh');
      await studio.chooseFromContextMenu([...security, 'Orders.Status'], 'Delete…');
      await applyPlan(studio);
      await studio.waitForTreeItemGone([...security, 'Orders.Status']);
      assert.deepEqual(await readColumnRules(sandbox, retailRulesPath, 'Orders.Status'), []);
    });

    test('a rule of a live datamodel is added', async ({ studio, sandbox }) => {
      const live = ['Sandbox', 'Datamodels', 'Support Desk', 'Data Security'] as const;
      await studio.chooseFromContextMenu(live, 'New Rule…');
      await studio.quickInput.waitForTitle('New Rule in Support Desk');
      const [column = ''] = await studio.quickInput.getLabels();
      await studio.selectQuickPick(column);
      const form = await waitForNewRule(studio);
      await addParty(studio, form, 'Group…', 'Executives');
      await studio.runCommand('File: Save');
      await studio.selectQuickPick('All values');
      await applyCreation(studio, column, 'rules');
      await studio.findTreeItem([...live, column, 'Executives']);
      const rules = (await sandbox.request(
        'GET',
        '/api/v1/elasticubes/live/Support%20Desk/datasecurity',
      )) as readonly Rule[];
      assert.ok(
        rules.some(
          (rule) =>
            `${rule.table}.${rule.column}` === column &&
            rule.shares?.some(({ partyName }) => partyName === 'Executives'),
        ),
      );
    });

    test('the column of a rule on a cube set can be typed, since no request lists the datamodels of a set', async ({
      studio,
      sandbox,
    }) => {
      await studio.chooseFromContextMenu(['Sandbox', 'Cube Sets'], 'Add Cube Set…');
      await studio.submitInputBox('Europe');
      await studio.submitInputBox('set');
      await studio.chooseFromContextMenu(['Sandbox', 'Cube Sets', 'Europe'], 'New Rule…');
      await studio.quickInput.waitForTitle('New Rule in Europe');
      await studio.selectQuickPick('Other Column…');
      await studio.submitInputBox(' ');
      await studio.quickInput.waitForMessage('Enter a name.');
      await studio.submitInputBox('Regions');
      await studio.submitInputBox('Country');
      await studio.selectQuickPick('Text');
      const form = await waitForNewRule(studio);
      await addParty(studio, form, 'Group…', 'Finance');
      await setMembers(form, 'only', ['France']);
      await studio.runCommand('File: Save');
      await studio.selectQuickPick('No rule');
      await applyCreation(studio, 'Regions.Country');
      await studio.findTreeItem(['Cube Sets', 'Europe', 'Regions.Country', 'Finance']);
      assert.deepEqual(
        await readColumnRules(sandbox, '/api/elasticubes/set/Europe/datasecurity', 'Regions.Country'),
        ['Finance: France'],
      );
    });
  },
);
