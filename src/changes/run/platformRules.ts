import { type WaitListener, defaultWriteRetryPolicy, type WriteRetryPolicy } from './writeRetryPolicy.ts';
import { BatchInDoubtError, RulesRefusedError } from './writeErrors.ts';
import { writeRuleBatches } from './ruleBatches.ts';
import { getFingerprint, RuleTally } from './ruleTally.ts';
import { createCubeRuleWriter, createLiveRuleWriter, type RuleWriter } from './ruleWriters.ts';
import { createRequestObserver, type RecordedRequest } from './requestObserver.ts';
import { ApiError, HttpError, PartlyCreatedError, PayloadError } from '../../client/errors.ts';
import type { DocumentToWrite } from '../../client/payloads/documentToWrite.ts';
import type { PlatformClient } from '../../client/platformClient.ts';
import { getRuleRefusal } from '../../client/httpError.ts';
import type { Clock } from '../../base/clock.ts';
import { jsonEquals } from '../../base/canonicalJson.ts';
import type { JsonObject } from '../../base/json.ts';
import type { RuleSubject } from '../../catalog/ruleSubject.ts';
import type { RequestFailure, RequestProgressObserver, RuleServer } from '../rules/ruleServer.ts';
import { isObject, isNonEmptyString } from '../../security/readRules.ts';
import type { RequestResult } from '../model/sentRequest.ts';
import { DocumentReader } from '../model/documentReader.ts';
import { getObjects } from '../model/jsonMembers.ts';
import { parseRuleDocuments } from '../rules/parsedRuleDocument.ts';
import { RulesChangedError } from '../rules/ruleItems.ts';
import { DeletionRepeats } from './deletionRepeats.ts';
import { sendEach } from './sendEach.ts';
import { isBusyServer } from './busyServer.ts';

export interface PlatformRulesDeps {
  readonly client: PlatformClient;
  readonly clock: Clock;
  /** The rules that were just read, which the first `list` returns without a request. */
  readonly initialRules?: readonly JsonObject[] | undefined;
  /** Whether to add rules in batches: halves batches that are too large, and waits while the server is unavailable. */
  readonly isBulk: boolean;
  /** The maximum body of one request, in bytes of UTF-8. */
  readonly maxBytes: number;
  /** Records each request that changes rules before it is sent; returns a function that records its result. */
  readonly recordRequest?:
    | ((request: RecordedRequest) => Promise<(result: RequestResult) => void>)
    | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onWait?: WaitListener | undefined;
  /** Reads from the server, again while it is busy; by default, there is one attempt. */
  readonly repeatWhileBusy?: (<Result>(read: () => Promise<Result>) => Promise<Result>) | undefined;
  /** The pause between two checks after a lost response, in milliseconds. */
  readonly verifyDelayMs?: number | undefined;
}

/** Classifies a failed request by how the rule change can continue. */
export function classifyRequestFailure(error: unknown): RequestFailure {
  const cause = error instanceof RulesRefusedError ? error.cause : error;
  if (!(cause instanceof ApiError)) {
    return 'other';
  }
  if (getRuleRefusal(cause) === 'duplicate-party') {
    return 'second-rule-refused';
  }
  if (isBusyServer(cause)) {
    return 'busy';
  }
  return cause.mayHaveTakenEffect ? 'unanswered' : 'other';
}

/** Reads and changes the rules of one datamodel or cube set through the typed client. */
export class PlatformRules implements RuleServer {
  readonly #subject: RuleSubject;
  readonly #deps: PlatformRulesDeps;
  readonly #retryPolicy: WriteRetryPolicy;
  readonly #rules: Pick<PlatformClient, 'extractRules' | 'liveRules'>;
  /** The rules from the last read. */
  #lastRules: readonly JsonObject[] = [];
  #initialRules: readonly JsonObject[] | undefined;
  /** The IDs of the rules whose deletion has failed, but may have taken effect. */
  readonly #uncertainDeletions = new Set<string>();
  /** The errors for rules that the server did not find when deleting them, by ID. */
  readonly #notFoundById = new Map<string, HttpError>();

