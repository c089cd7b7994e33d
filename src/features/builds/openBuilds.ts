import type { BuildWatchAndHistory } from '../../builds/buildMonitor.ts';
import { openBuildWatch } from '../../builds/openBuildWatch.ts';
import { DisposableStore } from '../../base/disposable.ts';
import { createBuildApi } from '../../connections/createBuildApi.ts';
import { getSetting } from '../../platform/settings.ts';
import { BuildNotifications } from './buildNotifications.ts';
import { BuildStatusItem } from './buildStatusItem.ts';
import type { BuildsDeps } from './deps.ts';
import { BuildFailureDiagnostics } from './buildFailureDiagnostics.ts';
import { TypicalDurations } from './typicalDurations.ts';

/** Opens the build watch, and shows progress and failures in the status bar, notifications and diagnostics. */
export async function openBuilds(deps: BuildsDeps): Promise<BuildWatchAndHistory> {
  const { buildMonitor: builds, buildsFolder, connections, sessions, clock, log } = deps;
  const store = new DisposableStore();
  const { watch, history } = await openBuildWatch(buildsFolder, {
    buildApi: createBuildApi(connections, sessions),
    clock,
    log,
    random: Math.random,
    getPollSettings: () => ({ steadyIntervalMs: getSetting('builds.pollInterval') * 1000 }),
    windowId: crypto.randomUUID(),
  });
  store.add(watch);
  const typicalDurations = store.add(new TypicalDurations(history, log));
  store.add(new BuildStatusItem({ buildMonitor: builds, connections, clock, typicalDurations }));
  store.add(new BuildFailureDiagnostics(deps));
  store.add(new BuildNotifications(deps));
  return { watch, history, dispose: () => store.dispose() };
}
