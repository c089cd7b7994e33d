import assert from 'node:assert/strict';
import { findAxeViolations } from '../support/axe.ts';
import { startJourneySandbox } from '../support/journeySandbox.ts';
import { saveAndReadFile } from '../support/editorState.ts';
import { createSharedStudio } from '../support/sharedStudio.ts';
import type { Studio } from '../support/studio.ts';

const head =
  '"server": "LocalHost", "elasticube": "Retail", "table": "Customers", "column": "Segment", "datatype": "text"';
const rules = `[
  // Anyone not named below.
  { ${head}, "members": [], "allMembers": false, "shares": [{ "type": "default" }] },
  { ${head}, "members": ["Consumer", "Corporate"], "allMembers": null, "shares": [{ "party": "g1", "partyName": "Sales", "type": "group" }, { "party": "g2", "partyName": "Finance", "type": "group" }] } // both
]
`;
const rule = `{
  // One rule.
  ${head},
  "members": [], "allMembers": true, "exclusionary": false,
  "shares": [{ "party": "g1", "partyName": "Sales", "type": "group" }]
}
`;

/** Its members are listed, so `allMembers` has to be null. */
const wrong = rule.replace(
  '"members": [], "allMembers": true',
  '"members": ["Consumer"], "allMembers": false',
);

const journey = createSharedStudio(async (owned) => {
  const sandbox = owned.use(await startJourneySandbox());
  const workspace = { 'Segment.rule.json': rule, 'Wrong.rule.json': wrong, 'Retail.rules.json': rules };
  return { options: { env: sandbox.env, workspace, settings: { 'files.autoSave': 'off' } } };
});

async function openForm(studio: Studio, name: string) {
  await studio.runCommand('Go to File...');
  await studio.page.locator('.quick-input-widget:visible input').fill(name);
  await studio.quickInput.shows(name);
  await studio.page.keyboard.press('Enter');
  await studio.openedEditor(name);
  await studio.page.getByRole('button', { name: 'Open Form' }).first().click();
  return studio.webview();
}

journey('one rule is edited in its form', async ({ studio }) => {
  const form = await openForm(studio, 'Segment.rule.json');
  await form.getByRole('radio', { name: 'Everything' }).waitFor();
  await form.getByRole('radio', { name: 'Only these values' }).check();
  await form.getByRole('textbox', { name: 'Values, one a line' }).click();
  await studio.page.keyboard.type('Consumer');
  await studio.page.keyboard.press('Enter');
  await studio.page.keyboard.type('Home Office');
  await form.getByText('One value a line. 2 now.').waitFor();
  await studio.screenshot('rule-form-light');
  // A group that no rule names is looked up on the instance.
  await form.getByRole('button', { name: 'Add Party…' }).click();
  await studio.quickPick(/Group…/);
  await studio.page.locator('.quick-input-widget:visible input').fill('Executives');
  await studio.page
    .locator('.quick-input-list .monaco-list-row', { hasText: /Look up the group|Executives/ })
    .first()
    .click();
  await form
    .getByRole('listitem')
    .filter({ hasText: 'Executives' })
    .or(form.getByRole('listitem').nth(1))
    .first()
    .waitFor();
  const text = await saveAndReadFile(studio, 'Segment.rule.json');
  assert.match(text, /^\{\n {2}\/\/ One rule\.\n/);
  assert.match(text, /"members": \[\s*"Consumer",\s*"Home Office"\s*\], "allMembers": null/);
  assert.match(text, /"partyName": "Sales", "type": "group" \}, \{ "party": "[^"]+", "type": "group" \}\]/);
});

journey('a rule set is shown as a matrix of parties and columns', async ({ studio }) => {
  const form = await openForm(studio, 'Retail.rules.json');
  await form.getByRole('grid', { name: 'Rules' }).waitFor();
  await form.getByText('Loading its tables').waitFor({ state: 'hidden' });
  await form.getByRole('gridcell', { name: 'only 2 values' }).first().click();
  for (const theme of ['light', 'dark', 'hc'] as const) {
    await studio.setTheme(theme);
    assert.deepEqual(await findAxeViolations(studio.webview()), [], `matrix, ${theme}`);
    await studio.screenshot(`rule-set-form-${theme}`);
  }
  // One of the two parties gets its own rule and then sees everything.
  await form.getByRole('button', { name: 'Make It a Rule of Its Own' }).click();
  await form.getByRole('button', { name: 'Make It a Rule of Its Own' }).waitFor({ state: 'hidden' });
  await form.getByRole('radio', { name: 'Everything' }).check();
  await form.getByRole('gridcell', { name: 'everything' }).waitFor();
  // By keyboard to everyone else, and a new rule on another column.
  await form.getByRole('grid', { name: 'Rules' }).focus();
  await studio.page.keyboard.press('ArrowUp');
  await form.getByRole('heading', { name: 'Everyone else on Segment' }).waitFor();
  await form.getByRole('button', { name: 'Add Rule…' }).click();
  await studio.quickPick('City');
  await studio.quickPick(/Everyone else/);
  await form.getByRole('columnheader', { name: /City/ }).waitFor();
  const text = await saveAndReadFile(studio, 'Retail.rules.json');
  assert.match(text, /\/\/ Anyone not named below\./);
  assert.match(text, /\/\/ both/);
  const saved = JSON.parse(text.replaceAll(/\/\/.*$/gm, '')) as Readonly<Record<string, unknown>>[];
  assert.equal(saved.length, 4);
  assert.deepEqual(
    saved.map(({ allMembers }) => allMembers),
    [false, null, true, false],
  );
  const one = await openForm(studio, 'Wrong.rule.json');
  await one.getByText(/must be null, not false/).waitFor();
  for (const theme of ['hc', 'dark', 'light'] as const) {
    await studio.setTheme(theme);
    assert.deepEqual(await findAxeViolations(studio.webview()), [], `one rule with a problem, ${theme}`);
    await studio.screenshot(`rule-form-problem-${theme}`);
  }
});
