import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import { DisposableStore } from '../../base/disposable.ts';
import type { Log } from '../../base/log.ts';
import { apiPath, ownId } from '../../catalog/resourceRef.ts';
import type { Sessions } from '../../connections/sessions.ts';
import type { NodeTarget } from '../../contributions.ts';
import { registerCommand } from '../../platform/commands.ts';
import type { ExplorerNode } from './nodes/node.ts';
import { dimReference } from './reference.ts';

/** What a command on nodes acts on, by what the menu or the keyboard passed. */
export type ChosenNodes = (node?: NodeTarget, all?: readonly NodeTarget[]) => readonly ExplorerNode[];

/** Copies what can be said of nodes, one line each; nodes of which it cannot be said are left out. */
export function registerCopyCommands(deps: {
  readonly log: Log;
  readonly sessions: Sessions;
  readonly chosen: ChosenNodes;
}): Disposable {
  const { log, sessions, chosen } = deps;
  const store = new DisposableStore();
  const copy =
    (textOf: (node: ExplorerNode) => string | undefined) =>
    async (node?: NodeTarget, all?: readonly NodeTarget[]): Promise<void> => {
      const lines = chosen(node, all)
        .map(textOf)
        .filter((line) => line !== undefined);
      if (lines.length > 0) {
        await vscode.env.clipboard.writeText(lines.join('\n'));
      }
    };
  const pathOf = ({ connectionId, resource }: ExplorerNode): string | undefined =>
    connectionId === undefined || resource === undefined
      ? undefined
      : apiPath(resource, sessions.peek(connectionId)?.client.dialect);
  const idOf = ({ resource }: ExplorerNode): string | undefined => resource && ownId(resource);
  store.add(
    registerCommand(
      'datamodelStudio.explorer.copyName',
      log,
      copy(({ name }) => name),
    ),
  );
  store.add(registerCommand('datamodelStudio.explorer.copyId', log, copy(idOf)));
  store.add(registerCommand('datamodelStudio.explorer.copyPath', log, copy(pathOf)));
  store.add(registerCommand('datamodelStudio.explorer.copyReference', log, copy(dimReference)));
  return store;
}
