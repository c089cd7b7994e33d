import type { Locator } from 'playwright-core';
import { expect, test } from 'vitest';
import { computeLayout } from '../../src/webviews/diagramLayout/computeLayout.ts';
import type { DiagramModel, DiagramTable } from '../../src/webviews/diagramLayout/diagramModel.ts';
import { createLayoutInput } from '../../src/webviews/diagramLayout/layoutInput.ts';
import type { FromDiagram, ToDiagram } from '../../src/webviews/protocol/diagram.ts';
import { TestPage, pageThemes, useBrowser } from './support/openPage.ts';

useBrowser();

type DiagramTestPage = TestPage<ToDiagram, FromDiagram>;

/** A table whose first columns, marked by `*`, are those of relations. */
function createTable(
  name: string,
  columnNames: readonly string[],
  flags: Partial<DiagramTable> = {},
): DiagramTable {
  return {
    id: name,
    datasetId: 'set',
    dataset: 'Sales',
    name,
    isCustom: false,
    isHidden: false,
    isSecured: false,
    columns: columnNames.map((columnName) => {
      const plainName = columnName.replace('*', '');
      return {
        id: `${name}.${plainName}`,
        name: plainName,
        type: plainName.endsWith('Id') ? 'integer' : 'text',
        isKey: columnName.endsWith('*'),
        isCustom: plainName === 'Order Month',
        isHidden: plainName === 'Internal',
        isSecured: plainName === 'Segment',
        canRelate: plainName !== 'Nameless',
      };
    }),
    ...flags,
  };
}

const relate = (id: string, ...columns: readonly string[]) => ({
  id,
  ends: columns.map((column) => ({ table: column.split('.')[0] ?? '', column })),
});

const shop: DiagramModel = {
  tables: [
    createTable('Orders', ['Store Id*', 'Customer Id*', 'Channel', 'Status', 'Order Month', 'Nameless']),
    createTable('Stores', ['Store Id*', 'Region Id*', 'City', 'Internal'], { isHidden: true }),
    createTable('Regions', ['Region Id*', 'Region', 'Country', 'Continent']),
    createTable('Customers', ['Customer Id*', 'Segment'], { isSecured: true }),
    createTable('Employees', ['Employee Id', 'Name']),
    createTable('Ranking', ['Store', 'Rank'], { isCustom: true }),
  ],
  relations: [
    relate('r1', 'Orders.Store Id', 'Stores.Store Id'),
    relate('r2', 'Orders.Customer Id', 'Customers.Customer Id'),
    relate('r3', 'Stores.Region Id', 'Regions.Region Id'),
  ],
  droppedRelations: 1,
};

const createData = (
  model: DiagramModel,
  { title = 'Retail', note }: { readonly title?: string; readonly note?: string } = {},
): Extract<ToDiagram, { type: 'data' }> => ({
  type: 'data',
  datamodel: { connectionId: 'sandbox', datamodelId: 'retail', title },
  model,
  layout: computeLayout(createLayoutInput(model)),
  subject: { title },
  ...(note === undefined ? {} : { note }),
});

async function openDiagram(model = shop, state?: unknown): Promise<DiagramTestPage> {
  const opened = await TestPage.open<ToDiagram, FromDiagram>('diagram', { state });
  opened.post(createData(model));
  await opened.page.getByRole('heading', { name: 'Diagram of Retail' }).waitFor();
  return opened;
}

const getTable = ({ page }: DiagramTestPage, name: string): Locator =>
  page.getByRole('group', { name: new RegExp(`^Table ${name},`) });

const getColumn = (opened: DiagramTestPage, table: string, name: string): Locator =>
  getTable(opened, table)
    .locator('.column')
    .filter({ has: opened.page.getByText(name, { exact: true }) });

const waitUntilChosen = (opened: DiagramTestPage, name: string): Promise<void> =>
  getTable(opened, name).and(opened.page.locator('.isChosen')).waitFor();

/** Clicks the corner of a table, where no column is. */
const choose = async (opened: DiagramTestPage, name: string): Promise<void> => {
  await getTable(opened, name).click({ position: { x: 8, y: 8 } });
  await waitUntilChosen(opened, name);
};

/** The scale, in percent, that the toolbar shows. */
const readZoom = async ({ page }: DiagramTestPage): Promise<number> =>
  Number.parseInt((await page.locator('.zoom').textContent()) ?? '', 10);

