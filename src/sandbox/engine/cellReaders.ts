import { getColumnType } from '../../contract/terms.ts';
import type { CsvCell } from './csv.ts';
import { toSqlInteger } from './dialectFunction.ts';

export type SqlCellValue = null | number | bigint | string;

/** Converts the text of a cell to the value to store. @throws Error when the text is not a value of the type. */
export type CellReader = (cell: CsvCell) => SqlCellValue;

interface CultureFormat {
  readonly decimalSeparator: string;
  readonly groupSeparator: string;
  /** Order of day, month and year in a numeric date, e.g. `['month', 'day', 'year']`. */
  readonly dateOrder: readonly string[];
}

/** Returns the number and date format of a connection's culture (`en-US`, `de-DE`; platform-facts.md, 2.5). */
function getCultureFormat(name: string): CultureFormat {
  const requestedLocales = /^[a-z]{2,3}(?:-[a-z0-9]{2,8})*$/i.test(name) ? [name] : [];
  const locale = Intl.NumberFormat.supportedLocalesOf(requestedLocales)[0] ?? 'en-US';
  const numberParts = new Intl.NumberFormat(locale).formatToParts(1_234_567.8);
  const dateParts = new Intl.DateTimeFormat(locale).formatToParts(new Date(0));
  return {
    decimalSeparator: numberParts.find((part) => part.type === 'decimal')?.value ?? '.',
    groupSeparator: numberParts.find((part) => part.type === 'group')?.value ?? ',',
    dateOrder: dateParts.map((part) => part.type).filter((type) => ['day', 'month', 'year'].includes(type)),
  };
}

const numberPattern = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;

function createNumberReader({ decimalSeparator, groupSeparator }: CultureFormat): CellReader {
  return (cell) => {
    if (cell === null || cell === '') {
      return null;
    }
    let text = cell.trim();
    if (!numberPattern.test(text) || decimalSeparator !== '.') {
      text = text.replaceAll(groupSeparator, '').replaceAll('\u00a0', '').replace(decimalSeparator, '.');
    }
    if (!numberPattern.test(text)) {
      throw new Error(`"${cell}" isn't a number`);
    }
    const value = Number(text);
    return !Number.isSafeInteger(value) && /^[+-]?\d+$/.test(text) ? toSqlInteger(BigInt(text)) : value;
  };
}

const isoDatePattern =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(\.\d+)?)?\s*(Z|[+-]\d{2}:?\d{2})?)?$/;
const numericDatePattern =
  /^(\d{1,4})[./-](\d{1,2})[./-](\d{1,4})(?:[T ]+(\d{1,2}):(\d{2})(?::(\d{2}))?\s*([AP]M)?)?$/i;

const padTwoDigits = (part: string | number): string => String(part).padStart(2, '0');

/** Formats a day as ISO text; `undefined` if there is no such day. A year of two digits is in this century. */
function formatValidDay(year: string, month: string, day: string): string | undefined {
  if (year.length !== 2 && year.length !== 4) {
    return undefined;
  }
  const text = `${year.padStart(4, '20')}-${padTwoDigits(month)}-${padTwoDigits(day)}`;
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text) ? text : undefined;
}

/** Formats a time of day as ISO text; `undefined` if there is no such time. */
function formatValidTime(hour: string | number, minute: string, second: string): string | undefined {
  return Number(hour) <= 23 && Number(minute) <= 59 && Number(second) <= 59
    ? `${padTwoDigits(hour)}:${minute}:${second}`
    : undefined;
}

/** Joins a date and a time. Omits midnight, so that a date equals the same date at midnight. */
function formatIsoDateTime(day: string, time: string): string {
  return /^00:00(:00(\.0+)?)?$/.test(time) ? day : `${day}T${time}`;
}

function parseIsoDate(text: string): string | undefined {
  const match = isoDatePattern.exec(text);
  if (match === null) {
    return undefined;
  }
  const [, year = '', month = '', day = '', hour = '00', minute = '00', second = '00', fraction = '', zone] =
    match;
  const date = formatValidDay(year, month, day);
  const time = formatValidTime(hour, minute, second);
  if (date === undefined || time === undefined) {
    return undefined;
  }
  if (zone === undefined) {
    return formatIsoDateTime(date, `${time}${fraction}`);
  }
  // The platform's times are UTC (platform-facts.md, 1.3).
  const utc = new Date(`${date}T${time}${fraction}${zone}`);
  // The zone may be impossible too.
  if (Number.isNaN(utc.getTime())) {
    return undefined;
  }
  const utcText = utc.toISOString();
  return formatIsoDateTime(utcText.slice(0, 10), utcText.slice(11, 19));
}

