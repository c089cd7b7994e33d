import type { JsonObject } from '../../../base/json.ts';
import { createCsvConnection, type DatasetSpec, createSeedModel, type TableSpec } from '../seedDocuments.ts';
import { customColumn, sourceColumn } from './columns.ts';
import { retailCustomTables } from './retailCustomTables.ts';

const orders: TableSpec = {
  name: 'Orders',
  id: 'orders.csv',
  description: 'One row per order, from all channels. Grows with every build by table.',
  accumulateBy: 'Order Date',
  keepOnlyDays: 3650,
  columns: [
    sourceColumn('Order Id', 'integer'),
    sourceColumn('Order Date', 'timestamp', { description: 'When the order was placed, UTC' }),
    sourceColumn('Customer Id', 'integer', { hidden: true }),
    sourceColumn('Store Id', 'integer', { hidden: true }),
    sourceColumn('Employee Id', 'integer', { hidden: true }),
    sourceColumn('Channel', 'text'),
    sourceColumn('Status', 'text', { description: 'Open, Shipped, Delivered or Cancelled' }),
    sourceColumn('Ship Date', 'date'),
    customColumn(
      'Order Day',
      'date',
      'CREATEDATE(GETYEAR([Order Date]), GETMONTH([Order Date]), GETDAY([Order Date]))',
    ),
    customColumn('Order Month', 'date', 'CREATEDATE(GETYEAR([Order Date]), GETMONTH([Order Date]), 01)'),
    customColumn(
      'Days to Ship',
      'integer',
      'DAYDIFF([Ship Date], [Order Day])',
      'Null while the order has not left',
    ),
    customColumn(
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
    sourceColumn('Order Item Id', 'integer'),
    sourceColumn('Order Id', 'integer', { hidden: true }),
    sourceColumn('Product Id', 'integer', { hidden: true }),
    sourceColumn('Quantity', 'integer'),
    sourceColumn('Unit Price', 'decimal'),
    sourceColumn('Discount', 'double', { description: 'Share of the price: 0.1 is 10 %' }),
    customColumn('Gross Amount', 'decimal', '[Quantity] * [Unit Price]'),
    customColumn('Revenue', 'decimal', 'ROUND([Gross Amount] * (1 - [Discount]), 2)', 'After discount'),
    customColumn(
      'Cost',
      'decimal',
      '[Quantity] * Lookup([Products], [Unit Cost], [Product Id], [Product Id])',
    ),
    customColumn('Profit', 'decimal', '[Revenue] - [Cost]'),
  ],
};

const returns: TableSpec = {
  name: 'Returns',
  id: 'returns.csv',
  buildBehavior: 'accumulativeSync',
  columns: [
    sourceColumn('Return Id', 'integer'),
    sourceColumn('Order Item Id', 'integer', { hidden: true }),
    sourceColumn('Return Date', 'date'),
    sourceColumn('Reason', 'text'),
    sourceColumn('Refund', 'decimal'),
  ],
};

const products: TableSpec = {
  name: 'Products',
  id: 'products.csv',
  columns: [
    sourceColumn('Product Id', 'integer', { hidden: true }),
    sourceColumn('Product', 'text'),
    sourceColumn('Category Id', 'integer', { hidden: true }),
    sourceColumn('Brand', 'text'),
    sourceColumn('Unit Cost', 'decimal', { hidden: true, description: 'Purchase price; for Finance only' }),
    sourceColumn('List Price', 'decimal'),
    sourceColumn('Launched On', 'date'),
    sourceColumn('Discontinued', 'boolean'),
    customColumn('Margin', 'decimal', '[List Price] - [Unit Cost]'),
    customColumn('Margin Percent', 'double', 'ROUND([Margin] / [List Price] * 100, 1)'),
    customColumn(
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
    sourceColumn('Category Id', 'integer'),
    sourceColumn('Category', 'text'),
    sourceColumn('Department', 'text'),
  ],
};

const customers: TableSpec = {
  name: 'Customers',
  id: 'customers.csv',
  columns: [
    sourceColumn('Customer Id', 'integer'),
    sourceColumn('First Name', 'text'),
    sourceColumn('Last Name', 'text'),
    sourceColumn('Email', 'text', { hidden: true, description: 'Personal data: not for viewpoints' }),
    sourceColumn('City', 'text'),
    sourceColumn('Segment', 'text'),
    sourceColumn('Customer Since', 'date'),
    customColumn('Full Name', 'text', "[First Name] + ' ' + [Last Name]"),
    customColumn('Mail Domain', 'text', "STRPARTS([Email], '@', 2)"),
  ],
};

const stores: TableSpec = {
  name: 'Stores',
  id: 'stores.csv',
  columns: [
    sourceColumn('Store Id', 'integer'),
    sourceColumn('Store', 'text'),
    sourceColumn('City', 'text'),
    sourceColumn('Region Id', 'integer', { hidden: true }),
    sourceColumn('Opened On', 'date'),
    sourceColumn('Square Meters', 'integer'),
    sourceColumn('Is Flagship', 'boolean'),
    customColumn('Region', 'text', 'Lookup([Regions], [Region], [Region Id], [Region Id])'),
    customColumn('Store Label', 'text', "[Store] + ' (' + [Region] + ')'"),
  ],
};

const regions: TableSpec = {
  name: 'Regions',
  id: 'regions.csv',
  columns: [
    sourceColumn('Region Id', 'integer'),
    sourceColumn('Region', 'text'),
    sourceColumn('Country', 'text'),
    sourceColumn('Manager Id', 'integer', { hidden: true }),
  ],
};

const employees: TableSpec = {
  name: 'Employees',
  id: 'employees.csv',
  description: 'People who work in the stores',
  columns: [
    sourceColumn('Employee Id', 'integer'),
    sourceColumn('First Name', 'text'),
    sourceColumn('Last Name', 'text'),
    sourceColumn('Store Id', 'integer', { hidden: true }),
    sourceColumn('Job Title', 'text'),
    sourceColumn('Hired On', 'date'),
    sourceColumn('Salary', 'decimal', { hidden: true, description: 'Monthly, EUR' }),
    customColumn('Employee', 'text', "[Last Name] + ', ' + LEFT([First Name], 1) + '.'"),
  ],
};

const calendar: TableSpec = {
  name: 'Calendar',
  id: 'calendar.csv',
  buildBehavior: 'ignoreIfExists',
  columns: [
    sourceColumn('Date', 'date'),
    sourceColumn('Year', 'integer'),
    sourceColumn('Quarter', 'text'),
    sourceColumn('Month', 'integer'),
    sourceColumn('Month Name', 'text'),
    sourceColumn('Is Weekend', 'boolean'),
    customColumn('Year and Quarter', 'text', "TOSTRING([Year]) + ' ' + [Quarter]"),
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
