import { expect, test } from 'vitest';
import type { FromDiagram, ToDiagram } from '../../src/webviews/protocol/diagram.ts';
import { TestPage, useBrowser } from './support/testPage.ts';

useBrowser();

const numbers = Array.from({ length: 500 }, (_, index) => index + 1);

const data: ToDiagram = {
  type: 'data',
  datamodel: { connectionId: 'c', datamodelId: 'enterprise', title: 'Enterprise' },
  model: {
    tables: numbers.map((number) => ({
      id: `t${number}`,
      datasetId: 'd',
      dataset: 'Source 1',
      name: `Table ${number}`,
      isCustom: false,
      isHidden: false,
      isSecured: false,
      columns: Array.from({ length: 40 }, (_, column) => ({
        id: `t${number}c${column + 1}`,
        name: `Column ${column + 1}`,
        isInRelation: column === 0,
        isCustom: false,
        isHidden: false,
        isSecured: false,
        canRelate: true,
      })),
    })),
    relations: numbers.slice(1).map((number) => ({
      id: `r${number}`,
      ends: [
        { table: 't1', column: 't1c1' },
        { table: `t${number}`, column: `t${number}c1` },
      ],
    })),
    undrawnRelationCount: 0,
  },
  layout: numbers.map((_, index) => ({ x: (index % 25) * 320, y: Math.floor(index / 25) * 160 })),
  subject: {},
};

test('a diagram of 500 tables can be searched, and its tables expanded', async () => {
  const testPage = await TestPage.open<ToDiagram, FromDiagram>('diagram');
  const { page } = testPage;
  testPage.post(data);
  await page.getByText('500 tables, 499 relations').waitFor();
  await testPage.screenshot('page-diagram-large');
  await page.getByLabel('Find table or column').fill('table 321');
  await page.getByLabel('Find table or column').press('Enter');
  const table = page.getByRole('group', { name: /^Table Table 321,/ });
  await table.and(page.locator('.isSelected')).waitFor();
  await table.press('Space');
  await table
    .locator('.column')
    .filter({ has: page.getByText('Column 17', { exact: true }) })
    .waitFor();
  await testPage.screenshot('page-diagram-large-table');
  expect(await testPage.findAxeViolations()).toEqual([]);
  testPage.assertNoErrors();
});
