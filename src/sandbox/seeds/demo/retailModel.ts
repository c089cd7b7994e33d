import type { JsonObject } from '../../../base/json.ts';
import { createCsvConnection, type DatasetSpec, createSeedModel, type TableSpec } from '../seedDocuments.ts';
import { createCustomColumn, createSourceColumn } from './columns.ts';
import { retailCustomTables } from './retailCustomTables.ts';

const orders: TableSpec = {
  name: 'Orders',
  id: 'orders.csv',
  description: 'One row per order, from all channels. Grows with every build by table.',
  accumulateBy: 'Order Date',
  keepOnlyDays: 3650,
  columns: [
    createSourceColumn('Order Id', 'integer'),
    createSourceColumn('Order Date', 'timestamp', { description: 'When the order was placed, UTC' }),
    createSourceColumn('Customer Id', 'integer', { hidden: true }),
    createSourceColumn('Store Id', 'integer', { hidden: true }),
    createSourceColumn('Employee Id', 'integer', { hidden: true }),
    createSourceColumn('Channel', 'text'),
    createSourceColumn('Status', 'text', { description: 'Open, Shipped, Delivered or Cancelled' }),
    createSourceColumn('Ship Date', 'date'),
    createCustomColumn(
      'Order Day',
      'date',
      'CREATEDATE(GETYEAR([Order Date]), GETMONTH([Order Date]), GETDAY([Order Date]))',
    ),
    createCustomColumn(
      'Order Month',
      'date',
      'CREATEDATE(GETYEAR([Order Date]), GETMONTH([Order Date]), 01)',
    ),
    createCustomColumn(
      'Days to Ship',
      'integer',
      'DAYDIFF([Ship Date], [Order Day])',
      'Null while the order has not left',
    ),
    createCustomColumn(
      'Delivery',
      'text',
      `CASE WHEN [Status] = 'Cancelled' THEN 'Cancelled'
     WHEN IsNull([Ship Date]) THEN 'Waiting'
     WHEN [Days to Ship] <= 3 THEN 'Fast'
     ELSE 'Slow' END`,
    ),
  ],
};

const orderItems: TableSpec = {
  name: 'Order Items',
  id: 'order_items.csv',
  description: 'The lines of the orders',
  columns: [
    createSourceColumn('Order Item Id', 'integer'),
    createSourceColumn('Order Id', 'integer', { hidden: true }),
    createSourceColumn('Product Id', 'integer', { hidden: true }),
    createSourceColumn('Quantity', 'integer'),
    createSourceColumn('Unit Price', 'decimal'),
    createSourceColumn('Discount', 'double', { description: 'Share of the price: 0.1 is 10 %' }),
    createCustomColumn('Gross Amount', 'decimal', '[Quantity] * [Unit Price]'),
    createCustomColumn('Revenue', 'decimal', 'ROUND([Gross Amount] * (1 - [Discount]), 2)', 'After discount'),
    createCustomColumn(
      'Cost',
      'decimal',
      '[Quantity] * Lookup([Products], [Unit Cost], [Product Id], [Product Id])',
    ),
    createCustomColumn('Profit', 'decimal', '[Revenue] - [Cost]'),
  ],
};

const returns: TableSpec = {
  name: 'Returns',
  id: 'returns.csv',
  buildBehavior: 'accumulativeSync',
  columns: [
    createSourceColumn('Return Id', 'integer'),
    createSourceColumn('Order Item Id', 'integer', { hidden: true }),
    createSourceColumn('Return Date', 'date'),
    createSourceColumn('Reason', 'text'),
    createSourceColumn('Refund', 'decimal'),
  ],
};

const products: TableSpec = {
  name: 'Products',
  id: 'products.csv',
  columns: [
    createSourceColumn('Product Id', 'integer', { hidden: true }),
    createSourceColumn('Product', 'text'),
    createSourceColumn('Category Id', 'integer', { hidden: true }),
    createSourceColumn('Brand', 'text'),
    createSourceColumn('Unit Cost', 'decimal', {
      hidden: true,
      description: 'Purchase price; for Finance only',
    }),
    createSourceColumn('List Price', 'decimal'),
    createSourceColumn('Launched On', 'date'),
    createSourceColumn('Discontinued', 'boolean'),
    createCustomColumn('Margin', 'decimal', '[List Price] - [Unit Cost]'),
    createCustomColumn('Margin Percent', 'double', 'ROUND([Margin] / [List Price] * 100, 1)'),
    createCustomColumn(
      'Price Band',
      'text',
      "CASE WHEN [List Price] < 50 THEN 'Entry' WHEN [List Price] < 150 THEN 'Core' ELSE 'Premium' END",
    ),
  ],
};

