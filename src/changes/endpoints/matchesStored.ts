import { jsonEquals } from '../../base/canonicalJson.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import { isServerManagedField } from '../../contract/serverManagedFields.ts';
import { serverConnectionFields } from '../../contract/datamodel.ts';
import { getExpressionText } from '../../contract/table.ts';
import { asObject, getObjects, isEmpty } from '../model/jsonMembers.ts';
import { mask } from '../../base/secrets/mask.ts';

/** Compares requests with the documents that the server has stored. */

/**
 * Returns whether a stored value matches the value that was sent. Additional members were added by the server, unless
 * they existed before: then the replacement would have removed them (rest-api.md, "Datamodel API" 2 and 3, "PUT
 * /infusion/viewpoints"). A masked secret matches any value, and empty values match each other.
 * @param serverFields members that the server maintains regardless of the request
 */
export function matchesStored(
  payload: JsonValue,
  stored: JsonValue | undefined,
  previous: JsonValue | undefined,
  serverFields: ReadonlySet<string> = noFields,
): boolean {
  if (payload === mask || stored === mask || (isEmpty(payload) && isEmpty(stored))) {
    return true;
  }
  if (Array.isArray(payload)) {
    const items = payload as readonly JsonValue[];
    const previousItems = Array.isArray(previous) ? (previous as readonly JsonValue[]) : [];
    const storedItems = Array.isArray(stored) ? (stored as readonly JsonValue[]) : undefined;
    return (
      storedItems?.length === items.length &&
      items.every((item, index) =>
        matchesStored(item, storedItems[index], previousItems[index], serverFields),
      )
    );
  }
  if (!isJsonObject(payload)) {
    return jsonEquals(payload, stored);
  }
  if (!isJsonObject(stored)) {
    return false;
  }
  const previousObject = asObject(previous);
  const shouldBeRemoved = (name: string): boolean =>
    !(name in payload) && !isEmpty(stored[name]) && !isEmpty(previousObject[name]);
  const isServerField = (name: string): boolean => serverFields.has(name) || isServerManagedField(name);
  return (
    everyField(
      payload,
      (name, value) =>
        isServerField(name) || matchesStored(value, stored[name], previousObject[name], serverFields),
    ) && Object.keys(stored).every((name) => isServerField(name) || !shouldBeRemoved(name))
  );
}

/**
 * Returns whether a new item matches the request that created it. Compares only the members that both have, since lists
 * omit some. Columns are compared by name, since the server assigns their IDs and defaults.
 * @param body the body of the request, secrets masked
 */
export const matchesCreated = (body: JsonObject, created: JsonObject): boolean =>
  comparedFields.every((name) => {
    const [value = null, stored = null] = [body[name], created[name]];
    if (isEmpty(value) || isEmpty(stored)) {
      return true;
    }
    if (name === 'columns') {
      return jsonEquals(getColumnNames(value), getColumnNames(stored));
    }
    return name === 'expression'
      ? isSameSql(value, stored)
      : matchesStored(value, stored, undefined, serverManagedConnectionFields);
  });

/** The members of a request that identify a new item; `type` has several spellings and is left out. */
const comparedFields = [
  'title',
  'name',
  'description',
  'columns',
  'expression',
  'connection',
  'details',
  'visibility',
] as const;

/** Members of a connection that the server maintains regardless of the request. */
export const serverManagedConnectionFields: ReadonlySet<string> = new Set(serverConnectionFields);

const noFields: ReadonlySet<string> = new Set();

/** Compares SQL, which is text in a request, and text or `{oid, expression}` in a response (platform-facts.md, 2.2). */
export const isSameSql = (payload: JsonValue, stored: JsonValue | undefined): boolean =>
  getSql(payload) === getSql(stored);

const getSql = (value: JsonValue | undefined): string =>
  typeof value === 'string' || isJsonObject(value) ? (getExpressionText(value) ?? '') : '';

/** Returns whether all fields of an object pass a test. */
export const everyField = (object: JsonObject, test: (name: string, value: JsonValue) => boolean): boolean =>
  Object.entries(object).every(([name, value]) => test(name, value));

/** Returns the name of a column, or its name in the data source. */
export const getColumnNameOrId = ({ name, id }: JsonObject): JsonValue => name ?? id ?? null;

const getColumnNames = (columns: JsonValue | undefined): readonly JsonValue[] =>
  getObjects(columns).map(getColumnNameOrId);
