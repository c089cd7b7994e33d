import type { Answer } from '../client/answer.ts';
import { HttpError, PartialAnswerError } from '../client/errors.ts';
import { retryOnSessionReplaced } from '../client/abort.ts';
import type { PlatformClient } from '../client/platformClient.ts';
import type { Clock } from '../base/clock.ts';
import type { JsonValue } from '../base/json.ts';
import { PromiseCache } from '../base/promiseCache.ts';
import type { DocumentIdentity } from './documentAddress.ts';
import { createDocumentHandler } from './kinds/kinds.ts';

/** What a server answered. */
export interface ServerDocument {
  /** `undefined` where the server does not have it. */
  readonly value: JsonValue | undefined;
  /** True where secrets are masked in it: good to be shown, not to be sent. */
  readonly isMasked: boolean;
}

interface CacheEntry {
  readonly source: ServerDocument;
  /** The text it came as; a text that comes again is not read again. */
  readonly text: string | undefined;
  readonly at: number;
}

/** A connection in use, as far as documents need it. */
export interface SourceSessions {
  get(connectionId: string): Promise<{ readonly client: PlatformClient }>;
}

/**
 * What servers answered, shared by the documents that are made of one answer (a table and its SQL). Whoever asks while
 * a request is under way waits for that request.
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
   * The answer, at most so old; one request at most. The same object as before as long as the server says the same.
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

  /** What came by another way, such as the answer of a write. */
  put(document: DocumentIdentity, source: ServerDocument): void {
    this.#known.put(getCacheKey(document), { source, text: undefined, at: this.#clock.now() });
  }

  /** Asks anew next time: what is under way may have been answered before the change. */
  forget(document: DocumentIdentity): void {
    const key = getCacheKey(document);
    const known = this.#known.peek(key);
    if (known === undefined) {
      this.#known.forget(key);
    } else {
      // Too old, and still good to be compared with the next one.
      this.#known.put(key, { ...known, at: Number.NEGATIVE_INFINITY });
    }
  }

  /** Nothing is made of the answer any more. */
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

/** The answer, all that is in it; `undefined` for what is not there. */
async function getIfPresent(asking: Promise<Answer<unknown>>): Promise<Answer<unknown> | undefined> {
  try {
    return await asking;
  } catch (error) {
    if (error instanceof HttpError && error.isNotFound) {
      return undefined;
    }
    // A list of rules in which one cannot be read is a text all the same, and keeps the others from nothing.
    if (error instanceof PartialAnswerError) {
      return error.answer;
    }
    throw error;
  }
}
