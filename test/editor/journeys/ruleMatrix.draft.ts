import assert from 'node:assert/strict';
import type { Rule } from '../../../src/contract/rule.ts';
import { writeCell } from '../../../src/security/matrix/cellText.ts';
import { ruleMatrix } from '../../../src/security/matrix/ruleMatrix.ts';
import { accessibilityProblems } from '../support/accessibility.ts';
import { journey } from '../support/journey.ts';
import { openSandbox, type TestSandbox } from '../support/sandbox.ts';
import type { Studio } from '../support/studio.ts';
import type { ThemeName } from '../support/themes.ts';

const allThemes: readonly ThemeName[] = ['dark', 'hc', 'light'];
const retail = '/api/elasticubes/LocalHost/Retail/datasecurity';
const support = '/api/v1/elasticubes/live/Support%20Desk/datasecurity';

/** The cell of a party, by the words that its row and column begin with. */
async function cell(studio: Studio, party: string, column: string) {
  const page = studio.webview();
  const head = page.getByRole('columnheader', { name: column });
  const index = await head.getAttribute('aria-colindex');
  return page
    .getByRole('row')
    .filter({ has: page.getByRole('rowheader', { name: new RegExp(`^(?:group |user )?${party}$`, 'i') }) })
    .locator(`[role="gridcell"][aria-colindex="${index}"]`);
}

async function shows(studio: Studio, party: string, column: string, text: RegExp): Promise<void> {
  await (await cell(studio, party, column)).filter({ hasText: text }).waitFor();
}

/** Types into the cell as a person does: the first letter begins. */
async function type(studio: Studio, party: string, column: string, text: string): Promise<void> {
  await (await cell(studio, party, column)).click();
  await studio.page.keyboard.press('F2');
  await studio.page.keyboard.press('Control+a');
  await studio.page.keyboard.insertText(text);
  await studio.page.keyboard.press('Enter');
}

/** What the rules of the server say on a column, a line for each party. */
async function said(sandbox: TestSandbox, path: string, column: string): Promise<readonly string[]> {
  const rules = (await sandbox.request('GET', path)) as readonly Rule[];
  const names = new Map(
    rules.flatMap(({ shares }) =>
      (shares ?? []).map((share) => [
        `${share.type}:${share.partyId ?? share.party ?? ''}`,
        share.partyName ?? share.type,
      ]),
    ),
  );
  return [...ruleMatrix(rules, false).cells]
    .filter(([key]) => key.startsWith(`${JSON.stringify(column.split('.'))} `))
    .map(([key, { value }]) => {
      const party = key.slice(JSON.stringify(column.split('.')).length + 1);
      return `${names.get(party) ?? party}: ${writeCell(value)}`;
    })
    .sort();
}

async function openMatrix(studio: Studio, title: string): Promise<void> {
  await studio.openView();
  await studio.contextMenu(['Sandbox', 'Datamodels', title], 'Edit Rules as a Matrix…');
  await studio
    .webview()
    .getByRole('heading', { name: `Rules of ${title}` })
    .waitFor();
}

/** Applies as a person who looks at the plan and wants it. */
async function applyPlan(studio: Studio): Promise<void> {
  await studio
    .webview()
    .getByRole('button', { name: /^Apply .*Changes?…$/ })
    .click();
  await studio.openedEditor(/^Plan: /);
  await studio.webview().getByRole('button', { name: 'Apply', exact: true }).click();
}

