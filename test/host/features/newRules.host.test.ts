import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { Rule } from '../../../src/contract/rule.ts';
import { fetchRetailRules } from '../../editor/support/demo.ts';
import type { JourneySandbox } from '../../editor/support/journeySandbox.ts';
import type { RuleSetFormEdit } from '../../../src/security/form/ruleEdit.ts';
import type { RuleQuestion } from '../../../src/webviews/protocol/formQuestions.ts';
import { HostedForm } from '../support/form.ts';
import { applyPlan, getSectionTexts, openPlan } from '../support/plans.ts';
import { backUpRules, readColumnRules, retailRulesPath } from '../support/rules.ts';
import type { HostStudio } from '../support/studio.ts';
import { describeStudio, startHostSandbox } from '../support/suite.ts';
import { waitFor } from '../support/waiting.ts';

const retail = ['Sandbox', 'Datamodels', 'Retail'] as const;
const security = [...retail, 'Data Security'] as const;
const masterData = [...retail, 'Master Data'] as const;
const category = 'Categories.Category';

type RuleForm = HostedForm<RuleSetFormEdit, RuleQuestion>;

const openedForm = (studio: HostStudio, title = 'New Rule.rule.json'): Promise<RuleForm> =>
  HostedForm.ofActiveTab(studio, 'datamodelStudio.ruleForm', title);

const waitForText = ({ document }: RuleForm, text: RegExp): Promise<true> =>
  waitFor(
    () => text.test(document.getText()) || undefined,
    () => `The text is ${document.getText()}`,
  );

