import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { limitMessages } from './resourceLimits.ts';
import { BuildError, attributeErrorsToTable } from './buildError.ts';
import { type TranslatedSql, translateSql } from './dialect.ts';
import { runAuthorized, formatUnknownTableMessage } from './sqlAuthorizer.ts';
import type { BuildModel, ModelColumn, ModelTable } from './model.ts';
import { toSqlNameKey, quoteIdentifier } from './sqlNames.ts';
import { inferOutputColumns, type ColumnTypeRegistry } from './outputTypes.ts';
import type { BuiltColumn } from './buildEngine.ts';
import { prepareQuery, prepareExpression } from './prepareStatement.ts';

/** A custom table, or a custom column of a table: a node of the dependency graph. */
interface ComputedNode {
  readonly table: ModelTable;
  readonly column: ModelColumn | undefined;
}

/** SQL that was validated to be one query or one expression, with the check for the columns that it may read. */
interface ValidatedSql {
  readonly statement: StatementSync;
  readonly text: string;
  readonly getReadError: GetReadError;
}

/** Returns the error message if SQL may not read a column; `undefined` if it may. */
type GetReadError = (table: string, column: string) => string | undefined;

/**
 * Returns the error for a name that is not a table of the datamodel. Without a column, SQLite only counts rows: the
 * name may be a subquery of the SQL, and is checked after the SQL is prepared.
 */
const getUnknownTableError: GetReadError = (table, column) =>
  column === '' ? undefined : formatUnknownTableMessage(table);

/** The environment of an ExpressionComputer. */
export interface ExpressionEnvironment {
  /** True to run expressions; false to only validate them, which leaves tables empty. */
  readonly runsExpressions: boolean;
  /** Maximum number of rows of a custom table. */
  readonly maxRows: number;
  /** Runs work that prepares or runs SQL of a table under the time limit. */
  runTimed<T>(table: string | undefined, work: () => T): T;
}

/** Validates expressions without running them. */
export const validationEnvironment: ExpressionEnvironment = {
  runsExpressions: false,
  maxRows: 0,
  runTimed: (_table, work) => work(),
};

/** Returns an unused name for the temporary table with the computed values of a column. */
const getValuesTableName = (isUsed: (name: string) => boolean): string => {
  let name = 'dm$values';
  while (isUsed(name)) {
    name += '$';
  }
  return name;
};

function existsInDatabase(db: DatabaseSync, table: string): boolean {
  try {
    db.prepare(`SELECT 1 FROM ${quoteIdentifier(table)}`);
    return true;
  } catch {
    // The database has no such table, so the SQL itself defines the name.
    return false;
  }
}

/** Returns a name of SQLite's row id that is not the name of a column. */
const getRowIdName = (columns: readonly string[]): string => {
  const columnKeys = new Set(columns.map(toSqlNameKey));
  const unusedName = ['rowid', '_rowid_', 'oid'].find((name) => !columnKeys.has(name));
  if (unusedName === undefined) {
    throw new Error("a table with custom columns can't have columns named rowid, _rowid_, or oid");
  }
  return unusedName;
};

const toColumnKey = (table: string, column: string): string =>
  `${toSqlNameKey(table)}\n${toSqlNameKey(column)}`;

/**
 * Returns the type code that the datamodel has for a column that the SQL of a custom table generates, if it has one.
 */
const getGeneratedType = ({ columns }: ModelTable, name: string): number | undefined =>
  columns.find(
    (column) => column.expression === undefined && toSqlNameKey(column.name) === toSqlNameKey(name),
  )?.type;

const formatLabel = ({ table, column }: ComputedNode): string =>
  column === undefined ? `[${table.name}]` : `[${table.name}].[${column.name}]`;

/**
 * Computes custom tables and custom columns in the order of their dependencies. SQLite calls the authorizer for every
 * table and column that SQL reads, which yields the dependencies without analyzing the SQL. Builds and checks both use
 * this class: SQL is validated to be one query or one expression before it runs, and runs under the authorizer.
 */
