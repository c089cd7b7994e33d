import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { lazy } from '../../base/lazy.ts';
import { registerCommand } from '../../platform/commands.ts';
import type { StartFeatureDeps } from './deps.ts';

/** Registers the commands that open the walkthrough and report an issue. */
export function register(deps: StartFeatureDeps): Disposable {
  const store = new DisposableStore();
  const loadOpener = lazy(async () => (await import('./walkthrough.ts')).createWalkthroughOpener(deps));
  store.add(
    registerCommand('datamodelStudio.start.open', deps.log, async () => {
      const openWalkthrough = await loadOpener();
      await openWalkthrough();
    }),
  );
  store.add(
    registerCommand('datamodelStudio.start.reportIssue', deps.log, async () => {
      const { reportIssue } = await import('./reportIssue.ts');
      await reportIssue(deps);
    }),
  );
  return store;
}