const categories: TableSpec = {
  name: 'Categories',
  id: 'categories.csv',
  columns: [
    createSourceColumn('Category Id', 'integer'),
    createSourceColumn('Category', 'text'),
    createSourceColumn('Department', 'text'),
  ],
};

const customers: TableSpec = {
  name: 'Customers',
  id: 'customers.csv',
  columns: [
    createSourceColumn('Customer Id', 'integer'),
    createSourceColumn('First Name', 'text'),
    createSourceColumn('Last Name', 'text'),
    createSourceColumn('Email', 'text', { hidden: true, description: 'Personal data: not for viewpoints' }),
    createSourceColumn('City', 'text'),
    createSourceColumn('Segment', 'text'),
    createSourceColumn('Customer Since', 'date'),
    createCustomColumn('Full Name', 'text', "[First Name] + ' ' + [Last Name]"),
    createCustomColumn('Mail Domain', 'text', "STRPARTS([Email], '@', 2)"),
  ],
};

const stores: TableSpec = {
  name: 'Stores',
  id: 'stores.csv',
  columns: [
    createSourceColumn('Store Id', 'integer'),
    createSourceColumn('Store', 'text'),
    createSourceColumn('City', 'text'),
    createSourceColumn('Region Id', 'integer', { hidden: true }),
    createSourceColumn('Opened On', 'date'),
    createSourceColumn('Square Meters', 'integer'),
    createSourceColumn('Is Flagship', 'boolean'),
    createCustomColumn('Region', 'text', 'Lookup([Regions], [Region], [Region Id], [Region Id])'),
    createCustomColumn('Store Label', 'text', "[Store] + ' (' + [Region] + ')'"),
  ],
};

const regions: TableSpec = {
  name: 'Regions',
  id: 'regions.csv',
  columns: [
    createSourceColumn('Region Id', 'integer'),
    createSourceColumn('Region', 'text'),
    createSourceColumn('Country', 'text'),
    createSourceColumn('Manager Id', 'integer', { hidden: true }),
  ],
};

const employees: TableSpec = {
  name: 'Employees',
  id: 'employees.csv',
  description: 'People who work in the stores',
  columns: [
    createSourceColumn('Employee Id', 'integer'),
    createSourceColumn('First Name', 'text'),
    createSourceColumn('Last Name', 'text'),
    createSourceColumn('Store Id', 'integer', { hidden: true }),
    createSourceColumn('Job Title', 'text'),
    createSourceColumn('Hired On', 'date'),
    createSourceColumn('Salary', 'decimal', { hidden: true, description: 'Monthly, EUR' }),
    createCustomColumn('Employee', 'text', "[Last Name] + ', ' + LEFT([First Name], 1) + '.'"),
  ],
};

const calendar: TableSpec = {
  name: 'Calendar',
  id: 'calendar.csv',
  buildBehavior: 'ignoreIfExists',
  columns: [
    createSourceColumn('Date', 'date'),
    createSourceColumn('Year', 'integer'),
    createSourceColumn('Quarter', 'text'),
    createSourceColumn('Month', 'integer'),
    createSourceColumn('Month Name', 'text'),
    createSourceColumn('Is Weekend', 'boolean'),
    createCustomColumn('Year and Quarter', 'text', "TOSTRING([Year]) + ' ' + [Quarter]"),
  ],
};

function createCsvDataset(name: string, tables: readonly TableSpec[]): DatasetSpec {
  const files = tables.map((table) => table.id ?? table.name);
  return { name, type: 'extract', tables, connection: createCsvConnection(name, files) };
}

/**
 * Creates the Retail datamodel, an extract datamodel built from CSV files: sales by customer, product and store.
 */
export function createRetailModel(): JsonObject {
  return createSeedModel({
    title: 'Retail',
    type: 'extract',
    datasets: [
      createCsvDataset('Sales', [orders, orderItems, returns]),
      createCsvDataset('Master Data', [products, categories, customers, stores, regions, employees]),
      createCsvDataset('Time', [calendar]),
      { name: 'Custom Tables', type: 'custom', tables: retailCustomTables },
    ],
    relations: [
      ['Order Items.Order Id', 'Orders.Order Id'],
      ['Order Items.Product Id', 'Products.Product Id'],
      ['Returns.Order Item Id', 'Order Items.Order Item Id'],
      ['Products.Category Id', 'Categories.Category Id'],
      ['Orders.Customer Id', 'Customers.Customer Id'],
      ['Orders.Store Id', 'Stores.Store Id'],
      ['Orders.Employee Id', 'Employees.Employee Id'],
      ['Orders.Order Day', 'Calendar.Date'],
      ['Stores.Region Id', 'Regions.Region Id'],
      ['Customer Value.Customer Id', 'Customers.Customer Id'],
      ['Monthly Store Sales.Store Id', 'Stores.Store Id'],
    ],
  });
}
