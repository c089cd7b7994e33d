import type { Clock } from '../../base/clock.ts';
import { lazy } from '../../base/lazy.ts';
import type { Log } from '../../base/log.ts';
import type { RuleSubject } from '../../catalog/ruleSubject.ts';
import { mayNeedReview, needsReview } from './accessGains.ts';
import { readAffectedDocuments } from '../endpoints/readAffectedDocuments.ts';
import type { HistoryEntry } from '../journal/entry.ts';
import type { History } from '../journal/history.ts';
import { DocumentReader } from '../model/documentReader.ts';
import { maskOperation } from '../model/maskWrite.ts';
import type { Operation } from '../model/operation.ts';
import type { Plan } from '../model/plan.ts';
import type { ReadDocument } from '../model/readDocument.ts';
import type { KnownUsersAndGroups } from '../plan/planSources.ts';
import { isGroupedRuleWrite } from '../rules/ruleAction.ts';
import type { RuleChangeRefusedError } from '../rules/ruleTarget.ts';
import { checkExpectedVersions } from './conflicts.ts';
import { checkConfirmed } from './effectsHash.ts';
import { Executor, type ExecutorDeps } from './executor.ts';
import type { PlannedRecovery, RecoveryEnding } from './plannedRecovery.ts';
import type { PlannedUndo } from './planUndo.ts';
import { EndedError, PlanNeededError, type PlanHash, type OperationReport } from './writeErrors.ts';
import type { UndoForReview, UndoChoices } from './planUndoForReview.ts';
import { getCubeSetSubjects, readRulesInForce } from './readRulesInForce.ts';
import type { AutomaticRecoveryOptions, RecoveryOptions, RecoveryResult, ResumeOptions } from './recovery.ts';
import type { SecretOptions } from './insertSecrets.ts';
import {
  hashBase,
  isSamePlanHash,
  hashPayload,
  checkNoMaskedSecrets,
  checkWritable,
  countUndos,
} from './runChecks.ts';
import type { AbandonOptions, ApprovalToken, PlanOptions, RunOptions, WriteSession } from './runOptions.ts';
import { findVisibleUntilBuild } from './visibleUntilBuild.ts';
import { loadWriteModules } from './writeModules.ts';

export interface WriterDeps extends ExecutorDeps {
  readonly history: History;
  /** Returns the known cube sets of a connection: their rules may name tables of any of its extracts. */
  readonly getCubeSets: (connectionId: string) => readonly RuleSubject[];
  /** Loads the known users and groups of a connection. */
  readonly loadUsersAndGroups?: (connectionId: string) => Promise<KnownUsersAndGroups>;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * Runs the operations of the product: all documents are written here (decisions.md, "Changes, plan, and history"). For
 * each operation, it
 * 1. reads the current targets from the server (secrets masked), and stops with {@link ConflictError} if one is not the
 *    version in `expectedVersions`;
 * 2. refuses a change of data security rules that has no safe order with {@link RuleChangeRefusedError};
 * 3. computes the plan from the exact payload, and stops with {@link PlanNeededError} if it needs a review, unless
 *    exactly this payload was approved for exactly these documents;
 * 4. records the operation, the documents, and the rules on the names that it changes in the history, and only then
 *    sends the writes in order, each once; it checks the rules again right before a write that relies on them;
 * 5. if a response is lost, checks on the server whether the write happened, and continues only if it did;
 * 6. stops at the first failure with {@link StoppedError}, whose report shows what was and was not done;
 * 7. records the results, and invalidates the outdated parts of the catalog.
 *
 * Operations of one connection run one after the other. An operation that is refused before anything is sent rejects
 * with one of the errors above, a {@link SecretsNeededError}, or the ApiError of the read.
 */
export class Writer {
  readonly #deps: WriterDeps;
  readonly #executor: Executor;
  /** Fires when the `_id` of a rule has changed. */
  readonly onDidChangeRuleId: Executor['onDidChangeRuleId'];
  /** Fires when rules were changed and another user changed other rules of the same columns at the same time. */
  readonly onDidDetectOtherChanges: Executor['onDidDetectOtherChanges'];
  /** Approvals that were created and not used yet. */
  readonly #approvals = new Set<ApprovalToken>();
  /** Loaded only when needed. A single instance, since it makes sure that each operation is ended only once. */
  readonly #loadRecovery = lazy(async () => {
    const { Recovery } = await import('./recovery.ts');
    return new Recovery({ ...this.#deps, executor: this.#executor, writer: this });
  });

