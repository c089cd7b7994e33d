import type { Catalog, ExpressionContext } from '../../../src/sql/index.ts';

function createColumns(...names: readonly string[]): { name: string; type: number }[] {
  return names.map((name) => ({ name, type: 18 }));
}

/** The datamodel that the texts of these tests refer to. */
export const CATALOG: Catalog = {
  complete: true,
  tables: [
    {
      name: 'Orders',
      columns: [
        ...createColumns('Order Id', 'Customer Id', 'Order Date', 'Amount', 'Status'),
        { name: 'Margin', type: 5, hidden: true },
      ],
    },
    {
      name: 'Customers',
      columns: createColumns('Customer Id', 'Name', 'Country', 'First Name', 'Last Name'),
    },
    { name: 'Order Items', columns: createColumns('Order Id', 'Product Id', 'Quantity', 'Unit Price') },
    { name: 'Products', columns: createColumns('Product Id', 'Name', 'Category', 'Cost [USD]', 'Größe') },
    { name: 'orders.csv', columns: createColumns('id', 'total', 'Date', 'a"b', 'x`y') },
  ],
  relations: [
    {
      columns: [
        { table: 'Orders', column: 'Customer Id' },
        { table: 'Customers', column: 'Customer Id' },
      ],
    },
    {
      columns: [
        { table: 'Orders', column: 'Order Id' },
        { table: 'Order Items', column: 'Order Id' },
      ],
    },
  ],
};

/** The context of the query of a custom table. */
export const tableContext: ExpressionContext = { kind: 'table', catalog: CATALOG };
/** The context of the expression of a custom column of Orders. */
export const columnContext: ExpressionContext = { kind: 'column', table: 'Orders', catalog: CATALOG };

/** Removes the caret mark `|` from a text; `||` is the operator. */
export function extractCaret(marked: string): { text: string; offset: number } {
  const offset = marked.search(/(?<!\|)\|(?!\|)/);
  if (offset < 0) {
    throw new Error(`No caret in: ${marked}`);
  }
  return { text: marked.slice(0, offset) + marked.slice(offset + 1), offset };
}

export interface Case {
  readonly marked: string;
  readonly expected: readonly string[];
  readonly absent: readonly string[];
}

/** Reads lines `text => expected, labels !! absent, labels`; `⏎` is a line break. */
export function readCases(lines: string): Case[] {
  return lines
    .split('\n')
    .filter((line) => line.includes('=>') || line.includes('!!'))
    .map((line) => {
      const [front = '', absentLabels = ''] = line.split('!!');
      const [marked = '', expectedLabels = ''] = front.split('=>');
      return {
        marked: marked.trimEnd().replaceAll('⏎', '\n'),
        expected: splitLabels(expectedLabels),
        absent: splitLabels(absentLabels),
      };
    });
}

function splitLabels(list: string): string[] {
  return list
    .split(',')
    .map((label) => label.trim())
    .filter((label) => label !== '');
}
