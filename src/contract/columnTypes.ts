/** What a column holds, as far as filters, rules and viewpoints care. */
export type ColumnGroup = 'number' | 'text' | 'boolean' | 'date-time' | 'time';

export interface ColumnType {
  readonly code: number;
  /** The platform's own word for the code. */
  readonly name: string;
  readonly group: ColumnGroup;
}

/** The integer type codes (platform-facts 2.3, L2021.9 and later; 19 is the legacy code of Timestamp). */
export const columnTypes: readonly ColumnType[] = [
  { code: 0, name: 'BigInt', group: 'number' },
  { code: 2, name: 'Boolean', group: 'boolean' },
  { code: 3, name: 'Char', group: 'text' },
  { code: 4, name: 'Timestamp', group: 'date-time' },
  { code: 5, name: 'Decimal', group: 'number' },
  { code: 6, name: 'Float', group: 'number' },
  { code: 8, name: 'Integer', group: 'number' },
  { code: 13, name: 'Real', group: 'number' },
  { code: 16, name: 'SmallInt', group: 'number' },
  { code: 18, name: 'VarChar', group: 'text' },
  { code: 19, name: 'Timestamp (legacy)', group: 'date-time' },
  { code: 20, name: 'TinyInt', group: 'number' },
  { code: 31, name: 'Date', group: 'date-time' },
  { code: 32, name: 'Time', group: 'time' },
  { code: 40, name: 'Double', group: 'number' },
  { code: 41, name: 'Numeric', group: 'number' },
  { code: 43, name: 'TimestampWithTimezone', group: 'date-time' },
  { code: 44, name: 'TimeWithTimezone', group: 'time' },
];

const byCode: ReadonlyMap<number, ColumnType> = new Map(columnTypes.map((type) => [type.code, type]));

/** The type behind a code, or `undefined` for a code that nobody has published. */
export function columnType(code: number | null | undefined): ColumnType | undefined {
  return code === null || code === undefined ? undefined : byCode.get(code);
}

/**
 * The `datatype` that a data security rule on such a column carries; `undefined` where the column cannot carry a
 * rule (date columns: spec, "Date dimensions are not supported") or where the code is unknown.
 */
export function ruleDatatype(code: number | null | undefined): 'text' | 'numeric' | undefined {
  const group = columnType(code)?.group;
  if (group === 'text') {
    return 'text';
  }
  return group === 'number' ? 'numeric' : undefined;
}
