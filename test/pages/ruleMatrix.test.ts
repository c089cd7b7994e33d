import { expect, test } from 'vitest';
import { TestMatrix } from './support/matrix.ts';
import { useBrowser } from './support/openPage.ts';

useBrowser();

const region = 'Regions.Region';
const segment = 'Customers.Segment';
const channel = 'Orders.Channel';

test('everyone else comes first, then groups, then users; a cell without a rule says what holds', async () => {
  const matrix = await TestMatrix.open();
  await matrix.shows('Everyone else', region, 'Nothing');
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
  expect(columns).toEqual(['Party', 'Regions.Region', 'Customers.Segment', 'Orders.Channel']);
  await matrix.shows('Sales North', region, 'North; Nordics');
  await matrix.shows('Sales North', segment, 'default: All');
  await matrix.shows('Amara Okafor', region, 'Sales North: North; Nordics');
  await matrix.shows('Bruno Keller', segment, 'groups unknown');
  await matrix.shows('Bruno Keller', region, 'All but Iberia');
});

test('arrows, Home, End and Page keys move; Control goes to the edge; nothing leaves the grid', async () => {
  const matrix = await TestMatrix.open();
  await matrix.focused('Everyone else', region);
  await matrix.press('ArrowUp', 'ArrowLeft');
  await matrix.focused('Everyone else', region);
  await matrix.press('ArrowDown', 'ArrowRight');
  await matrix.focused('Executives', segment);
  await matrix.press('End');
  await matrix.focused('Executives', channel);
  await matrix.press('Home');
  await matrix.focused('Executives', region);
  await matrix.press('Control+ArrowRight');
  await matrix.focused('Executives', channel);
  await matrix.press('Control+ArrowDown');
  await matrix.focused('Bruno Keller', channel);
  await matrix.press('Control+ArrowLeft');
  await matrix.focused('Bruno Keller', region);
  await matrix.press('Control+ArrowUp');
  await matrix.focused('Everyone else', region);
  await matrix.press('Control+End');
  await matrix.focused('Bruno Keller', channel);
  await matrix.press('PageUp');
  await matrix.focused('Everyone else', channel);
  await matrix.press('PageDown');
  await matrix.focused('Bruno Keller', channel);
  await matrix.press('ArrowDown', 'ArrowRight');
  await matrix.focused('Bruno Keller', channel);
  await matrix.press('Control+Home');
  await matrix.focused('Everyone else', region);
  // The editor of VS Code moves focus with Alt, not the grid.
  await matrix.press('Alt+ArrowDown');
  await matrix.focused('Everyone else', region);
});

test('a cell is edited in place: typed, canceled, refused and accepted', async () => {
  const matrix = await TestMatrix.open();
  await matrix.select(['Sales North', region]);
  await matrix.press('F2');
  expect(await matrix.editor.inputValue()).toBe('North; Nordics');
  await matrix.page.getByText('All, Nothing, values with ; between them, or All but values').waitFor();
  await matrix.editor.fill('never');
  await matrix.press('Escape');
  await matrix.focused('Sales North', region);
  await matrix.shows('Sales North', region, /^North; Nordics$/);
  await matrix.press('Enter');
  await matrix.editor.fill('All but');
  await matrix.press('Enter');
  await matrix.page.getByRole('alert').getByText('All but what? Name at least one value.').waitFor();
  expect(await matrix.editor.getAttribute('aria-invalid')).toBe('true');
  await matrix.editor.fill('North; Alps');
  expect(await matrix.editor.getAttribute('aria-invalid')).toBe('false');
  await matrix.press('Enter');
  // Enter goes to the cell below, as in a spreadsheet.
  await matrix.focused('Sales South', region);
  await matrix.shows('Sales North', region, 'North; Alps(changed)');
  await matrix.says('One cell changed.');
  await matrix.keeps('group:north Regions.Region: only North; Alps');
});

