import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { Log } from '../../base/log.ts';
import type { BuildMonitor } from '../../builds/buildMonitor.ts';
import { sandboxConnectionId } from '../../connections/connection.ts';
import type { ConnectionStore } from '../../connections/connectionStore.ts';
import type { Sessions } from '../../connections/sessions.ts';
import { registerCommand } from '../../platform/commands.ts';
import type { SandboxService } from '../../sandbox/host/sandboxService.ts';

const loadCommands = () => import('./commands.ts');

/** Registers the commands that start and stop the embedded sandbox; their implementation is loaded on first use. */
export function register(deps: {
  sandbox: SandboxService;
  connections: ConnectionStore;
  sessions: Sessions;
  buildMonitor: BuildMonitor;
  log: Log;
}): Disposable {
  const store = new DisposableStore();
  store.add(
    registerCommand('datamodelStudio.sandbox.start', deps.log, async () =>
      (await loadCommands()).startSandbox(deps),
    ),
  );
  store.add(
    registerCommand('datamodelStudio.sandbox.stop', deps.log, async () =>
      (await loadCommands()).stopSandbox(deps.sandbox, () => endSessionAndBuilds(deps, { wasStopped: true })),
    ),
  );
  store.add(deps.sandbox.onDidEnd(() => endSessionAndBuilds(deps, { wasStopped: false })));
  return store;
}

/** Ends the session and the builds of the sandbox, since after its next start it has another address and no builds. */
function endSessionAndBuilds(
  { sessions, buildMonitor }: { sessions: Sessions; buildMonitor: BuildMonitor },
  { wasStopped }: { wasStopped: boolean },
): void {
  buildMonitor.handleInstanceEnded(sandboxConnectionId, { shouldNotify: !wasStopped });
  sessions.end(sandboxConnectionId);
}
