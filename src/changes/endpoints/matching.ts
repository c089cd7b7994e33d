import { jsonEquals } from '../../base/canonicalJson.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import { isServerManagedField } from '../../contract/serverManagedFields.ts';
import { serverConnectionFields } from '../../contract/datamodel.ts';
import { getExpressionText } from '../../contract/table.ts';
import { asObject, getObjects } from '../model/readJson.ts';
import { mask } from '../../base/secrets/mask.ts';

/** Compares requests with the documents that the server has stored. */

/**
 * Returns whether a stored value matches the value that was sent. Additional members were added by the server, unless
 * they existed before: then the replacement would have removed them (rest-api.md, "Datamodel API" 2 and 3, "PUT
 * /infusion/viewpoints").
 * @param serverFields members that the server maintains regardless of the request
 */
export function matchesStored(
  sent: JsonValue,
  stored: JsonValue | undefined,
  old: JsonValue | undefined,
  kept: ReadonlySet<string> = noFields,
): boolean {
  if (sent === mask || stored === mask || (isEmpty(sent) && isEmpty(stored))) {
    return true;
  }
  if (Array.isArray(sent)) {
    const items = sent as readonly JsonValue[];
    const former = Array.isArray(old) ? (old as readonly JsonValue[]) : [];
    const now = Array.isArray(stored) ? (stored as readonly JsonValue[]) : undefined;
    return (
      now?.length === items.length &&
      items.every((item, index) => matchesStored(item, now[index], former[index], kept))
    );
  }
  if (!isJsonObject(sent)) {
    return jsonEquals(sent, stored);
  }
  if (!isJsonObject(stored)) {
    return false;
  }
  const former = asObject(old);
  const isLeftOver = (name: string): boolean =>
    !(name in sent) && !isEmpty(stored[name]) && !isEmpty(former[name]);
  const isOwn = (name: string): boolean => kept.has(name) || isServerManagedField(name);
  return (
    everyField(
      sent,
      (name, value) => isOwn(name) || matchesStored(value, stored[name], former[name], kept),
    ) && Object.keys(stored).every((name) => isOwn(name) || !isLeftOver(name))
  );
}

/**
 * Returns whether a new item matches the request that created it. Compares only the members that both have, since lists
 * omit some. Columns are compared by name, since the server assigns their IDs and defaults.
 * @param body the body of the request, secrets masked
 */
export const matchesCreated = (sent: JsonObject, made: JsonObject): boolean =>
  comparedFields.every((name) => {
    const [value = null, stored = null] = [sent[name], made[name]];
    if (isEmpty(value) || isEmpty(stored)) {
      return true;
    }
    if (name === 'columns') {
      return jsonEquals(getColumnNames(value), getColumnNames(stored));
    }
    return name === 'expression'
      ? sqlEquals(value, stored)
      : matchesStored(value, stored, undefined, keptConnectionFields);
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
export const keptConnectionFields: ReadonlySet<string> = new Set(serverConnectionFields);

const noFields: ReadonlySet<string> = new Set();

/** Returns whether a value is one of the platform's spellings of an empty value. */
export const isEmpty = (value: JsonValue | undefined): boolean =>
  value === undefined ||
  value === null ||
  value === false ||
  value === '' ||
  (Array.isArray(value) && value.length === 0) ||
  (isJsonObject(value) && Object.keys(value).length === 0);

/** Compares SQL, which is text in a request, and text or `{oid, expression}` in a response (platform-facts.md, 2.2). */
export const sqlEquals = (sent: JsonValue, stored: JsonValue | undefined): boolean =>
  getSql(sent) === getSql(stored);

const getSql = (value: JsonValue | undefined): string =>
  typeof value === 'string' || isJsonObject(value) ? (getExpressionText(value) ?? '') : '';

/** Returns whether all fields of an object pass a test. */
export const everyField = (object: JsonObject, test: (name: string, value: JsonValue) => boolean): boolean =>
  Object.entries(object).every(([name, value]) => test(name, value));

/** Returns the name of a column, or its name in the data source. */
export const getColumnNameOrId = ({ name, id }: JsonObject): JsonValue => name ?? id ?? null;

const getColumnNames = (columns: JsonValue | undefined): readonly JsonValue[] =>
  getObjects(columns).map(getColumnNameOrId);
