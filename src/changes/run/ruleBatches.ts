import { type Clock, delay } from '../../base/clock.ts';
import { stringify } from '../../base/json.ts';
import {
  ApiError,
  HttpError,
  RuleTooLargeError,
  PartlyCreatedError,
  PayloadError,
} from '../../client/errors.ts';
import { type WaitPolicy, getWaitMs, waitCancellable } from './waitPolicy.ts';
import type { WriteDocument } from '../../client/payloads/writeDocument.ts';
import { RuleTally, getFingerprint } from './ruleTally.ts';
import type { RuleWriter } from './ruleWriters.ts';

/** What became of each rule, by its index in the list that was to be written; every index is in exactly one list. */
export interface RuleBatchReport {
  readonly written: readonly number[];
  /** Certainly not written, and why: refused by the server, too large, or against the spec. */
  readonly failed: readonly { readonly index: number; readonly error: ApiError | PayloadError }[];
  /** Not tried, because the run was stopped or cancelled. */
  readonly notSent: readonly number[];
  /** Sent without a clear answer, and what is on the server does not tell either. A resume looks again first. */
  readonly inDoubt: readonly number[];
  /** What ended the run early; `undefined` when it went through all rules or was cancelled. */
  readonly stoppedBy: ApiError | undefined;
  /** What was expected to be on the server when doubt arose; a resume compares with it. */
  readonly expected: RuleTally;
}

export interface RuleBatchOptions {
  /** The longest body of one request, in bytes of UTF-8. A single longer rule is tried by itself. */
  readonly maxBytes: number;
  readonly clock: Clock;
  /** Stops the run between two requests: a request that is under way is always brought to a clear end. */
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: (progress: { readonly done: number; readonly total: number }) => void;
  /** These rules are on the server now, by their indices. */
  readonly onWritten?: ((indices: readonly number[]) => void) | undefined;
  /** Pause between two looks at the server after an unclear answer, in milliseconds. */
  readonly verifyDelayMs?: number | undefined;
  /** What is on the server at the beginning, where the caller has just looked. */
  readonly present?: RuleTally | undefined;
  /**
   * How often a request that certainly did nothing is sent again in a row: after the wait that a busy server asks for
   * (429), or after a failure whose second look shows that nothing is there. Never, unless said.
   */
  readonly waitPolicy?: WaitPolicy | undefined;
  /** Halves a batch that is refused until the rules are found that are; fails it whole unless said. */
  readonly isNarrow?: boolean | undefined;
}

const defaultVerifyDelayMs = 2000;
/** How often the server is looked at before a batch stays in doubt. */
const maxReads = 6;

/**
 * Adds many rules by as few requests as the sizes allow, one after the other. A batch that is refused for its size
 * (413) or its time (504) is halved. After an answer that leaves open whether a batch was written, the rules of the
 * cube are read again until two looks agree, and only what is missing is sent: no rule is written twice.
 * @param from the report of an earlier run over the same rules, to go on from there
 * @throws ApiError only when the rules that are there at the beginning cannot be read; nothing was sent then
 */
export async function writeRuleBatches(
  writer: RuleWriter,
  rules: readonly WriteDocument[],
  options: RuleBatchOptions,
  from?: RuleBatchReport,
): Promise<RuleBatchReport> {
  const run = new RuleBatchRun(writer, rules, options, from);
  await run.begin();
  await run.sendAll();
  return run.report();
}

/** One run; lists of indices throughout. */
class RuleBatchRun {
  readonly #writer: RuleWriter;
  readonly #rules: readonly WriteDocument[];
  readonly #options: RuleBatchOptions;
  readonly #written: number[];
  readonly #failed: { index: number; error: ApiError | PayloadError }[];
  /** Indices that may already be written by an earlier run. */
  readonly #doubted: readonly number[];
  readonly #fingerprints = new Map<number, string>();
  #queue: (readonly number[])[] = [];
  #todo: readonly number[];
  #inDoubt: readonly number[] = [];
  #expected: RuleTally;
  #stoppedBy: ApiError | undefined;
  /** Failures since the last rule that was written. */
  #failures = 0;

  constructor(
    writer: RuleWriter,
    rules: readonly WriteDocument[],
    options: RuleBatchOptions,
    from: RuleBatchReport | undefined,
  ) {
    this.#writer = writer;
    this.#rules = rules;
    this.#options = options;
    this.#written = [...(from?.written ?? [])];
    this.#failed = [...(from?.failed ?? [])];
    this.#doubted = from?.inDoubt ?? [];
    this.#todo = from?.notSent ?? rules.map((_rule, index) => index);
    this.#expected = from?.expected ?? new RuleTally();
  }

