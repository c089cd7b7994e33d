import type { Answer } from '../api/answer.ts';
import type { PlatformClient } from '../api/platformClient.ts';
import { type JsonObject, type JsonValue, isJsonObject, stringify } from '../base/json.ts';
import { type ResourceRef, sameRef } from '../catalog/resourceRef.ts';
import { serverMadeRuleFields } from '../contract/rule.ts';
import { documentHash, jsonHash } from './documentHash.ts';
import { DocumentReader } from './documentReader.ts';
import { ruleSubjectsOf } from './affected.ts';
import type { Write } from './operation.ts';
import type { ReadDocument } from './preImages.ts';

/** What a second look says of a write whose answer was lost; `answer` is what the server would have answered. */
export type Settled =
  | { readonly state: 'happened'; readonly answer: JsonValue | undefined }
  | { readonly state: 'not-happened' }
  | { readonly state: 'unknown' };

const notHappened: Settled = { state: 'not-happened' };
const unknown: Settled = { state: 'unknown' };

/**
 * Looks at the server to find out whether a write took effect although its answer was lost. Nothing is sent again.
 * @param before the documents as they were before the operation
 * @throws ApiError when the server cannot be looked at
 */
export async function settle(
  client: PlatformClient,
  write: Write,
  before: readonly ReadDocument[],
): Promise<Settled> {
  const reader = new DocumentReader(client);
  const action = write.endpoint.split('.')[1] ?? '';
  if (action.startsWith('create')) {
    return settleCreation(client, write, before);
  }
  const { target } = write;
  if (write.endpoint.startsWith('customData.')) {
    return settleMatching(write, reader, before);
  }
  if (target === undefined) {
    return unknown;
  }
  if (action === 'deleteByColumn') {
    const left = await reader.document(target);
    return Array.isArray(left) && left.length > 0 ? notHappened : { state: 'happened', answer: undefined };
  }
  const now = await reader.document(ownTarget(write, target));
  if (action === 'delete') {
    return now === undefined ? { state: 'happened', answer: undefined } : notHappened;
  }
  const old = before.find(({ ref }) => sameRef(ref, target));
  if (old === undefined || now === undefined) {
    return unknown;
  }
  const isOld = documentHash(target.kind, now) === documentHash(target.kind, old.document);
  return isOld ? notHappened : { state: 'happened', answer: now };
}

/** A rule that an earlier write made is deleted by an id that only the path knows. */
function ownTarget({ params }: Write, target: ResourceRef): ResourceRef {
  const { ruleId } = params;
  return ruleId !== undefined && 'subject' in target
    ? { kind: 'rule', subject: target.subject, ruleId }
    : target;
}

/** Each object that matched is as it was, or is not. */
async function settleMatching(
  write: Write,
  reader: DocumentReader,
  before: readonly ReadDocument[],
): Promise<Settled> {
  const objects = before.filter(({ ref }) => ref.kind === 'customDataObject');
  if (objects.length === 0) {
    return unknown;
  }
  for (const { ref, document } of objects) {
    if (documentHash(ref.kind, await reader.document(ref)) !== documentHash(ref.kind, document)) {
      return { state: 'happened', answer: undefined };
    }
  }
  // A change to what is there already leaves everything as it was.
  return write.endpoint === 'customData.deleteMatching' ? notHappened : unknown;
}

async function settleCreation(
  client: PlatformClient,
  write: Write,
  before: readonly ReadDocument[],
): Promise<Settled> {
  if (write.endpoint === 'extractRules.createMany' || !isListed(write)) {
    return unknown;
  }
  if (Array.isArray(write.body)) {
    return settleRules(client, write, before);
  }
  const body = isJsonObject(write.body) ? write.body : {};
  const made = (await listed(client, write)).filter((item) => isMadeFrom(item, body));
  if (made.length > 1) {
    return unknown;
  }
  return made[0] === undefined ? notHappened : { state: 'happened', answer: made[0] };
}

