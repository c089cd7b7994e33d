import { type CsvValue, writeCsv } from '../csvFile.ts';
import { SeededRandom } from '../seededRandom.ts';
import {
  brands,
  categories,
  channels,
  cities,
  familyNames,
  givenNames,
  jobTitles,
  productNouns,
  regions,
  returnReasons,
  segments,
  statuses,
} from './demoValues.ts';

type Row = readonly CsvValue[];

const dayMs = 86_400_000;
const firstDay = Date.UTC(2024, 0, 1);
/** The days of two years, the first of which is a leap year. */
const dayCount = 731;

const rowCounts = { customers: 800, products: 120, employees: 140, orders: 4000, returns: 520 } as const;

const formatDay = (day: number): string => new Date(firstDay + day * dayMs).toISOString().slice(0, 10);

const formatMoney = (value: number): string => value.toFixed(2);

/** Reduces a name to lowercase ASCII letters for an e-mail address. */
const toEmailName = (name: string): string =>
  name
    .normalize('NFD')
    .replace(/[^A-Za-z]/g, '')
    .toLowerCase();

const createStores = (random: SeededRandom): Row[] =>
  cities.map(([city, regionId], index) => [
    index + 1,
    `${city} ${random.pick(['Center', 'Market', 'Gallery', 'Station'])}`,
    city,
    regionId,
    formatDay(-random.nextInteger(200, 5000)),
    random.nextInteger(400, 3200),
    index % 8 === 0,
  ]);

const createEmployees = (random: SeededRandom): Row[] =>
  Array.from({ length: rowCounts.employees }, (_value, index) => [
    index + 1,
    random.pick(givenNames),
    random.pick(familyNames),
    (index % cities.length) + 1,
    index < cities.length ? 'Store Manager' : random.pick(jobTitles),
    formatDay(-random.nextInteger(30, 4000)),
    formatMoney(random.nextInteger(2400, 6200)),
  ]);

const createCustomers = (random: SeededRandom): Row[] =>
  Array.from({ length: rowCounts.customers }, (_value, index) => {
    const [first, last] = [random.pick(givenNames), random.pick(familyNames)];
    const [city] = random.pick(cities, 1.4);
    return [
      index + 1,
      first,
      last,
      `${toEmailName(first)}.${toEmailName(last)}${index}@mail.example`,
      city,
      random.pick(segments, 1.5),
      formatDay(-random.nextInteger(0, 1800)),
    ];
  });

function createProducts(random: SeededRandom): Row[] {
  return Array.from({ length: rowCounts.products }, (_value, index) => {
    const categoryId = (index % categories.length) + 1;
    const cost = random.nextInteger(300, 24_000) / 100;
    const brand = random.pick(brands);
    const noun = productNouns[index % productNouns.length] ?? 'Item';
    return [
      index + 1,
      `${brand} ${noun} ${100 + index}`,
      categoryId,
      brand,
      formatMoney(cost),
      formatMoney(cost * (1.25 + random.next() * 0.9)),
      formatDay(-random.nextInteger(0, 900)),
      random.nextBoolean(0.06),
    ];
  });
}

function createOrders(random: SeededRandom): Row[] {
  const orderDays = Array.from({ length: rowCounts.orders }, () => random.nextInteger(0, dayCount - 10)).sort(
    (a, b) => a - b,
  );
  return orderDays.map((day, index) => {
    const storeId = 1 + Math.floor(random.next() ** 1.3 * cities.length);
    const status = random.pick(statuses, 2.2);
    const isShipped = status === 'Shipped' || status === 'Delivered';
    const timeOfDay = `${String(random.nextInteger(8, 21)).padStart(2, '0')}:${String(random.nextInteger(0, 59)).padStart(2, '0')}:00`;
    return [
      10_000 + index,
      `${formatDay(day)} ${timeOfDay}`,
      random.nextInteger(1, rowCounts.customers),
      storeId,
      // An employee of the store, since employees belong to the stores in turn.
      ((storeId - 1) % cities.length) + 1 + cities.length * random.nextInteger(0, 4),
      random.pick(channels, 1.6),
      status,
      isShipped ? formatDay(day + random.nextInteger(1, 9)) : null,
    ];
  });
}

