import type { JsonObject } from '../../../base/json.ts';
import { createCsvConnection, type DatasetSpec, createSeedModel, type TableSpec } from '../seedDocuments.ts';
import { createCustomColumn, createPlainColumn } from './columns.ts';
import { retailCustomTables } from './retailCustomTables.ts';

const orders: TableSpec = {
  name: 'Orders',
  id: 'orders.csv',
  description: 'One row per order, from all channels. Grows with every build by table.',
  accumulateBy: 'Order Date',
  keepOnlyDays: 3650,
  columns: [
    createPlainColumn('Order Id', 'integer'),
    createPlainColumn('Order Date', 'timestamp', { description: 'When the order was placed, UTC' }),
    createPlainColumn('Customer Id', 'integer', { hidden: true }),
    createPlainColumn('Store Id', 'integer', { hidden: true }),
    createPlainColumn('Employee Id', 'integer', { hidden: true }),
    createPlainColumn('Channel', 'text'),
    createPlainColumn('Status', 'text', { description: 'Open, Shipped, Delivered, or Canceled' }),
    createPlainColumn('Ship Date', 'date'),
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
      'Null until the order ships',
    ),
    createCustomColumn(
      'Delivery',
      'text',
      `CASE WHEN [Status] = 'Canceled' THEN 'Canceled'
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
    createPlainColumn('Order Item Id', 'integer'),
    createPlainColumn('Order Id', 'integer', { hidden: true }),
    createPlainColumn('Product Id', 'integer', { hidden: true }),
    createPlainColumn('Quantity', 'integer'),
    createPlainColumn('Unit Price', 'decimal'),
    createPlainColumn('Discount', 'double', { description: 'Share of the price: 0.1 is 10%' }),
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
    createPlainColumn('Return Id', 'integer'),
    createPlainColumn('Order Item Id', 'integer', { hidden: true }),
    createPlainColumn('Return Date', 'date'),
    createPlainColumn('Reason', 'text'),
    createPlainColumn('Refund', 'decimal'),
  ],
};

const products: TableSpec = {
  name: 'Products',
  id: 'products.csv',
  columns: [
    createPlainColumn('Product Id', 'integer', { hidden: true }),
    createPlainColumn('Product', 'text'),
    createPlainColumn('Category Id', 'integer', { hidden: true }),
    createPlainColumn('Brand', 'text'),
    createPlainColumn('Unit Cost', 'decimal', {
      hidden: true,
      description: 'Purchase price; for Finance only',
    }),
    createPlainColumn('List Price', 'decimal'),
    createPlainColumn('Launched On', 'date'),
    createPlainColumn('Discontinued', 'boolean'),
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
    createPlainColumn('Category Id', 'integer'),
    createPlainColumn('Category', 'text'),
    createPlainColumn('Department', 'text'),
  ],
};

const customers: TableSpec = {
  name: 'Customers',
  id: 'customers.csv',
  columns: [
    createPlainColumn('Customer Id', 'integer'),
    createPlainColumn('First Name', 'text'),
    createPlainColumn('Last Name', 'text'),
    createPlainColumn('Email', 'text', { hidden: true, description: 'Personal data: not for viewpoints' }),
    createPlainColumn('City', 'text'),
    createPlainColumn('Segment', 'text'),
    createPlainColumn('Customer Since', 'date'),
    createCustomColumn('Full Name', 'text', "[First Name] + ' ' + [Last Name]"),
    createCustomColumn('Mail Domain', 'text', "STRPARTS([Email], '@', 2)"),
  ],
};

const stores: TableSpec = {
  name: 'Stores',
  id: 'stores.csv',
  columns: [
    createPlainColumn('Store Id', 'integer'),
    createPlainColumn('Store', 'text'),
    createPlainColumn('City', 'text'),
    createPlainColumn('Region Id', 'integer', { hidden: true }),
    createPlainColumn('Opened On', 'date'),
    createPlainColumn('Square Meters', 'integer'),
    createPlainColumn('Is Flagship', 'boolean'),
    createCustomColumn('Region', 'text', 'Lookup([Regions], [Region], [Region Id], [Region Id])'),
    createCustomColumn('Store Label', 'text', "[Store] + ' (' + [Region] + ')'"),
  ],
};

const regions: TableSpec = {
  name: 'Regions',
  id: 'regions.csv',
  columns: [
    createPlainColumn('Region Id', 'integer'),
    createPlainColumn('Region', 'text'),
    createPlainColumn('Country', 'text'),
    createPlainColumn('Manager Id', 'integer', { hidden: true }),
  ],
};

const employees: TableSpec = {
  name: 'Employees',
  id: 'employees.csv',
  description: 'People who work in the stores',
  columns: [
    createPlainColumn('Employee Id', 'integer'),
    createPlainColumn('First Name', 'text'),
    createPlainColumn('Last Name', 'text'),
    createPlainColumn('Store Id', 'integer', { hidden: true }),
    createPlainColumn('Job Title', 'text'),
    createPlainColumn('Hired On', 'date'),
    createPlainColumn('Salary', 'decimal', { hidden: true, description: 'Monthly, EUR' }),
    createCustomColumn('Employee', 'text', "[Last Name] + ', ' + LEFT([First Name], 1) + '.'"),
  ],
};

const calendar: TableSpec = {
  name: 'Calendar',
  id: 'calendar.csv',
  buildBehavior: 'ignoreIfExists',
  columns: [
    createPlainColumn('Date', 'date'),
    createPlainColumn('Year', 'integer'),
    createPlainColumn('Quarter', 'text'),
    createPlainColumn('Month', 'integer'),
    createPlainColumn('Month Name', 'text'),
    createPlainColumn('Is Weekend', 'boolean'),
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
