import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { schemes } from '../../contributions.ts';

export interface JsonLanguageDeps {
  readonly extensionUri: vscode.Uri;
}

/** What the editor knows of the JSON documents of the platform. */
export function register({ extensionUri }: JsonLanguageDeps): Disposable {
  const store = new DisposableStore();
  store.add(
    vscode.workspace.registerTextDocumentContentProvider(schemes.schema, schemaProvider(extensionUri)),
  );
  return store;
}

/** The schemas that were made when the extension was built; the editor's JSON support asks for them when needed. */
const schemaProvider = (extensionUri: vscode.Uri): vscode.TextDocumentContentProvider => ({
  async provideTextDocumentContent(uri) {
    const file = vscode.Uri.joinPath(extensionUri, 'dist', 'schemas', uri.path.replaceAll(/[^\w.-]/g, ''));
    return new TextDecoder().decode(await vscode.workspace.fs.readFile(file));
  },
});
