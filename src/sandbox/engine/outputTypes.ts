import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { toSqlNameKey, quoteIdentifier } from './sqlNames.ts';
import type { BuiltColumn } from './buildEngine.ts';

/** Returns the type code of a stored column, if it is known. */
type GetKnownType = (table: string, column: string) => number | undefined;

const typeCodes = { bigInt: 0, integer: 8, text: 18, date: 31, double: 40, timestamp: 4, time: 32 } as const;

/** The largest value of the type `integer`. A column with larger values is a `bigInt`. */
const maxInteger = 2 ** 31 - 1;

/** Infers a column's type code (platform-facts.md, 2.3) from its values; `undefined` if it has none. */
function inferTypeCode(db: DatabaseSync, table: string, column: string): number | undefined {
  const name = quoteIdentifier(column);
  const dayPattern = '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]';
  const counts = db
    .prepare(
      `SELECT count(${name}) AS filled,
        coalesce(sum(typeof(${name}) = 'integer'), 0) AS integers,
        coalesce(sum(typeof(${name}) = 'integer' AND ${name} NOT BETWEEN -${maxInteger} AND ${maxInteger}), 0) AS large,
        coalesce(sum(typeof(${name}) = 'real'), 0) AS reals,
        coalesce(sum(${name} GLOB '${dayPattern}'), 0) AS days,
        coalesce(sum(${name} GLOB '${dayPattern}[T ][0-9][0-9]:*'), 0) AS moments,
        coalesce(sum(${name} GLOB '[0-9][0-9]:[0-9][0-9]:[0-9][0-9]*'), 0) AS times
      FROM ${quoteIdentifier(table)}`,
    )
    .get();
  const getCount = (key: string): number => Number(counts?.[key] ?? 0);
  const valueCount = getCount('filled');
  if (valueCount === 0) {
    return undefined;
  }
  if (getCount('integers') + getCount('reals') === valueCount) {
    const integerCode = getCount('large') > 0 ? typeCodes.bigInt : typeCodes.integer;
    return getCount('reals') > 0 ? typeCodes.double : integerCode;
  }
  if (getCount('days') + getCount('moments') === valueCount) {
    return getCount('moments') > 0 ? typeCodes.timestamp : typeCodes.date;
  }
  return getCount('times') === valueCount ? typeCodes.time : typeCodes.text;
}

/**
 * Returns the output columns of a query whose result is stored in `table`, named as in that table. A column that comes
 * unchanged from another column, also through subqueries and CTEs, has that column's type. The type of any other column
 * is inferred from its values. Without values, as in a sample or a publish, a column keeps the type that it had,
 * because the SQL determines the type on an instance; a new column is text.
 * @param getFormerType returns the type code that the datamodel has for an output column, if any
 */
export function inferOutputColumns(
  db: DatabaseSync,
  table: string,
  query: StatementSync,
  {
    getKnownType,
    getFormerType,
  }: {
    readonly getKnownType: GetKnownType;
    readonly getFormerType: (column: string) => number | undefined;
  },
): readonly BuiltColumn[] {
  const queryColumns = query.columns();
  const storedColumns = db.prepare(`SELECT * FROM ${quoteIdentifier(table)}`).columns();
  return queryColumns.map((queryColumn, index) => {
    const name = storedColumns[index]?.name ?? queryColumn.name;
    const knownCode =
      queryColumn.table === null || queryColumn.column === null
        ? undefined
        : getKnownType(queryColumn.table, queryColumn.column);
    return {
      name,
      type: knownCode ?? inferTypeCode(db, table, name) ?? getFormerType(name) ?? typeCodes.text,
    };
  });
}

/** Returns the output columns of a query that was only prepared; a column of unknown origin is text. */
export function getDeclaredColumns(query: StatementSync, getKnownType: GetKnownType): readonly BuiltColumn[] {
  return query.columns().map(({ name, table, column }) => ({
    name,
    type: (table === null || column === null ? undefined : getKnownType(table, column)) ?? typeCodes.text,
  }));
}

/** The type codes of the columns that were built so far. */
export class ColumnTypeRegistry {
  readonly #types = new Map<string, number>();

  set(table: string, column: string, type: number | undefined): void {
    if (type !== undefined) {
      this.#types.set(`${toSqlNameKey(table)}\n${toSqlNameKey(column)}`, type);
    }
  }

  get(table: string, column: string): number | undefined {
    return this.#types.get(`${toSqlNameKey(table)}\n${toSqlNameKey(column)}`);
  }

  /** Returns the known code, or infers it from the values; a column of nulls is text. */
  resolve(db: DatabaseSync, table: string, column: string): number {
    return this.get(table, column) ?? inferTypeCode(db, table, column) ?? typeCodes.text;
  }
}
