import { isJsonObject, type JsonObject, type JsonValue, parseLossless, stringify } from '../../base/json.ts';
import {
  type EndpointResponse,
  createCreatedTextResponse,
  noContentResponse,
  createOkResponse,
  createOkTextResponse,
} from '../endpointCall.ts';
import type { EditContext } from '../editContext.ts';
import { getTextMember } from '../documents.ts';
import { HttpProblem } from '../problem.ts';
import { createSeedObjectId, createSeedOid } from '../seeds/seedIds.ts';
import type { ResponseTransforms } from './profile.ts';

/** Returns the response with its body transformed. */
const transformResponse = (
  { status, text }: EndpointResponse,
  transform: (body: JsonValue) => JsonValue,
): EndpointResponse => ({
  status,
  text: stringify(transform(parseLossless(text))),
});

/** Returns a function that transforms an object, or each object of an array. */
const mapObjectOrArray =
  (transform: (object: JsonObject) => JsonValue) =>
  (body: JsonValue): JsonValue =>
    Array.isArray(body)
      ? body.map((item: JsonValue) => (isJsonObject(item) ? transform(item) : item))
      : isJsonObject(body)
        ? transform(body)
        : body;

/** Returns the owner with one member transformed, if it exists. */
const mapMember = (
  owner: JsonObject,
  name: string,
  transform: (body: JsonValue) => JsonValue,
): JsonObject => {
  const value = owner[name];
  return value === undefined ? owner : { ...owner, [name]: transform(value) };
};

/**
 * Adds an oid and a time to the expression of a table or column (platform-facts.md, "TableOutput" and "ColumnOutput").
 */
const transformExpression = (owner: JsonObject): JsonObject =>
  mapMember(owner, 'expression', (value) => {
    if (value === null) {
      return null;
    }
    const generated = {
      oid: createSeedOid(`${getTextMember(owner, 'oid')}/expression`),
      lastUpdated: owner['lastUpdated'] ?? null,
    };
    return isJsonObject(value) ? { ...generated, ...value } : { ...generated, expression: value };
  });

const transformTable = (table: JsonObject): JsonObject =>
  mapMember(transformExpression(table), 'columns', mapObjectOrArray(transformExpression));

const transformDataset = (dataset: JsonObject): JsonObject =>
  mapMember(
    dataset,
    'schema',
    mapObjectOrArray((schema) => mapMember(schema, 'tables', mapObjectOrArray(transformTable))),
  );

const transformModel = (model: JsonObject): JsonObject =>
  mapMember(model, 'datasets', mapObjectOrArray(transformDataset));

/**
 * Returns a function that adds the fields of the vendor's contract to a live rule (platform-facts.md, 6.2, live
 * datasecurity).
 */
const createLiveRuleTransform =
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
function createCountResponse(response: EndpointResponse, name: string): EndpointResponse {
  const body = parseLossless(response.text);
  const count = isJsonObject(body) ? Number(stringify(body[name] ?? 0)) : 0;
  if (count === 0) {
    throw createDocumentsNotFoundProblem();
  }
  return createOkResponse({ ok: 1, n: count });
}

const createDeletedResponse = (): EndpointResponse => createOkResponse({ title: 'Success', status: 200 });

/** The statuses and shapes of the vendor's contract that differ from those of the guide. */
export const contractResponses: ResponseTransforms = {
  'session.check': (_response, { caller }) => createOkResponse({ isAuthenticated: caller.userId !== '' }),

  'liveRules.list': (response, { params }, context) =>
    transformResponse(response, mapObjectOrArray(createLiveRuleTransform(context, params.title))),
  'liveRules.create'(response, { params }, context) {
    const { text } = transformResponse(
      response,
      mapObjectOrArray(createLiveRuleTransform(context, params.title)),
    );
    // Removes the brackets of the array: one rule was sent, so one is returned.
    return createCreatedTextResponse(text.slice(1, -1));
  },
  'liveRules.createMany': (response, { params }, context) =>
    createCreatedTextResponse(
      transformResponse(response, mapObjectOrArray(createLiveRuleTransform(context, params.title))).text,
    ),
  'liveRules.delete': () => noContentResponse,
  'liveRules.deleteByColumn': () => noContentResponse,

  /** Returns a list even with the `title` parameter, where the guide returns one object. */
  'datamodels.list': (response) =>
    transformResponse(response, (body) =>
      mapObjectOrArray(transformModel)(Array.isArray(body) ? body : [body]),
    ),
  'datamodels.get': (response) => transformResponse(response, mapObjectOrArray(transformModel)),
  'datamodels.delete': createDeletedResponse,
  'datasets.list': (response) => transformResponse(response, mapObjectOrArray(transformDataset)),
  'datasets.get': (response) => transformResponse(response, mapObjectOrArray(transformDataset)),
  'datasets.update': (response) => transformResponse(response, mapObjectOrArray(transformDataset)),
  'datasets.delete': createDeletedResponse,
  'tables.list': (response) => transformResponse(response, mapObjectOrArray(transformTable)),
  'tables.get': (response) => transformResponse(response, mapObjectOrArray(transformTable)),
  'tables.create': (response) => transformResponse(response, mapObjectOrArray(transformTable)),
  'tables.update': (response) => transformResponse(response, mapObjectOrArray(transformTable)),
  'tables.delete': createDeletedResponse,
  'relations.delete': createDeletedResponse,

  'builds.cancelAll': () => noContentResponse,

  'customData.query'(response) {
    if (response.text === '[]') {
      throw createDocumentsNotFoundProblem();
    }
    return createOkTextResponse(response.text);
  },
  'customData.updateMatching': (response) => createCountResponse(response, 'updated'),
  'customData.deleteMatching': (response) => createCountResponse(response, 'deleted'),
};
