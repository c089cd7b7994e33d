import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { limitMessages } from './resourceLimits.ts';
import { BuildError, withTableBlamed } from './buildError.ts';
import { type Translation, translateSql } from './dialect.ts';
import { runAuthorized, formatUnknownTable } from './sqlAuthorizer.ts';
import type { BuildModel, ModelColumn, ModelTable } from './model.ts';
import { toSqlNameKey, quoteName } from './names.ts';
import { inferOutputColumns, type TypeBook } from './outputTypes.ts';
import type { BuiltColumn } from './port.ts';
import { prepareQuery, prepareValue } from './prepareStatement.ts';

/** A custom table, or a custom column of a table: a node of the dependency graph. */
interface ComputedNode {
  readonly table: ModelTable;
  readonly column: ModelColumn | undefined;
}

/** SQL that was validated to be one query or one expression, with the check for the columns that it may read. */
interface ProvenQuery {
  readonly statement: StatementSync;
  readonly text: string;
  readonly refusal: ReadRefusal;
}

/** Returns the error message if SQL may not read a column; `undefined` if it may. */
type ReadRefusal = (table: string, column: string) => string | undefined;

/**
 * Returns the error for a name that is not a table of the datamodel. Without a column, SQLite only counts rows: the
 * name may be a subquery of the SQL, and is checked after the SQL is prepared.
 */
const refuseForeignTables: ReadRefusal = (table, column) =>
  column === '' ? undefined : formatUnknownTable(table);

/** The environment of an ExpressionComputer. */
export interface ComputerHost {
  /** True to run expressions; false to only validate them, which leaves tables empty. */
  readonly runs: boolean;
  /** Maximum number of rows of a custom table. */
  readonly maxRows: number;
  /** Runs work that prepares or runs SQL of a table under the time limit. */
  runTimed<T>(table: string | undefined, work: () => T): T;
}

/** Validates expressions without running them. */
export const proveOnlyHost: ComputerHost = { runs: false, maxRows: 0, runTimed: (_table, work) => work() };

/** Returns an unused name for the temporary table with the computed values of a column. */
const getValuesTableName = (used: (name: string) => boolean): string => {
  let name = 'dm$values';
  while (used(name)) {
    name += '$';
  }
  return name;
};

function isKnownTable(db: DatabaseSync, table: string): boolean {
  try {
    db.prepare(`SELECT 1 FROM ${quoteName(table)}`);
    return true;
  } catch {
    // The database has no such table, so the SQL itself defines the name.
    return false;
  }
}

/** Returns a name of SQLite's row id that is not the name of a column. */
const getRowIdName = (columns: readonly string[]): string => {
  const taken = new Set(columns.map(toSqlNameKey));
  const free = ['rowid', '_rowid_', 'oid'].find((name) => !taken.has(name));
  if (free === undefined) {
    throw new Error('a table with custom columns cannot have columns rowid, _rowid_ and oid');
  }
  return free;
};

const toColumnKey = (table: string, column: string): string =>
  `${toSqlNameKey(table)}\n${toSqlNameKey(column)}`;

const formatLabel = ({ table, column }: ComputedNode): string =>
  column === undefined ? `[${table.name}]` : `[${table.name}].[${column.name}]`;

/**
 * Computes custom tables and custom columns in the order of their dependencies. SQLite calls the authorizer for every
 * table and column that SQL reads, which yields the dependencies without analyzing the SQL. Builds and checks both use
 * this class: SQL is validated to be one query or one expression before it runs, and runs under the authorizer.
 */
export class ExpressionComputer {
  readonly #db: DatabaseSync;
  readonly #types: TypeBook;
  readonly #host: ComputerHost;
  readonly #names: ReadonlySet<string>;
  readonly #valuesName: string;
  readonly #customTables = new Map<string, ModelTable>();
  readonly #pendingColumns = new Map<string, ComputedNode>();
  readonly #running: ComputedNode[] = [];
  readonly #depends = new Map<string, Set<string>>();
  readonly #columns = new Map<string, readonly BuiltColumn[]>();
  readonly #indexes = new Set<string>();

  /** @param model the datamodel whose tables expressions may read */
  constructor(db: DatabaseSync, model: BuildModel, types: TypeBook, host: ComputerHost) {
    this.#db = db;
    this.#types = types;
    this.#host = host;
    this.#names = new Set(model.tables.map(({ name }) => toSqlNameKey(name)));
    this.#valuesName = getValuesTableName((name) => this.#names.has(name));
  }

  /** Registers a custom table to be computed; its custom columns follow once it exists. */
  expectTable(table: ModelTable): void {
    this.#customTables.set(toSqlNameKey(table.name), table);
  }

  /** Registers the custom columns of an existing table, which contain null until they are computed. */
  expectColumns(table: ModelTable): void {
    for (const column of table.columns.filter((candidate) => candidate.expression !== undefined)) {
      this.#pendingColumns.set(toColumnKey(table.name, column.name), { table, column });
    }
  }

