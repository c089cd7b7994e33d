import type { HistoryEntry } from '../journal/entry.ts';
import type { History } from '../journal/history.ts';
import { endingOf } from '../journal/unfinished.ts';
import { DocumentReader } from '../model/documentReader.ts';
import type { Operation } from '../model/operation.ts';
import { Endings } from './endings.ts';
import type { Executor } from './executor.ts';
import { lookAgain, ownWork } from './ownWork.ts';
import type { TakingBack } from './planUndo.ts';
import { EndedError, type PlanTicket, type Report } from './problems.ts';
import { checkUntouched, refuseMasks, refuseWrites } from './runChecks.ts';
import type { Permit, RunOptions, WriteSession } from './runOptions.ts';

/** What an operation that is taken up again may be given. */
export type RecoveryOptions = Omit<RunOptions, 'permit' | 'expect'>;

/** How a stopped operation was ended. */
export interface Ended {
  readonly how: 'finished' | 'taken-back';
  readonly report: Report;
}

interface RecoveryDeps {
  readonly sessions: { get(connectionId: string): Promise<WriteSession> };
  readonly history: History;
  readonly executor: Executor;
  /** Carries out what undoes an operation. */
  readonly writer: {
    plan(operation: Operation): Promise<{ readonly ticket: PlanTicket }>;
    permit(ticket: PlanTicket): Permit;
    run(operation: Operation, options: RunOptions): Promise<Report>;
    undoOf(entry: HistoryEntry): Promise<TakingBack>;
  };
}

/** Ends operations that did not come to their end: finishes them, rolls them back, or leaves them as they are. */
export class Recovery {
  readonly #deps: RecoveryDeps;
  readonly #endings: Endings;

  constructor(deps: RecoveryDeps) {
    this.#deps = deps;
    this.#endings = new Endings(deps.history);
  }

  /** See `Writer.resume`. */
  resume(entry: HistoryEntry, options: RecoveryOptions = {}): Promise<Report> {
    return this.#endings.run(entry, async (now, begun) => {
      if (begun !== undefined) {
        await this.rollBack(begun);
      }
      return this.#resume(now, options);
    });
  }

  #resume(entry: HistoryEntry, options: RecoveryOptions): Promise<Report> {
    const { operation } = entry;
    const { executor, history } = this.#deps;
    return executor.inTurn(operation.connectionId, async (session) => {
      const left = operation.writes.filter((_write, index) => entry.writes[index]?.state !== 'done');
      refuseWrites(session, operation);
      refuseMasks({ ...operation, writes: left });
      const before = documentsBefore(entry);
      await checkUntouched(entry, before, new DocumentReader(session.client, options.signal));
      await lookAgain(entry, session.client, { goesOn: true });
      return executor.execute({
        session,
        operation,
        before,
        entry: await history.claim(entry),
        options: { ...options, moved: entry.comesBack },
        states: entry.writes,
        denied: entry.denied,
        made: entry.made,
      });
    });
  }

  /** See `Writer.rollBack`. */
  rollBack(entry: HistoryEntry, options: RecoveryOptions = {}): Promise<Report> {
    return this.#endings.run(entry, async (now, begun) => {
      if (begun === undefined) {
        return this.#rollBack(now, options);
      }
      const report = await this.resume(begun, options);
      await this.#isTakenBack(now);
      return report;
    });
  }

  async #rollBack(entry: HistoryEntry, options: RecoveryOptions): Promise<Report> {
    const { operation } = entry;
    const { sessions, executor, writer } = this.#deps;
    refuseWrites(await sessions.get(operation.connectionId), operation);
    const expected = await executor.inTurn(operation.connectionId, async ({ client }) =>
      ownWork(entry, await lookAgain(entry, client, { goesOn: false }), client),
    );
    const settled = await this.giveUp(entry);
    const back = await writer.undoOf(settled);
    const { ticket } = await writer.plan(back.operation);
    const report = await writer.run(back.operation, {
      ...options,
      permit: writer.permit(ticket),
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

  /** See `Writer.giveUp`. */
  async giveUp(entry: HistoryEntry): Promise<HistoryEntry> {
    const { operation } = entry;
    const { history, executor } = this.#deps;
    await executor.inTurn(operation.connectionId, async (session) =>
      executor.settleOnly({
        session,
        operation,
        before: documentsBefore(entry),
        entry: await history.claim(entry),
        options: {},
        states: entry.writes,
      }),
    );
    return (await history.entry(operation.connectionId, entry.id)) ?? entry;
  }

  /** See `Writer.endStopped`. */
  async endStopped(
    stopped: { readonly connectionId: string; readonly entryId: string },
    options: Pick<RunOptions, 'onUnknown'>,
  ): Promise<Ended | undefined> {
    const entry = await this.#deps.history.entry(stopped.connectionId, stopped.entryId);
    if (entry === undefined) {
      return undefined;
    }
    try {
      return endingOf(entry) === 'finish'
        ? { how: 'finished', report: await this.resume(entry, options) }
        : { how: 'taken-back', report: await this.rollBack(entry, options) };
    } catch (error) {
      if (error instanceof EndedError) {
        return undefined;
      }
      throw error;
    }
  }
}

const documentsBefore = ({ before }: HistoryEntry) => before.map(({ ref, document }) => ({ ref, document }));
