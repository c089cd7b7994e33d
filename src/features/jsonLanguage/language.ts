import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { JsonCodeActions } from './codeActions.ts';
import { completionTriggers, JsonCompletion } from './completion.ts';
import type { JsonLanguageDeps } from './deps.ts';
import { JsonDiagnostics } from './diagnostics.ts';
import { selector } from './documents.ts';
import { JsonHover } from './hover.ts';
import { KnowledgeOfDocuments } from './knowledge.ts';
import { JsonNavigation, JsonOutline } from './navigation.ts';

/** All help in viewpoints and rules. A part of its own, so that nobody who opens none loads it. */
export function openLanguage(deps: JsonLanguageDeps): Disposable {
  const store = new DisposableStore();
  const knowledge = store.add(new KnowledgeOfDocuments(deps));
  const navigation = new JsonNavigation(deps, knowledge);
  const { languages } = vscode;
  store.add(new JsonDiagnostics(deps, knowledge));
  store.add(
    languages.registerCompletionItemProvider(
      selector,
      new JsonCompletion(deps, knowledge),
      ...completionTriggers,
    ),
  );
  store.add(languages.registerHoverProvider(selector, new JsonHover(deps, knowledge)));
  store.add(languages.registerDefinitionProvider(selector, navigation));
  store.add(languages.registerRenameProvider(selector, navigation));
  store.add(
    languages.registerCodeActionsProvider(selector, new JsonCodeActions(deps, knowledge), {
      providedCodeActionKinds: JsonCodeActions.kinds,
    }),
  );
  store.add(
    languages.registerDocumentSymbolProvider(selector, new JsonOutline(deps), {
      label: vscode.l10n.t('Datamodel Studio'),
    }),
  );
  return store;
}
