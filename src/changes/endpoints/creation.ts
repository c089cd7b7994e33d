import type { PlatformClient } from '../../client/platformClient.ts';
import { isJsonObject, type JsonObject, type JsonValue, stringify } from '../../base/json.ts';
import { getRefKey, type ResourceRef } from '../../catalog/resourceRef.ts';
import { DocumentReader } from '../model/documentReader.ts';
import { asObject, getObjects, getText, omitMembers } from '../model/jsonMembers.ts';
import type { Write } from '../model/operation.ts';
import type { ReadDocument } from '../model/readDocument.ts';
import { maskBody } from '../model/maskWrite.ts';
import type { CreatedResource, VerifyContext, WriteKind } from '../model/writeKind.ts';
import { hasCreatedSettings, withLaterBodies } from './changedCreation.ts';
import { matchesCreated } from './matchesStored.ts';
import { notHappenedOutcome, unknownOutcome } from './verifyWrites.ts';

/** The properties of an endpoint that creates one item, from which the rest of its write kind is derived. */
interface CreationOptions extends Pick<WriteKind, 'send' | 'getEffects' | 'getCatalogChanges'> {
  /** The member of the response that holds the ID of the new item. */
  readonly idField: 'oid' | 'id';
  readonly getRef: (id: string, params: Write['params']) => ResourceRef;
  readonly createDeletionWrite: (id: string, params: Write['params']) => Write;
  /** Lists the items of the container that the new item is created in. */
  readonly list: (client: PlatformClient, write: Write) => Promise<JsonValue | undefined>;
  /**
   * Returns whether an item has the name of the request, which identifies a new item if its ID is unknown (titles and
   * names are unique: platform-facts.md, 2.7; rest-api.md, "Viewpoint"). By default, compares `name`.
   */
  readonly isNamesake?: (item: JsonObject, body: JsonObject) => boolean;
  /**
   * Returns whether a new item matches the request that created it. By default, compares the members that both have.
   */
  readonly matchesCreated?: (body: JsonObject, created: JsonObject) => boolean;
  /** The name for the history if the created item can't be identified. */
  readonly getName?: (write: Write) => string;
  readonly applyToSnapshot?: WriteKind['applyToSnapshot'];
  readonly needsBuild?: boolean;
}

/** Creates the write kind of an endpoint that creates one item. */
export function createCreationKind(options: CreationOptions): WriteKind {
  const { isNamesake = hasRequestedName } = options;
  const hasId = (item: JsonObject): boolean => getText(item[options.idField]) !== '';
  const getItemRef = (item: JsonObject, { params }: Write): ResourceRef =>
    options.getRef(getText(item[options.idField]), params);
  const readItem = (item: JsonObject, write: Write): ReadDocument => ({
    ref: getItemRef(item, write),
    document: maskBody(write, item),
  });
  const matchesRequest = (write: Write, created: JsonObject): boolean =>
    (options.matchesCreated ?? matchesCreated)(asObject(maskBody(write, write.body ?? null)), created);
  const findNamesakes = async (reader: DocumentReader, write: Write): Promise<readonly JsonObject[]> => {
    const key = stringify([write.endpoint, write.params, asObject(write.body)['name'] ?? null]);
    const items = await reader.readList(key, (client) => options.list(client, write));
    return items.filter(isJsonObject).filter((item) => isNamesake(item, asObject(write.body)));
  };
  /** Returns the items with the name of the request that did not exist before. */
  const findNewItems = async (
    write: Write,
    { client, before }: VerifyContext,
  ): Promise<readonly JsonObject[]> => {
    const keysBefore = new Set(before.map(({ ref }) => getRefKey(ref)));
    const items = await findNamesakes(new DocumentReader(client), write);
    // An item without an ID can't be distinguished from those that existed before.
    return items.filter((item) => !hasId(item) || !keysBefore.has(getRefKey(getItemRef(item, write))));
  };
  const { getName = ({ target }) => target?.kind ?? '' } = options;
  return {
    action: 'create',
    needsBuild: options.needsBuild ?? false,
    send: options.send,
    // If the response is lost, an existing item with the same name must not be mistaken for the new one.
    readBefore: async (write, reader) =>
      (await findNamesakes(reader, write)).filter(hasId).map((document) => readItem(document, write)),
    verifyOutcome: async (write, context) => {
      const [created, ...otherItems] = await findNewItems(write, context);
      if (created === undefined) {
        return notHappenedOutcome;
      }
      if (context.isRefused === true) {
        // An undo would delete the item of another user if it counted as created.
        return { ...notHappenedOutcome, namesake: readItem(created, write) };
      }
      // Another user may have created an item with the same name.
      return otherItems.length === 0 && hasId(created) && matchesRequest(write, created)
        ? { state: 'happened', response: created }
        : unknownOutcome;
    },
    findCreated: async (write, context) => {
      const [created, ...otherItems] = await findNewItems(write, context);
      return otherItems.length === 0 ? created : undefined;
    },
    getCreated: (write, response) =>
      toCreatedResources(asObject(response)[options.idField], {
        createRef: (id) => options.getRef(id, write.params),
        isUnchanged: (current, { createdIds, laterBodies }) => {
          const body = withLaterBodies(asObject(maskBody(write, write.body ?? null)), laterBodies);
          // What later requests have sent isn't in the response yet.
          const shown = laterBodies.reduce<JsonObject>(
            (rest, later) => omitMembers(rest, ...Object.keys(later)),
            asObject(maskBody(write, response ?? null)),
          );
          return (
            isJsonObject(current) &&
            matchesRequest({ ...write, body }, current) &&
            hasCreatedSettings(current, { body, response: shown }) &&
            getContents(current).every(({ oid = null }) => createdIds.has(oid))
          );
        },
      }),
    addUndoWrites: (write, { response }, undoWrites) => {
      const id = getText(asObject(response)[options.idField]);
      if (id === '') {
        undoWrites.addLoss({ code: 'not-identified', name: getName(write) });
      } else {
        undoWrites.add(options.createDeletionWrite(id, write.params));
      }
    },
    getEffects: options.getEffects,
    applyToSnapshot: options.applyToSnapshot ?? ((state) => state),
    getReach: () => 'itself',
    getCatalogChanges: options.getCatalogChanges,
  };
}

/** Returns the created item as an array; empty if its ID is unknown. */
export const toCreatedResources = (
  id: JsonValue | undefined,
  {
    createRef,
    isUnchanged,
  }: Pick<CreatedResource, 'isUnchanged'> & { readonly createRef: (id: string) => ResourceRef },
): readonly CreatedResource[] =>
  typeof id === 'string' && id !== '' ? [{ ref: createRef(id), isUnchanged }] : [];

const hasRequestedName = (item: JsonObject, body: JsonObject): boolean =>
  item['name'] === (body['name'] ?? body['id']);

/** Returns the datasets, relations and tables in a datamodel or a dataset. */
function getContents(document: JsonObject): readonly JsonObject[] {
  const { datasets, relations, schema } = document;
  return [
    ...getObjects(datasets).flatMap((dataset) => [dataset, ...getContents(dataset)]),
    ...getObjects(relations),
    ...getObjects(asObject(schema)['tables']),
  ];
}
