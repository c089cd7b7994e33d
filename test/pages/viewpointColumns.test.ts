import { expect, test } from 'vitest';
import { viewpointFileText } from '../editor/support/viewpointFile.ts';
import { useBrowser } from './support/testPage.ts';
import {
  createColumn,
  createViewpointText,
  getDropdown,
  waitForColumns,
  waitForSelection,
  openViewpointForm,
  readColumns,
  getRow,
} from './support/viewpointForm.ts';

useBrowser();

test('columns are selected, moved and removed with mouse and keyboard', async () => {
  const names = Array.from({ length: 40 }, (_, index) => `C${String(index).padStart(2, '0')}`);
  const form = await openViewpointForm(createViewpointText(...names.map((name) => createColumn(name))));
  await form.page.getByText('Select a column to view and edit it.').waitFor();
  await getRow(form, /C01/).click();
  await getRow(form, /C03/).click({ modifiers: ['Shift'] });
  await waitForSelection(form, 'C01', 'C02', 'C03');
  await getRow(form, /C02/).click({ modifiers: ['Control'] });
  await waitForSelection(form, 'C01', 'C03');
  await form.page.getByRole('heading', { name: '2 columns' }).waitFor();
  await form.page.getByRole('grid', { name: 'Columns' }).focus();
  await form.press('Escape');
  await waitForSelection(form);
  await form.press('Home', 'Shift+ArrowDown');
  await waitForSelection(form, 'C00', 'C01');
  await form.press('ArrowUp', 'Space');
  await waitForSelection(form);
  await form.press('Space', 'PageDown');
  await waitForSelection(form, 'C15');
  await form.press('PageUp', 'End');
  await waitForSelection(form, 'C39');
  expect(await getRow(form, /C00/).count()).toBe(0);
  await form.press('Delete');
  await waitForColumns(form, ...names.slice(0, -1));
  await waitForSelection(form, 'C38');
  await form.getButton('Remove (Delete)').click();
  await form.getButton('Move Up (Alt+Up)').click();
  await waitForColumns(form, ...names.slice(0, -4), 'C37', 'C36');
  await form.getButton('Move Down (Alt+Down)').click();
  // The last column can't be moved further down.
  await form.getButton('Move Down (Alt+Down)').click();
  await waitForColumns(form, ...names.slice(0, -2));
  await form.getButton('Open JSON of Column').click();
  await form.waitForShowText(['details', 'columns', 37]);

  await form.page.getByRole('grid', { name: 'Columns' }).focus();
  await form.press('Control+a', 'Backspace');
  await form.page.getByText('This viewpoint has no columns.').waitFor();
  await form.getButton('Add Columns…').click();
  await form.waitForQuestion({ kind: 'columns', insertIndex: 0 });
  form.testPage.assertNoErrors();
});

test('on a Mac, the buttons that move columns show its keys', async () => {
  const text = createViewpointText(createColumn('Id'), createColumn('Total'));
  const form = await openViewpointForm(text, {
    userAgent: 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)',
  });
  await getRow(form, /Total/).click();
  await form.getButton('Move Up (⌥↑)').click();
  await waitForColumns(form, 'Total', 'Id');
  await form.getButton('Move Down (⌥↓)').click();
  await waitForColumns(form, 'Id', 'Total');
  form.testPage.assertNoErrors();
});

test('keys move only through the columns that match the search', async () => {
  const form = await openViewpointForm(viewpointFileText);
  await form.page.getByRole('textbox', { name: 'Search columns' }).fill('order');
  await form.page.getByText('2 of 3').waitFor();
  expect(await form.page.locator('.grid-row').count()).toBe(2);
  await form.page.getByRole('grid', { name: 'Columns' }).focus();
  await form.press('ArrowUp');
  await waitForSelection(form, 'Price');
  await form.press('Control+a');
  await waitForSelection(form, 'Order', 'Price');
  await form.page.getByRole('textbox', { name: 'Search columns' }).fill('order price');
  await form.page.getByText('1 of 3').waitFor();
});

