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
import { type OperationReport, getSubjectsChangedByOthers } from './problems.ts';
import type { ExecutionFacts, WriteSession } from './runOptions.ts';

export interface ExecutorDeps {
  readonly sessions: {
    get(connectionId: string): Promise<WriteSession>;
    /** The session stays open until `run` is done. */
    use<T>(connectionId: string, run: (session: WriteSession) => Promise<T>): Promise<T>;
  };
  readonly clock: Clock;
  readonly log: Log;
}

/** What becomes one execution, once its connection's turn has come. */
export type ExecutionRequest = ExecutionFacts & {
  readonly session: WriteSession;
  readonly entry: RunningEntry;
};

/** Executes operations, those of one connection one after the other, and announces what they changed. */
export class Executor {
  readonly #deps: ExecutorDeps;
  readonly #onDidMoveRule = new Emitter<MovedRule>();
  readonly onDidMoveRule = this.#onDidMoveRule.event;
  readonly #onDidMeetOthers = new Emitter<{ readonly connectionId: string; readonly subject: RuleSubject }>();
  readonly onDidMeetOthers = this.#onDidMeetOthers.event;
  /** By connection. */
  readonly #queue = new KeyedQueue<string>();
  /** How each connection's server takes rules, as far as it was found out. */
  readonly #ruleFacts = new Map<string, RuleServerFacts>();

  constructor(deps: ExecutorDeps) {
    this.#deps = deps;
  }

  /** Runs when nothing else of the connection does. */
  enqueue<T>(connectionId: string, run: (session: WriteSession) => Promise<T>): Promise<T> {
    return this.#queue.run(connectionId, () => this.#deps.sessions.use(connectionId, run));
  }

  /** How the server of a connection takes rules, as far as it was found out. */
  ruleFacts(connectionId: string): RuleServerFacts {
    return this.#ruleFacts.get(connectionId) ?? unknownFacts;
  }

  /**
   * Sends the writes that are left; to be called in the connection's turn.
   * @throws StoppedError
   */
  async execute(request: ExecutionRequest): Promise<OperationReport> {
    const execution = this.#execution(request);
    const { connectionId } = request.operation;
    try {
      const report = await execution.run();
      getSubjectsChangedByOthers(report).forEach((subject) =>
        this.#onDidMeetOthers.fire({ connectionId, subject }),
      );
      return report;
    } finally {
      for (const moved of execution.movedRules) {
        this.#onDidMoveRule.fire(moved);
      }
      for (const change of await invalidations(execution.sent)) {
        request.session.catalog.invalidate(change);
      }
    }
  }

  /** Finds out about writes whose answer was never written down, and sends nothing. */
  reconcileOnly(request: ExecutionRequest): Promise<void> {
    return this.#execution(request).reconcileOnly();
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

const unknownFacts: RuleServerFacts = { adds: false, refusesSecond: false, deletes: false };
