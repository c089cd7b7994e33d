import type { PlatformClient } from '../../client/platformClient.ts';
import { isJsonObject, type JsonObject, type JsonValue, stringify } from '../../base/json.ts';
import { getRefKey, type ResourceRef } from '../../catalog/resourceRef.ts';
import { DocumentReader } from '../model/documentReader.ts';
import { asObject, getObjects, getText } from '../model/readJson.ts';
import type { Write } from '../model/operation.ts';
import { maskBody } from '../model/maskWrite.ts';
import type { CreatedResource, VerifyContext, WriteKind } from '../model/writeKind.ts';
import { matchesCreated } from './matching.ts';
import { notHappened, unknownOutcome } from './verifyOutcome.ts';

/** The properties of an endpoint that creates one item, from which the rest of its write kind is derived. */
interface Creation extends Pick<WriteKind, 'send' | 'getEffects' | 'getCatalogChanges'> {
  /** The member of the response that holds the ID of the new item. */
  readonly id: 'oid' | 'id';
  readonly getRef: (id: string, params: Write['params']) => ResourceRef;
  readonly createDeletion: (id: string, params: Write['params']) => Write;
  /** Lists the items of the container that the new item is created in. */
  readonly list: (client: PlatformClient, write: Write) => Promise<JsonValue | undefined>;
  /**
   * Returns whether an item has the name of the request, which identifies a new item if its ID is unknown (titles and
   * names are unique: platform-facts.md, 2.7; rest-api.md, "Viewpoint"). By default, compares `name`.
   */
  readonly isNamesake?: (item: JsonObject, sent: JsonObject) => boolean;
  /**
   * Returns whether a new item matches the request that created it. By default, compares the members that both have.
   */
  readonly matchesCreated?: (sent: JsonObject, made: JsonObject) => boolean;
  /** The name for the history if the created item can't be identified. */
  readonly getName?: (write: Write) => string;
  readonly after?: WriteKind['applyToSnapshot'];
  readonly needsBuild?: boolean;
}

/** Creates the kind of a write that creates one item. */
export function createCreationKind(parts: Creation): WriteKind {
  const { isNamesake = hasSentName } = parts;
  const isNamed = (item: JsonObject): boolean => getText(item[parts.id]) !== '';
  const refIn = (item: JsonObject, { params }: Write): ResourceRef =>
    parts.getRef(getText(item[parts.id]), params);
  const matchesSent = (write: Write, made: JsonObject): boolean =>
    (parts.matchesCreated ?? matchesCreated)(asObject(maskBody(write, write.body ?? null)), made);
  const namesakes = async (reader: DocumentReader, write: Write): Promise<readonly JsonObject[]> => {
    const key = stringify([write.endpoint, write.params, asObject(write.body)['name'] ?? null]);
    const items = await reader.listed(key, (client) => parts.list(client, write));
    return items.filter(isJsonObject).filter((item) => isNamesake(item, asObject(write.body)));
  };
  /** Returns the items with the name of the request that did not exist before. */
  const newOnes = async (write: Write, { client, before }: VerifyContext): Promise<readonly JsonObject[]> => {
    const known = new Set(before.map(({ ref }) => getRefKey(ref)));
    const found = await namesakes(new DocumentReader(client), write);
    // An item without an ID can't be distinguished from those that existed before.
    return found.filter((item) => !isNamed(item) || !known.has(getRefKey(refIn(item, write))));
  };
  const { getName = ({ target }) => target?.kind ?? '' } = parts;
  return {
    action: 'create',
    needsBuild: parts.needsBuild ?? false,
    send: parts.send,
    // If the response is lost, an existing item with the same name must not be mistaken for the new one.
    readBefore: async (write, reader) =>
      (await namesakes(reader, write))
        .filter(isNamed)
        .map((document) => ({ ref: refIn(document, write), document: maskBody(write, document) })),
    verifyOutcome: async (write, look) => {
      const [made, ...others] = await newOnes(write, look);
      if (made === undefined) {
        return notHappened;
      }
      // Another user may have created an item with the same name.
      return others.length === 0 && isNamed(made) && matchesSent(write, made)
        ? { state: 'happened', answer: made }
        : unknownOutcome;
    },
    findCreated: async (write, look) => {
      const [made, ...others] = await newOnes(write, look);
      return others.length === 0 ? made : undefined;
    },
    getCreated: (write, answer) =>
      toCreatedResource(asObject(answer)[parts.id], {
        refOf: (id) => parts.getRef(id, write.params),
        isUnchanged: (now, own) =>
          isJsonObject(now) &&
          matchesSent(write, now) &&
          getParts(now).every(({ oid = null }) => own.has(oid)),
      }),
    addInverse: (write, { answer }, inverse) => {
      const id = getText(asObject(answer)[parts.id]);
      if (id === '') {
        inverse.addLoss({ code: 'not-identified', name: getName(write) });
      } else {
        inverse.add(parts.createDeletion(id, write.params));
      }
    },
    getEffects: parts.getEffects,
    applyToSnapshot: parts.after ?? ((state) => state),
    getReach: () => 'itself',
    getCatalogChanges: parts.getCatalogChanges,
  };
}

/** Returns the created item as an array; empty if its ID is unknown. */
export const toCreatedResource = (
  id: JsonValue | undefined,
  {
    refOf,
    isUnchanged,
  }: Pick<CreatedResource, 'isUnchanged'> & { readonly refOf: (id: string) => ResourceRef },
): readonly CreatedResource[] =>
  typeof id === 'string' && id !== '' ? [{ ref: refOf(id), isUnchanged }] : [];

const hasSentName = (item: JsonObject, sent: JsonObject): boolean =>
  item['name'] === (sent['name'] ?? sent['id']);

/** Returns the datasets, relations and tables in a datamodel or a dataset. */
function getParts(document: JsonObject): readonly JsonObject[] {
  const { datasets, relations, schema } = document;
  return [
    ...getObjects(datasets).flatMap((dataset) => [dataset, ...getParts(dataset)]),
    ...getObjects(relations),
    ...getObjects(asObject(schema)['tables']),
  ];
}
