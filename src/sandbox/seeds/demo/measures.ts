import type { JsonObject } from '../../../base/json.ts';
import type { groups } from '../people.ts';

/** A measure of the demo viewpoints: a column and how its values are aggregated. */
export interface Measure {
  readonly title: string;
  readonly description: string;
  readonly table: string;
  readonly column: string;
  readonly agg: 'sum' | 'average' | 'count';
  readonly isMoney: boolean;
  /** The groups that its viewpoints may be shared with. */
  readonly audience: readonly (keyof typeof groups)[];
}

/** A column by which the demo viewpoints break a measure down. */
export interface Dimension {
  readonly title: string;
  /** Continues the description of a measure: `by brand`. */
  readonly description: string;
  readonly table: string;
  readonly column: string;
  readonly level?: 'days' | 'weeks' | 'months' | 'quarters' | 'years';
  readonly filter?: JsonObject;
}

const createMeasure = (
  title: string,
  description: string,
  [table, column, agg]: readonly [string, string, Measure['agg']],
  isMoney: boolean,
  ...audience: readonly (keyof typeof groups)[]
): Measure => ({ title, description, table, column, agg, isMoney, audience });

/** The 13 measures of the demo viewpoints. */
export const measures: readonly Measure[] = [
  createMeasure(
    'Revenue',
    'What customers paid after discount',
    ['Order Items', 'Revenue', 'sum'],
    true,
    'sales',
    'executives',
  ),
  createMeasure(
    'Profit',
    'Revenue less purchase cost',
    ['Order Items', 'Profit', 'sum'],
    true,
    'finance',
    'executives',
  ),
  createMeasure(
    'Units Sold',
    'How many items left the shelves',
    ['Order Items', 'Quantity', 'sum'],
    false,
    'sales',
  ),
  createMeasure(
    'Orders',
    'How many orders were placed',
    ['Orders', 'Order Id', 'count'],
    false,
    'sales',
    'salesNorth',
    'salesSouth',
  ),
  createMeasure(
    'Average Discount',
    'How much of the price was given away',
    ['Order Items', 'Discount', 'average'],
    false,
    'finance',
  ),
  createMeasure(
    'Gross Amount',
    'Order value before discount',
    ['Order Items', 'Gross Amount', 'sum'],
    true,
    'finance',
  ),
  createMeasure(
    'Cost of Goods',
    'Purchase cost of the items sold',
    ['Order Items', 'Cost', 'sum'],
    true,
    'finance',
  ),
  createMeasure(
    'Average Line Value',
    'Revenue of one order line',
    ['Order Items', 'Revenue', 'average'],
    true,
    'sales',
    'marketing',
  ),
  createMeasure(
    'Refunds',
    'What was paid back for returned items',
    ['Returns', 'Refund', 'sum'],
    true,
    'finance',
    'support',
  ),
  createMeasure(
    'Returned Items',
    'How many items came back',
    ['Returns', 'Return Id', 'count'],
    false,
    'support',
  ),
  createMeasure(
    'Days to Ship',
    'From order to shipment',
    ['Orders', 'Days to Ship', 'average'],
    false,
    'support',
    'sales',
  ),
  createMeasure(
    'Active Customers',
    'Customers with at least one order',
    ['Orders', 'Customer Id', 'count'],
    false,
    'marketing',
    'executives',
  ),
  createMeasure(
    'Products Sold',
    'How many different products were sold',
    ['Order Items', 'Product Id', 'count'],
    false,
    'marketing',
  ),
];

const createDimension = (
  title: string,
  description: string,
  table: string,
  column: string,
  options: Partial<Dimension> = {},
): Dimension => ({
  title,
  description,
  table,
  column,
  ...options,
});

/** The 10 dimensions that each measure is broken down by. */
export const dimensions: readonly Dimension[] = [
  createDimension('Region', 'across the sales regions', 'Regions', 'Region'),
  createDimension('Store', 'store by store', 'Stores', 'Store Label'),
  createDimension('Category', 'by product category', 'Categories', 'Category'),
  createDimension('Brand', 'by brand', 'Products', 'Brand'),
  createDimension('Customer Segment', 'by kind of customer', 'Customers', 'Segment'),
  createDimension('Channel', 'by sales channel', 'Orders', 'Channel', {
    filter: { members: ['Store', 'Online'], explicit: true, multiSelection: true },
  }),
  createDimension('Country', 'by country', 'Regions', 'Country'),
  createDimension('Month', 'month by month', 'Calendar', 'Date', { level: 'months' }),
  createDimension('Quarter', 'by quarter since 2024', 'Calendar', 'Date', {
    level: 'quarters',
    filter: { from: '2024-01-01', to: '2025-12-31' },
  }),
  createDimension('Week', 'in the weeks of the current year', 'Calendar', 'Date', {
    level: 'weeks',
    filter: { from: '2025-01-01', to: '2025-12-31' },
  }),
];