test('tables and relations are counted, chosen and described', async () => {
  const opened = await openDiagram();
  const { page } = opened;
  await page
    .getByText('6 tables, 3 relations. Not drawn, since their tables are not there: 1 relation.')
    .waitFor();
  await page.getByRole('group', { name: 'Table Customers, secured, 2 columns, related to Orders' }).waitFor();
  await page.getByRole('group', { name: 'Table Ranking, custom, 2 columns, no relations' }).waitFor();
  await choose(opened, 'Orders');
  const details = page.getByRole('complementary', { name: 'Table Orders' });
  await details.getByText('Sales · 6 columns').waitFor();
  await details.getByRole('button', { name: 'Orders.Store Id = Stores.Store Id', exact: true }).hover();
  await page.locator('.line-label', { hasText: 'Orders.Store Id = Stores.Store Id' }).waitFor();
  await opened.screenshot('page-diagram-chosen');
  await page.mouse.move(0, 0);
  await page.locator('.line-label').waitFor({ state: 'detached' });
  // Lines of the chosen table are alike, and so are all others.
  const colors = await page.locator('.lines').evaluate((lines) => {
    const strokes = (selector: string): string[] =>
      [...lines.querySelectorAll(selector)].map((line) => getComputedStyle(line).stroke);
    return [strokes('.isRelated .line'), strokes('g:not(.isRelated) .line')].map((all) => new Set(all).size);
  });
  expect(colors).toEqual([1, 1]);
  await details.getByRole('button', { name: 'Open relation Orders.Store Id = Stores.Store Id' }).click();
  expect((await opened.receives('openRelation')).relation).toBe('r1');
  await details.getByRole('button', { name: 'Orders.Store Id = Stores.Store Id', exact: true }).click();
  await waitUntilChosen(opened, 'Stores');
  await page.getByRole('complementary').getByRole('button', { name: 'Close' }).click();
  await page.getByRole('complementary').waitFor({ state: 'detached' });
  opened.assertNoErrors();
});

