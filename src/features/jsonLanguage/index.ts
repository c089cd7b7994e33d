import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { schemes } from '../../contributions.ts';
import { registerCommand } from '../../platform/commands.ts';
import type { CheckAll } from './checkAll.ts';
import type { JsonLanguageDeps } from './deps.ts';

/** What the editor knows of the JSON documents of the platform; loaded with the first of them. */
export function register(deps: JsonLanguageDeps): Disposable {
  const store = new DisposableStore();
  let isLoaded = false;
  const look = ({ uri }: vscode.TextDocument): void => {
    if (!isLoaded && /\.(viewpoint|rules?)\.json$/.test(uri.path)) {
      isLoaded = true;
      import('./language.ts')
        .then(({ openLanguage }) => store.add(openLanguage(deps)))
        .catch((error: unknown) => {
          deps.log.error('catalog', 'The help in JSON documents did not load', { reason: String(error) });
        });
    }
  };
  let check: Promise<CheckAll> | undefined;
  store.add(
    registerCommand('datamodelStudio.jsonLanguage.checkAll', deps.log, async (target) => {
      check ??= import('./checkAll.ts').then(({ CheckAll }) => store.add(new CheckAll(deps)));
      await (await check).run(target);
    }),
  );
  store.add(vscode.workspace.registerTextDocumentContentProvider(schemes.schema, schemaProvider(deps)));
  store.add(vscode.workspace.onDidOpenTextDocument(look));
  vscode.workspace.textDocuments.forEach(look);
  return store;
}

/** The schemas that were made when the extension was built; the editor's JSON support asks for them when needed. */
const schemaProvider = ({ extensionUri }: JsonLanguageDeps): vscode.TextDocumentContentProvider => ({
  async provideTextDocumentContent(uri) {
    const file = vscode.Uri.joinPath(extensionUri, 'dist', 'schemas', uri.path.replaceAll(/[^\w.-]/g, ''));
    return new TextDecoder().decode(await vscode.workspace.fs.readFile(file));
  },
});
