import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { RuleSetFormEdit } from '../../../src/security/form/ruleEdit.ts';
import type { ToForm } from '../../../src/webviews/protocol/documentForm.ts';
import type { RuleQuestion } from '../../../src/webviews/protocol/formQuestions.ts';
import { segmentRuleHead as head, segmentRuleText as rule } from '../../support/ruleDocuments.ts';
import { TestFiles, prepareSandboxAndFiles } from '../support/files.ts';
import { HostedForm } from '../support/hostedForm.ts';
import type { HostStudio } from '../support/studio.ts';
import { describeStudio } from '../support/suite.ts';
import { waitFor } from '../support/waiting.ts';

type RuleForm = HostedForm<RuleSetFormEdit, RuleQuestion>;

const rules = `[
  // Anyone not named below.
  { ${head}, "members": [], "allMembers": false, "shares": [{ "type": "default" }] },
  { ${head}, "members": ["Consumer"], "allMembers": false, "shares": [{ "party": "g1", "partyName": "Sales", "type": "group" }] } // the shops
]
`;

const openRule = (studio: HostStudio, editor: vscode.TextEditor): Promise<RuleForm> =>
  HostedForm.open(studio, 'datamodelStudio.ruleForm', editor);
const openRuleSet = (studio: HostStudio, editor: vscode.TextEditor): Promise<RuleForm> =>
  HostedForm.open(studio, 'datamodelStudio.ruleSetForm', editor);

interface ReadRule {
  readonly table?: string;
  readonly column?: string;
  readonly datatype?: string;
  readonly allMembers?: boolean | null;
  readonly shares?: readonly {
    readonly type: string;
    readonly party?: string;
    readonly partyName?: string;
  }[];
}

/** The rules in the text of a form; a single one is a list of one. */
const readRules = ({ document }: RuleForm): readonly ReadRule[] => {
  const value = JSON.parse(document.getText().replaceAll(/\/\/.*$/gm, ''));
  return Array.isArray(value) ? value : [value];
};

/** Waits until the rules in the text of a form pass the check, and returns them. */
const waitForRules = (
  form: RuleForm,
  check: (rules: readonly ReadRule[]) => boolean,
): Promise<readonly ReadRule[]> =>
  waitFor(
    () => (check(readRules(form)) ? readRules(form) : undefined),
    () => `The text is ${form.document.getText()}`,
  );

