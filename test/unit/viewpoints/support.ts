import type { Catalog, ViewpointProblem } from '../../../src/viewpoints/index.ts';
import { lintViewpoint } from '../../../src/viewpoints/index.ts';

/** A small model with unusual names and every kind of column. */
export const catalog: Catalog = {
  complete: true,
  tables: [
    {
      name: 'Orders',
      columns: [
        { name: 'Order Id', type: 8 },
        { name: 'Amount', type: 5 },
        { name: 'Order Date', type: 4 },
        { name: 'Status', type: 18 },
        { name: 'Secret', type: 18, hidden: true },
      ],
    },
    {
      name: 'orders.csv',
      columns: [
        { name: 'unit.price', type: 40 },
        { name: 'a]b', type: 18 },
      ],
    },
    { name: 'Not Loaded', columns: [] },
  ],
};

export const textColumn = { table: 'Orders', column: 'Status', dim: '[Orders.Status]', datatype: 'text' };
export const numberColumn = {
  table: 'Orders',
  column: 'Amount',
  dim: '[Orders.Amount]',
  datatype: 'numeric',
};
export const dateColumn = {
  table: 'Orders',
  column: 'Order Date',
  dim: '[Orders.Order Date (Calendar)]',
  datatype: 'datetime',
};

/** A viewpoint with these columns, as in a user's file. */
export const createViewpoint = (columns: readonly unknown[], otherProperties: object = {}): string =>
  JSON.stringify(
    { name: 'Sales', description: 'By day', details: { columns }, ...otherProperties },
    undefined,
    2,
  );

/** Each problem as its code and the marked text. */
export const findProblems = (text: string, usedCatalog: Catalog | null = catalog): readonly string[] =>
  lintViewpoint(text, usedCatalog ?? undefined).map(
    (problem) => `${problem.code}: ${getMarkedText(text, problem)}`,
  );

export const getProblemCodes = (text: string, usedCatalog: Catalog | null = catalog): readonly string[] =>
  lintViewpoint(text, usedCatalog ?? undefined).map(({ code }) => code);

const getMarkedText = (text: string, { start, end }: ViewpointProblem): string =>
  text.slice(start, end).replaceAll(/\s+/g, ' ');
