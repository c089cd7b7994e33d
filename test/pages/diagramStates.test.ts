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
import { TestPage, useBrowser } from './support/testPage.ts';

useBrowser();

const createModel = (names: readonly string[]): DiagramModel => ({
  tables: names.map((name) => createTable(name, [])),
  relations: [],
  undrawnRelationCount: 0,
});

test('the page shows that the datamodel is being read or arranged, shows failures, and offers to retry', async () => {
  const testPage = await TestPage.open<ToDiagram, FromDiagram>('diagram');
  const { page } = testPage;
  await page.getByText('Loading datamodel…').waitFor();
  testPage.post({ type: 'arranging', tableCount: 6 });
  await page.getByText('Arranging 6 tables…').waitFor();
  testPage.post(
    createData(retailModel, { note: "Secured columns aren't marked because the rules couldn't be read." }),
  );
  await page.getByText(/^6 tables, .*Secured columns aren't marked/).waitFor();
  testPage.post({ type: 'arranging', tableCount: 7 });
  await page.getByText(/^Arranging…/).waitFor();
  testPage.post({ type: 'failed', message: 'The connection was removed.' });
  await page.getByRole('alert').getByText('The connection was removed.').waitFor();
  await testPage.screenshot('page-diagram-failed');
  expect(await testPage.findAxeViolations()).toEqual([]);
  await page.getByRole('button', { name: 'Retry' }).click();
  await testPage.waitForMessage('reload');
  testPage.post({ type: 'reading' });
  await page.getByText('Loading datamodel…').waitFor();
  const title = '<b>Retail</b> & "Co"';
  testPage.post(createData({ tables: [], relations: [], undrawnRelationCount: 0 }, { title }));
  await page.getByText('This datamodel has no tables.').waitFor();
  await page.getByRole('heading', { name: `Diagram of ${title}` }).waitFor();
  await testPage.screenshot('page-diagram-empty');
  expect(await testPage.findAxeViolations()).toEqual([]);
  testPage.assertNoErrors();
});

test('the selected table, expanded tables and the search are restored after a reload', async () => {
  const testPage = await openDiagram();
  await getTable(testPage, 'Stores').click({ position: { x: 8, y: 8 } });
  await waitUntilSelected(testPage, 'Stores');
  await testPage.page.keyboard.press('Space');
  await testPage.page.getByLabel('Find table or column').fill('city');
  await expect
    .poll(() => testPage.state)
    .toMatchObject({
      selectedId: 'Stores',
      expandedIds: ['Stores'],
      query: 'city',
      mode: 'picture',
      place: { datamodelId: 'retail' },
    });
  const restored = await openDiagram(retailModel, testPage.state);
  await waitUntilSelected(restored, 'Stores');
  await getTable(restored, 'Stores').getByText('Key columns only').waitFor();
  expect(await restored.page.getByLabel('Find table or column').inputValue()).toBe('city');
});

test('requests of the host are not repeated when the datamodel is loaded again', async () => {
  const testPage = await openDiagram();
  testPage.post({ type: 'show', table: 'Regions' });
  testPage.post({ type: 'relate' });
  expect((await testPage.waitForMessage('relate')).ends).toEqual([{ table: 'Regions' }]);
  await getTable(testPage, 'Stores').click({ position: { x: 8, y: 8 } });
  await waitUntilSelected(testPage, 'Stores');
  testPage.post({ type: 'reading' });
  await testPage.page.getByText('Loading datamodel…').waitFor();
  testPage.post(createData(retailModel));
  await waitUntilSelected(testPage, 'Stores');
  // Once the page has handled these actions, it has also handled all messages before them.
  await testPage.page.locator('.canvas').press('Shift+ArrowDown');
  await testPage.page.getByRole('button', { name: 'Open', exact: true }).click();
  await testPage.waitForMessage('open');
  await waitUntilSelected(testPage, 'Stores');
  expect(testPage.messages.filter(({ type }) => type === 'relate')).toHaveLength(1);
});

test('after a reload with fewer matches, the last match is the current one', async () => {
  const testPage = await openDiagram(createModel(['Sales 1', 'Sales 2', 'Sales 3']));
  const { page } = testPage;
  await page.locator('#search').fill('Sales');
  await page.getByRole('button', { name: /^Next Match/ }).click();
  await page.getByRole('button', { name: /^Next Match/ }).click();
  await page.getByText('3 of 3').waitFor();
  testPage.post(createData(createModel(['Sales 1', 'Sales 2'])));
  await page.getByText('2 of 2').waitFor();
  testPage.assertNoErrors();
});

test('a reload while tables are arranged shows that the datamodel is read again', async () => {
  const testPage = await TestPage.open<ToDiagram, FromDiagram>('diagram');
  testPage.post({ type: 'arranging', tableCount: 5 });
  await testPage.page.getByText('Arranging 5 tables…').waitFor();
  testPage.post({ type: 'reading' });
  await testPage.page.getByText('Loading datamodel…').waitFor();
  expect(await testPage.page.getByText('Arranging').count()).toBe(0);
});
