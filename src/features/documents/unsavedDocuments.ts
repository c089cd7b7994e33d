import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';

/**
 * Keeps the changes of documents unsaved although the write that is under way succeeds. VS Code reports every write that
 * fails, and no API cancels one; but a document that changes while it is written stays unsaved. So its last character is
 * replaced by itself.
 */
export class UnsavedDocuments implements Disposable {
  readonly #store = new DisposableStore();
  /** What to do when VS Code, which first reports to extensions that the document is saved, has been corrected. */
  readonly #uncorrected = new Map<string, () => void>();

  constructor() {
    this.#store.add(
      vscode.workspace.onDidSaveTextDocument((document) => {
        if (this.#uncorrected.has(document.uri.toString())) {
          void this.#correct(document);
        }
      }),
    );
    this.#store.add(
      vscode.workspace.onDidCloseTextDocument(({ uri }) => this.#uncorrected.delete(uri.toString())),
    );
  }

  /**
   * Keeps a document unsaved that VS Code is writing now.
   * @param whenKept called when VS Code has completed the write
   * @returns false if the document did not change, so that the write has to fail
   */
  async keep(document: vscode.TextDocument, whenKept: () => void): Promise<boolean> {
    const isKept = await touch(document);
    if (isKept) {
      this.#uncorrected.set(document.uri.toString(), whenKept);
    }
    return isKept;
  }

  /** Returns whether a document has unsaved changes. */
  isDirty(document: vscode.TextDocument): boolean {
    return document.isDirty || this.#uncorrected.has(document.uri.toString());
  }

  dispose(): void {
    this.#store.dispose();
  }

  /** The next change of a document reports to extensions again whether it has unsaved changes. */
  async #correct(document: vscode.TextDocument): Promise<void> {
    const key = document.uri.toString();
    try {
      await touch(document);
    } finally {
      const whenKept = this.#uncorrected.get(key);
      this.#uncorrected.delete(key);
      whenKept?.();
    }
  }
}

/** Changes the version of a document and nothing else. Returns whether it has changed. */
async function touch(document: vscode.TextDocument): Promise<boolean> {
  const range = findLastCharacter(document);
  if (range === undefined) {
    return false;
  }
  const { version } = document;
  const text = document.getText(range);
  const isChanged = (): boolean => document.version !== version;
  const editor = vscode.window.visibleTextEditors.find((visible) => visible.document === document);
  if (editor !== undefined) {
    try {
      // Unlike an edit of the workspace, this adds no step of its own to undo.
      const options = { undoStopBefore: false, undoStopAfter: false };
      await editor.edit((builder) => builder.replace(range, text), options);
    } catch {
      // The editor has just been closed: the edit of the workspace needs none.
    }
  }
  if (!isChanged()) {
    const edit = new vscode.WorkspaceEdit();
    // Without a description, an edit that changes nothing is left out.
    const description = { needsConfirmation: false, label: vscode.l10n.t('Keep Unsaved') };
    edit.replace(document.uri, range, text, description);
    await vscode.workspace.applyEdit(edit);
  }
  return isChanged();
}

/** Returns the range of the last character that is not a line break; `undefined` if there is none. */
function findLastCharacter(document: vscode.TextDocument): vscode.Range | undefined {
  for (let line = document.lineCount - 1; line >= 0; line -= 1) {
    const { text, range } = document.lineAt(line);
    const [last] = Array.from(text).slice(-1);
    if (last !== undefined) {
      return new vscode.Range(range.end.translate(0, -last.length), range.end);
    }
  }
  return undefined;
}