/** New rules are those that were not there before and say what was sent; all of one request are stored, or none. */
async function settleRules(
  client: PlatformClient,
  write: Write,
  before: readonly ReadDocument[],
): Promise<Settled> {
  const [subject] = ruleSubjectsOf(write);
  if (subject === undefined) {
    return unknown;
  }
  const known = new Set(before.flatMap(({ document }) => itemsOf(document)).map((rule) => rule['_id']));
  const now = itemsOf(await new DocumentReader(client).document({ kind: 'rules', subject }));
  const fresh = now.filter(({ _id }) => !known.has(_id ?? null));
  const sent = itemsOf(write.body);
  const made: JsonObject[] = [];
  for (const rule of sent) {
    const found = fresh.find((one) => !made.includes(one) && ruleKey(one) === ruleKey(rule));
    if (found === undefined) {
      return made.length === 0 ? notHappened : unknown;
    }
    made.push(found);
  }
  return { state: 'happened', answer: made };
}

/** What identifies a rule and its datamodel, what the server makes, and what is spelled in several ways. */
const notSaid: ReadonlySet<string> = new Set([
  '_id',
  'server',
  'elasticube',
  'fullname',
  'live',
  'shares',
  'exclusionary',
  'allMembers',
  ...serverMadeRuleFields,
]);

/** What a rule says, in whichever spelling (platform-facts 3.1). */
export function ruleKey(rule: JsonObject): string {
  const { shares, exclusionary, allMembers } = rule;
  const parties = itemsOf(shares).map(({ type, party, partyId }) =>
    stringify([type, party ?? partyId ?? null]),
  );
  const said = Object.entries(rule).filter(([name]) => !notSaid.has(name));
  return jsonHash([Object.fromEntries(said), exclusionary === true, allMembers ?? null, parties.sort()]);
}

const isListed = ({ endpoint }: Write): boolean => endpoint !== 'customData.create';

/** What is in the container that the new thing went into. */
async function listed(
  client: PlatformClient,
  { endpoint, params, body }: Write,
): Promise<readonly JsonObject[]> {
  const { datamodelId = '', datasetId = '' } = params;
  const name = isJsonObject(body) && typeof body['name'] === 'string' ? body['name'] : '';
  const lists: Readonly<Record<string, () => Promise<Answer<unknown>>>> = {
    'datamodels.create': () => client.datamodels.list(),
    'datasets.create': () => client.datasets.list({ datamodelId }),
    'tables.create': () => client.tables.list({ datamodelId, datasetId }),
    'relations.create': () => client.relations.list({ datamodelId }),
    'viewpoints.create': () => client.viewpoints.list({ search: { name }, with: ['visibility', 'details'] }),
  };
  const list = await lists[endpoint]?.();
  return list === undefined ? [] : itemsOf(list.json);
}

/** Names tell new things apart (titles and names are unique: platform-facts 2.7, spec); a relation its ends. */
function isMadeFrom(item: JsonObject, body: JsonObject): boolean {
  if (Array.isArray(body['columns']) && body['name'] === undefined && body['id'] === undefined) {
    return endsKey(item) === endsKey(body);
  }
  if (typeof body['title'] === 'string') {
    return item['title'] === body['title'];
  }
  return item['name'] === (body['name'] ?? body['id']);
}

const endsKey = (relation: JsonObject): string =>
  itemsOf(relation['columns'])
    .map(({ table, column }) => stringify([table, column]))
    .sort()
    .join();

function itemsOf(value: JsonValue | undefined): readonly JsonObject[] {
  if (Array.isArray(value)) {
    return (value as readonly JsonValue[]).filter(isJsonObject);
  }
  const list = isJsonObject(value) ? Object.values(value).find((entry) => Array.isArray(entry)) : undefined;
  return ((list as readonly JsonValue[] | undefined) ?? []).filter(isJsonObject);
}
