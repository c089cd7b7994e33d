import { expect, test } from 'vitest';
import { viewpointColumnLines, viewpointFileText } from '../editor/support/viewpointFile.ts';
import { createViewpointColumn } from '../../src/viewpoints/form/createViewpointColumn.ts';
import type { FormProblem } from '../../src/webviews/protocol/documentForm.ts';
import { pageThemes, useBrowser } from './support/testPage.ts';
import {
  createColumn,
  createViewpointText,
  getDropdown,
  waitForColumns,
  waitForSelection,
  openViewpointForm,
  getRow,
  getTab,
} from './support/viewpointForm.ts';

useBrowser();

const problem: FormProblem = {
  code: 'uid-without-filter',
  severity: 'error',
  message: 'A unique identifier needs a filter.',
  path: ['details', 'columns', 2, 'infusion'],
};

test('columns are added after the selected column, moved and titled, and the text keeps its layout', async () => {
  const form = await openViewpointForm(viewpointFileText);
  await getRow(form, /Price/).click();
  await form.getButton('Add Columns…').click();
  await form.waitForQuestion({ kind: 'columns', insertIndex: 2 });
  await form.answer({
    kind: 'addColumns',
    insertIndex: 2,
    columns: ['Order Date', 'Status'].map((name) => createViewpointColumn('Orders', { name, type: 18 })),
  });
  await getTab(form, /^Columns 5$/).waitFor();
  // The same column stays selected, so the next added columns are inserted after it, too.
  await waitForSelection(form, 'Price');
  await getRow(form, /City/).click();
  await form.press('Alt+ArrowUp', 'Alt+ArrowUp', 'Alt+ArrowDown');
  await waitForColumns(form, 'Order Id', 'Unit Price', 'Order Date', 'City', 'Status');
  await waitForSelection(form, 'City');
  await getRow(form, /Price/).click();
  await form.press('F2', 'End');
  await form.page.keyboard.type(' paid');
  await getRow(form, /Price paid/).waitFor();
  await form.waitForText('"title": "Price paid"');
  const lines = form.text.split('\n');
  expect(lines[1]).toBe('  // Reviewed every Monday.');
  expect(lines.slice(7, 10)).toEqual([
    viewpointColumnLines[0],
    viewpointColumnLines[1],
    viewpointColumnLines[2]?.replace('"title": "Price"', '"title": "Price paid"'),
  ]);
  expect(lines[11]).toBe(`${viewpointColumnLines[3]},`);
  await form.testPage.screenshot('page-viewpoint-form');
  form.testPage.assertNoErrors();
});

test('one undo reverts one keystroke, even if the host has not received the keystroke', async () => {
  const form = await openViewpointForm(viewpointFileText);
  await getRow(form, /Price/).click();
  await form.press('F2', 'End');
  await form.page.keyboard.type(' paid');
  await form.waitForText('"title": "Price paid"');
  const release = form.holdMessages();
  await form.page.keyboard.type('XYZ');
  await form.press('Control+z');
  await getRow(form, /Price paidXYZ/).waitFor();
  expect(form.text).toContain('"title": "Price paid"');
  await release();
  await form.waitForText('"title": "Price paidXY"');
  await getRow(form, /Price paidXY /).waitFor();
  await form.press('Control+z', 'Control+z');
  await getRow(form, /Price paid /).waitFor();
  await form.waitForText('"title": "Price paid"');
});

test('the name, description, datamodel and publication of a viewpoint are edited', async () => {
  const form = await openViewpointForm(viewpointFileText);
  const { page } = form;
  await page.getByText('Shared with 1 app, 1 group, but not visible until it is published').waitFor();
  await page.getByRole('switch', { name: 'Published' }).check();
  await page.getByText('Shared with 1 app, 1 group', { exact: true }).waitFor();
  await form.waitForText(/"users": \[\], "enabled": true \},\n {2}"enabled": true\n/);
  await page.getByRole('textbox', { name: 'Name' }).fill('Cities');
  await page.getByRole('textbox', { name: 'Description' }).fill('');
  await form.waitForText(/"name": "Cities",\n {2}"description": ""/);
  await form.getButton('Change…').click();
  await form.waitForQuestion({ kind: 'datamodel' });

  const emptyForm = await openViewpointForm('{ "name": 7 }', { model: { state: 'none', title: '' } });
  await emptyForm.page.getByText('Not shared').waitFor();
  await emptyForm.page.getByText('None selected').waitFor();
  await emptyForm.page.getByText('This viewpoint has no columns.').waitFor();
  expect(await emptyForm.page.getByRole('textbox', { name: 'Name' }).isDisabled()).toBe(true);
  await emptyForm.getButton('Select…').click();
  await emptyForm.waitForQuestion({ kind: 'datamodel' });
});

test('apps, groups and users are listed by their names, added and removed', async () => {
  const text = JSON.stringify({
    name: 'Sales',
    visibility: { apps: ['Slack', 'Bot'], groups: 7, users: ['u1', 'u2'] },
  });
  const form = await openViewpointForm(text, { names: { u1: 'Amara Okafor' } });
  await form.page.getByText('Shared with 2 apps, 2 users, but not visible until it is published').waitFor();
  await getTab(form, /^Sharing$/).click();
  const users = form.page.getByRole('list', { name: 'Users' }).getByRole('listitem');
  expect(await users.allTextContents()).toEqual(['Amara Okaforu1', 'u2']);
  await form.getButton('Remove Amara Okafor').click();
  await form.waitForText('"users":["u2"]');
  await form.getButton('Remove u2').and(form.page.locator(':focus')).waitFor();
  for (const [label, list] of [
    ['Add App…', 'apps'],
    ['Add User…', 'users'],
  ] as const) {
    await form.getButton(label).click();
    await form.waitForQuestion({ kind: 'share', list });
  }
  await form.answer({ kind: 'share', list: 'users', values: ['u2', 'u3'] });
  await users.getByText('u3').waitFor();
  // A value that is not a list can only be changed in the text.
  await form.page.getByText('No groups.').waitFor();
  expect(await form.getButton('Add Group…').isDisabled()).toBe(true);
  await form.getButton('Publish').click();
  await form.page.getByText('Shared with 2 apps, 2 users', { exact: true }).waitFor();
  // A reload of the window shows the same tab again.
  await expect.poll(() => form.testPage.state).toEqual({ tab: 'sharing' });
  const restoredForm = await openViewpointForm(text, { state: form.testPage.state });
  await restoredForm.getButton('Publish').waitFor();
});

