import { type CsvValue, writeCsv } from '../csvFile.ts';
import { Dice } from '../dice.ts';
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
} from './words.ts';

type Row = readonly CsvValue[];

const dayMs = 86_400_000;
const firstDay = Date.UTC(2024, 0, 1);
const days = 731;

const counts = { customers: 800, products: 120, employees: 140, orders: 4000, returns: 520 } as const;

const formatDay = (day: number): string => new Date(firstDay + day * dayMs).toISOString().slice(0, 10);

const formatMoney = (value: number): string => value.toFixed(2);

/** Reduces a name to lowercase ASCII letters for an e-mail address. */
const toEmailName = (name: string): string =>
  name
    .normalize('NFD')
    .replace(/[^A-Za-z]/g, '')
    .toLowerCase();

const createStores = (dice: Dice): Row[] =>
  cities.map(([city, regionId], index) => [
    index + 1,
    `${city} ${dice.pick(['Centre', 'Market', 'Gallery', 'Station'])}`,
    city,
    regionId,
    formatDay(-dice.between(200, 5000)),
    dice.between(400, 3200),
    index % 8 === 0,
  ]);

const createEmployees = (dice: Dice): Row[] =>
  Array.from({ length: counts.employees }, (_value, index) => [
    index + 1,
    dice.pick(givenNames),
    dice.pick(familyNames),
    (index % cities.length) + 1,
    index < cities.length ? 'Store Manager' : dice.pick(jobTitles),
    formatDay(-dice.between(30, 4000)),
    formatMoney(dice.between(2400, 6200)),
  ]);

const createCustomers = (dice: Dice): Row[] =>
  Array.from({ length: counts.customers }, (_value, index) => {
    const [first, last] = [dice.pick(givenNames), dice.pick(familyNames)];
    const [city] = dice.pick(cities, 1.4);
    return [
      index + 1,
      first,
      last,
      `${toEmailName(first)}.${toEmailName(last)}${index}@mail.example`,
      city,
      dice.pick(segments, 1.5),
      formatDay(-dice.between(0, 1800)),
    ];
  });

function createProducts(dice: Dice): Row[] {
  return Array.from({ length: counts.products }, (_value, index) => {
    const categoryId = (index % categories.length) + 1;
    const cost = dice.between(300, 24_000) / 100;
    const brand = dice.pick(brands);
    const noun = productNouns[index % productNouns.length] ?? 'Item';
    return [
      index + 1,
      `${brand} ${noun} ${100 + index}`,
      categoryId,
      brand,
      formatMoney(cost),
      formatMoney(cost * (1.25 + dice.next() * 0.9)),
      formatDay(-dice.between(0, 900)),
      dice.chance(0.06),
    ];
  });
}

function createOrders(dice: Dice): Row[] {
  const placed = Array.from({ length: counts.orders }, () => dice.between(0, days - 10)).sort(
    (a, b) => a - b,
  );
  return placed.map((day, index) => {
    const storeId = 1 + Math.floor(dice.next() ** 1.3 * cities.length);
    const status = dice.pick(statuses, 2.2);
    const shipped = status === 'Shipped' || status === 'Delivered';
    const time = `${String(dice.between(8, 21)).padStart(2, '0')}:${String(dice.between(0, 59)).padStart(2, '0')}:00`;
    return [
      10_000 + index,
      `${formatDay(day)} ${time}`,
      dice.between(1, counts.customers),
      storeId,
      ((storeId - 1) % cities.length) + 1 + cities.length * dice.between(0, 4),
      dice.pick(channels, 1.6),
      status,
      shipped ? formatDay(day + dice.between(1, 9)) : null,
    ];
  });
}

function createOrderItems(dice: Dice, placed: readonly Row[], goods: readonly Row[]): Row[] {
  const rows: Row[] = [];
  for (const order of placed) {
    for (let line = dice.between(1, 4); line > 0; line -= 1) {
      const product = goods[Math.floor(dice.next() ** 1.5 * goods.length)];
      const discount = dice.chance(0.3) ? dice.pick([0.05, 0.1, 0.15, 0.2], 1.5) : 0;
      rows.push([
        rows.length + 1,
        order[0] ?? null,
        product?.[0] ?? null,
        dice.between(1, 6),
        product?.[5] ?? null,
        discount,
      ]);
    }
  }
  return rows;
}

function createReturns(dice: Dice, items: readonly Row[]): Row[] {
  return Array.from({ length: counts.returns }, (_value, index) => {
    const item = items[Math.floor(((index + dice.next()) / counts.returns) * items.length)];
    return [
      index + 1,
      item?.[0] ?? null,
      formatDay(Math.min(days, Math.floor((index / counts.returns) * days) + dice.between(3, 30))),
      dice.pick(returnReasons, 1.3),
      formatMoney(Number(item?.[4] ?? 0) * dice.between(1, 2)),
    ];
  });
}

function createCalendar(): Row[] {
  return Array.from({ length: days }, (_value, day) => {
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

/** Writes the CSV files of the Retail datamodel: two years of data of a retail chain, about 17,000 rows in total. */
export function writeRetailFiles(folder: string): void {
  const dice = new Dice(20_240_101);
  const goods = createProducts(dice);
  const placed = createOrders(dice);
  const items = createOrderItems(dice, placed, goods);
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
    createStores(dice),
  );
  writeCsv(
    folder,
    'employees.csv',
    ['Employee Id', 'First Name', 'Last Name', 'Store Id', 'Job Title', 'Hired On', 'Salary'],
    createEmployees(dice),
  );
  writeCsv(
    folder,
    'customers.csv',
    ['Customer Id', 'First Name', 'Last Name', 'Email', 'City', 'Segment', 'Customer Since'],
    createCustomers(dice),
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
    goods,
  );
  writeCsv(
    folder,
    'orders.csv',
    ['Order Id', 'Order Date', 'Customer Id', 'Store Id', 'Employee Id', 'Channel', 'Status', 'Ship Date'],
    placed,
  );
  writeCsv(
    folder,
    'order_items.csv',
    ['Order Item Id', 'Order Id', 'Product Id', 'Quantity', 'Unit Price', 'Discount'],
    items,
  );
  writeCsv(
    folder,
    'returns.csv',
    ['Return Id', 'Order Item Id', 'Return Date', 'Reason', 'Refund'],
    createReturns(dice, items),
  );
  writeCsv(
    folder,
    'calendar.csv',
    ['Date', 'Year', 'Quarter', 'Month', 'Month Name', 'Is Weekend'],
    createCalendar(),
  );
}
