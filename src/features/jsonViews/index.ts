import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { Log } from '../../base/log.ts';
import { createViewAddress } from '../../catalog/viewAddress.ts';
import type { Sessions } from '../../connections/sessions.ts';
import { schemes } from '../../contributions.ts';
import { registerCommand } from '../../platform/commands.ts';
import { JsonViewProvider } from './viewProvider.ts';

/** Registers the read-only JSON views of resources that have no editable document. */
export function register({ sessions, log }: { readonly sessions: Sessions; readonly log: Log }): Disposable {
  const store = new DisposableStore();
  const provider = store.add(new JsonViewProvider(sessions, log));
  store.add(vscode.workspace.registerTextDocumentContentProvider(schemes.view, provider));
  store.add(
    registerCommand('datamodelStudio.jsonViews.open', log, async (target) => {
      if (target !== undefined) {
        const uri = vscode.Uri.from({ scheme: schemes.view, ...createViewAddress(target) });
        provider.refresh(uri);
        await vscode.window.showTextDocument(uri, { preview: target.keepsTab !== true });
      }
    }),
  );
  return store;
}