/** Adds a user or group with the button of the form. */
async function addParty(
  studio: HostStudio,
  form: RuleForm,
  kind: 'Group…' | 'User…',
  name: string,
): Promise<void> {
  form.ask({ kind: 'parties', rule: 0 });
  await studio.quickPick(kind);
  await studio.quickPick(name);
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
  async (owned) => {
    const sandbox = owned.use(await startHostSandbox());
    return { sandbox, options: { env: sandbox.env, settings: { 'files.autoSave': 'off' } } };
  },
  (test) => {
    test('a rule is made in an unsaved form, reviewed when it is saved, and its document opens', async ({
      studio,
      sandbox,
    }) => {
      await using _rules = await backUpRules(sandbox);
      await studio.contextMenu(security, 'New Rule…');
      await studio.quickInput.title('New Rule in Retail');
      await studio.quickPick(category);
      const form = await openedForm(studio);
      assert.equal(form.document.isDirty, true, 'closing it asks');
      assert.equal(vscode.window.tabGroups.activeTabGroup.activeTab?.label, 'New Rule.rule.json');
      await form.knowsTables();
      assert.equal(studio.quickInput.current, undefined, 'there is no further prompt');
      await addParty(studio, form, 'Group…', 'Sales');
      await setMembers(form, 'only', ['Bikes, Helmets', 'Tents; Poles']);
      assert.deepEqual(await readCategoryRules(sandbox), [], 'nothing is sent before it is saved');

      // The question about everyone else can be canceled, and so can the review: the form stays unsaved.
      await studio.runCommand('File: Save');
      await studio.quickInput.title('Rule for Everyone Else');
      await studio.quickInput.message(
        `${category} has no rule for everyone else. Select the values they can see`,
      );
      assert.deepEqual(await studio.quickInput.labels(), ['No values', 'All values', 'No rule']);
      await studio.quickInput.cancel();
      await studio.runCommand('File: Save');
      await studio.quickPick('No values');
      const canceled = await openPlan(studio, `Create ${category}`);
      canceled.page.post({ type: 'cancel' });
      await studio.openedEditor('New Rule.rule.json');
      assert.equal(form.document.isDirty, true);
      assert.deepEqual(await readCategoryRules(sandbox), []);

      await studio.runCommand('File: Save');
      await studio.quickPick('No values');
      const { page, plan } = await openPlan(studio, `Create ${category}`);
      assert.deepEqual(getSectionTexts(plan, 'Will be created'), [category, category]);
      assert.match(JSON.stringify(plan.view), /group Sales: only \\"Bikes, Helmets\\", \\"Tents; Poles\\"/);
      assert.deepEqual(await readCategoryRules(sandbox), []);
      page.post({ type: 'apply' });
      await studio.openedEditor(`${category}.rule.json`);
      await studio.treeItem([...security, category, 'Sales']);
      assert.deepEqual(await readCategoryRules(sandbox), [
        'Sales: Bikes, Helmets; Tents; Poles',
        'default: Nothing',
      ]);
      const rules = await fetchRetailRules(sandbox);
      assert.equal(rules.find(({ column }) => column === 'Category')?.allMembers, null);
      // The document of the new rule is in place of the form that it was made in.
      await waitFor(
        () => getTabLabels().join() === `${category}.rule.json`,
        () => `The tabs are ${getTabLabels().join()}`,
      );
      const created = await openedForm(studio, `${category}.rule.json`);
      assert.equal(created.document.isDirty, false);
      assert.match(created.document.getText(), /"_id"/);
    });

    test('a rule is made on the node of its column, which has a rule for everyone else', async ({
      studio,
      sandbox,
    }) => {
      await using _rules = await backUpRules(sandbox);
      await studio.contextMenu([...security, 'Orders.Status'], 'New Rule…');
      const form = await openedForm(studio);
      await addParty(studio, form, 'User…', 'ines.moreau@sandbox.local');
      await setMembers(form, 'except', ['Returned']);
      await studio.runCommand('File: Save');
      await applyPlan(studio, 'Create Orders.Status');
      await studio.treeItem([...security, 'Orders.Status', 'ines.moreau@sandbox.local']);
      const rules = await readColumnRules(sandbox, retailRulesPath, 'Orders.Status');
      assert.ok(rules.includes('ines.moreau@sandbox.local: All but Returned'), rules.join());
    });

    test('a new rule without a user or group is not sent before its error is accepted', async ({
      studio,
      sandbox,
    }) => {
      await using _rules = await backUpRules(sandbox);
      await studio.contextMenu([...masterData, 'Categories', 'Category'], 'New', 'Rule…');
      const form = await openedForm(studio);
      await studio.problems(form.document.uri, /user|group/);
      await studio.runCommand('File: Save');
      await studio.dialogAction('Cancel');
      assert.equal(form.document.isDirty, true);
      assert.equal(studio.quickInput.current, undefined);
      assert.deepEqual(await readCategoryRules(sandbox), []);
    });

    test('a new rule for everyone else is saved without a further question', async ({ studio, sandbox }) => {
      await using _rules = await backUpRules(sandbox);
      await studio.contextMenu([...masterData, 'Categories', 'Category'], 'New', 'Rule…');
      const form = await openedForm(studio);
      form.ask({ kind: 'parties', rule: 0 });
      await studio.quickPick('Everyone else');
      await waitForText(form, /"default"/);
      await form.edit({ kind: 'rule', rule: 0, edit: { kind: 'ruleKind', value: 'everything' } });
      await studio.runCommand('File: Save');
      await applyPlan(studio, `Create ${category}`);
      await studio.treeItem([...security, category, 'Everyone else']);
      assert.deepEqual(await readCategoryRules(sandbox), ['default: All']);
    });

    test('a column that cannot carry a rule gives the reason', async ({ studio }) => {
      await studio.contextMenu([...masterData, 'Stores', 'Opened On'], 'New', 'Rule…');
      await studio.notification(
        "Can't add a rule to Stores.Opened On. Only text and numeric columns can have rules.",
      );
      assert.equal(studio.quickInput.current, undefined);
    });

    test('a rule is copied for another user, and the copy is deleted', async ({ studio, sandbox }) => {
      await using _rules = await backUpRules(sandbox);
      await studio.contextMenu('Sandbox', 'Refresh');
      const column = [...security, 'Orders.Status'] as const;
      const ines = 'ines.moreau@sandbox.local';
      const before = await readColumnRules(sandbox, retailRulesPath, 'Orders.Status');
      await studio.contextMenu([...column, 'liam.doyle@sandbox.local'], 'Duplicate…');
      await studio.quickPick('User');
      // Users of the instance are offered by name, and a typed name is resolved to an ID.
      await studio.quickInput.shows('liam.doyle@sandbox.local');
      await studio.quickInput.fill(ines);
      assert.ok(!(await studio.quickInput.labels()).includes(`User "${ines}"`), 'it is a known one');
      await studio.quickPick(ines);
      await studio.treeItem([...column, ines]);
      assert.deepEqual(
        await readColumnRules(sandbox, retailRulesPath, 'Orders.Status'),
        [...before, `${ines}: Nothing`].toSorted(),
      );
      await studio.contextMenu([...column, ines], 'Delete…');
      await applyPlan(studio);
      await studio.statusBar(/Done: Delete /);
      await studio.treeItemGone([...column, ines]);
      assert.deepEqual(await readColumnRules(sandbox, retailRulesPath, 'Orders.Status'), before);
    });

    test('a rule that the server no longer has is not copied', async ({ studio, sandbox }) => {
      await using _rules = await backUpRules(sandbox);
      await studio.contextMenu('Sandbox', 'Refresh');
      const row = await studio.treeItem([...security, 'Orders.Channel', 'Support']);
      const rules = await fetchRetailRules(sandbox);
      const lost = rules.find(
        ({ column, shares }) =>
          column === 'Channel' && shares?.some(({ partyName }) => partyName === 'Support'),
      );
      await sandbox.request('DELETE', `/api/elasticubes/datasecurity/${lost?._id}`);
      studio.tree.chooseFromMenu(row, 'Duplicate…');
      await studio.quickPick('Group');
      await studio.quickPick('Finance');
      await studio.notification('This rule no longer exists on the server.');
      assert.deepEqual(await readColumnRules(sandbox, retailRulesPath, 'Orders.Channel'), ['default: All']);
    });

    test('all rules of a column are deleted at once', async ({ studio, sandbox }) => {
      await using _rules = await backUpRules(sandbox);
      await studio.contextMenu('Sandbox', 'Refresh');
      await studio.contextMenu([...security, 'Orders.Status'], 'Delete…');
      await applyPlan(studio);
      await studio.treeItemGone([...security, 'Orders.Status']);
      assert.deepEqual(await readColumnRules(sandbox, retailRulesPath, 'Orders.Status'), []);
    });

    test('a rule of a live datamodel is added', async ({ studio, sandbox }) => {
      const live = ['Sandbox', 'Datamodels', 'Support Desk', 'Data Security'] as const;
      await studio.contextMenu(live, 'New Rule…');
      await studio.quickInput.title('New Rule in Support Desk');
      const [column = ''] = await studio.quickInput.labels();
      await studio.quickPick(column);
      const form = await openedForm(studio);
      await addParty(studio, form, 'Group…', 'Executives');
      await studio.runCommand('File: Save');
      await studio.quickPick('All values');
      await applyPlan(studio);
      await studio.treeItem([...live, column, 'Executives']);
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

    test('the column of a rule on a cube set is typed, since no datamodel lists it', async ({
      studio,
      sandbox,
    }) => {
      await studio.contextMenu(['Sandbox', 'Cube Sets'], 'Add Cube Set…');
      await studio.inputBox('Europe');
      await studio.inputBox('set');
      await studio.contextMenu(['Sandbox', 'Cube Sets', 'Europe'], 'New Rule…');
      await studio.quickInput.title('New Rule in Europe');
      await studio.inputBox(' ');
      await studio.quickInput.message('Enter a name.');
      await studio.inputBox('Customers');
      await studio.inputBox('Country');
      await studio.quickPick('Text');
      const form = await openedForm(studio);
      await addParty(studio, form, 'Group…', 'Finance');
      await setMembers(form, 'only', ['France']);
      await studio.runCommand('File: Save');
      await studio.quickPick('No rule');
      await applyPlan(studio);
      await studio.treeItem(['Cube Sets', 'Europe', 'Customers.Country', 'Finance']);
      assert.deepEqual(
        await readColumnRules(sandbox, '/api/elasticubes/set/Europe/datasecurity', 'Customers.Country'),
        ['Finance: France'],
      );
    });
  },
);
