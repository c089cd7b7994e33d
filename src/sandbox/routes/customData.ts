import { isJsonObject, type JsonObject, type JsonValue, stringify } from '../../base/json.ts';
import { customDataChangeSchema } from '../../contract/customData.ts';
import { checked, parseSent, plain } from '../check.ts';
import { arrayText, parseDocument } from '../documents.ts';
import { created, type HandlersOf, objectBody, ok, okText } from '../call.ts';
import { invalid } from '../problem.ts';
import type { Services } from '../services.ts';
import type { StoredObject } from '../store/customDataStore.ts';

/** The custom data that any caller with a token reads and writes (spec, "Custom data API", "Authentication" 4). */
export function customDataRoutes({ store, ids, tasks }: Services): HandlersOf<'customData'> {
  /** Those of the objects that a filter matches. @throws HttpProblem 400 for a filter that is refused */
  const matching = async (
    filter: JsonObject,
    objects: readonly StoredObject[],
  ): Promise<readonly StoredObject[]> => {
    const texts = objects.map(({ text }) => text);
    const result = await tasks.matching(stringify(filter), texts);
    if ('refused' in result) {
      throw invalid(result.refused);
    }
    const places = new Set(result.found);
    return objects.filter((_object, at) => places.has(at));
  };
  /**
   * Changes what matches. Others may write while the filter runs: what they deleted is gone, and what they changed is
   * held against the filter again, so that nothing is touched that does not match when it is.
   * @returns how many objects were changed
   */
  const changeMatching = async (
    filter: JsonObject,
    change: (found: readonly StoredObject[]) => void,
  ): Promise<number> => {
    let changed = 0;
    let candidates: readonly StoredObject[] = store.customData.all();
    do {
      const found = await matching(filter, candidates);
      const now = found.flatMap(({ id }) => store.customData.find(id) ?? []);
      const before = new Map(found.map(({ id, text }) => [id, text]));
      const same = now.filter(({ id, text }) => before.get(id) === text);
      candidates = now.filter(({ id, text }) => before.get(id) !== text);
      store.transaction(() => change(same));
      changed += same.length;
    } while (candidates.length > 0);
    return changed;
  };
  return {
    'customData.list': () => okText(arrayText(store.customData.all().map(({ text }) => text))),

    async 'customData.query'({ query }) {
      const text = query('query');
      if (text === undefined || text.trim() === '') {
        throw invalid('query: required, a JSON filter');
      }
      const filter = objectOf(parseSent(text, 'query'));
      const found = await matching(filter, store.customData.all());
      return okText(arrayText(found.map((object) => object.text)));
    },

    /** Stores the object whole. An `_id` is given by the server unless the object brings a new one of its own. */
    'customData.create'(call) {
      const sent = objectBody(call);
      const id = sent['_id'] ?? ids.objectId();
      if (typeof id !== 'string' || id === '') {
        throw invalid('_id: expected a text');
      }
      if (store.customData.has(id)) {
        throw invalid(`_id: an object "${id}" is stored already`);
      }
      const object = { ...sent, _id: id };
      store.customData.insert(object);
      return created(object);
    },

    /** Merges at the root into every match (design.md, section 5). */
    async 'customData.updateMatching'(call) {
      const body = objectBody(call);
      checked(customDataChangeSchema, plain(body));
      const members = objectOf(body['objectForUpdate']);
      const matched = await changeMatching(objectOf(body['queryForSearch']), (found) => {
        if (found.some(({ id }) => '_id' in members && members['_id'] !== id)) {
          throw invalid('objectForUpdate/_id: an _id cannot change');
        }
        for (const { id, text } of found) {
          store.customData.update(id, { ...parseDocument(text), ...members });
        }
      });
      return ok({ matched, updated: matched });
    },

    /** The body is the filter; `{}` matches everything (platform-facts 4). */
    async 'customData.deleteMatching'(call) {
      const deleted = await changeMatching(objectBody(call), (found) =>
        found.forEach(({ id }) => store.customData.delete(id)),
      );
      return ok({ deleted });
    },
  };
}

/** Not what a schema makes of it: that would drop a name like `__proto__`. */
function objectOf(value: JsonValue | undefined): JsonObject {
  if (!isJsonObject(value)) {
    throw invalid('The filter must be a JSON object');
  }
  return value;
}
