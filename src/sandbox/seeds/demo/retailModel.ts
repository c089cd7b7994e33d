import type { JsonObject } from '../../../base/json.ts';
import { csvConnection, type DatasetSpec, modelDocument, type TableSpec } from '../documents.ts';
import { custom, source } from './columns.ts';
import { retailCustomTables } from './retailCustomTables.ts';

const orders: TableSpec = {
  name: 'Orders',
  id: 'orders.csv',
  description: 'One row per order, from all channels. Grows with every build by table.',
  accumulateBy: 'Order Date',
  keepOnlyDays: 3650,
  columns: [
    source('Order Id', 'integer'),
    source('Order Date', 'timestamp', { description: 'When the order was placed, UTC' }),
    source('Customer Id', 'integer', { hidden: true }),
    source('Store Id', 'integer', { hidden: true }),
    source('Employee Id', 'integer', { hidden: true }),
    source('Channel', 'text'),
    source('Status', 'text', { description: 'Open, Shipped, Delivered or Cancelled' }),
    source('Ship Date', 'date'),
    custom(
      'Order Day',
      'date',
      'CREATEDATE(GETYEAR([Order Date]), GETMONTH([Order Date]), GETDAY([Order Date]))',
    ),
    custom('Order Month', 'date', 'CREATEDATE(GETYEAR([Order Date]), GETMONTH([Order Date]), 01)'),
    custom(
      'Days to Ship',
      'integer',
      'DAYDIFF([Ship Date], [Order Day])',
      'Null while the order has not left',
    ),
    custom(
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
    source('Order Item Id', 'integer'),
    source('Order Id', 'integer', { hidden: true }),
    source('Product Id', 'integer', { hidden: true }),
    source('Quantity', 'integer'),
    source('Unit Price', 'decimal'),
    source('Discount', 'double', { description: 'Share of the price: 0.1 is 10 %' }),
    custom('Gross Amount', 'decimal', '[Quantity] * [Unit Price]'),
    custom('Revenue', 'decimal', 'ROUND([Gross Amount] * (1 - [Discount]), 2)', 'After discount'),
    custom('Cost', 'decimal', '[Quantity] * Lookup([Products], [Unit Cost], [Product Id], [Product Id])'),
    custom('Profit', 'decimal', '[Revenue] - [Cost]'),
  ],
};

const returns: TableSpec = {
  name: 'Returns',
  id: 'returns.csv',
  buildBehavior: 'accumulativeSync',
  columns: [
    source('Return Id', 'integer'),
    source('Order Item Id', 'integer', { hidden: true }),
    source('Return Date', 'date'),
    source('Reason', 'text'),
    source('Refund', 'decimal'),
  ],
};

const products: TableSpec = {
  name: 'Products',
  id: 'products.csv',
  columns: [
    source('Product Id', 'integer', { hidden: true }),
    source('Product', 'text'),
    source('Category Id', 'integer', { hidden: true }),
    source('Brand', 'text'),
    source('Unit Cost', 'decimal', { hidden: true, description: 'Purchase price; for Finance only' }),
    source('List Price', 'decimal'),
    source('Launched On', 'date'),
    source('Discontinued', 'boolean'),
    custom('Margin', 'decimal', '[List Price] - [Unit Cost]'),
    custom('Margin Percent', 'double', 'ROUND([Margin] / [List Price] * 100, 1)'),
    custom(
      'Price Band',
      'text',
      "CASE WHEN [List Price] < 50 THEN 'Entry' WHEN [List Price] < 150 THEN 'Core' ELSE 'Premium' END",
    ),
  ],
};

const categories: TableSpec = {
  name: 'Categories',
  id: 'categories.csv',
  columns: [source('Category Id', 'integer'), source('Category', 'text'), source('Department', 'text')],
};

const customers: TableSpec = {
  name: 'Customers',
  id: 'customers.csv',
  columns: [
    source('Customer Id', 'integer'),
    source('First Name', 'text'),
    source('Last Name', 'text'),
    source('Email', 'text', { hidden: true, description: 'Personal data: not for viewpoints' }),
    source('City', 'text'),
    source('Segment', 'text'),
    source('Customer Since', 'date'),
    custom('Full Name', 'text', "[First Name] + ' ' + [Last Name]"),
    custom('Mail Domain', 'text', "STRPARTS([Email], '@', 2)"),
  ],
};

const stores: TableSpec = {
  name: 'Stores',
  id: 'stores.csv',
  columns: [
    source('Store Id', 'integer'),
    source('Store', 'text'),
    source('City', 'text'),
    source('Region Id', 'integer', { hidden: true }),
    source('Opened On', 'date'),
    source('Square Meters', 'integer'),
    source('Is Flagship', 'boolean'),
    custom('Region', 'text', 'Lookup([Regions], [Region], [Region Id], [Region Id])'),
    custom('Store Label', 'text', "[Store] + ' (' + [Region] + ')'"),
  ],
};

const regions: TableSpec = {
  name: 'Regions',
  id: 'regions.csv',
  columns: [
    source('Region Id', 'integer'),
    source('Region', 'text'),
    source('Country', 'text'),
    source('Manager Id', 'integer', { hidden: true }),
  ],
};

const employees: TableSpec = {
  name: 'Employees',
  id: 'employees.csv',
  description: 'People who work in the stores',
  columns: [
    source('Employee Id', 'integer'),
    source('First Name', 'text'),
    source('Last Name', 'text'),
    source('Store Id', 'integer', { hidden: true }),
    source('Job Title', 'text'),
    source('Hired On', 'date'),
    source('Salary', 'decimal', { hidden: true, description: 'Monthly, EUR' }),
    custom('Employee', 'text', "[Last Name] + ', ' + LEFT([First Name], 1) + '.'"),
  ],
};

const calendar: TableSpec = {
  name: 'Calendar',
  id: 'calendar.csv',
  buildBehavior: 'ignoreIfExists',
  columns: [
    source('Date', 'date'),
    source('Year', 'integer'),
    source('Quarter', 'text'),
    source('Month', 'integer'),
    source('Month Name', 'text'),
    source('Is Weekend', 'boolean'),
    custom('Year and Quarter', 'text', "TOSTRING([Year]) + ' ' + [Quarter]"),
  ],
};

function csvDataset(name: string, tables: readonly TableSpec[]): DatasetSpec {
  const files = tables.map((table) => table.id ?? table.name);
  return { name, type: 'extract', tables, connection: csvConnection(name, files) };
}

/** The retail chain: what customers bought where. An extract model that builds from the files of the data folder. */
export function retailModel(): JsonObject {
  return modelDocument({
    title: 'Retail',
    type: 'extract',
    datasets: [
      csvDataset('Sales', [orders, orderItems, returns]),
      csvDataset('Master Data', [products, categories, customers, stores, regions, employees]),
      csvDataset('Time', [calendar]),
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
