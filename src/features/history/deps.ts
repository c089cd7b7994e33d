import type { ConnectionStore } from '../../connections/connectionStore.ts';
import type { Sessions } from '../../connections/sessions.ts';
import type { Log } from '../../base/log.ts';
import type { History } from '../../changes/journal/history.ts';
import type { Operation } from '../../changes/model/operation.ts';
import type { OperationReport } from '../../changes/run/writeErrors.ts';
import type { RunOptions } from '../../changes/run/runOptions.ts';
import type { Writer } from '../../changes/run/writer.ts';

/** The dependencies for showing and undoing changes. */
export interface HistoryFeatureDeps {
  /** The writer of all changes, and the history that records them; loaded on first use. */
  readonly changeServices: () => Promise<{ readonly writer: Writer; readonly history: History }>;
  /** Performs an operation that the user requested; shows Review Changes first if required. */
  readonly performer: {
    /** Resolves to `undefined` if the user canceled. */
    perform(operation: Operation, options?: RunOptions): Promise<OperationReport | undefined>;
  };
  readonly connections: ConnectionStore;
  readonly sessions: Sessions;
  /** The folder of the history; it exists once something was written. */
  readonly historyFolder: string;
  readonly log: Log;
}
