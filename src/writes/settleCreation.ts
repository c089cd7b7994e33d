import type { Answer } from '../api/answer.ts';
import type { PlatformClient } from '../api/platformClient.ts';
import { type JsonObject, type JsonValue, isJsonObject } from '../base/json.ts';
import { ruleSubjectsOf } from './affected.ts';
import { DocumentReader } from './documentReader.ts';
import type { Write } from './operation.ts';
import type { ReadDocument } from './preImages.ts';
import { ruleKey } from './ruleSaying.ts';
import { endsKey, saysMade } from './saysSent.ts';
import type { Settled } from './settled.ts';
import { viewpointDocuments } from './viewpointDocuments.ts';

const notHappened: Settled = { state: 'not-happened' };
const unknown: Settled = { state: 'unknown' };

export const isCreation = ({ endpoint }: Write): boolean =>
  endpoint.split('.')[1]?.startsWith('create') === true;

/** Whether something new is there that says what was sent. */
export async function settleCreation(
  client: PlatformClient,
  write: Write,
  before: readonly ReadDocument[],
): Promise<Settled> {
  if (!isListed(write)) {
    return unknown;
  }
  if (Array.isArray(write.body)) {
    return settleRules(client, write, before);
  }
  const [made, ...others] = await namesakes(client, write);
  if (made === undefined) {
    return notHappened;
  }
  // Somebody else may have made another thing of that name.
  return others.length === 0 && saysMade(write, made) ? { state: 'happened', answer: made } : unknown;
}

/** What a write has made that was answered without saying so; `undefined` where it cannot be told. */
export async function findMade(
  client: PlatformClient,
  write: Write,
  before: readonly ReadDocument[],
): Promise<JsonValue | undefined> {
  if (!isListed(write)) {
    return undefined;
  }
  if (Array.isArray(write.body)) {
    const settled = await settleRules(client, write, before);
    return settled.state === 'happened' ? settled.answer : undefined;
  }
  const [made, ...others] = await namesakes(client, write);
  return others.length === 0 ? made : undefined;
}

/** Custom data has no names, and rules of several cubes no one list. */
const isListed = ({ endpoint }: Write): boolean =>
  endpoint !== 'customData.create' && endpoint !== 'extractRules.createMany';

async function namesakes(client: PlatformClient, write: Write): Promise<readonly JsonObject[]> {
  const body = isJsonObject(write.body) ? write.body : {};
  return (await listed(client, write)).filter((item) => isMadeFrom(item, body));
}

/**
 * New rules are those that were not there before and say what was sent. Several may have taken several requests: where
 * only some are there, that is no state of the operation, and nobody goes on from it.
 */
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
    made.push(...(found === undefined ? [] : [found]));
  }
  if (made.length < sent.length) {
    return made.length === 0 ? notHappened : unknown;
  }
  return { state: 'happened', answer: made };
}

/** What is in the container that the new thing went into. */
async function listed(
  client: PlatformClient,
  { endpoint, params, body }: Write,
): Promise<readonly JsonObject[]> {
  const { datamodelId = '', datasetId = '' } = params;
  const name = isJsonObject(body) && typeof body['name'] === 'string' ? body['name'] : '';
  if (endpoint === 'viewpoints.create') {
    // Many names may hold this one (spec, ViewpointSearch: a partial match), more than are on a page.
    return viewpointDocuments(client, { search: { name }, with: ['visibility', 'details'] });
  }
  const lists: Readonly<Record<string, () => Promise<Answer<unknown>>>> = {
    'datamodels.create': () => client.datamodels.list(),
    'datasets.create': () => client.datasets.list({ datamodelId }),
    'tables.create': () => client.tables.list({ datamodelId, datasetId }),
    'relations.create': () => client.relations.list({ datamodelId }),
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

function itemsOf(value: JsonValue | undefined): readonly JsonObject[] {
  if (Array.isArray(value)) {
    return (value as readonly JsonValue[]).filter(isJsonObject);
  }
  const list = isJsonObject(value) ? Object.values(value).find((entry) => Array.isArray(entry)) : undefined;
  return ((list as readonly JsonValue[] | undefined) ?? []).filter(isJsonObject);
}
