import type { Disposable } from '../base/disposable.ts';
import { Emitter } from '../base/event.ts';
import type { EndpointId, PathDialect, PathParams } from '../contract/endpoints.ts';
import { HttpError } from './errors.ts';
import { getEndpoint } from './apiError.ts';
import type { RawResponse, SendOptions } from './send.ts';

/** Sends operations in one dialect. */
export interface DialectSender {
  /** @throws ApiError if the request must not be sent */
  check<Id extends EndpointId>(
    endpoint: Id,
    params: PathParams<Id>,
    options: SendOptions & { readonly dialect: PathDialect },
  ): void;
  send<Id extends EndpointId>(
    endpoint: Id,
    params: PathParams<Id>,
    options: SendOptions & { readonly dialect: PathDialect },
  ): Promise<RawResponse>;
}

const getOtherDialect = (dialect: PathDialect): PathDialect => (dialect === 'plain' ? 'schema' : 'plain');

/** The lists that have a path in each dialect: their 404 may mean that the instance uses the other one. */
const listEndpoints: ReadonlySet<EndpointId> = new Set<EndpointId>([
  'datamodels.list',
  'datasets.list',
  'tables.list',
  'relations.list',
]);

/**
 * Detects which form of the datamodel paths an instance uses (platform-facts.md, 0) and remembers it. Only a collection
 * that responds in the other dialect changes the remembered one: the 404 of a single resource means that it does not
 * exist, not that its path is wrong. A write is never sent a second time: while the dialect is unknown, a list is
 * requested first.
 */
export class DialectDetector implements Disposable {
  readonly #sender: DialectSender;
  readonly #onDidChange = new Emitter<PathDialect>();
  readonly onDidChange = this.#onDidChange.event;
  #current: PathDialect;
  #isConfirmed = false;

  /** @param initial the remembered dialect of the instance; it is tried first */
  constructor(sender: DialectSender, initial: PathDialect) {
    this.#sender = sender;
    this.#current = initial;
  }

  get current(): PathDialect {
    return this.#current;
  }

  /** Sends an operation in the dialect of the instance. */
  async send<Id extends EndpointId>(
    endpoint: Id,
    params: PathParams<Id>,
    options: SendOptions,
  ): Promise<RawResponse> {
    const { method, schemaPath } = getEndpoint(endpoint);
    if (schemaPath === undefined) {
      return this.#sender.send(endpoint, params, { ...options, dialect: 'plain' });
    }
    if (method !== 'GET') {
      // A forbidden operation is rejected before anything is requested on its behalf.
      this.#sender.check(endpoint, params, { ...options, dialect: this.#current });
      await this.#probe(options.signal);
      return this.#sender.send(endpoint, params, { ...options, dialect: this.#current });
    }
    const triedDialect = this.#current;
    try {
      const response = await this.#sender.send(endpoint, params, { ...options, dialect: triedDialect });
      // A server that returns a web page for every path confirms nothing.
      this.#isConfirmed ||= triedDialect === this.#current && /json/i.test(response.contentType);
      return response;
    } catch (error) {
      if (!isNotFoundError(error)) {
        throw error;
      }
      if (listEndpoints.has(endpoint)) {
        return this.#tryOtherDialect(triedDialect, error, (dialect) =>
          this.#sender.send(endpoint, params, { ...options, dialect }),
        );
      }
      await this.#probe(options.signal);
      if (this.#current === triedDialect) {
        throw error;
      }
      return this.#sender.send(endpoint, params, { ...options, dialect: this.#current });
    }
  }

  dispose(): void {
    this.#onDidChange.dispose();
  }

  /** Requests a list in the other dialect; throws the first error if the list is missing there too. */
  async #tryOtherDialect(
    triedDialect: PathDialect,
    notFoundError: HttpError,
    sendList: (dialect: PathDialect) => Promise<RawResponse>,
  ): Promise<RawResponse> {
    let response: RawResponse;
    try {
      response = await sendList(getOtherDialect(triedDialect));
    } catch (error) {
      // In the plain dialect `schema` is read as an ID, and a malformed ID is a 400 (platform-facts.md, 2.7).
      throw error instanceof HttpError && (error.status === 404 || error.status === 400)
        ? notFoundError
        : error;
    }
    this.#isConfirmed = true;
    if (this.#current === triedDialect) {
      this.#current = getOtherDialect(triedDialect);
      this.#onDidChange.fire(this.#current);
    }
    return response;
  }

  /**
   * While the dialect is unknown, requests the shortest list to detect it. If the server refuses the request, the
   * dialect stays unknown.
   */
  async #probe(signal: AbortSignal | undefined): Promise<void> {
    if (this.#isConfirmed) {
      return;
    }
    try {
      await this.send('datamodels.list', {}, { query: { fields: 'oid', limit: 1, skip: 0 }, signal });
    } catch (error) {
      if (!(error instanceof HttpError)) {
        throw error;
      }
    }
  }
}

const isNotFoundError = (error: unknown): error is HttpError =>
  error instanceof HttpError && error.status === 404;