export class ExpressionComputer {
  readonly #db: DatabaseSync;
  readonly #columnTypes: ColumnTypeRegistry;
  readonly #environment: ExpressionEnvironment;
  readonly #tableKeys: ReadonlySet<string>;
  readonly #valuesTableName: string;
  readonly #customTables = new Map<string, ModelTable>();
  readonly #pendingColumns = new Map<string, ComputedNode>();
  readonly #runningNodes: ComputedNode[] = [];
  readonly #dependencies = new Map<string, Set<string>>();
  readonly #outputColumns = new Map<string, readonly BuiltColumn[]>();
  readonly #lookupIndexKeys = new Set<string>();

  /** @param model the datamodel whose tables expressions may read */
  constructor(
    db: DatabaseSync,
    model: BuildModel,
    columnTypes: ColumnTypeRegistry,
    environment: ExpressionEnvironment,
  ) {
    this.#db = db;
    this.#columnTypes = columnTypes;
    this.#environment = environment;
    this.#tableKeys = new Set(model.tables.map(({ name }) => toSqlNameKey(name)));
    this.#valuesTableName = getValuesTableName((name) => this.#tableKeys.has(name));
  }

  /** Registers a custom table to be computed; its custom columns follow once it exists. */
  addPendingTable(table: ModelTable): void {
    this.#customTables.set(toSqlNameKey(table.name), table);
  }

  /** Registers the custom columns of an existing table, which contain null until they are computed. */
  addPendingColumns(table: ModelTable): void {
    for (const column of table.columns.filter((candidate) => candidate.expression !== undefined)) {
      this.#pendingColumns.set(toColumnKey(table.name, column.name), { table, column });
    }
  }

