import { type JsonObject, stringify } from '../../base/json.ts';
import { parseDocument, textIn } from '../documents.ts';
import type { Database, Statement } from './database.ts';

/** Where a column is: the oids of what holds it, and its own. */
export interface ColumnAddress {
  readonly dataset: string;
  readonly table: string;
  readonly column: string;
}

/** The tables of all datasets, each with its columns embedded (spec, "Column"). */
export class TableStore {
  readonly #insert: Statement;
  readonly #update: Statement;
  readonly #delete: Statement;
  readonly #find: Statement;
  readonly #list: Statement;
  readonly #findInModel: Statement;
  readonly #hasColumn: Statement;

  constructor(database: Database) {
    this.#insert = database.statement('INSERT INTO model_table (oid, dataset, doc) VALUES (?, ?, ?)');
    this.#update = database.statement('UPDATE model_table SET doc = ? WHERE oid = ?');
    this.#delete = database.statement('DELETE FROM model_table WHERE oid = ?');
    this.#find = database.statement('SELECT doc FROM model_table WHERE dataset = ? AND oid = ?');
    this.#list = database.statement('SELECT doc FROM model_table WHERE dataset = ? ORDER BY position');
    this.#findInModel = database.statement(
      'SELECT t.doc FROM model_table t JOIN dataset d ON d.oid = t.dataset WHERE d.datamodel = ? AND t.oid = ?',
    );
    this.#hasColumn = database.statement(`
      SELECT 1 AS found FROM model_table t JOIN dataset d ON d.oid = t.dataset, json_each(t.doc, '$.columns') c
      WHERE d.datamodel = ? AND d.oid = ? AND t.oid = ? AND c.value ->> '$.oid' = ?`);
  }

  /** The tables of a dataset as JSON texts in the order of their creation. */
  texts(dataset: string): string[] {
    return this.#list.docs(dataset);
  }

  text(dataset: string, oid: string): string | undefined {
    return this.#find.doc(dataset, oid);
  }

  /** A table of a datamodel, whichever dataset holds it. */
  documentInModel(datamodel: string, oid: string): JsonObject | undefined {
    const text = this.#findInModel.doc(datamodel, oid);
    return text === undefined ? undefined : parseDocument(text);
  }

  insert(dataset: string, document: JsonObject): void {
    this.#insert.run(textIn(document, 'oid'), dataset, stringify(document));
  }

  update(document: JsonObject): void {
    this.#update.run(stringify(document), textIn(document, 'oid'));
  }

  delete(oid: string): void {
    this.#delete.run(oid);
  }

  /** Whether the datamodel has this column just there. */
  hasColumn(datamodel: string, { dataset, table, column }: ColumnAddress): boolean {
    return this.#hasColumn.row(datamodel, dataset, table, column) !== undefined;
  }
}