test('the actions of a table are asked of the host', async () => {
  const opened = await openDiagram();
  const { page } = opened;
  await choose(opened, 'Customers');
  const details = page.getByRole('complementary', { name: 'Table Customers' });
  await details.getByRole('button', { name: 'Open', exact: true }).click();
  expect((await opened.receives('open')).table).toBe('Customers');
  await details.getByRole('button', { name: 'Reveal in Explorer' }).click();
  expect((await opened.receives('reveal')).table).toBe('Customers');
  await details.getByRole('button', { name: 'Create Relation from Here…' }).click();
  expect((await opened.receives('relate')).ends).toEqual([{ table: 'Customers' }]);
  await details.getByRole('button', { name: 'Show Who Sees What…' }).click();
  await opened.receives('access');
  await details.getByRole('button', { name: 'Show all columns' }).click();
  await getColumn(opened, 'Customers', 'Segment').waitFor();
  // The menus of tables and columns know what they are of.
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

test('the keyboard goes from table to table, opens, shows columns, relates and zooms', async () => {
  const opened = await openDiagram();
  const { page } = opened;
  const canvas = page.getByRole('application', { name: 'Picture of Retail' });
  await canvas.press('Home');
  await page.locator('.table.isChosen:focus').waitFor();
  await choose(opened, 'Orders');
  for (const key of ['ArrowRight', 'ArrowLeft', 'ArrowUp', 'ArrowDown']) {
    await page.locator('.table.isChosen').press(key);
    await page.locator('.table.isChosen:focus').waitFor();
  }
  await choose(opened, 'Stores');
  await page.keyboard.press('Space');
  await getTable(opened, 'Stores').getByText('Key columns only').waitFor();
  await page.keyboard.press('Enter');
  expect((await opened.receives('open')).table).toBe('Stores');
  await page.keyboard.press('r');
  expect((await opened.receives('relate')).ends).toEqual([{ table: 'Stores' }]);
  await page.keyboard.press('0');
  expect(await readZoom(opened)).toBe(100);
  await page.keyboard.press('+');
  const larger = await readZoom(opened);
  expect(larger).toBeGreaterThan(100);
  await page.keyboard.press('-');
  expect(await readZoom(opened)).toBe(100);
  const world = page.locator('.world');
  const before = await world.getAttribute('style');
  await page.keyboard.press('Shift+ArrowRight');
  await expect.poll(() => world.getAttribute('style')).not.toBe(before);
  await page.keyboard.press('f');
  await page.keyboard.press('Escape');
  await page.locator('.table.isChosen').waitFor({ state: 'detached' });
  await page.keyboard.press('Control+f');
  await page.locator(':focus').and(page.getByLabel('Find a table or column')).waitFor();
  await canvas.press('End');
  await page.locator('.table.isChosen:focus').waitFor();
});

test('a search finds a column that is not shown, and reveals it', async () => {
  const opened = await openDiagram();
  const { page } = opened;
  const search = page.getByLabel('Find a table or column');
  await search.fill('orders.channel');
  await page.getByText('1 of 1').waitFor();
  await search.press('Enter');
  await getColumn(opened, 'Orders', 'Channel').and(page.locator('.isFound')).waitFor();
  await opened.screenshot('page-diagram-search');
  await search.fill('store');
  const count = page.getByText(/^1 of [2-9]$/);
  await count.waitFor();
  const all = Number((await count.textContent())?.split(' ').at(-1));
  await page.getByRole('button', { name: 'Previous Match (Shift+Enter)' }).click();
  await page.getByText(`${all} of ${all}`).waitFor();
  await page.getByRole('button', { name: 'Next Match (Enter)' }).click();
  await page.getByText(`1 of ${all}`).waitFor();
  await search.press('Enter');
  await search.press('Enter');
  await page.getByText(`2 of ${all}`).waitFor();
  await search.press('Shift+Enter');
  await page.getByText(`1 of ${all}`).waitFor();
  await search.fill('nothing of the kind');
  await page.getByText('Nothing found').waitFor();
  expect(await page.getByRole('button', { name: 'Next Match (Enter)' }).isDisabled()).toBe(true);
});

test('a relation is drawn from column to column; Escape and the same table give it up', async () => {
  const opened = await openDiagram();
  const { page } = opened;
  await page.getByRole('button', { name: 'Open All Tables' }).click();
  await page.getByRole('button', { name: 'Fit All (F)' }).click();
  const from = getColumn(opened, 'Employees', 'Employee Id');
  const drag = async (to: Locator): Promise<void> => {
    await to.hover();
    await from.hover();
    const box = await to.boundingBox();
    if (box === null) {
      throw new Error('The target is not on the screen');
    }
    await page.mouse.down();
    await page.mouse.move(box.x + box.width / 2 - 20, box.y + box.height / 2, { steps: 8 });
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  };
  await drag(getColumn(opened, 'Stores', 'Store Id'));
  await page.locator('.drag').waitFor();
  await getColumn(opened, 'Stores', 'Store Id').and(page.locator('.isTarget')).waitFor();
  await opened.screenshot('page-diagram-drag');
  await page.keyboard.press('Escape');
  await page.locator('.drag').waitFor({ state: 'detached' });
  await page.mouse.up();
  await drag(getColumn(opened, 'Employees', 'Name'));
  await page.mouse.up();
  expect(opened.messages.some(({ type }) => type === 'relate')).toBe(false);
  await drag(getColumn(opened, 'Stores', 'Store Id'));
  await page.mouse.up();
  expect((await opened.receives('relate')).ends).toEqual([
    { table: 'Employees', column: 'Employees.Employee Id' },
    { table: 'Stores', column: 'Stores.Store Id' },
  ]);
  // A column without an identifier takes no relation: its table does.
  await drag(getColumn(opened, 'Orders', 'Nameless'));
  await page.mouse.up();
  await opened.receives('relate', ({ ends }) => ends[1]?.table === 'Orders' && ends[1].column === undefined);
});

test('the picture is moved and zoomed by mouse, and a line is chosen by a click', async () => {
  const opened = await openDiagram();
  const { page } = opened;
  const world = page.locator('.world');
  const before = await world.getAttribute('style');
  await page.mouse.move(500, 640);
  await page.mouse.down();
  await page.mouse.move(560, 600, { steps: 4 });
  await page.mouse.up();
  expect(await world.getAttribute('style')).not.toBe(before);
  const zoom = await readZoom(opened);
  await page.mouse.wheel(0, -300);
  await expect.poll(() => readZoom(opened)).toBeGreaterThan(zoom);
  const zoomed = await world.getAttribute('style');
  await page.mouse.wheel(80, 0);
  await expect.poll(() => world.getAttribute('style')).not.toBe(zoomed);
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
  await waitUntilChosen(opened, 'Stores');
});

test('the list shows the same as text', async () => {
  const opened = await openDiagram();
  const { page } = opened;
  await page.getByRole('button', { name: 'Show as List' }).click();
  await page.locator('summary', { hasText: 'Regions' }).click();
  await page.getByText('Region Id integer · key').waitFor();
  await page.getByRole('button', { name: 'Stores.Region Id = Regions.Region Id' }).click();
  expect((await opened.receives('openRelation')).relation).toBe('r3');
  await opened.screenshot('page-diagram-list');
  expect(await opened.axeViolations()).toEqual([]);
  await page.getByLabel('Find a table or column').fill('segment');
  await page.locator('summary', { hasText: 'Customers' }).waitFor();
  expect(await page.locator('summary').count()).toBe(1);
  await page.getByLabel('Find a table or column').fill('nothing of the kind');
  await page.getByText('Nothing found').first().waitFor();
  await page.getByRole('button', { name: 'Show as Picture' }).click();
  await getTable(opened, 'Regions').waitFor();
});

test('the picture is saved as SVG without colors of the theme left open, and as PNG', async () => {
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

test('reading, arranging, failing and trying again are said', async () => {
  const opened = await TestPage.open<ToDiagram, FromDiagram>('diagram');
  const { page } = opened;
  await page.getByText('Reading the datamodel…').waitFor();
  opened.post({ type: 'arranging', tableCount: 6 });
  await page.getByText('Arranging 6 tables…').waitFor();
  opened.post(createData(shop, { note: 'Secured columns are not marked: the rules could not be read.' }));
  await page.getByText(/^6 tables, .*Secured columns are not marked/).waitFor();
  opened.post({ type: 'arranging', tableCount: 7 });
  await page.getByText(/^Arranging…/).waitFor();
  opened.post({ type: 'failed', message: 'The connection was removed.' });
  await page.getByRole('alert').getByText('The connection was removed.').waitFor();
  await opened.screenshot('page-diagram-failed');
  expect(await opened.axeViolations()).toEqual([]);
  await page.getByRole('button', { name: 'Try Again' }).click();
  await opened.receives('reload');
  opened.post({ type: 'reading' });
  await page.getByText('Reading the datamodel…').waitFor();
  const title = '<b>Rude</b> & "Co"';
  opened.post(createData({ tables: [], relations: [], droppedRelations: 0 }, { title }));
  await page.getByText('This datamodel has no tables yet.').waitFor();
  await page.getByRole('heading', { name: `Diagram of ${title}` }).waitFor();
  await opened.screenshot('page-diagram-empty');
  expect(await opened.axeViolations()).toEqual([]);
  opened.assertNoErrors();
});

test('the host reveals a table, and asks to relate the chosen one', async () => {
  const opened = await openDiagram();
  opened.post({ type: 'relate' });
  opened.post({ type: 'show', table: 'Regions' });
  await waitUntilChosen(opened, 'Regions');
  await opened.page.locator('.table.isChosen:focus').waitFor();
  expect(opened.messages.some(({ type }) => type === 'relate')).toBe(false);
  opened.post({ type: 'relate' });
  expect((await opened.receives('relate')).ends).toEqual([{ table: 'Regions' }]);
});

test('the chosen table, the open ones and the search are there again after a reload', async () => {
  const opened = await openDiagram();
  await choose(opened, 'Stores');
  await opened.page.keyboard.press('Space');
  await opened.page.getByLabel('Find a table or column').fill('city');
  await expect
    .poll(() => opened.state)
    .toMatchObject({
      chosen: 'Stores',
      open: ['Stores'],
      query: 'city',
      mode: 'picture',
      place: { datamodelId: 'retail' },
    });
  const again = await openDiagram(shop, opened.state);
  await waitUntilChosen(again, 'Stores');
  await getTable(again, 'Stores').getByText('Key columns only').waitFor();
  expect(await again.page.getByLabel('Find a table or column').inputValue()).toBe('city');
});

test.each(pageThemes)('is accessible in %s', async (theme) => {
  const longName = 'A table with a very long name '.repeat(6);
  const opened = await openDiagram({
    ...shop,
    tables: [...shop.tables, createTable(longName, ['A column with a very long name '.repeat(6)])],
  });
  await opened.setTheme(theme);
  await choose(opened, 'Customers');
  await opened.screenshot(`page-diagram-${theme}`);
  expect(await opened.axeViolations()).toEqual([]);
  opened.assertNoErrors();
});
