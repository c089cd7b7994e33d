import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { registerCommand } from '../../platform/commands.ts';
import type { FindDeps } from './deps.ts';
import { findAnything } from './findAnything.ts';
import { searchViewpoints } from './searchViewpoints.ts';
import { WorkspaceSymbols } from './workspaceSymbols.ts';

/** Finding things without browsing for them. */
export function register(deps: FindDeps): Disposable {
  const store = new DisposableStore();
  store.add(vscode.languages.registerWorkspaceSymbolProvider(new WorkspaceSymbols(deps)));
  store.add(registerCommand('datamodelStudio.find.open', deps.log, () => findAnything(deps)));
  store.add(
    registerCommand('datamodelStudio.find.viewpoints', deps.log, (target) => searchViewpoints(deps, target)),
  );
  return store;
}