journey('rules are edited as a grid by the keyboard, and applied as one plan', async ({ openStudio }) => {
  await using sandbox = await openSandbox();
  const studio = await openStudio({ env: sandbox.env });
  const { keyboard } = studio.page;
  await openMatrix(studio, 'Retail');
  const page = studio.webview();
  await shows(studio, 'Everybody else', 'Regions.Region', /Nothing/);
  await shows(studio, 'Sales North', 'Regions.Region', /North; Nordics/);
  await shows(studio, 'Sales North', 'Customers.Segment', /default: All/);

  // In place: typed, cancelled, refused, taken.
  await (await cell(studio, 'Sales North', 'Regions.Region')).click();
  await keyboard.press('F2');
  await page.getByLabel('Values of the cell').fill('never');
  await keyboard.press('Escape');
  await shows(studio, 'Sales North', 'Regions.Region', /North; Nordics/);
  await keyboard.press('F2');
  await page.getByLabel('Values of the cell').fill('All but');
  await keyboard.press('Enter');
  await page.getByText('All but what? Name at least one value.').waitFor();
  await page.getByLabel('Values of the cell').fill('North; Alps');
  await keyboard.press('Enter');
  await shows(studio, 'Sales North', 'Regions.Region', /North; Alps.*changed/);

  // Over the row below, which has the focus now: a selection is filled, cleared, toggled, taken back.
  await shows(studio, 'Sales South', 'Regions.Region', /South; Alps/);
  await keyboard.press('Shift+ArrowRight');
  await page.getByText('2 cells', { exact: true }).waitFor();
  await keyboard.press('Delete');
  await shows(studio, 'Sales South', 'Regions.Region', /default: Nothing/);
  await keyboard.press(' ');
  await shows(studio, 'Sales South', 'Customers.Segment', /Nothing/);
  await keyboard.press('Control+z');
  await shows(studio, 'Sales South', 'Customers.Segment', /default: All/);
  await keyboard.press('Control+y');
  await shows(studio, 'Sales South', 'Customers.Segment', /Nothing/);
  await keyboard.press('Control+Home');
  await keyboard.press('ArrowDown');
  await keyboard.press('Home');
  await page.getByText(/^group Executives on Regions.Region: All/).waitFor();
  await keyboard.press('Shift+ArrowDown');
  await keyboard.press('Control+d');
  await page.getByText('Nothing was changed.').waitFor();
  await studio.openedEditor(/^● Rules: Retail/);

  for (const theme of allThemes) {
    await studio.setTheme(theme);
    await studio.screenshot(`matrix-${theme}`);
    assert.deepEqual(await accessibilityProblems(page), [], theme);
  }

  await page.getByLabel('Only changed').check();
  await page.getByText('3 of 14 parties, 2 of 7 columns').waitFor();
  await page.getByLabel('Only changed').uncheck();
  await page.getByRole('button', { name: 'Apply 3 Changes…' }).click();
  await studio.openedEditor(/^Plan: /);
  await studio.screenshot('matrix-plan');
  await studio.webview().getByRole('button', { name: 'Apply', exact: true }).click();
  await studio.openedEditor('Rules: Retail');
  await page.getByText('The rules of the server say what the grid says.').waitFor();
  const regions = await said(sandbox, retail, 'Regions.Region');
  assert.ok(regions.includes('Sales North: North; Alps'), regions.join('\n'));
  assert.ok(regions.includes('Sales South: Nothing'), regions.join('\n'));
  assert.ok(regions.includes('Sales: North; South; West'), regions.join('\n'));
  assert.deepEqual(await said(sandbox, retail, 'Customers.Segment'), [
    'Marketing: Club',
    'Sales South: Nothing',
    'default: All',
  ]);
});

journey('blocks go to and from a spreadsheet', async ({ openStudio }) => {
  await using sandbox = await openSandbox();
  const studio = await openStudio({ env: sandbox.env });
  const { keyboard } = studio.page;
  await openMatrix(studio, 'Retail');
  const page = studio.webview();
  await (await cell(studio, 'Sales', 'Regions.Region')).click();
  await (await cell(studio, 'Sales South', 'Customers.Segment')).click({ modifiers: ['Shift'] });
  await keyboard.press('Control+c');
  await page.getByText('6 cells copied.').waitFor();

  // What a spreadsheet gets, and what it gives back: an untitled document stands for it.
  await studio.runCommand('File: New Untitled Text File');
  await keyboard.press('Control+v');
  await studio.editorShows(/North;\sSouth;\sWest/);
  await keyboard.press('Control+a');
  await keyboard.insertText('"West"\tClub; Home Office\r\nAll but Alps\tNothing\r\n');
  await keyboard.press('Control+a');
  await keyboard.press('Control+c');
  await studio.page.locator('.tab', { hasText: 'Rules: Retail' }).click();
  await (await cell(studio, 'Sales', 'Regions.Region')).click();
  await keyboard.press('Control+v');
  await shows(studio, 'Sales', 'Regions.Region', /West.*changed/);
  await shows(studio, 'Sales', 'Customers.Segment', /Club; Home Office/);
  await shows(studio, 'Sales North', 'Regions.Region', /All but Alps/);
  await shows(studio, 'Sales North', 'Customers.Segment', /Nothing/);
  await page.getByText('4 cells changed.').waitFor();
  await studio.screenshot('matrix-pasted');
  await page.getByRole('button', { name: 'Revert', exact: true }).click();
  await shows(studio, 'Sales', 'Regions.Region', /North; South; West/);
});

