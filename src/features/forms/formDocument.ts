import * as vscode from 'vscode';
import { type JsonTrees, getJsonTree } from '../../json/text/jsonTrees.ts';
import type { TextEdit } from '../../base/textEdit.ts';
import type { EditableJsonDocument } from '../../webviews/protocol/editDocument.ts';

/** Applies edits to a document as one undo step; resolves to false if VS Code rejects them. */
function applyToDocument(document: vscode.TextDocument, edits: readonly TextEdit[]): Thenable<boolean> {
  const edit = new vscode.WorkspaceEdit();
  for (const { start, end, newText } of edits) {
    const range = new vscode.Range(document.positionAt(start), document.positionAt(end));
    edit.replace(document.uri, range, newText);
  }
  return vscode.workspace.applyEdit(edit);
}

/**
 * Returns whether the document's file or file system is read-only.
 * @throws FileSystemError if the file can't be read
 */
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
    if (error instanceof vscode.FileSystemError && error.code === 'FileNotFound') {
      // The file was deleted. Saving creates it again.
      return false;
    }
    throw error;
  }
}

/** Adapts a text document to the interface that forms edit. */
export function createFormDocument(
  trees: JsonTrees,
  document: vscode.TextDocument,
  isDocumentReadOnly: boolean,
): EditableJsonDocument {
  return {
    get json() {
      return getJsonTree(trees, document);
    },
    isReadOnly: isDocumentReadOnly,
    apply: async (edits) => applyToDocument(document, edits),
  };
}
