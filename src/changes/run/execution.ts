import type { ApiResponse } from '../../client/apiResponse.ts';
import { ApiError, CanceledError } from '../../client/errors.ts';
import { type HistoryEntry, isUnresolved } from '../journal/entry.ts';
import { JournalError } from '../journal/journalError.ts';
import { isInEffect, mayHaveWritten } from '../journal/stoppedOperation.ts';
import { checkTarget } from './changedTarget.ts';
import { completeResponse } from './completeResponse.ts';
import { findConflict } from './conflicts.ts';
import { BusyServerWaits, toReportedError } from './busyServer.ts';
import { checkRightBefore, isOutdated } from './checkRightBefore.ts';
import { GroupedRuleWrites } from './groupedRuleWrites.ts';
import { OperationProgress } from './operationProgress.ts';
import { OutcomeReader } from './outcomeReader.ts';
import { ResultRecorder } from './resultRecorder.ts';
import { resolveOutputs } from '../model/outputRefs.ts';
import { tryParseJson } from '../model/tryParseJson.ts';
import { type RuleIdChange, getRuleIdChanges, resolveRestoredIds } from '../model/ruleIdChanges.ts';
import type { Write } from '../model/operation.ts';
import type { HappenedOutcome, WriteOutcome } from '../model/writeOutcome.ts';
import { type ConflictError, type OperationReport, StoppedError, UnverifiedError } from './writeErrors.ts';
import type { ExecutionDeps } from './executionInput.ts';
import { type DocumentAfter, hashDocumentsAfter, readDocumentsAfter } from './readDocumentsAfter.ts';
import { createRetryRead, sendWithWaits } from './rateLimit.ts';
import { RequiredRuleCheck } from './requiredRuleCheck.ts';
import { isGroupedRuleWrite } from '../rules/ruleAction.ts';
import { type RuleWriteGroup, findRuleWriteGroup, getRuleWriteGroups } from '../rules/ruleWriteGroup.ts';

/** Sends the writes of one operation, one after the other, and records the result of each. */
export class Execution {
  readonly #deps: ExecutionDeps;
  readonly #recorder: ResultRecorder;
  readonly #progress: OperationProgress;
  readonly #outcomes: OutcomeReader;
  readonly #ruleCheck: RequiredRuleCheck;
  readonly #rules: GroupedRuleWrites;
  readonly #sentWrites: Write[] = [];
  /** Why the operation stops, once that is known. */
  #failure: unknown;

