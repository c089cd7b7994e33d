import type { Locator } from 'playwright-core';
import { expect, test } from 'vitest';
import {
  type DiagramTestPage,
  createData,
  createTable,
  getColumn,
  getTable,
  openDiagram,
  retailModel,
  waitUntilSelected,
} from './support/diagram.ts';
import { pageThemes, useBrowser } from './support/testPage.ts';

useBrowser();

/** Selects a table by a click on its corner, where it has no column. */
const selectTable = async (testPage: DiagramTestPage, name: string): Promise<void> => {
  await getTable(testPage, name).click({ position: { x: 8, y: 8 } });
  await waitUntilSelected(testPage, name);
};

/** The scale, in percent, that the toolbar shows. */
const readZoom = async ({ page }: DiagramTestPage): Promise<number> =>
  Number.parseInt((await page.locator('.zoom').textContent()) ?? '', 10);

test('tables and relations are counted, selected and described', async () => {
  const testPage = await openDiagram();
  const { page } = testPage;
  await page
    .getByText('6 tables, 3 relations. Not shown because their tables are missing: 1 relation.')
    .waitFor();
  await page.getByRole('group', { name: 'Table Customers, secured, 2 columns, related to Orders' }).waitFor();
  await page.getByRole('group', { name: 'Table Ranking, custom, 2 columns, no relations' }).waitFor();
  await selectTable(testPage, 'Orders');
  const details = page.getByRole('complementary', { name: 'Table Orders' });
  await details.getByText('Sales · 6 columns').waitFor();
  await details.getByRole('button', { name: 'Orders.Store Id = Stores.Store Id', exact: true }).hover();
  await page.locator('.line-label', { hasText: 'Orders.Store Id = Stores.Store Id' }).waitFor();
  await testPage.screenshot('page-diagram-chosen');
  await page.mouse.move(0, 0);
  await page.locator('.line-label').waitFor({ state: 'detached' });
  // All lines of the selected table have one color, and all other lines have one color.
  const colors = await page.locator('.lines').evaluate((lines) => {
    const getStrokes = (selector: string): string[] =>
      [...lines.querySelectorAll(selector)].map((line) => getComputedStyle(line).stroke);
    return [getStrokes('.isRelated .line'), getStrokes('g:not(.isRelated) .line')].map(
      (strokeColors) => new Set(strokeColors).size,
    );
  });
  expect(colors).toEqual([1, 1]);
  await details.getByRole('button', { name: 'Open relation Orders.Store Id = Stores.Store Id' }).click();
  expect((await testPage.waitForMessage('openRelation')).relation).toBe('r1');
  await details.getByRole('button', { name: 'Orders.Store Id = Stores.Store Id', exact: true }).click();
  await waitUntilSelected(testPage, 'Stores');
  await page.getByRole('complementary').getByRole('button', { name: 'Close' }).click();
  await page.getByRole('complementary').waitFor({ state: 'detached' });
  testPage.assertNoErrors();
});

test('the page requests the actions of a table from the host', async () => {
  const testPage = await openDiagram();
  const { page } = testPage;
  await selectTable(testPage, 'Customers');
  const details = page.getByRole('complementary', { name: 'Table Customers' });
  await details.getByRole('button', { name: 'Open', exact: true }).click();
  expect((await testPage.waitForMessage('open')).table).toBe('Customers');
  await details.getByRole('button', { name: 'Reveal in Connections View' }).click();
  expect((await testPage.waitForMessage('reveal')).table).toBe('Customers');
  await details.getByRole('button', { name: 'Create Relation from Here…' }).click();
  expect((await testPage.waitForMessage('relate')).ends).toEqual([{ table: 'Customers' }]);
  await details.getByRole('button', { name: 'Show Effective Access…' }).click();
  await testPage.waitForMessage('access');
  await details.getByRole('button', { name: 'Show All Columns' }).click();
  await getColumn(testPage, 'Customers', 'Segment').waitFor();
  // The context menus of tables and columns get the arguments that identify their item.
  const readMenu = async (element: Locator): Promise<Record<string, unknown>> =>
    JSON.parse((await element.getAttribute('data-vscode-context')) ?? '{}');
  expect(await readMenu(getTable(testPage, 'Customers'))).toMatchObject({
    webviewSection: 'table.secured',
    datamodelId: 'retail',
    name: 'Customers',
    resource: { kind: 'table', datamodelId: 'retail', datasetId: 'set', tableId: 'Customers' },
    ends: [{ table: 'Customers' }],
  });
  expect(await readMenu(getColumn(testPage, 'Customers', 'Segment'))).toMatchObject({
    webviewSection: 'column.secured',
    ends: [{ table: 'Customers', column: 'Customers.Segment' }],
  });
  await getTable(testPage, 'Regions').dblclick({ position: { x: 8, y: 8 } });
  await testPage.waitForMessage('open', ({ table }) => table === 'Regions');
});

