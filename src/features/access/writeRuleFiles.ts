import * as vscode from 'vscode';
import { showWarning } from '../../platform/messages.ts';
import type { FileCatalog } from '../../platform/projects/fileCatalog.ts';
import { toEditorRange } from '../../platform/projects/fileCatalog.ts';
import { getUserMessage } from '../../platform/userErrors.ts';
import type { RuleFileChange } from '../../project/language/languageCalls.ts';

const t = vscode.l10n.t;

/** A file that exists, with its text in the editor. */
interface OpenFile {
  readonly change: Exclude<RuleFileChange, { kind: 'create' }>;
  readonly document: vscode.TextDocument;
}

/**
 * Changes files as one step that the editor can undo, and saves those that had no unsaved changes before.
 * @returns an error message if nothing was changed; `undefined` if the files were changed
 */
export async function writeRuleFiles(
  catalog: FileCatalog,
  changes: readonly RuleFileChange[],
): Promise<string | undefined> {
  const files: OpenFile[] = [];
  for (const change of changes) {
    if (change.kind !== 'create') {
      const file = await openFile(catalog, change);
      if (typeof file === 'string') {
        return file;
      }
      files.push(file);
    }
  }
  const cleanDocuments = files.flatMap(({ change, document }) =>
    change.kind === 'delete' || document.isDirty ? [] : [document],
  );
  if (!(await vscode.workspace.applyEdit(createEdit(catalog, changes)))) {
    return t("The files couldn't be edited. Try again.");
  }
  for (const document of cleanDocuments) {
    if (!(await document.save())) {
      // Not awaited: the message stays until it is dismissed.
      void showWarning(
        t(
          "{0} has the new rules, but couldn't be saved. Save it in the editor.",
          catalog.getPath(document.uri) ?? document.fileName,
        ),
      );
    }
  }
  return undefined;
}

/** Opens a file. Returns an error message if the file isn't as the change expects. */
async function openFile(catalog: FileCatalog, change: OpenFile['change']): Promise<OpenFile | string> {
  const { path, textBefore, kind } = change;
  try {
    const document = await vscode.workspace.openTextDocument(catalog.getUri(path));
    if (normalizeLineEndings(document.getText()) !== normalizeLineEndings(textBefore)) {
      return t('{0} has changed in the meantime. Apply your changes again.', path);
    }
    return kind === 'delete' && document.isDirty
      ? t('{0} has unsaved changes. Save it first: without its last rule, the file would be deleted.', path)
      : { change, document };
  } catch (error) {
    return t("Can't read {0}. {1}", path, getUserMessage(error));
  }
}

/** The editor normalizes mixed line endings when it opens a file, so they must not count as a change. */
const normalizeLineEndings = (text: string): string => text.replaceAll(/\r\n?/g, '\n');

function createEdit(catalog: FileCatalog, changes: readonly RuleFileChange[]): vscode.WorkspaceEdit {
  const edit = new vscode.WorkspaceEdit();
  for (const change of changes) {
    const uri = catalog.getUri(change.path);
    switch (change.kind) {
      case 'create':
        edit.createFile(uri, { contents: new TextEncoder().encode(change.text) });
        break;
      case 'edit':
        change.edits.forEach(({ span, newText }) => edit.replace(uri, toEditorRange(span), newText));
        break;
      case 'delete':
        edit.deleteFile(uri);
        break;
    }
  }
  return edit;
}
