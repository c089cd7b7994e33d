/**
 * Dates of the dialect: stored as ISO text in UTC (platform-facts.md, 1.3), computed as milliseconds since the epoch.
 */

const dateTimePattern =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,3})\d*)?)?\s*(Z|[+-]\d{2}:?\d{2})?)?$/;
const timePattern = /^\d{2}:\d{2}(?::\d{2})?$/;

/**
 * Parses ISO text to milliseconds since the epoch; a time without a date is on 1970-01-01.
 * @throws Error for any other text.
 */
export function parseDateTime(value: unknown): number {
  const text = String(value).trim();
  const match = dateTimePattern.exec(timePattern.test(text) ? `1970-01-01T${text}` : text);
  if (match === null) {
    throw new Error(`"${text}" isn't a date`);
  }
  const [, year, month, day, hour = '00', minute = '00', second = '00', fraction = '0', zone = 'Z'] = match;
  const time = Date.parse(
    `${year}-${month}-${day}T${hour}:${minute}:${second}.${fraction.padEnd(3, '0')}${zone}`,
  );
  // `Date.parse` takes February 30 for March 2.
  const lastDay = new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate();
  if (Number.isNaN(time) || Number(day) > lastDay) {
    throw new Error(`"${text}" isn't a date`);
  }
  return time;
}

/**
 * Formats milliseconds as ISO text. Omits midnight, so that a date equals the same date at midnight.
 * @throws Error when the time is out of range.
 */
export function formatDateTime(time: number): string {
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) {
    throw new Error('the date is out of range');
  }
  const text = date.toISOString();
  const timeOfDay = text.slice(11, 23).replace(/\.000$/, '');
  return timeOfDay === '00:00:00' ? text.slice(0, 10) : `${text.slice(0, 10)}T${timeOfDay}`;
}

/** Formats a year, month and day as an ISO date. @throws Error when the date does not exist. */
export function createDate(year: number, month: number, day: number): string {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  if (date.getUTCFullYear() !== year || date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) {
    throw new Error(`"${year}-${month}-${day}" isn't a date`);
  }
  return formatDateTime(date.getTime());
}

/** Adds whole months to a time; the day is limited to the last day of the resulting month. */
export function addMonths(time: number, months: number): number {
  const date = new Date(time);
  const day = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() + Math.trunc(months));
  const lastDay = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  date.setUTCDate(Math.min(day, lastDay));
  return date.getTime();
}

/** Counts the whole months from start to end; negative if the end is before the start. */
export function countMonthsBetween(end: number, start: number): number {
  const [startDate, endDate] = [new Date(start), new Date(end)];
  const months =
    (endDate.getUTCFullYear() - startDate.getUTCFullYear()) * 12 +
    endDate.getUTCMonth() -
    startDate.getUTCMonth();
  if (months > 0 && addMonths(start, months) > end) {
    return months - 1;
  }
  return months < 0 && addMonths(start, months) < end ? months + 1 : months;
}

const dayMs = 86_400_000;

/** Returns the day of the year, 1 to 366. */
export function getDayOfYear(time: number): number {
  return Math.floor((time - Date.UTC(new Date(time).getUTCFullYear(), 0, 1)) / dayMs) + 1;
}

/** Returns the ISO 8601 week of the year, 1 to 53. */
export function getWeekOfYear(time: number): number {
  const date = new Date(time);
  const thursday = time + (4 - (date.getUTCDay() || 7)) * dayMs;
  return Math.ceil(getDayOfYear(thursday) / 7);
}