  constructor(deps: WriterDeps) {
    this.#deps = deps;
    this.#executor = new Executor(deps);
    this.onDidChangeRuleId = this.#executor.onDidChangeRuleId;
    this.onDidDetectOtherChanges = this.#executor.onDidDetectOtherChanges;
  }

  /**
   * Computes the current effects of an operation, and reads the documents that it would affect. Sends no write.
   * @throws ApiError if the targets can't be read
   * @throws RuleChangeRefusedError, or ConflictError for a rule that no longer exists, if the operation is impossible
   */
  async plan(
    operation: Operation,
    signal?: AbortSignal,
    { checksRules = true, before: knownBefore }: PlanOptions = {},
  ): Promise<{ plan: Plan; planHash: PlanHash; before: readonly ReadDocument[] }> {
    const session = await this.#deps.sessions.get(operation.connectionId);
    const before =
      knownBefore ??
      (await readAffectedDocuments(operation.writes, new DocumentReader(session.client, signal)));
    await (checksRules ? this.#checkRuleWrites(operation, before) : undefined);
    return { ...(await this.#createPlan(operation, before, session)), before };
  }

  /**
   * Returns the reason why {@link plan} and {@link run} would refuse a change of rules; `undefined` if they wouldn't.
   * @param before the current rules
   */
  async findRuleRefusal(
    operation: Operation,
    before: readonly ReadDocument[],
  ): Promise<RuleChangeRefusedError | undefined> {
    const { findRuleRefusal } = await import('./checkRuleWrites.ts');
    return findRuleRefusal(operation, before, this.#executor.getRuleBehavior(operation.connectionId));
  }

  /** Creates a token that lets {@link run} send an operation once. Call it when the user has accepted the plan. */
  approve(planHash: PlanHash): ApprovalToken {
    const approval = { planHash };
    this.#approvals.add(approval);
    return approval;
  }

  /**
   * Runs an operation: see {@link Writer}. Resolves when every write is done.
   * @throws ClaimedError if another process of this computer has reserved the connection, such as for an apply
   * @throws the reason of the signal if it aborts before anything is sent
   * @throws EndedError for an undo if another undo was faster: items would be restored twice
   * @throws ConflictError, PlanNeededError, SecretsNeededError, StoppedError, ApiError
   */
  run(plannedOperation: Operation, options: RunOptions = {}): Promise<OperationReport> {
    return this.#executor.enqueue(plannedOperation.connectionId, options, async (session) => {
      checkWritable(session, plannedOperation);
      checkNoMaskedSecrets(plannedOperation);
      await this.#checkNotUndone(plannedOperation, options);
      const reader = new DocumentReader(session.client, options.signal);
      await checkExpectedVersions(options.expectedVersions ?? [], reader);
      const readAt = this.#deps.clock.now();
      const before = await readAffectedDocuments(plannedOperation.writes, reader);
      // Checked first, so that no one reviews a plan that can't be carried out.
      await this.#checkRuleWrites(plannedOperation, before);
      const plan = await this.#checkPlan(plannedOperation, before, { session, options });
      const operation = {
        ...plannedOperation,
        ...(await findVisibleUntilBuild(plan, plannedOperation.writes, before, options.confirmedPlanHash)),
        builds: plan.builds,
      };
      const modules = await loadWriteModules(operation.writes);
      const recorded = await readRulesInForce(operation, before, {
        session,
        reader,
        cubeSets: getCubeSetSubjects(operation, this.#deps.getCubeSets(operation.connectionId)),
      });
      options.signal?.throwIfAborted();
      await this.#deps.history.requireUnreserved(operation.connectionId, { except: 'own' });
      const entry = await this.#deps.history.begin({
        operation: maskOperation(operation),
        before: recorded.map(({ ref, document, datamodels }) => ({ ref, document, datamodels })),
        undoneEntryId: options.undoneEntryId,
        keptNames: options.keptNames,
        restoredIds: options.restoredIds,
      });
      options.onBegin?.(entry.id);
      const { denyScopes } = options;
      return this.#executor.execute({
        session,
        operation,
        before: recorded,
        readAt,
        modules,
        entry,
        options,
        denyScopes,
      });
    });
  }