test('columns are moved by dragging their rows, unless Escape cancels the drag', async () => {
  const form = await openViewpointForm(
    createViewpointText(...['A', 'B', 'C', 'D'].map((name) => createColumn(name))),
  );
  const { mouse } = form.page;
  const moveMouseTo = async (name: string, fraction: number): Promise<void> => {
    const box = await getRow(form, new RegExp(`^${name} `)).boundingBox();
    await mouse.move((box?.x ?? 0) + 60, (box?.y ?? 0) + (box?.height ?? 0) * fraction, { steps: 4 });
  };
  await getRow(form, /^D /).click();
  await mouse.down();
  await moveMouseTo('A', 0.1);
  await form.page.locator('.drop-before', { hasText: 'A' }).waitFor();
  await form.press('Escape');
  await form.page.locator('.drop-before').waitFor({ state: 'detached' });
  await mouse.up();
  await waitForColumns(form, 'A', 'B', 'C', 'D');
  await waitForSelection(form, 'D');

  await getRow(form, /^A /).click();
  await getRow(form, /^B /).click({ modifiers: ['Control'] });
  await moveMouseTo('A', 0.5);
  await mouse.down();
  await moveMouseTo('D', 0.9);
  await form.page.locator('.drop-after', { hasText: 'D' }).waitFor();
  await mouse.up();
  await waitForColumns(form, 'C', 'D', 'A', 'B');
  // Pressing the mouse button counts as a click if the pointer hardly moves before it is released.
  await moveMouseTo('C', 0.5);
  await mouse.down();
  await mouse.up();
  await waitForSelection(form, 'C');
});

test('a row that is not selected can be dragged, even if the document changes meanwhile', async () => {
  const columns = ['A', 'B', 'C', 'D'].map((name) => createColumn(name));
  const form = await openViewpointForm(createViewpointText(...columns));
  const { mouse } = form.page;
  await getRow(form, /^C /).click();
  await getRow(form, /^B /).hover();
  await mouse.down();
  await getRow(form, /^A /).hover({ position: { x: 60, y: 2 } });
  await form.page.locator('.drop-before', { hasText: 'A' }).waitFor();
  form.setText(createViewpointText(...columns, createColumn('E')));
  await getRow(form, /^E /).waitFor();
  form.setText(createViewpointText(createColumn('F'), ...columns, createColumn('E')));
  await getRow(form, /^F /).waitFor();
  await mouse.up();
  await waitForColumns(form, 'B', 'F', 'A', 'C', 'D', 'E');
  await waitForSelection(form, 'C');
});

test('Delete removes only columns that the search shows', async () => {
  const form = await openViewpointForm(
    createViewpointText(...['North', 'Inner', 'South', 'Outer'].map((name) => createColumn(name))),
  );
  await form.page.getByRole('textbox', { name: 'Search columns' }).fill('th');
  await getRow(form, /^North /).click();
  await form.page.getByRole('grid', { name: 'Columns' }).focus();
  await form.press('Delete');
  await waitForSelection(form, 'South');
  await form.press('Delete', 'Delete');
  await waitForColumns(form, 'Inner', 'Outer');
});

test('several columns are changed at once, and a property in which they differ is shown as different', async () => {
  const form = await openViewpointForm(
    createViewpointText(
      createColumn('Amount', { datatype: 'numeric', agg: 'sum', infusion: { uid: true } }),
      createColumn('Day', { datatype: 'datetime', level: 'days' }),
      createColumn('Note', { agg: 7 }),
    ),
  );
  await getRow(form, /Amount/).click();
  await form.page.getByText('Only dates have levels.').waitFor();
  expect(await getDropdown(form, 'Level').isDisabled()).toBe(true);
  expect(await form.page.getByRole('checkbox', { name: 'Default date' }).isDisabled()).toBe(true);
  await form.page.getByRole('checkbox', { name: 'Unique ID' }).uncheck();
  await getDropdown(form, 'Sort').selectOption({ label: 'descending' });
  await expect.poll(() => readColumns(form)[0]).toMatchObject({ sort: 'desc' });
  expect(readColumns(form)[0]?.['infusion']).not.toMatchObject({ uid: true });
  await getRow(form, /Amount.*sum.*descending/).waitFor();

  await getRow(form, /Day/).click({ modifiers: ['Control'] });
  await form.page.getByPlaceholder('(multiple values)').first().waitFor();
  await expect
    .poll(() => getDropdown(form, 'Type').locator('option:checked').textContent())
    .toBe('(multiple values)');
  expect(await form.page.getByRole('checkbox', { name: 'Unique ID' }).isDisabled()).toBe(true);
  await getDropdown(form, 'Aggregation').selectOption('count');
  await form.page.getByRole('checkbox', { name: 'Header' }).check();
  await expect
    .poll(() => readColumns(form).map(({ agg, infusion }) => ({ agg, infusion })))
    .toEqual([
      { agg: 'count', infusion: { header: true } },
      { agg: 'count', infusion: { header: true } },
      { agg: 7, infusion: undefined },
    ]);
  await getRow(form, /Day/).click();
  await getDropdown(form, 'Level').selectOption('months');
  await form.page.getByRole('checkbox', { name: 'Default date' }).check();
  await expect
    .poll(() => readColumns(form)[1])
    .toMatchObject({ level: 'months', infusion: { header: true, defaultDate: true } });
  await getDropdown(form, 'Level').selectOption({ label: '(none)' });
  await expect.poll(() => readColumns(form)[1]).not.toHaveProperty('level');
  // An aggregation that is a number is shown, but can only be changed in the text.
  await getRow(form, /Note/).click();
  expect(await getDropdown(form, 'Aggregation').inputValue()).toBe('7');
  expect(await getDropdown(form, 'Aggregation').isDisabled()).toBe(true);
});

