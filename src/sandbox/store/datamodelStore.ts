import { type JsonObject, type JsonValue, isJsonObject, stringify } from '../../base/json.ts';
import type { DatamodelType } from '../../contract/datamodel.ts';
import { arrayText, omit, parseDocument, withMembers, textIn } from '../documents.ts';
import type { Database, Statement } from './database.ts';
import type { DatasetStore } from './datasetStore.ts';
import type { RelationStore } from './relationStore.ts';

/** What the routes and the build service need to know of a datamodel before they read the whole of it. */
export interface DatamodelHead {
  readonly oid: string;
  readonly title: string;
  readonly type: DatamodelType;
}

const childMembers = ['datasets', 'relations'] as const;

/** The datamodels, and of each the schema that was last built. Datasets and relations have stores of their own. */
export class DatamodelStore {
  readonly #database: Database;
  readonly #datasets: DatasetStore;
  readonly #relations: RelationStore;
  readonly #insert: Statement;
  readonly #update: Statement;
  readonly #delete: Statement;
  readonly #find: Statement;
  readonly #findByTitle: Statement;
  readonly #all: Statement;
  readonly #doc: Statement;
  readonly #built: Statement;
  readonly #isBuilt: Statement;
  readonly #rememberBuilt: Statement;

  constructor(database: Database, datasets: DatasetStore, relations: RelationStore) {
    this.#database = database;
    this.#datasets = datasets;
    this.#relations = relations;
    this.#insert = database.statement('INSERT INTO datamodel (oid, title, type, doc) VALUES (?, ?, ?, ?)');
    this.#update = database.statement('UPDATE datamodel SET doc = ? WHERE oid = ?');
    this.#delete = database.statement('DELETE FROM datamodel WHERE oid = ?');
    this.#find = database.statement('SELECT oid, title, type FROM datamodel WHERE oid = ?');
    this.#findByTitle = database.statement('SELECT oid, title, type FROM datamodel WHERE title = ?');
    this.#all = database.statement('SELECT oid, doc FROM datamodel ORDER BY position');
    this.#doc = database.statement('SELECT doc FROM datamodel WHERE oid = ?');
    this.#built = database.statement('SELECT doc FROM built_schema WHERE datamodel = ?');
    this.#isBuilt = database.statement('SELECT datamodel FROM built_schema WHERE datamodel = ?');
    this.#rememberBuilt = database.statement(
      'INSERT INTO built_schema (datamodel, doc) VALUES (?, ?) ON CONFLICT DO UPDATE SET doc = excluded.doc',
    );
  }

  find(oid: string): DatamodelHead | undefined {
    return asHead(this.#find.row(oid));
  }

  findByTitle(title: string): DatamodelHead | undefined {
    return asHead(this.#findByTitle.row(title));
  }

  /** The whole document as JSON text, datasets, tables and relations included; `undefined` for an unknown oid. */
  text(oid: string): string | undefined {
    const doc = this.#doc.doc(oid);
    return doc === undefined ? undefined : this.#whole(oid, doc);
  }

  /** The whole document; `undefined` for an unknown oid. */
  document(oid: string): JsonObject | undefined {
    const text = this.text(oid);
    return text === undefined ? undefined : parseDocument(text);
  }

  /** The documents as JSON texts in the order of their creation: whole, or without datasets and relations. */
  texts(parts: 'whole' | 'head'): string[] {
    return this.#all
      .rows()
      .map(({ oid = '', doc = '' }) => (parts === 'whole' ? this.#whole(oid, doc) : doc));
  }

  /** Stores a whole document with its datasets, tables and relations. */
  insert(document: JsonObject): void {
    const oid = textIn(document, 'oid');
    const type = textIn(document, 'type').toLowerCase() === 'live' ? 'live' : 'extract';
    this.#database.transaction(() => {
      this.#insert.run(oid, textIn(document, 'title'), type, stringify(omit(document, childMembers)));
      objects(document['datasets']).forEach((dataset) => this.#datasets.insert(oid, dataset));
      objects(document['relations']).forEach((relation) => this.#relations.insert(oid, relation));
    });
  }

  /** Sets root members; `oid`, `title` and `type` cannot change ("The Datamodel has no editable fields", spec). */
  update(oid: string, members: JsonObject): void {
    const doc = this.#doc.doc(oid);
    if (doc !== undefined) {
      this.#update.run(stringify({ ...parseDocument(doc), ...members }), oid);
    }
  }

  /** Removes the datamodel with all it holds. */
  delete(oid: string): void {
    this.#delete.run(oid);
  }

  /** The schema of the last successful build (spec, `schemaOrigin` running); `undefined` before the first. */
  builtSchema(oid: string): JsonObject | undefined {
    const doc = this.#built.doc(oid);
    return doc === undefined ? undefined : parseDocument(doc);
  }

  /** When its schema was last changed, as its document says. */
  lastUpdated(oid: string): string | undefined {
    const doc = this.#doc.doc(oid);
    return doc === undefined ? undefined : textIn(parseDocument(doc), 'lastUpdated');
  }

  /** Whether it was ever built, or published. */
  isBuilt(oid: string): boolean {
    return this.#isBuilt.row(oid) !== undefined;
  }

  rememberBuilt(oid: string, document: JsonObject): void {
    this.#rememberBuilt.run(oid, stringify(document));
  }

  #whole(oid: string, doc: string): string {
    return withMembers(doc, {
      datasets: arrayText(this.#datasets.texts(oid)),
      relations: arrayText(this.#relations.texts(oid)),
    });
  }
}

const objects = (value: JsonValue | undefined): readonly JsonObject[] =>
  Array.isArray(value) ? value.filter(isJsonObject) : [];

function asHead(row: Readonly<Record<string, string>> | undefined): DatamodelHead | undefined {
  if (row === undefined) {
    return undefined;
  }
  const { oid = '', title = '', type } = row;
  return { oid, title, type: type === 'live' ? 'live' : 'extract' };
}
