import type { Clock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import type { RuleSubject } from '../../catalog/ruleSubject.ts';
import { readAffectedDocuments } from '../endpoints/readAffectedDocuments.ts';
import type { HistoryEntry } from '../journal/entry.ts';
import type { History } from '../journal/history.ts';
import { DocumentReader } from '../model/documentReader.ts';
import { maskOperation } from '../model/maskWrite.ts';
import type { Operation } from '../model/operation.ts';
import type { Plan } from '../model/plan.ts';
import type { ReadDocument } from '../model/readDocument.ts';
import { isRuleChangeWrite } from '../rules/ruleAction.ts';
import { checkExpected } from './conflicts.ts';
import { Executor, type ExecutorDeps } from './executor.ts';
import type { PlannedUndo } from './planUndo.ts';
import { EndedError, PlanNeededError, type PlanHash, type OperationReport } from './problems.ts';
import type { RecoveryResult, Recovery, RecoveryOptions } from './recovery.ts';
import { hashBase, isSamePlanHash, hashPayload, refuseMasks, refuseWrites, countUndos } from './runChecks.ts';
import type { ApprovalToken, RunOptions, WriteSession } from './runOptions.ts';

export interface WriterDeps extends ExecutorDeps {
  readonly history: History;
  /** The cube sets that a connection is known to have: their rules may name any of its datamodels. */
  readonly cubeSets: (connectionId: string) => readonly RuleSubject[];
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * The only way in which the product writes documents (design.md, sections 4 and 8). For each operation it
 * 1. reads the targets as the server has them now (secrets masked), and stops with {@link ConflictError} when one is
 *    not the version that `expect` names;
 * 2. refuses a change of data security rules that has no safe order with {@link RuleChangeRefusedError};
 * 3. computes the plan from the exact payload, and stops with {@link PlanNeededError} when something is deleted or
 *    breaks, unless `permit` was given for this very payload on these very documents;
 * 4. writes the documents into the history, and only then sends, each write once, in order;
 * 5. where an answer is lost, looks at the server whether the write happened, and goes on only when it did;
 * 6. stops at the first failure with {@link StoppedError}, whose report says what was and was not done;
 * 7. writes down what happened, and tells the catalogue what is no longer as it was.
 *
 * Operations of one connection run one after the other. What is refused before anything is sent rejects with one of
 * the errors above, a {@link SecretsNeededError}, or the ApiError of the read.
 */
export class Writer {
  readonly #deps: WriterDeps;
  readonly #executor: Executor;
  /** A rule goes by another `_id` now. */
  readonly onDidMoveRule: Executor['onDidMoveRule'];
  /** Rules were changed, and somebody else changed other rules of the same columns in the meantime. */
  readonly onDidDetectOtherChanges: Executor['onDidMeetOthers'];
  /** Permits that were given and not used. */
  readonly #approvals = new Set<ApprovalToken>();
  #recovery: Promise<Recovery> | undefined;

  constructor(deps: WriterDeps) {
    this.#deps = deps;
    this.#executor = new Executor(deps);
    this.onDidMoveRule = this.#executor.onDidMoveRule;
    this.onDidDetectOtherChanges = this.#executor.onDidMeetOthers;
  }

  /**
   * What an operation would do now, and the documents that it would reach; sends no write.
   * @throws ApiError when the targets cannot be read
   * @throws RuleChangeRefusedError, and ConflictError for a rule that is gone: it cannot be carried out
   */
  async plan(
    operation: Operation,
    signal?: AbortSignal,
  ): Promise<{ plan: Plan; planHash: PlanHash; before: readonly ReadDocument[] }> {
    const session = await this.#deps.sessions.get(operation.connectionId);
    const before = await readAffectedDocuments(operation.writes, new DocumentReader(session.client, signal));
    await this.#checkRules(operation, before);
    return { ...(await this.#plan(operation, before, session)), before };
  }

  /** A person has looked at the plan and wants it: the answer lets {@link run} send it once. */
  approve(planHash: PlanHash): ApprovalToken {
    const approval = { planHash };
    this.#approvals.add(approval);
    return approval;
  }

  /**
   * Carries out an operation; see the class. Resolves when every write was done.
   * @throws EndedError for a taking back that somebody was quicker with: it would come back twice
   * @throws ConflictError, PlanNeededError, SecretsNeededError, StoppedError, ApiError
   */
  run(operation: Operation, options: RunOptions = {}): Promise<OperationReport> {
    return this.#executor.enqueue(operation.connectionId, async (session) => {
      refuseWrites(session, operation);
      refuseMasks(operation);
      await this.#checkOnce(operation, options);
      const reader = new DocumentReader(session.client, options.signal);
      await checkExpected(options.expect ?? [], reader);
      const before = await readAffectedDocuments(operation.writes, reader);
      // Nobody is to look at a plan that cannot be carried out.
      await this.#checkRules(operation, before);
      await this.#checkPlan(operation, before, { session, options });
      options.signal?.throwIfAborted();
      const entry = await this.#deps.history.begin({
        operation: maskOperation(operation),
        before: before.map(({ ref, document }) => ({ ref, document })),
        undoes: options.undoes,
        restoredIds: options.moved,
      });
      options.onBegin?.(entry.id);
      return this.#executor.execute({ session, operation, before, entry, options, denied: options.denied });
    });
  }

  /**
   * Goes on with an operation that a closed or killed window left unfinished: looks whether its last write happened,
   * and sends what is left. Where taking it back was begun, that is taken back first.
   * @throws EndedError when it is unfinished no more
   * @throws ConflictError when somebody has changed a document that is still to be written, or may be
   * @throws SecretsNeededError when a write that is left carried a secret, which is kept nowhere
   * @throws StoppedError, ApiError
   */
  async resume(entry: HistoryEntry, options: RecoveryOptions = {}): Promise<OperationReport> {
    return (await this.#loadRecovery()).resume(entry, options);
  }

  /**
   * Takes back what an operation did that was left unfinished: looks whether its last write happened, then undoes the
   * writes that did. The taking back is an entry of its own; when it is interrupted, the next one goes on with it.
   * @throws EndedError when it is unfinished no more
   * @throws ConflictError when somebody has changed since what the operation left, or may have; nothing was sent, and
   * the operation is unfinished as before: {@link abandon} it and run what {@link planRestore} makes of it
   * @throws StoppedError, SecretsNeededError, ApiError
   */
  async rollBack(entry: HistoryEntry, options: RecoveryOptions = {}): Promise<OperationReport> {
    return (await this.#loadRecovery()).rollBack(entry, options);
  }

  /**
   * Ends what was left unfinished as it is: looks whether its last write happened, and sends nothing.
   * @returns the entry with what became of its writes
   * @throws ApiError
   */
  async abandon(entry: HistoryEntry): Promise<HistoryEntry> {
    return (await this.#loadRecovery()).abandon(entry);
  }

  /**
   * Finishes an operation that stopped, or takes it back where the history says so.
   * @returns `undefined` when a person has finished it meanwhile, or has taken it back
   * @throws ConflictError, SecretsNeededError, StoppedError, ClaimedError, ApiError
   */
  async recover(
    stopped: { readonly connectionId: string; readonly entryId: string },
    options: Pick<RunOptions, 'onUnknown'> = {},
  ): Promise<RecoveryResult | undefined> {
    return (await this.#loadRecovery()).recover(stopped, options);
  }

  /** Loaded once something stopped; one for all, since it lets each operation be ended once. */
  #loadRecovery(): Promise<Recovery> {
    this.#recovery ??= import('./recovery.ts').then(
      ({ Recovery: Loaded }) => new Loaded({ ...this.#deps, executor: this.#executor, writer: this }),
    );
    return this.#recovery;
  }

  /** The documents as an operation left them that came to its end; `undefined` where it did not, or was taken back. */
  async getVersionsLeftBy(of: {
    readonly connectionId: string;
    readonly entryId: string;
  }): Promise<HistoryEntry['after'] | undefined> {
    const entry = await this.#deps.history.entry(of.connectionId, of.entryId);
    return entry?.end === 'done' ? entry.after : undefined;
  }

  /**
   * The operation that takes an entry back, made from what the server has now; {@link run} it with its `expect` and
   * with `undoes` and `timesBefore`. What cannot be brought back is told in `losses`.
   * @throws ApiError
   */
  async planUndo(entry: HistoryEntry): Promise<PlannedUndo> {
    return (await import('./planUndo.ts')).planUndo(entry, this.#deps);
  }

  /** As {@link planUndo}, over whatever was done since. */
  async planRestore(entry: HistoryEntry): Promise<PlannedUndo> {
    return (await import('./planUndo.ts')).planRestore(entry, this.#deps);
  }

  /** @throws EndedError when it was taken back, or that was begun, since it was worked out how */
  async #checkOnce({ connectionId }: Operation, { undoes, timesBefore }: RunOptions): Promise<void> {
    if (undoes === undefined || timesBefore === undefined) {
      return;
    }
    if (countUndos(undoes, await this.#deps.history.entries(connectionId)) > timesBefore) {
      throw new EndedError();
    }
  }

  /** @throws RuleChangeRefusedError, and ConflictError where a rule that is to be changed is gone */
  async #checkRules(operation: Operation, before: readonly ReadDocument[]): Promise<void> {
    if (operation.writes.some(isRuleChangeWrite)) {
      const { checkRules } = await import('./checkRules.ts');
      checkRules(operation, before, this.#executor.ruleFacts(operation.connectionId));
    }
  }

  async #checkPlan(
    operation: Operation,
    before: readonly ReadDocument[],
    given: { readonly session: WriteSession; readonly options: RunOptions },
  ): Promise<void> {
    const { plan, planHash } = await this.#plan(operation, before, given.session);
    const { approval, confirmed, review = false } = given.options;
    if (confirmed !== undefined && !isSamePlanHash(confirmed, planHash)) {
      throw new PlanNeededError(plan, planHash);
    }
    if (plan.severity === 'harmless' && !review) {
      return;
    }
    const isGood = approval !== undefined && isSamePlanHash(approval.planHash, planHash);
    // One that does not fit is used up too: it was given for something else.
    if (approval === undefined || !this.#approvals.delete(approval) || !isGood) {
      throw new PlanNeededError(plan, planHash);
    }
  }

  async #plan(
    operation: Operation,
    before: readonly ReadDocument[],
    { catalog, client }: WriteSession,
  ): Promise<{ plan: Plan; planHash: PlanHash }> {
    const cubeSets = this.#deps.cubeSets(operation.connectionId);
    const { planOperation } = await import('../plan/planOperation.ts');
    const { CatalogPlanSources } = await import('../plan/planSources.ts');
    // A plan is shown: what it says of a connection has no secret in it.
    const plan = await planOperation(
      maskOperation(operation),
      before,
      new CatalogPlanSources(catalog, client, cubeSets),
    );
    return { plan, planHash: { payload: hashPayload(operation), base: hashBase(before) } };
  }
}
