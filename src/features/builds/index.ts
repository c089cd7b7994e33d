import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { hasUnfinished } from '../../builds/unfinished.ts';
import { registerCommand } from '../../platform/commands.ts';
import type { BuildsDeps } from './deps.ts';

/** Starting, watching and cancelling builds. Whatever it takes is loaded when the first build is met. */
export function register(deps: BuildsDeps): Disposable {
  const { builds, log } = deps;
  const store = new DisposableStore();
  store.add(followConnections(deps));
  store.add(
    vscode.window.onDidChangeWindowState(({ focused }) => {
      if (focused) {
        void catchUp(deps);
      }
    }),
  );
  void resume(deps);
  store.add(
    registerCommand('datamodelStudio.builds.start', log, async (target) =>
      (await import('./startBuild.ts')).startBuild(deps, target),
    ),
  );
  store.add(
    registerCommand('datamodelStudio.builds.cancel', log, async (target) =>
      (await import('./cancelBuild.ts')).cancelBuild(deps, target),
    ),
  );
  store.add(
    registerCommand('datamodelStudio.builds.cancelAll', log, async (target) =>
      (await import('./cancelBuild.ts')).cancelAllBuilds(deps, target),
    ),
  );
  store.add(
    registerCommand('datamodelStudio.builds.show', log, async () => {
      builds.acknowledge();
      return (await import('./showBuilds.ts')).showBuilds(deps);
    }),
  );
  return store;
}

/** Builds are asked for where a session is open; one that opens may belong to builds that were left before. */
function followConnections({ builds, connections, sessions }: BuildsDeps): Disposable {
  const store = new DisposableStore();
  store.add(connections.onDidChange(() => builds.connectionsChanged()));
  store.add(sessions.onDidEnd(() => builds.connectionsChanged()));
  store.add(sessions.onDidOpen(() => builds.connectionsChanged()));
  return store;
}

/** Builds that had not ended when a window was last open are followed on. */
async function resume(deps: BuildsDeps): Promise<void> {
  if (await hasUnfinished(deps.buildsFolder)) {
    deps.builds.begin();
  }
}

/** A person is back: builds of others are found without being looked for, where a connection is in use. */
async function catchUp(deps: BuildsDeps): Promise<void> {
  const isInUse = deps.connections.all.some(({ id }) => deps.sessions.peek(id) !== undefined);
  if (isInUse || (await hasUnfinished(deps.buildsFolder))) {
    deps.builds.catchUp();
  }
}
