import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { lazy } from '../../base/lazy.ts';
import type { Log } from '../../base/log.ts';
import type { Sessions } from '../../connections/sessions.ts';
import { schemes } from '../../contributions.ts';
import { registerCommand } from '../../platform/commands.ts';

/** Registers the read-only JSON views of resources that have no editable document; loaded with the first of them. */
export function register({ sessions, log }: { readonly sessions: Sessions; readonly log: Log }): Disposable {
  const store = new DisposableStore();
  const onDidChange = store.add(new vscode.EventEmitter<vscode.Uri>());
  const loadProvider = lazy(async () => {
    const { JsonViewProvider } = await import('./viewProvider.ts');
    return store.add(new JsonViewProvider(sessions, log, (uri) => onDidChange.fire(uri)));
  });
  store.add(
    vscode.workspace.registerTextDocumentContentProvider(schemes.view, {
      onDidChange: onDidChange.event,
      provideTextDocumentContent: async (uri) => (await loadProvider()).provideTextDocumentContent(uri),
    }),
  );
  store.add(
    registerCommand('datamodelStudio.jsonViews.open', log, async (target) => {
      if (target !== undefined) {
        await (await loadProvider()).open(target);
      }
    }),
  );
  return store;
}
