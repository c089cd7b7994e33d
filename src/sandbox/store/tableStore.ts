import { type JsonObject, stringify } from '../../base/json.ts';
import { parseDocument, getTextMember } from '../documents.ts';
import type { Database, Statement } from './database.ts';

/** The oids of a column and of the table and dataset that contain it. */
export interface ColumnAddress {
  readonly dataset: string;
  readonly table: string;
  readonly column: string;
}

/** The oids of a table and of the dataset and datamodel that contain it. */
export interface TableAddress {
  readonly datamodel: string;
  readonly dataset: string;
  readonly table: string;
}

/** The tables of all datasets, each with its columns embedded (rest-api.md, "Column"). */
export class TableStore {
  readonly #insert: Statement;
  readonly #update: Statement;
  readonly #delete: Statement;
  readonly #find: Statement;
  readonly #list: Statement;
  readonly #findInModel: Statement;
  readonly #hasColumn: Statement;

  constructor(database: Database) {
    this.#insert = database.prepare('INSERT INTO model_table (oid, dataset, doc) VALUES (?, ?, ?)');
    this.#update = database.prepare('UPDATE model_table SET doc = ? WHERE oid = ?');
    this.#delete = database.prepare('DELETE FROM model_table WHERE oid = ?');
    this.#find = database.prepare(
      'SELECT t.doc FROM model_table t JOIN dataset d ON d.oid = t.dataset WHERE d.datamodel = ? AND d.oid = ? AND t.oid = ?',
    );
    this.#list = database.prepare('SELECT doc FROM model_table WHERE dataset = ? ORDER BY position');
    this.#findInModel = database.prepare(
      'SELECT t.doc FROM model_table t JOIN dataset d ON d.oid = t.dataset WHERE d.datamodel = ? AND t.oid = ?',
    );
    this.#hasColumn = database.prepare(`
      SELECT 1 AS found FROM model_table t JOIN dataset d ON d.oid = t.dataset, json_each(t.doc, '$.columns') c
      WHERE d.datamodel = ? AND d.oid = ? AND t.oid = ? AND c.value ->> '$.oid' = ?`);
  }

  /** Returns the tables of a dataset as JSON texts in order of creation. */
  getTexts(datasetOid: string): string[] {
    return this.#list.getDocuments(datasetOid);
  }

  /** Returns a table as JSON text; `undefined` if it is not in exactly this dataset and datamodel. */
  getText({ datamodel, dataset, table }: TableAddress): string | undefined {
    return this.#find.getDocument(datamodel, dataset, table);
  }

  /** Finds a table in any dataset of a datamodel; `undefined` if it has no such table. */
  getDocumentInModel(datamodelOid: string, oid: string): JsonObject | undefined {
    const text = this.#findInModel.getDocument(datamodelOid, oid);
    return text === undefined ? undefined : parseDocument(text);
  }

  insert(datasetOid: string, document: JsonObject): void {
    this.#insert.run(getTextMember(document, 'oid'), datasetOid, stringify(document));
  }

  update(document: JsonObject): void {
    this.#update.run(stringify(document), getTextMember(document, 'oid'));
  }

  delete(oid: string): void {
    this.#delete.run(oid);
  }

  /** Returns true if the datamodel has this column in exactly this dataset and table. */
  hasColumn(datamodelOid: string, { dataset, table, column }: ColumnAddress): boolean {
    return this.#hasColumn.getRow(datamodelOid, dataset, table, column) !== undefined;
  }
}
