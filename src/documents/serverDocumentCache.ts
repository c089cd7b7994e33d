import type { ApiResponse } from '../client/apiResponse.ts';
import { HttpError, PartialResponseError } from '../client/errors.ts';
import { retryOnSessionReplaced } from '../client/abort.ts';
import type { PlatformClient } from '../client/platformClient.ts';
import type { Clock } from '../base/clock.ts';
import type { JsonValue } from '../base/json.ts';
import { PromiseCache } from '../base/promiseCache.ts';
import type { DocumentIdentity } from './documentAddress.ts';
import { createDocumentHandler } from './kinds/documentHandler.ts';

/** A document as the server returned it. */
export interface ServerDocument {
  /** `undefined` if the server does not have it. */
  readonly value: JsonValue | undefined;
  /** True if its secrets are masked: suitable for display, not for sending. */
  readonly isMasked: boolean;
}

interface CacheEntry {
  readonly serverDocument: ServerDocument;
  /** The original text. If the next response has the same text, its parsed value is reused. */
  readonly text: string | undefined;
  readonly readAt: number;
}

/** Provides the sessions of connections, as far as documents need them. */
export interface DocumentSessions {
  get(connectionId: string): Promise<{ readonly client: PlatformClient }>;
}

/**
 * Caches the servers' responses. Documents that are based on the same response, such as a table and its SQL, share it.
 * Concurrent callers share one request.
 */
export class ServerDocumentCache {
  readonly #sessions: DocumentSessions;
  readonly #clock: Clock;
  readonly #entries = new PromiseCache<CacheEntry>();

  constructor(sessions: DocumentSessions, clock: Clock) {
    this.#sessions = sessions;
    this.#clock = clock;
  }

  /**
   * Returns the response, at most `maxAgeMs` old, with at most one request. Returns the same object as long as the
   * server's content is the same.
   * @throws ApiError
   */
  async get(document: DocumentIdentity, maxAgeMs: number): Promise<ServerDocument> {
    const key = getCacheKey(document);
    const entry = this.#entries.peek(key);
    if (entry !== undefined && this.#clock.now() - entry.readAt <= maxAgeMs) {
      return entry.serverDocument;
    }
    return (await this.#entries.refresh(key, () => this.#load(key, document))).serverDocument;
  }

  /** Stores a document that was not read by this cache, such as the response of a write. */
  put(document: DocumentIdentity, serverDocument: ServerDocument): void {
    this.#entries.set(getCacheKey(document), { serverDocument, text: undefined, readAt: this.#clock.now() });
  }

  /** Makes the next call send a request, even if one is in progress: its response may predate the change. */
  invalidate(document: DocumentIdentity): void {
    const key = getCacheKey(document);
    const entry = this.#entries.peek(key);
    if (entry === undefined) {
      this.#entries.forget(key);
    } else {
      // Too old to return, but kept for comparison with the next response.
      this.#entries.set(key, { ...entry, readAt: Number.NEGATIVE_INFINITY });
    }
  }

  /** Removes a response that no document needs any longer. */
  drop(document: DocumentIdentity): void {
    this.#entries.forget(getCacheKey(document));
  }

  async #load(key: string, document: DocumentIdentity): Promise<CacheEntry> {
    const response = await this.#fetch(document);
    const entry = this.#entries.peek(key);
    const isSame = entry?.text !== undefined && entry.text === response?.text;
    const serverDocument = isSame ? entry.serverDocument : { value: response?.json, isMasked: false };
    return { serverDocument, text: response?.text, readAt: this.#clock.now() };
  }

  async #fetch({ connectionId, resource }: DocumentIdentity): Promise<ApiResponse<unknown> | undefined> {
    return retryOnSessionReplaced(async () => {
      const { client } = await this.#sessions.get(connectionId);
      return getIfFound(createDocumentHandler(resource).fetch(client));
    });
  }
}

const getCacheKey = ({ connectionId, resource }: DocumentIdentity): string =>
  JSON.stringify([connectionId, createDocumentHandler(resource).sourceKey]);

/** Returns the complete response; `undefined` for a document that doesn't exist. */
async function getIfFound(request: Promise<ApiResponse<unknown>>): Promise<ApiResponse<unknown> | undefined> {
  try {
    return await request;
  } catch (error) {
    if (error instanceof HttpError && error.isNotFound) {
      return undefined;
    }
    // The text of a list is available even if one of its rules can't be parsed.
    if (error instanceof PartialResponseError) {
      return error.response;
    }
    throw error;
  }
}
