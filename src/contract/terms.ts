/**
 * The fixed terms and codes of the platform, without the schemas, so that the code of webviews and of the startup stays
 * small.
 */

/** The party kinds of a share of a data security rule (rest-api.md, "Data security rule"). */
export const partyTypes = ['user', 'group', 'default'] as const;
export type PartyType = (typeof partyTypes)[number];

/** The server of an extract datamodel that the platform reports without one (platform-facts.md, 3.1). */
export const defaultServer = 'LocalHost';

/** The term that a cube set has in place of a server (rest-api.md, "Data security rule"). */
export const cubeSetServer = 'set';

/** The mandatory prefix of a live rule's `fullname` (rest-api.md, "Data security rule, live datamodel"). */
export const livePrefix = 'live:';

/** The suffix of a date column in the `dim` of a viewpoint (platform-facts.md, 5.1). */
export const calendarSuffix = ' (Calendar)';

/** Returns the title of a datamodel from its full name: `server/title` or `live:title`. */
export const getTitleFromFullname = (fullname: string): string =>
  fullname.startsWith(livePrefix)
    ? fullname.slice(livePrefix.length)
    : fullname.slice(fullname.lastIndexOf('/') + 1);

/**
 * full: whole model; by_table: per-table settings; schema_changes: modified parts; publish: live models
 * (rest-api.md, "POST /builds body").
 */
export const buildTypes = ['full', 'by_table', 'schema_changes', 'publish'] as const;
export type BuildType = (typeof buildTypes)[number];

/**
 * latest: all changes since the last build; running: the last successfully built schema
 * (rest-api.md, "POST /builds body").
 */
export const schemaOrigins = ['latest', 'running'] as const;
export type SchemaOrigin = (typeof schemaOrigins)[number];

/**
 * The kind of data in a column, as far as it matters for filters, rules and viewpoints; `other` is supported by none of
 * them.
 */
export type ColumnTypeGroup = 'number' | 'text' | 'boolean' | 'date-time' | 'time' | 'other';

export interface ColumnType {
  readonly code: number;
  /** The platform's own name for the code. */
  readonly name: string;
  readonly group: ColumnTypeGroup;
  /** Its name in the vendor's contract, if later releases have another name. */
  readonly previousName?: string;
}

/**
 * The integer type codes: those of the vendor's contract (platform-facts.md, "ColumnInput": 0 to 34 without 24 and 26
 * to 28), and further ones of L2021.9 (platform-facts.md, 2.3). A type that L2021.9 has renamed has its newer name. 19
 * is the legacy code of Timestamp and occurs with dates in real models.
 */
export const columnTypes: readonly ColumnType[] = [
  { code: 0, name: 'BigInt', group: 'number' },
  { code: 1, name: 'Binary', group: 'other' },
  { code: 2, name: 'Boolean', group: 'boolean', previousName: 'Bit' },
  { code: 3, name: 'Char', group: 'text' },
  { code: 4, name: 'Timestamp', group: 'date-time', previousName: 'DateTime' },
  { code: 5, name: 'Decimal', group: 'number' },
  { code: 6, name: 'Float', group: 'number' },
  { code: 7, name: 'Image', group: 'other' },
  { code: 8, name: 'Integer', group: 'number', previousName: 'Int' },
  { code: 9, name: 'Money', group: 'number' },
  { code: 10, name: 'NChar', group: 'text' },
  { code: 11, name: 'NText', group: 'text' },
  { code: 12, name: 'NVarChar', group: 'text' },
  { code: 13, name: 'Real', group: 'number' },
  { code: 14, name: 'UniqueIdentifier', group: 'text' },
  { code: 15, name: 'SmallDateTime', group: 'date-time' },
  { code: 16, name: 'SmallInt', group: 'number' },
  { code: 17, name: 'SmallMoney', group: 'number' },
  { code: 18, name: 'Text', group: 'text' },
  { code: 19, name: 'Timestamp (legacy)', group: 'date-time' },
  { code: 20, name: 'TinyInt', group: 'number' },
  { code: 21, name: 'VarBinary', group: 'other' },
  { code: 22, name: 'VarChar', group: 'text' },
  { code: 23, name: 'Variant', group: 'text' },
  { code: 25, name: 'Xml', group: 'text' },
  { code: 29, name: 'Udt', group: 'other' },
  { code: 30, name: 'Structured', group: 'other' },
  { code: 31, name: 'Date', group: 'date-time' },
  { code: 32, name: 'Time', group: 'time' },
  { code: 33, name: 'DateTime2', group: 'date-time' },
  { code: 34, name: 'DateTimeOffset', group: 'date-time' },
  { code: 40, name: 'Double', group: 'number' },
  { code: 41, name: 'Numeric', group: 'number' },
  { code: 43, name: 'TimestampWithTimezone', group: 'date-time' },
  { code: 44, name: 'TimeWithTimezone', group: 'time' },
];

const typesByCode: ReadonlyMap<number, ColumnType> = new Map(columnTypes.map((type) => [type.code, type]));

/** The type of a code, or `undefined` for an undocumented code. */
export function getColumnType(code: number | null | undefined): ColumnType | undefined {
  return code === null || code === undefined ? undefined : typesByCode.get(code);
}

/**
 * The display name of a column type, which is the same everywhere. An undocumented code is returned as it is; without a
 * code, the result is empty.
 */
export const getColumnTypeLabel = (code: number | null | undefined): string =>
  getColumnType(code)?.name ?? (code === null || code === undefined ? '' : String(code));

/**
 * The `datatype` of a data security rule on a column of a type; `undefined` if the column cannot have a rule (date
 * columns: rest-api.md, "Data security rule" 3) or if the code is unknown.
 */
export function getRuleDatatype(code: number | null | undefined): 'text' | 'numeric' | undefined {
  const group = getColumnType(code)?.group;
  if (group === 'text') {
    return 'text';
  }
  return group === 'number' ? 'numeric' : undefined;
}
