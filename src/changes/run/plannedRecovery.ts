import type { Clock } from '../../base/clock.ts';
import type { RuleSubject } from '../../catalog/ruleSubject.ts';
import type { HistoryEntry } from '../journal/entry.ts';
import type { History } from '../journal/history.ts';
import { markWritesMadeLater } from '../journal/laterChanges.ts';
import { translateToCurrentState } from '../journal/translateToCurrentState.ts';
import { DocumentReader, type RetryRead } from '../model/documentReader.ts';
import type { Loss } from '../model/inverseWrites.ts';
import type { Operation } from '../model/operation.ts';
import type { Plan } from '../model/plan.ts';
import { type ReviewOptions, needsReview } from './accessGains.ts';
import { createRetryingRead } from './busyServer.ts';
import { type SecretOptions, insertSecrets } from './insertSecrets.ts';
import type { PlannedUndo } from './planUndo.ts';
import { getCubeSetSubjects } from './readRulesInForce.ts';
import {
  type CheckedResume,
  type RecoveryReading,
  checkResume,
  planCheckedRollBack,
} from './recoveryChecks.ts';
import type { RecoveryQueue } from './recoveryQueue.ts';
import { createRemainingOperation } from './remainingOperation.ts';
import type { AbandonOptions, PlanOptions, RunOptions, WriteSession } from './runOptions.ts';
import {
  AbandonedUndoError,
  ConflictError,
  EndedError,
  PlanNeededError,
  type PlanHash,
} from './writeErrors.ts';

/** How an unfinished operation is ended: its remaining writes are sent, or what it has written is undone. */
export type RecoveryEnding = 'resume' | 'roll-back';

/** What resuming an unfinished operation, or rolling it back, would write now. Nothing was recorded or sent. */
export interface PlannedRecovery {
  /** Its writes have the effects that are shown; it's never sent itself. No writes if nothing is left to send. */
  readonly plan: Plan;
  /** Identifies what was reviewed: `confirmedPlanHash` of the resume or rollback. */
  readonly planHash: PlanHash;
  /** The operation that is resumed or undone, with the states of its writes as the server shows them. */
  readonly entry: HistoryEntry;
  /** What a rollback can't restore. */
  readonly losses: readonly Loss[];
  /**
   * Set if this is only the first of two steps: an undo of the operation is unfinished, too, and has to be rolled back
   * before the operation can be resumed. Then end this entry, and plan again.
   */
  readonly first?: { readonly entry: HistoryEntry; readonly ending: RecoveryEnding };
}

/** An unfinished operation, and what was found when its end was checked. */
type CheckedRecovery = Pick<PlannedRecovery, 'entry' | 'first'> & { readonly reading: RecoveryReading } & (
    | ({ readonly ending: 'resume' } & CheckedResume)
    | { readonly ending: 'roll-back'; readonly undo: PlannedUndo }
  );

/** Plans operations and their undos. */
export interface OperationPlanner {
  plan(
    operation: Operation,
    signal?: AbortSignal,
    options?: PlanOptions,
  ): Promise<{ readonly plan: Plan; readonly planHash: PlanHash }>;
  planUndo(entry: HistoryEntry): Promise<PlannedUndo>;
}

interface PlannerDeps {
  readonly sessions: { get(connectionId: string): Promise<WriteSession> };
  readonly history: History;
  /** Returns the known cube sets of a connection. */
  readonly getCubeSets: (connectionId: string) => readonly RuleSubject[];
  readonly clock: Clock;
  readonly writer: OperationPlanner;
  readonly queue: Pick<RecoveryQueue, 'readStateToSend'>;
}

/** Finds out how unfinished operations can be ended, and what that would write. Records and sends nothing. */
export class RecoveryPlanner {
  readonly #deps: PlannerDeps;

  constructor(deps: PlannerDeps) {
    this.#deps = deps;
  }

