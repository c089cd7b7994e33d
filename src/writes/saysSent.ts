import { datasetChangePayload } from '../api/payloads/datasetPayload.ts';
import { extractRuleChangePayload } from '../api/payloads/rulePayload.ts';
import { tableChangePayload } from '../api/payloads/tablePayload.ts';
import { viewpointChangePayload } from '../api/payloads/viewpointPayload.ts';
import { sameJson } from '../base/canonicalJson.ts';
import { type JsonObject, type JsonValue, isJsonObject, stringify } from '../base/json.ts';
import { mask } from '../secrets/mask.ts';
import { maskBody, maskSecrets } from '../secrets/maskSecrets.ts';
import { isBookkeeping } from '../contract/bookkeeping.ts';
import { serverConnectionFields } from '../contract/dataset.ts';
import { expressionText } from '../contract/table.ts';
import type { Write } from './operation.ts';
import { ruleFields, sameParties } from './ruleSaying.ts';

/** A document as it is now, and as it was before the write. */
interface Versions {
  readonly now: JsonObject;
  readonly old: JsonObject;
}

/**
 * Whether a document says what a change of it sent, as far as the payload speaks: what the server adds by itself does
 * not count, but nothing may be left of what a part that is replaced whole had before (spec, "Datamodel API" rules 2
 * and 3, PUT of viewpoints and rules).
 */
export function saysSent(write: Write, { now, old }: Versions): boolean {
  const body = objectOf(write.body);
  // All others change no document that is there.
  const endpoint: string = write.endpoint;
  switch (endpoint) {
    case 'tables.update':
      return everyField(objectOf(maskSecrets(tableChangePayload(body))), (name, sent) =>
        saysTableField(name, sent, { now, old }),
      );
    case 'datasets.update': {
      const { connection } = datasetChangePayload(body, { sendEncryptedParameters: true });
      const sent = maskSecrets({ connection: connection ?? null });
      return agrees(sent, pick(now, 'connection'), pick(old, 'connection'), keptConnection);
    }
    case 'relations.update':
      return endsKey(body) === endsKey(now);
    case 'viewpoints.update':
      return saysViewpoint(viewpointChangePayload(body), { now, old });
    case 'extractRules.update': {
      const rule = extractRuleChangePayload(body, write.params['ruleId'] ?? '');
      return agrees(ruleFields(rule), ruleFields(now), ruleFields(old)) && sameParties(rule, now);
    }
    default:
      return false;
  }
}

/**
 * Whether something new says what it was made from, as far as both speak: lists leave things out, and the server adds
 * its own. Columns count by name: their ids and defaults are the server's.
 */
export function saysMade({ endpoint, body }: Pick<Write, 'endpoint' | 'body'>, made: JsonObject): boolean {
  const sent = objectOf(maskBody(endpoint, body ?? null));
  if (endpoint === 'relations.create') {
    return endsKey(sent) === endsKey(made);
  }
  return saidOfNew.every((name) => {
    const [value = null, stored = null] = [sent[name], made[name]];
    if (isEmpty(value) || isEmpty(stored)) {
      return true;
    }
    if (name === 'columns') {
      return sameJson(namesOf(value), namesOf(stored));
    }
    return name === 'expression' ? sameSql(value, stored) : agrees(value, stored, undefined, keptConnection);
  });
}

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

const keptConnection: ReadonlySet<string> = new Set(serverConnectionFields);

/** What a relation joins; its ends have no order. */
export const endsKey = (relation: JsonObject): string =>
  listOf(relation['columns'])
    .map(({ table, column }) => stringify([table, column]))
    .sort()
    .join();

function saysTableField(name: string, sent: JsonValue, { now, old }: Versions): boolean {
  if (name === 'columns' && Array.isArray(sent)) {
    return saysColumns(listOf(sent), listOf(now['columns']), listOf(old['columns']));
  }
  return name === 'expression'
    ? sameSql(sent, now['expression'])
    : agrees(sent, now[name] ?? null, old[name]);
}