test('a typed character replaces the cell; Tab goes on, Shift+Enter makes a line, a click elsewhere accepts', async () => {
  const matrix = await TestMatrix.open();
  await matrix.select(['Sales North', region]);
  await matrix.press('W');
  await matrix.page.keyboard.type('est');
  await matrix.press('Tab');
  await matrix.focused('Sales North', segment);
  await matrix.shows('Sales North', region, 'West(changed)');
  await matrix.press('C');
  await matrix.press('Shift+Tab');
  await matrix.focused('Sales North', region);
  await matrix.shows('Sales North', segment, 'C(changed)');
  await matrix.press('F2');
  await matrix.editor.fill('East');
  await matrix.press('Shift+Enter');
  await matrix.page.keyboard.type('Far East');
  expect(await matrix.editor.inputValue()).toBe('East\nFar East');
  // A refused text stays open when another cell is clicked.
  await matrix.editor.fill('All but');
  await (await matrix.cell('Executives', channel)).click();
  await matrix.page.getByText('All but what? Name at least one value.').waitFor();
  await matrix.editor.and(matrix.page.locator(':focus')).fill('East\nFar East');
  await (await matrix.cell('Executives', channel)).click();
  await matrix.focused('Executives', channel);
  await matrix.shows('Sales North', region, 'East; Far East(changed)');
  await matrix.keeps(
    'group:north Customers.Segment: only C',
    'group:north Regions.Region: only East; Far East',
  );
});

test('a double click edits; Control+Enter fills the selection with what is typed', async () => {
  const matrix = await TestMatrix.open();
  await (await matrix.cell('Sales South', region)).dblclick();
  expect(await matrix.editor.inputValue()).toBe('South; Alps');
  await matrix.press('Escape');
  await matrix.select(['Sales North', region], ['Sales South', segment]);
  await matrix.press('F2');
  await matrix.editor.fill('Iberia');
  await matrix.press('Control+Enter');
  await matrix.says('4 cells changed.');
  await matrix.keeps(
    'group:north Customers.Segment: only Iberia',
    'group:north Regions.Region: only Iberia',
    'group:south Customers.Segment: only Iberia',
    'group:south Regions.Region: only Iberia',
  );
  await matrix.focused('Sales South', segment);
});

test('Delete, the space bar, undo and redo work on the selection', async () => {
  const matrix = await TestMatrix.open();
  await matrix.select(['Sales South', region]);
  await matrix.press('Shift+ArrowRight');
  await matrix.page.getByText('2 cells', { exact: true }).waitFor();
  await matrix.press('Delete');
  await matrix.shows('Sales South', region, 'default: Nothing(changed)');
  await matrix.says('One cell changed.');
  // Nothing first, because it lets see nothing; then All; then no rule.
  await matrix.press(' ');
  await matrix.keeps('group:south Customers.Segment: only', 'group:south Regions.Region: only');
  await matrix.press(' ');
  await matrix.keeps('group:south Customers.Segment: except', 'group:south Regions.Region: except');
  await matrix.press(' ');
  await matrix.keeps('group:south Regions.Region: no rule');
  await matrix.press('Control+z');
  await matrix.says('2 unsaved changes.');
  await matrix.shows('Sales South', segment, 'All(changed)');
  await matrix.press('Control+z', 'Control+z');
  await matrix.says('One unsaved change.');
  await matrix.press('Control+z');
  await matrix.says('No unsaved changes.');
  await matrix.shows('Sales South', region, /^South; Alps$/);
  expect(await matrix.button('Undo').isDisabled()).toBe(true);
  await matrix.press('Control+y');
  await matrix.says('One unsaved change.');
  await matrix.press('Control+Shift+z');
  await matrix.shows('Sales South', segment, 'Nothing(changed)');
  await matrix.button('Undo').click();
  await matrix.shows('Sales South', segment, 'default: All');
  await matrix.button('Redo').click();
  await matrix.shows('Sales South', segment, 'Nothing(changed)');
  await matrix.keeps('group:south Customers.Segment: only', 'group:south Regions.Region: only');
});

test('cells are filled from above and from the left', async () => {
  const matrix = await TestMatrix.open();
  await matrix.select(['Executives', region], ['Sales South', region]);
  await matrix.press('Control+d');
  await matrix.says('2 cells changed.');
  await matrix.keeps('group:north Regions.Region: except', 'group:south Regions.Region: except');
  // A single row takes what is above it.
  await matrix.select(['Bruno Keller', region]);
  await matrix.press('Control+d');
  await matrix.says('One cell changed.');
  await matrix.shows('Bruno Keller', region, '(changed)');
  await matrix.select(['Executives', segment], ['Executives', channel]);
  await matrix.press('Control+r');
  await matrix.shows('Executives', channel, 'Club(changed)');
  await matrix.select(['Everyone else', channel]);
  await matrix.press('Control+r');
  await matrix.says('Nothing was changed.');
  await matrix.press('Control+d');
  await matrix.says('Nothing was changed.');
  expect(await matrix.button('Fill Down').isDisabled()).toBe(true);
});

