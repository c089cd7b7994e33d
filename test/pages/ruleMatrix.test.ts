import { expect, test } from 'vitest';
import { TestMatrix } from './support/testMatrix.ts';
import { useBrowser } from './support/testPage.ts';
import { parties, retailData } from './support/retailRules.ts';

useBrowser();

const region = 'Regions.Region';
const segment = 'Customers.Segment';
const channel = 'Orders.Channel';

test('everyone else comes first, then groups, then users, and a cell without a rule shows the access that applies instead', async () => {
  const matrix = await TestMatrix.open();
  await matrix.waitForCellText('Everyone else', region, 'Nothing');
  const names = await matrix.page.getByRole('rowheader').allTextContents();
  expect(names).toEqual([
    'Everyone else',
    'Executives',
    'Sales North',
    'Sales South',
    'Amara Okafor',
    'Bruno Keller',
  ]);
  const columns = await matrix.page.getByRole('columnheader').allTextContents();
  expect(columns).toEqual(['User or group', 'Regions.Region', 'Customers.Segment', 'Orders.Channel']);
  await matrix.waitForCellText('Sales North', region, 'North; Nordics');
  await matrix.waitForCellText('Sales North', segment, 'everyone else: All');
  await matrix.waitForCellText('Amara Okafor', region, 'Sales North: North; Nordics');
  await matrix.waitForCellText('Bruno Keller', segment, 'groups unknown');
  await matrix.waitForCellText('Bruno Keller', region, 'All but Iberia');
});

test('arrow keys, Home, End and Page keys move the focus within the grid, and with Control, to its edge', async () => {
  const matrix = await TestMatrix.open();
  await matrix.waitForFocus('Everyone else', region);
  await matrix.press('ArrowUp', 'ArrowLeft');
  await matrix.waitForFocus('Everyone else', region);
  await matrix.press('ArrowDown', 'ArrowRight');
  await matrix.waitForFocus('Executives', segment);
  await matrix.press('End');
  await matrix.waitForFocus('Executives', channel);
  await matrix.press('Home');
  await matrix.waitForFocus('Executives', region);
  await matrix.press('Control+ArrowRight');
  await matrix.waitForFocus('Executives', channel);
  await matrix.press('Control+ArrowDown');
  await matrix.waitForFocus('Bruno Keller', channel);
  await matrix.press('Control+ArrowLeft');
  await matrix.waitForFocus('Bruno Keller', region);
  await matrix.press('Control+ArrowUp');
  await matrix.waitForFocus('Everyone else', region);
  await matrix.press('Control+End');
  await matrix.waitForFocus('Bruno Keller', channel);
  await matrix.press('PageUp');
  await matrix.waitForFocus('Everyone else', channel);
  await matrix.press('PageDown');
  await matrix.waitForFocus('Bruno Keller', channel);
  await matrix.press('ArrowDown', 'ArrowRight');
  await matrix.waitForFocus('Bruno Keller', channel);
  await matrix.press('Control+Home');
  await matrix.waitForFocus('Everyone else', region);
  // The grid leaves arrow keys with Alt to VS Code.
  await matrix.press('Alt+ArrowDown');
  await matrix.waitForFocus('Everyone else', region);
});

test('a cell is edited in place: the typed text is canceled, refused or accepted', async () => {
  const matrix = await TestMatrix.open();
  await matrix.select(['Sales North', region]);
  await matrix.press('F2');
  expect(await matrix.editor.inputValue()).toBe('North; Nordics');
  await matrix.page
    .getByText('All, Nothing, or values separated by semicolons. To exclude values: All but North; South')
    .waitFor();
  await matrix.editor.fill('North, Nordics');
  await matrix.page.getByText('To enter 2 values, separate them with semicolons.').waitFor();
  await matrix.editor.fill('never');
  await matrix.press('Escape');
  await matrix.waitForFocus('Sales North', region);
  await matrix.waitForCellText('Sales North', region, /^North; Nordics$/);
  await matrix.press('Enter');
  await matrix.editor.fill('All but');
  await matrix.press('Enter');
  await matrix.page.getByRole('alert').getByText('Expected at least one value after "All but".').waitFor();
  expect(await matrix.editor.getAttribute('aria-invalid')).toBe('true');
  await matrix.editor.fill('North; Alps');
  expect(await matrix.editor.getAttribute('aria-invalid')).toBe('false');
  await matrix.press('Enter');
  // Enter moves to the cell below, as in a spreadsheet.
  await matrix.waitForFocus('Sales South', region);
  await matrix.waitForCellText('Sales North', region, 'North; Alps(changed)');
  await matrix.waitForAnnouncement('1 cell changed.');
  await matrix.waitForDraft('group:north Regions.Region: only North; Alps');
});

