import { constants, type DatabaseSync, type StatementSync } from 'node:sqlite';
import { BuildError, blaming } from './buildError.ts';
import { type DialectContext, translate } from './dialect.ts';
import type { ModelColumn, ModelTable } from './model.ts';
import { nameKey, quoteName } from './names.ts';
import { prepareOne } from './prepareOne.ts';
import { outputColumns, type TypeBook } from './outputTypes.ts';
import type { BuiltColumn } from './port.ts';

/** Something that SQL computes: a custom table, or a custom column of a table. */
interface Node {
  readonly table: ModelTable;
  readonly column: ModelColumn | undefined;
}

interface Recorded {
  readonly statement: StatementSync;
  /** The stored columns that the statement reads; the column is empty where only rows are counted. */
  readonly reads: readonly { readonly table: string; readonly column: string }[];
}

const keyOf = (table: string, column: string): string => `${nameKey(table)}\n${nameKey(column)}`;

const labelOf = ({ table, column }: Node): string =>
  column === undefined ? `[${table.name}]` : `[${table.name}].[${column.name}]`;

/**
 * Computes custom tables and custom columns, each after what it reads. SQLite itself says what a text reads: the
 * authorizer hears of every table and column, so the order is right whatever the text looks like.
 */
export class Computer {
  readonly #db: DatabaseSync;
  readonly #types: TypeBook;
  readonly #customTables = new Map<string, ModelTable>();
  readonly #pendingColumns = new Map<string, Node>();
  readonly #running: Node[] = [];
  readonly #depends = new Map<string, Set<string>>();
  readonly #columns = new Map<string, readonly BuiltColumn[]>();
  readonly #indexes = new Set<string>();

  constructor(db: DatabaseSync, types: TypeBook) {
    this.#db = db;
    this.#types = types;
  }

  /** Announces a custom table that is to be computed; its custom columns follow when it is there. */
  expectTable(table: ModelTable): void {
    this.#customTables.set(nameKey(table.name), table);
  }

  /** Announces the custom columns of a table that is there, holding null so far. */
  expectColumns(table: ModelTable): void {
    for (const column of table.columns.filter((candidate) => candidate.expression !== undefined)) {
      this.#pendingColumns.set(keyOf(table.name, column.name), { table, column });
    }
  }