test('ranges are selected by Shift, Control+A and dragging, and Escape reduces them to one cell', async () => {
  const matrix = await TestMatrix.open();
  const selected = matrix.page.locator('[role="gridcell"][aria-selected="true"]');
  await matrix.focused('Everyone else', region);
  await matrix.press('Control+a');
  await matrix.page.getByText('18 cells', { exact: true }).waitFor();
  expect(await selected.count()).toBe(18);
  await matrix.press('Escape');
  await matrix.page.getByText('One cell', { exact: true }).waitFor();
  await matrix.focused('Everyone else', region);
  await matrix.select(['Executives', region], ['Sales North', segment]);
  await matrix.page.getByText('4 cells', { exact: true }).waitFor();
  // Shift extends from where the selection began, also back over it.
  await matrix.press('Shift+ArrowUp', 'Shift+ArrowUp');
  await matrix.page.getByText('4 cells', { exact: true }).waitFor();
  await matrix.focused('Everyone else', segment);
  await (await matrix.cell('Sales North', region)).hover();
  await matrix.page.mouse.down();
  await (await matrix.cell('Amara Okafor', channel)).hover();
  await matrix.page.mouse.up();
  await matrix.page.getByText('9 cells', { exact: true }).waitFor();
  await (await matrix.cell('Everyone else', region)).hover();
  expect(await selected.count()).toBe(9);
});

test('the buttons below the grid act on the selection', async () => {
  const matrix = await TestMatrix.open();
  await matrix.select(['Sales North', region], ['Sales South', region]);
  await matrix.button('All').click();
  await matrix.keeps('group:north Regions.Region: except', 'group:south Regions.Region: except');
  await matrix.button('Nothing').click();
  await matrix.keeps('group:north Regions.Region: only', 'group:south Regions.Region: only');
  await matrix.button('No Rule').click();
  await matrix.keeps('group:north Regions.Region: no rule', 'group:south Regions.Region: no rule');
  await matrix.button('Values…').click();
  await matrix.editor.fill('East');
  await matrix.editor.press('Enter');
  await matrix.keeps('group:north Regions.Region: only East', 'group:south Regions.Region: only East');
  await matrix.select(['Executives', region], ['Sales North', region]);
  await matrix.button('Fill Down').click();
  await matrix.shows('Sales North', region, 'All(changed)');
  await matrix.select(['Sales South', region]);
  await matrix.page.getByText('group Sales South on Regions.Region: East', { exact: true }).waitFor();
  await matrix.page.getByText('On the server: South; Alps').waitFor();
  await matrix.button('Revert This Cell').click();
  await matrix.keeps('group:north Regions.Region: except');
});

test('rows and columns are filtered, and those that changed are shown alone', async () => {
  const matrix = await TestMatrix.open();
  await matrix.page.getByText('Parties: 6, columns: 3').waitFor();
  await matrix.page.getByLabel('Filter parties').fill('SALES');
  await matrix.page.getByText('3 of 6 parties, 3 of 3 columns').waitFor();
  await matrix.page.getByLabel('Filter columns').fill('seg');
  await matrix.page.getByText('3 of 6 parties, 1 of 3 columns').waitFor();
  await matrix.page.getByLabel('Filter columns').fill('nowhere');
  await matrix.page.getByText('No column matches.').waitFor();
  await matrix.page.getByLabel('Filter columns').fill('');
  await matrix.page.getByLabel('Filter parties').fill('amara');
  await matrix.page.getByText('2 of 6 parties, 3 of 3 columns').waitFor();
  await matrix.type('Amara Okafor', channel, 'Online');
  await matrix.page.getByLabel('Filter parties').fill('');
  await matrix.type('Sales North', region, 'West');
  await matrix.page.getByLabel('Only changed').check();
  await matrix.page.getByText('3 of 6 parties, 2 of 3 columns').waitFor();
  await matrix.page.getByLabel('Only changed').uncheck();
  await matrix.page.getByText('Parties: 6, columns: 3').waitFor();
});
