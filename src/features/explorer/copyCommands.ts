import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import { DisposableStore } from '../../base/disposable.ts';
import type { Log } from '../../base/log.ts';
import { getApiPath, getRefId } from '../../catalog/resourceRef.ts';
import type { ConnectionStore } from '../../connections/connectionStore.ts';
import type { Sessions } from '../../connections/sessions.ts';
import type { NodeTarget } from '../../contributions.ts';
import { registerCommand } from '../../platform/commands.ts';
import { type ExplorerNode, getNodeWebLink } from './nodes/node.ts';
import { toDimReference } from './nodeReferences.ts';

/** Resolves the nodes that a command applies to from the arguments of its menu or keybinding. */
export type ResolveNodes = (
  node?: NodeTarget,
  selectedNodes?: readonly NodeTarget[],
) => readonly ExplorerNode[];

/**
 * Registers the commands that copy names, IDs, API paths, web links or column references of nodes, one line per node;
 * nodes without one are left out. Also registers the command that opens the web link of a node.
 */
export function registerCopyCommands(deps: {
  readonly log: Log;
  readonly connections: ConnectionStore;
  readonly sessions: Sessions;
  readonly resolveNodes: ResolveNodes;
}): Disposable {
  const { log, connections, sessions, resolveNodes } = deps;
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
  const getLink = (node: ExplorerNode): string | undefined => getNodeWebLink(connections, node);
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
  store.add(registerCommand('datamodelStudio.explorer.copyLink', log, createCopyHandler(getLink)));
  store.add(
    registerCommand('datamodelStudio.explorer.openInBrowser', log, async (node) => {
      const [link] = resolveNodes(node).flatMap((targetNode) => getLink(targetNode) ?? []);
      if (link !== undefined) {
        await openInBrowser(link);
      }
    }),
  );
  store.add(
    registerCommand('datamodelStudio.explorer.copyReference', log, createCopyHandler(toDimReference)),
  );
  return store;
}

/**
 * Opens a web link. The API is typed for a URI, but VS Code also accepts a string, and only a string keeps its
 * encoding: a URI is decoded and encoded again, so an encoded `#` or `&` in a title would change the address.
 */
async function openInBrowser(link: string): Promise<void> {
  await (vscode.env.openExternal as unknown as (link: string) => Thenable<boolean>)(link);
}
