import type * as vscode from 'vscode';
import type { Clock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import type { ValueStorage } from '../../base/valueStorage.ts';
import type { Sessions } from '../../connections/sessions.ts';
import type { ConnectionPickerDeps } from '../../platform/pickConnection.ts';

/** The dependencies of projects. */
export interface ProjectDeps extends ConnectionPickerDeps {
  readonly sessions: Pick<Sessions, 'get'>;
  readonly projectEnvironments: ValueStorage;
  readonly extensionUri: vscode.Uri;
  readonly clock: Clock;
  readonly log: Log;
}
