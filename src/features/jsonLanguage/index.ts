import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { lazy } from '../../base/lazy.ts';
import { languages, schemes } from '../../contributions.ts';
import { registerCommand } from '../../platform/commands.ts';
import type { JsonLanguageDeps } from './deps.ts';

/**
 * Registers the language features for the platform's JSON documents; their code is loaded with the first such document.
 */
export function register(deps: JsonLanguageDeps): Disposable {
  const store = new DisposableStore();
  const loadLanguage = lazy(async () => {
    const { registerJsonLanguage } = await import('./language.ts');
    return store.add(registerJsonLanguage(deps));
  });
  let isJsonExtensionActive = false;
  const loadIfSupported = ({ uri, languageId }: vscode.TextDocument): void => {
    if (!isJsonExtensionActive && languageId === languages.documentJson) {
      isJsonExtensionActive = true;
      activateJsonExtension().then(undefined, (error: unknown) => {
        deps.log.warn('catalog', "The editor's help in JSON documents did not start", {
          reason: String(error),
        });
      });
    }
    if (/\.(viewpoint|rules?)\.json$/.test(uri.path)) {
      loadLanguage().catch((error: unknown) => {
        deps.log.error('catalog', 'The language features for JSON documents could not be loaded', {
          reason: String(error),
        });
      });
    }
  };
  const loadInstanceDiagnostics = lazy(async () => {
    const { InstanceDiagnostics } = await import('./instanceDiagnostics.ts');
    return store.add(new InstanceDiagnostics(deps));
  });
  store.add(
    registerCommand('datamodelStudio.jsonLanguage.checkAll', deps.log, async (target) =>
      (await loadInstanceDiagnostics()).run(target),
    ),
  );
  store.add(vscode.workspace.registerTextDocumentContentProvider(schemes.schema, createSchemaProvider(deps)));
  store.add(vscode.workspace.onDidOpenTextDocument(loadIfSupported));
  vscode.workspace.textDocuments.forEach(loadIfSupported);
  return store;
}

/**
 * Activates VS Code's own JSON extension, which provides schemas, formatting and the outline. It also supports the
 * documents of a server (`jsonLanguageParticipants`), but is activated only by documents of its own languages.
 */
const activateJsonExtension = async (): Promise<unknown> =>
  vscode.extensions.getExtension('vscode.json-language-features')?.activate();

/** Provides the schemas that were generated at build time; the editor's JSON support requests them when needed. */
const createSchemaProvider = ({ extensionUri }: JsonLanguageDeps): vscode.TextDocumentContentProvider => ({
  async provideTextDocumentContent(uri) {
    const { readSchema } = await import('./schemaDocuments.ts');
    return readSchema(extensionUri, uri);
  },
});
