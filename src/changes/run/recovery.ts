import type { Clock } from '../../base/clock.ts';
import { KeyedQueue } from '../../base/keyedQueue.ts';
import type { Log } from '../../base/log.ts';
import { getBaseConnectionId } from '../../catalog/tenantConnection.ts';
import type { RuleSubject } from '../../catalog/ruleSubject.ts';
import type { TakeOverOptions } from '../journal/claimedError.ts';
import type { HistoryEntry } from '../journal/entry.ts';
import type { History } from '../journal/history.ts';
import { JournalError } from '../journal/journalError.ts';
import { getRecovery } from '../journal/stoppedOperation.ts';
import type { Operation } from '../model/operation.ts';
import type { ReviewOptions } from './accessGains.ts';
import { toReportedError } from './busyServer.ts';
import { checkConfirmed } from './effectsHash.ts';
import { PendingEntry, recordFailedWrites } from './pendingEntry.ts';
import {
  type OperationPlanner,
  type PlannedRecovery,
  type RecoveryEnding,
  RecoveryPlanner,
} from './plannedRecovery.ts';
import { RecoveryQueue } from './recoveryQueue.ts';
import type { Executor } from './executor.ts';
import { type SecretOptions, insertSecrets } from './insertSecrets.ts';
import {
  checkResume,
  checkBeforeRollBack,
  getRecordedDocuments,
  isAbort,
  isConflictVersion,
  isExpectedFailure,
  preventsRecovery,
} from './recoveryChecks.ts';
import {
  AbandonedUndoError,
  ConflictError,
  EndedError,
  type PlanHash,
  type OperationReport,
  StoppedError,
} from './writeErrors.ts';
import { checkWritable } from './runChecks.ts';
import type { AbandonOptions, ApprovalToken, RunOptions, WriteSession } from './runOptions.ts';
import { loadWriteModules } from './writeModules.ts';

/** Options of resuming an operation or rolling it back. */
export type RecoveryOptions = Omit<RunOptions, 'approval' | 'expectedVersions'> & TakeOverOptions;

/** Options of resuming an operation. */
export type ResumeOptions = RecoveryOptions & SecretOptions;

/** Options of ending a stopped operation as its journal suggests. */
export interface AutomaticRecoveryOptions
  extends Pick<RunOptions, 'onResponseLost' | 'signal' | 'onWait' | 'onQueued'> {
  /** Which plans of what remains the user reviews; without it, what remains is sent in any case. */
  readonly review?: ReviewOptions | undefined;
}

/** How a stopped operation was ended. */
export interface RecoveryResult {
  readonly ending: 'finished' | 'rolled-back';
  readonly report: OperationReport;
}

interface RecoveryDeps {
  readonly sessions: { get(connectionId: string): Promise<WriteSession> };
  readonly history: History;
  readonly executor: Executor;
  /** Returns the known cube sets of a connection. */
  readonly getCubeSets: (connectionId: string) => readonly RuleSubject[];
  readonly clock: Clock;
  readonly log: Log;
  /** Plans and runs the undo of an operation. */
  readonly writer: OperationPlanner & {
    approve(planHash: PlanHash): ApprovalToken;
    run(operation: Operation, options: RunOptions): Promise<OperationReport>;
  };
}

/**
 * Ends unfinished operations: resumes them, rolls them back, or abandons them. Meanwhile, the connection is reserved,
 * so that no apply of another process changes the same documents.
 */
export class Recovery {
  readonly #deps: RecoveryDeps;
  readonly #queue: RecoveryQueue;
  readonly #planner: RecoveryPlanner;
  /** The tasks of this process that reserve a connection, or wait for it, by the ID of the connection. */
  readonly #reservations = new KeyedQueue<string>();

  constructor(deps: RecoveryDeps) {
    this.#deps = deps;
    this.#queue = new RecoveryQueue(deps.history);
    this.#planner = new RecoveryPlanner({ ...deps, queue: this.#queue });
  }

