import { DatabaseSync } from 'node:sqlite';
import type { JsonObject } from '../../base/json.ts';
import { wordsOf } from './buildError.ts';
import { translate } from './dialect.ts';
import { registerDialect } from './dialectRegistry.ts';
import { createTable } from './importTable.ts';
import { type BuildModel, type ModelTable, readModel } from './model.ts';
import { nameKey, quoteName } from './names.ts';
import { outputColumns, TypeBook } from './outputTypes.ts';
import type { BuiltColumn } from './port.ts';
import { prepareOne } from './prepareOne.ts';

/** A text to check: the query of a custom table, or what a custom column of a table is computed by. */
export interface CheckedText {
  readonly sql: string;
  /** The table of the column; absent for a query. */
  readonly columnOf?: string | undefined;
}

/** What the engine says. */
export type Verdict =
  | { readonly ok: true; readonly columns: readonly string[] }
  | {
      readonly ok: false;
      /** The engine's own words. */
      readonly message: string;
      /** The custom table whose own SQL is what fails, where it is not the text itself. */
      readonly table?: string;
    };

/**
 * Checks a text on the real engine, in a database that has the tables of the model and no rows. The text is prepared
 * as `SELECT … LIMIT 0`, so that nothing in it can run for long; custom tables are views, which nothing computes.
 */
export function checkExpression(datamodel: JsonObject, text: CheckedText): Verdict {
  const model = readModel(datamodel, 'full');
  const db = new DatabaseSync(':memory:');
  try {
    registerDialect(db);
    return verdict(db, model, createMirror(db, model), text);
  } finally {
    db.close();
  }
}

/**
 * The columns that the query of a custom table yields, without running it: what comes unchanged from a base table has
 * that column's type, the rest is text until a build has seen its values.
 * @returns `undefined` where the query cannot be read
 */
export function queryColumns(datamodel: JsonObject, sql: string): readonly BuiltColumn[] | undefined {
  const model = readModel(datamodel, 'full');
  const db = new DatabaseSync(':memory:');
  try {
    registerDialect(db);
    const unreadable = createMirror(db, model);
    if (!verdict(db, model, unreadable, { sql }).ok) {
      return undefined;
    }
    const types = new TypeBook();
    for (const { name, columns } of model.tables.filter(({ kind }) => kind === 'base')) {
      columns.forEach((column) => types.set(name, column.name, column.type));
    }
    const text = `SELECT * FROM (${oneStatement(db, sql)}\n) LIMIT 0`;
    // As a build does it: SQLite names the columns of a table, and tells those of one name apart.
    db.exec(`CREATE TABLE "dm$query" AS ${text}`);
    const known = (table: string, column: string): number | undefined => types.get(table, column);
    return outputColumns(db, 'dm$query', prepareOne(db, text), known);
  } finally {
    db.close();
  }
}

/** The tables whose own SQL cannot even be read, by the key of their names, with SQLite's words about it. */
type Unreadable = ReadonlyMap<string, { readonly table: string; readonly message: string }>;

/** Tables of one name are one table here: the first. */
function createMirror(db: DatabaseSync, model: BuildModel): Unreadable {
  const made = new Set<string>();
  const unreadable = new Map<string, { table: string; message: string }>();
  for (const table of model.tables.filter(({ kind, columns }) => kind === 'custom' || columns.length > 0)) {
    const key = nameKey(table.name);
    if (made.has(key)) {
      continue;
    }
    made.add(key);
    if (table.kind === 'base') {
      createTable(db, table);
      continue;
    }
    try {
      createView(db, table);
    } catch (error) {
      unreadable.set(key, { table: table.name, message: wordsOf(error) });
    }
  }
  return unreadable;
}

/** SQLite looks into a view only when somebody reads it, so the order does not matter. */
function createView(db: DatabaseSync, table: ModelTable): void {
  const query = translate(table.expression ?? '', 'table').sql;
  const further = table.columns
    .filter(({ expression }) => expression !== undefined)
    .map(({ name }) => `, NULL AS ${quoteName(name)}`);
  const columns = `"dm$own".*${further.join('')}`;
  db.exec(`CREATE VIEW ${quoteName(table.name)} AS SELECT ${columns} FROM (${query}\n) AS "dm$own"`);
}

function verdict(
  db: DatabaseSync,
  model: BuildModel,
  unreadable: Unreadable,
  { sql, columnOf }: CheckedText,
): Verdict {
  if (sql.trim() === '') {
    return { ok: false, message: 'the expression is empty' };
  }
  try {
    if (columnOf !== undefined) {
      prepareOne(db, `SELECT (${translate(sql, 'column').sql}\n) FROM ${quoteName(columnOf)} LIMIT 0`);
      return { ok: true, columns: [] };
    }
    const statement = prepareOne(db, `SELECT * FROM (${oneStatement(db, sql)}\n) LIMIT 0`);
    return { ok: true, columns: statement.columns().map(({ name }) => name) };
  } catch (error) {
    return blamed(db, model, unreadable, wordsOf(error));
  }
}

/** Finds the custom table whose own SQL is what fails, where there is one. */
function blamed(db: DatabaseSync, model: BuildModel, unreadable: Unreadable, message: string): Verdict {
  const missing = /^no such table: (?:main\.)?(.*)$/s.exec(message)?.[1];
  const hidden = missing === undefined ? undefined : unreadable.get(nameKey(missing));
  if (hidden !== undefined) {
    return { ok: false, ...hidden };
  }
  const guilty = model.tables.find((table) => table.kind === 'custom' && failure(db, table) === message);
  return guilty === undefined ? { ok: false, message } : { ok: false, message, table: guilty.name };
}

/** The text as SQLite reads it, once it has been seen to be one statement: in parentheses a second one could hide. */
function oneStatement(db: DatabaseSync, sql: string): string {
  const text = translate(sql, 'table').sql;
  prepareOne(db, text);
  return text.replace(/[\s;]+$/, '');
}

/** What SQLite says of reading a custom table; `undefined` when nothing is wrong with it. */
function failure(db: DatabaseSync, table: ModelTable): string | undefined {
  try {
    db.prepare(`SELECT * FROM ${quoteName(table.name)} LIMIT 0`);
    return undefined;
  } catch (error) {
    return wordsOf(error);
  }
}
