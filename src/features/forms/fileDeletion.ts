import * as vscode from 'vscode';
import { DisposableStore } from '../../base/disposable.ts';

/** The sources of events after which the file of a document may have been deleted or created. */
interface FileEventSources {
  readonly panel: vscode.WebviewPanel;
  /** Fires when files of the project may have changed. */
  readonly onDidChangeProject: (listener: () => void) => vscode.Disposable;
}

/**
 * Keeps track of whether the file of a document was deleted. A document that isn't a file on disk never counts as
 * deleted.
 */
export class FileDeletionTracker extends DisposableStore {
  readonly #uri: vscode.Uri;
  readonly #report: (isDeleted: boolean) => void;
  #isDeleted = false;
  #checkCount = 0;

  /** @param report called whenever the file was deleted or created */
  constructor(
    { uri }: vscode.TextDocument,
    { panel, onDidChangeProject }: FileEventSources,
    report: (isDeleted: boolean) => void,
  ) {
    super();
    this.#uri = uri;
    this.#report = report;
    if (uri.scheme !== 'file') {
      return;
    }
    const check = (): void => void this.#check();
    const checkIfSame = (changed: vscode.Uri): void => {
      if (changed.path === uri.path) {
        check();
      }
    };
    // Watches the whole folder, because the name of the file may contain characters with a meaning in patterns.
    const pattern = new vscode.RelativePattern(vscode.Uri.joinPath(uri, '..'), '*');
    const watcher = this.add(vscode.workspace.createFileSystemWatcher(pattern, false, true, false));
    this.add(watcher.onDidCreate(checkIfSame));
    this.add(watcher.onDidDelete(checkIfSame));
    this.add(vscode.workspace.onDidSaveTextDocument((saved) => checkIfSame(saved.uri)));
    this.add(onDidChangeProject(check));
    this.add(panel.onDidChangeViewState(check));
    check();
  }

  get isDeleted(): boolean {
    return this.#isDeleted;
  }

  async #check(): Promise<void> {
    this.#checkCount += 1;
    const checkId = this.#checkCount;
    const isDeleted = await isMissing(this.#uri);
    if (checkId === this.#checkCount && isDeleted !== this.#isDeleted && !this.isDisposed) {
      this.#isDeleted = isDeleted;
      this.#report(isDeleted);
    }
  }
}

async function isMissing(uri: vscode.Uri): Promise<boolean> {
  try {
    await vscode.workspace.fs.stat(uri);
    return false;
  } catch (error) {
    return error instanceof vscode.FileSystemError && error.code === 'FileNotFound';
  }
}
