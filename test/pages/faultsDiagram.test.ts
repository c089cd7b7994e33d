import { expect, test } from 'vitest';
import type { FromDiagram, ToDiagram } from '../../src/webviews/protocol/diagram.ts';
import type { DiagramTable } from '../../src/webviews/diagramLayout/diagramModel.ts';
import { TestPage, useBrowser } from './support/openPage.ts';

useBrowser();

const createTable = (name: string): DiagramTable => ({
  id: name,
  datasetId: 'd',
  dataset: 'Source',
  name,
  isCustom: false,
  isHidden: false,
  isSecured: false,
  columns: [],
});

const createData = (names: readonly string[]): ToDiagram => ({
  type: 'data',
  datamodel: { connectionId: 'c', datamodelId: 'm', title: 'Shop' },
  model: { tables: names.map(createTable), relations: [], droppedRelations: 0 },
  layout: names.map((_name, index) => ({ x: index * 300, y: 0 })),
  subject: {},
});

const openDiagram = async (names: readonly string[]): Promise<TestPage<ToDiagram, FromDiagram>> => {
  const opened = await TestPage.open<ToDiagram, FromDiagram>('diagram');
  opened.post(createData(names));
  await opened.page.getByRole('heading', { name: 'Diagram of Shop' }).waitFor();
  return opened;
};

test('Ctrl+F goes to the search in the list too', async () => {
  const opened = await openDiagram(['Orders']);
  await opened.page.getByRole('button', { name: 'Show as List' }).click();
  await opened.page.keyboard.press('Control+f');
  await opened.page.locator('#search:focus').waitFor();
  opened.assertNoErrors();
});

test('after a reload with fewer matches, the last of them is the current one', async () => {
  const opened = await openDiagram(['Sales 1', 'Sales 2', 'Sales 3']);
  const { page } = opened;
  await page.locator('#search').fill('Sales');
  await page.getByRole('button', { name: /^Next Match/ }).click();
  await page.getByRole('button', { name: /^Next Match/ }).click();
  await page.getByText('3 of 3').waitFor();
  opened.post(createData(['Sales 1', 'Sales 2']));
  await page.getByText('2 of 2').waitFor();
  opened.assertNoErrors();
});

test('a reload while tables are arranged shows that the datamodel is read again', async () => {
  const opened = await TestPage.open<ToDiagram, FromDiagram>('diagram');
  opened.post({ type: 'arranging', tableCount: 5 });
  await opened.page.getByText('Arranging 5 tables…').waitFor();
  opened.post({ type: 'reading' });
  await opened.page.getByText('Reading the datamodel…').waitFor();
  expect(await opened.page.getByText('Arranging').count()).toBe(0);
});
