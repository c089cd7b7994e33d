import type { PlatformClient } from '../../client/platformClient.ts';
import { HttpError, PartialResponseError } from '../../client/errors.ts';
import type { ApiResponse } from '../../client/apiResponse.ts';
import { type JsonValue, isJsonObject } from '../../base/json.ts';
import { maskDocument } from '../../base/secrets/maskSecrets.ts';
import { type ResourceRef, getRefKey } from '../../catalog/resourceRef.ts';
import type { RuleSubject } from '../../catalog/ruleSubject.ts';
import { completeDatamodel, readItemsAsJson } from './readCompleteDatamodel.ts';

type RuleRef = Extract<ResourceRef, { subject: RuleSubject }>;
type DatamodelRef = Extract<ResourceRef, { kind: 'datamodel' }>;

/** Runs a function that reads from the server, and maybe runs it again if it fails. */
export type RetryRead = <Result>(read: () => Promise<Result>) => Promise<Result>;

/**
 * Reads the current documents of a server, without loss and with secrets masked; a datamodel with everything in it.
 * Caches each response, so a reader is used for a single check of the server. Rules and custom data objects have no URL
 * of their own, so all of one collection share a request (rest-api.md, "Endpoints").
 */
export class DocumentReader {
  readonly #client: PlatformClient;
  readonly #signal: AbortSignal | undefined;
  readonly #retryRead: RetryRead;
  readonly #documents = new Map<string, Promise<JsonValue | undefined>>();

  /** @param retryRead runs each read, and may run it again if it fails */
  constructor(client: PlatformClient, signal?: AbortSignal, retryRead: RetryRead = (read) => read()) {
    this.#client = client;
    this.#signal = signal;
    this.#retryRead = retryRead;
  }

  /**
   * Reads a document; `undefined` if the server doesn't have it.
   * @throws ApiError
   */
  async readDocument(ref: ResourceRef): Promise<JsonValue | undefined> {
    if (ref.kind === 'tableExpression') {
      return this.readDocument({ ...ref, kind: 'table' });
    }
    if (ref.kind === 'column' || ref.kind === 'columnExpression') {
      return findItem(
        getField(await this.readDocument({ ...ref, kind: 'table' }), 'columns'),
        'oid',
        ref.columnId,
      );
    }
    if (ref.kind === 'customDataObject') {
      return findItem(await this.readDocument({ kind: 'customData' }), '_id', ref.objectId);
    }
    return 'subject' in ref
      ? selectRules(await this.#readMasked({ kind: 'rules', subject: ref.subject }), ref)
      : this.#readMasked(ref);
  }

  /** Reads the custom data objects that match a filter; not cached. */
  async readMatchingObjects(filter: JsonValue): Promise<readonly JsonValue[]> {
    const document = isJsonObject(filter) ? filter : {};
    return getItems((await this.#client.customData.query(document, this.#signal)).json);
  }

  /**
   * Reads the items of a list that is not itself a document, secrets included; empty if the server doesn't have it.
   * @param key identifies the list in the cache
   * @throws ApiError
   */
  async readList(
    key: string,
    load: (client: PlatformClient) => Promise<JsonValue | undefined>,
  ): Promise<readonly JsonValue[]> {
    return getItems(await this.#loadOnce(`list ${key}`, () => load(this.#client)));
  }

  async #readMasked(ref: ResourceRef): Promise<JsonValue | undefined> {
    const key = getRefKey(ref);
    const load = () => this.#loadOnce(key, async () => (await this.#fetch(ref)).json);
    return maskIfPresent(
      ref,
      // Completed outside of `load`: a missing list doesn't mean that the datamodel doesn't exist.
      await (ref.kind === 'datamodel'
        ? this.#readOnce(`complete ${key}`, async () => {
            const model = await load();
            return this.#retryRead(() => this.#complete(ref, model));
          })
        : load()),
    );
  }

  /** Requests the datasets, tables and relations that the response for a datamodel lacks. */
  async #complete(ref: DatamodelRef, model: JsonValue | undefined): Promise<JsonValue | undefined> {
    if (!isJsonObject(model)) {
      return model;
    }
    return completeDatamodel(this.#client, model, ref, this.#signal, readItemsAsJson);
  }

  /** Loads a response once; `undefined` if the server doesn't have it. */
  #loadOnce(key: string, load: () => Promise<JsonValue | undefined>): Promise<JsonValue | undefined> {
    return this.#readOnce(key, () =>
      this.#retryRead(load).catch((error: unknown) => {
        // Some items are invalid, but the response is only compared and stored as JSON.
        if (error instanceof PartialResponseError) {
          return error.response.json;
        }
        if (error instanceof HttpError && error.isNotFound) {
          return undefined;
        }
        throw error;
      }),
    );
  }

  #readOnce(key: string, read: () => Promise<JsonValue | undefined>): Promise<JsonValue | undefined> {
    const cached = this.#documents.get(key);
    if (cached !== undefined) {
      return cached;
    }
    const reading = read();
    this.#documents.set(key, reading);
    return reading;
  }

  #fetch(ref: ResourceRef): Promise<ApiResponse<unknown>> {
    const [client, signal] = [this.#client, this.#signal];
    switch (ref.kind) {
      case 'datamodel':
        return client.datamodels.get(ref, signal);
      case 'dataset':
        return client.datasets.get(ref, signal);
      case 'table':
      case 'tableExpression':
      case 'column':
      case 'columnExpression':
        return client.tables.get(ref, signal);
      case 'relation':
        return client.relations.get(ref, signal);
      case 'viewpoint':
        return client.viewpoints.get(ref, signal);
      case 'build':
        return client.builds.get(ref, signal);
      case 'customData':
      case 'customDataObject':
        return client.customData.list(signal);
      case 'rules':
      case 'columnRules':
      case 'rule':
        return ref.subject.kind === 'live'
          ? client.liveRules.list(ref.subject, signal)
          : client.extractRules.list(ref.subject, signal);
    }
  }
}

function selectRules(rules: JsonValue | undefined, ref: RuleRef): JsonValue | undefined {
  switch (ref.kind) {
    case 'rules':
      return rules === undefined ? undefined : getItems(rules);
    case 'rule':
      return findItem(rules, '_id', ref.ruleId);
    case 'columnRules':
      return rules === undefined
        ? undefined
        : getItems(rules).filter(
            (rule) => getField(rule, 'table') === ref.table && getField(rule, 'column') === ref.column,
          );
  }
}

const maskIfPresent = ({ kind }: ResourceRef, value: JsonValue | undefined): JsonValue | undefined =>
  value === undefined ? undefined : maskDocument(kind, value);

const getField = (value: JsonValue | undefined, name: string): JsonValue | undefined =>
  isJsonObject(value) ? value[name] : undefined;

const getItems = (value: JsonValue | undefined): readonly JsonValue[] =>
  Array.isArray(value) ? (value as readonly JsonValue[]) : [];

const findItem = (list: JsonValue | undefined, key: string, id: string): JsonValue | undefined =>
  getItems(list).find((item) => getField(item, key) === id);
