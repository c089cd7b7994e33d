import type { ConnectionStore } from '../../connections/connectionStore.ts';
import type { Sessions } from '../../connections/sessions.ts';
import type { Log } from '../../base/log.ts';
import type { History } from '../../changes/journal/history.ts';
import type { Operation } from '../../changes/model/operation.ts';
import type { OperationReport } from '../../changes/run/problems.ts';
import type { RunOptions } from '../../changes/run/runOptions.ts';
import type { Writer } from '../../changes/run/writer.ts';

/** What the history of changes is shown and taken back from. */
export interface HistoryFeatureDeps {
  /** The one way down for writes with what it writes down; loaded when it is first needed. */
  readonly changeServices: () => Promise<{ readonly writer: Writer; readonly history: History }>;
  /** Carries out what a person asked for, with the plan in between where one is needed. */
  readonly performer: {
    /** `undefined` when they gave up. */
    perform(operation: Operation, options?: RunOptions): Promise<OperationReport | undefined>;
  };
  readonly connections: ConnectionStore;
  readonly sessions: Sessions;
  /** Where the history is kept; it is there once something was written. */
  readonly historyFolder: string;
  readonly log: Log;
}
