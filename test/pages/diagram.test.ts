import type { Locator } from 'playwright-core';
import { expect, test } from 'vitest';
import {
  type DiagramTestPage,
  createTable,
  getColumn,
  getTable,
  openDiagram,
  retailModel,
  waitUntilSelected,
} from './support/diagram.ts';
import { pageThemes, useBrowser } from './support/openPage.ts';

useBrowser();

/** Selects a table by a click on its corner, where it has no column. */
const selectTable = async (opened: DiagramTestPage, name: string): Promise<void> => {
  await getTable(opened, name).click({ position: { x: 8, y: 8 } });
  await waitUntilSelected(opened, name);
};

/** The scale, in percent, that the toolbar shows. */
const readZoom = async ({ page }: DiagramTestPage): Promise<number> =>
  Number.parseInt((await page.locator('.zoom').textContent()) ?? '', 10);

test('tables and relations are counted, selected and described', async () => {
  const opened = await openDiagram();
  const { page } = opened;
  await page
    .getByText('6 tables, 3 relations. Not shown because their tables are missing: 1 relation.')
    .waitFor();
  await page.getByRole('group', { name: 'Table Customers, secured, 2 columns, related to Orders' }).waitFor();
  await page.getByRole('group', { name: 'Table Ranking, custom, 2 columns, no relations' }).waitFor();
  await selectTable(opened, 'Orders');
  const details = page.getByRole('complementary', { name: 'Table Orders' });
  await details.getByText('Sales · 6 columns').waitFor();
  await details.getByRole('button', { name: 'Orders.Store Id = Stores.Store Id', exact: true }).hover();
  await page.locator('.line-label', { hasText: 'Orders.Store Id = Stores.Store Id' }).waitFor();
  await opened.screenshot('page-diagram-chosen');
  await page.mouse.move(0, 0);
  await page.locator('.line-label').waitFor({ state: 'detached' });
  // All lines of the selected table have the same color, and so do all others.
  const colors = await page.locator('.lines').evaluate((lines) => {
    const strokes = (selector: string): string[] =>
      [...lines.querySelectorAll(selector)].map((line) => getComputedStyle(line).stroke);
    return [strokes('.isRelated .line'), strokes('g:not(.isRelated) .line')].map(
      (strokeColors) => new Set(strokeColors).size,
    );
  });
  expect(colors).toEqual([1, 1]);
  await details.getByRole('button', { name: 'Open relation Orders.Store Id = Stores.Store Id' }).click();
  expect((await opened.receives('openRelation')).relation).toBe('r1');
  await details.getByRole('button', { name: 'Orders.Store Id = Stores.Store Id', exact: true }).click();
  await waitUntilSelected(opened, 'Stores');
  await page.getByRole('complementary').getByRole('button', { name: 'Close' }).click();
  await page.getByRole('complementary').waitFor({ state: 'detached' });
  opened.assertNoErrors();
});

test('the actions of a table are requested from the host', async () => {
  const opened = await openDiagram();
  const { page } = opened;
  await selectTable(opened, 'Customers');
  const details = page.getByRole('complementary', { name: 'Table Customers' });
  await details.getByRole('button', { name: 'Open', exact: true }).click();
  expect((await opened.receives('open')).table).toBe('Customers');
  await details.getByRole('button', { name: 'Reveal in Explorer' }).click();
  expect((await opened.receives('reveal')).table).toBe('Customers');
  await details.getByRole('button', { name: 'Create Relation from Here…' }).click();
  expect((await opened.receives('relate')).ends).toEqual([{ table: 'Customers' }]);
  await details.getByRole('button', { name: 'Show Effective Access…' }).click();
  await opened.receives('access');
  await details.getByRole('button', { name: 'Show All Columns' }).click();
  await getColumn(opened, 'Customers', 'Segment').waitFor();
  // The context menus of tables and columns get the arguments that identify their item.
  const readMenu = async (element: Locator): Promise<Record<string, unknown>> =>
    JSON.parse((await element.getAttribute('data-vscode-context')) ?? '{}');
  expect(await readMenu(getTable(opened, 'Customers'))).toMatchObject({
    webviewSection: 'table.secured',
    datamodelId: 'retail',
    name: 'Customers',
    resource: { kind: 'table', datamodelId: 'retail', datasetId: 'set', tableId: 'Customers' },
    ends: [{ table: 'Customers' }],
  });
  expect(await readMenu(getColumn(opened, 'Customers', 'Segment'))).toMatchObject({
    webviewSection: 'column.secured',
    ends: [{ table: 'Customers', column: 'Customers.Segment' }],
  });
  await getTable(opened, 'Regions').dblclick({ position: { x: 8, y: 8 } });
  await opened.receives('open', ({ table }) => table === 'Regions');
});

