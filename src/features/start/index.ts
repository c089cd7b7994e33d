import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { registerCommand } from '../../platform/commands.ts';
import type { StartFeatureDeps } from './deps.ts';

/** The ID of the walkthrough in the manifest. */
const walkthroughId = 'start';

/** Registers the commands that open the walkthrough and report an issue. */
export function register(deps: StartFeatureDeps): Disposable {
  const store = new DisposableStore();
  store.add(
    registerCommand('datamodelStudio.start.open', deps.log, () =>
      vscode.commands.executeCommand(
        'workbench.action.openWalkthrough',
        `${deps.extension.id}#${walkthroughId}`,
        false,
      ),
    ),
  );
  store.add(
    registerCommand('datamodelStudio.start.reportIssue', deps.log, async () => {
      const { reportIssue } = await import('./reportIssue.ts');
      await reportIssue(deps);
    }),
  );
  return store;
}