test('a typed character replaces the content, Tab or a click elsewhere accepts the text, and Shift+Enter inserts a line break', async () => {
  const matrix = await TestMatrix.open();
  await matrix.select(['Sales North', region]);
  await matrix.press('W');
  await matrix.page.keyboard.type('est');
  await matrix.press('Tab');
  await matrix.waitForFocus('Sales North', segment);
  await matrix.waitForCellText('Sales North', region, 'West(changed)');
  await matrix.press('C');
  await matrix.press('Shift+Tab');
  await matrix.waitForFocus('Sales North', region);
  await matrix.waitForCellText('Sales North', segment, 'C(changed)');
  await matrix.press('F2');
  await matrix.editor.fill('East');
  await matrix.press('Shift+Enter');
  await matrix.page.keyboard.type('Far East');
  expect(await matrix.editor.inputValue()).toBe('East\nFar East');
  // A refused text stays open when another cell is clicked.
  await matrix.editor.fill('All but');
  await (await matrix.getCell('Executives', channel)).click();
  await matrix.page.getByText('Expected at least one value after "All but".').waitFor();
  await matrix.editor.and(matrix.page.locator(':focus')).fill('East\nFar East');
  await (await matrix.getCell('Executives', channel)).click();
  await matrix.waitForFocus('Executives', channel);
  await matrix.waitForCellText('Sales North', region, 'East; Far East(changed)');
  await matrix.waitForDraft(
    'group:north Customers.Segment: only C',
    'group:north Regions.Region: only East; Far East',
  );
});

test('a double click edits a cell, and Control+Enter fills the selection with the typed text', async () => {
  const matrix = await TestMatrix.open();
  await (await matrix.getCell('Sales South', region)).dblclick();
  expect(await matrix.editor.inputValue()).toBe('South; Alps');
  await matrix.press('Escape');
  await matrix.select(['Sales North', region], ['Sales South', segment]);
  await matrix.press('F2');
  await matrix.editor.fill('Iberia');
  await matrix.press('Control+Enter');
  await matrix.waitForAnnouncement('4 cells changed.');
  await matrix.waitForDraft(
    'group:north Customers.Segment: only Iberia',
    'group:north Regions.Region: only Iberia',
    'group:south Customers.Segment: only Iberia',
    'group:south Regions.Region: only Iberia',
  );
  await matrix.waitForFocus('Sales South', segment);
});

test('Delete, the space bar, undo and redo work on the selection', async () => {
  const matrix = await TestMatrix.open();
  await matrix.select(['Sales South', region]);
  await matrix.press('Shift+ArrowRight');
  await matrix.page.getByText('2 cells', { exact: true }).waitFor();
  await matrix.press('Delete');
  await matrix.waitForCellText('Sales South', region, 'everyone else: Nothing(changed)');
  await matrix.waitForAnnouncement('1 cell changed.');
  // The space bar sets Nothing first, because it grants no access, then All, then no rule.
  await matrix.press(' ');
  await matrix.waitForDraft('group:south Customers.Segment: only', 'group:south Regions.Region: only');
  await matrix.press(' ');
  await matrix.waitForDraft('group:south Customers.Segment: except', 'group:south Regions.Region: except');
  await matrix.press(' ');
  await matrix.waitForDraft('group:south Regions.Region: no rule');
  await matrix.press('Control+z');
  await matrix.waitForAnnouncement('2 unapplied changes.');
  await matrix.waitForCellText('Sales South', segment, 'All(changed)');
  await matrix.press('Control+z', 'Control+z');
  await matrix.waitForAnnouncement('1 unapplied change.');
  await matrix.press('Control+z');
  await matrix.waitForAnnouncement('No unapplied changes.');
  await matrix.waitForCellText('Sales South', region, /^South; Alps$/);
  expect(await matrix.getButton('Undo').isDisabled()).toBe(true);
  await matrix.press('Control+y');
  await matrix.waitForAnnouncement('1 unapplied change.');
  await matrix.press('Control+Shift+z');
  await matrix.waitForCellText('Sales South', segment, 'Nothing(changed)');
  await matrix.getButton('Undo').click();
  await matrix.waitForCellText('Sales South', segment, 'everyone else: All');
  await matrix.getButton('Redo').click();
  await matrix.waitForCellText('Sales South', segment, 'Nothing(changed)');
  await matrix.waitForDraft('group:south Customers.Segment: only', 'group:south Regions.Region: only');
});

