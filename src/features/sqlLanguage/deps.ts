import type * as vscode from 'vscode';
import type { EngineQuestion, EngineVerdict } from '../../client/sandboxClient.ts';
import type { Clock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import type { PickMemory } from '../../catalog/pickedDatamodels.ts';
import type { ConnectionStore } from '../../connections/connectionStore.ts';
import type { CurrentConnection } from '../../connections/currentConnection.ts';
import type { Connection } from '../../connections/connection.ts';
import type { Sessions } from '../../connections/sessions.ts';
import type { JsonTrees } from '../../json/text/jsonTrees.ts';

/** Asks the engine of a sandbox about an expression. */
export type AskEngine = (
  connection: Connection,
  question: EngineQuestion,
  signal: AbortSignal,
) => Promise<EngineVerdict>;

/** What the help in SQL is made from. */
export interface SqlLanguageDeps {
  readonly connections: ConnectionStore;
  readonly current: CurrentConnection;
  readonly sessions: Sessions;
  readonly pickMemory: PickMemory;
  readonly askEngine: AskEngine;
  readonly jsonTrees: JsonTrees;
  readonly clock: Clock;
  readonly log: Log;
  /** Where the extension is: threads are files of it. */
  readonly extensionUri: vscode.Uri;
}