test('a problem is opened in its column, or in the text if it has no column', async () => {
  const form = await openViewpointForm(viewpointFileText, { state: { tab: 'problems' } });
  await form.page.getByText('No problems found.').waitFor();
  const descriptionProblem: FormProblem = {
    code: 'no-description',
    severity: 'information',
    message: 'A description helps.',
    path: ['description'],
  };
  form.postProblems([problem, descriptionProblem]);
  await getTab(form, /^Problems 2$/).waitFor();
  const list = form.page.getByRole('list', { name: 'Problems' });
  await list.getByRole('button', { name: /A description helps.*description$/ }).click();
  await form.waitForShowText(['description']);
  await list.getByRole('button', { name: 'Open JSON' }).first().click();
  await form.waitForShowText(['details', 'columns', 2, 'infusion']);
  await list.getByRole('button', { name: /needs a filter.*City/ }).click();
  await form.page.getByRole('heading', { name: 'City' }).waitFor();
  await form.page.getByRole('complementary').getByRole('status').getByText(problem.message).waitFor();
  await getRow(form, /A unique identifier needs a filter.*City/).waitFor();
  await form.page.getByRole('grid', { name: 'Columns' }).and(form.page.locator(':focus')).waitFor();
  // Many problems of one column are counted.
  form.postProblems(Array.from({ length: 8 }, (_, index) => ({ ...problem, message: `Problem ${index}` })));
  await form.page.getByText('and 3 more in the Problems view').waitFor();
});

test('the form is locked while the text is invalid, and shows the text when it is valid again', async () => {
  const form = await openViewpointForm(viewpointFileText);
  const name = form.page.getByRole('textbox', { name: 'Name' });
  await getRow(form, /City/).click();
  form.setText(`x${viewpointFileText}`);
  await form.page.getByText(/Invalid JSON at line 1, column 1/).waitFor();
  expect(await name.isDisabled()).toBe(true);
  expect(await form.getButton('Add Columns…').isDisabled()).toBe(true);
  await form.page.getByRole('grid', { name: 'Columns' }).focus();
  await form.press('Alt+ArrowUp', 'Delete');
  await form.getButton('Open JSON').click();
  await form.waitForShowText();
  form.setText(viewpointFileText.replace('Sales by city', 'Cities'));
  await form.page.getByText(/Invalid JSON/).waitFor({ state: 'hidden' });
  expect(await name.inputValue()).toBe('Cities');
  expect(form.testPage.messages.filter(({ type }) => type === 'edit')).toEqual([]);
  await form.page.getByRole('grid', { name: 'Columns' }).focus();
  await form.press('Alt+ArrowUp');
  await waitForColumns(form, 'Order Id', 'City', 'Unit Price');

  const readOnlyForm = await openViewpointForm(viewpointFileText, { isReadOnly: true });
  await readOnlyForm.page.getByText('This document is read-only.').waitFor();
  expect(await readOnlyForm.page.getByRole('switch', { name: 'Published' }).isDisabled()).toBe(true);
});

test('columns that the form cannot show are opened as text', async () => {
  const form = await openViewpointForm('{ "details": { "columns": { "first": {} } } }');
  await form.page.getByText("The form can't show these columns.").waitFor();
  expect(await form.getButton('Add Columns…').isDisabled()).toBe(true);
  await form.getButton('Open JSON').click();
  await form.waitForShowText(['details', 'columns']);
  form.setText(createViewpointText('text', createColumn('City')));
  await getRow(form, /\(not a column\)/).click();
  await form.page.getByRole('heading', { name: 'Column 1' }).waitFor();
  expect(await getDropdown(form, 'Type').isDisabled()).toBe(true);
  await form.getButton('Remove (Delete)').click();
  await waitForColumns(form, 'City');
});

test.each(pageThemes)('the page is accessible in %s', async (theme) => {
  const form = await openViewpointForm(viewpointFileText, { theme });
  form.postProblems([problem]);
  await getRow(form, /City/).click();
  await form.page.getByText(problem.message).first().waitFor();
  await form.testPage.screenshot(`page-viewpoint-form-columns-${theme}`);
  expect(await form.testPage.findAxeViolations()).toEqual([]);
  expect(await form.testPage.findLayoutProblems('page-viewpoint-form-columns')).toEqual([]);
  await getTab(form, /^Sharing$/).click();
  await form.testPage.screenshot(`page-viewpoint-form-sharing-${theme}`);
  expect(await form.testPage.findAxeViolations()).toEqual([]);
  expect(await form.testPage.findLayoutProblems('page-viewpoint-form-sharing')).toEqual([]);
  await getTab(form, /^Problems 1$/).click();
  await form.testPage.screenshot(`page-viewpoint-form-problems-${theme}`);
  expect(await form.testPage.findAxeViolations()).toEqual([]);
  expect(await form.testPage.findLayoutProblems('page-viewpoint-form-problems')).toEqual([]);
  form.testPage.assertNoErrors();
});