  /** Returns the tables that the SQL of a table reads, by the keys of their names. */
  getDependencies(table: ModelTable): readonly string[] {
    return [...(this.#dependencies.get(toSqlNameKey(table.name)) ?? [])];
  }

  /** Returns the output columns of a custom table; `undefined` if it wasn't computed. */
  getColumns(table: ModelTable): readonly BuiltColumn[] | undefined {
    return this.#outputColumns.get(toSqlNameKey(table.name));
  }

  /**
   * Computes a custom table and a table's custom columns, unless they are computed already.
   * @throws BuildError with SQLite's message and the name of the table that failed, or for a circular dependency.
   */
  compute(table: ModelTable): void {
    if (this.#customTables.has(toSqlNameKey(table.name))) {
      this.#computeNode({ table, column: undefined });
    }
    for (const column of table.columns) {
      const node = this.#pendingColumns.get(toColumnKey(table.name, column.name));
      if (node !== undefined) {
        this.#computeNode(node);
      }
    }
  }

  /**
   * Validates a query that is not a table of the datamodel, after computing the tables and columns that it reads.
   * @throws Error about the query itself; BuildError when the SQL of another table fails.
   */
  validateQuery(sql: string): StatementSync {
    return this.#validateQuery(sql).statement;
  }

  /**
   * Validates an expression of a custom column of a table, after computing the tables and columns that it reads.
   * @throws Error about the expression itself; BuildError when another expression fails.
   */
  validateExpression(sql: string, table: string): void {
    this.#validateExpression(sql, table);
  }

  #computeNode(node: ComputedNode): void {
    const cycleStart = this.#runningNodes.findIndex(
      (other) => other.table === node.table && other.column === node.column,
    );
    if (cycleStart >= 0) {
      const cycle = [...this.#runningNodes.slice(cycleStart), node].map(formatLabel).join(' → ');
      throw new BuildError(`circular dependency: ${cycle}`, node.table.name);
    }
    this.#runningNodes.push(node);
    attributeErrorsToTable(node.table.name, () =>
      node.column === undefined ? this.#fillTable(node) : this.#fillColumn(node),
    );
    this.#runningNodes.pop();
  }

  #fillTable({ table }: ComputedNode): void {
    const sql = table.expression ?? '';
    if (sql.trim() === '') {
      throw new Error('the custom table has no expression');
    }
    const { statement, text, getReadError } = this.#validateQuery(sql, table);
    if (this.#environment.runsExpressions) {
      this.#createTableFromQuery(table, text, getReadError);
    } else {
      const columns = statement.columns().map(({ name }) => quoteIdentifier(name));
      this.#db.exec(`CREATE TABLE ${quoteIdentifier(table.name)} (${columns.join(', ')})`);
    }
    const columns = inferOutputColumns(this.#db, table.name, statement, {
      getKnownType: (name, column) => this.#columnTypes.get(name, column),
      getFormerType: (name) => getGeneratedType(table, name),
    });
    for (const column of columns) {
      this.#columnTypes.set(table.name, column.name, column.type);
    }
    this.#outputColumns.set(toSqlNameKey(table.name), columns);
    this.#customTables.delete(toSqlNameKey(table.name));
    for (const column of table.columns.filter((candidate) => candidate.expression !== undefined)) {
      this.#db.exec(`ALTER TABLE ${quoteIdentifier(table.name)} ADD COLUMN ${quoteIdentifier(column.name)}`);
      this.#columnTypes.set(table.name, column.name, column.type);
    }
    this.addPendingColumns(table);
  }

  /** Creates a table from a query, limited to one row more than allowed in order to detect too many rows. */
  #createTableFromQuery({ name }: ModelTable, text: string, getReadError: GetReadError): void {
    const { maxRows } = this.#environment;
    const createSql = `CREATE TABLE ${quoteIdentifier(name)} AS ${text} LIMIT ${maxRows + 1}`;
    this.#environment.runTimed(name, () =>
      runAuthorized(this.#db, { getReadError, createdTable: name }, () => this.#db.prepare(createSql).run()),
    );
    const rows = this.#db.prepare(`SELECT count(*) AS rows FROM ${quoteIdentifier(name)}`).get()?.['rows'];
    if (Number(rows) > maxRows) {
      throw new Error(limitMessages.rows(maxRows));
    }
  }

  #fillColumn({ table, column }: ComputedNode): void {
    const expression = column?.expression ?? '';
    if (column === undefined || expression === '') {
      throw new Error(`the custom column ${column?.name ?? ''} has no expression`);
    }
    const { text, getReadError } = this.#validateExpression(expression, table.name);
    if (this.#environment.runsExpressions) {
      this.#writeColumn(table.name, column.name, text, getReadError);
    }
    this.#pendingColumns.delete(toColumnKey(table.name, column.name));
  }

  /**
   * Computes the values of a column into a temporary table and then updates the column, so that the UPDATE statement
   * contains no user-defined SQL.
   */
  #writeColumn(table: string, column: string, text: string, getReadError: GetReadError): void {
    const name = quoteIdentifier(table);
    const valuesTable = `temp.${quoteIdentifier(this.#valuesTableName)}`;
    const storedColumns = this.#db.prepare(`SELECT * FROM ${name}`).columns();
    const rowIdName = getRowIdName(storedColumns.map((storedColumn) => storedColumn.name));
    const insertSql = `INSERT INTO ${valuesTable} SELECT ${name}.${rowIdName}, (${text}\n) FROM ${name}`;
    this.#db.exec(
      `CREATE TEMP TABLE ${quoteIdentifier(this.#valuesTableName)} (id INTEGER PRIMARY KEY, value)`,
    );
    this.#environment.runTimed(table, () =>
      runAuthorized(this.#db, { getReadError, filledTable: this.#valuesTableName }, () =>
        this.#db.prepare(insertSql).run(),
      ),
    );
    this.#db.exec(
      `UPDATE ${name} SET ${quoteIdentifier(column)} = computed.value FROM ${valuesTable} AS computed WHERE computed.id = ${name}.${rowIdName};
      DROP TABLE ${valuesTable};`,
    );
  }

  #validateQuery(sql: string, owner?: ModelTable): ValidatedSql {
    const translation = translateSql(sql, 'table');
    const getReadError: GetReadError = (table, column) =>
      this.#tableKeys.has(toSqlNameKey(table)) ? undefined : getUnknownTableError(table, column);
    const { statement, text } = this.#prepare(translation, owner?.name, getReadError, () =>
      prepareQuery(this.#db, translation.sql),
    );
    return { statement, text, getReadError };
  }

  #validateExpression(sql: string, owner: string): ValidatedSql {
    const translation = translateSql(sql, 'column');
    const ownerKey = toSqlNameKey(owner);
    const lookupColumnKeys = new Set(
      translation.lookups.flatMap(({ table, column, result }) => [
        toColumnKey(table, column),
        toColumnKey(table, result),
      ]),
    );
    const getReadError: GetReadError = (table, column) => {
      if (!this.#tableKeys.has(toSqlNameKey(table))) {
        return getUnknownTableError(table, column);
      }
      return toSqlNameKey(table) === ownerKey || lookupColumnKeys.has(toColumnKey(table, column))
        ? undefined
        : `a column expression can only read its own table: use Lookup to read [${table}]`;
    };
    const statement = this.#prepare(translation, owner, getReadError, () =>
      prepareExpression(this.#db, translation.sql, quoteIdentifier(owner), translation.usesWindowFunctions),
    );
    return { statement, text: translation.sql, getReadError };
  }

  /** Prepares SQL under the authorizer and computes the custom tables and columns that it reads. */
  #prepare<T>(
    { lookups }: TranslatedSql,
    owner: string | undefined,
    getReadError: GetReadError,
    prepare: () => T,
  ): T {
    const { prepared, reads } = this.#recordReads(owner, getReadError, prepare);
    const dependencies = owner === undefined ? new Set<string>() : this.#getDependencies(owner);
    for (const { table, column } of reads) {
      if (owner === undefined || toSqlNameKey(table) !== toSqlNameKey(owner)) {
        dependencies.add(toSqlNameKey(table));
      }
      const pending = this.#pendingColumns.get(toColumnKey(table, column));
      if (pending !== undefined) {
        this.#computeNode(pending);
      }
    }
    for (const { table, column } of this.#environment.runsExpressions ? lookups : []) {
      this.#createLookupIndex(table, column);
    }
    return prepared;
  }

  #getDependencies(owner: string): Set<string> {
    const dependencies = this.#dependencies.get(toSqlNameKey(owner)) ?? new Set();
    this.#dependencies.set(toSqlNameKey(owner), dependencies);
    return dependencies;
  }

  /**
   * Prepares SQL and records the stored columns that it reads; the column is empty when rows are only counted. Custom
   * tables that do not exist yet are computed first.
   */
  #recordReads<T>(
    owner: string | undefined,
    getReadError: GetReadError,
    prepare: () => T,
  ): { prepared: T; reads: readonly { readonly table: string; readonly column: string }[] } {
    const reads: { table: string; column: string }[] = [];
    const recordRead: GetReadError = (table, column) => {
      reads.push({ table, column });
      return getReadError(table, column);
    };
    try {
      const prepared = this.#environment.runTimed(owner, () =>
        runAuthorized(this.#db, { getReadError: recordRead }, prepare),
      );
      this.#rejectBuiltInTables(reads);
      return { prepared, reads };
    } catch (error) {
      const missingTable =
        error instanceof Error ? /^no such table: (?:main\.)?(.*)$/s.exec(error.message)?.[1] : undefined;
      const table =
        missingTable === undefined ? undefined : this.#customTables.get(toSqlNameKey(missingTable));
      if (table === undefined) {
        throw error;
      }
      this.#computeNode({ table, column: undefined });
      return this.#recordReads(owner, getReadError, prepare);
    }
  }

  /** Rejects tables that SQLite itself provides: schema tables and table-valued functions. */
  #rejectBuiltInTables(reads: readonly { readonly table: string }[]): void {
    for (const { table } of reads.filter((read) => !this.#tableKeys.has(toSqlNameKey(read.table)))) {
      if (existsInDatabase(this.#db, table)) {
        throw new Error(formatUnknownTableMessage(table));
      }
    }
  }

  #createLookupIndex(table: string, column: string): void {
    const key = toColumnKey(table, column);
    if (!this.#lookupIndexKeys.has(key)) {
      this.#lookupIndexKeys.add(key);
      const name = quoteIdentifier(`dm$lookup${this.#lookupIndexKeys.size}`);
      this.#db.exec(`CREATE INDEX ${name} ON ${quoteIdentifier(table)} (${quoteIdentifier(column)})`);
    }
  }
}