test('keys move between tables, open them, show their columns, create relations and zoom', async () => {
  const opened = await openDiagram();
  const { page } = opened;
  const canvas = page.getByRole('application', { name: 'Tables and relations of Retail' });
  await canvas.press('Home');
  await page.locator('.table.isChosen:focus').waitFor();
  await selectTable(opened, 'Orders');
  for (const key of ['ArrowRight', 'ArrowLeft', 'ArrowUp', 'ArrowDown']) {
    await page.locator('.table.isChosen').press(key);
    await page.locator('.table.isChosen:focus').waitFor();
  }
  await selectTable(opened, 'Stores');
  await page.keyboard.press('Space');
  await getTable(opened, 'Stores').getByText('Key columns only').waitFor();
  await page.keyboard.press('Enter');
  expect((await opened.receives('open')).table).toBe('Stores');
  await page.keyboard.press('r');
  expect((await opened.receives('relate')).ends).toEqual([{ table: 'Stores' }]);
  await page.keyboard.press('0');
  expect(await readZoom(opened)).toBe(100);
  await page.keyboard.press('+');
  const zoomedIn = await readZoom(opened);
  expect(zoomedIn).toBeGreaterThan(100);
  await page.keyboard.press('-');
  expect(await readZoom(opened)).toBe(100);
  const world = page.locator('.world');
  const initialStyle = await world.getAttribute('style');
  await page.keyboard.press('Shift+ArrowRight');
  await expect.poll(() => world.getAttribute('style')).not.toBe(initialStyle);
  await page.keyboard.press('f');
  await page.keyboard.press('Escape');
  await page.locator('.table.isChosen').waitFor({ state: 'detached' });
  await page.keyboard.press('Control+f');
  await page.locator(':focus').and(page.getByLabel('Find table or column')).waitFor();
  await canvas.press('End');
  await page.locator('.table.isChosen:focus').waitFor();
});

test('a search finds a column that is not shown, and reveals it', async () => {
  const opened = await openDiagram();
  const { page } = opened;
  const search = page.getByLabel('Find table or column');
  await search.fill('orders.channel');
  await page.getByText('1 of 1').waitFor();
  await search.press('Enter');
  await getColumn(opened, 'Orders', 'Channel').and(page.locator('.isFound')).waitFor();
  await opened.screenshot('page-diagram-search');
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
  const opened = await openDiagram();
  await opened.page.getByRole('button', { name: 'Show as List' }).click();
  await opened.page.keyboard.press('Control+f');
  await opened.page.locator('#search:focus').waitFor();
  opened.assertNoErrors();
});

test('dragging from column to column creates a relation; Escape and a drop on the same table cancel it', async () => {
  const opened = await openDiagram();
  const { page } = opened;
  await page.getByRole('button', { name: 'Expand All Tables' }).click();
  await page.getByRole('button', { name: 'Fit All (F)' }).click();
  const sourceColumn = getColumn(opened, 'Employees', 'Employee Id');
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
  await dragTo(getColumn(opened, 'Stores', 'Store Id'));
  await page.locator('.drag').waitFor();
  await getColumn(opened, 'Stores', 'Store Id').and(page.locator('.isTarget')).waitFor();
  await opened.screenshot('page-diagram-drag');
  await page.keyboard.press('Escape');
  await page.locator('.drag').waitFor({ state: 'detached' });
  await page.mouse.up();
  await dragTo(getColumn(opened, 'Employees', 'Name'));
  await page.mouse.up();
  expect(opened.messages.some(({ type }) => type === 'relate')).toBe(false);
  await dragTo(getColumn(opened, 'Stores', 'Store Id'));
  await page.mouse.up();
  expect((await opened.receives('relate')).ends).toEqual([
    { table: 'Employees', column: 'Employees.Employee Id' },
    { table: 'Stores', column: 'Stores.Store Id' },
  ]);
  // A column without an ID cannot have a relation, so only its table is the target.
  await dragTo(getColumn(opened, 'Orders', 'Nameless'));
  await page.mouse.up();
  await opened.receives('relate', ({ ends }) => ends[1]?.table === 'Orders' && ends[1].column === undefined);
});

