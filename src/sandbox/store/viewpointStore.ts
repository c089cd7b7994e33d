import { type JsonObject, isJsonObject, stringify } from '../../base/json.ts';
import { omitDocumentMembers, parseDocument, appendMembers, getTextMember } from '../documents.ts';
import type { Database, Statement } from './database.ts';

/**
 * The conditions that narrow a list of viewpoints inside the database. Partial matches are case sensitive
 * (rest-api.md, "ViewpointSearch").
 */
export interface ViewpointStoreQuery {
  readonly tenant?: string | undefined;
  readonly id?: string | undefined;
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  /** Partial match in name or description. */
  readonly text?: string | undefined;
  /** Milliseconds since the epoch; the update is later than this. */
  readonly updatedAfter?: number | undefined;
  /** Milliseconds since the epoch; the update is earlier than this. */
  readonly updatedBefore?: number | undefined;
}

/** The structures that a list includes only on request (rest-api.md, "GET /infusion/viewpoints"). */
export type ViewpointPart = 'details' | 'visibility';
export const viewpointParts: readonly ViewpointPart[] = ['details', 'visibility'];

/** One stored viewpoint, with its parts separate. */
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

  /** A page of the viewpoints that match. Without `limit`, all of them. */
  findPage(
    query: ViewpointStoreQuery,
    page: { readonly offset: number; readonly limit?: number },
  ): ViewpointRow[] {
    const parameters = { ...toParameters(query), ':offset': page.offset, ':limit': page.limit ?? -1 };
    return this.#findPage.getRowsByName(parameters).map(toRow);
  }

  count(query: ViewpointStoreQuery): number {
    return Number(this.#count.getRowsByName(toParameters(query))[0]?.['total'] ?? 0);
  }

  /** The whole viewpoint, with details and visibility; `undefined` when it is unknown or of another tenant. */
  getDocument(id: string, tenant: string | undefined): JsonObject | undefined {
    const row = this.#find.getRowsByName({ ':id': id, ':tenant': tenant ?? null })[0];
    return row === undefined ? undefined : parseDocument(formatViewpoint(toRow(row), viewpointParts));
  }

  /** The id of the viewpoint that has this name. */
  findIdByName(name: string): string | undefined {
    return this.#findByName.getRow(name)?.['id'];
  }

  /** Stores a whole viewpoint, new or existing. */
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

  /** Removes a viewpoint; returns true if it existed. */
  delete(id: string): boolean {
    return this.#delete.run(id) > 0;
  }
}

/** The JSON text of a viewpoint with some of its parts. */
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