  /** Resumes an operation while its connection is reserved (`Writer.resume`). */
  resume(entry: HistoryEntry, options: ResumeOptions = {}): Promise<OperationReport> {
    return this.#reserve(entry, options, () => this.#enqueueResume(entry, options));
  }

  /** Rolls back an operation while its connection is reserved (`Writer.rollBack`). */
  rollBack(entry: HistoryEntry, options: RecoveryOptions = {}): Promise<OperationReport> {
    return this.#reserve(entry, options, () => this.#enqueueRollBack(entry, options));
  }

  /** Records how far an operation got, while its connection is reserved (`Writer.recordStop`). */
  recordStop(entry: HistoryEntry, options: AbandonOptions = {}): Promise<HistoryEntry> {
    return this.#reserve(entry, options, () => this.#recordStop(entry, options));
  }

  /** Gives up an operation while its connection is reserved (`Writer.abandon`). */
  abandon(entry: HistoryEntry, options: AbandonOptions = {}): Promise<HistoryEntry> {
    return this.#reserve(entry, options, () => this.#enqueueAbandon(entry, options));
  }

  /**
   * Runs a function that ends an operation while its connection is reserved.
   * @throws ClaimedError if another process has reserved it, or may still be working on the operation
   * @throws the reason of the signal if it aborts while the function waits for another one
   */
  #reserve<T>(entry: HistoryEntry, options: AbandonOptions, run: () => Promise<T>): Promise<T> {
    const { history, log } = this.#deps;
    const { connectionId } = entry.operation;
    const runReserved = async (): Promise<T> => {
      // Checked first, so that the error is about the process of the operation, not about its reservation.
      const endedProcesses = await this.#queue.requireEndedProcesses(entry, options);
      const reservation = await history.reserve(connectionId, endedProcesses);
      try {
        return await run();
      } finally {
        // A failure is only logged, since it must not hide the result of the operation.
        await reservation
          .release()
          .catch((error: unknown) =>
            log.error('writes', 'A reservation was not released', { reason: String(error) }),
          );
      }
    };
    return this.#reservations.run(getBaseConnectionId(connectionId), runReserved, options);
  }

  #enqueueResume(entry: HistoryEntry, options: ResumeOptions): Promise<OperationReport> {
    return this.#queue.runToSend(entry, options, async (current, { undoInProgress, hasAbandonedUndo }) => {
      if (hasAbandonedUndo) {
        throw new AbandonedUndoError();
      }
      await insertSecrets(current, options);
      if (undoInProgress === undefined) {
        return this.#resume(current, options);
      }
      const { writeStates } = await this.#enqueueRollBack(undoInProgress, options);
      try {
        return await this.#resume(current, options);
      } catch (error) {
        // Rolling back the undo has written something, so this is not a refusal.
        throw writeStates.length > 0 && (isExpectedFailure(error) || isAbort(error, options))
          ? new StoppedError(createCurrentReport(current), error)
          : error;
      }
    });
  }

  #resume(recorded: HistoryEntry, options: ResumeOptions): Promise<OperationReport> {
    const { executor, history, clock } = this.#deps;
    return executor.enqueue(recorded.operation.connectionId, options, async (session) => {
      const entry = await this.#planner.translateIds(recorded);
      checkWritable(session, entry.operation);
      const operation = await insertSecrets(entry, options);
      const reading = this.#planner.createReading(operation, session, options);
      const { confirmedPlanHash } = options;
      const readAt = clock.now();
      const { before, states } = await checkResume({ ...entry, operation }, reading, {
        verifiesFailed: confirmedPlanHash !== undefined,
      });
      if (confirmedPlanHash !== undefined) {
        const planned = await this.#planner.planRemaining(
          { ...entry, writeStates: states },
          { before },
          reading,
        );
        await checkConfirmed(planned, confirmedPlanHash);
      }
      const modules = await loadWriteModules(operation.writes);
      return executor.execute({
        session,
        operation,
        before,
        readAt,
        modules,
        entry: await history.claim(entry, options),
        options: { ...options, restoredIds: entry.restoredIds },
        states: entry.writeStates,
        denyScopes: entry.denyScopes,
        createdIds: entry.createdRuleIds,
      });
    });
  }

  #enqueueRollBack(entry: HistoryEntry, options: RecoveryOptions): Promise<OperationReport> {
    return this.#queue.runToSend(entry, options, async (current, { undoInProgress, hasAbandonedUndo }) => {
      if (undoInProgress === undefined) {
        return this.#rollBack(current, options).catch((error: unknown) => {
          throw hasAbandonedUndo && error instanceof ConflictError ? new AbandonedUndoError(error) : error;
        });
      }
      const report = await this.#enqueueResume(undoInProgress, options);
      await this.#markRolledBack(current, report, options);
      return report;
    });
  }

  async #rollBack(recorded: HistoryEntry, options: RecoveryOptions): Promise<OperationReport> {
    const entry = await this.#planner.prepareUndo(recorded);
    const { operation } = entry;
    const { sessions, executor, writer } = this.#deps;
    checkWritable(await sessions.get(operation.connectionId), operation);
    const retryRead = this.#planner.createRetryRead(options);
    const { versions } = await executor.enqueue(operation.connectionId, options, (session) =>
      checkBeforeRollBack(entry, this.#planner.createReading(operation, session, options), (other) =>
        writer.planUndo(other),
      ),
    );
    const stopped = await this.#recordStop(entry, options);
    const undo = await retryRead(() => writer.planUndo(stopped));
    const { planHash } = await retryRead(() => writer.plan(undo.operation));
    const report = await writer.run(undo.operation, {
      ...options,
      approval: writer.approve(planHash),
      // The undo must stop if others have changed rules: their expected version has the hash `created`, which no
      // document has. It must also find the rules that it was computed from.
      expectedVersions: [
        ...versions,
        ...undo.expectedVersions.filter(
          (version) => isConflictVersion(version) || version.ref.kind === 'rules',
        ),
      ],
      undoneEntryId: entry.id,
      undoCountBefore: undo.undoCountBefore,
      restoredIds: undo.restoredIds,
      denyScopes: stopped.denyScopes,
    });
    await this.#markRolledBack(stopped, report, options);
    return report;
  }

  /** Plans what ending an operation would write now (`Writer.planRecovery`). */
  plan(
    entry: HistoryEntry,
    ending: RecoveryEnding,
    options: AbandonOptions & SecretOptions = {},
  ): Promise<PlannedRecovery> {
    return this.#planner.plan(entry, ending, options);
  }

  /** Returns whether an operation can be ended; true if that can't be determined (`Writer.canRecover`). */
  async canRecover(
    entry: Pick<HistoryEntry, 'id' | 'operation'>,
    ending: RecoveryEnding,
    options: AbandonOptions & SecretOptions = {},
  ): Promise<boolean> {
    try {
      checkWritable(await this.#deps.sessions.get(entry.operation.connectionId), entry.operation);
      await this.#planner.check(entry, ending, options);
      return true;
    } catch (error) {
      if (preventsRecovery(error)) {
        return false;
      }
      this.#deps.log.warn('writes', 'Checking whether a change can be ended failed', {
        reason: String(error),
      });
      return true;
    }
  }

  /** @throws StoppedError with the report of the undo if it can't be recorded that the undo is done */
  async #markRolledBack(
    entry: HistoryEntry,
    report: OperationReport,
    options: TakeOverOptions,
  ): Promise<void> {
    try {
      await (await this.#deps.history.claim(entry, options)).end('rolled-back', {
        versionsAfter: [],
        changedIds: [],
      });
    } catch (error) {
      throw error instanceof JournalError ? new StoppedError(report, error) : error;
    }
  }

  #enqueueAbandon(entry: HistoryEntry, options: AbandonOptions): Promise<HistoryEntry> {
    return this.#queue.run(entry, options, async (current, { undoInProgress }) => {
      const undos = await this.#queue.findUnfinishedUndos(current, undoInProgress, options);
      return this.#recordStops(current, [...undos, current], { ...options, isAbandoned: true });
    });
  }

  #recordStop(entry: HistoryEntry, options: AbandonOptions): Promise<HistoryEntry> {
    return this.#recordStops(entry, [entry], { ...options, isAbandoned: false });
  }

  /**
   * Records how far an operation and its undos got. The outcomes of all of them are determined before any is recorded,
   * so that a failure, or a cancellation, leaves each as it was. Undos come first: until the operation itself is
   * recorded, it is still listed as interrupted.
   * @returns the updated entry of the operation
   */
  async #recordStops(
    recorded: HistoryEntry,
    entriesToStop: readonly HistoryEntry[],
    { takesOver, isAbandoned, signal, onWait, onQueued }: AbandonOptions & { readonly isAbandoned: boolean },
  ): Promise<HistoryEntry> {
    const { history, executor, clock } = this.#deps;
    const { connectionId } = recorded.operation;
    await executor.enqueue(connectionId, { signal, onQueued }, async (session) => {
      const stops: { readonly entry: HistoryEntry; readonly pending: PendingEntry }[] = [];
      for (const entryToStop of entriesToStop) {
        const entry = await this.#planner.prepareUndo(entryToStop);
        const { operation } = entry;
        const pending = new PendingEntry(entry);
        await recordFailedWrites(pending, { entry, recorded: entryToStop });
        const request = {
          session,
          operation,
          before: getRecordedDocuments(entry),
          readAt: clock.now(),
          modules: await loadWriteModules(operation.writes),
          entry: pending,
          options: { restoredIds: entry.restoredIds, signal, onWait },
          states: entry.writeStates,
          denyScopes: entry.denyScopes,
          createdIds: entry.createdRuleIds,
        };
        await executor.reconcileOnly(request, { isAbandoned }).catch((error: unknown) => {
          throw toReportedError(error, signal);
        });
        stops.push({ entry, pending });
      }
      signal?.throwIfAborted();
      for (const { entry, pending } of stops) {
        await pending.record(await history.claim(entry, { takesOver }));
      }
    });
    return (await history.readEntry(connectionId, recorded.id)) ?? recorded;
  }

  /** Finishes a stopped operation, or rolls it back; `undefined` if it was ended meanwhile (`Writer.recover`). */
  async recover(
    operation: { readonly connectionId: string; readonly entryId: string },
    { review, ...options }: AutomaticRecoveryOptions,
  ): Promise<RecoveryResult | undefined> {
    const entry = await this.#deps.history.readEntry(operation.connectionId, operation.entryId);
    if (entry === undefined) {
      return undefined;
    }
    const ending = getRecovery(entry) === 'finish' ? 'resume' : 'roll-back';
    try {
      const recoveryOptions =
        review === undefined
          ? options
          : {
              ...options,
              confirmedPlanHash: await this.#planner.planWithoutReview(entry, ending, { review, options }),
            };
      return ending === 'resume'
        ? { ending: 'finished', report: await this.resume(entry, recoveryOptions) }
        : { ending: 'rolled-back', report: await this.rollBack(entry, recoveryOptions) };
    } catch (error) {
      if (error instanceof EndedError) {
        return undefined;
      }
      throw error;
    }
  }
}

/** Creates the report of an operation from its history entry. */
const createCurrentReport = ({ id, operation, writeStates, requests }: HistoryEntry): OperationReport => ({
  entryId: id,
  operation,
  writeStates,
  requests,
  documents: [],
});
