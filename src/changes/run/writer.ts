import type { Clock } from '../../base/clock.ts';
import { Emitter } from '../../base/event.ts';
import { KeyedQueue } from '../../base/keyedQueue.ts';
import type { Log } from '../../base/log.ts';
import type { RuleSubject } from '../../catalog/ruleSubject.ts';
import type { HistoryEntry } from '../journal/entry.ts';
import { ofToday } from '../journal/movedIds.ts';
import { refsToRead, restore, type TakenBack, undo } from '../journal/takeBack.ts';
import type { History } from '../journal/history.ts';
import type { Plan } from '../model/plan.ts';
import { planOperation } from '../plan/planOperation.ts';
import { checkExpected } from './conflicts.ts';
import { DocumentReader } from '../model/documentReader.ts';
import { Endings } from './endings.ts';
import { type Ended, endStopped } from './endStopped.ts';
import { Execution } from './execution.ts';
import { CatalogKnowledge } from '../plan/knowledge.ts';
import { reachedDocuments } from '../endpoints/reachedDocuments.ts';
import type { ReadDocument } from '../model/readDocument.ts';
import { checkRules } from './checkRules.ts';
import type { MovedRule } from '../model/movedRules.ts';
import type { RuleServerFacts } from '../rules/rulePhase.ts';
import type { Operation } from '../model/operation.ts';
import { lookAgain, ownWork } from './ownWork.ts';
import { affectedBy } from './affectedBy.ts';
import { EndedError, PlanNeededError, type PlanTicket, type Report, subjectsMet } from './problems.ts';
import type { Permit, RunOptions, WriteSession } from './runOptions.ts';
import { maskOperation } from '../model/maskWrite.ts';
import {
  baseHash,
  checkUntouched,
  isSameTicket,
  payloadHash,
  refuseMasks,
  refuseWrites,
} from './runChecks.ts';

export interface WriterDeps {
  readonly sessions: {
    get(connectionId: string): Promise<WriteSession>;
    /** The session stays open until `run` is done. */
    use<T>(connectionId: string, run: (session: WriteSession) => Promise<T>): Promise<T>;
  };
  readonly history: History;
  /** The cube sets that a connection is known to have: their rules may name any of its datamodels. */
  readonly cubeSets: (connectionId: string) => readonly RuleSubject[];
  readonly clock: Clock;
  readonly log: Log;
}

