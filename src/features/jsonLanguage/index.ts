import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { schemes } from '../../contributions.ts';
import { registerCommand } from '../../platform/commands.ts';
import type { InstanceDiagnostics } from './instanceValidation.ts';
import type { JsonLanguageDeps } from './deps.ts';

/**
 * Registers the language features for the platform's JSON documents; their code is loaded with the first such document.
 */
export function register(deps: JsonLanguageDeps): Disposable {
  const store = new DisposableStore();
  let isLoaded = false;
  const loadIfSupported = ({ uri }: vscode.TextDocument): void => {
    if (!isLoaded && /\.(viewpoint|rules?)\.json$/.test(uri.path)) {
      isLoaded = true;
      import('./language.ts')
        .then(({ registerJsonLanguage }) => store.add(registerJsonLanguage(deps)))
        .catch((error: unknown) => {
          deps.log.error('catalog', 'The help in JSON documents did not load', { reason: String(error) });
        });
    }
  };
  let validation: Promise<InstanceDiagnostics> | undefined;
  store.add(
    registerCommand('datamodelStudio.jsonLanguage.checkAll', deps.log, async (target) => {
      validation ??= import('./instanceValidation.ts').then(({ InstanceDiagnostics }) =>
        store.add(new InstanceDiagnostics(deps)),
      );
      await (await validation).run(target);
    }),
  );
  store.add(vscode.workspace.registerTextDocumentContentProvider(schemes.schema, createSchemaProvider(deps)));
  store.add(vscode.workspace.onDidOpenTextDocument(loadIfSupported));
  vscode.workspace.textDocuments.forEach(loadIfSupported);
  return store;
}

/** Provides the schemas that were generated at build time; the editor's JSON support requests them when needed. */
const createSchemaProvider = ({ extensionUri }: JsonLanguageDeps): vscode.TextDocumentContentProvider => ({
  async provideTextDocumentContent(uri) {
    const file = vscode.Uri.joinPath(extensionUri, 'dist', 'schemas', uri.path.replaceAll(/[^\w.-]/g, ''));
    return new TextDecoder().decode(await vscode.workspace.fs.readFile(file));
  },
});