  constructor(subject: RuleSubject, deps: PlatformRulesDeps) {
    this.#subject = subject;
    this.#deps = deps;
    this.#initialRules = deps.initialRules;
    const { client, clock, recordRequest } = deps;
    this.#rules =
      recordRequest === undefined
        ? client
        : client.observeRules(
            createRequestObserver({ client, clock, recordRequest, getCurrentRules: () => this.#lastRules }),
          );
    this.#retryPolicy = {
      ...defaultWriteRetryPolicy,
      onWait: deps.onWait,
      ...(deps.isBulk ? {} : { maxRetries: 0 }),
    };
  }

  /**
   * Checks that the platform allows the rules, as far as that can be checked without a request.
   * @throws RulesRefusedError in bulk mode, otherwise PayloadError
   */
  check(rules: readonly JsonObject[]): void {
    const writer = this.#createWriter();
    const refused = rules.flatMap((rule, index) => {
      const error = findPayloadProblem(writer, rule);
      return error === undefined ? [] : [{ index, error, rule }];
    });
    const [firstRefused] = refused;
    if (firstRefused !== undefined) {
      throw this.#deps.isBulk ? new RulesRefusedError(refused) : firstRefused.error;
    }
  }

  /** @throws ApiError */
  async list(): Promise<readonly JsonObject[]> {
    const initialRules = this.#initialRules;
    this.#initialRules = undefined;
    this.#lastRules = initialRules ?? (await this.#readRules());
    for (const { _id: id } of this.#lastRules) {
      const notFound = typeof id === 'string' ? this.#notFoundById.get(id) : undefined;
      if (notFound !== undefined) {
        // The rule still exists: the server can't delete single rules (platform-facts.md, 6.1: no such operation).
        throw notFound;
      }
    }
    return this.#lastRules;
  }

  async #readRules(): Promise<readonly JsonObject[]> {
    const { client } = this.#deps;
    const read = () => new DocumentReader(client).readDocument({ kind: 'rules', subject: this.#subject });
    return getObjects(await this.#readWhileBusy(read));
  }

  #readWhileBusy<Result>(read: () => Promise<Result>): Promise<Result> {
    return this.#deps.repeatWhileBusy?.(read) ?? read();
  }

  /** @throws ApiError, RulesRefusedError, BatchInDoubtError */
  async create(
    rules: readonly JsonObject[],
    observer: RequestProgressObserver,
  ): Promise<readonly string[] | undefined> {
    const documents = rules as readonly DocumentToWrite[];
    const writer = this.#createWriter();
    const markDone = (count: number): void =>
      rules.slice(0, count).forEach((_rule, index) => observer.onAnswered(index));
    rules.forEach((_rule, index) => observer.onSent(index));
    let response: unknown;
    try {
      response = await (this.#deps.isBulk
        ? this.#createMany(writer, rules, observer)
        : writer.create(documents));
    } catch (error) {
      if (!(error instanceof PartlyCreatedError)) {
        throw error;
      }
      // The other rules may have been written too, so the caller reads the rules again.
      markDone(error.writtenCount);
      throw error.failure;
    }
    markDone(this.#deps.isBulk ? 0 : rules.length);
    return readRuleIds(response, rules.length);
  }

  /** @throws ApiError */
  update(
    rules: readonly { readonly id: string; readonly rule: JsonObject }[],
    observer: RequestProgressObserver,
  ): Promise<void> {
    const cubeFields =
      this.#subject.kind === 'live'
        ? {}
        : { server: this.#subject.server, elasticube: this.#subject.elasticube };
    return this.#sendEach(rules, observer, async ({ id, rule }) => {
      // The vendor's contract requires server and cube in the body, since the path contains neither (platform-facts.md,
      // 3.1).
      await this.#rules.extractRules.update({ ruleId: id }, { ...cubeFields, ...rule });
    });
  }

  /** @throws ApiError */
  delete(ids: readonly string[], observer: RequestProgressObserver): Promise<void> {
    return this.#sendEach(ids, observer, (ruleId) => this.#delete(ruleId));
  }

  /** Deletes a rule. Before a repetition, others must not have changed the rule. */
  async #delete(ruleId: string): Promise<void> {
    const endpoint = this.#subject.kind === 'live' ? 'liveRules.delete' : 'extractRules.delete';
    const repeats = new DeletionRepeats({ endpoint }, this.#deps);
    for (;;) {
      if (this.#uncertainDeletions.has(ruleId) && (await this.#isGone(ruleId))) {
        return;
      }
      try {
        await this.#rules[this.#subject.kind === 'live' ? 'liveRules' : 'extractRules'].delete({ ruleId });
        return;
      } catch (error) {
        // Not found is the wanted result; the next `list` checks that the rule is really gone.
        if (error instanceof HttpError && error.status === 404 && error.code !== 'not-offered') {
          this.#notFoundById.set(ruleId, error);
          return;
        }
        if (!(error instanceof ApiError)) {
          throw error;
        }
        if (error.mayHaveTakenEffect) {
          this.#uncertainDeletions.add(ruleId);
        }
        // In bulk mode, the caller waits for all requests together.
        if (this.#deps.isBulk || !repeats.isPossible(error)) {
          throw repeats.toReportedError(error);
        }
        await repeats.wait(error);
      }
    }
  }

  /**
   * Returns whether a rule doesn't exist anymore.
   * @throws RulesChangedError if it isn't as it was when the rules were listed: the server may have given its ID to what
   *   others have written
   * @throws ApiError
   */
  async #isGone(ruleId: string): Promise<boolean> {
    const find = (rules: readonly JsonObject[]): JsonObject | undefined =>
      rules.find(({ _id: id }) => id === ruleId);
    const current = find(await this.#readRules());
    if (current === undefined) {
      return true;
    }
    const [parsed] = parseRuleDocuments([current]);
    if (parsed !== undefined && !jsonEquals(current, find(this.#lastRules) ?? null)) {
      throw new RulesChangedError(parsed);
    }
    return false;
  }

  #sendEach<Item>(
    items: readonly Item[],
    observer: RequestProgressObserver,
    send: (item: Item) => Promise<void>,
  ): Promise<void> {
    const { clock, signal } = this.#deps;
    return sendEach(items, send, { clock, signal, observer, retryPolicy: this.#retryPolicy });
  }

  #createWriter(): RuleWriter {
    return this.#subject.kind === 'live'
      ? createLiveRuleWriter(this.#rules, this.#subject)
      : createCubeRuleWriter(this.#rules, this.#subject);
  }

  async #createMany(
    writer: RuleWriter,
    rules: readonly JsonObject[],
    observer: RequestProgressObserver,
  ): Promise<void> {
    const documents = rules as readonly DocumentToWrite[];
    const { maxBytes, clock, signal, verifyDelayMs } = this.#deps;
    const currentRules = new RuleTally(
      withLocationFields(writer, this.#lastRules, documents).map(getFingerprint),
    );
    const onWritten = (indices: readonly number[]) => indices.forEach((index) => observer.onAnswered(index));
    const retryPolicy = this.#retryPolicy;
    const options = {
      maxBytes,
      clock,
      signal,
      verifyDelayMs,
      retryPolicy,
      currentRules,
      halvesRejectedBatches: true,
      onWritten,
    };
    const list: RuleWriter['list'] = (written) => this.#readWhileBusy(() => writer.list(written));
    const report = await writeRuleBatches({ ...writer, list }, documents, options);
    if (report.failed.length > 0) {
      throw new RulesRefusedError(
        report.failed.map((failure) => ({ ...failure, rule: rules[failure.index] ?? {} })),
      );
    }
    if (report.inDoubt.length > 0) {
      throw new BatchInDoubtError('Some rules may have been written', { cause: report.stoppedBy });
    }
    if (report.notSent.length > 0) {
      signal?.throwIfAborted();
      throw report.stoppedBy ?? new BatchInDoubtError('Some rules were not sent');
    }
  }
}

/** Returns the IDs in the response to an addition; `undefined` unless there is one for each rule. */
function readRuleIds(response: unknown, count: number): readonly string[] | undefined {
  const { value } = (response ?? {}) as { readonly value?: readonly unknown[] | undefined };
  const ids = (value ?? []).flatMap((rule) =>
    isObject(rule) && isNonEmptyString(rule['_id']) ? [rule['_id']] : [],
  );
  return ids.length === count ? ids : undefined;
}

function findPayloadProblem(writer: RuleWriter, rule: JsonObject): PayloadError | undefined {
  try {
    writer.createPayload(rule);
    return undefined;
  } catch (error) {
    if (error instanceof PayloadError) {
      return error;
    }
    throw error;
  }
}

/** Returns rules with the cube or datamodel fields of the writer's payloads, so that both can be compared. */
function withLocationFields(
  writer: RuleWriter,
  rules: readonly JsonObject[],
  [firstRule]: readonly DocumentToWrite[],
): readonly JsonObject[] {
  const payload = firstRule === undefined ? {} : writer.createPayload(firstRule);
  const locationFields = Object.fromEntries(
    ['server', 'elasticube', 'fullname'].flatMap((name) =>
      payload[name] === undefined ? [] : [[name, payload[name]] as const],
    ),
  );
  return rules.map(({ server: _server, elasticube: _cube, fullname: _fullname, ...rule }) => ({
    ...rule,
    ...locationFields,
  }));
}
