import type { ConnectionStore } from '../../connections/connectionStore.ts';
import type { Sessions } from '../../connections/sessions.ts';
import type { Log } from '../../base/log.ts';
import type { History } from '../../changes/journal/history.ts';
import type { Operation } from '../../changes/model/operation.ts';
import type { OperationReport } from '../../changes/run/problems.ts';
import type { RunOptions } from '../../changes/run/runOptions.ts';
import type { Writer } from '../../changes/run/writer.ts';

/** The dependencies for showing and undoing changes. */
export interface HistoryFeatureDeps {
  /** The only way to write, and the journal of the writes; loaded when it is first needed. */
  readonly changeServices: () => Promise<{ readonly writer: Writer; readonly history: History }>;
  /** Performs an operation that the user requested, with the plan in between where one is needed. */
  readonly performer: {
    /** `undefined` when the user canceled. */
    perform(operation: Operation, options?: RunOptions): Promise<OperationReport | undefined>;
  };
  readonly connections: ConnectionStore;
  readonly sessions: Sessions;
  /** The folder of the history; it exists once something was written. */
  readonly historyFolder: string;
  readonly log: Log;
}