  /** Returns the tables that the SQL of a table reads, by the keys of their names. */
  getDependencies(table: ModelTable): readonly string[] {
    return [...(this.#depends.get(toSqlNameKey(table.name)) ?? [])];
  }

  /** Returns the output columns of a computed custom table. */
  getColumns(table: ModelTable): readonly BuiltColumn[] | undefined {
    return this.#columns.get(toSqlNameKey(table.name));
  }

  /**
   * Computes a custom table and a table's custom columns, unless they are computed already.
   * @throws BuildError with SQLite's message and the name of the table that failed, or for a circular dependency.
   */
  compute(table: ModelTable): void {
    if (this.#customTables.has(toSqlNameKey(table.name))) {
      this.#run({ table, column: undefined });
    }
    for (const column of table.columns) {
      const node = this.#pendingColumns.get(toColumnKey(table.name, column.name));
      if (node !== undefined) {
        this.#run(node);
      }
    }
  }

  /**
   * Validates a query that is not a table of the datamodel, after computing the tables and columns that it reads.
   * @throws Error about the query itself; BuildError when the SQL of another table fails.
   */
  proveQuery(sql: string): StatementSync {
    return this.#proveQuery(sql).statement;
  }

  /**
   * Validates an expression of a custom column of a table, after computing the tables and columns that it reads.
   * @throws Error about the expression itself; BuildError when another expression fails.
   */
  proveValue(sql: string, table: string): void {
    this.#proveValue(sql, table);
  }

  #run(node: ComputedNode): void {
    const at = this.#running.findIndex((other) => other.table === node.table && other.column === node.column);
    if (at >= 0) {
      const cycle = [...this.#running.slice(at), node].map(formatLabel).join(' → ');
      throw new BuildError(`circular dependency: ${cycle}`, node.table.name);
    }
    this.#running.push(node);
    withTableBlamed(node.table.name, () =>
      node.column === undefined ? this.#fillTable(node) : this.#fillColumn(node),
    );
    this.#running.pop();
  }

  #fillTable({ table }: ComputedNode): void {
    const sql = table.expression ?? '';
    if (sql.trim() === '') {
      throw new Error('the custom table has no expression');
    }
    const { statement, text, refusal } = this.#proveQuery(sql, table);
    if (this.#host.runs) {
      this.#createFrom(table, text, refusal);
    } else {
      const columns = statement.columns().map(({ name }) => quoteName(name));
      this.#db.exec(`CREATE TABLE ${quoteName(table.name)} (${columns.join(', ')})`);
    }
    const columns = inferOutputColumns(this.#db, table.name, statement, (name, column) =>
      this.#types.get(name, column),
    );
    for (const column of columns) {
      this.#types.set(table.name, column.name, column.type);
    }
    this.#columns.set(toSqlNameKey(table.name), columns);
    this.#customTables.delete(toSqlNameKey(table.name));
    for (const column of table.columns.filter((candidate) => candidate.expression !== undefined)) {
      this.#db.exec(`ALTER TABLE ${quoteName(table.name)} ADD COLUMN ${quoteName(column.name)}`);
      this.#types.set(table.name, column.name, column.type);
    }
    this.expectColumns(table);
  }

  /** Creates a table from a query, limited to one row more than allowed in order to detect too many rows. */
  #createFrom({ name }: ModelTable, text: string, refusal: ReadRefusal): void {
    const { maxRows } = this.#host;
    const create = `CREATE TABLE ${quoteName(name)} AS ${text} LIMIT ${maxRows + 1}`;
    this.#host.runTimed(name, () =>
      runAuthorized(this.#db, { refusal, creates: name }, () => this.#db.prepare(create).run()),
    );
    const rows = this.#db.prepare(`SELECT count(*) AS rows FROM ${quoteName(name)}`).get()?.['rows'];
    if (Number(rows) > maxRows) {
      throw new Error(limitMessages.rows(maxRows));
    }
  }