test('the mouse pans and zooms the diagram, and a click on a line selects the first table of its relation', async () => {
  const opened = await openDiagram();
  const { page } = opened;
  const world = page.locator('.world');
  const initialStyle = await world.getAttribute('style');
  await page.mouse.move(500, 640);
  await page.mouse.down();
  await page.mouse.move(560, 600, { steps: 4 });
  await page.mouse.up();
  expect(await world.getAttribute('style')).not.toBe(initialStyle);
  const zoom = await readZoom(opened);
  await page.mouse.wheel(0, -300);
  await expect.poll(() => readZoom(opened)).toBeGreaterThan(zoom);
  const zoomedStyle = await world.getAttribute('style');
  await page.mouse.wheel(80, 0);
  await expect.poll(() => world.getAttribute('style')).not.toBe(zoomedStyle);
  await page.getByRole('button', { name: 'Fit All (F)' }).click();
  await page.getByRole('button', { name: 'Zoom In (+)' }).click();
  await page.getByRole('button', { name: 'Zoom Out (-)' }).click();
  await expect.poll(() => readZoom(opened)).toBe(zoom);
  await page.getByTitle('Actual Size (0)').click();
  await expect.poll(() => readZoom(opened)).toBe(100);
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
  await waitUntilSelected(opened, 'Stores');
});

test('the list view shows tables, columns and relations as text', async () => {
  const opened = await openDiagram();
  const { page } = opened;
  await page.getByRole('button', { name: 'Show as List' }).click();
  await page.locator('summary', { hasText: 'Regions' }).click();
  await page.getByText('Region Id integer · key').waitFor();
  await page.getByRole('button', { name: 'Stores.Region Id = Regions.Region Id' }).click();
  expect((await opened.receives('openRelation')).relation).toBe('r3');
  await opened.screenshot('page-diagram-list');
  expect(await opened.axeViolations()).toEqual([]);
  await page.getByLabel('Find table or column').fill('segment');
  await page.locator('summary', { hasText: 'Customers' }).waitFor();
  expect(await page.locator('summary').count()).toBe(1);
  await page.getByLabel('Find table or column').fill('nothing of the kind');
  await page.getByText('No results').first().waitFor();
  await page.getByRole('button', { name: 'Show as Diagram' }).click();
  await getTable(opened, 'Regions').waitFor();
});

test('the diagram is saved as SVG, without references to CSS variables, and as PNG', async () => {
  const opened = await openDiagram();
  await opened.page.getByRole('button', { name: 'Save as SVG' }).click();
  const { data, format } = await opened.receives('export');
  expect(format).toBe('svg');
  expect(data).toMatch(/^<svg xmlns="http:\/\/www.w3.org\/2000\/svg"/);
  expect(data).toMatch(/>Customers<\/text>/);
  expect(data).not.toMatch(/var\(|href/);
  await opened.page.getByRole('button', { name: 'Save as PNG' }).click();
  const png = await opened.receives('export', (message) => message.format === 'png');
  expect(Buffer.from(png.data, 'base64').subarray(1, 4).toString()).toBe('PNG');
});

test('the host can reveal a table, and start a relation from the selected one', async () => {
  const opened = await openDiagram();
  opened.post({ type: 'relate' });
  opened.post({ type: 'show', table: 'Regions' });
  await waitUntilSelected(opened, 'Regions');
  await opened.page.locator('.table.isChosen:focus').waitFor();
  expect(opened.messages.some(({ type }) => type === 'relate')).toBe(false);
  opened.post({ type: 'relate' });
  expect((await opened.receives('relate')).ends).toEqual([{ table: 'Regions' }]);
});

test.each(pageThemes)('the page is accessible in %s', async (theme) => {
  const longName = 'A table with a very long name '.repeat(6);
  const opened = await openDiagram({
    ...retailModel,
    tables: [...retailModel.tables, createTable(longName, ['A column with a very long name '.repeat(6)])],
  });
  await opened.setTheme(theme);
  await selectTable(opened, 'Customers');
  await opened.screenshot(`page-diagram-${theme}`);
  expect(await opened.axeViolations()).toEqual([]);
  expect(await opened.layoutProblems('page-diagram')).toEqual([]);
  opened.assertNoErrors();
});
