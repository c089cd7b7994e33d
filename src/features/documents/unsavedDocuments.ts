import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';

/**
 * Keeps documents unsaved although VS Code is writing them, without an error. VS Code reports every write that fails,
 * and no API cancels a write. However, a document that changes while it is being written stays unsaved, so this class
 * replaces its last character with the same character.
 */
export class UnsavedDocuments implements Disposable {
  readonly #store = new DisposableStore();
  /**
   * The callbacks of documents that were kept unsaved, but that VS Code reports to extensions as saved until they
   * change again; by URI.
   */
  readonly #reportedAsSaved = new Map<string, () => void>();

  constructor() {
    this.#store.add(
      vscode.workspace.onDidSaveTextDocument((document) => {
        if (this.#reportedAsSaved.has(document.uri.toString())) {
          void this.#markUnsavedAgain(document);
        }
      }),
    );
    this.#store.add(
      vscode.workspace.onDidCloseTextDocument(({ uri }) => this.#reportedAsSaved.delete(uri.toString())),
    );
  }

  /**
   * Keeps a document unsaved while VS Code is writing it.
   * @param onDidWrite called when VS Code has completed the write
   * @returns false if the document did not change, so that the write has to fail
   */
  async keepUnsaved(document: vscode.TextDocument, onDidWrite: () => void): Promise<boolean> {
    const hasChanged = await changeVersion(document);
    if (hasChanged) {
      this.#reportedAsSaved.set(document.uri.toString(), onDidWrite);
    }
    return hasChanged;
  }

  /** Returns whether a document has unsaved changes. */
  isDirty(document: vscode.TextDocument): boolean {
    return document.isDirty || this.#reportedAsSaved.has(document.uri.toString());
  }

  dispose(): void {
    this.#store.dispose();
  }

  /** Changes a document once more, so that VS Code reports its unsaved changes to extensions again. */
  async #markUnsavedAgain(document: vscode.TextDocument): Promise<void> {
    const key = document.uri.toString();
    try {
      await changeVersion(document);
    } finally {
      const onDidWrite = this.#reportedAsSaved.get(key);
      this.#reportedAsSaved.delete(key);
      onDidWrite?.();
    }
  }
}

/** Changes the version of a document without changing its text. Returns whether the version has changed. */
async function changeVersion(document: vscode.TextDocument): Promise<boolean> {
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
      // Unlike a workspace edit, this adds no undo step of its own.
      const options = { undoStopBefore: false, undoStopAfter: false };
      await editor.edit((builder) => builder.replace(range, text), options);
    } catch {
      // The editor has just been closed. The workspace edit below works without an editor.
    }
  }
  if (!isChanged()) {
    const edit = new vscode.WorkspaceEdit();
    // Without metadata, VS Code leaves out an edit that changes nothing.
    const metadata = { needsConfirmation: false, label: vscode.l10n.t('Keep Unsaved') };
    edit.replace(document.uri, range, text, metadata);
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
