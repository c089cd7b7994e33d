import { type JsonObject, stringify } from '../../base/json.ts';
import { getTextMember } from '../documents.ts';
import type { Database, Statement } from './database.ts';

/** The relations of all datamodels. */
export class RelationStore {
  readonly #insert: Statement;
  readonly #update: Statement;
  readonly #delete: Statement;
  readonly #find: Statement;
  readonly #list: Statement;

  constructor(database: Database) {
    this.#insert = database.prepare('INSERT INTO relation (oid, datamodel, doc) VALUES (?, ?, ?)');
    this.#update = database.prepare('UPDATE relation SET doc = ? WHERE oid = ?');
    this.#delete = database.prepare('DELETE FROM relation WHERE oid = ?');
    this.#find = database.prepare('SELECT doc FROM relation WHERE datamodel = ? AND oid = ?');
    this.#list = database.prepare('SELECT doc FROM relation WHERE datamodel = ? ORDER BY position');
  }

  /** Returns the relations of a datamodel as JSON texts in order of creation. */
  getTexts(datamodelOid: string): string[] {
    return this.#list.getDocuments(datamodelOid);
  }

  getText(datamodelOid: string, oid: string): string | undefined {
    return this.#find.getDocument(datamodelOid, oid);
  }

  insert(datamodelOid: string, document: JsonObject): void {
    this.#insert.run(getTextMember(document, 'oid'), datamodelOid, stringify(document));
  }

  update(document: JsonObject): void {
    this.#update.run(stringify(document), getTextMember(document, 'oid'));
  }

  delete(oid: string): void {
    this.#delete.run(oid);
  }
}
