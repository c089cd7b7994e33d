import type { Locator } from 'playwright-core';
import { expect, test } from 'vitest';
import { applyRuleSetEdit } from '../../src/security/form/applyRuleEdit.ts';
import { rebaseRuleSetEdit } from '../../src/security/form/rebaseRuleEdit.ts';
import type { RuleSetFormEdit } from '../../src/security/form/ruleEdit.ts';
import type { FormProblem } from '../../src/webviews/protocol/documentForm.ts';
import type { RuleQuestion } from '../../src/webviews/protocol/formQuestions.ts';
import { segmentRuleHead as head, segmentRuleText as rule } from '../support/ruleDocuments.ts';
import { type FormOptions, TestForm } from './support/testForm.ts';
import { pageThemes, useBrowser } from './support/testPage.ts';

useBrowser();

type RuleForm = TestForm<RuleSetFormEdit, RuleQuestion>;

const rules = `[
  // Anyone not named below.
  { ${head}, "members": [], "allMembers": false, "shares": [{ "type": "default" }] },
  { ${head}, "members": ["Consumer", "Corporate"], "allMembers": null, "shares": [{ "party": "g1", "partyName": "Sales", "type": "group" }, { "party": "g2", "partyName": "Finance", "type": "group" }] } // both
]
`;

const mustBeNull: FormProblem = {
  code: 'members-and-all',
  severity: 'error',
  message: 'allMembers must be null, not false, when members are listed.',
  path: [1, 'allMembers'],
};

const openRuleForm = (text: string, options: FormOptions = {}): Promise<RuleForm> =>
  TestForm.open(
    'ruleForm',
    {
      emptyValue: text.startsWith('[') ? [] : {},
      apply: applyRuleSetEdit,
      rebase: rebaseRuleSetEdit,
    },
    text,
    options,
  );

const readRules = ({ text }: RuleForm): readonly Readonly<Record<string, unknown>>[] =>
  JSON.parse(text.replaceAll(/\/\/.*$/gm, ''));

const getRadioButton = ({ page }: RuleForm, name: string): Locator => page.getByRole('radio', { name });
const getCell = ({ page }: RuleForm, name: string): Locator => page.getByRole('gridcell', { name });
const getValuesInput = ({ page }: RuleForm): Locator =>
  page.getByRole('textbox', { name: 'Values, one per line or separated by semicolons' });
const getPartyItems = ({ page }: RuleForm): Locator =>
  page.getByRole('list', { name: 'Users and groups' }).getByRole('listitem');

