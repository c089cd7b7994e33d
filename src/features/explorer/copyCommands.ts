import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import { DisposableStore } from '../../base/disposable.ts';
import type { Log } from '../../base/log.ts';
import { getApiPath, getRefId } from '../../catalog/resourceRef.ts';
import type { Sessions } from '../../connections/sessions.ts';
import type { NodeTarget } from '../../contributions.ts';
import { registerCommand } from '../../platform/commands.ts';
import type { ExplorerNode } from './nodes/node.ts';
import { toDimReference } from './reference.ts';

/** Resolves the nodes that a command applies to from the arguments of its menu or keybinding. */
export type ResolveNodes = (
  node?: NodeTarget,
  selectedNodes?: readonly NodeTarget[],
) => readonly ExplorerNode[];

/** Registers the commands that copy text about nodes, one line each; nodes without such a text are left out. */
export function registerCopyCommands(deps: {
  readonly log: Log;
  readonly sessions: Sessions;
  readonly resolveNodes: ResolveNodes;
}): Disposable {
  const { log, sessions, resolveNodes } = deps;
  const store = new DisposableStore();
  const createCopyHandler =
    (getText: (node: ExplorerNode) => string | undefined) =>
    async (node?: NodeTarget, selectedNodes?: readonly NodeTarget[]): Promise<void> => {
      const lines = resolveNodes(node, selectedNodes)
        .map(getText)
        .filter((line) => line !== undefined);
      if (lines.length > 0) {
        await vscode.env.clipboard.writeText(lines.join('\n'));
      }
    };
  const getNodeApiPath = ({ connectionId, resource }: ExplorerNode): string | undefined =>
    connectionId === undefined || resource === undefined
      ? undefined
      : getApiPath(resource, sessions.peek(connectionId)?.client.dialect);
  const getResourceId = ({ resource }: ExplorerNode): string | undefined => resource && getRefId(resource);
  store.add(
    registerCommand(
      'datamodelStudio.explorer.copyName',
      log,
      createCopyHandler(({ name }) => name),
    ),
  );
  store.add(registerCommand('datamodelStudio.explorer.copyId', log, createCopyHandler(getResourceId)));
  store.add(registerCommand('datamodelStudio.explorer.copyPath', log, createCopyHandler(getNodeApiPath)));
  store.add(
    registerCommand('datamodelStudio.explorer.copyReference', log, createCopyHandler(toDimReference)),
  );
  return store;
}