  #fillColumn({ table, column }: ComputedNode): void {
    const expression = column?.expression ?? '';
    if (column === undefined || expression === '') {
      throw new Error(`the custom column ${column?.name ?? ''} has no expression`);
    }
    const { text, refusal } = this.#proveValue(expression, table.name);
    if (this.#host.runs) {
      this.#write(table.name, column.name, text, refusal);
    }
    this.#pendingColumns.delete(toColumnKey(table.name, column.name));
  }

  /**
   * Computes the values of a column into a temporary table and then updates the column, so that the UPDATE statement
   * contains no user-defined SQL.
   */
  #write(table: string, column: string, text: string, refusal: ReadRefusal): void {
    const name = quoteName(table);
    const values = `temp.${quoteName(this.#valuesName)}`;
    const stored = this.#db.prepare(`SELECT * FROM ${name}`).columns();
    const row = getRowIdName(stored.map((each) => each.name));
    const fill = `INSERT INTO ${values} SELECT ${name}.${row}, (${text}\n) FROM ${name}`;
    this.#db.exec(`CREATE TEMP TABLE ${quoteName(this.#valuesName)} (id INTEGER PRIMARY KEY, value)`);
    this.#host.runTimed(table, () =>
      runAuthorized(this.#db, { refusal, fills: this.#valuesName }, () => this.#db.prepare(fill).run()),
    );
    this.#db.exec(
      `UPDATE ${name} SET ${quoteName(column)} = made.value FROM ${values} AS made WHERE made.id = ${name}.${row};
      DROP TABLE ${values};`,
    );
  }

  #proveQuery(sql: string, owner?: ModelTable): ProvenQuery {
    const translation = translateSql(sql, 'table');
    const refusal: ReadRefusal = (table, column) =>
      this.#names.has(toSqlNameKey(table)) ? undefined : refuseForeignTables(table, column);
    const { statement, text } = this.#prepare(translation, owner?.name, refusal, () =>
      prepareQuery(this.#db, translation.sql),
    );
    return { statement, text, refusal };
  }

  #proveValue(sql: string, owner: string): ProvenQuery {
    const translation = translateSql(sql, 'column');
    const ownTable = toSqlNameKey(owner);
    const found = new Set(
      translation.lookups.flatMap(({ table, column, result }) => [
        toColumnKey(table, column),
        toColumnKey(table, result),
      ]),
    );
    const refusal: ReadRefusal = (table, column) => {
      if (!this.#names.has(toSqlNameKey(table))) {
        return refuseForeignTables(table, column);
      }
      return toSqlNameKey(table) === ownTable || found.has(toColumnKey(table, column))
        ? undefined
        : `a column expression reads its own table; use Lookup to read [${table}]`;
    };
    const statement = this.#prepare(translation, owner, refusal, () =>
      prepareValue(this.#db, translation.sql, quoteName(owner), translation.windowed),
    );
    return { statement, text: translation.sql, refusal };
  }

  /** Prepares SQL under the authorizer and computes the custom tables and columns that it reads. */
  #prepare<T>(
    { lookups }: Translation,
    owner: string | undefined,
    refusal: ReadRefusal,
    prepare: () => T,
  ): T {
    const { prepared, reads } = this.#recordReads(owner, refusal, prepare);
    const depends = owner === undefined ? new Set<string>() : this.#getDependencies(owner);
    for (const { table, column } of reads) {
      if (owner === undefined || toSqlNameKey(table) !== toSqlNameKey(owner)) {
        depends.add(toSqlNameKey(table));
      }
      const pending = this.#pendingColumns.get(toColumnKey(table, column));
      if (pending !== undefined) {
        this.#run(pending);
      }
    }
    for (const { table, column } of this.#host.runs ? lookups : []) {
      this.#index(table, column);
    }
    return prepared;
  }

  #getDependencies(owner: string): Set<string> {
    const depends = this.#depends.get(toSqlNameKey(owner)) ?? new Set();
    this.#depends.set(toSqlNameKey(owner), depends);
    return depends;
  }

  /**
   * Prepares SQL and records the stored columns that it reads; the column is empty when rows are only counted. Custom
   * tables that do not exist yet are computed first.
   */
  #recordReads<T>(
    owner: string | undefined,
    refusal: ReadRefusal,
    prepare: () => T,
  ): { prepared: T; reads: readonly { readonly table: string; readonly column: string }[] } {
    const reads: { table: string; column: string }[] = [];
    const recordReads: ReadRefusal = (table, column) => {
      reads.push({ table, column });
      return refusal(table, column);
    };
    try {
      const prepared = this.#host.runTimed(owner, () =>
        runAuthorized(this.#db, { refusal: recordReads }, prepare),
      );
      this.#refuseForeign(reads);
      return { prepared, reads };
    } catch (error) {
      const missing =
        error instanceof Error ? /^no such table: (?:main\.)?(.*)$/s.exec(error.message)?.[1] : undefined;
      const table = missing === undefined ? undefined : this.#customTables.get(toSqlNameKey(missing));
      if (table === undefined) {
        throw error;
      }
      this.#run({ table, column: undefined });
      return this.#recordReads(owner, refusal, prepare);
    }
  }

  /** Rejects tables that SQLite itself provides: schema tables and table-valued functions. */
  #refuseForeign(reads: readonly { readonly table: string }[]): void {
    for (const { table } of reads.filter((read) => !this.#names.has(toSqlNameKey(read.table)))) {
      if (isKnownTable(this.#db, table)) {
        throw new Error(formatUnknownTable(table));
      }
    }
  }

  #index(table: string, column: string): void {
    const key = toColumnKey(table, column);
    if (!this.#indexes.has(key)) {
      this.#indexes.add(key);
      const name = quoteName(`dm$lookup${this.#indexes.size}`);
      this.#db.exec(`CREATE INDEX ${name} ON ${quoteName(table)} (${quoteName(column)})`);
    }
  }
}