  /**
   * Resumes an unfinished operation: verifies its last write, and sends the remaining ones. If its undo is unfinished
   * too, that is rolled back first.
   * @throws EndedError if it is no longer unfinished
   * @throws AbandonedUndoError if its undo was abandoned
   * @throws ConflictError if another user has changed a document that remains to be written
   * @throws SecretsNeededError if a remaining write contained a secret, since secrets are not stored; also what
   *   `insertSecrets` throws. Nothing was sent then
   * @throws StoppedError, also with one of these errors as its cause if its undo was rolled back before; ApiError
   */
  async resume(entry: HistoryEntry, options: ResumeOptions = {}): Promise<OperationReport> {
    return (await this.#loadRecovery()).resume(entry, options);
  }

  /**
   * Plans what {@link resume} or {@link rollBack} would write now, for a review. Pass the hash of the reviewed plan to
   * it as `confirmedPlanHash`: then it rejects with a {@link PlanNeededError}, and sends nothing, if it would have
   * other effects. Records and sends nothing, so a locked connection needn't be unlocked.
   * @throws what resuming or rolling back would throw before it sends anything; ConflictError also if others have
   * changed rules that remain to be changed
   */
  async planRecovery(
    entry: HistoryEntry,
    ending: RecoveryEnding,
    options: AbandonOptions & SecretOptions = {},
  ): Promise<PlannedRecovery> {
    return (await this.#loadRecovery()).plan(entry, ending, options);
  }

  /**
   * Rolls back an unfinished operation: verifies its last write, then undoes the completed ones. The undo is a separate
   * history entry; if it is interrupted, the next rollback resumes it.
   * @throws EndedError if it is no longer unfinished
   * @throws ConflictError if another user has changed its documents since. Nothing was sent, and the operation is still
   *   unfinished: {@link recordStop} and run the operation of {@link planUndoForReview} to overwrite those changes, or
   *   {@link abandon} it to keep them
   * @throws AbandonedUndoError instead if its undo was abandoned, which may have changed its documents
   * @throws StoppedError, SecretsNeededError, ApiError
   */
  async rollBack(entry: HistoryEntry, options: RecoveryOptions = {}): Promise<OperationReport> {
    return (await this.#loadRecovery()).rollBack(entry, options);
  }

  /**
   * Records how far an unfinished operation got, before its undo is reviewed: verifies its last write, and sends no
   * write. Until it is undone, it is still unfinished.
   * @returns the updated entry
   * @throws ClaimedError, ApiError
   */
  async recordStop(entry: HistoryEntry, options: AbandonOptions = {}): Promise<HistoryEntry> {
    return (await this.#loadRecovery()).recordStop(entry, options);
  }

  /**
   * Gives up an unfinished operation, for example because others have changed its documents since: what it has written
   * stays, and the rest is never sent. Verifies its last writes, and sends no write. If its undo is unfinished too,
   * that is abandoned first. What it has written can be undone like a finished operation.
   * @returns the updated entry
   * @throws EndedError if it is no longer unfinished
   * @throws ClaimedError, ApiError
   */
  async abandon(entry: HistoryEntry, options: AbandonOptions = {}): Promise<HistoryEntry> {
    return (await this.#loadRecovery()).abandon(entry, options);
  }

  /**
   * Returns false if {@link resume} or {@link rollBack} would be refused, or would stop at once, because of changes by
   * others or missing secrets, or since the operation was ended; true also if that can't be determined now. Sends no
   * write, and leaves the journals as they are. Doesn't throw, so that it can be called while an error is handled.
   */
  async canRecover(
    entry: Pick<HistoryEntry, 'id' | 'operation'>,
    ending: RecoveryEnding,
    options: AbandonOptions & SecretOptions = {},
  ): Promise<boolean> {
    return (await this.#loadRecovery()).canRecover(entry, ending, options);
  }

  /**
   * Finishes a stopped operation, or rolls it back if it is an incomplete rule change: see `getRecovery`.
   * @returns `undefined` if the operation was meanwhile finished or rolled back
   * @throws PlanNeededError if `options.review` is given and the user has to review what would be written. Nothing was
   * sent then
   * @throws ConflictError, SecretsNeededError, StoppedError, ClaimedError, ApiError
   */
  async recover(
    operation: { readonly connectionId: string; readonly entryId: string },
    options: AutomaticRecoveryOptions = {},
  ): Promise<RecoveryResult | undefined> {
    return (await this.#loadRecovery()).recover(operation, options);
  }

  /** Returns the hashes of the documents after an operation; `undefined` if it did not complete. */
  async getVersionsAfter(operation: {
    readonly connectionId: string;
    readonly entryId: string;
  }): Promise<HistoryEntry['versionsAfter'] | undefined> {
    const entry = await this.#deps.history.readEntry(operation.connectionId, operation.entryId);
    return entry?.end === 'done' ? entry.versionsAfter : undefined;
  }

  /**
   * Creates the operation that undoes an entry, based on the server's current state. {@link run} it with the returned
   * `expectedVersions`, `restoredIds` and `undoCountBefore`, and with the ID of the entry as `undoneEntryId`. `losses`
   * lists what can't be restored.
   * @throws ApiError
   */
  async planUndo(entry: HistoryEntry): Promise<PlannedUndo> {
    return (await import('./planUndo.ts')).planUndo(entry, this.#deps);
  }

  /**
   * Creates the operation that undoes or restores an entry for a review, with what was changed since and which names
   * are in use. {@link run} it in the same way as the operation of {@link planUndo}.
   * @throws ApiError
   */
  async planUndoForReview(
    entry: HistoryEntry,
    mode: 'undo' | 'restore',
    choices: UndoChoices,
  ): Promise<UndoForReview> {
    const { planUndoForReview } = await import('./planUndoForReview.ts');
    const { addKeptParts } = await import('./keptParts.ts');
    return addKeptParts(await planUndoForReview(entry, mode, choices, this.#deps), this);
  }

  /** @throws EndedError if the undo of another process has begun since this one was computed */
  async #checkNotUndone(
    { connectionId }: Operation,
    { undoneEntryId, undoCountBefore }: RunOptions,
  ): Promise<void> {
    if (undoneEntryId === undefined || undoCountBefore === undefined) {
      return;
    }
    if (countUndos(undoneEntryId, await this.#deps.history.readEntries(connectionId)) > undoCountBefore) {
      throw new EndedError();
    }
  }

  /** @throws RuleChangeRefusedError, and ConflictError if a rule to be changed no longer exists */
  async #checkRuleWrites(operation: Operation, before: readonly ReadDocument[]): Promise<void> {
    if (operation.writes.some(isGroupedRuleWrite)) {
      const { checkRuleWrites } = await import('./checkRuleWrites.ts');
      checkRuleWrites(operation, before, this.#executor.getRuleBehavior(operation.connectionId));
    }
  }

  async #checkPlan(
    operation: Operation,
    before: readonly ReadDocument[],
    context: { readonly session: WriteSession; readonly options: RunOptions },
  ): Promise<Plan> {
    const { plan, planHash } = await this.#createPlan(operation, before, context.session);
    const { approval, confirmedPlanHash } = context.options;
    if (confirmedPlanHash !== undefined) {
      await checkConfirmed({ plan, planHash }, confirmedPlanHash);
    }
    if (approval === undefined) {
      if (await needsReview(plan, context.options)) {
        throw new PlanNeededError(plan, planHash);
      }
      return plan;
    }
    // Who has access isn't read again: a given approval shows that the plan was reviewed.
    if (!mayNeedReview(plan, context.options)) {
      return plan;
    }
    // An approval for another plan is invalidated, too.
    if (!this.#approvals.delete(approval) || !isSamePlanHash(approval.planHash, planHash)) {
      throw new PlanNeededError(plan, planHash);
    }
    return plan;
  }

  async #createPlan(
    operation: Operation,
    before: readonly ReadDocument[],
    session: WriteSession,
  ): Promise<{ plan: Plan; planHash: PlanHash }> {
    const { connectionId } = operation;
    const { getCubeSets, loadUsersAndGroups } = this.#deps;
    const { planOperation } = await import('../plan/planOperation.ts');
    const { CatalogPlanSources } = await import('../plan/planSources.ts');
    // The plan is shown to the user, so secrets in connections are masked.
    const plan = await planOperation(
      maskOperation(operation),
      before,
      new CatalogPlanSources(session, {
        cubeSets: getCubeSetSubjects(operation, getCubeSets(connectionId)),
        loadUsersAndGroups: async () => loadUsersAndGroups?.(connectionId),
      }),
    );
    return { plan, planHash: { payload: hashPayload(operation), base: hashBase(before) } };
  }
}
