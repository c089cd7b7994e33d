import type { Clock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import type { WriteState } from '../journal/entry.ts';
import type { RunningEntry } from '../journal/runningEntry.ts';
import type { Operation } from '../model/operation.ts';
import type { ReadDocument } from '../model/readDocument.ts';
import type { RuleEndpointBehavior } from '../rules/rulePhase.ts';
import type { RunOptions, WriteSession } from './runOptions.ts';
import type { WriteModules } from './writeModules.ts';

/** The input of an execution. */
export interface ExecutionInput {
  /** The code of its kinds of writes. Loaded before the operation is recorded or claimed: later, loading may fail. */
  readonly modules: WriteModules;
  readonly operation: Operation;
  /** The documents from before the operation. */
  readonly before: readonly ReadDocument[];
  /** When they were read, or compared with the server. */
  readonly readAt: number;
  readonly options: Pick<
    RunOptions,
    'onResponseLost' | 'signal' | 'restoredIds' | 'onProgress' | 'onWait' | 'verifyDelayMs'
  >;
  /** The states of the writes so far, if the operation is resumed. */
  readonly states?: readonly WriteState[];
  /** Scopes for which an earlier attempt, or the undone operation, may have created temporary deny rules. */
  readonly denyScopes?: readonly string[] | undefined;
  /** IDs of the rules that the server reported to an earlier attempt as created. */
  readonly createdIds?: readonly string[] | undefined;
}

/** What an execution needs. */
export interface ExecutionDeps extends ExecutionInput {
  readonly session: WriteSession;
  readonly clock: Clock;
  readonly log: Log;
  readonly entry: RunningEntry;
  /** The known behavior of the server regarding rules. */
  readonly ruleBehavior: { get(): RuleEndpointBehavior; set(behavior: RuleEndpointBehavior): void };
}
