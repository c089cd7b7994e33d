import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { webviews } from '../../contributions.ts';
import { registerCommand } from '../../platform/commands.ts';
import type { CustomDataDeps } from './deps.ts';

/** Registers custom data as a table that can be filtered and changed; loaded on first use. */
export function register(deps: CustomDataDeps): Disposable {
  const store = new DisposableStore();
  store.add(
    registerCommand('datamodelStudio.customData.open', deps.log, async (target) => {
      const { openCustomData } = await import('./customDataPanel.ts');
      await openCustomData(deps, target);
    }),
  );
  store.add(
    vscode.window.registerWebviewPanelSerializer(webviews.customData, {
      deserializeWebviewPanel: async (panel, state: unknown) => {
        const { restoreCustomData } = await import('./customDataPanel.ts');
        restoreCustomData(deps, panel, state);
      },
    }),
  );
  return store;
}
