import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { Emitter } from '../../base/event.ts';
import { KeyedQueue } from '../../base/keyedQueue.ts';
import type { ValueStorage } from '../../base/valueStorage.ts';
import { schemes } from '../../contributions.ts';
import { BaselineError, readBaseline } from '../../security/audit/baselineFile.ts';
import { getUserMessage } from '../../platform/userErrors.ts';

const t = vscode.l10n.t;

/** The path of the baseline in a workspace folder. The file is meant to be committed with the other sources. */
const baselinePath = '.datamodel-studio/security-baseline.json';

/**
 * Thrown if the baseline is open in an editor with unsaved changes. Writing the file would lose either those changes or
 * the new ones.
 */
class UnsavedBaselineError extends Error {
  override readonly name = 'UnsavedBaselineError';
}

/**
 * The accepted findings of security checks: in a file of the workspace, so that they can be reviewed, or in the state
 * of the extension if no folder is open.
 */
export class BaselineStore implements Disposable {
  readonly #state: ValueStorage;
  readonly #store = new DisposableStore();
  readonly #writes = new KeyedQueue<'write'>();
  readonly #onDidChange = this.#store.add(new Emitter<void>());
  readonly onDidChange = this.#onDidChange.event;

  /** @param state stores the text of the baseline while no folder is open */
  constructor(state: ValueStorage) {
    this.#state = state;
    const watcher = this.#store.add(vscode.workspace.createFileSystemWatcher(`**/${baselinePath}`));
    for (const onDidChangeFile of [watcher.onDidChange, watcher.onDidCreate, watcher.onDidDelete]) {
      this.#store.add(onDidChangeFile(() => this.#onDidChange.fire()));
    }
  }

  /** Returns the file with the baseline, or where it will be created; `undefined` if no folder is open. */
  async findFile(): Promise<{ readonly uri: vscode.Uri; readonly exists: boolean } | undefined> {
    const uris = (vscode.workspace.workspaceFolders ?? [])
      .filter(({ uri }) => uri.scheme !== schemes.document)
      .map(({ uri }) => vscode.Uri.joinPath(uri, baselinePath));
    for (const uri of uris) {
      if (await isFile(uri)) {
        return { uri, exists: true };
      }
    }
    const [uri] = uris;
    return uri === undefined ? undefined : { uri, exists: false };
  }

  /**
   * Returns the text of the baseline; empty if there is none.
   * @throws the error of reading the file
   */
  async read(): Promise<string> {
    const file = await this.findFile();
    if (file === undefined) {
      const text = this.#state.read();
      return typeof text === 'string' ? text : '';
    }
    return file.exists ? new TextDecoder().decode(await vscode.workspace.fs.readFile(file.uri)) : '';
  }

  /**
   * Verifies that the baseline can be changed, before the user is asked for anything.
   * @throws BaselineError, UnsavedBaselineError, and the error of reading the file
   */
  async verifyWritable(): Promise<void> {
    const file = await this.findFile();
    const isUnsaved = vscode.workspace.textDocuments.some(
      ({ uri, isDirty }) => isDirty && uri.toString() === file?.uri.toString(),
    );
    if (isUnsaved) {
      throw new UnsavedBaselineError();
    }
    readBaseline(await this.read());
  }

  /**
   * Changes the text of the baseline, based on its current one.
   * @throws the errors of {@link verifyWritable} and of writing the file
   */
  async update(change: (text: string) => string): Promise<void> {
    await this.#writes.run('write', async () => {
      await this.verifyWritable();
      const text = change(await this.read());
      const file = await this.findFile();
      if (file === undefined) {
        this.#state.write(text);
      } else {
        await vscode.workspace.fs.writeFile(file.uri, new TextEncoder().encode(text));
      }
    });
    this.#onDidChange.fire();
  }

  dispose(): void {
    this.#store.dispose();
  }
}

async function isFile(uri: vscode.Uri): Promise<boolean> {
  try {
    return (await vscode.workspace.fs.stat(uri)).type !== vscode.FileType.Directory;
  } catch (error) {
    if (error instanceof vscode.FileSystemError && error.code === 'FileNotFound') {
      return false;
    }
    throw error;
  }
}

/** Describes why the baseline can't be read or changed. */
export function describeBaselineError(error: unknown): string {
  if (error instanceof UnsavedBaselineError) {
    return t('The baseline has unsaved changes. Save {0} first.', baselinePath);
  }
  if (!(error instanceof BaselineError)) {
    return getUserMessage(error);
  }
  const { problem } = error;
  switch (problem.kind) {
    case 'syntax':
      return t("Can't read the baseline: line {0} of {1} isn't valid JSON.", problem.line, baselinePath);
    case 'version':
      return t(
        "Can't read the baseline: {0} has version {1}. Expected: version 1.",
        baselinePath,
        problem.version,
      );
    case 'content':
      return problem.path === ''
        ? t("Can't read the baseline: {0} must contain an object.", baselinePath)
        : t('Can\'t read the baseline: "{0}" is missing or invalid in {1}.', problem.path, baselinePath);
  }
}