/** The array replaces the stored one: each known column by its oid, the created ones by name (spec, rule 2). */
function saysColumns(
  sent: readonly JsonObject[],
  now: readonly JsonObject[],
  old: readonly JsonObject[],
): boolean {
  const known = new Set(old.map(({ oid }) => oid));
  const isKnown = ({ oid = null }: JsonObject): boolean => known.has(oid);
  const kept = now.filter(isKnown);
  const created = now.filter((column) => !isKnown(column));
  const sentKnown = sent.filter(isKnown);
  const sentNew = sent.filter((column) => !isKnown(column));
  return (
    kept.length === sentKnown.length &&
    created.length === sentNew.length &&
    sentKnown.every((column, index) => kept[index] !== undefined && saysColumn(column, kept[index])) &&
    sentNew.every((column) =>
      created.some((made) => nameOf(made) === nameOf(column) && saysColumn({ ...column, oid: null }, made)),
    )
  );
}

/** Fields of a column that nobody sent survive. */
const saysColumn = (sent: JsonObject, now: JsonObject): boolean =>
  everyField(sent, (name, value) => {
    if (isBookkeeping(name) || (name === 'oid' && isEmpty(value))) {
      return true;
    }
    return name === 'expression' ? sameSql(value, now[name]) : agrees(value, now[name] ?? null, undefined);
  });

/** Published or not: where the visibility says it, that counts (spec, "Viewpoint publication"). */
function saysViewpoint(sent: JsonObject, { now, old }: Versions): boolean {
  const { visibility } = sent;
  const isSaidInside = isJsonObject(visibility) && typeof visibility['enabled'] === 'boolean';
  return everyField(sent, (name, value) => {
    if (isBookkeeping(name) || (name === 'enabled' && isSaidInside)) {
      return true;
    }
    const kept = name === 'visibility' && !isSaidInside ? enabledField : undefined;
    return agrees(value, now[name] ?? null, old[name], kept);
  });
}

const enabledField: ReadonlySet<string> = new Set(['enabled']);

/**
 * Whether what is stored says what was sent. What it says besides is the server's, unless it was there before: then
 * it would have gone with what replaced it.
 * @param kept members that the server keeps whatever is sent
 */
function agrees(
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
  const former = objectOf(old);
  const isLeftOver = (name: string): boolean =>
    !(name in sent) && !isEmpty(stored[name]) && !isEmpty(former[name]);
  const isOwn = (name: string): boolean => kept.has(name) || isBookkeeping(name);
  return (
    everyField(sent, (name, value) => isOwn(name) || agrees(value, stored[name], former[name], kept)) &&
    Object.keys(stored).every((name) => isOwn(name) || !isLeftOver(name))
  );
}

const none: ReadonlySet<string> = new Set();

/** Nothing is spelled in several ways. */
const isEmpty = (value: JsonValue | undefined): boolean =>
  value === undefined ||
  value === null ||
  value === false ||
  value === '' ||
  (Array.isArray(value) && value.length === 0) ||
  (isJsonObject(value) && Object.keys(value).length === 0);

/** SQL is text in a request and text or `{oid, expression}` in an answer (platform-facts 2.2). */
const sameSql = (sent: JsonValue, stored: JsonValue | undefined): boolean => sqlOf(sent) === sqlOf(stored);

const sqlOf = (value: JsonValue | undefined): string =>
  typeof value === 'string' || isJsonObject(value) ? (expressionText(value) ?? '') : '';

const everyField = (object: JsonObject, test: (name: string, value: JsonValue) => boolean): boolean =>
  Object.entries(object).every(([name, value]) => test(name, value));

const objectOf = (value: JsonValue | undefined): JsonObject => (isJsonObject(value) ? value : {});

const listOf = (value: JsonValue | undefined): readonly JsonObject[] =>
  Array.isArray(value) ? (value as readonly JsonValue[]).filter(isJsonObject) : [];

const pick = (object: JsonObject, name: string): JsonObject => ({ [name]: object[name] ?? null });

const nameOf = ({ name, id }: JsonObject): JsonValue => name ?? id ?? null;

const namesOf = (columns: JsonValue | undefined): readonly JsonValue[] => listOf(columns).map(nameOf);
