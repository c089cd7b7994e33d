import { isJsonObject, type JsonObject, type JsonValue, stringify } from '../../../base/json.ts';
import type { Write } from '../../model/operation.ts';
import { getObjects } from '../../model/readJson.ts';

/** The SQL of a saved table that uses old names. */
export interface SavedTable {
  /** A second PATCH after the payload; `undefined` if the SQL needs none. */
  readonly write: Write | undefined;
  /**
   * Returns whether the SQL of a column, or the query of the table, is unchanged on the server, so that it is updated
   * too.
   */
  follows(columnId: string | undefined): boolean;
}

/**
 * Updates the SQL within a table whose save renames columns. SQL that the user changed in the same save is kept; the
 * rest is updated.
 * @param payload the PATCH as it was saved
 * @param before the table as the server has it
 * @param renamed the PATCH that a rename of the stored table would be
 */
export function renameSavedTable(payload: Write, before: JsonObject, renamed: Write | undefined): SavedTable {
  const [sent, wanted] = [payload.body, renamed?.body].map((body) => (isJsonObject(body) ? body : {}));
  const columns = getObjects(sent?.['columns'] ?? before['columns']);
  const stored = indexByOid(before['columns']);
  const isSame = (a: JsonValue | undefined, b: JsonValue | undefined): boolean =>
    stringify(getTextIn(a)) === stringify(getTextIn(b));
  const follows = (columnId: string | undefined): boolean => {
    if (columnId === undefined) {
      return sent?.['expression'] === undefined || isSame(sent['expression'], before['expression']);
    }
    const column = columns.find(({ oid }) => oid === columnId);
    return column !== undefined && isSame(column['expression'], stored.get(columnId)?.['expression']);
  };
  const news = indexByOid(wanted?.['columns']);
  const changed = columns.map((column) => {
    const id = typeof column['oid'] === 'string' ? column['oid'] : '';
    const expression = news.get(id)?.['expression'];
    const isFollowing = expression !== undefined && follows(id) && !isSame(expression, column['expression']);
    return isFollowing ? { ...column, expression } : column;
  });
  const body = {
    ...(stringify(changed) === stringify(columns) ? {} : { columns: changed }),
    ...(wanted?.['expression'] !== undefined && follows(undefined)
      ? { expression: wanted['expression'] }
      : {}),
  };
  // A column without an oid would be created a second time.
  const isKnown = columns.every(({ oid }) => typeof oid === 'string' && oid !== '');
  const write = isKnown && Object.keys(body).length > 0 ? { ...payload, body } : undefined;
  return { write, follows: (columnId) => isKnown && follows(columnId) };
}

const getTextIn = (expression: JsonValue | undefined): JsonValue =>
  (isJsonObject(expression) ? expression['expression'] : expression) ?? null;

const indexByOid = (columns: JsonValue | undefined): ReadonlyMap<JsonValue | undefined, JsonObject> =>
  new Map(getObjects(columns).map((column) => [column['oid'], column]));
