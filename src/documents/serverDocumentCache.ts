import type { Answer } from '../client/answer.ts';
import { HttpError, PartialAnswerError } from '../client/errors.ts';
import { retryOnSessionReplaced } from '../client/abort.ts';
import type { PlatformClient } from '../client/platformClient.ts';
import type { Clock } from '../base/clock.ts';
import type { JsonValue } from '../base/json.ts';
import { PromiseCache } from '../base/promiseCache.ts';
import type { DocumentIdentity } from './documentAddress.ts';
import { createDocumentHandler } from './kinds/kinds.ts';

/** A document as the server returned it. */
export interface ServerDocument {
  /** `undefined` if the server does not have it. */
  readonly value: JsonValue | undefined;
  /** True if its secrets are masked: suitable for display, not for sending. */
  readonly isMasked: boolean;
}

interface CacheEntry {
  readonly source: ServerDocument;
  /** The original text. If the next response has the same text, its parsed value is reused. */
  readonly text: string | undefined;
  readonly at: number;
}

/** Provides the sessions of connections, as far as documents need them. */
export interface SourceSessions {
  get(connectionId: string): Promise<{ readonly client: PlatformClient }>;
}

/**
 * Caches the servers' responses. Documents that are based on the same response, such as a table and its SQL, share it.
 * Concurrent callers share one request.
 */
export class ServerDocumentCache {
  readonly #sessions: SourceSessions;
  readonly #clock: Clock;
  readonly #known = new PromiseCache<CacheEntry>();

  constructor(sessions: SourceSessions, clock: Clock) {
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
    const known = this.#known.peek(key);
    if (known !== undefined && this.#clock.now() - known.at <= maxAgeMs) {
      return known.source;
    }
    return (await this.#known.refresh(key, () => this.#load(key, document))).source;
  }

  /** Stores a document that was not read by this cache, such as the response of a write. */
  put(document: DocumentIdentity, source: ServerDocument): void {
    this.#known.put(getCacheKey(document), { source, text: undefined, at: this.#clock.now() });
  }

  /** Makes the next call send a request, even if one is in progress: its response may predate the change. */
  forget(document: DocumentIdentity): void {
    const key = getCacheKey(document);
    const known = this.#known.peek(key);
    if (known === undefined) {
      this.#known.forget(key);
    } else {
      // Too old to return, but kept for comparison with the next response.
      this.#known.put(key, { ...known, at: Number.NEGATIVE_INFINITY });
    }
  }

  /** Removes a response that no document is based on any more. */
  drop(document: DocumentIdentity): void {
    this.#known.forget(getCacheKey(document));
  }

  async #load(key: string, document: DocumentIdentity): Promise<CacheEntry> {
    const answer = await this.#fetch(document);
    const known = this.#known.peek(key);
    const isSame = known?.text !== undefined && known.text === answer?.text;
    const source = isSame ? known.source : { value: answer?.json, isMasked: false };
    return { source, text: answer?.text, at: this.#clock.now() };
  }

  async #fetch({ connectionId, resource }: DocumentIdentity): Promise<Answer<unknown> | undefined> {
    return retryOnSessionReplaced(async () => {
      const { client } = await this.#sessions.get(connectionId);
      return getIfPresent(createDocumentHandler(resource).fetch(client));
    });
  }
}

const getCacheKey = ({ connectionId, resource }: DocumentIdentity): string =>
  JSON.stringify([connectionId, createDocumentHandler(resource).sourceKey]);

/** Returns the complete response; `undefined` for a document that doesn't exist. */
async function getIfPresent(asking: Promise<Answer<unknown>>): Promise<Answer<unknown> | undefined> {
  try {
    return await asking;
  } catch (error) {
    if (error instanceof HttpError && error.isNotFound) {
      return undefined;
    }
    // The text of a list is available even if one of its rules can't be parsed.
    if (error instanceof PartialAnswerError) {
      return error.answer;
    }
    throw error;
  }
}
