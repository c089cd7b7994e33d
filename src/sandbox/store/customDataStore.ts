import { type JsonObject, stringify } from '../../base/json.ts';
import { getTextMember } from '../documents.ts';
import type { Database, Statement } from './database.ts';

/** A stored custom data object: its `_id` and its JSON text. */
export interface StoredObject {
  readonly id: string;
  readonly text: string;
}

/** The custom data objects, shared by all users (rest-api.md, "Custom data API"), in order of creation. */
export class CustomDataStore {
  readonly #insert: Statement;
  readonly #update: Statement;
  readonly #delete: Statement;
  readonly #find: Statement;
  readonly #getAll: Statement;

  constructor(database: Database) {
    this.#insert = database.prepare('INSERT INTO custom_data (id, doc) VALUES (?, ?)');
    this.#update = database.prepare('UPDATE custom_data SET doc = ? WHERE id = ?');
    this.#delete = database.prepare('DELETE FROM custom_data WHERE id = ?');
    this.#find = database.prepare('SELECT doc FROM custom_data WHERE id = ?');
    this.#getAll = database.prepare('SELECT id, doc FROM custom_data ORDER BY position');
  }

  getAll(): StoredObject[] {
    return this.#getAll.getRows().map(({ id = '', doc = '{}' }) => ({ id, text: doc }));
  }

  find(id: string): StoredObject | undefined {
    const text = this.#find.getDocument(id);
    return text === undefined ? undefined : { id, text };
  }

  has(id: string): boolean {
    return this.#find.getDocument(id) !== undefined;
  }

  insert(object: JsonObject): void {
    this.#insert.run(getTextMember(object, '_id'), stringify(object));
  }

  update(id: string, object: JsonObject): void {
    this.#update.run(stringify(object), id);
  }

  delete(id: string): void {
    this.#delete.run(id);
  }
}
