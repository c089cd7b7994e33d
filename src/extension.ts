import * as vscode from 'vscode';
import { systemClock } from './base/clock.ts';
import { DisposableStore } from './base/disposable.ts';
import { BuildMonitor } from './builds/buildMonitor.ts';
import { StoredBuildMemory } from './builds/buildMemory.ts';
import { buildSource } from './connections/buildSource.ts';
import { ConnectionStore } from './connections/connectionStore.ts';
import { Connector } from './connections/connector.ts';
import { HandedOverTokens, handedOverSandbox } from './connections/handedOver.ts';
import { Sessions } from './connections/sessions.ts';
import { WriteLocks } from './connections/writeLocks.ts';
import * as builds from './features/builds/index.ts';
import * as connections from './features/connections/index.ts';
import * as explorer from './features/explorer/index.ts';
import * as sandbox from './features/sandbox/index.ts';
import { registerCommand } from './platform/commands.ts';
import { ChannelLog } from './platform/log.ts';
import { MementoConnectionStorage, MementoValue } from './platform/mementoStorage.ts';
import { SecretTokenStore } from './platform/secretTokens.ts';
import { setting } from './platform/settings.ts';
import { requestLimits, transportOptions } from './platform/networkSettings.ts';
import { SandboxService } from './sandboxHost/sandboxService.ts';

/** Constructs, connects and registers; decides nothing and asks no server. */
export function activate(context: vscode.ExtensionContext): void {
  const store = new DisposableStore();
  context.subscriptions.push(store);

  const channel = store.add(vscode.window.createOutputChannel('Datamodel Studio', { log: true }));
  const log = new ChannelLog(channel);
  store.add(registerCommand('datamodelStudio.log.show', log, () => channel.show()));

  const clock = systemClock;
  const handedOver = handedOverSandbox(process.env, vscode.l10n.t('Sandbox'));
  const tokens = new HandedOverTokens(new SecretTokenStore(context.secrets), handedOver);
  const connectionStore = store.add(
    new ConnectionStore({
      storage: new MementoConnectionStorage(context.globalState),
      log,
      transient: handedOver === undefined ? [] : [handedOver.connection],
    }),
  );
  const sandboxService = store.add(
    new SandboxService(
      {
        script: vscode.Uri.joinPath(context.extensionUri, 'dist', 'sandbox.js').fsPath,
        folder: vscode.Uri.joinPath(context.globalStorageUri, 'sandbox').fsPath,
        seed: 'demo',
      },
      log,
    ),
  );
  const locks = store.add(new WriteLocks(clock));
  const connector = new Connector({
    tokens,
    sandbox: () => sandboxService.ensure(),
    transport: async () => {
      const { UndiciTransport } = await import('./api/undiciTransport.ts');
      return new UndiciTransport(await transportOptions());
    },
    locks,
    limits: requestLimits,
    clock,
    log,
  });
  const sessions = store.add(
    new Sessions({ connections: connectionStore, connect: (connection) => connector.connect(connection) }),
  );
  const monitor = store.add(
    new BuildMonitor({
      source: buildSource(sessions),
      memory: new StoredBuildMemory(new MementoValue(context.workspaceState, 'unfinishedBuilds', log)),
      clock,
      log,
      random: Math.random,
      pace: () => ({ steadyMs: setting('builds.pollInterval') * 1000 }),
    }),
  );

  const deps = {
    connections: connectionStore,
    sessions,
    tokens,
    locks,
    builds: monitor,
    sandbox: sandboxService,
    clock,
    log,
  };
  store.add(sandbox.register(deps));
  store.add(connections.register(deps));
  store.add(explorer.register(deps));
  store.add(builds.register(deps));
}
