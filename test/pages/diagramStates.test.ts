import { expect, test } from 'vitest';
import type { DiagramModel } from '../../src/webviews/diagramLayout/diagramModel.ts';
import type { FromDiagram, ToDiagram } from '../../src/webviews/protocol/diagram.ts';
import {
  createData,
  createTable,
  getTable,
  openDiagram,
  retailModel,
  waitUntilSelected,
} from './support/diagram.ts';
import { TestPage, useBrowser } from './support/openPage.ts';

useBrowser();

const createModel = (names: readonly string[]): DiagramModel => ({
  tables: names.map((name) => createTable(name, [])),
  relations: [],
  droppedRelationCount: 0,
});

test('the page reports reading, arranging and failures, and can try again', async () => {
  const opened = await TestPage.open<ToDiagram, FromDiagram>('diagram');
  const { page } = opened;
  await page.getByText('Loading datamodel…').waitFor();
  opened.post({ type: 'arranging', tableCount: 6 });
  await page.getByText('Arranging 6 tables…').waitFor();
  opened.post(
    createData(retailModel, { note: "Secured columns aren't marked because the rules couldn't be read." }),
  );
  await page.getByText(/^6 tables, .*Secured columns aren't marked/).waitFor();
  opened.post({ type: 'arranging', tableCount: 7 });
  await page.getByText(/^Arranging…/).waitFor();
  opened.post({ type: 'failed', message: 'The connection was removed.' });
  await page.getByRole('alert').getByText('The connection was removed.').waitFor();
  await opened.screenshot('page-diagram-failed');
  expect(await opened.axeViolations()).toEqual([]);
  await page.getByRole('button', { name: 'Try Again' }).click();
  await opened.receives('reload');
  opened.post({ type: 'reading' });
  await page.getByText('Loading datamodel…').waitFor();
  const title = '<b>Retail</b> & "Co"';
  opened.post(createData({ tables: [], relations: [], droppedRelationCount: 0 }, { title }));
  await page.getByText('This datamodel has no tables.').waitFor();
  await page.getByRole('heading', { name: `Diagram of ${title}` }).waitFor();
  await opened.screenshot('page-diagram-empty');
  expect(await opened.axeViolations()).toEqual([]);
  opened.assertNoErrors();
});

test('the selected table, expanded tables and the search are restored after a reload', async () => {
  const opened = await openDiagram();
  await getTable(opened, 'Stores').click({ position: { x: 8, y: 8 } });
  await waitUntilSelected(opened, 'Stores');
  await opened.page.keyboard.press('Space');
  await opened.page.getByLabel('Find table or column').fill('city');
  await expect
    .poll(() => opened.state)
    .toMatchObject({
      chosen: 'Stores',
      open: ['Stores'],
      query: 'city',
      mode: 'picture',
      place: { datamodelId: 'retail' },
    });
  const restored = await openDiagram(retailModel, opened.state);
  await waitUntilSelected(restored, 'Stores');
  await getTable(restored, 'Stores').getByText('Key columns only').waitFor();
  expect(await restored.page.getByLabel('Find table or column').inputValue()).toBe('city');
});

test('after a reload with fewer matches, the last match is the current one', async () => {
  const opened = await openDiagram(createModel(['Sales 1', 'Sales 2', 'Sales 3']));
  const { page } = opened;
  await page.locator('#search').fill('Sales');
  await page.getByRole('button', { name: /^Next Match/ }).click();
  await page.getByRole('button', { name: /^Next Match/ }).click();
  await page.getByText('3 of 3').waitFor();
  opened.post(createData(createModel(['Sales 1', 'Sales 2'])));
  await page.getByText('2 of 2').waitFor();
  opened.assertNoErrors();
});

test('a reload while tables are arranged shows that the datamodel is read again', async () => {
  const opened = await TestPage.open<ToDiagram, FromDiagram>('diagram');
  opened.post({ type: 'arranging', tableCount: 5 });
  await opened.page.getByText('Arranging 5 tables…').waitFor();
  opened.post({ type: 'reading' });
  await opened.page.getByText('Loading datamodel…').waitFor();
  expect(await opened.page.getByText('Arranging').count()).toBe(0);
});
