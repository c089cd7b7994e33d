import type { SQLOutputValue } from 'node:sqlite';
import {
  type DialectFunction,
  type DialectFunctions,
  toSqlNumber,
  createStrictFunction,
} from './dialectFunction.ts';
import {
  addMonths,
  createDate,
  getDayOfYear,
  formatDateTime,
  countMonthsBetween,
  parseDateTime,
  getWeekOfYear,
} from './dateTimes.ts';

const unitMs = { second: 1000, minute: 60_000, hour: 3_600_000, day: 86_400_000 } as const;

const createPartFunction = (readPart: (date: Date, time: number) => number): DialectFunction =>
  createStrictFunction(1, ([value]) => {
    const time = parseDateTime(value);
    return BigInt(readPart(new Date(time), time));
  });

/** Creates `ADDDAYS(dt, n)` and similar functions, which add n units to a date-time (platform-facts.md, 5.4). */
const createAddFunction = (addUnits: (time: number, amount: number) => number): DialectFunction =>
  createStrictFunction(2, ([value, amount]) =>
    formatDateTime(addUnits(parseDateTime(value), Math.trunc(toSqlNumber(amount)))),
  );

/** Creates `DAYDIFF(end, start)` and similar functions, which count the whole units from start to end. */
const createDiffFunction = (countUnits: (end: number, start: number) => number): DialectFunction =>
  createStrictFunction(2, ([end, start]) =>
    BigInt(Math.trunc(countUnits(parseDateTime(end), parseDateTime(start)))),
  );

const createNowFunction = (format: (text: string) => string): DialectFunction => ({
  arity: [0, 0],
  volatile: true,
  apply: () => format(new Date().toISOString()),
});

const year = createPartFunction((date) => date.getUTCFullYear());
const quarter = createPartFunction((date) => Math.floor(date.getUTCMonth() / 3) + 1);
const month = createPartFunction((date) => date.getUTCMonth() + 1);
const day = createPartFunction((date) => date.getUTCDate());
const hour = createPartFunction((date) => date.getUTCHours());
const minute = createPartFunction((date) => date.getUTCMinutes());
const second = createPartFunction((date) => date.getUTCSeconds());

/** Converts ISO text, or a number of milliseconds since the epoch, to a date-time. */
function toDateTime([value]: readonly SQLOutputValue[]): string {
  return formatDateTime(
    typeof value === 'number' || typeof value === 'bigint' ? Number(value) : parseDateTime(value),
  );
}

const currentTimestamp = createNowFunction((text) => text.slice(0, 19));

/** Date and time functions (platform-facts.md, 5.4). WEEKOFYEAR counts ISO weeks; DAYOFWEEK is 1 on Sunday. */
export const dateFunctions: DialectFunctions = {
  addyears: createAddFunction((time, amount) => addMonths(time, amount * 12)),
  addquarters: createAddFunction((time, amount) => addMonths(time, amount * 3)),
  addmonths: createAddFunction(addMonths),
  adddays: createAddFunction((time, amount) => time + amount * unitMs.day),
  addhours: createAddFunction((time, amount) => time + amount * unitMs.hour),
  addminutes: createAddFunction((time, amount) => time + amount * unitMs.minute),
  addseconds: createAddFunction((time, amount) => time + amount * unitMs.second),
  createdate: createStrictFunction(3, ([y, m, d]) =>
    createDate(toSqlNumber(y), toSqlNumber(m), toSqlNumber(d)),
  ),
  currentdate: createNowFunction((text) => text.slice(0, 10)),
  currenttime: createNowFunction((text) => text.slice(11, 19)),
  currenttimestamp: currentTimestamp,
  now: currentTimestamp,
  getyear: year,
  getquarter: quarter,
  getmonth: month,
  getday: day,
  gethour: hour,
  getminute: minute,
  getsecond: second,
  year,
  quarter,
  month,
  day,
  hour,
  minute,
  second,
  dayofmonth: day,
  dayofweek: createPartFunction((date) => date.getUTCDay() + 1),
  dayofyear: createPartFunction((_date, time) => getDayOfYear(time)),
  weekofyear: createPartFunction((_date, time) => getWeekOfYear(time)),
  yeardiff: createDiffFunction((end, start) => countMonthsBetween(end, start) / 12),
  quarterdiff: createDiffFunction((end, start) => countMonthsBetween(end, start) / 3),
  monthdiff: createDiffFunction(countMonthsBetween),
  daydiff: createDiffFunction((end, start) => (end - start) / unitMs.day),
  hourdiff: createDiffFunction((end, start) => (end - start) / unitMs.hour),
  minutediff: createDiffFunction((end, start) => (end - start) / unitMs.minute),
  seconddiff: createDiffFunction((end, start) => (end - start) / unitMs.second),
  todatetime: createStrictFunction(1, toDateTime),
  dm_todate: createStrictFunction(1, (args) => toDateTime(args).slice(0, 10)),
  dm_totime: createStrictFunction(1, (args) =>
    new Date(parseDateTime(toDateTime(args))).toISOString().slice(11, 19),
  ),
};
