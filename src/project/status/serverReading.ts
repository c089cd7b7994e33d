import { type JsonObject, type JsonValue, isJsonObject, parseLossless, stringify } from '../../base/json.ts';
import { isJsonArray } from '../../json/text/copyOnWrite.ts';
import { createNotConvertedCheck } from '../instance/conversionResult.ts';
import { type InstanceDocuments, convertInstance } from '../instance/convertInstance.ts';
import { createNotPulledCheck, createUnreadPartiesCheck } from '../pull/notPulledItems.ts';
import type { Lock } from '../pull/lock.ts';
import { type ProjectSettings, createSelection } from '../settings/projectSettings.ts';
import { type InstanceReading, type ReadScope, createNotReadCheck } from '../source/readInstance.ts';
import type { ServerContents } from './compareStatus.ts';

type Documents = InstanceReading['documents'];

/** Some documents of one kind, as the text of a JSON list. Rules follow the datamodel that they belong to. */
export interface DocumentChunk {
  readonly kind: keyof Documents | 'rules';
  readonly text: string;
}

/** How many documents of a kind are in a chunk: each takes a few milliseconds. */
const chunkSizes: Readonly<Record<DocumentChunk['kind'], number>> = {
  datamodels: 1,
  rules: 200,
  cubeSets: 1,
  viewpoints: 50,
  customData: 20,
  users: 1000,
  groups: 1000,
};

/** Divides the documents of an instance into chunks for another thread, which must receive them in this order. */
export function* createChunks(documents: Documents): Generator<DocumentChunk> {
  for (const { document, rules } of documents.datamodels) {
    yield { kind: 'datamodels', text: stringify([document]) };
    yield* divide('rules', rules);
  }
  for (const kind of ['cubeSets', 'viewpoints', 'customData', 'users', 'groups'] as const) {
    yield* divide(kind, documents[kind]);
  }
}

function* divide(kind: DocumentChunk['kind'], items: readonly unknown[]): Generator<DocumentChunk> {
  const size = chunkSizes[kind];
  for (let start = 0; start < items.length; start += size) {
    yield { kind, text: stringify(items.slice(start, start + size)) };
  }
}

/** Collects the documents of an instance that another thread has read and sends in chunks. */
export class ServerReading {
  readonly #datamodels: { readonly document: JsonObject; readonly rules: JsonObject[] }[] = [];
  readonly #others = new Map<string, JsonValue[]>();

  add({ kind, text }: DocumentChunk): void {
    const value = parseLossless(text);
    const items = isJsonArray(value) ? value : [];
    if (kind === 'datamodels') {
      this.#datamodels.push(...items.filter(isJsonObject).map((document) => ({ document, rules: [] })));
    } else if (kind === 'rules') {
      this.#datamodels.at(-1)?.rules.push(...items.filter(isJsonObject));
    } else {
      this.#others.set(kind, [...(this.#others.get(kind) ?? []), ...items]);
    }
  }

  /** Converts the documents; the lock has the numbers of users and groups without names. */
  convert(scope: ReadScope, settings: ProjectSettings, lock: Lock): ServerContents {
    const instance = convertInstance({ ...this.#documents, numberedReferences: lock.numberedReferences });
    const isNotRead = createNotReadCheck(createSelection(settings), scope);
    const isNotPulled = createNotPulledCheck(lock, instance, scope.listedIds);
    const hasUnreadParties = createUnreadPartiesCheck(instance, scope);
    const isNotConverted = createNotConvertedCheck(instance);
    return {
      instance,
      isUnknownOnInstance: (key) =>
        isNotRead(key) || isNotPulled(key) || hasUnreadParties(key) || isNotConverted(key),
    };
  }

  get #documents(): Omit<InstanceDocuments, 'numberedReferences'> {
    const get = (kind: keyof Documents): unknown => this.#others.get(kind) ?? [];
    // The types are known, because the same program has divided the documents.
    return {
      datamodels: this.#datamodels,
      cubeSets: get('cubeSets') as Documents['cubeSets'],
      viewpoints: get('viewpoints') as Documents['viewpoints'],
      customData: get('customData') as Documents['customData'],
      users: get('users') as Documents['users'],
      groups: get('groups') as Documents['groups'],
    };
  }
}
