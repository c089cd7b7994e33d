import * as vscode from 'vscode';
import { documentSuffixes } from '../../catalog/viewAddress.ts';
import type { ResourceRef } from '../../catalog/resourceRef.ts';
import { formEditors, type ResourceTarget, schemes } from '../../contributions.ts';
import { columnSpan } from '../../documents/columnSpan.ts';
import { treeOf } from '../../json/text/jsonTrees.ts';
import {
  type DocumentIdentity,
  documentPath,
  isDocument,
  readDocumentPath,
} from '../../documents/documentAddress.ts';
import { runCommand } from '../../platform/commands.ts';
import { formOf } from '../../platform/formOf.ts';
import { setting } from '../../platform/settings.ts';
import type { DocumentsDeps } from './deps.ts';
import { documentUri } from './documentUri.ts';

/**
 * Shows a resource: as the document that it is, a column within its table, and what has no document of its own
 * (collections, builds) in a view.
 */
export async function openResource(deps: DocumentsDeps, target: ResourceTarget): Promise<void> {
  const { resource, connectionId } = target;
  if (resource.kind === 'column') {
    await openColumn(deps, target, resource);
    return;
  }
  if (!isDocument(resource)) {
    await runCommand('datamodelStudio.jsonViews.open', target);
    return;
  }
  const document = { connectionId, resource, name: target.name, within: target.within };
  const form = formOf(documentSuffixes[resource.kind]);
  if (form !== undefined && target.as !== 'text' && setting('documents.openAs') === 'form') {
    await vscode.commands.executeCommand('vscode.openWith', uriOf(deps, document), formEditors[form]);
    return;
  }
  await show(deps, document);
}

type ColumnRef = Extract<ResourceRef, { kind: 'column' }>;

async function openColumn(
  deps: DocumentsDeps,
  { connectionId, within, name }: ResourceTarget,
  { columnId, ...table }: ColumnRef,
): Promise<void> {
  const editor = await show(deps, {
    connectionId,
    resource: { ...table, kind: 'table' },
    name: within.at(-1) ?? name,
    within: within.slice(0, -1),
  });
  const { document } = editor;
  const span = columnSpan(treeOf(deps.jsonTrees, document), columnId);
  if (span !== undefined) {
    const range = new vscode.Range(document.positionAt(span.start), document.positionAt(span.end));
    editor.selection = new vscode.Selection(range.start, range.start);
    editor.revealRange(range, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
  }
}

interface ShownDocument extends DocumentIdentity {
  readonly name: string;
  readonly within: readonly string[];
}

/** A document that is open under a former name of its resource is shown, not opened a second time. */
async function show(deps: DocumentsDeps, document: ShownDocument): Promise<vscode.TextEditor> {
  return vscode.window.showTextDocument(uriOf(deps, document), { preview: true });
}

function uriOf(deps: DocumentsDeps, document: ShownDocument): vscode.Uri {
  const connection = deps.connections.find(document.connectionId)?.name;
  const within = connection === undefined ? document.within : [connection, ...document.within];
  return openUri(document) ?? documentUri(documentPath({ ...document, within }));
}

const openUri = ({ connectionId, resource }: DocumentIdentity): vscode.Uri | undefined =>
  vscode.workspace.textDocuments
    .map(({ uri }) => uri)
    .find(
      ({ scheme, path }) =>
        scheme === schemes.document && sameDocument(readDocumentPath(path), { connectionId, resource }),
    );

const sameDocument = (a: DocumentIdentity | undefined, b: DocumentIdentity): boolean =>
  a !== undefined && identityPart(a) === identityPart(b);

const identityPart = ({ connectionId, resource }: DocumentIdentity): string =>
  documentPath({ connectionId, resource, name: '', within: [] });
