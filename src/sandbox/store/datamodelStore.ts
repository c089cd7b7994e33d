import { type JsonObject, type JsonValue, isJsonObject, stringify } from '../../base/json.ts';
import type { DatamodelType } from '../../contract/datamodel.ts';
import {
  joinAsArray,
  omitDocumentMembers,
  parseDocument,
  appendMembers,
  getTextMember,
} from '../documents.ts';
import type { Database, Statement } from './database.ts';
import type { DatasetStore } from './datasetStore.ts';
import type { RelationStore } from './relationStore.ts';

/** The main properties of a datamodel, which can be read without parsing its document. */
export interface DatamodelSummary {
  readonly oid: string;
  readonly title: string;
  readonly type: DatamodelType;
}

const childMembers = ['datasets', 'relations'] as const;

/** The datamodels, each with its last built schema. Datasets and relations are in their own stores. */
export class DatamodelStore {
  readonly #database: Database;
  readonly #datasets: DatasetStore;
  readonly #relations: RelationStore;
  readonly #insert: Statement;
  readonly #update: Statement;
  readonly #delete: Statement;
  readonly #find: Statement;
  readonly #findByTitle: Statement;
  readonly #listAll: Statement;
  readonly #getDocument: Statement;
  readonly #getBuiltSchema: Statement;
  readonly #isBuilt: Statement;
  readonly #setBuiltSchema: Statement;

  constructor(database: Database, datasets: DatasetStore, relations: RelationStore) {
    this.#database = database;
    this.#datasets = datasets;
    this.#relations = relations;
    this.#insert = database.prepare('INSERT INTO datamodel (oid, title, type, doc) VALUES (?, ?, ?, ?)');
    this.#update = database.prepare('UPDATE datamodel SET doc = ? WHERE oid = ?');
    this.#delete = database.prepare('DELETE FROM datamodel WHERE oid = ?');
    this.#find = database.prepare('SELECT oid, title, type FROM datamodel WHERE oid = ?');
    this.#findByTitle = database.prepare('SELECT oid, title, type FROM datamodel WHERE title = ?');
    this.#listAll = database.prepare('SELECT oid, doc FROM datamodel ORDER BY position');
    this.#getDocument = database.prepare('SELECT doc FROM datamodel WHERE oid = ?');
    this.#getBuiltSchema = database.prepare('SELECT doc FROM built_schema WHERE datamodel = ?');
    this.#isBuilt = database.prepare('SELECT datamodel FROM built_schema WHERE datamodel = ?');
    this.#setBuiltSchema = database.prepare(
      'INSERT INTO built_schema (datamodel, doc) VALUES (?, ?) ON CONFLICT DO UPDATE SET doc = excluded.doc',
    );
  }

  find(oid: string): DatamodelSummary | undefined {
    return toSummary(this.#find.getRow(oid));
  }

  findByTitle(title: string): DatamodelSummary | undefined {
    return toSummary(this.#findByTitle.getRow(title));
  }

  /** Returns the complete document as JSON text, datasets and relations included; `undefined` for an unknown oid. */
  getText(oid: string): string | undefined {
    const doc = this.#getDocument.getDocument(oid);
    return doc === undefined ? undefined : this.#assembleText(oid, doc);
  }

  /** Returns the complete document; `undefined` for an unknown oid. */
  getDocument(oid: string): JsonObject | undefined {
    const text = this.getText(oid);
    return text === undefined ? undefined : parseDocument(text);
  }

  /** Returns the documents as JSON texts in order of creation: complete, or without datasets and relations. */
  getTexts(detail: 'complete' | 'withoutChildren'): string[] {
    return this.#listAll
      .getRows()
      .map(({ oid = '', doc = '' }) => (detail === 'complete' ? this.#assembleText(oid, doc) : doc));
  }

  /** Stores a complete document with its datasets, tables and relations. */
  insert(document: JsonObject): void {
    const oid = getTextMember(document, 'oid');
    const type = getTextMember(document, 'type').toLowerCase() === 'live' ? 'live' : 'extract';
    this.#database.transaction(() => {
      this.#insert.run(
        oid,
        getTextMember(document, 'title'),
        type,
        stringify(omitDocumentMembers(document, childMembers)),
      );
      toObjects(document['datasets']).forEach((dataset) => this.#datasets.insert(oid, dataset));
      toObjects(document['relations']).forEach((relation) => this.#relations.insert(oid, relation));
    });
  }

  /**
   * Sets root members, except `oid`, `title` and `type`, which never change (rest-api.md, "Datamodel").
   */
  update(oid: string, members: JsonObject): void {
    const doc = this.#getDocument.getDocument(oid);
    if (doc !== undefined) {
      this.#update.run(stringify({ ...parseDocument(doc), ...members }), oid);
    }
  }

  /** Deletes a datamodel with its datasets, tables, relations and built schema. */
  delete(oid: string): void {
    this.#delete.run(oid);
  }

  /** Returns the schema of the last successful build (rest-api.md, "POST /builds body"), if there is one. */
  getBuiltSchema(oid: string): JsonObject | undefined {
    const doc = this.#getBuiltSchema.getDocument(oid);
    return doc === undefined ? undefined : parseDocument(doc);
  }

  /** Returns the time of the last schema change, from the datamodel's document; `undefined` for an unknown oid. */
  getLastUpdated(oid: string): string | undefined {
    const doc = this.#getDocument.getDocument(oid);
    return doc === undefined ? undefined : getTextMember(parseDocument(doc), 'lastUpdated');
  }

  /** Returns true if the datamodel was built or published at least once. */
  isBuilt(oid: string): boolean {
    return this.#isBuilt.getRow(oid) !== undefined;
  }

  setBuiltSchema(oid: string, document: JsonObject): void {
    this.#setBuiltSchema.run(oid, stringify(document));
  }

  #assembleText(oid: string, doc: string): string {
    return appendMembers(doc, {
      datasets: joinAsArray(this.#datasets.getTexts(oid)),
      relations: joinAsArray(this.#relations.getTexts(oid)),
    });
  }
}

const toObjects = (value: JsonValue | undefined): readonly JsonObject[] =>
  Array.isArray(value) ? value.filter(isJsonObject) : [];

function toSummary(row: Readonly<Record<string, string>> | undefined): DatamodelSummary | undefined {
  if (row === undefined) {
    return undefined;
  }
  const { oid = '', title = '', type } = row;
  return { oid, title, type: type === 'live' ? 'live' : 'extract' };
}
