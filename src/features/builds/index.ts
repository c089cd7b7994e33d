import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { registerCommand } from '../../platform/commands.ts';
import { BuildNotifications } from './buildNotifications.ts';
import { BuildStatusItem } from './buildStatusItem.ts';
import { cancelAllBuilds, cancelBuild } from './cancelBuild.ts';
import { showBuilds } from './showBuilds.ts';
import { startBuild } from './startBuild.ts';
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
  store.add(registerCommand('datamodelStudio.builds.start', deps.log, (target) => startBuild(deps, target)));
  store.add(
    registerCommand('datamodelStudio.builds.cancel', deps.log, (target) => cancelBuild(deps, target)),
  );
  store.add(
    registerCommand('datamodelStudio.builds.cancelAll', deps.log, (target) => cancelAllBuilds(deps, target)),
  );
  store.add(
    registerCommand('datamodelStudio.builds.show', deps.log, () => {
      statusItem.acknowledge();
      return showBuilds(deps);
    }),
  );
  return store;
}
