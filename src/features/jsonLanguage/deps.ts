import type * as vscode from 'vscode';
import type { Clock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import type { ValueStorage } from '../../base/valueStorage.ts';
import type { ConnectionStore } from '../../connections/connectionStore.ts';
import type { CurrentConnection } from '../../connections/currentConnection.ts';
import type { UserDirectories } from '../../connections/userDirectories.ts';
import type { Sessions } from '../../connections/sessions.ts';
import type { FileCatalogs } from '../../platform/projects/fileCatalogs.ts';
import type { JsonTrees } from '../../json/text/jsonTrees.ts';

/** The dependencies of the JSON language features. */
export interface JsonLanguageDeps {
  readonly extensionUri: vscode.Uri;
  readonly connections: ConnectionStore;
  readonly currentConnection: CurrentConnection;
  readonly sessions: Sessions;
  readonly userDirectories: Pick<UserDirectories, 'peek'>;
  /** Stores which datamodel the user picked for a file that contains no datamodel title. */
  readonly pickedDatamodelStorage: ValueStorage;
  readonly jsonTrees: JsonTrees;
  /** The names in the files of the workspace's projects. */
  readonly loadFileCatalogs: () => Promise<FileCatalogs>;
  readonly clock: Clock;
  readonly log: Log;
}