test('the tables of files can only be opened', async () => {
  const testPage = await openDiagram();
  const { page } = testPage;
  const { subject: _subject, ...data } = createData(retailModel);
  testPage.post({ ...data, datamodel: { folder: 'file:///project', title: 'Retail' } });
  await selectTable(testPage, 'Customers');
  const actions = page.getByRole('complementary', { name: 'Table Customers' }).locator('.actions button');
  await page.waitForFunction(() => document.querySelectorAll('.details .actions button').length === 1);
  expect(await actions.allTextContents()).toEqual(['Open']);
  for (const element of [getTable(testPage, 'Customers'), getColumn(testPage, 'Customers', 'Customer Id')]) {
    expect(JSON.parse((await element.getAttribute('data-vscode-context')) ?? '')).toEqual({
      preventDefaultContextMenuItems: true,
    });
  }
  await page.getByRole('button', { name: 'Show as List' }).click();
  await page.getByRole('button', { name: 'Open', exact: true }).first().waitFor();
  expect(await page.getByRole('button', { name: 'Reveal in Connections View' }).count()).toBe(0);
  testPage.assertNoErrors();
});

test('keys move between tables, open them, show their columns, create relations and zoom', async () => {
  const testPage = await openDiagram();
  const { page } = testPage;
  const canvas = page.getByRole('application', { name: 'Tables and relations of Retail' });
  await canvas.press('Home');
  await page.locator('.table.isSelected:focus').waitFor();
  await selectTable(testPage, 'Orders');
  for (const key of ['ArrowRight', 'ArrowLeft', 'ArrowUp', 'ArrowDown']) {
    await page.locator('.table.isSelected').press(key);
    await page.locator('.table.isSelected:focus').waitFor();
  }
  await selectTable(testPage, 'Stores');
  await page.keyboard.press('Space');
  await getTable(testPage, 'Stores').getByText('Key columns only').waitFor();
  await page.keyboard.press('Enter');
  expect((await testPage.waitForMessage('open')).table).toBe('Stores');
  await page.keyboard.press('r');
  expect((await testPage.waitForMessage('relate')).ends).toEqual([{ table: 'Stores' }]);
  await page.keyboard.press('0');
  expect(await readZoom(testPage)).toBe(100);
  await page.keyboard.press('+');
  const zoomedIn = await readZoom(testPage);
  expect(zoomedIn).toBeGreaterThan(100);
  await page.keyboard.press('-');
  expect(await readZoom(testPage)).toBe(100);
  const diagramContent = page.locator('.world');
  const initialStyle = await diagramContent.getAttribute('style');
  await page.keyboard.press('Shift+ArrowRight');
  await expect.poll(() => diagramContent.getAttribute('style')).not.toBe(initialStyle);
  await page.keyboard.press('f');
  await page.keyboard.press('Escape');
  await page.locator('.table.isSelected').waitFor({ state: 'detached' });
  await page.keyboard.press('Control+f');
  await page.locator(':focus').and(page.getByLabel('Find table or column')).waitFor();
  await canvas.press('End');
  await page.locator('.table.isSelected:focus').waitFor();
});