test('cells are filled from above and from the left', async () => {
  const matrix = await TestMatrix.open();
  await matrix.select(['Executives', region], ['Sales South', region]);
  await matrix.press('Control+d');
  await matrix.waitForAnnouncement('2 cells changed.');
  await matrix.waitForDraft('group:north Regions.Region: except', 'group:south Regions.Region: except');
  // A selection of one row is filled from the row above it.
  await matrix.select(['Bruno Keller', region]);
  await matrix.press('Control+d');
  await matrix.waitForAnnouncement('1 cell changed.');
  await matrix.waitForCellText('Bruno Keller', region, '(changed)');
  await matrix.select(['Executives', segment], ['Executives', channel]);
  await matrix.press('Control+r');
  await matrix.waitForCellText('Executives', channel, 'Club(changed)');
  await matrix.select(['Everyone else', channel]);
  await matrix.press('Control+r');
  await matrix.waitForAnnouncement('No cells changed.');
  await matrix.press('Control+d');
  await matrix.waitForAnnouncement('No cells changed.');
  expect(await matrix.getButton('Fill Down').isDisabled()).toBe(true);
});

test('ranges are selected by Shift, Control+A and dragging, and Escape reduces them to one cell', async () => {
  const matrix = await TestMatrix.open();
  const selectedCells = matrix.page.locator('[role="gridcell"][aria-selected="true"]');
  await matrix.waitForFocus('Everyone else', region);
  await matrix.press('Control+a');
  await matrix.page.getByText('18 cells', { exact: true }).waitFor();
  expect(await selectedCells.count()).toBe(18);
  await matrix.press('Escape');
  await matrix.page.getByText('1 cell', { exact: true }).waitFor();
  await matrix.waitForFocus('Everyone else', region);
  await matrix.select(['Executives', region], ['Sales North', segment]);
  await matrix.page.getByText('4 cells', { exact: true }).waitFor();
  // Shift moves the other end of the selection, even past the cell where it began.
  await matrix.press('Shift+ArrowUp', 'Shift+ArrowUp');
  await matrix.page.getByText('4 cells', { exact: true }).waitFor();
  await matrix.waitForFocus('Everyone else', segment);
  await (await matrix.getCell('Sales North', region)).hover();
  await matrix.page.mouse.down();
  await (await matrix.getCell('Amara Okafor', channel)).hover();
  await matrix.page.mouse.up();
  await matrix.page.getByText('9 cells', { exact: true }).waitFor();
  await (await matrix.getCell('Everyone else', region)).hover();
  expect(await selectedCells.count()).toBe(9);
});

test('the buttons below the grid act on the selection', async () => {
  const matrix = await TestMatrix.open();
  await matrix.select(['Sales North', region], ['Sales South', region]);
  await matrix.getButton('All').click();
  await matrix.waitForDraft('group:north Regions.Region: except', 'group:south Regions.Region: except');
  await matrix.getButton('Nothing').click();
  await matrix.waitForDraft('group:north Regions.Region: only', 'group:south Regions.Region: only');
  await matrix.getButton('No Rule').click();
  await matrix.waitForDraft('group:north Regions.Region: no rule', 'group:south Regions.Region: no rule');
  await matrix.getButton('Values…').click();
  await matrix.editor.fill('East');
  await matrix.editor.press('Enter');
  await matrix.waitForDraft('group:north Regions.Region: only East', 'group:south Regions.Region: only East');
  await matrix.select(['Executives', region], ['Sales North', region]);
  await matrix.getButton('Fill Down').click();
  await matrix.waitForCellText('Sales North', region, 'All(changed)');
  await matrix.select(['Sales South', region]);
  await matrix.page.getByText('Group Sales South on Regions.Region: East', { exact: true }).waitFor();
  await matrix.page.getByText('On the server: South; Alps').waitFor();
  await matrix.getButton('Revert This Cell').click();
  await matrix.waitForDraft('group:north Regions.Region: except');
});

