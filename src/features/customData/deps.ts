import type * as vscode from 'vscode';
import type { Log } from '../../base/log.ts';
import type { Sessions } from '../../connections/sessions.ts';
import type { ActivePanels } from '../../platform/activePanels.ts';
import type { WriteAccessDeps } from '../../platform/ensureWritable.ts';
import type { ConnectionPickerDeps } from '../../platform/pickConnection.ts';
import type { Writer } from '../../changes/run/writer.ts';

/** The dependencies of the custom data page. */
export interface CustomDataDeps extends ConnectionPickerDeps, WriteAccessDeps {
  readonly sessions: Sessions;
  readonly changeServices: () => Promise<{ readonly writer: Writer }>;
  readonly activePanels: ActivePanels;
  readonly extensionUri: vscode.Uri;
  readonly log: Log;
}
