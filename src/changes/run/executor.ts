import type { Clock } from '../../base/clock.ts';
import { Emitter } from '../../base/event.ts';
import { KeyedQueue } from '../../base/keyedQueue.ts';
import type { Log } from '../../base/log.ts';
import type { RuleSubject } from '../../catalog/ruleSubject.ts';
import type { RunningEntry } from '../journal/history.ts';
import type { MovedRule } from '../model/movedRules.ts';
import type { RuleServerFacts } from '../rules/rulePhase.ts';
import { invalidations } from './invalidations.ts';
import { Execution } from './execution.ts';
import { type OperationReport, StoppedError, getSubjectsChangedByOthers } from './problems.ts';
import type { ExecutionFacts } from './executionFacts.ts';
import type { WriteSession } from './runOptions.ts';

export interface ExecutorDeps {
  readonly sessions: {
    get(connectionId: string): Promise<WriteSession>;
    /** The session stays open until `run` is done. */
    use<T>(connectionId: string, run: (session: WriteSession) => Promise<T>): Promise<T>;
  };
  readonly clock: Clock;
  readonly log: Log;
}

/** The input of an execution, when its connection is ready for it. */
export type ExecutionRequest = ExecutionFacts & {
  readonly session: WriteSession;
  readonly entry: RunningEntry;
};

/** Executes operations, those of one connection one after the other, and announces what they changed. */
export class Executor {
  readonly #deps: ExecutorDeps;
  readonly #onDidMoveRule = new Emitter<MovedRule>();
  readonly onDidMoveRule = this.#onDidMoveRule.event;
  readonly #onDidDetectOtherChanges = new Emitter<{
    readonly connectionId: string;
    readonly subject: RuleSubject;
  }>();
  readonly onDidDetectOtherChanges = this.#onDidDetectOtherChanges.event;
  /** By connection. */
  readonly #queue = new KeyedQueue<string>();
  /** The known facts about how each connection's server handles rules. */
  readonly #ruleFacts = new Map<string, RuleServerFacts>();

  constructor(deps: ExecutorDeps) {
    this.#deps = deps;
  }

  /** Runs when nothing else is running on the connection. */
  enqueue<T>(connectionId: string, run: (session: WriteSession) => Promise<T>): Promise<T> {
    return this.#queue.run(connectionId, () => this.#deps.sessions.use(connectionId, run));
  }

  /** Returns the known facts about how the server of a connection handles rules. */
  ruleFacts(connectionId: string): RuleServerFacts {
    return this.#ruleFacts.get(connectionId) ?? unknownFacts;
  }

  /**
   * Sends the remaining writes; must be called from the connection's queue.
   * @throws StoppedError
   */
  async execute(request: ExecutionRequest): Promise<OperationReport> {
    const execution = this.#execution(request);
    const { connectionId } = request.operation;
    try {
      const report = await execution.run();
      getSubjectsChangedByOthers(report).forEach((subject) =>
        this.#onDidDetectOtherChanges.fire({ connectionId, subject }),
      );
      return report;
    } catch (error) {
      await releaseUnlessStopped(request, error);
      throw error;
    } finally {
      for (const moved of execution.movedRules) {
        this.#onDidMoveRule.fire(moved);
      }
      for (const change of invalidations(execution.sent, request.modules.getWriteKind)) {
        request.session.catalog.invalidate(change);
      }
    }
  }

  /** Verifies writes whose response was never recorded, and sends nothing. */
  async reconcileOnly(request: ExecutionRequest): Promise<void> {
    try {
      await this.#execution(request).reconcileOnly();
    } catch (error) {
      await releaseUnlessStopped(request, error);
      throw error;
    }
  }

  #execution(request: ExecutionRequest): Execution {
    const { connectionId } = request.operation;
    const ruleFacts = {
      get: () => this.ruleFacts(connectionId),
      set: (facts: RuleServerFacts) => {
        this.#ruleFacts.set(connectionId, facts);
      },
    };
    return new Execution({ ...request, clock: this.#deps.clock, log: this.#deps.log, ruleFacts });
  }
}

/** An operation whose end was not recorded can be resumed, or rolled back, by anyone. */
async function releaseUnlessStopped({ entry }: ExecutionRequest, error: unknown): Promise<void> {
  if (!(error instanceof StoppedError)) {
    await entry.release();
  }
}

const unknownFacts: RuleServerFacts = { adds: false, refusesSecond: false, deletes: false };
