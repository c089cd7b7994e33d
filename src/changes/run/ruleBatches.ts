import { type Clock, delay } from '../../base/clock.ts';
import { stringify } from '../../base/json.ts';
import {
  ApiError,
  HttpError,
  RuleTooLargeError,
  PartlyCreatedError,
  PayloadError,
} from '../../client/errors.ts';
import { type WriteRetryPolicy, getWaitMs, waitUnlessCanceled } from './writeRetryPolicy.ts';
import type { DocumentToWrite } from '../../client/payloads/documentToWrite.ts';
import { RuleTally, getFingerprint } from './ruleTally.ts';
import type { RuleWriter } from './ruleWriters.ts';

/** The result of each rule, by its index in the list to write; every index is in exactly one list. */
export interface RuleBatchReport {
  readonly written: readonly number[];
  /** Certainly not written: rejected by the server, too large, or invalid according to the API guide. */
  readonly failed: readonly { readonly index: number; readonly error: ApiError | PayloadError }[];
  /** Not sent, because the run was stopped or canceled, or because other rules are in doubt. */
  readonly notSent: readonly number[];
  /**
   * Sent without a clear response, and the rules on the server don't show the outcome. A resume verifies them first.
   */
  readonly inDoubt: readonly number[];
  /**
   * The error that stopped the run; `undefined` if it was completed or canceled, or if rules of the previous run are
   * still in doubt.
   */
  readonly stoppedBy: ApiError | undefined;
  /** The rules known to be on the server; a resume compares the current rules with them. */
  readonly expected: RuleTally;
}

export interface RuleBatchOptions {
  /** The maximum body of one request, in bytes of UTF-8. A single rule that exceeds it is tried on its own. */
  readonly maxBytes: number;
  readonly clock: Clock;
  /** Cancels the run between two requests; a request in progress is completed. */
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: (progress: { readonly done: number; readonly total: number }) => void;
  /** Called with the indices of rules that are now on the server. */
  readonly onWritten?: ((indices: readonly number[]) => void) | undefined;
  /** The pause between two checks of the server after an unclear response, in milliseconds. */
  readonly verifyDelayMs?: number | undefined;
  /** The current rules on the server, if the caller has just read them. */
  readonly currentRules?: RuleTally | undefined;
  /**
   * The limits for retries of a request that certainly had no effect: one that a busy server rejected (429), or one
   * whose verification finds that nothing was written. By default, there are no retries.
   */
  readonly retryPolicy?: WriteRetryPolicy | undefined;
  /** Whether to halve a rejected batch until the rejected rules are found; by default, the whole batch fails. */
  readonly halvesRejectedBatches?: boolean | undefined;
}

const defaultVerifyDelayMs = 2000;
/** The number of checks of the server before a batch stays in doubt. */
const maxReads = 6;

/**
 * Adds many rules with as few requests as possible, one after the other. A batch that is too large (413) or takes too
 * long (504) is halved. If it is unclear whether a batch was written, the rules on the server are read until two
 * reads agree, and only the missing ones are sent, so that no rule is written twice.
 * @param previousReport the report of an earlier run over the same rules, to continue from
 * @throws ApiError only if the current rules can't be read at the start; then nothing was sent
 */
export async function writeRuleBatches(
  writer: RuleWriter,
  rules: readonly DocumentToWrite[],
  options: RuleBatchOptions,
  previousReport?: RuleBatchReport,
): Promise<RuleBatchReport> {
  const run = new RuleBatchRun(writer, rules, options, previousReport);
  await run.begin();
  await run.sendAll();
  return run.createReport();
}

/** One run. Rules are identified by their indices in the list to write. */
class RuleBatchRun {
  readonly #writer: RuleWriter;
  readonly #rules: readonly DocumentToWrite[];
  readonly #options: RuleBatchOptions;
  readonly #written: number[];
  readonly #failed: { index: number; error: ApiError | PayloadError }[];
  /** Indices that an earlier run may already have written. */
  readonly #uncertain: readonly number[];
  readonly #fingerprints = new Map<number, string>();
  #queue: (readonly number[])[] = [];
  #pending: readonly number[];
  #inDoubt: readonly number[] = [];
  #expected: RuleTally;
  #stoppedBy: ApiError | undefined;
  /** The number of retries since the last written rule. */
  #retryCount = 0;

  constructor(
    writer: RuleWriter,
    rules: readonly DocumentToWrite[],
    options: RuleBatchOptions,
    previousReport: RuleBatchReport | undefined,
  ) {
    this.#writer = writer;
    this.#rules = rules;
    this.#options = options;
    this.#written = [...(previousReport?.written ?? [])];
    this.#failed = [...(previousReport?.failed ?? [])];
    this.#uncertain = previousReport?.inDoubt ?? [];
    this.#pending = previousReport?.notSent ?? rules.map((_rule, index) => index);
    this.#expected = previousReport?.expected ?? new RuleTally();
  }

