import type * as vscode from 'vscode';
import type { Clock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import type { Sessions } from '../../connections/sessions.ts';
import type { ConnectionChoice } from '../../platform/pickConnection.ts';

/** What the access explorer is made from. */
export interface AccessFeatureDeps extends ConnectionChoice {
  readonly sessions: Sessions;
  readonly extensionUri: vscode.Uri;
  readonly clock: Clock;
  readonly log: Log;
}