describeStudio('rule forms', prepareSandboxAndFiles, (test) => {
  test('the form gets the known values of its columns, and warns about a value in another letter case', async ({
    studio,
    files,
  }) => {
    const text = rule.replace('"members": [], "allMembers": true', '"members": ["club"], "allMembers": null');
    const form = await openRule(studio, await files.open('Letters.rule.json', text));
    const { columns } = await form.waitForMessage('values', (message) =>
      message.columns.some(({ values }) => values.length > 0),
    );
    assert.deepEqual(columns, [{ table: 'Customers', column: 'Segment', values: ['Club'] }]);
    const { problems } = await form.waitForMessage('problems', (message) =>
      message.problems.some(({ code }) => code === 'other-spelling'),
    );
    assert.deepEqual(
      problems.map(({ severity, message, path }) => ({ severity, message, path })),
      [
        {
          severity: 'warning',
          message: '"club" is spelled "Club" in other rules on this column.',
          path: ['members', 0],
        },
      ],
    );
  });

  test('a rule is edited, its column and parties are chosen, and its file keeps its comment', async ({
    studio,
    files,
  }) => {
    const form = await openRule(studio, await files.open('Segment.rule.json', rule));
    await form.waitForTables();
    await form.edit({ kind: 'rule', rule: 0, edit: { kind: 'ruleKind', value: 'only' } });
    await form.edit({
      kind: 'rule',
      rule: 0,
      edit: { kind: 'members', values: ['Consumer', 'Home Office'] },
    });
    form.ask({ kind: 'parties', rule: 0 });
    await studio.selectQuickPick('Group…');
    await studio.quickInput.waitForTitle('Group');
    const [group = ''] = await studio.quickInput.getLabels();
    await studio.selectQuickPick(group);
    await waitForRules(form, ([only]) => only?.shares?.length === 2);
    form.ask({ kind: 'column', rule: 0 });
    await studio.quickInput.waitForTitle('Select Column for Rule');
    assert.equal((await studio.quickInput.waitForRow('Segment')).description, 'Customers.Segment · in use');
    // Date columns can't have rules.
    assert.equal((await studio.quickInput.getLabels()).includes('Order Date'), false);
    await studio.selectQuickPick('Order Id');
    await waitForRules(form, ([only]) => only?.column === 'Order Id');
    await studio.runCommand('File: Save');
    await waitFor(
      () => !form.document.isDirty,
      () => 'The file is not saved',
    );
    const text = new TextDecoder().decode(await vscode.workspace.fs.readFile(form.document.uri));
    assert.match(text, /^\{\n {2}\/\/ One rule\.\n/);
    assert.match(text, /"members": \[\s*"Consumer",\s*"Home Office"\s*\], "allMembers": null/);
    const [saved] = readRules(form);
    assert.deepEqual([saved?.table, saved?.datatype], ['Orders', 'numeric']);
    assert.deepEqual(saved?.shares?.[0], { party: 'g1', partyName: 'Sales', type: 'group' });
    // The text contains the ID of the group, for which the page shows the name.
    const id = saved.shares[1]?.party ?? '';
    assert.notEqual(id, group);
    const { names } = await form.waitForMessage('names', (known) => id in known.names);
    assert.equal(names[id], group);
  });

  test('a user or group is looked up by name, and everyone else replaces named parties', async ({
    studio,
    files,
  }) => {
    const form = await openRule(studio, await files.open('Parties.rule.json', rule));
    await form.waitForTables();
    form.ask({ kind: 'parties', rule: 0 });
    await studio.selectQuickPick('User…');
    await studio.quickInput.pickTyped('nobody@example.com', 'Look up user "nobody@example.com"');
    await studio.quickInput.waitForTitle(/nobody@example\.com/);
    await studio.quickInput.cancel();
    form.ask({ kind: 'parties', rule: 0 });
    await studio.selectQuickPick('Group…');
    await studio.quickInput.pickTyped('Nobodys', 'Look up group "Nobodys"');
    await studio.quickInput.waitForTitle(/^Group not found: Nobodys\./);
    await studio.quickInput.cancel();
    assert.equal(readRules(form)[0]?.shares?.length, 1);
    form.ask({ kind: 'parties', rule: 0 });
    await studio.selectQuickPick('Everyone else');
    await waitForRules(form, ([only]) => JSON.stringify(only?.shares) === '[{"type":"default"}]');
    // There is only one "everyone else", and a named party replaces it.
    form.ask({ kind: 'parties', rule: 0 });
    assert.deepEqual(await studio.quickInput.getLabels(), ['Group…', 'User…']);
    await studio.selectQuickPick('User…');
    const [user = ''] = await studio.quickInput.getLabels();
    await studio.selectQuickPick(user);
    const [changed] = await waitForRules(form, ([only]) => only?.shares?.[0]?.type === 'user');
    assert.equal(changed?.shares?.length, 1);
  });

  test('a party that the rule already has is not added again', async ({ studio, files }) => {
    const form = await openRule(studio, await files.open('Twice.rule.json', rule));
    await form.waitForTables();
    form.ask({ kind: 'parties', rule: 0 });
    await studio.selectQuickPick('Group…');
    await studio.quickInput.waitForTitle('Group');
    const [group = ''] = await studio.quickInput.getLabels();
    await studio.selectQuickPick(group);
    await waitForRules(form, ([only]) => only?.shares?.length === 2);
    // The list no longer has the group, but it is found by its name.
    form.ask({ kind: 'parties', rule: 0 });
    await studio.selectQuickPick('Group…');
    await studio.quickInput.pickTyped(group, `Look up group "${group}"`);
    await waitFor(
      () => studio.quickInput.current === undefined,
      () => 'The list stays open',
    );
    form.ask({ kind: 'parties', rule: 0 });
    await studio.selectQuickPick('User…');
    const [user = ''] = await studio.quickInput.getLabels();
    await studio.selectQuickPick(user);
    const [changed] = await waitForRules(
      form,
      ([only]) => only?.shares?.some(({ type }) => type === 'user') === true,
    );
    assert.equal(changed?.shares?.filter(({ type }) => type === 'group').length, 2, JSON.stringify(changed));
  });

  test('rules are added to a set for a selected column and party, or for a cell', async ({
    studio,
    files,
  }) => {
    const form = await openRuleSet(studio, await files.open('Retail.rules.json', rules));
    await form.waitForTables();
    form.ask({ kind: 'newRule' });
    await studio.selectQuickPick('City');
    await studio.selectQuickPick('Everyone else');
    const added = await waitForRules(form, ({ length }) => length === 3);
    // A new rule is safe: everyone else sees nothing.
    assert.deepEqual([added[2]?.column, added[2]?.allMembers], ['City', false]);
    await form.edit({
      kind: 'cells',
      cells: [
        {
          party: { type: 'group', id: 'g2' },
          column: { table: 'Customers', column: 'Segment', datatype: 'text' },
          value: [{ kind: 'only', values: ['Club'] }],
        },
      ],
    });
    const [, , , cell] = await waitForRules(form, ({ length }) => length === 4);
    assert.deepEqual([cell?.column, cell?.datatype, cell?.shares?.[0]?.party], ['Segment', 'text', 'g2']);
    // A canceled question adds nothing, neither at its column nor at its party.
    form.ask({ kind: 'newRule' });
    await studio.quickInput.waitForTitle('Select Column for Rule');
    await studio.quickInput.cancel();
    form.ask({ kind: 'newRule' });
    await studio.selectQuickPick('City');
    await studio.quickInput.waitForTitle('Select User or Group for Rule');
    await studio.quickInput.cancel();
    await form.edit({ kind: 'splitRule', rule: 0, party: { type: 'default' } });
    assert.equal(readRules(form).length, 4);
    assert.match(form.document.getText(), /\/\/ Anyone not named below\.[^]*\/\/ the shops/);
  });

  test('a missing rule for everyone else is reported in a rule set, but not in a single rule', async ({
    studio,
    files,
  }) => {
    const formatCodes = ({ problems }: Extract<ToForm, { type: 'problems' }>): readonly string[] =>
      problems.map(({ code, path }) => `${code} ${path.join('.')}`);
    const set = await openRuleSet(studio, await files.open('Wrong.rules.json', rules));
    await set.waitForTables();
    const { problems } = await set.waitForMessage('problems', (message) => message.problems.length === 1);
    assert.equal(problems[0]?.message, '"allMembers" must be null, not false, when members are listed.');
    assert.deepEqual(problems[0].path, [1, 'allMembers']);
    set.post({ type: 'showText', path: problems[0].path });
    const shown = await studio.waitForEditorText('// the shops');
    await waitFor(
      () => shown.document.getText(shown.selection) === 'false',
      () => `Selected is ${shown.document.getText(shown.selection)}`,
    );
    // Without the rule for everyone else, what they see is not defined.
    await set.edit({ kind: 'removeRules', rules: [0] });
    await set.waitForMessage('problems', (message) =>
      formatCodes(message).some((code) => code.startsWith('no-default-rule')),
    );
    // A single rule does not show whether there is a rule for everyone else.
    await studio.runCommand('View: Close All Editors');
    const singleRuleForm = await openRule(
      studio,
      await files.open('Wrong.rule.json', rule.replace('Segment', 'Nothing')),
    );
    await singleRuleForm.waitForTables();
    await singleRuleForm.waitForMessage(
      'problems',
      (message) => formatCodes(message).join() === 'unknown-column column',
    );
  });

  test('a rule without a datamodel is checked against a datamodel that the user selects, which does not change its text', async ({
    studio,
    files,
  }) => {
    const text = '{ "table": "Customers", "column": "Nothing" }';
    const form = await openRule(studio, await files.open('Free.rule.json', text));
    assert.deepEqual((await form.waitForMessage('model')).model, { state: 'none', title: '' });
    form.ask({ kind: 'column', rule: 0 });
    await studio.waitForNotification(/tables and columns aren't available/);
    form.ask({ kind: 'datamodel' });
    await studio.quickInput.waitForTitle('Select Datamodel');
    await studio.quickInput.cancel();
    form.ask({ kind: 'datamodel' });
    await studio.selectQuickPick('Retail');
    await form.waitForTables();
    await form.waitForMessage('problems', ({ problems }) =>
      problems.some(({ code }) => code === 'unknown-column'),
    );
    assert.equal(form.document.getText(), text);
    form.ask({ kind: 'column', rule: 0 });
    await studio.selectQuickPick('City');
    await waitForRules(form, ([only]) => only?.column === 'City');
  });

  test('the rules of a column on the server open as a set', async ({ studio }) => {
    await studio.chooseFromContextMenu(
      ['Sandbox', 'Datamodels', 'Retail', 'Data Security', 'Regions.Region'],
      'Open as JSON',
    );
    const form = await openRuleSet(studio, await studio.waitForEditorText('"Region"'));
    await form.waitForTables();
    const { value, isReadOnly } = await form.waitForMessage('document');
    assert.ok(Array.isArray(value) && value.length > 1);
    assert.equal(isReadOnly, false);
  });
});

describeStudio(
  'rule forms without a connection',
  async (disposables) => ({ files: await TestFiles.create(disposables), options: {} }),
  (test) => {
    test('without a connection, a form reports that there is nothing to select', async ({
      studio,
      files,
    }) => {
      const form = await openRule(studio, await files.open('Alone.rule.json', rule));
      assert.deepEqual((await form.waitForMessage('model')).model, { state: 'none', title: 'Retail' });
      form.ask({ kind: 'datamodel' });
      await studio.waitForNotification('No connections found. Add a connection or start the sandbox.');
      form.ask({ kind: 'parties', rule: 0 });
      await studio.selectQuickPick('Group…');
      await studio.quickInput.pickTyped('Sales', 'Look up group "Sales"');
      await studio.quickInput.waitForTitle('No connection available.');
      await studio.quickInput.cancel();
      assert.equal(form.document.getText(), rule);
    });
  },
);
