import type * as vscode from 'vscode';
import type { Log } from '../../base/log.ts';
import type { ConnectionStore } from '../../connections/connectionStore.ts';
import type { Writer } from '../../changes/run/writer.ts';

export interface PlanFeatureDeps {
  /** The writer of all changes; loaded with the first write. */
  readonly changeServices: () => Promise<{ readonly writer: Writer }>;
  readonly connections: ConnectionStore;
  readonly extensionUri: vscode.Uri;
  readonly log: Log;
}