journey(
  'what changed on the server meanwhile is told, and what was not applied is kept',
  async ({ openStudio }) => {
    await using sandbox = await openSandbox();
    const studio = await openStudio({ env: sandbox.env });
    await openMatrix(studio, 'Retail');
    const page = studio.webview();
    await type(studio, 'Sales North', 'Regions.Region', 'West');
    await type(studio, 'Marketing', 'Customers.Segment', 'Club; Business');

    const rules = (await sandbox.request('GET', retail)) as readonly Rule[];
    const theirs = rules.find(({ members }) => members?.join() === 'North,Nordics');
    await sandbox.request('PUT', `/api/elasticubes/datasecurity/${theirs?._id}`, {
      ...theirs,
      members: ['Iberia'],
    });
    await page.getByRole('button', { name: 'Apply 2 Changes…' }).click();
    await page.getByText(/changed on the server meanwhile/).waitFor();
    await page.getByRole('button', { name: 'Show' }).click();
    await page.getByText('On the server it is now: Iberia').waitFor();
    await studio.screenshot('matrix-conflict');
    assert.deepEqual(await accessibilityProblems(page), []);

    // The tab is closed by mistake: nothing of it is lost.
    await studio.runCommand('View: Close Editor');
    await studio.notificationAction(/2 changes of the rules of Retail were not applied/, 'Open Again');
    await page.getByText(/changed on the server meanwhile/).waitFor();
    await shows(studio, 'Sales North', 'Regions.Region', /West.*changed here and on the server/);
    // So is a window.
    await studio.reload();
    await shows(studio, 'Sales North', 'Regions.Region', /West.*changed here and on the server/);
    await page.getByRole('alert').getByRole('button', { name: 'Keep Mine' }).click();
    await applyPlan(studio);
    await page.getByText('The rules of the server say what the grid says.').waitFor();
    const regions = await said(sandbox, retail, 'Regions.Region');
    assert.ok(regions.includes('Sales North: West'), regions.join('\n'));
    assert.ok((await said(sandbox, retail, 'Customers.Segment')).includes('Marketing: Club; Business'));
  },
);

journey('a live datamodel without rules gets its first column and party', async ({ openStudio }) => {
  await using sandbox = await openSandbox();
  for (const { _id } of (await sandbox.request('GET', support)) as readonly Rule[]) {
    await sandbox.request('DELETE', `/api/v1/elasticubes/live/datasecurity/${_id}`);
  }
  const studio = await openStudio({ env: sandbox.env });
  await openMatrix(studio, 'Support Desk');
  const page = studio.webview();
  await page.getByText(/There are no rules/).waitFor();
  await studio.screenshot('matrix-empty');
  assert.deepEqual(await accessibilityProblems(page), []);
  await page.getByRole('button', { name: 'Add Column…' }).first().click();
  await page.getByLabel('Column to secure').fill('Tickets.Cuontry');
  await studio.page.keyboard.press('Enter');
  await page.getByText(/There is no column Tickets.Cuontry/).waitFor();
  await page.getByLabel('Column to secure').fill('Tickets.Country');
  await studio.page.keyboard.press('Enter');
  await shows(studio, 'Everybody else', 'Tickets.Country', /no rule/);
  await studio.page.keyboard.press(' ');
  await page.getByRole('button', { name: 'Add Party…' }).click();
  await page.getByLabel('Name of a group').fill('No Such Group');
  await studio.page.keyboard.press('Enter');
  await page.getByText('There is no group No Such Group.').waitFor();
  await studio.screenshot('matrix-add-party');
  await page.getByLabel('Name of a group').fill('Executives');
  await studio.page.keyboard.press('Enter');
  await shows(studio, 'Executives', 'Tickets.Country', /default: Nothing/);
  await type(studio, 'Executives', 'Tickets.Country', 'All but Germany');
  await page.getByText(/Rules of live datamodels cannot hide values/).waitFor();
  await studio.page.keyboard.press('Escape');
  await type(studio, 'Executives', 'Tickets.Country', 'All');
  await page.getByRole('button', { name: 'Apply 2 Changes…' }).click();
  await page.getByText('The rules of the server say what the grid says.').waitFor();
  assert.deepEqual(await said(sandbox, support, 'Tickets.Country'), ['Executives: All', 'default: Nothing']);
});
