import { sameJson } from '../../base/canonicalJson.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import { isBookkeeping } from '../../contract/bookkeeping.ts';
import { serverConnectionFields } from '../../contract/datamodel.ts';
import { expressionText } from '../../contract/table.ts';
import { asObject, itemsOf } from '../model/read.ts';
import { mask } from '../../base/secrets/mask.ts';

/** Comparing what was sent with what a server has stored. */

/**
 * Whether what is stored says what was sent. What it says besides is the server's, unless it was there before: then
 * it would have gone with what replaced it (spec, "Datamodel API" rules 2 and 3, PUT of viewpoints and rules).
 * @param kept members that the server keeps whatever is sent
 */
export function agrees(
  sent: JsonValue,
  stored: JsonValue | undefined,
  old: JsonValue | undefined,
  kept: ReadonlySet<string> = none,
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
      items.every((item, index) => agrees(item, now[index], former[index], kept))
    );
  }
  if (!isJsonObject(sent)) {
    return sameJson(sent, stored);
  }
  if (!isJsonObject(stored)) {
    return false;
  }
  const former = asObject(old);
  const isLeftOver = (name: string): boolean =>
    !(name in sent) && !isEmpty(stored[name]) && !isEmpty(former[name]);
  const isOwn = (name: string): boolean => kept.has(name) || isBookkeeping(name);
  return (
    everyField(sent, (name, value) => isOwn(name) || agrees(value, stored[name], former[name], kept)) &&
    Object.keys(stored).every((name) => isOwn(name) || !isLeftOver(name))
  );
}

/**
 * Whether something new says what it was made from, as far as both speak: lists leave things out, and the server adds
 * its own. Columns count by name: their ids and defaults are the server's.
 * @param sent the body of its request, secrets masked
 */
export const saysMade = (sent: JsonObject, made: JsonObject): boolean =>
  saidOfNew.every((name) => {
    const [value = null, stored = null] = [sent[name], made[name]];
    if (isEmpty(value) || isEmpty(stored)) {
      return true;
    }
    if (name === 'columns') {
      return sameJson(namesOf(value), namesOf(stored));
    }
    return name === 'expression' ? sameSql(value, stored) : agrees(value, stored, undefined, keptConnection);
  });

/** What a request says of something new; the type is spelled in several ways. */
const saidOfNew = [
  'title',
  'name',
  'description',
  'columns',
  'expression',
  'connection',
  'details',
  'visibility',
] as const;

/** Members of a connection that the server keeps whatever is sent. */
export const keptConnection: ReadonlySet<string> = new Set(serverConnectionFields);

const none: ReadonlySet<string> = new Set();

/** Nothing is spelled in several ways. */
export const isEmpty = (value: JsonValue | undefined): boolean =>
  value === undefined ||
  value === null ||
  value === false ||
  value === '' ||
  (Array.isArray(value) && value.length === 0) ||
  (isJsonObject(value) && Object.keys(value).length === 0);

/** SQL is text in a request and text or `{oid, expression}` in an answer (platform-facts 2.2). */
export const sameSql = (sent: JsonValue, stored: JsonValue | undefined): boolean =>
  sqlOf(sent) === sqlOf(stored);

const sqlOf = (value: JsonValue | undefined): string =>
  typeof value === 'string' || isJsonObject(value) ? (expressionText(value) ?? '') : '';

export const everyField = (object: JsonObject, test: (name: string, value: JsonValue) => boolean): boolean =>
  Object.entries(object).every(([name, value]) => test(name, value));

/** What a column is called: by its name, else by what its source calls it. */
export const columnName = ({ name, id }: JsonObject): JsonValue => name ?? id ?? null;

const namesOf = (columns: JsonValue | undefined): readonly JsonValue[] => itemsOf(columns).map(columnName);
