import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { registerCommand } from '../../platform/commands.ts';
import { BuildNotifications } from './buildNotifications.ts';
import { BuildStatusItem } from './buildStatusItem.ts';
import type { BuildsDeps } from './deps.ts';

/** Starting, watching and cancelling builds. */
export function register(deps: BuildsDeps): Disposable {
  const store = new DisposableStore();
  store.add(
    deps.connections.onDidChange(() => {
      deps.builds.keepConnections((id) => deps.connections.find(id) !== undefined);
    }),
  );
  // A look starts no sandbox, so it goes on once somebody has.
  store.add(deps.sessions.onDidOpen((connectionId) => deps.builds.instanceInUse(connectionId)));
  const statusItem = store.add(new BuildStatusItem(deps.builds, deps.clock));
  store.add(new BuildNotifications(deps.builds, deps.log));
  store.add(
    registerCommand('datamodelStudio.builds.start', deps.log, async (target) => {
      const { startBuild } = await import('./startBuild.ts');
      await startBuild(deps, target);
    }),
  );
  store.add(
    registerCommand('datamodelStudio.builds.cancel', deps.log, async (target) => {
      const { cancelBuild } = await import('./cancelBuild.ts');
      await cancelBuild(deps, target);
    }),
  );
  store.add(
    registerCommand('datamodelStudio.builds.cancelAll', deps.log, async (target) => {
      const { cancelAllBuilds } = await import('./cancelBuild.ts');
      await cancelAllBuilds(deps, target);
    }),
  );
  store.add(
    registerCommand('datamodelStudio.builds.show', deps.log, async () => {
      statusItem.acknowledge();
      const { showBuilds } = await import('./showBuilds.ts');
      await showBuilds(deps);
    }),
  );
  return store;
}
