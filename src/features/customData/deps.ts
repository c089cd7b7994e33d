import type * as vscode from 'vscode';
import type { Log } from '../../base/log.ts';
import type { Sessions } from '../../connections/sessions.ts';
import type { ConnectionChoice } from '../../platform/pickConnection.ts';
import type { Writer } from '../../changes/run/writer.ts';

/** What the page of custom data is made from. */
export interface CustomDataDeps extends ConnectionChoice {
  readonly sessions: Sessions;
  readonly writing: () => Promise<{ readonly writer: Writer }>;
  readonly extensionUri: vscode.Uri;
  readonly log: Log;
}
