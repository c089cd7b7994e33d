import * as vscode from 'vscode';
import { lazy } from '../../base/lazy.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { registerCommand } from '../../platform/commands.ts';
import type { FindDeps } from './deps.ts';

/** Registers the search commands and the workspace symbol provider; the code is loaded on first use. */
export function register(deps: FindDeps): Disposable {
  const store = new DisposableStore();
  const getDatamodelPreloader = lazy(async () => {
    const { DatamodelPreloader } = await import('./datamodelPreloader.ts');
    return new DatamodelPreloader(deps.clock);
  });
  store.add(
    vscode.languages.registerWorkspaceSymbolProvider({
      async provideWorkspaceSymbols(query) {
        const { getWorkspaceSymbols } = await import('./workspaceSymbols.ts');
        return getWorkspaceSymbols(deps, query);
      },
      async resolveWorkspaceSymbol(symbol) {
        const { resolveWorkspaceSymbol } = await import('./workspaceSymbols.ts');
        return resolveWorkspaceSymbol(deps, symbol);
      },
    }),
  );
  store.add(
    registerCommand('datamodelStudio.find.open', deps.log, async () => {
      const { findAnything } = await import('./findAnything.ts');
      findAnything(deps, await getDatamodelPreloader());
    }),
  );
  store.add(
    registerCommand('datamodelStudio.find.viewpoints', deps.log, async (target) => {
      const { searchViewpoints } = await import('./searchViewpoints.ts');
      await searchViewpoints(deps, target);
    }),
  );
  return store;
}