function createOrderItems(random: SeededRandom, orders: readonly Row[], products: readonly Row[]): Row[] {
  const rows: Row[] = [];
  for (const order of orders) {
    for (let line = random.nextInteger(1, 4); line > 0; line -= 1) {
      const product = products[Math.floor(random.next() ** 1.5 * products.length)];
      const discount = random.nextBoolean(0.3) ? random.pick([0.05, 0.1, 0.15, 0.2], 1.5) : 0;
      rows.push([
        rows.length + 1,
        order[0] ?? null,
        product?.[0] ?? null,
        random.nextInteger(1, 6),
        product?.[5] ?? null,
        discount,
      ]);
    }
  }
  return rows;
}

function createReturns(random: SeededRandom, orderItems: readonly Row[]): Row[] {
  return Array.from({ length: rowCounts.returns }, (_value, index) => {
    const item = orderItems[Math.floor(((index + random.next()) / rowCounts.returns) * orderItems.length)];
    return [
      index + 1,
      item?.[0] ?? null,
      formatDay(
        Math.min(dayCount, Math.floor((index / rowCounts.returns) * dayCount) + random.nextInteger(3, 30)),
      ),
      random.pick(returnReasons, 1.3),
      formatMoney(Number(item?.[4] ?? 0) * random.nextInteger(1, 2)),
    ];
  });
}

function createCalendar(): Row[] {
  return Array.from({ length: dayCount }, (_value, day) => {
    const date = new Date(firstDay + day * dayMs);
    const month = date.getUTCMonth();
    return [
      formatDay(day),
      date.getUTCFullYear(),
      `Q${Math.floor(month / 3) + 1}`,
      month + 1,
      new Intl.DateTimeFormat('en-US', { month: 'long', timeZone: 'UTC' }).format(date),
      date.getUTCDay() % 6 === 0,
    ];
  });
}

/** Writes the CSV files of the Retail datamodel: two years of data of a retail chain, about 16,400 rows in total. */
export function writeRetailFiles(folder: string): void {
  const random = new SeededRandom(20_240_101);
  const products = createProducts(random);
  const orders = createOrders(random);
  const orderItems = createOrderItems(random, orders, products);
  writeCsv(
    folder,
    'regions.csv',
    ['Region Id', 'Region', 'Country', 'Manager Id'],
    regions.map((row) => [...row]),
  );
  writeCsv(
    folder,
    'stores.csv',
    ['Store Id', 'Store', 'City', 'Region Id', 'Opened On', 'Square Meters', 'Is Flagship'],
    createStores(random),
  );
  writeCsv(
    folder,
    'employees.csv',
    ['Employee Id', 'First Name', 'Last Name', 'Store Id', 'Job Title', 'Hired On', 'Salary'],
    createEmployees(random),
  );
  writeCsv(
    folder,
    'customers.csv',
    ['Customer Id', 'First Name', 'Last Name', 'Email', 'City', 'Segment', 'Customer Since'],
    createCustomers(random),
  );
  writeCsv(
    folder,
    'categories.csv',
    ['Category Id', 'Category', 'Department'],
    categories.map(([category, department], index) => [index + 1, category, department]),
  );
  writeCsv(
    folder,
    'products.csv',
    [
      'Product Id',
      'Product',
      'Category Id',
      'Brand',
      'Unit Cost',
      'List Price',
      'Launched On',
      'Discontinued',
    ],
    products,
  );
  writeCsv(
    folder,
    'orders.csv',
    ['Order Id', 'Order Date', 'Customer Id', 'Store Id', 'Employee Id', 'Channel', 'Status', 'Ship Date'],
    orders,
  );
  writeCsv(
    folder,
    'order_items.csv',
    ['Order Item Id', 'Order Id', 'Product Id', 'Quantity', 'Unit Price', 'Discount'],
    orderItems,
  );
  writeCsv(
    folder,
    'returns.csv',
    ['Return Id', 'Order Item Id', 'Return Date', 'Reason', 'Refund'],
    createReturns(random, orderItems),
  );
  writeCsv(
    folder,
    'calendar.csv',
    ['Date', 'Year', 'Quarter', 'Month', 'Month Name', 'Is Weekend'],
    createCalendar(),
  );
}
