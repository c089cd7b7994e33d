import * as vscode from 'vscode';
import type { ResourceTarget, TreeTarget, UriTarget } from '../../contributions.ts';
import { schemes } from '../../contributions.ts';
import {
  getDisplayName,
  getDocumentPath,
  getContainerNames,
  readDocumentAddress,
} from '../../documents/documentAddress.ts';
import { getActiveDocumentUri } from '../../platform/activeForm.ts';
import { showInformation } from '../../platform/messages.ts';
import { toPlainText } from '../../platform/serverText.ts';
import { toResourceTarget } from '../../platform/treeTarget.ts';
import { createComparedUri, readComparableText } from './comparedText.ts';
import type { CompareDeps } from './deps.ts';
import { isComparable, pickCounterpart } from './pickCounterpart.ts';

const t = vscode.l10n.t;

/**
 * Shows the differences between a resource and one that the user picks, of another connection or datamodel. Both sides
 * show the servers' current versions, and are read-only.
 * @param texts receives the texts of both sides by their URIs; the diff editor then requests them
 * @param target a node of the Connections view, or the URI of a document; without it, the active document or
 * else the selected node is compared
 */
export async function compareWith(
  deps: CompareDeps,
  texts: Map<string, string>,
  target?: TreeTarget | UriTarget,
): Promise<void> {
  const source = findSource(deps, target);
  if (source === undefined || !isComparable(source.resource)) {
    await showInformation(
      t('In the Connections view, select a datamodel, table, viewpoint, or rules to compare.'),
    );
    return;
  }
  const counterpart = await pickCounterpart(deps, { ...source, resource: source.resource });
  if (counterpart === undefined) {
    return;
  }
  const version = Date.now();
  const readSide = async (side: ResourceTarget) => {
    const names = getNames(deps, side);
    const uri = createComparedUri(side, names, version);
    return { side, label: names.join(' › '), uri, text: await readComparableText(deps.sessions, side) };
  };
  const [left, right] = await Promise.all([readSide(source), readSide(counterpart)]);
  if (left.text === undefined || right.text === undefined) {
    const { side } = left.text === undefined ? left : right;
    await showInformation(t('{0} no longer exists on the server.', side.name));
    return;
  }
  texts.set(String(left.uri), left.text).set(String(right.uri), right.text);
  await vscode.commands.executeCommand(
    'vscode.diff',
    left.uri,
    right.uri,
    toPlainText(`${left.label} ↔ ${right.label}`),
    { preview: false } satisfies vscode.TextDocumentShowOptions,
  );
}

/** Returns the names of the resource and its containers, outermost first, leaving out the dataset. */
function getNames(
  { connections }: CompareDeps,
  { connectionId, resource, name, within }: ResourceTarget,
): readonly string[] {
  const connectionName = connections.find(connectionId)?.name ?? connectionId;
  const table = resource.kind === 'columnExpression' ? within.slice(-1) : [];
  return [connectionName, ...within.slice(0, 1), ...table, name];
}

function findSource(
  { selection }: CompareDeps,
  target: TreeTarget | UriTarget | undefined,
): ResourceTarget | undefined {
  if (target !== undefined && isNode(target)) {
    return toResourceTarget(target);
  }
  const uri = target === undefined ? getActiveDocumentUri() : vscode.Uri.parse(target.toString());
  const [selectedNode] = selection.selectedNodes;
  return (
    (uri === undefined ? undefined : readDocumentTarget(uri)) ??
    (selectedNode === undefined ? undefined : toResourceTarget(selectedNode))
  );
}

const isNode = (target: TreeTarget | UriTarget): target is TreeTarget => 'connectionId' in target;

/** Returns the resource of a document; `undefined` for other files. */
function readDocumentTarget(uri: vscode.Uri): ResourceTarget | undefined {
  const identity = uri.scheme === schemes.document ? readDocumentAddress(uri) : undefined;
  const path = getDocumentPath(uri);
  return identity && { ...identity, name: getDisplayName(path), within: getContainerNames(path) };
}
