import * as vscode from 'vscode';
import { type JsonTrees, getJsonTree } from '../../json/text/jsonTrees.ts';
import type { TextEdit } from '../../json/text/textEdit.ts';
import type { EditableJsonDocument } from '../../webviews/protocol/editDocument.ts';

/** Makes edits of a document as one step of its undo history; false where it could not. */
function applyToDocument(document: vscode.TextDocument, edits: readonly TextEdit[]): Thenable<boolean> {
  const edit = new vscode.WorkspaceEdit();
  for (const { start, end, newText } of edits) {
    const range = new vscode.Range(document.positionAt(start), document.positionAt(end));
    edit.replace(document.uri, range, newText);
  }
  return vscode.workspace.applyEdit(edit);
}

/** Whether what the document stands in takes changes at all. */
export async function isReadOnly({ uri }: vscode.TextDocument): Promise<boolean> {
  if (uri.scheme === 'untitled') {
    return false;
  }
  if (vscode.workspace.fs.isWritableFileSystem(uri.scheme) !== true) {
    return true;
  }
  try {
    const { permissions = 0 } = await vscode.workspace.fs.stat(uri);
    return (permissions & vscode.FilePermission.Readonly) !== 0;
  } catch (error) {
    if (error instanceof vscode.FileSystemError) {
      // Not there any more: saving makes it anew.
      return false;
    }
    throw error;
  }
}

/** A document of the editor as a form edits it. */
export function createFormDocument(
  trees: JsonTrees,
  document: vscode.TextDocument,
  readOnly: boolean,
): EditableJsonDocument {
  return {
    get json() {
      return getJsonTree(trees, document);
    },
    isReadOnly: readOnly,
    apply: async (edits) => applyToDocument(document, edits),
  };
}