function parseNumericDate(text: string, dateOrder: readonly string[]): string | undefined {
  const match = numericDatePattern.exec(text);
  if (match === null) {
    return undefined;
  }
  const [, first = '', second = '', third = '', hour = '0', minute = '00', seconds = '00', meridiem] = match;
  const parts = [first, second, third];
  const getPart = (name: string): string =>
    parts[first.length === 4 ? ['year', 'month', 'day'].indexOf(name) : dateOrder.indexOf(name)] ?? '';
  const date = formatValidDay(getPart('year'), getPart('month'), getPart('day'));
  const fullHour = meridiem === undefined ? Number(hour) : toFullHour(Number(hour), meridiem);
  const time = fullHour === undefined ? undefined : formatValidTime(fullHour, minute, seconds);
  return date === undefined || time === undefined ? undefined : formatIsoDateTime(date, time);
}

/** Converts an hour of the 12-hour clock; `undefined` if that clock does not have it. */
function toFullHour(hour: number, meridiem: string): number | undefined {
  return hour < 1 || hour > 12 ? undefined : (hour % 12) + (meridiem.toUpperCase() === 'PM' ? 12 : 0);
}

function createDateReader({ dateOrder }: CultureFormat, isDateOnly: boolean): CellReader {
  return (cell) => {
    if (cell === null || cell.trim() === '') {
      return null;
    }
    const dateTime = parseIsoDate(cell.trim()) ?? parseNumericDate(cell.trim(), dateOrder);
    if (dateTime === undefined) {
      throw new Error(`"${cell}" isn't a date`);
    }
    return isDateOnly ? dateTime.slice(0, 10) : dateTime;
  };
}

function readTime(cell: CsvCell): SqlCellValue {
  if (cell === null || cell.trim() === '') {
    return null;
  }
  const [, hour = '', minute = '', second = '00', meridiem] =
    /^(\d{1,2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?\s*([AP]M)?$/i.exec(cell.trim()) ?? [];
  const fullHour = meridiem === undefined ? hour : toFullHour(Number(hour), meridiem);
  const time = hour === '' || fullHour === undefined ? undefined : formatValidTime(fullHour, minute, second);
  if (time === undefined) {
    throw new Error(`"${cell}" isn't a time`);
  }
  return time;
}

const trueWords: ReadonlySet<string> = new Set(['true', 't', 'yes', 'y', '1']);
const falseWords: ReadonlySet<string> = new Set(['false', 'f', 'no', 'n', '0']);

function readBoolean(cell: CsvCell): SqlCellValue {
  const text = cell?.trim().toLowerCase() ?? '';
  if (text === '') {
    return null;
  }
  if (!trueWords.has(text) && !falseWords.has(text)) {
    throw new Error(`"${cell}" isn't a boolean`);
  }
  return trueWords.has(text) ? 1 : 0;
}

/** The type code of dates without a time (platform-facts.md, 2.3). */
const dateTypeCode = 31;

/**
 * Returns a function that creates the cell reader for a column type code (platform-facts.md, 2.3) in a culture; an
 * unknown code reads text. Call it once per table, because looking up a culture is slow.
 */
export function createCellReaders(cultureName: string): (typeCode: number | undefined) => CellReader {
  const culture = getCultureFormat(cultureName);
  const readers = {
    number: createNumberReader(culture),
    boolean: readBoolean,
    time: readTime,
    text: (cell: CsvCell): SqlCellValue => cell,
    other: (cell: CsvCell): SqlCellValue => cell,
  };
  return (typeCode) => {
    const group = getColumnType(typeCode)?.group ?? 'text';
    return group === 'date-time' ? createDateReader(culture, typeCode === dateTypeCode) : readers[group];
  };
}

/** The type codes of whole numbers (platform-facts.md, 2.3). */
const integerTypeCodes: ReadonlySet<number> = new Set([0, 8, 16, 20]);

/** Returns the SQLite type to declare a column of this type code with. */
export function getStorageType(typeCode: number | undefined): 'INTEGER' | 'REAL' | 'TEXT' {
  const group = getColumnType(typeCode)?.group;
  if (group === 'boolean' || (typeCode !== undefined && integerTypeCodes.has(typeCode))) {
    return 'INTEGER';
  }
  return group === 'number' ? 'REAL' : 'TEXT';
}
