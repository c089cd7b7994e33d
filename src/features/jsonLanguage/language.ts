import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { JsonCodeActionProvider } from './codeActions.ts';
import { JsonCompletionProvider } from './completion.ts';
import { jsonCompletionTriggers } from '../../platform/jsonCompletions.ts';
import type { JsonLanguageDeps } from './deps.ts';
import { JsonDiagnostics } from './diagnostics.ts';
import { jsonDocumentSelector } from './documents.ts';
import { JsonHoverProvider } from './hover.ts';
import { DocumentKnowledgeService } from './documentKnowledgeService.ts';
import { JsonNavigationProvider, JsonDocumentSymbolProvider } from './navigation.ts';

/**
 * Registers all language features for viewpoints and rules. This module is loaded only when the first such document is
 * opened.
 */
export function registerJsonLanguage(deps: JsonLanguageDeps): Disposable {
  const store = new DisposableStore();
  const knowledgeService = store.add(new DocumentKnowledgeService(deps));
  const navigation = new JsonNavigationProvider(deps, knowledgeService);
  const { languages } = vscode;
  store.add(new JsonDiagnostics(deps, knowledgeService));
  store.add(
    languages.registerCompletionItemProvider(
      jsonDocumentSelector,
      new JsonCompletionProvider(deps, knowledgeService),
      ...jsonCompletionTriggers,
    ),
  );
  store.add(
    languages.registerHoverProvider(jsonDocumentSelector, new JsonHoverProvider(deps, knowledgeService)),
  );
  store.add(languages.registerDefinitionProvider(jsonDocumentSelector, navigation));
  store.add(languages.registerRenameProvider(jsonDocumentSelector, navigation));
  store.add(
    languages.registerCodeActionsProvider(
      jsonDocumentSelector,
      new JsonCodeActionProvider(deps, knowledgeService),
      {
        providedCodeActionKinds: JsonCodeActionProvider.kinds,
      },
    ),
  );
  store.add(
    languages.registerDocumentSymbolProvider(jsonDocumentSelector, new JsonDocumentSymbolProvider(deps), {
      label: vscode.l10n.t('Datamodel Studio'),
    }),
  );
  return store;
}
