import * as vscode from 'vscode';
import { getApiPath, getRefId } from '../../catalog/resourceRef.ts';
import type { ConnectionStore } from '../../connections/connectionStore.ts';
import type { Sessions } from '../../connections/sessions.ts';
import type { NodeTarget } from '../../contributions.ts';
import type { ExplorerHandlers, ResolveNodes } from './deps.ts';
import { type ExplorerNode, getNodeWebLink } from './nodes/node.ts';
import { toDimReference } from './nodeReferences.ts';

type CopyHandlers = Pick<
  ExplorerHandlers,
  | Extract<keyof ExplorerHandlers, `datamodelStudio.explorer.copy${string}`>
  | 'datamodelStudio.explorer.openInBrowser'
>;

/**
 * Creates the handlers that copy names, IDs, API paths, web links or column references of nodes, one line per node;
 * nodes without one are left out. Also creates the one that opens the web link of a node.
 */
export function createCopyHandlers({
  connections,
  sessions,
  resolveNodes,
}: {
  readonly connections: ConnectionStore;
  readonly sessions: Sessions;
  readonly resolveNodes: ResolveNodes;
}): CopyHandlers {
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
  return {
    'datamodelStudio.explorer.copyName': createCopyHandler(({ name }) => name),
    'datamodelStudio.explorer.copyId': createCopyHandler(({ resource }) => resource && getRefId(resource)),
    'datamodelStudio.explorer.copyPath': createCopyHandler(getNodeApiPath),
    'datamodelStudio.explorer.copyLink': createCopyHandler(getLink),
    'datamodelStudio.explorer.copyReference': createCopyHandler(toDimReference),
    'datamodelStudio.explorer.openInBrowser': async (node) => {
      const [link] = resolveNodes(node).flatMap((targetNode) => getLink(targetNode) ?? []);
      if (link !== undefined) {
        await openInBrowser(link);
      }
    },
  };
}

/**
 * Opens a web link. The API is typed for a URI, but VS Code also accepts a string, and only a string keeps its
 * encoding: a URI is decoded and encoded again, so an encoded `#` or `&` in a title would change the address.
 */
async function openInBrowser(link: string): Promise<void> {
  await (vscode.env.openExternal as unknown as (link: string) => Thenable<boolean>)(link);
}