  constructor(deps: ExecutionDeps) {
    this.#deps = deps;
    const dependencies = { ...deps, client: deps.session.client };
    this.#recorder = new ResultRecorder(dependencies);
    this.#progress = new OperationProgress({
      ...deps,
      states: this.#recorder.states,
      getWriteKind: deps.modules.getWriteKind,
    });
    this.#outcomes = new OutcomeReader(dependencies, this.#progress);
    this.#ruleCheck = new RequiredRuleCheck(deps);
    this.#rules = new GroupedRuleWrites({
      ...deps,
      recorder: this.#recorder,
      ruleCheck: this.#ruleCheck,
      onFailure: (failure) => {
        this.#failure = failure;
      },
    });
  }

  /** The writes that were sent, whatever their results. */
  get sentWrites(): readonly Write[] {
    return this.#sentWrites;
  }

  /** The rules whose `_id` has changed. */
  get ruleIdChanges(): readonly RuleIdChange[] {
    const { operation, options } = this.#deps;
    const isDone = (index: number): boolean => isInEffect(this.#recorder.states[index]);
    return getRuleIdChanges(operation, this.#recorder.responses, {
      isDone,
      restoredIds: options.restoredIds,
    });
  }

  /**
   * Verifies the writes that may have had an effect (one that showed none when it failed may have one by now), and
   * records the end of the operation. Sends no write.
   * @param options `isAbandoned`: nobody will continue or roll back the operation, so how far the rules were changed is
   *   recorded, too
   */
  async reconcileOnly({ isAbandoned }: { readonly isAbandoned: boolean }): Promise<void> {
    const { operation, entry, clock, options } = this.#deps;
    for (const [index, plannedWrite] of operation.writes.entries()) {
      // The undo of a rule change is based on the server's current rules, so its outcome is not needed.
      if (!this.#recorder.isInDoubt(index) || isGroupedRuleWrite(plannedWrite)) {
        continue;
      }
      options.signal?.throwIfAborted();
      const write = resolveOutputs(plannedWrite, this.#recorder.responses);
      const outcome = await this.#outcomes.readWithWaits(index, write);
      if (outcome.state === 'happened') {
        await this.#recorder.recordDone(index, write, { ms: 0, response: outcome.response });
      } else if ((outcome.state === 'unknown') !== isUnresolved(this.#recorder.getState(index))) {
        // There is no error: the operation ended before the write took effect, or it may have taken effect since.
        const state = outcome.state === 'unknown' ? 'unknown' : 'failed';
        const details = { state, startedAt: clock.now(), error: undefined } as const;
        await this.#recorder.recordUnsuccessful(index, write, details);
      }
    }
    for (const group of isAbandoned ? getRuleWriteGroups(operation.writes) : []) {
      options.signal?.throwIfAborted();
      await this.#rules.recordProgress(group);
    }
    await entry.end('stopped', { versionsAfter: [], changedIds: this.#resolveRestoredIds(), isAbandoned });
  }

  /**
   * Sends the writes that are not done.
   * @throws StoppedError at the first write that fails, or whose outcome can't be determined or recorded
   * @throws JournalError if nothing can be recorded, before anything was written or has failed
   */
  async run(): Promise<OperationReport> {
    try {
      return await this.#run();
    } catch (error) {
      const report = this.#createReport([]);
      const failure = this.#failure instanceof JournalError ? undefined : this.#failure;
      if (!(error instanceof JournalError) || (failure === undefined && !mayHaveWritten(report))) {
        throw error;
      }
      await this.#deps.entry.release();
      throw new StoppedError(report, failure ?? error, error);
    }
  }

  async #run(): Promise<OperationReport> {
    const { operation, entry, options } = this.#deps;
    for (const [index, write] of operation.writes.entries()) {
      const state = this.#recorder.getState(index);
      if (state === 'done') {
        this.#sentWrites.push(write);
        continue;
      }
      const group = findRuleWriteGroup(operation.writes, index);
      const failure =
        group === undefined
          ? await this.#sendWrite(index, write, { isVerifiedFirst: state !== 'waiting' })
          : await this.#changeRules(group);
      if (failure !== undefined) {
        this.#failure = failure;
        const documents = await this.#readDocuments();
        const isCanceled = options.signal?.aborted === true;
        const after = hashDocumentsAfter(documents);
        await entry.end('stopped', {
          versionsAfter: after,
          changedIds: this.#resolveRestoredIds(),
          isCanceled,
        });
        throw new StoppedError(this.#createReport(documents), failure);
      }
    }
    const documents = await this.#readDocuments();
    await entry.end('done', {
      versionsAfter: hashDocumentsAfter(documents),
      changedIds: this.#resolveRestoredIds(),
    });
    return this.#createReport(documents);
  }

  /**
   * Sends a write, or verifies one that was attempted before. Such a write keeps its state if the user has canceled.
   * @returns the reason why the operation can't continue; `undefined` on success
   */
  async #sendWrite(
    index: number,
    plannedWrite: Write,
    { isVerifiedFirst }: { readonly isVerifiedFirst: boolean },
  ): Promise<unknown> {
    const { clock, options } = this.#deps;
    const startedAt = clock.now();
    let write = plannedWrite;
    let sent: ApiResponse<unknown> | HappenedOutcome | undefined;
    if (isVerifiedFirst && options.signal?.aborted === true) {
      return options.signal.reason;
    }
    try {
      options.signal?.throwIfAborted();
      write = resolveOutputs(plannedWrite, this.#recorder.responses);
      this.#sentWrites.push(write);
      sent = isVerifiedFirst ? undefined : await this.#send(index, write);
    } catch (error) {
      if (error instanceof ApiError && error.mayHaveTakenEffect) {
        return this.#reconcile(index, write, startedAt, error);
      }
      await this.#recordFailed(index, write, startedAt, error);
      this.#failure = toReportedError(error, options.signal);
      return this.#failure;
    }
    // Errors from here on are not the write's: it did not fail if its result can't be recorded.
    if (sent === undefined) {
      return this.#reconcile(index, write, startedAt, undefined);
    }
    const ms = clock.now() - startedAt;
    if ('state' in sent) {
      await this.#recorder.recordDone(index, write, { ms, response: sent.response });
      return undefined;
    }
    const { text, status } = sent;
    const context = { ...this.#deps, progress: this.#progress, response: tryParseJson(text) };
    const response = await completeResponse(index, write, context);
    await this.#recorder.recordDone(index, write, { status, ms, response });
    return undefined;
  }

  /**
   * Sends a write for the first time, unless another user has made the same change.
   * @returns `undefined` if it took effect although its request failed
   */
  async #send(index: number, write: Write): Promise<ApiResponse<unknown> | HappenedOutcome | undefined> {
    const { session, modules, operation, options, clock, readAt } = this.#deps;
    const waits = new BusyServerWaits({ clock, ...options });
    const retryRead = createRetryRead(operation, options, waits);
    const verifyOutcome = (): Promise<WriteOutcome> => this.#outcomes.read(index, write);
    const outcome = await checkRightBefore(
      {
        checkTarget: (isRepeated) =>
          checkTarget(index, this.#progress, {
            verifyOutcome: () => retryRead(verifyOutcome),
            isOutdated: isRepeated || isOutdated(readAt, clock),
          }),
        checkRules: () => this.#ruleCheck.run(index, retryRead),
      },
      { waits, clock },
    );
    if (outcome !== undefined) {
      return outcome;
    }
    await this.#recorder.recordSending(index);
    return sendWithWaits(() => modules.getWriteKind(write).send(session.client, write), {
      ...this.#deps,
      write,
      verifyOutcome,
      checkRules: (repeatWhileBusy) => this.#ruleCheck.run(index, repeatWhileBusy),
      onLimited: () => this.#recorder.markInDoubt(index),
    });
  }

  #changeRules(group: RuleWriteGroup): Promise<unknown> {
    const { writes } = this.#deps.operation;
    this.#sentWrites.push(...group.writeIndices.flatMap((index) => writes[index] ?? []));
    return this.#rules.change(group);
  }

  /**
   * Verifies a write whose response was lost, or that failed before. It counts as done if the server shows that it was
   * carried out. It is sent only if it was certainly never carried out. A document that another user has meanwhile
   * changed stops the operation.
   * @param error the error of the request; `undefined` if it was sent, or failed, in an earlier run
   * @returns the reason why the operation can't continue; `undefined` on success
   */
  async #reconcile(
    index: number,
    write: Write,
    startedAt: number,
    error: ApiError | undefined,
  ): Promise<unknown> {
    const { options, clock, log } = this.#deps;
    const wasRefused = error === undefined && this.#recorder.isRefused(index);
    if (!wasRefused) {
      options.onResponseLost?.(index);
      log.warn('writes', 'The answer of a write was lost', { endpoint: write.endpoint });
    }
    let conflict: ConflictError | undefined;
    let readFailure: unknown;
    try {
      const outcome = await this.#outcomes.readWithWaits(index, write);
      if (outcome.state === 'happened') {
        const { response } = outcome;
        await this.#recorder.recordDone(index, write, { ms: clock.now() - startedAt, response });
        return undefined;
      }
      conflict = findConflict(outcome);
      if (outcome.state === 'not-happened' && error === undefined && conflict === undefined) {
        // It failed, or the process was killed before it sent the write.
        return await this.#sendWrite(index, write, { isVerifiedFirst: false });
      }
      if (outcome.state === 'not-happened') {
        await this.#recordFailed(index, write, startedAt, error ?? conflict);
        // The canceled request had no effect, so the reason for canceling says more than its error.
        this.#failure = error instanceof CanceledError ? (options.signal?.reason ?? error) : this.#failure;
        return this.#failure;
      }
    } catch (readError) {
      log.warn('writes', 'Verifying the outcome of a write failed', { reason: String(readError) });
      if (!(readError instanceof ApiError)) {
        throw readError;
      }
      readFailure = toReportedError(readError, options.signal);
    }
    const reason = conflict ?? error ?? readFailure ?? new UnverifiedError();
    this.#failure = reason;
    // A write that was refused was not sent again, so changes by others don't make its outcome unknown.
    await (wasRefused
      ? this.#recordFailed(index, write, startedAt, reason)
      : this.#recorder.recordUnsuccessful(index, write, { state: 'unknown', startedAt, error: reason }));
    return reason;
  }

  #recordFailed(index: number, write: Write, startedAt: number, error: unknown): Promise<void> {
    this.#failure = error;
    return this.#recorder.recordFailed(index, write, { startedAt, error });
  }

  #resolveRestoredIds(): HistoryEntry['changedIds'] {
    return resolveRestoredIds(this.#deps.options.restoredIds, this.#recorder.responses);
  }

  #createReport(documents: OperationReport['documents']): OperationReport {
    const { entry, operation } = this.#deps;
    const writes = [...this.#recorder.states];
    return { entryId: entry.id, operation, writeStates: writes, documents, requests: entry.requests };
  }

  /** Returns the current targets: from complete responses, otherwise read from the server. */
  #readDocuments(): Promise<readonly DocumentAfter[]> {
    const { operation, before, session, log, modules } = this.#deps;
    const sources = { states: this.#recorder.states, before, client: session.client, log };
    return readDocumentsAfter(operation, { ...sources, getWriteKind: modules.getWriteKind });
  }
}
