import { DatabaseSync, type SQLInputValue, type SQLOutputValue, type StatementSync } from 'node:sqlite';
import type { Disposable } from '../../base/disposable.ts';

/** Version of the database schema below. Files with another version cannot be read. */
const schemaVersion = 1;

const schema = `
CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
CREATE TABLE datamodel (
  position INTEGER PRIMARY KEY, oid TEXT NOT NULL UNIQUE, title TEXT NOT NULL UNIQUE, type TEXT NOT NULL,
  doc TEXT NOT NULL
) STRICT;
CREATE TABLE built_schema (
  datamodel TEXT PRIMARY KEY REFERENCES datamodel (oid) ON DELETE CASCADE, doc TEXT NOT NULL
) STRICT;
CREATE TABLE dataset (
  position INTEGER PRIMARY KEY, oid TEXT NOT NULL UNIQUE,
  datamodel TEXT NOT NULL REFERENCES datamodel (oid) ON DELETE CASCADE,
  doc TEXT NOT NULL, schema_doc TEXT NOT NULL
) STRICT;
CREATE INDEX dataset_by_datamodel ON dataset (datamodel);
CREATE TABLE model_table (
  position INTEGER PRIMARY KEY, oid TEXT NOT NULL UNIQUE,
  dataset TEXT NOT NULL REFERENCES dataset (oid) ON DELETE CASCADE, doc TEXT NOT NULL
) STRICT;
CREATE INDEX model_table_by_dataset ON model_table (dataset);
CREATE TABLE relation (
  position INTEGER PRIMARY KEY, oid TEXT NOT NULL UNIQUE,
  datamodel TEXT NOT NULL REFERENCES datamodel (oid) ON DELETE CASCADE, doc TEXT NOT NULL
) STRICT;
CREATE INDEX relation_by_datamodel ON relation (datamodel);
CREATE TABLE rule (
  position INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, kind TEXT NOT NULL, server TEXT NOT NULL,
  cube TEXT NOT NULL, table_name TEXT NOT NULL, column_name TEXT NOT NULL, doc TEXT NOT NULL
) STRICT;
CREATE INDEX rule_by_cube ON rule (kind, server, cube, table_name, column_name);
CREATE TABLE viewpoint (
  id TEXT PRIMARY KEY, name TEXT NOT NULL UNIQUE, description TEXT NOT NULL, tenant TEXT, updated_at INTEGER NOT NULL,
  doc TEXT NOT NULL, details TEXT NOT NULL, visibility TEXT NOT NULL
) STRICT;
CREATE TABLE custom_data (position INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, doc TEXT NOT NULL) STRICT;
CREATE TABLE person (id TEXT PRIMARY KEY, name TEXT NOT NULL, doc TEXT NOT NULL) STRICT;
CREATE TABLE party_group (id TEXT PRIMARY KEY, name TEXT NOT NULL, doc TEXT NOT NULL) STRICT;
CREATE TABLE group_member (
  party_group TEXT NOT NULL REFERENCES party_group (id) ON DELETE CASCADE, person TEXT NOT NULL,
  PRIMARY KEY (party_group, person)
) STRICT, WITHOUT ROWID;
CREATE INDEX group_member_by_person ON group_member (person);
`;

/** Thrown for a file that another version of the sandbox has written. */
export class DatabaseVersionError extends Error {
  override readonly name = 'DatabaseVersionError';
}

/**
 * The SQLite file with the state of a sandbox. Committed transactions survive SIGKILL and a power failure: it uses a
 * write-ahead log with `synchronous=FULL` (decisions.md, "Sandbox").
 */
export class Database implements Disposable {
  readonly #db: DatabaseSync;
  #transactionDepth = 0;

  /**
   * @param file a path, or `:memory:` for tests.
   * @throws DatabaseVersionError when the file has another version; SQLite's error when it is not a database.
   */
  constructor(file: string) {
    this.#db = new DatabaseSync(file);
    try {
      this.#db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA temp_store = MEMORY;');
      this.#createSchemaIfMissing();
    } catch (error) {
      this.#db.close();
      throw error;
    }
  }

  /** Compiles a statement. Stores compile theirs once and reuse them. */
  prepare(sql: string): Statement {
    return new Statement(this.#db.prepare(sql));
  }

  /** Runs the callback as one transaction: all writes are stored, or none. Nested calls join the outer transaction. */
  transaction<T>(callback: () => T): T {
    if (this.#transactionDepth > 0) {
      return callback();
    }
    this.#db.exec('BEGIN IMMEDIATE');
    this.#transactionDepth += 1;
    try {
      const result = callback();
      this.#db.exec('COMMIT');
      return result;
    } catch (error) {
      this.#db.exec('ROLLBACK');
      throw error;
    } finally {
      this.#transactionDepth -= 1;
    }
  }

  dispose(): void {
    if (this.#db.isOpen) {
      this.#db.close();
    }
  }

  #createSchemaIfMissing(): void {
    const version = this.#db.prepare('PRAGMA user_version').get()?.['user_version'];
    if (version === schemaVersion) {
      return;
    }
    if (version !== 0) {
      throw new DatabaseVersionError(
        `The data folder of the sandbox has format version ${String(version)}, but this version of Datamodel Studio reads version ${schemaVersion}. Update Datamodel Studio, or delete the data folder.`,
      );
    }
    this.transaction(() => this.#db.exec(`${schema}PRAGMA user_version = ${schemaVersion};`));
  }
}

/** A compiled statement that returns rows with text values by column name. */
export class Statement {
  readonly #statement: StatementSync;

  constructor(statement: StatementSync) {
    this.#statement = statement;
  }

  /** Runs a statement that writes; returns the number of affected rows. */
  run(...values: SQLInputValue[]): number {
    return Number(this.#statement.run(...values).changes);
  }

  /** Returns the first row with its values as text (empty for NULL); `undefined` if there is no row. */
  getRow(...values: SQLInputValue[]): Readonly<Record<string, string>> | undefined {
    const row = this.#statement.get(...values);
    return row === undefined ? undefined : toTexts(row);
  }

  getRows(...values: SQLInputValue[]): Readonly<Record<string, string>>[] {
    return this.#statement.all(...values).map(toTexts);
  }

  /** Returns all rows of a statement with named parameters. */
  getRowsWithParameters(values: Record<string, SQLInputValue>): Readonly<Record<string, string>>[] {
    return this.#statement.all(values).map(toTexts);
  }

  /** Returns the `doc` column of the first row; `undefined` if there is no row. */
  getDocument(...values: SQLInputValue[]): string | undefined {
    const row = this.#statement.get(...values);
    return row === undefined ? undefined : String(row['doc']);
  }

  /** Returns the `doc` column of all rows. */
  getDocuments(...values: SQLInputValue[]): string[] {
    return this.#statement.all(...values).map((row) => String(row['doc']));
  }
}

function toTexts(row: Record<string, SQLOutputValue>): Readonly<Record<string, string>> {
  const texts: Record<string, string> = {};
  for (const name of Object.keys(row)) {
    texts[name] = toText(row[name] ?? null);
  }
  return texts;
}

const toText = (value: SQLOutputValue): string =>
  value === null ? '' : typeof value === 'string' ? value : value.toString();