  /** Plans what resuming an operation, or rolling it back, would write now (`Writer.planRecovery`). */
  async plan(
    entry: HistoryEntry,
    ending: RecoveryEnding,
    options: AbandonOptions & SecretOptions,
  ): Promise<PlannedRecovery> {
    const checked = await this.check(entry, ending, options);
    const first = checked.first === undefined ? {} : { first: checked.first };
    if (checked.ending === 'resume') {
      const resumed = { ...checked.entry, writeStates: checked.states };
      const planned = await this.planRemaining(resumed, checked, checked.reading);
      return { ...planned, entry: resumed, losses: [], ...first };
    }
    const { operation, losses } = checked.undo;
    const planned = await checked.reading.retryRead(() => this.#deps.writer.plan(operation, options.signal));
    return { ...planned, entry: checked.entry, losses, ...first };
  }

  /**
   * Plans how to resume an operation or roll it back without a review by a user.
   * @returns the hash of the plan
   * @throws PlanNeededError if a user has to review it, or if it's only the first of two steps
   */
  async planWithoutReview(
    entry: HistoryEntry,
    ending: RecoveryEnding,
    { review, options }: { readonly review: ReviewOptions; readonly options: AbandonOptions },
  ): Promise<PlanHash> {
    const { plan, planHash, first } = await this.plan(entry, ending, options);
    if (first !== undefined || (await needsReview(plan, review))) {
      throw new PlanNeededError(plan, planHash);
    }
    return planHash;
  }

  /**
   * Plans what resuming an operation would write. The plan also has the builds that its earlier writes require.
   * @throws ConflictError, ApiError
   */
  async planRemaining(
    entry: HistoryEntry,
    { before }: Pick<CheckedResume, 'before'>,
    { reader, retryRead, signal }: RecoveryReading,
  ): Promise<Pick<PlannedRecovery, 'plan' | 'planHash'>> {
    const { writer } = this.#deps;
    const remaining = await createRemainingOperation(entry, before, reader);
    // The order of changes of rules that have begun depends on more than the current rules, so it isn't checked.
    const { plan, planHash } = await retryRead(() => writer.plan(remaining, signal, { checksRules: false }));
    const whole = await retryRead(() => writer.plan(entry.operation, signal, { checksRules: false, before }));
    const titles = new Set(plan.builds.map(({ title }) => title));
    const earlierBuilds = whole.plan.builds.filter(({ title }) => !titles.has(title));
    return { plan: { ...plan, builds: [...plan.builds, ...earlierBuilds] }, planHash };
  }

  /**
   * Checks how an operation can be ended, as far as that shows without a write.
   * @throws what resuming it or rolling it back would throw
   */
  async check(
    { id, operation: { connectionId } }: Pick<HistoryEntry, 'id' | 'operation'>,
    ending: RecoveryEnding,
    options: AbandonOptions & SecretOptions,
  ): Promise<CheckedRecovery> {
    const { sessions, history, queue, writer } = this.#deps;
    const recorded = await history.readEntry(connectionId, id);
    if (recorded === undefined) {
      throw new EndedError();
    }
    const { current, undoInProgress, hasAbandonedUndo } = await queue.readStateToSend(recorded, options);
    if (ending === 'resume' && hasAbandonedUndo) {
      throw new AbandonedUndoError();
    }
    if (undoInProgress !== undefined) {
      if (ending === 'roll-back') {
        // The rollback resumes its undo.
        return this.check(undoInProgress, 'resume', options);
      }
      const checked = await this.check(undoInProgress, 'roll-back', options);
      await insertSecrets(current, options);
      return { first: { entry: undoInProgress, ending: 'roll-back' }, ...checked };
    }
    const entry = await (ending === 'resume' ? this.translateIds(current) : this.prepareUndo(current));
    const reading = this.createReading(entry.operation, await sessions.get(connectionId), options);
    if (ending === 'roll-back') {
      const undo = await planCheckedRollBack(entry, reading, (other) => writer.planUndo(other)).catch(
        (error: unknown) => {
          throw hasAbandonedUndo && error instanceof ConflictError ? new AbandonedUndoError(error) : error;
        },
      );
      return { ending, entry, reading, undo };
    }
    const resume = await checkResume(entry, reading, { verifiesFailed: true });
    // Last: a missing secret, such as an environment variable, can still be provided.
    await insertSecrets(entry, options);
    return { ending, entry, reading, ...resume };
  }

  createReading(
    operation: Operation,
    session: WriteSession,
    options: Pick<RunOptions, 'signal' | 'onWait'>,
  ): RecoveryReading {
    const retryRead = this.createRetryRead(options);
    const { signal } = options;
    const cubeSets = getCubeSetSubjects(operation, this.#deps.getCubeSets(operation.connectionId));
    return {
      session,
      reader: new DocumentReader(session.client, signal, retryRead),
      retryRead,
      signal,
      cubeSets,
    };
  }

  /** Returns a function that reads from the server, again while it is busy. */
  createRetryRead({ signal, onWait }: Pick<RunOptions, 'signal' | 'onWait'>): RetryRead {
    return createRetryingRead({ clock: this.#deps.clock, signal, onWait });
  }

  /**
   * Returns an entry with the current IDs of the items that it names: if its undo was interrupted and rolled back, what
   * the undo had deleted was created again, under other IDs.
   */
  async translateIds(entry: HistoryEntry): Promise<HistoryEntry> {
    const entries = await this.#deps.history.readEntries(entry.operation.connectionId);
    return translateToCurrentState(entry, entries, { treatReplacedAs: 'gone' });
  }

  /**
   * Returns an entry that is about to be undone or abandoned, like {@link translateIds}: without what later changes in
   * the history have written.
   */
  async prepareUndo(entry: HistoryEntry): Promise<HistoryEntry> {
    const entries = await this.#deps.history.readEntries(entry.operation.connectionId);
    return this.translateIds(markWritesMadeLater(entry, entries));
  }
}
