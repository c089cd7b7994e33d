import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../../base/disposable.ts';
import type { FileCatalogs } from '../../../platform/projects/fileCatalogs.ts';
import type { ProjectDeps } from '../deps.ts';
import { ProjectDiagnostics } from './projectDiagnostics.ts';
import { projectFileOrSqlSelector } from './projectFileSelector.ts';
import { ProjectNavigationProvider } from './projectNavigation.ts';

/** Registers the language features for the files of projects, which need no connection. */
export function registerProjectLanguage(deps: ProjectDeps, catalogs: FileCatalogs): Disposable {
  const store = new DisposableStore();
  const { languages } = vscode;
  const navigation = new ProjectNavigationProvider(catalogs);
  store.add(new ProjectDiagnostics(deps, catalogs));
  store.add(languages.registerDefinitionProvider(projectFileOrSqlSelector, navigation));
  store.add(languages.registerReferenceProvider(projectFileOrSqlSelector, navigation));
  store.add(languages.registerRenameProvider(projectFileOrSqlSelector, navigation));
  return store;
}