test('rows and columns are filtered by name, and can be limited to changed ones', async () => {
  const matrix = await TestMatrix.open();
  await matrix.page.getByText('Users and groups: 6, columns: 3').waitFor();
  await matrix.page.getByLabel('Filter users and groups').fill('SALES');
  await matrix.page
    .getByRole('status')
    .filter({ hasText: '3 of 6 users and groups, 3 of 3 columns' })
    .waitFor();
  await matrix.page.getByLabel('Filter columns').fill('seg');
  await matrix.page.getByText('3 of 6 users and groups, 1 of 3 columns').waitFor();
  await matrix.page.getByLabel('Filter columns').fill('nowhere');
  await matrix.page.getByText('No matching columns.').waitFor();
  await matrix.page.getByLabel('Filter columns').fill('');
  await matrix.page.getByLabel('Filter users and groups').fill('amara');
  await matrix.page.getByText('2 of 6 users and groups, 3 of 3 columns').waitFor();
  await matrix.editCell('Amara Okafor', channel, 'Online');
  await matrix.page.getByLabel('Filter users and groups').fill('');
  await matrix.editCell('Sales North', region, 'West');
  await matrix.page.getByLabel('Show changes only').check();
  await matrix.page.getByText('3 of 6 users and groups, 2 of 3 columns').waitFor();
  await matrix.page.getByLabel('Show changes only').uncheck();
  await matrix.page.getByText('Users and groups: 6, columns: 3').waitFor();
});

test('known values are offered in a cell, and chosen with the arrow keys', async () => {
  const matrix = await TestMatrix.open([
    { type: 'values', lists: [[{ table: 'Regions', column: 'Region', values: [['Overseas', 1]] }]] },
    retailData,
    { type: 'parties', parties },
  ]);
  const offeredValues = matrix.page.getByRole('group', { name: 'Known values' }).getByRole('button');
  await matrix.select(['Executives', region]);
  await matrix.press('F2');
  await matrix.editor.fill('');
  await expect.poll(() => offeredValues.allTextContents()).toContain('Overseas');
  await matrix.editor.fill('nor');
  await expect.poll(() => offeredValues.allTextContents()).toEqual(['Nordics', 'North']);
  await matrix.testPage.screenshot('page-rule-matrix-values');
  await matrix.testPage.setTheme('dark');
  await matrix.testPage.screenshot('page-rule-matrix-values-dark');
  expect(await matrix.testPage.findAxeViolations()).toEqual([]);
  await matrix.press('ArrowDown', 'ArrowDown', 'Enter');
  expect(await matrix.editor.inputValue()).toBe('North');
  await matrix.page.keyboard.type('; over');
  await offeredValues.filter({ hasText: 'Overseas' }).click();
  expect(await matrix.editor.inputValue()).toBe('North; Overseas');
  await matrix.press('ArrowDown', 'Escape', 'Enter');
  await matrix.waitForDraft('group:executives Regions.Region: only North; Overseas');
});

test('a value that other rules spell with different letter case causes a warning, and can be replaced by their spelling', async () => {
  const matrix = await TestMatrix.open();
  await matrix.select(['Executives', region]);
  await matrix.press('F2');
  await matrix.editor.fill('All but north');
  const warning = matrix.page.getByText('"north" is spelled "North" in other rules on this column.');
  await warning.waitFor();
  await matrix.press('Enter');
  await matrix.waitForDraft('group:executives Regions.Region: except north');
  // The next cell is selected now, and the cell with the mistake is still marked.
  const markedCell = matrix.page.getByRole('gridcell', { name: 'All but north' }).locator('.codicon-warning');
  await markedCell.waitFor();
  await matrix.select(['Executives', region]);
  await warning.waitFor();
  for (const theme of ['light', 'dark'] as const) {
    await matrix.testPage.setTheme(theme);
    expect(await matrix.testPage.findAxeViolations()).toEqual([]);
    await matrix.testPage.screenshot(`page-rule-matrix-spelling-${theme}`);
    expect(await matrix.testPage.findLayoutProblems('page-rule-matrix-spelling')).toEqual([]);
  }
  await matrix.getButton('Use "North"').click();
  await matrix.waitForDraft('group:executives Regions.Region: except North');
  await warning.waitFor({ state: 'hidden' });
  expect(await matrix.page.locator('.grid-cell .codicon-warning').count()).toBe(0);
  // There is no warning if only the rule of the cell itself has the other spelling.
  await matrix.select(['Bruno Keller', region]);
  await matrix.press('F2');
  await matrix.editor.fill('All but iberia');
  await matrix.page
    .getByText('All, Nothing, or values separated by semicolons. To exclude values: All but North; South')
    .waitFor();
});
