import { isJsonObject, type JsonObject, type JsonValue, stringify } from '../../base/json.ts';
import { customDataChangeSchema } from '../../contract/customData.ts';
import { parseWithSchema, parseRequestJson, toPlainValue } from '../validation.ts';
import { joinAsArray, parseDocument } from '../documents.ts';
import {
  createCreatedResponse,
  type AreaHandlers,
  requireObjectBody,
  createOkResponse,
  createOkTextResponse,
} from '../endpointCall.ts';
import { createValidationProblem } from '../problem.ts';
import type { RouteServices } from '../routeServices.ts';
import type { StoredObject } from '../store/customDataStore.ts';

/**
 * Creates the handlers of custom data, which any caller with a token can read and write
 * (rest-api.md, "Custom data API", "Authentication" 4).
 */
export function createCustomDataHandlers({ store, ids, tasks }: RouteServices): AreaHandlers<'customData'> {
  /** Returns the objects that match a filter. @throws HttpProblem 400 for an invalid filter */
  const findMatching = async (
    filter: JsonObject,
    objects: readonly StoredObject[],
  ): Promise<readonly StoredObject[]> => {
    const texts = objects.map(({ text }) => text);
    const result = await tasks.findMatching(stringify(filter), texts);
    if ('error' in result) {
      throw createValidationProblem(result.error);
    }
    const matchingIndexes = new Set(result.matchingIndexes);
    return objects.filter((_object, index) => matchingIndexes.has(index));
  };
  /**
   * Changes the objects that match a filter. Other requests may write while the filter runs: objects that were deleted
   * in the meantime are skipped, and objects that were changed are checked against the filter again.
   * @returns the number of changed objects
   */
  const changeMatching = async (
    filter: JsonObject,
    change: (matches: readonly StoredObject[]) => void,
  ): Promise<number> => {
    let changedCount = 0;
    let candidates: readonly StoredObject[] = store.customData.getAll();
    do {
      const matches = await findMatching(filter, candidates);
      const currentObjects = matches.flatMap(({ id }) => store.customData.find(id) ?? []);
      const originalTexts = new Map(matches.map(({ id, text }) => [id, text]));
      const unchangedObjects = currentObjects.filter(({ id, text }) => originalTexts.get(id) === text);
      candidates = currentObjects.filter(({ id, text }) => originalTexts.get(id) !== text);
      store.transaction(() => change(unchangedObjects));
      changedCount += unchangedObjects.length;
    } while (candidates.length > 0);
    return changedCount;
  };
  return {
    'customData.list': () =>
      createOkTextResponse(joinAsArray(store.customData.getAll().map(({ text }) => text))),

    async 'customData.query'({ query }) {
      const text = query('query');
      if (text === undefined || text.trim() === '') {
        throw createValidationProblem('query: required, a JSON filter');
      }
      const filter = requireObject(parseRequestJson(text, 'query'), 'query');
      const matches = await findMatching(filter, store.customData.getAll());
      return createOkTextResponse(joinAsArray(matches.map((object) => object.text)));
    },

    /** Stores an object. The server assigns an `_id` if the object has none. */
    'customData.create'(call) {
      const body = requireObjectBody(call);
      const id = body['_id'] ?? ids.createObjectId();
      if (typeof id !== 'string' || id === '') {
        throw createValidationProblem('_id: expected a string');
      }
      if (store.customData.has(id)) {
        throw createValidationProblem(`_id: an object "${id}" already exists`);
      }
      const object = { ...body, _id: id };
      store.customData.insert(object);
      return createCreatedResponse(object);
    },

    /** Merges the root members of `objectForUpdate` into every matching object (decisions.md, "Sandbox"). */
    async 'customData.updateMatching'(call) {
      const body = requireObjectBody(call);
      parseWithSchema(customDataChangeSchema, toPlainValue(body));
      const members = requireObject(body['objectForUpdate'], 'objectForUpdate');
      const matchedCount = await changeMatching(
        requireObject(body['queryForSearch'], 'queryForSearch'),
        (matches) => {
          if (matches.some(({ id }) => '_id' in members && members['_id'] !== id)) {
            throw createValidationProblem("objectForUpdate/_id: an _id can't be changed");
          }
          for (const { id, text } of matches) {
            store.customData.update(id, { ...parseDocument(text), ...members });
          }
        },
      );
      return createOkResponse({ matched: matchedCount, updated: matchedCount });
    },

    /** Deletes the objects that match the filter in the body; `{}` matches all (platform-facts.md, 4). */
    async 'customData.deleteMatching'(call) {
      const deleted = await changeMatching(requireObjectBody(call), (matches) =>
        matches.forEach(({ id }) => store.customData.delete(id)),
      );
      return createOkResponse({ deleted });
    },
  };
}

/** Requires an object, without a zod schema, because its output would drop members such as `__proto__`. */
function requireObject(value: JsonValue | undefined, name: string): JsonObject {
  if (!isJsonObject(value)) {
    throw createValidationProblem(`${name}: expected an object`);
  }
  return value;
}