test('a search finds a column that is not shown, and reveals it', async () => {
  const testPage = await openDiagram();
  const { page } = testPage;
  const search = page.getByLabel('Find table or column');
  await search.fill('orders.channel');
  await page.getByText('1 of 1').waitFor();
  await search.press('Enter');
  await getColumn(testPage, 'Orders', 'Channel').and(page.locator('.isFound')).waitFor();
  await testPage.screenshot('page-diagram-search');
  await search.fill('store');
  const count = page.getByText(/^1 of [2-9]$/);
  await count.waitFor();
  const matchCount = Number((await count.textContent())?.split(' ').at(-1));
  await page.getByRole('button', { name: 'Previous Match (Shift+Enter)' }).click();
  await page.getByText(`${matchCount} of ${matchCount}`).waitFor();
  await page.getByRole('button', { name: 'Next Match (Enter)' }).click();
  await page.getByText(`1 of ${matchCount}`).waitFor();
  await search.press('Enter');
  await search.press('Enter');
  await page.getByText(`2 of ${matchCount}`).waitFor();
  await search.press('Shift+Enter');
  await page.getByText(`1 of ${matchCount}`).waitFor();
  await search.fill('nothing of the kind');
  await page.getByText('No results').waitFor();
  expect(await page.getByRole('button', { name: 'Next Match (Enter)' }).isDisabled()).toBe(true);
});

test('Ctrl+F moves the focus to the search in the list view, too', async () => {
  const testPage = await openDiagram();
  await testPage.page.getByRole('button', { name: 'Show as List' }).click();
  await testPage.page.keyboard.press('Control+f');
  await testPage.page.locator('#search:focus').waitFor();
  testPage.assertNoErrors();
});

test('dragging from one column to another creates a relation, unless Escape or a drop on the same table cancels it', async () => {
  const testPage = await openDiagram();
  const { page } = testPage;
  await page.getByRole('button', { name: 'Expand All Tables' }).click();
  await page.getByRole('button', { name: 'Fit All (F)' }).click();
  const sourceColumn = getColumn(testPage, 'Employees', 'Employee Id');
  const dragTo = async (target: Locator): Promise<void> => {
    await target.hover();
    await sourceColumn.hover();
    const box = await target.boundingBox();
    if (box === null) {
      throw new Error('The target is not on the screen');
    }
    await page.mouse.down();
    await page.mouse.move(box.x + box.width / 2 - 20, box.y + box.height / 2, { steps: 8 });
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  };
  await dragTo(getColumn(testPage, 'Stores', 'Store Id'));
  await page.locator('.drag').waitFor();
  await getColumn(testPage, 'Stores', 'Store Id').and(page.locator('.isTarget')).waitFor();
  await testPage.screenshot('page-diagram-drag');
  await page.keyboard.press('Escape');
  await page.locator('.drag').waitFor({ state: 'detached' });
  expect(await page.locator('.isTarget').count()).toBe(0);
  await page.mouse.up();
  await dragTo(getColumn(testPage, 'Employees', 'Name'));
  await page.mouse.up();
  expect(testPage.messages.some(({ type }) => type === 'relate')).toBe(false);
  await dragTo(getColumn(testPage, 'Stores', 'Store Id'));
  await page.mouse.up();
  expect((await testPage.waitForMessage('relate')).ends).toEqual([
    { table: 'Employees', column: 'Employees.Employee Id' },
    { table: 'Stores', column: 'Stores.Store Id' },
  ]);
  // A column without an ID cannot have a relation, so only its table is the target.
  await dragTo(getColumn(testPage, 'Orders', 'Nameless'));
  await page.mouse.up();
  await testPage.waitForMessage(
    'relate',
    ({ ends }) => ends[1]?.table === 'Orders' && ends[1].column === undefined,
  );
});

