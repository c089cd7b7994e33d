import type { PlatformClient } from '../../client/platformClient.ts';
import { isJsonObject, type JsonObject, type JsonValue, stringify } from '../../base/json.ts';
import { refKey, type ResourceRef } from '../../catalog/resourceRef.ts';
import { DocumentReader } from '../model/documentReader.ts';
import { asObject, itemsOf, textOf } from '../model/read.ts';
import type { Write } from '../model/operation.ts';
import { maskBody } from '../model/maskWrite.ts';
import type { Created, Look, WriteKind } from '../model/writeKind.ts';
import { saysMade } from './sayings.ts';
import { notHappened, unknown } from './settling.ts';

/** Everything about an endpoint that creates one thing. How it is settled and undone follows from it. */
interface Creation extends Pick<WriteKind, 'send' | 'effects' | 'affects'> {
  /** Where the answer has the id of what was made. */
  readonly id: 'oid' | 'id';
  readonly refOf: (id: string, params: Write['params']) => ResourceRef;
  readonly deletionOf: (id: string, params: Write['params']) => Write;
  /** What is in the container that the new thing goes into. */
  readonly list: (client: PlatformClient, write: Write) => Promise<JsonValue | undefined>;
  /** Names tell new things apart where nothing else does (titles and names are unique: platform-facts 2.7, spec). */
  readonly isNamesake?: (item: JsonObject, sent: JsonObject) => boolean;
  /** Whether something new says what it was made from; else as far as both speak. */
  readonly saysMade?: (sent: JsonObject, made: JsonObject) => boolean;
  /** What the history calls it where nobody can tell which it is. */
  readonly nameOf?: (write: Write) => string;
  readonly after?: WriteKind['after'];
  readonly needsBuild?: boolean;
}

export function creation(parts: Creation): WriteKind {
  const { isNamesake = hasItsName } = parts;
  const isNamed = (item: JsonObject): boolean => textOf(item[parts.id]) !== '';
  const refIn = (item: JsonObject, { params }: Write): ResourceRef =>
    parts.refOf(textOf(item[parts.id]), params);
  const says = (write: Write, made: JsonObject): boolean =>
    (parts.saysMade ?? saysMade)(asObject(maskBody(write, write.body ?? null)), made);
  const namesakes = async (reader: DocumentReader, write: Write): Promise<readonly JsonObject[]> => {
    const key = stringify([write.endpoint, write.params, asObject(write.body)['name'] ?? null]);
    const items = await reader.listed(key, (client) => parts.list(client, write));
    return items.filter(isJsonObject).filter((item) => isNamesake(item, asObject(write.body)));
  };
  /** What has its name by now and had not before. */
  const newOnes = async (write: Write, { client, before }: Look): Promise<readonly JsonObject[]> => {
    const known = new Set(before.map(({ ref }) => refKey(ref)));
    const found = await namesakes(new DocumentReader(client), write);
    // What has no id cannot be told from what was there.
    return found.filter((item) => !isNamed(item) || !known.has(refKey(refIn(item, write))));
  };
  const { nameOf = ({ target }) => target?.kind ?? '' } = parts;
  return {
    action: 'create',
    needsBuild: parts.needsBuild ?? false,
    send: parts.send,
    // Where the answer is lost, nobody else's is taken for the new one.
    before: async (write, reader) =>
      (await namesakes(reader, write))
        .filter(isNamed)
        .map((document) => ({ ref: refIn(document, write), document: maskBody(write, document) })),
    settle: async (write, look) => {
      const [made, ...others] = await newOnes(write, look);
      if (made === undefined) {
        return notHappened;
      }
      // Somebody else may have made another thing of that name.
      return others.length === 0 && isNamed(made) && says(write, made)
        ? { state: 'happened', answer: made }
        : unknown;
    },
    findMade: async (write, look) => {
      const [made, ...others] = await newOnes(write, look);
      return others.length === 0 ? made : undefined;
    },
    created: (write, answer) =>
      createdAs(asObject(answer)[parts.id], {
        refOf: (id) => parts.refOf(id, write.params),
        isAsMade: (now, own) =>
          isJsonObject(now) && says(write, now) && partsOf(now).every(({ oid = null }) => own.has(oid)),
      }),
    back: (write, { answer }, inverse) => {
      const id = textOf(asObject(answer)[parts.id]);
      if (id === '') {
        inverse.lose({ code: 'not-identified', name: nameOf(write) });
      } else {
        inverse.add(parts.deletionOf(id, write.params));
      }
    },
    effects: parts.effects,
    after: parts.after ?? ((state) => state),
    reach: () => 'itself',
    affects: parts.affects,
  };
}

/** What was made, where its id is known. */
export const createdAs = (
  id: JsonValue | undefined,
  { refOf, isAsMade }: Pick<Created, 'isAsMade'> & { readonly refOf: (id: string) => ResourceRef },
): readonly Created[] => (typeof id === 'string' && id !== '' ? [{ ref: refOf(id), isAsMade }] : []);

const hasItsName = (item: JsonObject, sent: JsonObject): boolean =>
  item['name'] === (sent['name'] ?? sent['id']);

/** What is in a datamodel or a dataset. */
function partsOf(document: JsonObject): readonly JsonObject[] {
  const { datasets, relations, schema } = document;
  return [
    ...itemsOf(datasets).flatMap((dataset) => [dataset, ...partsOf(dataset)]),
    ...itemsOf(relations),
    ...itemsOf(asObject(schema)['tables']),
  ];
}
