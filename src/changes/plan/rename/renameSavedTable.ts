import { isJsonObject, type JsonObject, type JsonValue, stringify } from '../../../base/json.ts';
import type { Write } from '../../model/operation.ts';
import { getObjects } from '../../model/jsonMembers.ts';

/** The update of the SQL in a saved table that still uses old names. */
export interface SavedTableUpdate {
  /** A second PATCH, sent after the payload; `undefined` if none is needed. */
  readonly write: Write | undefined;
  /**
   * Returns whether old names in the SQL of a column, or without a column ID in the query of the table, are updated:
   * only if the user did not change that SQL in the save, and if the save adds no columns.
   */
  updatesSql(columnId: string | undefined): boolean;
}

/**
 * Updates the SQL in a table whose save renames columns. SQL that the user changed in the same save is kept.
 * @param payload the PATCH of the save
 * @param before the current table on the server
 * @param renamePatch the PATCH that would rename the columns in the stored table
 */
export function renameSavedTable(
  payload: Write,
  before: JsonObject,
  renamePatch: Write | undefined,
): SavedTableUpdate {
  const [savedBody, renamedBody] = [payload.body, renamePatch?.body].map((body) =>
    isJsonObject(body) ? body : {},
  );
  const columns = getObjects(savedBody?.['columns'] ?? before['columns']);
  const storedColumns = indexByOid(before['columns']);
  const isSame = (a: JsonValue | undefined, b: JsonValue | undefined): boolean =>
    stringify(getSqlText(a)) === stringify(getSqlText(b));
  const isSqlUnchanged = (columnId: string | undefined): boolean => {
    if (columnId === undefined) {
      return savedBody?.['expression'] === undefined || isSame(savedBody['expression'], before['expression']);
    }
    const column = columns.find(({ oid }) => oid === columnId);
    return column !== undefined && isSame(column['expression'], storedColumns.get(columnId)?.['expression']);
  };
  const renamedColumns = indexByOid(renamedBody?.['columns']);
  const changed = columns.map((column) => {
    const id = typeof column['oid'] === 'string' ? column['oid'] : '';
    const expression = renamedColumns.get(id)?.['expression'];
    const needsUpdate =
      expression !== undefined && isSqlUnchanged(id) && !isSame(expression, column['expression']);
    return needsUpdate ? { ...column, expression } : column;
  });
  const body = {
    ...(stringify(changed) === stringify(columns) ? {} : { columns: changed }),
    ...(renamedBody?.['expression'] !== undefined && isSqlUnchanged(undefined)
      ? { expression: renamedBody['expression'] }
      : {}),
  };
  // The payload creates columns without an oid: the second PATCH would create them again.
  const hasAllOids = columns.every(({ oid }) => typeof oid === 'string' && oid !== '');
  const write = hasAllOids && Object.keys(body).length > 0 ? { ...payload, body } : undefined;
  return { write, updatesSql: (columnId) => hasAllOids && isSqlUnchanged(columnId) };
}

const getSqlText = (expression: JsonValue | undefined): JsonValue =>
  (isJsonObject(expression) ? expression['expression'] : expression) ?? null;

const indexByOid = (columns: JsonValue | undefined): ReadonlyMap<JsonValue | undefined, JsonObject> =>
  new Map(getObjects(columns).map((column) => [column['oid'], column]));
