import type { Locator } from 'playwright-core';
import { computeLayout } from '../../../src/webviews/diagramLayout/computeLayout.ts';
import type { DiagramModel, DiagramTable } from '../../../src/webviews/diagramLayout/diagramModel.ts';
import { createLayoutInput } from '../../../src/webviews/diagramLayout/layoutInput.ts';
import type { FromDiagram, ToDiagram } from '../../../src/webviews/protocol/diagram.ts';
import { TestPage } from './testPage.ts';

export type DiagramTestPage = TestPage<ToDiagram, FromDiagram>;

/** Creates a table. Columns that relations use come first, and their names are marked by `*`. */
export function createTable(
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
        isInRelation: columnName.endsWith('*'),
        isCustom: plainName === 'Order Month',
        isHidden: plainName === 'Internal',
        isSecured: plainName === 'Segment',
        canRelate: plainName !== 'Nameless',
      };
    }),
    ...flags,
  };
}

const createRelation = (id: string, ...columns: readonly string[]) => ({
  id,
  ends: columns.map((column) => ({ table: column.split('.')[0] ?? '', column })),
});

/** A diagram of six tables with three relations, and a fourth relation that cannot be drawn. */
export const retailModel: DiagramModel = {
  tables: [
    createTable('Orders', ['Store Id*', 'Customer Id*', 'Channel', 'Status', 'Order Month', 'Nameless']),
    createTable('Stores', ['Store Id*', 'Region Id*', 'City', 'Internal'], { isHidden: true }),
    createTable('Regions', ['Region Id*', 'Region', 'Country', 'Continent']),
    createTable('Customers', ['Customer Id*', 'Segment'], { isSecured: true }),
    createTable('Employees', ['Employee Id', 'Name']),
    createTable('Ranking', ['Store', 'Rank'], { isCustom: true }),
  ],
  relations: [
    createRelation('r1', 'Orders.Store Id', 'Stores.Store Id'),
    createRelation('r2', 'Orders.Customer Id', 'Customers.Customer Id'),
    createRelation('r3', 'Stores.Region Id', 'Regions.Region Id'),
  ],
  undrawnRelationCount: 1,
};

/** Creates the message with which the host posts a datamodel. */
export const createData = (
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

/** Opens the page with a diagram whose datamodel has the title Retail. */
export async function openDiagram(model = retailModel, state?: unknown): Promise<DiagramTestPage> {
  const testPage = await TestPage.open<ToDiagram, FromDiagram>('diagram', { state });
  testPage.post(createData(model));
  await testPage.page.getByRole('heading', { name: 'Diagram of Retail' }).waitFor();
  return testPage;
}

/** The box of a table. */
export const getTable = ({ page }: DiagramTestPage, name: string): Locator =>
  page.getByRole('group', { name: new RegExp(`^Table ${name},`) });

/** The row of a column in the box of its table. */
export const getColumn = (testPage: DiagramTestPage, table: string, name: string): Locator =>
  getTable(testPage, table)
    .locator('.column')
    .filter({ has: testPage.page.getByText(name, { exact: true }) });

/** Waits until a table is selected. */
export const waitUntilSelected = (testPage: DiagramTestPage, name: string): Promise<void> =>
  getTable(testPage, name).and(testPage.page.locator('.isSelected')).waitFor();