  /** Verifies the uncertain rules of an earlier run, and creates the batches. */
  async begin(): Promise<void> {
    const sizes = this.#preparePayloads([...this.#uncertain, ...this.#pending]);
    const failedIndices = new Set(this.#failed.map(({ index }) => index));
    const uncertain = this.#uncertain.filter((index) => !failedIndices.has(index));
    this.#pending = this.#pending.filter((index) => !failedIndices.has(index));
    if (uncertain.length > 0) {
      const { missing, isClear } = await this.#readMissing(uncertain);
      if (!isClear) {
        this.#inDoubt = missing;
        return;
      }
      this.#pending = [...missing, ...this.#pending];
    } else if (this.#pending.length > 0) {
      this.#expected = this.#options.currentRules ?? new RuleTally(await this.#readFingerprints());
    }
    this.#queue = createBatches(this.#pending, sizes, this.#options.maxBytes);
  }

  /** Sends batches until none is left, or the run is stopped or canceled. */
  async sendAll(): Promise<void> {
    while (this.#queue.length > 0 && this.#stoppedBy === undefined && this.#inDoubt.length === 0) {
      if (this.#options.signal?.aborted === true) {
        return;
      }
      const [next = [], ...remaining] = this.#queue;
      const maxRules = this.#writer.maxRulesPerCall?.() ?? next.length;
      const batch = next.slice(0, maxRules);
      this.#queue = next.length > maxRules ? [next.slice(maxRules), ...remaining] : remaining;
      await this.#sendBatch(batch);
      const done = this.#written.length + this.#failed.length;
      this.#options.onProgress?.({ done, total: this.#rules.length });
    }
  }

  createReport(): RuleBatchReport {
    const resolvedIndices = new Set([
      ...this.#written,
      ...this.#failed.map(({ index }) => index),
      ...this.#inDoubt,
    ]);
    return {
      written: sortAscending(this.#written),
      failed: this.#failed.toSorted((a, b) => a.index - b.index),
      notSent: this.#rules.map((_rule, index) => index).filter((index) => !resolvedIndices.has(index)),
      inDoubt: sortAscending(this.#inDoubt),
      stoppedBy: this.#stoppedBy,
      expected: this.#expected,
    };
  }

  /**
   * Creates the payloads. Returns their sizes in bytes, stores their fingerprints, which everything else needs, and
   * marks rules with an invalid payload as failed.
   */
  #preparePayloads(indices: readonly number[]): ReadonlyMap<number, number> {
    const sizes = new Map<number, number>();
    for (const index of indices) {
      try {
        const payload = this.#writer.createPayload(this.#rules[index] ?? {});
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
      await this.#writer.create(this.#getDocuments(batch));
      this.#markWritten(batch);
    } catch (error) {
      if (!(error instanceof ApiError)) {
        throw error;
      }
      await (error instanceof PartlyCreatedError
        ? this.#handlePartlyCreated(batch, error)
        : this.#handleFailure(batch, error));
    }
  }

  /**
   * Handles a batch that was sent in several requests: some rules are written, one request failed, the rest is not
   * sent.
   */
  async #handlePartlyCreated(
    batch: readonly number[],
    { writtenCount, failedCount, failure }: PartlyCreatedError,
  ): Promise<void> {
    this.#markWritten(batch.slice(0, writtenCount));
    const remaining = batch.slice(writtenCount + failedCount);
    this.#queue = remaining.length === 0 ? this.#queue : [remaining, ...this.#queue];
    await this.#handleFailure(batch.slice(writtenCount, writtenCount + failedCount), failure);
  }

  /** Halves, verifies, fails or retries a batch, depending on the error, or stops the run. */
  async #handleFailure(batch: readonly number[], error: ApiError): Promise<void> {
    if (error instanceof HttpError && error.isTooLarge) {
      this.#halve(batch, new RuleTooLargeError(error));
    } else if (error.mayHaveTakenEffect) {
      await this.#verifyOutcome(batch, error);
    } else if (error.code === 'rejected' || error.code === 'not-found' || error.code === 'conflict') {
      if (this.#options.halvesRejectedBatches === true) {
        this.#halve(batch, error);
      } else {
        this.#fail(batch, error);
      }
    } else if (!(await this.#retry(batch, error))) {
      // Nothing reached the server, or it rejects all requests for now: the next batch would fail too.
      this.#stoppedBy = error;
    }
  }

  /** Verifies a batch whose outcome is unclear, and continues with the missing rules. */
  async #verifyOutcome(batch: readonly number[], error: ApiError): Promise<void> {
    let check: { missing: readonly number[]; isClear: boolean };
    try {
      check = await this.#readMissing(batch);
    } catch (readError) {
      if (!(readError instanceof ApiError)) {
        throw readError;
      }
      this.#inDoubt = batch;
      this.#stoppedBy = error;
      return;
    }
    if (!check.isClear) {
      this.#inDoubt = check.missing;
      this.#stoppedBy = error;
      return;
    }
    if (check.missing.length === 0) {
      return;
    }
    if (error instanceof HttpError && error.status === 504) {
      if (check.missing.length < batch.length) {
        // There are fewer rules left than in the batch that took too long, so they may succeed without halving.
        this.#queue = [check.missing, ...this.#queue];
      } else {
        this.#halve(batch, error);
      }
      return;
    }
    if (await this.#retry(check.missing, error)) {
      return;
    }
    this.#fail(check.missing, error);
    this.#stoppedBy = error;
  }

  /**
   * Puts rules that were certainly not written back at the front of the queue and waits; returns false if they should
   * not be sent again.
   */
  async #retry(batch: readonly number[], error: ApiError): Promise<boolean> {
    const { retryPolicy, clock, signal } = this.#options;
    const pause = getWaitMs(error, this.#retryCount, retryPolicy);
    if (pause === undefined) {
      return false;
    }
    this.#retryCount += 1;
    this.#queue = [batch, ...this.#queue];
    await waitUnlessCanceled(pause, error, { clock, signal, retryPolicy });
    return true;
  }

  /**
   * Reads the server's rules until two reads agree, marks the rules of the batch that exist as written, and returns the
   * missing ones. `isClear` is false if the reads never agree, or if there are other new rules on the columns of
   * missing ones: the server may have changed these rules (it drops unknown users: platform-facts.md, 3.1).
   * @throws ApiError if the rules can't be read
   */
  async #readMissing(batch: readonly number[]): Promise<{ missing: readonly number[]; isClear: boolean }> {
    let previousState: string | undefined;
    for (let attempt = 0; attempt < maxReads; attempt += 1) {
      if (attempt > 0) {
        await delay(this.#options.clock, this.#options.verifyDelayMs ?? defaultVerifyDelayMs);
      }
      const newFingerprints = new RuleTally(await this.#readFingerprints()).getExcess(this.#expected);
      const split = splitByPresence(batch, newFingerprints, this.#fingerprints);
      const state = newFingerprints.toSorted().join('\n');
      if (split.missing.length === 0 || state === previousState) {
        this.#markWritten(split.written);
        return { missing: split.missing, isClear: split.missing.length === 0 || !split.mayBePresent };
      }
      previousState = state;
    }
    return { missing: batch, isClear: false };
  }

  /** Returns the fingerprints of the rules on the server. */
  async #readFingerprints(): Promise<readonly string[]> {
    return (await this.#writer.list(this.#rules)).map(getFingerprint);
  }

  #getDocuments(batch: readonly number[]): readonly DocumentToWrite[] {
    return batch.map((index) => this.#rules[index] ?? {});
  }

  #markWritten(batch: readonly number[]): void {
    if (batch.length === 0) {
      return;
    }
    this.#retryCount = 0;
    for (const index of batch) {
      this.#written.push(index);
      this.#expected.add(this.#fingerprints.get(index) ?? '');
    }
    this.#options.onWritten?.(batch);
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

/**
 * Splits rules into batches of up to `maxBytes`, in order. A single rule that exceeds the limit is a batch of its own.
 */
function createBatches(
  indices: readonly number[],
  sizes: ReadonlyMap<number, number>,
  maxBytes: number,
): (readonly number[])[] {
  const batches: number[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const index of indices) {
    const size = (sizes.get(index) ?? 0) + 1;
    if (bytes + size > maxBytes) {
      batches.push([]);
      bytes = 1;
    }
    batches.at(-1)?.push(index);
    bytes += size;
  }
  return batches;
}

/**
 * Splits a batch into written and missing rules. `mayBePresent`: a missing rule may be on the server in changed form,
 * as one of the other new rules on its column.
 */
function splitByPresence(
  batch: readonly number[],
  newFingerprints: readonly string[],
  fingerprints: ReadonlyMap<number, string>,
): { written: readonly number[]; missing: readonly number[]; mayBePresent: boolean } {
  const unclaimed = [...newFingerprints];
  const written: number[] = [];
  const missing: number[] = [];
  for (const index of batch) {
    const position = unclaimed.indexOf(fingerprints.get(index) ?? '');
    if (position === -1) {
      missing.push(index);
    } else {
      unclaimed.splice(position, 1);
      written.push(index);
    }
  }
  const columns = new Set(unclaimed.map(getColumnKey));
  return {
    written,
    missing,
    mayBePresent: missing.some((index) => columns.has(getColumnKey(fingerprints.get(index) ?? '[]'))),
  };
}

/** Returns a key of the cube, table and column in a fingerprint. */
const getColumnKey = (fingerprint: string): string =>
  stringify((JSON.parse(fingerprint) as readonly unknown[]).slice(0, 4));
