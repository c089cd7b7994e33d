import type * as vscode from 'vscode';
import type { ExpressionCheckRequest, ExpressionCheckResult } from '../../client/sandboxClient.ts';
import type { Clock } from '../../base/clock.ts';
import type { ValueStorage } from '../../base/valueStorage.ts';
import type { Log } from '../../base/log.ts';
import type { ConnectionStore } from '../../connections/connectionStore.ts';
import type { CurrentConnection } from '../../connections/currentConnection.ts';
import type { Connection } from '../../connections/connection.ts';
import type { Sessions } from '../../connections/sessions.ts';
import type { FileCatalogs } from '../../platform/projects/fileCatalogs.ts';
import type { JsonTrees } from '../../json/text/jsonTrees.ts';

/** Checks an expression on the engine of a sandbox. */
export type CheckExpression = (
  connection: Connection,
  request: ExpressionCheckRequest,
  signal: AbortSignal,
) => Promise<ExpressionCheckResult>;

/** The dependencies of the SQL language features. */
export interface SqlLanguageDeps {
  readonly connections: ConnectionStore;
  readonly currentConnection: CurrentConnection;
  readonly sessions: Sessions;
  readonly pickedDatamodelStorage: ValueStorage;
  /** Stores the origins of workspace files: the documents that they are copies of. */
  readonly fileOriginStorage: ValueStorage;
  readonly checkExpression: CheckExpression;
  /** The projects of the workspace. */
  readonly loadFileCatalogs: () => Promise<FileCatalogs>;
  readonly jsonTrees: JsonTrees;
  readonly clock: Clock;
  readonly log: Log;
  /** The folder of the extension, which contains the scripts of worker threads. */
  readonly extensionUri: vscode.Uri;
}
