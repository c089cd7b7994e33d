import { isJsonObject, type JsonObject, type JsonValue, parseLossless, stringify } from '../../base/json.ts';
import {
  type EndpointResponse,
  createdTextResponse,
  noContentResponse,
  okResponse,
  okTextResponse,
} from '../endpointCall.ts';
import type { EditContext } from '../context.ts';
import { getTextMember } from '../documents.ts';
import { HttpProblem } from '../problem.ts';
import { createSeedObjectId, createSeedOid } from '../seeds/seedIds.ts';
import type { ResponseShapers } from './profile.ts';

/** Returns the response with its body transformed by `shape`. */
const reshapeResponse = (
  { status, text }: EndpointResponse,
  shape: (body: JsonValue) => JsonValue,
): EndpointResponse => ({
  status,
  text: stringify(shape(parseLossless(text))),
});

/** Returns a function that applies `shape` to an object, or to each object of an array. */
const mapArray =
  (shape: (object: JsonObject) => JsonValue) =>
  (body: JsonValue): JsonValue =>
    Array.isArray(body)
      ? body.map((item: JsonValue) => (isJsonObject(item) ? shape(item) : item))
      : isJsonObject(body)
        ? shape(body)
        : body;

/** Returns the owner with one member transformed by `shape`, if it exists. */
const mapMember = (owner: JsonObject, name: string, shape: (body: JsonValue) => JsonValue): JsonObject => {
  const value = owner[name];
  return value === undefined ? owner : { ...owner, [name]: shape(value) };
};

/**
 * Adds an oid and a time to the expression of a table or column (platform-facts.md, "TableOutput" and "ColumnOutput").
 */
const reshapeExpression = (owner: JsonObject): JsonObject =>
  mapMember(owner, 'expression', (value) => {
    if (value === null) {
      return null;
    }
    const made = {
      oid: createSeedOid(`${getTextMember(owner, 'oid')}/expression`),
      lastUpdated: owner['lastUpdated'] ?? null,
    };
    return isJsonObject(value) ? { ...made, ...value } : { ...made, expression: value };
  });

const reshapeTable = (table: JsonObject): JsonObject =>
  mapMember(reshapeExpression(table), 'columns', mapArray(reshapeExpression));

const reshapeDataset = (dataset: JsonObject): JsonObject =>
  mapMember(
    dataset,
    'schema',
    mapArray((schema) => mapMember(schema, 'tables', mapArray(reshapeTable))),
  );

const reshapeModel = (model: JsonObject): JsonObject =>
  mapMember(model, 'datasets', mapArray(reshapeDataset));

/** Returns a function that adds the contract's fields to a live rule (platform-facts.md, 6.2, live datasecurity). */
const createLiveRuleShaper =
  ({ store }: EditContext, title: string) =>
  (rule: JsonObject): JsonObject => ({
    ...rule,
    dataSourceId: createSeedObjectId(store.datamodels.findByTitle(title)?.oid ?? title),
    exclusionary: rule['exclusionary'] ?? false,
    members: rule['members'] ?? [],
  });

const createDocumentsNotFoundProblem = (): HttpProblem =>
  new HttpProblem(404, 'NotFound', 1004, 'Documents not found');

/** Creates a response with the number of changed objects; 404 if there are none. Its fields are not specified. */
function createCountResponse(answer: EndpointResponse, name: string): EndpointResponse {
  const body = parseLossless(answer.text);
  const count = isJsonObject(body) ? Number(stringify(body[name] ?? 0)) : 0;
  if (count === 0) {
    throw createDocumentsNotFoundProblem();
  }
  return okResponse({ ok: 1, n: count });
}

const createRemovedResponse = (): EndpointResponse => okResponse({ title: 'Success', status: 200 });

/** The statuses and shapes of the contract that differ from those of the guide. */
export const contractResponses: ResponseShapers = {
  'session.check': (_answer, { caller }) => okResponse({ isAuthenticated: caller.userId !== '' }),

  'liveRules.list': (answer, { params }, context) =>
    reshapeResponse(answer, mapArray(createLiveRuleShaper(context, params.title))),
  'liveRules.create'(answer, { params }, context) {
    const { text } = reshapeResponse(answer, mapArray(createLiveRuleShaper(context, params.title)));
    // Removes the brackets of the array: one rule was sent, so one is returned.
    return createdTextResponse(text.slice(1, -1));
  },
  'liveRules.createMany': (answer, { params }, context) =>
    createdTextResponse(reshapeResponse(answer, mapArray(createLiveRuleShaper(context, params.title))).text),
  'liveRules.delete': () => noContentResponse,
  'liveRules.deleteByColumn': () => noContentResponse,

  /** Returns a list even with the `title` parameter, where the guide returns one object. */
  'datamodels.list': (answer) =>
    reshapeResponse(answer, (body) => mapArray(reshapeModel)(Array.isArray(body) ? body : [body])),
  'datamodels.get': (answer) => reshapeResponse(answer, mapArray(reshapeModel)),
  'datamodels.delete': createRemovedResponse,
  'datasets.list': (answer) => reshapeResponse(answer, mapArray(reshapeDataset)),
  'datasets.get': (answer) => reshapeResponse(answer, mapArray(reshapeDataset)),
  'datasets.update': (answer) => reshapeResponse(answer, mapArray(reshapeDataset)),
  'datasets.delete': createRemovedResponse,
  'tables.list': (answer) => reshapeResponse(answer, mapArray(reshapeTable)),
  'tables.get': (answer) => reshapeResponse(answer, mapArray(reshapeTable)),
  'tables.create': (answer) => reshapeResponse(answer, mapArray(reshapeTable)),
  'tables.update': (answer) => reshapeResponse(answer, mapArray(reshapeTable)),
  'tables.delete': createRemovedResponse,
  'relations.delete': createRemovedResponse,

  'builds.cancelAll': () => noContentResponse,

  'customData.query'(answer) {
    if (answer.text === '[]') {
      throw createDocumentsNotFoundProblem();
    }
    return okTextResponse(answer.text);
  },
  'customData.updateMatching': (answer) => createCountResponse(answer, 'updated'),
  'customData.deleteMatching': (answer) => createCountResponse(answer, 'deleted'),
};
