import type { OpenBuilds } from '../../builds/buildMonitor.ts';
import { openBuildWatch } from '../../builds/openWatch.ts';
import { DisposableStore } from '../../base/disposable.ts';
import { buildSource } from '../../connections/buildSource.ts';
import { setting } from '../../platform/settings.ts';
import { BuildNotifications } from './buildNotifications.ts';
import { BuildStatusItem } from './buildStatusItem.ts';
import type { BuildsDeps } from './deps.ts';
import { FailedTables } from './failedTables.ts';
import { UsualDurations } from './usualDurations.ts';

/** Begins to follow builds and to show what becomes of them. */
export async function openBuilds(deps: BuildsDeps): Promise<OpenBuilds> {
  const { builds, buildsFolder, connections, sessions, clock, log } = deps;
  const store = new DisposableStore();
  const { watch, history } = await openBuildWatch(buildsFolder, {
    source: buildSource(connections, sessions),
    clock,
    log,
    random: Math.random,
    pace: () => ({ steadyMs: setting('builds.pollInterval') * 1000 }),
    window: crypto.randomUUID(),
  });
  store.add(watch);
  const usual = store.add(new UsualDurations(history, log));
  store.add(new BuildStatusItem({ builds, clock, usual }));
  store.add(new FailedTables(deps));
  store.add(new BuildNotifications(deps));
  return { watch, history, dispose: () => store.dispose() };
}
