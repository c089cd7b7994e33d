import { isJsonObject, type JsonObject, type JsonValue, stringify } from '../../../base/json.ts';
import type { Write } from '../../model/operation.ts';
import { getObjects } from '../../model/readJson.ts';

/** The SQL in a saved table that still uses old names. */
export interface SavedTable {
  /** A second PATCH, sent after the payload; `undefined` if none is needed. */
  readonly write: Write | undefined;
  /**
   * Returns whether the SQL of a column is updated to the new names: the user did not change it in the save. Without a
   * column ID, the query of the table.
   */
  follows(columnId: string | undefined): boolean;
}

/**
 * Updates the SQL in a table whose save renames columns. SQL that the user changed in the same save is kept.
 * @param payload the PATCH of the save
 * @param before the current table on the server
 * @param renamed the PATCH that would rename the columns in the stored table
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
  // The payload creates columns without an oid: the second PATCH would create them again.
  const isKnown = columns.every(({ oid }) => typeof oid === 'string' && oid !== '');
  const write = isKnown && Object.keys(body).length > 0 ? { ...payload, body } : undefined;
  return { write, follows: (columnId) => isKnown && follows(columnId) };
}

const getTextIn = (expression: JsonValue | undefined): JsonValue =>
  (isJsonObject(expression) ? expression['expression'] : expression) ?? null;

const indexByOid = (columns: JsonValue | undefined): ReadonlyMap<JsonValue | undefined, JsonObject> =>
  new Map(getObjects(columns).map((column) => [column['oid'], column]));
