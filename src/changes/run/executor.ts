import type { Clock } from '../../base/clock.ts';
import { Emitter } from '../../base/event.ts';
import { KeyedQueue, type QueueOptions } from '../../base/keyedQueue.ts';
import type { Log } from '../../base/log.ts';
import type { RuleSubject } from '../../catalog/ruleSubject.ts';
import type { RunningEntry } from '../journal/runningEntry.ts';
import type { RuleIdChange } from '../model/ruleIdChanges.ts';
import type { RuleEndpointBehavior } from '../rules/rulePhase.ts';
import { getInvalidations } from './invalidations.ts';
import { Execution } from './execution.ts';
import { type OperationReport, StoppedError, getSubjectsChangedByOthers } from './writeErrors.ts';
import type { ExecutionInput } from './executionInput.ts';
import type { WriteSession } from './runOptions.ts';

export interface ExecutorDeps {
  readonly sessions: {
    get(connectionId: string): Promise<WriteSession>;
    /** Runs a task with a session, which stays open until the task is done. */
    use<T>(connectionId: string, run: (session: WriteSession) => Promise<T>): Promise<T>;
  };
  readonly clock: Clock;
  readonly log: Log;
}

/** The input of an execution, with its session and its history entry. */
export type ExecutionRequest = ExecutionInput & {
  readonly session: WriteSession;
  readonly entry: RunningEntry;
};

/** Executes operations, one at a time per connection, and fires events for what they changed. */
export class Executor {
  readonly #deps: ExecutorDeps;
  readonly #onDidChangeRuleId = new Emitter<RuleIdChange>();
  /** Fires when the `_id` of a rule has changed. */
  readonly onDidChangeRuleId = this.#onDidChangeRuleId.event;
  readonly #onDidDetectOtherChanges = new Emitter<{
    readonly connectionId: string;
    readonly subject: RuleSubject;
  }>();
  /** Fires when another user has changed other rules of the same columns at the same time. */
  readonly onDidDetectOtherChanges = this.#onDidDetectOtherChanges.event;
  /** The running and waiting tasks, by connection ID. */
  readonly #queue = new KeyedQueue<string>();
  /** The known behavior of each connection's server regarding rules. */
  readonly #ruleBehavior = new Map<string, RuleEndpointBehavior>();

  constructor(deps: ExecutorDeps) {
    this.#deps = deps;
  }

  /**
   * Runs a task when no other task is running on the connection.
   * @throws the reason of the signal if it aborts while the task waits for others
   */
  enqueue<T>(
    connectionId: string,
    options: QueueOptions,
    run: (session: WriteSession) => Promise<T>,
  ): Promise<T> {
    return this.#queue.run(connectionId, () => this.#deps.sessions.use(connectionId, run), options);
  }

  /** Returns the known behavior of a connection's server regarding rules. */
  getRuleBehavior(connectionId: string): RuleEndpointBehavior {
    return this.#ruleBehavior.get(connectionId) ?? initialRuleBehavior;
  }

  /**
   * Sends the writes that are not done; must be called from a task of {@link enqueue}.
   * @throws StoppedError
   */
  async execute(request: ExecutionRequest): Promise<OperationReport> {
    const execution = this.#createExecution(request);
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
      for (const ruleIdChange of execution.ruleIdChanges) {
        this.#onDidChangeRuleId.fire(ruleIdChange);
      }
      for (const change of getInvalidations(execution.sentWrites, request.modules.getWriteKind)) {
        request.session.catalog.invalidate(change);
      }
    }
  }

  /** Verifies the writes that may have had an effect, and records the end of the operation. Sends no write. */
  reconcileOnly(request: ExecutionRequest, options: { readonly isAbandoned: boolean }): Promise<void> {
    return this.#createExecution(request).reconcileOnly(options);
  }

  #createExecution(request: ExecutionRequest): Execution {
    const { connectionId } = request.operation;
    const ruleBehavior = {
      get: () => this.getRuleBehavior(connectionId),
      set: (behavior: RuleEndpointBehavior) => {
        this.#ruleBehavior.set(connectionId, behavior);
      },
    };
    return new Execution({ ...request, clock: this.#deps.clock, log: this.#deps.log, ruleBehavior });
  }
}

/** Releases an operation whose end was not recorded, so that any window can resume it or roll it back. */
async function releaseUnlessStopped({ entry }: ExecutionRequest, error: unknown): Promise<void> {
  if (!(error instanceof StoppedError)) {
    await entry.release();
  }
}

const initialRuleBehavior: RuleEndpointBehavior = {
  alwaysAdds: false,
  rejectsSecondRule: false,
  canDeleteSingleRules: false,
};
