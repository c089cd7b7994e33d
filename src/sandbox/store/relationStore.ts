import { type JsonObject, stringify } from '../../base/json.ts';
import { textIn } from '../documents.ts';
import type { Database, Statement } from './database.ts';

/** The relations of all datamodels. */
export class RelationStore {
  readonly #insert: Statement;
  readonly #update: Statement;
  readonly #delete: Statement;
  readonly #find: Statement;
  readonly #list: Statement;

  constructor(database: Database) {
    this.#insert = database.statement('INSERT INTO relation (oid, datamodel, doc) VALUES (?, ?, ?)');
    this.#update = database.statement('UPDATE relation SET doc = ? WHERE oid = ?');
    this.#delete = database.statement('DELETE FROM relation WHERE oid = ?');
    this.#find = database.statement('SELECT doc FROM relation WHERE datamodel = ? AND oid = ?');
    this.#list = database.statement('SELECT doc FROM relation WHERE datamodel = ? ORDER BY position');
  }

  /** The relations of a datamodel as JSON texts in the order of their creation. */
  texts(datamodel: string): string[] {
    return this.#list.docs(datamodel);
  }

  text(datamodel: string, oid: string): string | undefined {
    return this.#find.doc(datamodel, oid);
  }

  insert(datamodel: string, document: JsonObject): void {
    this.#insert.run(textIn(document, 'oid'), datamodel, stringify(document));
  }

  update(document: JsonObject): void {
    this.#update.run(stringify(document), textIn(document, 'oid'));
  }

  delete(oid: string): void {
    this.#delete.run(oid);
  }
}