/** How an entry is taken back, worked out from what there is now; see {@link RunOptions.timesBefore}. */
export type TakingBack = TakenBack & Required<Pick<RunOptions, 'timesBefore'>>;

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
  readonly #onDidMoveRule = new Emitter<MovedRule>();
  /** A rule goes by another `_id` now. */
  readonly onDidMoveRule = this.#onDidMoveRule.event;
  readonly #onDidMeetOthers = new Emitter<{ readonly connectionId: string; readonly subject: RuleSubject }>();
  /** Rules were changed, and somebody else changed other rules of the same columns in the meantime. */
  readonly onDidMeetOthers = this.#onDidMeetOthers.event;
  /** By connection. */
  readonly #turns = new KeyedQueue<string>();
  /** Permits that were given and not used. */
  readonly #permits = new Set<Permit>();
  readonly #endings: Endings;
  /** How each connection's server takes rules, as far as it was found out. */
  readonly #ruleFacts = new Map<string, RuleServerFacts>();

  constructor(deps: WriterDeps) {
    this.#deps = deps;
    this.#endings = new Endings(deps.history);
  }

  /**
   * What an operation would do now, and the documents that it would reach; sends no write.
   * @throws ApiError when the targets cannot be read
   * @throws RuleChangeRefusedError, and ConflictError for a rule that is gone: it cannot be carried out
   */
  async plan(
    operation: Operation,
    signal?: AbortSignal,
  ): Promise<{ plan: Plan; ticket: PlanTicket; before: readonly ReadDocument[] }> {
    const session = await this.#deps.sessions.get(operation.connectionId);
    const before = await reachedDocuments(operation.writes, new DocumentReader(session.client, signal));
    checkRules(operation, before, this.#ruleFactsOf(operation).get());
    return { ...(await this.#plan(operation, before, session)), before };
  }

  /** A person has looked at the plan and wants it: the answer lets {@link run} send it once. */
  permit(ticket: PlanTicket): Permit {
    const permit = { ticket };
    this.#permits.add(permit);
    return permit;
  }

  /**
   * Carries out an operation; see the class. Resolves when every write was done.
   * @throws EndedError for a taking back that somebody was quicker with: it would come back twice
   * @throws ConflictError, PlanNeededError, SecretsNeededError, StoppedError, ApiError
   */
  run(operation: Operation, options: RunOptions = {}): Promise<Report> {
    return this.#inTurn(operation.connectionId, async (session) => {
      refuseWrites(session, operation);
      refuseMasks(operation);
      await this.#checkOnce(operation, options);
      const reader = new DocumentReader(session.client, options.signal);
      await checkExpected(options.expect ?? [], reader);
      const before = await reachedDocuments(operation.writes, reader);
      // Nobody is to look at a plan that cannot be carried out.
      checkRules(operation, before, this.#ruleFactsOf(operation).get());
      await this.#checkPlan(operation, before, { session, options });
      options.signal?.throwIfAborted();
      const entry = await this.#deps.history.begin({
        operation: maskOperation(operation),
        before: before.map(({ ref, document }) => ({ ref, document })),
        undoes: options.undoes,
        comesBack: options.moved,
      });
      options.onBegin?.(entry.id);
      return this.#execute(
        new Execution({
          ...this.#deps,
          session,
          operation,
          before,
          entry,
          options,
          denied: options.denied,
          ruleFacts: this.#ruleFactsOf(operation),
        }),
        session,
      );
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
  resume(entry: HistoryEntry, options: Omit<RunOptions, 'permit' | 'expect'> = {}): Promise<Report> {
    return this.#endings.run(entry, async (now, begun) => {
      if (begun !== undefined) {
        await this.rollBack(begun);
      }
      return this.#resume(now, options);
    });
  }

  #resume(entry: HistoryEntry, options: Omit<RunOptions, 'permit' | 'expect'>): Promise<Report> {
    const { operation } = entry;
    return this.#inTurn(operation.connectionId, async (session) => {
      const left = operation.writes.filter((_write, index) => entry.writes[index]?.state !== 'done');
      refuseWrites(session, operation);
      refuseMasks({ ...operation, writes: left });
      const before = entry.before.map(({ ref, document }) => ({ ref, document }));
      await checkUntouched(entry, before, new DocumentReader(session.client, options.signal));
      await lookAgain(entry, session.client, { goesOn: true });
      const running = await this.#deps.history.claim(entry);
      const execution = new Execution({
        ...this.#deps,
        session,
        operation,
        before,
        entry: running,
        options: { ...options, moved: entry.comesBack },
        states: entry.writes,
        denied: entry.denied,
        made: entry.made,
        ruleFacts: this.#ruleFactsOf(operation),
      });
      return this.#execute(execution, session);
    });
  }

  /**
   * Takes back what an operation did that was left unfinished: looks whether its last write happened, then undoes the
   * writes that did. The taking back is an entry of its own; when it is interrupted, the next one goes on with it.
   * @throws EndedError when it is unfinished no more
   * @throws ConflictError when somebody has changed since what the operation left, or may have; nothing was sent, and
   * the operation is unfinished as before: {@link giveUp} it and run what {@link restoreOf} makes of it
   * @throws StoppedError, SecretsNeededError, ApiError
   */
  rollBack(entry: HistoryEntry, options: Omit<RunOptions, 'permit' | 'expect'> = {}): Promise<Report> {
    return this.#endings.run(entry, async (now, begun) => {
      if (begun === undefined) {
        return this.#rollBack(now, options);
      }
      const report = await this.resume(begun, options);
      await this.#isTakenBack(now);
      return report;
    });
  }

  async #rollBack(entry: HistoryEntry, options: Omit<RunOptions, 'permit' | 'expect'>): Promise<Report> {
    const { operation } = entry;
    const { sessions } = this.#deps;
    refuseWrites(await sessions.get(operation.connectionId), operation);
    const expected = await this.#inTurn(operation.connectionId, async ({ client }) =>
      ownWork(entry, await lookAgain(entry, client, { goesOn: false }), client),
    );
    const settled = await this.giveUp(entry);
    const back = await this.undoOf(settled);
    const { ticket } = await this.plan(back.operation);
    const report = await this.run(back.operation, {
      ...options,
      permit: this.permit(ticket),
      expect: expected,
      undoes: entry.id,
      timesBefore: back.timesBefore,
      moved: back.moved,
      denied: settled.denied,
    });
    await this.#isTakenBack(settled);
    return report;
  }

  async #isTakenBack(entry: HistoryEntry): Promise<void> {
    await (await this.#deps.history.claim(entry)).end('rolled-back', { after: [], moved: [] });
  }

  /**
   * Ends what was left unfinished as it is: looks whether its last write happened, and sends nothing.
   * @returns the entry with what became of its writes
   * @throws ApiError
   */
  async giveUp(entry: HistoryEntry): Promise<HistoryEntry> {
    const { operation } = entry;
    const { history } = this.#deps;
    await this.#inTurn(operation.connectionId, async (session) => {
      const before = entry.before.map(({ ref, document }) => ({ ref, document }));
      const running = await history.claim(entry);
      const ruleFacts = this.#ruleFactsOf(operation);
      const facts = { ...this.#deps, session, operation, before, entry: running, options: {}, ruleFacts };
      await new Execution({ ...facts, states: entry.writes }).settleOnly();
    });
    return (await history.entry(operation.connectionId, entry.id)) ?? entry;
  }

  /** Ends an operation that stopped half-way, as {@link endStopped} says. */
  endStopped(
    stopped: { readonly connectionId: string; readonly entryId: string },
    options: Pick<RunOptions, 'onUnknown'> = {},
  ): Promise<Ended | undefined> {
    return endStopped({ history: this.#deps.history, ending: this }, stopped, options);
  }

  /** The documents as an operation left them that came to its end; `undefined` where it did not, or was taken back. */
  async leftBy(of: {
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
  async undoOf(entry: HistoryEntry): Promise<TakingBack> {
    const { own, timesBefore } = await this.#translated(entry, { replaced: 'gone' });
    return { ...undo(own, await this.#present(own)), timesBefore };
  }

  /** As {@link undoOf}, over whatever was done since. */
  async restoreOf(entry: HistoryEntry): Promise<TakingBack> {
    const { own, timesBefore } = await this.#translated(entry, { replaced: 'same' });
    return { ...restore(own, await this.#present(own)), timesBefore };
  }

  /** The entry with the ids and hashes that things have today. */
  async #translated(entry: HistoryEntry, how: Parameters<typeof ofToday>[2]) {
    const entries = await this.#deps.history.entries(entry.operation.connectionId);
    return { own: ofToday(entry, entries, how), timesBefore: timesOf(entry.id, entries) };
  }

  /** @throws EndedError when it was taken back, or that was begun, since it was worked out how */
  async #checkOnce({ connectionId }: Operation, { undoes, timesBefore }: RunOptions): Promise<void> {
    if (undoes === undefined || timesBefore === undefined) {
      return;
    }
    if (timesOf(undoes, await this.#deps.history.entries(connectionId)) > timesBefore) {
      throw new EndedError();
    }
  }

  async #present(entry: HistoryEntry): Promise<readonly ReadDocument[]> {
    const { client } = await this.#deps.sessions.get(entry.operation.connectionId);
    const reader = new DocumentReader(client);
    return Promise.all(refsToRead(entry).map(async (ref) => ({ ref, document: await reader.document(ref) })));
  }

  async #execute(execution: Execution, { catalog }: WriteSession): Promise<Report> {
    try {
      const report = await execution.run();
      const { connectionId } = report.operation;
      subjectsMet(report).forEach((subject) => this.#onDidMeetOthers.fire({ connectionId, subject }));
      return report;
    } finally {
      for (const moved of execution.movedRules) {
        this.#onDidMoveRule.fire(moved);
      }
      for (const change of affectedBy(execution.sent)) {
        catalog.invalidate(change);
      }
    }
  }

  async #checkPlan(
    operation: Operation,
    before: readonly ReadDocument[],
    given: { readonly session: WriteSession; readonly options: RunOptions },
  ): Promise<void> {
    const { plan, ticket } = await this.#plan(operation, before, given.session);
    const { permit, asked, review = false } = given.options;
    if (asked !== undefined && !isSameTicket(asked, ticket)) {
      throw new PlanNeededError(plan, ticket);
    }
    if (plan.severity === 'harmless' && !review) {
      return;
    }
    const isGood = permit !== undefined && isSameTicket(permit.ticket, ticket);
    // One that does not fit is used up too: it was given for something else.
    if (permit === undefined || !this.#permits.delete(permit) || !isGood) {
      throw new PlanNeededError(plan, ticket);
    }
  }

  async #plan(
    operation: Operation,
    before: readonly ReadDocument[],
    { catalog, client }: WriteSession,
  ): Promise<{ plan: Plan; ticket: PlanTicket }> {
    const cubeSets = this.#deps.cubeSets(operation.connectionId);
    // A plan is shown: what it says of a connection has no secret in it.
    const plan = await planOperation(
      maskOperation(operation),
      before,
      new CatalogKnowledge(catalog, client, cubeSets),
    );
    return { plan, ticket: { payload: payloadHash(operation), base: baseHash(before) } };
  }

  #ruleFactsOf({ connectionId }: Operation) {
    return {
      get: () => this.#ruleFacts.get(connectionId) ?? nothingKnown,
      set: (facts: RuleServerFacts) => {
        this.#ruleFacts.set(connectionId, facts);
      },
    };
  }

  #inTurn<T>(connectionId: string, run: (session: WriteSession) => Promise<T>): Promise<T> {
    return this.#turns.run(connectionId, () => this.#deps.sessions.use(connectionId, run));
  }
}

const nothingKnown: RuleServerFacts = { adds: false, refusesSecond: false, deletes: false };

/** How often an entry was taken back, or that was begun; what stopped before it changed anything does not count. */
const timesOf = (id: string, entries: readonly HistoryEntry[]): number =>
  entries.filter(
    ({ undoes, end, writes }) =>
      undoes === id &&
      (end !== 'stopped' || writes.some(({ state }) => state !== 'failed' && state !== 'waiting')),
  ).length;