test('the access of a single rule is selected, its values are typed, and the comment in its text is kept', async () => {
  const form = await openRuleForm(rule);
  await expect.poll(() => getRadioButton(form, 'All values').isChecked()).toBe(true);
  await getRadioButton(form, 'Only these values').check();
  await getValuesInput(form).click();
  await form.page.keyboard.type('Consumer');
  // An empty line does not add a value.
  await form.press('Enter');
  await form.page.getByText(/^1 value\. One per line/).waitFor();
  await form.page.keyboard.type('Home Office');
  await form.page.getByText(/^2 values\. One per line/).waitFor();
  await form.waitForText(/"members": \[\s*"Consumer",\s*"Home Office"\s*\], "allMembers": null/);
  expect(form.text).toMatch(/^\{\n {2}\/\/ One rule\.\n/);
  await getRadioButton(form, 'All but these values').check();
  await form.waitForText(/"exclusionary": true/);
  await getRadioButton(form, 'No values').check();
  await form.waitForText(/"members": \[\], "allMembers": false/);
  expect(await getValuesInput(form).count()).toBe(0);
  await form.testPage.screenshot('page-rule-form');
  form.testPage.assertNoErrors();
});

test('missing values are reported below their field, without the terms of JSON', async () => {
  const message = 'An empty list of members with "allMembers": null can mean all values or no values.';
  const form = await openRuleForm(rule.replace('"allMembers": true', '"allMembers": null'));
  form.testPage.post({
    type: 'problems',
    problems: [
      { code: 'ambiguous-empty', severity: 'error', message, path: ['members'] },
      { ...mustBeNull, path: ['allMembers'] },
    ],
  });
  // Other problems are still listed.
  await form.page.getByText(mustBeNull.message).waitFor();
  await getRadioButton(form, 'Only these values').check();
  await form.page.getByRole('alert').getByText('Enter at least one value').waitFor();
  expect(await form.page.getByText(message).count()).toBe(0);
  await getValuesInput(form).fill('Consumer');
  await form.page.getByText('Enter at least one value').waitFor({ state: 'hidden' });
});

test('values that contain a separator are quoted, and a comma is not a separator', async () => {
  const form = await openRuleForm(
    rule.replace('"members": [], "allMembers": true', '"members": ["a; b", ""]'),
  );
  await expect.poll(() => getValuesInput(form).inputValue()).toBe('"a; b"\n""');
  await getValuesInput(form).fill('"c; d"; e\n" f"');
  await form.waitForText(/"members": \[\s*"c; d",\s*"e",\s*" f"\s*\]/);
  await form.page.getByText(/^3 values\. One per line/).waitFor();
  await getValuesInput(form).fill('Bikes, Helmets');
  await form.page.getByText('1 value. To enter 2 values, separate them with semicolons.').waitFor();
  await form.waitForText(/"members": \[\s*"Bikes, Helmets"\s*\]/);
  // The typed text stays as it is.
  expect(await getValuesInput(form).inputValue()).toBe('Bikes, Helmets');
  await form.testPage.screenshot('page-rule-form-commas');
  form.testPage.assertNoErrors();
});

test('the parties and the column of a rule are selected in quick picks of the host', async () => {
  const form = await openRuleForm(rule, { names: { g2: 'Finance' } });
  await getPartyItems(form).getByText('Sales').waitFor();
  await getPartyItems(form).getByText('g1').waitFor();
  await form.getButton('Add User or Group…').click();
  await form.waitForQuestion({ kind: 'parties', rule: 0 });
  await form.answer({
    kind: 'rule',
    rule: 0,
    edit: {
      kind: 'parties',
      values: [
        { type: 'group', id: 'g1', name: 'Sales' },
        { type: 'group', id: 'g2' },
      ],
    },
  });
  // The text contains no name of this group: the host has sent it.
  await getPartyItems(form).nth(1).getByText('Finance').waitFor();
  await form.getButton('Remove Sales').click();
  await form.getButton('Remove Finance').and(form.page.locator(':focus')).press('Enter');
  await form.getButton('Add User or Group…').and(form.page.locator(':focus')).waitFor();
  await form.page.getByText('No users or groups. Add at least one.').waitFor();
  await form.waitForText(/"shares": \[\]/);
  await form.getButton('Change…').click();
  await form.waitForQuestion({ kind: 'column', rule: 0 });
  await form.answer({
    kind: 'rule',
    rule: 0,
    edit: { kind: 'column', table: 'Orders', column: 'Order Id', datatype: 'numeric' },
  });
  await form.page.getByText('Order Id').waitFor();
  await form.page.getByText('· numeric').waitFor();
  await form.getButton('Open JSON').click();
  await form.waitForShowText([]);
});

test('the form shows which parts of an empty rule are missing, and warns about a live rule for everyone else', async () => {
  const form = await openRuleForm('{}', { model: { state: 'none', title: '' } });
  for (const text of [
    '(no table)',
    '(no column)',
    'No users or groups. Add at least one.',
    'No datamodel selected',
  ]) {
    await form.page.getByText(text).waitFor();
  }
  await form.page.getByRole('button', { name: 'Select…' }).first().click();
  await form.waitForQuestion({ kind: 'datamodel' });
  await form.page.getByRole('button', { name: 'Select…' }).last().click();
  await form.waitForQuestion({ kind: 'column', rule: 0 });

  form.setText(
    '{ "fullname": "live:Shop", "live": true, "shares": [{ "type": "default" }], "members": [""] }',
  );
  await form.page.getByText('live', { exact: true }).waitFor();
  await getPartyItems(form).getByText('Everyone else').waitFor();
  await form.getButton('Change User or Group…').waitFor();
  await form.page.getByText(/Some servers don't support this for live datamodels/).waitFor();
  expect(await getValuesInput(form).inputValue()).toBe('""');
});

test('known values of the column are offered while values are typed, and added without leaving the field', async () => {
  const form = await openRuleForm(
    rule.replace('"members": [], "allMembers": true', '"members": ["Club"], "allMembers": null'),
  );
  const offeredValues = form.page.getByRole('group', { name: 'Known values' });
  form.testPage.post({
    type: 'values',
    columns: [
      { table: 'Customers', column: 'Segment', values: ['Basic', 'Club', 'Gold', 'Golf; Club'] },
      { table: 'Customers', column: 'City', values: ['Kiel'] },
    ],
  });
  await expect
    .poll(() => offeredValues.getByRole('button').allTextContents())
    .toEqual(['Basic', 'Gold', 'Golf; Club']);
  await form.testPage.screenshot('page-rule-form-values');
  await getValuesInput(form).click();
  await form.press('End');
  await offeredValues.getByRole('button', { name: 'Golf; Club' }).click();
  await form.waitForText(/"members": \[\s*"Club",\s*"Golf; Club"\s*\]/);
  await form.press('Control+End', 'Enter');
  await form.page.keyboard.type('bas');
  await expect.poll(() => offeredValues.getByRole('button').allTextContents()).toEqual(['Basic']);
  await offeredValues.getByRole('button', { name: 'Basic' }).click();
  await form.waitForText(/"members": \[\s*"Club",\s*"Golf; Club",\s*"Basic"\s*\]/);
  await expect.poll(() => offeredValues.getByRole('button').allTextContents()).toEqual(['Gold']);
  await form.testPage.setTheme('dark');
  await form.testPage.screenshot('page-rule-form-values-dark');
  expect(await form.testPage.findAxeViolations()).toEqual([]);
});

test('a document that is not a rule is opened as text', async () => {
  const form = await openRuleForm('"Sales"');
  await form.page.getByText("This document isn't a rule. Expected: a JSON object.").waitFor();
  await form.getButton('Open JSON').click();
  await form.waitForShowText();
});

test('a rule set is shown in the grid of rules, in which rules are changed, split, added, and removed', async () => {
  const form = await openRuleForm(rules);
  const { page } = form;
  await page.getByRole('grid', { name: 'Rules by user or group and column' }).waitFor();
  expect(await page.getByRole('rowheader').allTextContents()).toEqual(['Everyone else', 'Finance', 'Sales']);
  // The first cell has the focus. Its rule is changed in place, and the comment in the text is kept.
  await getCell(form, 'Nothing').and(page.locator(':focus')).waitFor();
  await form.press('Space');
  await getCell(form, 'All').first().waitFor();
  await form.waitForText(/"allMembers": true, "shares": \[\{ "type": "default" \}\]/);
  // Finance and Sales have one rule in common. A change for Finance alone gives it a separate rule.
  await form.press('ArrowDown');
  await page.keyboard.type('Club; "a; b"');
  await page.getByRole('textbox', { name: 'Cell values' }).waitFor();
  await form.press('Enter');
  await getCell(form, 'Club; "a; b"').waitFor();
  await getCell(form, 'Consumer; Corporate').and(page.locator(':focus')).waitFor();
  expect(readRules(form).map(({ members }) => members)).toEqual([
    [],
    ['Consumer', 'Corporate'],
    ['Club', 'a; b'],
  ]);
  expect(form.text).toMatch(/\/\/ Anyone not named below\./);
  expect(form.text).toMatch(/\/\/ both/);

  await form.getButton('Add Rule…').click();
  await form.waitForQuestion({ kind: 'newRule' });
  await form.answer({
    kind: 'addRule',
    rule: {
      table: 'Customers',
      column: 'City',
      datatype: 'text',
      ruleKind: 'nothing',
      members: [],
      parties: [{ type: 'default' }],
    },
  });
  await page.getByRole('columnheader', { name: 'Customers.City' }).waitFor();
  // A cell without a rule shows the access that applies instead, and gets a rule when it is filled.
  await getCell(form, 'everyone else: Nothing').last().click();
  await form.getButton('All').click();
  await form.waitForText(/"City"[^]*"City"[^]*"allMembers": true/);
  await form.getButton('No Rule').click();
  await form.waitForText(/^(?:(?!"City")[^])*"City"(?:(?!"City")[^])*$/);
  await getCell(form, 'Nothing').first().click();
  await form.getButton('Open Rule as JSON').click();
  await form.waitForShowText([3]);
  form.testPage.assertNoErrors();
});

test('the keys for undo and save act on the document after the text that is being typed has been applied', async () => {
  const form = await openRuleForm(rules);
  const { page } = form;
  await page.evaluate(() => {
    window.addEventListener('keydown', ({ key, ctrlKey }) => {
      if (ctrlKey && key !== 'Control') {
        document.body.dataset['keys'] = `${document.body.dataset['keys'] ?? ''}${key}`;
      }
    });
  });
  const readKeys = (): Promise<string | undefined> => page.evaluate(() => document.body.dataset['keys']);
  await getCell(form, 'Nothing').click();
  await form.press('Control+z');
  // VS Code gets the key and undoes the last edit of the document.
  await expect.poll(readKeys).toBe('z');
  await page.keyboard.type('Club');
  await form.press('Control+s');
  await form.waitForText(/"members": \[\s*"Club"\s*\]/);
  await expect.poll(readKeys).toBe('zs');
  expect(await page.getByRole('textbox', { name: 'Cell values' }).count()).toBe(0);
});

test.each([
  ['Caps Lock', 'S'],
  ['a Russian keyboard', 'ы'],
])('the text that is being typed is applied before the document is saved with %s', async (_name, key) => {
  const form = await openRuleForm(rules);
  await getCell(form, 'Nothing').click();
  await form.page.keyboard.type('Club');
  await form.page
    .getByRole('textbox', { name: 'Cell values' })
    .dispatchEvent('keydown', { key, code: 'KeyS', ctrlKey: true });
  await form.waitForText(/"members": \[\s*"Club"\s*\]/);
});

test('many rows are filtered, and reached with the keyboard', async () => {
  const parties = Array.from({ length: 200 }, (_, index) => ({
    type: 'group',
    party: `g${index}`,
    partyName: `Group ${String(index).padStart(3, '0')}`,
  }));
  const denyAll = { table: 'Customers', datatype: 'text', members: [], allMembers: false };
  const form = await openRuleForm(
    JSON.stringify([
      { ...denyAll, column: 'Segment', shares: [{ type: 'default' }] },
      { ...denyAll, column: 'Segment', shares: parties },
      { ...denyAll, column: 'City', shares: [{ type: 'user', party: 'u1', partyName: 'Amara' }] },
    ]),
  );
  const details = form.page.getByRole('region', { name: 'Selected cells' });
  await getCell(form, 'Nothing').and(form.page.locator(':focus')).waitFor();
  // Only visible rows are rendered; the last one is rendered when the selection reaches it.
  expect(await form.page.getByRole('rowheader', { name: 'user Amara' }).count()).toBe(0);
  await form.press('Control+End');
  await details.getByText('User Amara on Customers.City: Nothing').waitFor();
  await form.page.getByRole('rowheader', { name: 'user Amara' }).waitFor();
  await form.page.getByPlaceholder('Filter users and groups').fill('Group 07');
  await form.page.getByText('11 of 202 users and groups, 2 of 2 columns').waitFor();
  await form.page.getByPlaceholder('Filter columns').fill('none');
  await form.page.getByText('No matching columns.').waitFor();
  expect(await form.page.getByRole('checkbox', { name: 'Show changes only' }).count()).toBe(0);
});

test('several rules of a cell are shown together, replaced by one, and removed together', async () => {
  const shares = '"shares": [{ "type": "group", "party": "g1" }]';
  const form = await openRuleForm(
    `[{ ${head}, "members": ["A"], ${shares} }, { ${head}, "members": ["B", "C"], "exclusionary": true, ${shares} }]`,
    { names: { g1: 'Sales' } },
  );
  await getCell(form, '2 rules: A | All but B; C').click();
  await form.page.getByText(/^Group Sales on Customers\.Segment/).waitFor();
  await form.press('B', 'Enter');
  await form.waitForText(/^\[\{(?:(?!"members")[^])*"members": \["B"\](?:(?!"members")[^])*\]$/);
  await getCell(form, 'B').click();
  await form.press('Delete');
  await form.page
    .getByText('No rules. Everyone with access to the datamodel sees all of its data.')
    .waitFor();
  expect(JSON.parse(form.text)).toEqual([]);
});

test('entries without a party or column are counted, and opened as text', async () => {
  const form = await openRuleForm(`[{ ${head}, "shares": [{ "type": "default" }] }, 7]`);
  await form.page
    .getByText("1 entry has no user or group, or no column, and isn't shown in the grid.")
    .waitFor();
  await form.getButton('Open JSON').click();
  await form.waitForShowText([1]);
  form.setText('[7, { "table": "Orders", "shares": [] }]');
  await form.page
    .getByText("2 entries have no user or group, or no column, and aren't shown in the grid.")
    .waitFor();
});

test('a problem is opened in its cell, or in the text if it has no cell', async () => {
  const form = await openRuleForm(rules);
  const getTab = (name: RegExp): Locator => form.page.getByRole('tab', { name });
  await getTab(/^Problems$/).click();
  await form.page.getByText('No problems found.').waitFor();
  const ruleIndependentProblem: FormProblem = {
    code: 'other',
    severity: 'warning',
    message: 'Not about a rule.',
    path: [],
  };
  form.postProblems([mustBeNull, ruleIndependentProblem]);
  await getTab(/^Problems 2$/).waitFor();
  const list = form.page.getByRole('list', { name: 'Problems' });
  await list.getByText('Customers.Segment').waitFor();
  await list.getByRole('button', { name: 'Not about a rule.' }).click();
  await form.waitForShowText([]);
  await list.getByRole('button', { name: 'Open JSON' }).first().click();
  await form.waitForShowText([1, 'allMembers']);
  await list.getByRole('button', { name: /must be null/ }).click();
  await form.page.getByText(/^Group Sales on Customers\.Segment/).waitFor();
  await form.page.getByRole('tabpanel').getByText(mustBeNull.message).waitFor();
  await form.page.locator('[role=gridcell]:focus').waitFor();
  expect(await getCell(form, 'Consumer; Corporate').first().locator('.codicon-error').count()).toBe(1);
  // A long list is shortened.
  form.postProblems(
    Array.from({ length: 503 }, (_, index) => ({ ...ruleIndependentProblem, message: `Problem ${index}` })),
  );
  await getTab(/^Rules/).press('ArrowRight');
  await form.page.getByText('and 3 more').waitFor();
  await form.page.keyboard.press('ArrowRight');
  await form.page.getByRole('grid', { name: 'Rules by user or group and column' }).waitFor();
});

test('the form shows whether the datamodel is loading, unknown, or could not be loaded', async () => {
  const form = await openRuleForm(rules, { model: { state: 'loading', title: 'Retail' } });
  await form.page.getByText('Loading tables…').waitFor();
  await form.page.getByText('LocalHost').waitFor();
  form.testPage.post({ type: 'model', model: { state: 'none', title: 'Retail' } });
  await form.page.getByText("Not on the current connection. Names aren't checked.").waitFor();
  form.testPage.post({
    type: 'model',
    model: { state: 'failed', title: 'Retail', message: 'Refused (403).' },
  });
  await form.page.getByText('Refused (403).').waitFor();
  expect(await form.testPage.findAxeViolations()).toEqual([]);
  const getHeight = async (): Promise<number> => (await form.getButton('Retry').boundingBox())?.height ?? 0;
  const height = await getHeight();
  form.testPage.post({
    type: 'model',
    model: { state: 'failed', title: 'Retail', message: 'Loading the datamodels failed. '.repeat(20) },
  });
  await form.page.getByText(/^Loading the datamodels failed/).waitFor();
  expect(await getHeight(), 'the button stays on one line').toBe(height);
  await form.getButton('Retry').click();
  await form.testPage.waitForMessage('reloadModel');
});

test('invalid text and a read-only document lock the form', async () => {
  const form = await openRuleForm(rules);
  await getCell(form, 'Nothing').click();
  form.setText(`x${rules}`);
  await form.page.getByText(/Invalid JSON at line 1, column 1/).waitFor();
  for (const control of [form.getButton('Add Rule…'), form.getButton('All'), form.getButton('Values…')]) {
    expect(await control.isDisabled()).toBe(true);
  }
  await form.press('Space');
  await form.getButton('Open JSON').first().click();
  await form.waitForShowText();
  form.setText(rules.replace('"allMembers": false', '"allMembers": true'));
  await getCell(form, 'All').first().waitFor();
  expect(await form.getButton('Values…').isDisabled()).toBe(false);

  // An invalid document isn't shown as an empty rule set, which would mean that everyone sees everything.
  const brokenForm = await openRuleForm(`<<<<<<< ours\n${rules}`);
  await brokenForm.page.getByText('Invalid JSON at line 1, column 1. Correct it in the JSON').waitFor();
  expect(await brokenForm.page.getByText('No rules').count()).toBe(0);
  expect(await brokenForm.testPage.findAxeViolations()).toEqual([]);
  await brokenForm.testPage.screenshot('page-rule-set-form-broken');
  brokenForm.setText(rules);
  await getCell(brokenForm, 'Nothing').first().waitFor();

  const readOnlyForm = await openRuleForm(rule, { isReadOnly: true });
  await readOnlyForm.page.getByText('This document is read-only.').waitFor();
  expect(await getRadioButton(readOnlyForm, 'No values').isDisabled()).toBe(true);
  expect(await readOnlyForm.getButton('Remove Sales').isDisabled()).toBe(true);
});

test('a form says that its file was deleted, and stays editable', async () => {
  const form = await openRuleForm(rules);
  const notice = form.page.getByText('This file was deleted. To create it again, save the form.');
  await getCell(form, 'Nothing').click();
  expect(await notice.count()).toBe(0);
  form.testPage.post({ type: 'file', isDeleted: true });
  await notice.waitFor();
  await form.testPage.screenshot('page-rule-set-form-deleted');
  expect(await form.testPage.findAxeViolations()).toEqual([]);
  expect(await form.getButton('Values…').isDisabled()).toBe(false);
  form.testPage.post({ type: 'file', isDeleted: false });
  await notice.waitFor({ state: 'detached' });
});

test.each(pageThemes)('the forms of a rule set and of a single rule are accessible in %s', async (theme) => {
  const ruleSetForm = await openRuleForm(rules, { theme });
  ruleSetForm.postProblems([mustBeNull]);
  await getCell(ruleSetForm, 'Consumer; Corporate').first().click();
  await ruleSetForm.page.getByText(mustBeNull.message).waitFor();
  await ruleSetForm.testPage.screenshot(`page-rule-set-form-${theme}`);
  expect(await ruleSetForm.testPage.findAxeViolations()).toEqual([]);
  expect(await ruleSetForm.testPage.findLayoutProblems('page-rule-set-form')).toEqual([]);
  const ruleForm = await openRuleForm(rule.replace('"allMembers": true', '"allMembers": null'), { theme });
  ruleForm.postProblems([{ ...mustBeNull, path: ['allMembers'] }]);
  await ruleForm.page.getByText(mustBeNull.message).waitFor();
  await ruleForm.testPage.screenshot(`page-rule-form-problem-${theme}`);
  expect(await ruleForm.testPage.findAxeViolations()).toEqual([]);
  expect(await ruleForm.testPage.findLayoutProblems('page-rule-form-problem')).toEqual([]);
  ruleForm.testPage.assertNoErrors();
});

test('the grid shows users and groups that files refer to by number, and edits keep these numbers', async () => {
  const share = '{ "party": {"bound": 3}, "type": "group" }';
  const form = await openRuleForm(`[
  { ${head}, "members": [], "allMembers": false, "shares": [{ "type": "default" }] },
  { ${head}, "members": ["Consumer"], "allMembers": null, "shares": [${share}, { "party": "Finance", "type": "group" }] }
]
`);
  const row = form.page.getByRole('row').filter({ hasText: 'number 3 in the lock file' });
  await row.getByRole('gridcell', { name: 'Consumer' }).waitFor();
  expect(await form.page.getByText(/isn't shown in the grid/).count()).toBe(0);
  for (const theme of pageThemes) {
    await form.testPage.setTheme(theme);
    await form.testPage.screenshot(`page-rule-form-numbers-${theme}`);
  }
  await row.getByRole('gridcell', { name: 'Consumer' }).click();
  await form.page.keyboard.press('Enter');
  await form.page.keyboard.type('; Home');
  await form.press('Control+Enter');
  await form.waitForText(/"Home"/);
  expect(readRules(form).map(({ members, shares }) => ({ members, shares }))).toEqual([
    { members: [], shares: [{ type: 'default' }] },
    { members: ['Consumer'], shares: [{ party: 'Finance', type: 'group' }] },
    { members: ['Consumer', 'Home'], shares: [{ party: { bound: 3 }, type: 'group' }] },
  ]);
  form.testPage.assertNoErrors();
});
