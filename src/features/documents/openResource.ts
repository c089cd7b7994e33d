import * as vscode from 'vscode';
import { documentSuffixes } from '../../catalog/viewAddress.ts';
import type { ResourceRef } from '../../catalog/resourceRef.ts';
import { formEditors, type ResourceTarget, schemes } from '../../contributions.ts';
import { findColumnSpan } from '../../documents/findColumnSpan.ts';
import { getJsonTree } from '../../json/text/jsonTrees.ts';
import { computeEdits } from '../../json/text/computeEdits.ts';
import { toParsedJson } from '../../json/text/parsedJson.ts';
import { isJsonObject, type JsonObject } from '../../base/json.ts';
import { getPathRange } from '../../json/text/pathRange.ts';
import {
  type DocumentIdentity,
  createDocumentPath,
  isDocumentRef,
  readDocumentAddress,
} from '../../documents/documentAddress.ts';
import { runCommand } from '../../platform/commands.ts';
import { getFormName } from '../../platform/formNames.ts';
import { getSetting } from '../../platform/settings.ts';
import { getShowOptions } from '../../platform/showOptions.ts';
import type { DocumentsDeps } from './deps.ts';
import { getDocumentTabUris, getUrisInUse, toDocumentUri } from './openDocuments.ts';

/**
 * Opens a resource as a document. A column opens in the document of its table; a resource without a document (such as a
 * build) opens as read-only JSON.
 */
export async function openResource(deps: DocumentsDeps, target: ResourceTarget): Promise<void> {
  const { resource, connectionId } = target;
  if (resource.kind === 'column') {
    await openColumn(deps, target, resource);
    return;
  }
  if (!isDocumentRef(resource)) {
    await runCommand('datamodelStudio.jsonViews.open', target);
    return;
  }
  const document = { connectionId, resource, name: target.name, within: target.within };
  const uri = getDocumentUri(deps, document);
  if (target.unsavedMembers !== undefined) {
    await changeMembers(deps, uri, target.unsavedMembers);
  }
  const form = getFormName(documentSuffixes[resource.kind]);
  if (form !== undefined && target.openAs !== 'text' && getSetting('documents.openAs') === 'form') {
    await vscode.commands.executeCommand('vscode.openWith', uri, formEditors[form], getShowOptions(target));
    return;
  }
  const editor = await showDocument(deps, document, target);
  if (target.path !== undefined) {
    const json = getJsonTree(deps.jsonTrees, editor.document);
    selectSpan(editor, getPathRange(json, target.path));
  }
}

/** Changes members of a JSON document, without saving it. */
async function changeMembers(
  { jsonTrees }: DocumentsDeps,
  uri: vscode.Uri,
  members: JsonObject,
): Promise<void> {
  const document = await vscode.workspace.openTextDocument(uri);
  const json = toParsedJson(getJsonTree(jsonTrees, document));
  if (!isJsonObject(json.value)) {
    return;
  }
  const edit = new vscode.WorkspaceEdit();
  for (const { start, end, newText } of computeEdits(json, { ...json.value, ...members })) {
    const range = new vscode.Range(document.positionAt(start), document.positionAt(end));
    edit.replace(document.uri, range, newText);
  }
  await vscode.workspace.applyEdit(edit);
}

interface TextSpan {
  readonly start: number;
  readonly end: number;
}

/** Selects a value, and scrolls to it. */
function selectSpan(editor: vscode.TextEditor, { start, end }: TextSpan): void {
  const { document } = editor;
  const range = new vscode.Range(document.positionAt(start), document.positionAt(end));
  editor.selection = new vscode.Selection(range.start, range.end);
  editor.revealRange(range, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
}

type ColumnRef = Extract<ResourceRef, { kind: 'column' }>;

async function openColumn(
  deps: DocumentsDeps,
  target: ResourceTarget,
  { columnId, ...table }: ColumnRef,
): Promise<void> {
  const { connectionId, within, name } = target;
  const tableDocument = {
    connectionId,
    resource: { ...table, kind: 'table' },
    name: within.at(-1) ?? name,
    within: within.slice(0, -1),
  } as const;
  const editor = await showDocument(deps, tableDocument, target);
  const { document } = editor;
  const span = findColumnSpan(getJsonTree(deps.jsonTrees, document), columnId);
  if (span !== undefined) {
    const range = new vscode.Range(document.positionAt(span.start), document.positionAt(span.end));
    editor.selection = new vscode.Selection(range.start, range.start);
    editor.revealRange(range, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
  }
}

interface DocumentToShow extends DocumentIdentity {
  readonly name: string;
  /** The names of its containers, outermost first, without that of its connection. */
  readonly within: readonly string[];
}

/** Shows a document. If it is already open with an outdated name in its URI, that editor is shown. */
async function showDocument(
  deps: DocumentsDeps,
  document: DocumentToShow,
  target: ResourceTarget,
): Promise<vscode.TextEditor> {
  return vscode.window.showTextDocument(getDocumentUri(deps, document), getShowOptions(target));
}

function getDocumentUri(deps: DocumentsDeps, document: DocumentToShow): vscode.Uri {
  const connectionName = deps.connections.find(document.connectionId)?.name;
  const containerNames =
    connectionName === undefined ? document.within : [connectionName, ...document.within];
  return findOpenUri(document) ?? toDocumentUri(createDocumentPath({ ...document, within: containerNames }));
}

/**
 * Finds the URI of a document that is open under any name. A text that the editor only keeps for a while after its tab
 * was closed isn't open: its URI may have a former name.
 */
const findOpenUri = ({ connectionId, resource }: DocumentIdentity): vscode.Uri | undefined =>
  [...getDocumentTabUris(), ...getUrisInUse()].find(
    (uri) =>
      uri.scheme === schemes.document && isSameDocument(readDocumentAddress(uri), { connectionId, resource }),
  );

const isSameDocument = (a: DocumentIdentity | undefined, b: DocumentIdentity): boolean =>
  a !== undefined && getIdentitySegment(a) === getIdentitySegment(b);

const getIdentitySegment = ({ connectionId, resource }: DocumentIdentity): string =>
  createDocumentPath({ connectionId, resource, name: '', within: [] });