test('a filter that does not fit into its column ends with an ellipsis', async () => {
  const members = ['Newcastle upon Tyne, Kingston upon Hull, and Stratford-upon-Avon'];
  const form = await openViewpointForm(createViewpointText(createColumn('City', { filter: { members } })));
  const text = form.page.locator('.grid-row .cell-filter .text');
  await text.filter({ hasText: 'Newcastle' }).waitFor();
  expect(
    await text.evaluate((element) => [
      getComputedStyle(element).textOverflow,
      element.scrollWidth > element.clientWidth,
    ]),
  ).toEqual(['ellipsis', true]);
});

test('a filter is edited in one of the known forms, or as JSON', async () => {
  const form = await openViewpointForm(
    createViewpointText(
      createColumn('Amount', { datatype: 'numeric' }),
      createColumn('City', { filter: { top: 3 } }),
    ),
  );
  const waitForFilter = (filter: unknown): Promise<void> =>
    expect.poll(() => readColumns(form)[0]?.['filter']).toEqual(filter);
  const waitForGridText = (text: string): Promise<void> =>
    form.page.locator('.grid-row .cell-filter').first().filter({ hasText: text }).waitFor();
  await getRow(form, /Amount/).click();
  await getDropdown(form, 'Filter').selectOption({ label: 'All values' });
  await waitForFilter({ all: true });
  await waitForGridText('all');
  await getDropdown(form, 'Filter').selectOption({ label: 'Listed values' });
  const values = form.page.getByRole('textbox', { name: 'Values, one per line' });
  await values.fill('1');
  await waitForFilter({ members: ['1'], explicit: true, multiSelection: true });
  await waitForGridText('1');
  await values.fill('1\n2\n');
  await waitForFilter({ members: ['1', '2'], explicit: true, multiSelection: true });
  await waitForGridText('2 values');
  await getDropdown(form, 'Filter').selectOption({ label: 'Range' });
  await form.page.getByRole('textbox', { name: 'From', exact: true }).fill('1.5');
  await form.page.getByRole('textbox', { name: 'To', exact: true }).fill('2.');
  await waitForFilter({ from: 1.5, to: '2.' });
  await waitForGridText('1.5 – 2.');
  await getDropdown(form, 'Filter').selectOption({ label: 'Other (JSON)' });
  const json = form.page.getByRole('textbox', { name: 'Filter as JSON' });
  await json.fill('{ "from": ');
  await form.page.getByText('Incomplete JSON. The document is unchanged.').waitFor();
  await json.fill('{ "members": ["a\\nb"] }');
  await waitForFilter({ members: ['a\nb'] });
  await waitForGridText('a');

  await getRow(form, /City/).click({ modifiers: ['Control'] });
  await expect
    .poll(() => getDropdown(form, 'Filter').locator('option:checked').textContent())
    .toBe('(multiple values)');
  await getDropdown(form, 'Filter').selectOption({ label: '(none)' });
  await expect.poll(() => readColumns(form).map((column) => 'filter' in column)).toEqual([false, false]);
});