  async begin(): Promise<void> {
    const sizes = this.#measure([...this.#doubted, ...this.#todo]);
    const refused = new Set(this.#failed.map(({ index }) => index));
    const doubted = this.#doubted.filter((index) => !refused.has(index));
    this.#todo = this.#todo.filter((index) => !refused.has(index));
    if (doubted.length > 0) {
      const { missing, clear } = await this.#readMissing(doubted);
      if (!clear) {
        this.#inDoubt = missing;
        return;
      }
      this.#todo = [...missing, ...this.#todo];
    } else if (this.#todo.length > 0) {
      this.#expected = this.#options.present ?? new RuleTally(await this.#present());
    }
    this.#queue = createBatches(this.#todo, sizes, this.#options.maxBytes);
  }

  async sendAll(): Promise<void> {
    while (this.#queue.length > 0 && this.#stoppedBy === undefined && this.#inDoubt.length === 0) {
      if (this.#options.signal?.aborted === true) {
        return;
      }
      const [next = [], ...rest] = this.#queue;
      const most = this.#writer.maxRulesPerCall?.() ?? next.length;
      const batch = next.slice(0, most);
      this.#queue = next.length > most ? [next.slice(most), ...rest] : rest;
      await this.#sendBatch(batch);
      const done = this.#written.length + this.#failed.length;
      this.#options.onProgress?.({ done, total: this.#rules.length });
    }
  }

  report(): RuleBatchReport {
    const settled = new Set([...this.#written, ...this.#failed.map(({ index }) => index), ...this.#inDoubt]);
    return {
      written: sortAscending(this.#written),
      failed: this.#failed.toSorted((a, b) => a.index - b.index),
      notSent: this.#rules.map((_rule, index) => index).filter((index) => !settled.has(index)),
      inDoubt: sortAscending(this.#inDoubt),
      stoppedBy: this.#stoppedBy,
      expected: this.#expected,
    };
  }

  /** Bytes of each rule; one that must not be sent fails here. */
  #measure(indices: readonly number[]): ReadonlyMap<number, number> {
    const sizes = new Map<number, number>();
    for (const index of indices) {
      try {
        const payload = this.#writer.payload(this.#rules[index] ?? {});
        sizes.set(index, Buffer.byteLength(stringify(payload)));
        this.#fingerprints.set(index, getFingerprint(payload));
      } catch (error) {
        if (!(error instanceof PayloadError)) {
          throw error;
        }
        this.#failed.push({ index, error });
      }
    }
    return sizes;
  }

  async #sendBatch(batch: readonly number[]): Promise<void> {
    try {
      await this.#writer.create(this.#documents(batch));
      this.#take(batch);
    } catch (error) {
      if (!(error instanceof ApiError)) {
        throw error;
      }
      await (error instanceof PartlyCreatedError
        ? this.#part(batch, error)
        : this.#handleFailure(batch, error));
    }
  }

  /** The first rules of the batch are written, the next ones failed, and those behind are still to be sent. */
  async #part(batch: readonly number[], { written, pending, failure }: PartlyCreatedError): Promise<void> {
    this.#take(batch.slice(0, written));
    const rest = batch.slice(written + pending);
    this.#queue = rest.length === 0 ? this.#queue : [rest, ...this.#queue];
    await this.#handleFailure(batch.slice(written, written + pending), failure);
  }

  /** What a failure means for the batch that it is about. */
  async #handleFailure(batch: readonly number[], error: ApiError): Promise<void> {
    if (error instanceof HttpError && error.isTooLarge) {
      this.#halve(batch, new RuleTooLargeError(error));
    } else if (error.mayHaveHappened) {
      await this.#verifyOutcome(batch, error);
    } else if (error.code === 'rejected' || error.code === 'not-found' || error.code === 'conflict') {
      if (this.#options.isNarrow === true) {
        this.#halve(batch, error);
      } else {
        this.#fail(batch, error);
      }
    } else if (!(await this.#retry(batch, error))) {
      // Nothing reached the server, or it takes nothing from us now: the next batch would fare no better.
      this.#stoppedBy = error;
    }
  }

  /** Finds out what became of a batch whose answer leaves it open, and goes on with what is missing. */
  async #verifyOutcome(batch: readonly number[], error: ApiError): Promise<void> {
    let found: { missing: readonly number[]; clear: boolean };
    try {
      found = await this.#readMissing(batch);
    } catch (lookError) {
      if (!(lookError instanceof ApiError)) {
        throw lookError;
      }
      this.#inDoubt = batch;
      this.#stoppedBy = error;
      return;
    }
    if (!found.clear) {
      this.#inDoubt = found.missing;
      this.#stoppedBy = error;
      return;
    }
    if (found.missing.length === 0) {
      return;
    }
    if (error instanceof HttpError && error.status === 504) {
      if (found.missing.length < batch.length) {
        // Shorter than what took too long, so it may go through by itself.
        this.#queue = [found.missing, ...this.#queue];
      } else {
        this.#halve(batch, error);
      }
      return;
    }
    if (await this.#retry(found.missing, error)) {
      return;
    }
    this.#fail(found.missing, error);
    this.#stoppedBy = error;
  }

  /** Puts what certainly was not written first in the queue again, after a wait; false when that is pointless. */
  async #retry(batch: readonly number[], error: ApiError): Promise<boolean> {
    const { waitPolicy, clock, signal } = this.#options;
    const pause = getWaitMs(error, this.#failures, waitPolicy);
    if (pause === undefined) {
      return false;
    }
    this.#failures += 1;
    this.#queue = [batch, ...this.#queue];
    await waitCancellable(pause, { clock, signal, patience: waitPolicy });
    return true;
  }

  /**
   * Looks at the server until two looks agree. Takes what it finds of the batch as written.
   * `clear` is false when the looks never agree, or when there are new rules on the columns of missing ones: the
   * server may have stored those in another spelling (it drops unknown users: platform-facts 3.1).
   * @throws ApiError when the rules cannot be read
   */
  async #readMissing(batch: readonly number[]): Promise<{ missing: readonly number[]; clear: boolean }> {
    let before: string | undefined;
    for (let look = 0; look < maxReads; look += 1) {
      if (look > 0) {
        await delay(this.#options.clock, this.#options.verifyDelayMs ?? defaultVerifyDelayMs);
      }
      const extra = new RuleTally(await this.#present()).getExcess(this.#expected);
      const found = splitByPresence(batch, extra, this.#fingerprints);
      const state = extra.toSorted().join('\n');
      if (found.missing.length === 0 || state === before) {
        this.#take(found.written);
        return { missing: found.missing, clear: found.missing.length === 0 || !found.maybe };
      }
      before = state;
    }
    return { missing: batch, clear: false };
  }

  /** Fingerprints of the rules on the server. */
  async #present(): Promise<readonly string[]> {
    return (await this.#writer.list(this.#rules)).map(getFingerprint);
  }

  #documents(batch: readonly number[]): readonly WriteDocument[] {
    return batch.map((index) => this.#rules[index] ?? {});
  }

  #take(batch: readonly number[]): void {
    if (batch.length > 0) {
      this.#failures = 0;
    }
    for (const index of batch) {
      this.#written.push(index);
      this.#expected.add(this.#fingerprints.get(index) ?? '');
    }
    if (batch.length > 0) {
      this.#options.onWritten?.(batch);
    }
  }

  #fail(batch: readonly number[], error: ApiError): void {
    this.#failed.push(...batch.map((index) => ({ index, error })));
  }

  #halve(batch: readonly number[], error: ApiError): void {
    if (batch.length <= 1) {
      this.#fail(batch, error);
      return;
    }
    const middle = Math.ceil(batch.length / 2);
    this.#queue = [batch.slice(0, middle), batch.slice(middle), ...this.#queue];
  }
}

const sortAscending = (indices: readonly number[]): readonly number[] => indices.toSorted((a, b) => a - b);

/** Fills batches in order up to the byte limit; brackets and commas count. */
function createBatches(
  indices: readonly number[],
  sizes: ReadonlyMap<number, number>,
  maxBytes: number,
): (readonly number[])[] {
  const filled: number[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const index of indices) {
    const size = (sizes.get(index) ?? 0) + 1;
    if (bytes + size > maxBytes) {
      filled.push([]);
      bytes = 1;
    }
    filled.at(-1)?.push(index);
    bytes += size;
  }
  return filled;
}

/** Which of a batch are among the new rules, and whether others may be among them in another spelling. */
function splitByPresence(
  batch: readonly number[],
  extra: readonly string[],
  fingerprints: ReadonlyMap<number, string>,
): { written: readonly number[]; missing: readonly number[]; maybe: boolean } {
  const unclaimed = [...extra];
  const written: number[] = [];
  const missing: number[] = [];
  for (const index of batch) {
    const at = unclaimed.indexOf(fingerprints.get(index) ?? '');
    if (at === -1) {
      missing.push(index);
    } else {
      unclaimed.splice(at, 1);
      written.push(index);
    }
  }
  const columns = new Set(unclaimed.map(getColumnPart));
  return {
    written,
    missing,
    maybe: missing.some((index) => columns.has(getColumnPart(fingerprints.get(index) ?? '[]'))),
  };
}

/** The cube, table and column of a fingerprint. */
const getColumnPart = (each: string): string =>
  stringify((JSON.parse(each) as readonly unknown[]).slice(0, 4));