  /** Keys of the names of the tables that the SQL of a table reads. */
  dependsOf(table: ModelTable): readonly string[] {
    return [...(this.#depends.get(nameKey(table.name)) ?? [])];
  }

  /** The output columns of a custom table that was computed. */
  columnsOf(table: ModelTable): readonly BuiltColumn[] | undefined {
    return this.#columns.get(nameKey(table.name));
  }

  /**
   * Computes a table's expression and columns, unless that is done.
   * @throws BuildError with the name of the table that failed and SQLite's words, or naming the cycle.
   */
  compute(table: ModelTable): void {
    if (this.#customTables.has(nameKey(table.name))) {
      this.#run({ table, column: undefined });
    }
    for (const column of table.columns) {
      const node = this.#pendingColumns.get(keyOf(table.name, column.name));
      if (node !== undefined) {
        this.#run(node);
      }
    }
  }

  #run(node: Node): void {
    const at = this.#running.findIndex((other) => other.table === node.table && other.column === node.column);
    if (at >= 0) {
      const cycle = [...this.#running.slice(at), node].map(labelOf).join(' → ');
      throw new BuildError(`circular dependency: ${cycle}`, node.table.name);
    }
    this.#running.push(node);
    blaming(node.table.name, () =>
      node.column === undefined ? this.#fillTable(node) : this.#fillColumn(node),
    );
    this.#running.pop();
  }

  #fillTable({ table }: Node): void {
    const sql = table.expression ?? '';
    if (sql.trim() === '') {
      throw new Error('the custom table has no expression');
    }
    const { statement, text } = this.#prepare(sql, 'table', table, (query) => query);
    this.#db.prepare(`CREATE TABLE ${quoteName(table.name)} AS ${text}`).run();
    const columns = outputColumns(this.#db, table.name, statement, (name, column) =>
      this.#types.get(name, column),
    );
    for (const column of columns) {
      this.#types.set(table.name, column.name, column.type);
    }
    this.#columns.set(nameKey(table.name), columns);
    this.#customTables.delete(nameKey(table.name));
    for (const column of table.columns.filter((candidate) => candidate.expression !== undefined)) {
      this.#db.exec(`ALTER TABLE ${quoteName(table.name)} ADD COLUMN ${quoteName(column.name)}`);
      this.#types.set(table.name, column.name, column.type);
    }
    this.expectColumns(table);
  }

  #fillColumn({ table, column }: Node): void {
    const expression = column?.expression ?? '';
    if (column === undefined || expression === '') {
      throw new Error(`the custom column ${column?.name ?? ''} has no expression`);
    }
    const name = quoteName(table.name);
    const { text, windowed } = this.#prepare(
      expression,
      'column',
      table,
      (value) => `SELECT (${value}\n) FROM ${name}`,
    );
    const update = windowed
      ? `UPDATE ${name} SET ${quoteName(column.name)} = "dm$new".v FROM (SELECT rowid AS r, (${text}\n) AS v FROM ${name}) AS "dm$new" WHERE "dm$new".r = ${name}.rowid`
      : `UPDATE ${name} SET ${quoteName(column.name)} = (${text}\n) WHERE dm_tick()`;
    this.#db.prepare(update).run();
    this.#pendingColumns.delete(keyOf(table.name, column.name));
  }

  /** Translates a text and computes whatever it reads and is not there yet. */
  #prepare(
    sql: string,
    context: DialectContext,
    owner: ModelTable,
    toQuery: (text: string) => string,
  ): { statement: StatementSync; text: string; windowed: boolean } {
    const { sql: text, lookups, windowed } = translate(sql, context);
    const { statement, reads } = this.#prepareKnown(toQuery(text));
    const depends = this.#depends.get(nameKey(owner.name)) ?? new Set();
    this.#depends.set(nameKey(owner.name), depends);
    for (const { table, column } of reads) {
      if (nameKey(table) !== nameKey(owner.name)) {
        depends.add(nameKey(table));
      }
      const pending = this.#pendingColumns.get(keyOf(table, column));
      if (pending !== undefined) {
        this.#run(pending);
      }
    }
    for (const { table, column } of lookups) {
      this.#index(table, column);
    }
    return { statement, text, windowed };
  }

  /** Prepares a query; a custom table that is not there yet is computed first. */
  #prepareKnown(query: string): Recorded {
    try {
      return this.#recordReads(query);
    } catch (error) {
      const missing =
        error instanceof Error ? /^no such table: (?:main\.)?(.*)$/s.exec(error.message)?.[1] : undefined;
      const table = missing === undefined ? undefined : this.#customTables.get(nameKey(missing));
      if (table === undefined) {
        throw error;
      }
      this.#run({ table, column: undefined });
      return this.#prepareKnown(query);
    }
  }

  /** The prepared query and the stored columns that it reads. */
  #recordReads(query: string): Recorded {
    const reads: { table: string; column: string }[] = [];
    this.#db.setAuthorizer((action, table, column) => {
      if (action === constants.SQLITE_READ && table !== null) {
        reads.push({ table, column: column ?? '' });
      }
      return constants.SQLITE_OK;
    });
    try {
      return { statement: prepareOne(this.#db, query), reads };
    } finally {
      this.#db.setAuthorizer(null);
    }
  }

  #index(table: string, column: string): void {
    const key = keyOf(table, column);
    if (!this.#indexes.has(key)) {
      this.#indexes.add(key);
      const name = quoteName(`dm$lookup${this.#indexes.size}`);
      this.#db.exec(`CREATE INDEX ${name} ON ${quoteName(table)} (${quoteName(column)})`);
    }
  }
}
