import type { SQLOutputValue } from 'node:sqlite';
import { type DialectFunction, type DialectFunctions, numberOf, strict } from './dialectFunction.ts';
import {
  addMonths,
  createDate,
  dayOfYear,
  formatMoment,
  monthsBetween,
  parseMoment,
  weekOfYear,
} from './moments.ts';

const units = { second: 1000, minute: 60_000, hour: 3_600_000, day: 86_400_000 } as const;

const part = (read: (date: Date, time: number) => number): DialectFunction =>
  strict(1, ([value]) => {
    const time = parseMoment(value);
    return BigInt(read(new Date(time), time));
  });

/** `ADDDAYS(dt, n)` and the like: a date-time moved by n (platform-facts 5.4). */
const moved = (move: (time: number, by: number) => number): DialectFunction =>
  strict(2, ([value, by]) => formatMoment(move(parseMoment(value), Math.trunc(numberOf(by)))));

/** `DAYDIFF(end, start)` and the like: whole units that lie between. */
const apart = (count: (end: number, start: number) => number): DialectFunction =>
  strict(2, ([end, start]) => BigInt(Math.trunc(count(parseMoment(end), parseMoment(start)))));

const now = (format: (text: string) => string): DialectFunction => ({
  arity: [0, 0],
  volatile: true,
  apply: () => format(new Date().toISOString()),
});

const year = part((date) => date.getUTCFullYear());
const quarter = part((date) => Math.floor(date.getUTCMonth() / 3) + 1);
const month = part((date) => date.getUTCMonth() + 1);
const day = part((date) => date.getUTCDate());
const hour = part((date) => date.getUTCHours());
const minute = part((date) => date.getUTCMinutes());
const second = part((date) => date.getUTCSeconds());

/** A text as a date-time: ISO text, or a number of milliseconds since the epoch. */
function toDateTime([value]: readonly SQLOutputValue[]): string {
  return formatMoment(
    typeof value === 'number' || typeof value === 'bigint' ? Number(value) : parseMoment(value),
  );
}

const timestamp = now((text) => text.slice(0, 19));

/** Date and time functions (platform-facts 5.4). Weeks are ISO weeks; day 1 of a week is Sunday. */
export const dateFunctions: DialectFunctions = {
  addyears: moved((time, by) => addMonths(time, by * 12)),
  addquarters: moved((time, by) => addMonths(time, by * 3)),
  addmonths: moved(addMonths),
  adddays: moved((time, by) => time + by * units.day),
  addhours: moved((time, by) => time + by * units.hour),
  addminutes: moved((time, by) => time + by * units.minute),
  addseconds: moved((time, by) => time + by * units.second),
  createdate: strict(3, ([y, m, d]) => createDate(numberOf(y), numberOf(m), numberOf(d))),
  currentdate: now((text) => text.slice(0, 10)),
  currenttime: now((text) => text.slice(11, 19)),
  currenttimestamp: timestamp,
  now: timestamp,
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
  dayofweek: part((date) => date.getUTCDay() + 1),
  dayofyear: part((_date, time) => dayOfYear(time)),
  weekofyear: part((_date, time) => weekOfYear(time)),
  yeardiff: apart((end, start) => monthsBetween(end, start) / 12),
  quarterdiff: apart((end, start) => monthsBetween(end, start) / 3),
  monthdiff: apart(monthsBetween),
  daydiff: apart((end, start) => (end - start) / units.day),
  hourdiff: apart((end, start) => (end - start) / units.hour),
  minutediff: apart((end, start) => (end - start) / units.minute),
  seconddiff: apart((end, start) => (end - start) / units.second),
  todatetime: strict(1, toDateTime),
  dm_todate: strict(1, (args) => toDateTime(args).slice(0, 10)),
  dm_totime: strict(1, (args) => new Date(parseMoment(toDateTime(args))).toISOString().slice(11, 19)),
};
