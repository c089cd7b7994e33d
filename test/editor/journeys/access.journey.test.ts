import assert from 'node:assert/strict';
import { findAxeViolations } from '../support/axe.ts';
import { answerFileDialog } from '../support/fileDialog.ts';
import { startJourneySandbox } from '../support/journeySandbox.ts';
import { createSharedStudio } from '../support/sharedStudio.ts';
import type { Studio } from '../support/studio.ts';
import type { ThemeName } from '../support/themes.ts';

const allThemes: readonly ThemeName[] = ['dark', 'hc', 'light'];

const journey = createSharedStudio(async (owned) => {
  const sandbox = owned.use(await startJourneySandbox());
  return { sandbox, options: { env: sandbox.env } };
});

/** The cell in the row that begins with the given text. */
const cell = (studio: Studio, row: string, side = 0) =>
  studio
    .webview()
    .getByRole('row')
    .filter({ has: studio.webview().getByRole('rowheader', { name: row, exact: true }) })
    .getByRole('cell')
    .nth(side);

async function shows(studio: Studio, row: string, text: RegExp, side = 0): Promise<void> {
  await cell(studio, row, side).getByText(text).first().waitFor();
}

async function addGroup(studio: Studio, name: string): Promise<void> {
  const input = studio.webview().getByLabel('In group').last();
  await input.fill(name);
  await input.press('Enter');
}

journey('shows effective access with its reasons in sentences and saves it', async ({ studio, sandbox }) => {
  await studio.openView();
  await studio.contextMenu(['Sandbox', 'Datamodels', 'Retail'], 'Show Who Sees What…');
  const page = studio.webview();
  await page.getByRole('heading', { name: 'Who sees what of Retail' }).waitFor();
  await page
    .locator(':focus')
    .and(page.getByLabel('User', { exact: true }))
    .waitFor();

  await shows(studio, 'Regions.Region', /Sees no value/);
  await shows(studio, 'Regions.Region', /Rule for everyone else: nothing/);
  await shows(studio, 'Orders', /No rows/);
  await page.getByRole('button', { name: 'Save as Markdown' }).click();
  await answerFileDialog(studio.page);
  await studio.editorShows(/Who\ssees\swhat\sof\sRetail/);
  await studio.runCommand('View: Close Editor');

  await addGroup(studio, 'Sales North');
  await shows(studio, 'Regions.Region', /Sees only North and Nordics/);
  await shows(studio, 'Orders', /Only rows that meet a condition/);
  await shows(
    studio,
    'Orders',
    /Regions\.Region: only North and Nordics, by way of Orders\.Store Id → Stores\.Store Id, then Stores\.Region Id/,
  );
  await addGroup(studio, 'Sales South');
  await shows(studio, 'Regions.Region', /Uncertain: several lists apply/);
  await page.getByLabel('When lists overlap').selectOption({ label: 'union' });
  await shows(studio, 'Regions.Region', /Sees only North, Nordics, South and Alps/);

  await addGroup(studio, 'No Such Group');
  await page.getByText('Group not found: No Such Group.').waitFor();

  for (const theme of allThemes) {
    await studio.setTheme(theme);
    await studio.screenshot(`access-${theme}`);
    assert.deepEqual(await findAxeViolations(page), [], theme);
  }

  // The restored tab keeps its selection.
  await studio.reloadWindow();
  await page.getByRole('heading', { name: 'Who sees what of Retail' }).waitFor();
  await shows(studio, 'Regions.Region', /Sees only North, Nordics, South and Alps/);

  // Another user adds a rule: a refresh shows its effect.
  const rules = '/api/elasticubes/LocalHost/Retail/datasecurity';
  const everyoneElse = { members: [], allMembers: false, shares: [{ type: 'default' }] };
  const brand = { table: 'Products', column: 'Brand', datatype: 'text', ...everyoneElse };
  await sandbox.request('POST', rules, [brand]);
  await studio.runCommand('View: Close Editor');
  await studio.runCommand('Datamodel Studio: Show Who Sees What…');
  await studio.quickPick('Retail');
  await shows(studio, 'Products.Brand', /Sees no value/);
  await sandbox.request('DELETE', `${rules}?table=Products&column=Brand`);
  await studio.runCommand('View: Close Editor');
});
