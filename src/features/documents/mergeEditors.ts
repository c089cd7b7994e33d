import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { schemes } from '../../contributions.ts';
import type { ConflictTexts } from '../../documents/documentMerge.ts';
import { toPlainText } from '../../platform/serverText.ts';
import { toDocumentUri } from './openDocuments.ts';
import type { ServerVersions } from './serverVersions.ts';

const t = vscode.l10n.t;

/** Opens VS Code's merge editor on the conflicts of documents. */
export class MergeEditors implements Disposable {
  readonly #versions: ServerVersions;
  readonly #store = new DisposableStore();
  /** The texts, by path, of the documents whose merge editor is being opened. */
  readonly #openingTexts = new Map<string, string>();

  constructor(versions: ServerVersions) {
    this.#versions = versions;
    this.#store.add(
      vscode.workspace.onDidCloseTextDocument(({ uri }) => {
        if (uri.scheme === schemes.serverVersion) {
          versions.remove(uri);
        }
      }),
    );
  }

  /**
   * Opens the merge editor. The document is its result, and already contains all changes that do not conflict.
   * @param changeDescription who changed the server's version and when, if known
   */
  async open(path: string, texts: ConflictTexts, changeDescription: string | undefined): Promise<void> {
    this.#openingTexts.set(path, texts.base);
    const toInput = (text: string, name: string, title: string) => ({
      uri: this.#versions.add(path, text, name),
      title,
    });
    await vscode.commands.executeCommand('_open.mergeEditor', {
      base: this.#versions.add(path, texts.base, 'base'),
      input1: {
        ...toInput(texts.theirs, 'theirs', t('Server')),
        ...(changeDescription === undefined ? {} : { description: toPlainText(changeDescription) }),
      },
      input2: toInput(texts.ours, 'ours', t('Yours')),
      output: toDocumentUri(path),
    });
  }

  /**
   * Returns whether a save is the one that the merge editor makes when it opens; true only once per opened editor.
   * Since the merge editor shows the conflicts, that save needs no message about them.
   */
  consumeOpeningSave(path: string, text: string): boolean {
    return this.#openingTexts.get(path) === text && this.#openingTexts.delete(path);
  }

  dispose(): void {
    this.#store.dispose();
  }
}
