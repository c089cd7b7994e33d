import { type JsonObject, isJsonObject, stringify } from '../../base/json.ts';
import {
  joinAsArray,
  omitDocumentMembers,
  parseDocument,
  appendMembers,
  getTextMember,
} from '../documents.ts';
import type { Database, Statement } from './database.ts';
import type { TableStore } from './tableStore.ts';

/**
 * The datasets of all datamodels. The API returns a dataset's tables in `schema.tables` (platform-facts.md, 2.2); they
 * are stored separately, so that a single table can be read and written.
 */
export class DatasetStore {
  readonly #tables: TableStore;
  readonly #insert: Statement;
  readonly #update: Statement;
  readonly #delete: Statement;
  readonly #find: Statement;
  readonly #has: Statement;
  readonly #list: Statement;

  constructor(database: Database, tables: TableStore) {
    this.#tables = tables;
    this.#insert = database.prepare(
      'INSERT INTO dataset (oid, datamodel, doc, schema_doc) VALUES (?, ?, ?, ?)',
    );
    this.#update = database.prepare('UPDATE dataset SET doc = ? WHERE oid = ?');
    this.#delete = database.prepare('DELETE FROM dataset WHERE oid = ?');
    this.#find = database.prepare('SELECT oid, doc, schema_doc FROM dataset WHERE datamodel = ? AND oid = ?');
    this.#has = database.prepare('SELECT 1 AS found FROM dataset WHERE datamodel = ? AND oid = ?');
    this.#list = database.prepare(
      'SELECT oid, doc, schema_doc FROM dataset WHERE datamodel = ? ORDER BY position',
    );
  }

  /** Returns the datasets of a datamodel with their tables, as JSON texts in order of creation. */
  getTexts(datamodelOid: string): string[] {
    return this.#list.getRows(datamodelOid).map((row) => this.#assembleText(row));
  }

  /** Returns a dataset with its tables as JSON text; `undefined` if the datamodel has no such dataset. */
  getText(datamodelOid: string, oid: string): string | undefined {
    const row = this.#find.getRow(datamodelOid, oid);
    return row === undefined ? undefined : this.#assembleText(row);
  }

  has(datamodelOid: string, oid: string): boolean {
    return this.#has.getRow(datamodelOid, oid) !== undefined;
  }

  /** Returns a dataset without its `schema`; `undefined` if the datamodel has no such dataset. */
  getWithoutTables(datamodelOid: string, oid: string): JsonObject | undefined {
    const doc = this.#find.getRow(datamodelOid, oid)?.['doc'];
    return doc === undefined ? undefined : parseDocument(doc);
  }

  /** Returns all datasets of a datamodel without their `schema`. */
  listWithoutTables(datamodelOid: string): JsonObject[] {
    return this.#list.getRows(datamodelOid).map(({ doc = '{}' }) => parseDocument(doc));
  }

  /** Stores a dataset with the tables in its `schema`. */
  insert(datamodelOid: string, document: JsonObject): void {
    const oid = getTextMember(document, 'oid');
    const schema = isJsonObject(document['schema']) ? document['schema'] : {};
    const datasetText = stringify(omitDocumentMembers(document, ['schema']));
    this.#insert.run(oid, datamodelOid, datasetText, stringify(omitDocumentMembers(schema, ['tables'])));
    const tables = Array.isArray(schema['tables']) ? schema['tables'].filter(isJsonObject) : [];
    for (const table of tables) {
      this.#tables.insert(oid, table);
    }
  }

  /** Replaces the document of a dataset, except its `schema` with the tables. */
  update(document: JsonObject): void {
    this.#update.run(stringify(omitDocumentMembers(document, ['schema'])), getTextMember(document, 'oid'));
  }

  /** Deletes a dataset and its tables (rest-api.md, "Datamodel API"). */
  delete(oid: string): void {
    this.#delete.run(oid);
  }

  #assembleText({
    oid = '',
    doc = '{}',
    schema_doc: schema = '{}',
  }: Readonly<Record<string, string>>): string {
    return appendMembers(doc, {
      schema: appendMembers(schema, { tables: joinAsArray(this.#tables.getTexts(oid)) }),
    });
  }
}
