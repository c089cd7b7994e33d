import { type JsonObject, isJsonObject, stringify } from '../../base/json.ts';
import { omitDocumentMembers, parseDocument, appendMembers, getTextMember } from '../documents.ts';
import type { Database, Statement } from './database.ts';

/**
 * The conditions of a viewpoint search that the database evaluates. Partial matches are case-sensitive
 * (rest-api.md, "ViewpointSearch").
 */
export interface ViewpointStoreQuery {
  readonly tenant?: string | undefined;
  readonly id?: string | undefined;
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  /** Matches a part of the name or description. */
  readonly text?: string | undefined;
  /** Matches viewpoints updated after this time, in milliseconds since the epoch. */
  readonly updatedAfter?: number | undefined;
  /** Matches viewpoints updated before this time, in milliseconds since the epoch. */
  readonly updatedBefore?: number | undefined;
}

/** The parts of a viewpoint that a list includes only on request (rest-api.md, "GET /infusion/viewpoints"). */
export type ViewpointPart = 'details' | 'visibility';
export const viewpointParts: readonly ViewpointPart[] = ['details', 'visibility'];

/** The JSON texts of a stored viewpoint: its parts, and `doc` with all other properties. */
export interface ViewpointRow {
  readonly doc: string;
  readonly details: string;
  readonly visibility: string;
}

const emptyParts: JsonObject = { details: {}, visibility: {} };

const queryCondition = `
  (:tenant IS NULL OR tenant = :tenant) AND (:id IS NULL OR id = :id)
  AND (:name IS NULL OR instr(name, :name) > 0)
  AND (:description IS NULL OR instr(description, :description) > 0)
  AND (:text IS NULL OR instr(name, :text) > 0 OR instr(description, :text) > 0)
  AND (:after IS NULL OR updated_at > :after) AND (:before IS NULL OR updated_at < :before)`;

/** The viewpoints, ordered by id (rest-api.md, "GET /infusion/viewpoints"). */
export class ViewpointStore {
  readonly #write: Statement;
  readonly #delete: Statement;
  readonly #find: Statement;
  readonly #findByName: Statement;
  readonly #findPage: Statement;
  readonly #count: Statement;

  constructor(database: Database) {
    this.#write = database.prepare(`
      INSERT INTO viewpoint (id, name, description, tenant, updated_at, doc, details, visibility)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET
        name = excluded.name, description = excluded.description, tenant = excluded.tenant,
        updated_at = excluded.updated_at, doc = excluded.doc, details = excluded.details,
        visibility = excluded.visibility`);
    this.#delete = database.prepare('DELETE FROM viewpoint WHERE id = ?');
    this.#find = database.prepare(
      'SELECT doc, details, visibility FROM viewpoint WHERE id = :id AND (:tenant IS NULL OR tenant = :tenant)',
    );
    this.#findByName = database.prepare('SELECT id FROM viewpoint WHERE name = ?');
    this.#findPage = database.prepare(
      `SELECT doc, details, visibility FROM viewpoint WHERE ${queryCondition} ORDER BY id LIMIT :limit OFFSET :offset`,
    );
    this.#count = database.prepare(`SELECT count(*) AS total FROM viewpoint WHERE ${queryCondition}`);
  }

  /** Returns a page of the matching viewpoints; without `limit`, all of them from `offset`. */
  findPage(
    query: ViewpointStoreQuery,
    page: { readonly offset: number; readonly limit?: number },
  ): ViewpointRow[] {
    const parameters = { ...toParameters(query), ':offset': page.offset, ':limit': page.limit ?? -1 };
    return this.#findPage.getRowsWithParameters(parameters).map(toRow);
  }

  count(query: ViewpointStoreQuery): number {
    return Number(this.#count.getRowsWithParameters(toParameters(query))[0]?.['total'] ?? 0);
  }

  /** Returns a complete viewpoint; `undefined` if it is unknown or belongs to another tenant. */
  getDocument(id: string, tenant: string | undefined): JsonObject | undefined {
    const row = this.#find.getRowsWithParameters({ ':id': id, ':tenant': tenant ?? null })[0];
    return row === undefined ? undefined : parseDocument(formatViewpoint(toRow(row), viewpointParts));
  }

  /** Returns the id of a viewpoint with this name; `undefined` if there is none. */
  findIdByName(name: string): string | undefined {
    return this.#findByName.getRow(name)?.['id'];
  }

  /** Inserts or replaces a complete viewpoint. */
  write(viewpoint: JsonObject): void {
    const { tenantId, details, visibility } = { ...emptyParts, ...viewpoint };
    this.#write.run(
      getTextMember(viewpoint, 'id'),
      getTextMember(viewpoint, 'name'),
      getTextMember(viewpoint, 'description'),
      typeof tenantId === 'string' ? tenantId : null,
      Date.parse(getTextMember(viewpoint, 'updatedAt')) || 0,
      stringify(omitDocumentMembers(viewpoint, viewpointParts)),
      stringify(details),
      stringify(isJsonObject(visibility) ? visibility : {}),
    );
  }

  /** Deletes a viewpoint; returns true if it existed. */
  delete(id: string): boolean {
    return this.#delete.run(id) > 0;
  }
}

/** Formats a viewpoint with the given parts as JSON text. */
export function formatViewpoint(row: ViewpointRow, parts: readonly ViewpointPart[]): string {
  return appendMembers(row.doc, Object.fromEntries(parts.map((part) => [part, row[part]])));
}

const toParameters = (query: ViewpointStoreQuery): Record<string, string | number | null> => ({
  ':tenant': query.tenant ?? null,
  ':id': query.id ?? null,
  ':name': query.name ?? null,
  ':description': query.description ?? null,
  ':text': query.text ?? null,
  ':after': query.updatedAfter ?? null,
  ':before': query.updatedBefore ?? null,
});

const toRow = ({
  doc = '{}',
  details = '{}',
  visibility = '{}',
}: Readonly<Record<string, string>>): ViewpointRow => ({
  doc,
  details,
  visibility,
});
