import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../../base/disposable.ts';
import type { FileCatalogs } from '../../../platform/projects/fileCatalogs.ts';
import { jsonCompletionTriggers } from '../../../platform/jsonCompletions.ts';
import type { ProjectDeps } from '../deps.ts';
import { ModelFileHelp } from './modelFileHelp.ts';
import { NameFixProvider } from './nameFixes.ts';
import { ProjectDiagnostics } from './projectDiagnostics.ts';
import { jsonFileSelector, modelFileSelector, projectFileSelector } from './projectFileSelector.ts';
import { ProjectNavigationProvider } from './projectNavigation.ts';

/** Registers the language features for the files of projects, which need no connection. */
export function registerProjectLanguage(deps: ProjectDeps, catalogs: FileCatalogs): Disposable {
  const store = new DisposableStore();
  const { languages } = vscode;
  const navigation = new ProjectNavigationProvider(catalogs);
  store.add(new ProjectDiagnostics(deps, catalogs));
  store.add(languages.registerDefinitionProvider(projectFileSelector, navigation));
  store.add(languages.registerReferenceProvider(projectFileSelector, navigation));
  store.add(languages.registerRenameProvider(projectFileSelector, navigation));
  const help = new ModelFileHelp(deps, catalogs);
  store.add(languages.registerHoverProvider(modelFileSelector, help));
  store.add(languages.registerCompletionItemProvider(modelFileSelector, help, ...jsonCompletionTriggers));
  store.add(
    languages.registerCodeActionsProvider(jsonFileSelector, new NameFixProvider(deps, catalogs), {
      providedCodeActionKinds: NameFixProvider.kinds,
    }),
  );
  return store;
}