test('the mouse pans and zooms the diagram, and a click on a line selects the first table of its relation', async () => {
  const testPage = await openDiagram();
  const { page } = testPage;
  const diagramContent = page.locator('.world');
  const initialStyle = await diagramContent.getAttribute('style');
  await page.mouse.move(500, 640);
  await page.mouse.down();
  await page.mouse.move(560, 600, { steps: 4 });
  await page.mouse.up();
  expect(await diagramContent.getAttribute('style')).not.toBe(initialStyle);
  const zoom = await readZoom(testPage);
  await page.mouse.wheel(0, -300);
  await expect.poll(() => readZoom(testPage)).toBeGreaterThan(zoom);
  const zoomedStyle = await diagramContent.getAttribute('style');
  await page.mouse.wheel(80, 0);
  await expect.poll(() => diagramContent.getAttribute('style')).not.toBe(zoomedStyle);
  await page.getByRole('button', { name: 'Fit All (F)' }).click();
  await page.getByRole('button', { name: 'Zoom In (+)' }).click();
  await page.getByRole('button', { name: 'Zoom Out (-)' }).click();
  await expect.poll(() => readZoom(testPage)).toBe(zoom);
  await page.getByTitle('Actual Size (0)').click();
  await expect.poll(() => readZoom(testPage)).toBe(100);
  await page.getByRole('button', { name: 'Fit All (F)' }).click();
  const line = page.locator('[data-relation="r3"] .hit');
  const point = await line.evaluate((path) => {
    if (!(path instanceof SVGPathElement)) {
      throw new Error('No path');
    }
    const { x, y } = path.getPointAtLength(path.getTotalLength() / 2);
    const matrix = path.getScreenCTM();
    return { x: (matrix?.a ?? 1) * x + (matrix?.e ?? 0), y: (matrix?.d ?? 1) * y + (matrix?.f ?? 0) };
  });
  await page.mouse.move(point.x, point.y);
  await page.locator('.line-label', { hasText: 'Stores.Region Id = Regions.Region Id' }).waitFor();
  await page.mouse.click(point.x, point.y);
  await waitUntilSelected(testPage, 'Stores');
});

test('the list view shows tables, columns and relations as text', async () => {
  const testPage = await openDiagram();
  const { page } = testPage;
  await page.getByRole('button', { name: 'Show as List' }).click();
  await page.locator('summary', { hasText: 'Regions' }).click();
  await page.getByText('Region Id integer · key').waitFor();
  await page.getByRole('button', { name: 'Stores.Region Id = Regions.Region Id' }).click();
  expect((await testPage.waitForMessage('openRelation')).relation).toBe('r3');
  await testPage.screenshot('page-diagram-list');
  expect(await testPage.findAxeViolations()).toEqual([]);
  await page.getByLabel('Find table or column').fill('segment');
  await page.locator('summary', { hasText: 'Customers' }).waitFor();
  expect(await page.locator('summary').count()).toBe(1);
  await page.getByLabel('Find table or column').fill('nothing of the kind');
  await page.getByText('No results').first().waitFor();
  await page.getByRole('button', { name: 'Show as Diagram' }).click();
  await getTable(testPage, 'Regions').waitFor();
});

test('the diagram is saved as SVG, without references to CSS variables, and as PNG', async () => {
  const testPage = await openDiagram();
  await testPage.page.getByRole('button', { name: 'Save as SVG' }).click();
  const { data, format } = await testPage.waitForMessage('export');
  expect(format).toBe('svg');
  expect(data).toMatch(/^<svg xmlns="http:\/\/www.w3.org\/2000\/svg"/);
  expect(data).toMatch(/>Customers<\/text>/);
  expect(data).not.toMatch(/var\(|href/);
  await testPage.page.getByRole('button', { name: 'Save as PNG' }).click();
  const png = await testPage.waitForMessage('export', (message) => message.format === 'png');
  expect(Buffer.from(png.data, 'base64').subarray(1, 4).toString()).toBe('PNG');
});

test('the host can reveal a table, and start a relation from the selected one', async () => {
  const testPage = await openDiagram();
  testPage.post({ type: 'relate' });
  await testPage.waitForMessage('noTableSelected');
  testPage.post({ type: 'show', table: 'Regions' });
  await waitUntilSelected(testPage, 'Regions');
  await testPage.page.locator('.table.isSelected:focus').waitFor();
  expect(testPage.messages.some(({ type }) => type === 'relate')).toBe(false);
  testPage.post({ type: 'relate' });
  expect((await testPage.waitForMessage('relate')).ends).toEqual([{ table: 'Regions' }]);
});

test.each(pageThemes)('the page is accessible in %s', async (theme) => {
  const longName = 'A table with a very long name '.repeat(6);
  const testPage = await openDiagram({
    ...retailModel,
    tables: [...retailModel.tables, createTable(longName, ['A column with a very long name '.repeat(6)])],
  });
  await testPage.setTheme(theme);
  await selectTable(testPage, 'Customers');
  await testPage.screenshot(`page-diagram-${theme}`);
  expect(await testPage.findAxeViolations()).toEqual([]);
  expect(await testPage.findLayoutProblems('page-diagram')).toEqual([]);
  testPage.assertNoErrors();
});
