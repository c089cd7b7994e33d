import { isJsonObject, type JsonObject } from '../../base/json.ts';
import { customDataChangeSchema } from '../../contract/customData.ts';
import { checked, parseSent, plain } from '../check.ts';
import { compileFilter } from '../customDataFilter.ts';
import { arrayText, parseDocument } from '../documents.ts';
import { created, type HandlersOf, objectBody, ok, okText } from '../call.ts';
import { invalid } from '../problem.ts';
import type { Services } from '../services.ts';
import type { StoredObject } from '../store/customDataStore.ts';

/** The custom data that any caller with a token reads and writes (spec, "Custom data API", "Authentication" 4). */
export function customDataRoutes({ store, ids }: Services): HandlersOf<'customData'> {
  const matching = (filter: unknown): StoredObject[] => {
    const matches = compileFilter(filter);
    return store.customData.all().filter(({ text }) => matches(JSON.parse(text)));
  };
  return {
    'customData.list': () => okText(arrayText(store.customData.all().map(({ text }) => text))),

    'customData.query'({ query }) {
      const text = query('query');
      if (text === undefined || text.trim() === '') {
        throw invalid('query: required, a JSON filter');
      }
      const found = matching(plain(parseSent(text, 'query')));
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
    'customData.updateMatching'(call) {
      const body = objectBody(call);
      const { queryForSearch } = checked(customDataChangeSchema, plain(body));
      const change = body['objectForUpdate'];
      const found = matching(queryForSearch);
      const members: JsonObject = isJsonObject(change) ? change : {};
      const foreign = found.find(({ id }) => '_id' in members && members['_id'] !== id);
      if (foreign !== undefined) {
        throw invalid('objectForUpdate/_id: an _id cannot change');
      }
      store.transaction(() =>
        found.forEach(({ id, text }) => store.customData.update(id, { ...parseDocument(text), ...members })),
      );
      return ok({ matched: found.length, updated: found.length });
    },

    /** The body is the filter; `{}` matches everything (platform-facts 4). */
    'customData.deleteMatching'(call) {
      const found = matching(plain(objectBody(call)));
      store.transaction(() => found.forEach(({ id }) => store.customData.delete(id)));
      return ok({ deleted: found.length });
    },
  };
}