test('a format is selected from known ones, or edited as JSON', async () => {
  const form = await openViewpointForm(
    createViewpointText(
      createColumn('Amount', { datatype: 'numeric' }),
      createColumn('Day', { datatype: 'datetime', format: { own: 1 } }),
    ),
  );
  const waitForFormat = (index: number, format: unknown): Promise<void> =>
    expect.poll(() => readColumns(form)[index]?.['format']).toEqual(format);
  await getRow(form, /Amount/).click();
  await getDropdown(form, 'Format').selectOption({ label: 'Percent, 12.5%' });
  await waitForFormat(0, [{ mask: { type: 'percent', decimals: 1, percent: true } }]);
  await getDropdown(form, 'Format').selectOption({ label: '(none)' });
  await waitForFormat(0, undefined);
  await getRow(form, /Day/).click();
  const json = form.page.getByRole('textbox', { name: 'Format as JSON' });
  expect(JSON.parse(await json.inputValue())).toEqual({ own: 1 });
  await json.fill('12');
  await form.page.getByText('Expected an array or an object. The document is unchanged.').waitFor();
  await json.fill('[]');
  await waitForFormat(1, []);
  await getDropdown(form, 'Format').selectOption({ label: 'Month and year' });
  await waitForFormat(1, [{ mask: { months: 'MM/yyyy' } }]);
  await getRow(form, /Amount/).click({ modifiers: ['Control'] });
  await expect
    .poll(() => getDropdown(form, 'Format').locator('option:checked').textContent())
    .toBe('(multiple values)');
});

test('JSON that is not accepted stays in the field, with a hint', async () => {
  const form = await openViewpointForm(
    createViewpointText(createColumn('Region', { filter: { unknown: 1 } })),
  );
  await getRow(form, /Region/).click();
  const field = form.page.getByRole('textbox', { name: 'Filter as JSON' });
  await field.fill('12');
  await form.page.getByText('Expected an object. The document is unchanged.').waitFor();
  expect(await field.inputValue()).toBe('12');
  await field.fill('{"unknown": 9007199254740993}');
  await form.page.getByText('A number has too many digits').waitFor();
  expect(form.testPage.messages.filter(({ type }) => type === 'edit')).toEqual([]);
  await field.fill('{"unknown": 2}');
  await form.testPage.waitForMessage('edit');
  form.testPage.assertNoErrors();
});

test('JSON that is being typed stays with its column when columns are inserted or removed', async () => {
  const columns = ['Region', 'City', 'Country'].map((name) => createColumn(name, { filter: { top: 3 } }));
  const form = await openViewpointForm(createViewpointText(...columns));
  await getRow(form, /City/).click();
  const field = form.page.getByRole('textbox', { name: 'Filter as JSON' });
  await field.fill('{ "top": ');
  form.setText(createViewpointText(createColumn('Channel'), ...columns));
  await getRow(form, /Channel/).waitFor();
  await field.pressSequentially('5 }');
  await expect.poll(() => readColumns(form)[2]).toMatchObject({ column: 'City', filter: { top: 5 } });
  // After the removal, the next column takes its place, without the typed text.
  await field.fill('{ "top": 4');
  await form.page.getByText('Incomplete JSON. The document is unchanged.').waitFor();
  await form.getButton('Remove (Delete)').click();
  await form.page.getByRole('heading', { name: 'Country' }).waitFor();
  expect(JSON.parse(await field.inputValue())).toEqual({ top: 3 });
});

test.each([
  ['English', (text: string) => text],
  ['languages with longer words', (text: string) => text + 'e'.repeat(text.length * 0.4)],
])('the headers of columns are complete in %s', async (_name, translate) => {
  const headers = ['Title', 'Column', 'Aggregation', 'Level', 'Sort', 'Filter', 'Flags'];
  const translations = Object.fromEntries(headers.map((text) => [text, translate(text)]));
  const form = await openViewpointForm(createViewpointText(createColumn('Status')), { translations });
  await form.page.setViewportSize({ width: 900, height: 700 });
  const found = await form.page
    .getByRole('columnheader')
    .evaluateAll((cells) =>
      cells.map((cell) => [cell.textContent, cell.scrollWidth <= cell.clientWidth] as const),
    );
  expect(found).toEqual(headers.map((text) => [translate(text), true]));
});
