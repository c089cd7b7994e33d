import * as vscode from 'vscode';
import { systemClock } from './base/clock.ts';
import { DisposableStore } from './base/disposable.ts';
import { lazy } from './base/lazy.ts';
import { Pins } from './catalog/pins.ts';
import { BuildMonitor, type OpenBuilds } from './builds/buildMonitor.ts';
import { buildSource } from './connections/buildSource.ts';
import { ConnectionStore } from './connections/connectionStore.ts';
import { Connector } from './connections/connector.ts';
import { CurrentConnection } from './connections/currentConnection.ts';
import { Doctor } from './connections/doctor/doctor.ts';
import { HandedOverTokens, handedOverSandbox } from './connections/handedOver.ts';
import { Sessions } from './connections/sessions.ts';
import { WriteLocks } from './connections/writeLocks.ts';
import * as builds from './features/builds/index.ts';
import * as connections from './features/connections/index.ts';
import * as currentConnection from './features/currentConnection/index.ts';
import * as doctor from './features/doctor/index.ts';
import * as documents from './features/documents/index.ts';
import * as explorer from './features/explorer/index.ts';
import * as find from './features/find/index.ts';
import * as jsonLanguage from './features/jsonLanguage/index.ts';
import * as jsonViews from './features/jsonViews/index.ts';
import * as plan from './features/plan/index.ts';
import * as resources from './features/resources/index.ts';
import * as sandbox from './features/sandbox/index.ts';
import { registerCommand } from './platform/commands.ts';
import { ChannelLog } from './platform/log.ts';
import { MementoConnectionStorage, MementoValue } from './platform/mementoStorage.ts';
import { SecretTokenStore } from './platform/secretTokens.ts';
import { TreeSelection } from './platform/treeSelection.ts';
import { setting } from './platform/settings.ts';
import {
  furtherCertificates,
  networkRules,
  requestLimits,
  transportOptions,
} from './platform/networkSettings.ts';
import { SandboxService } from './sandboxHost/sandboxService.ts';

const bytesPerMegabyte = 1024 * 1024;
const msPerDay = 24 * 60 * 60 * 1000;

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
  const transport = async () => {
    const { UndiciTransport } = await import('./api/undiciTransport.ts');
    return new UndiciTransport(await transportOptions());
  };
  const connector = new Connector({
    tokens,
    sandbox: () => sandboxService.ensure(),
    transport,
    locks,
    limits: requestLimits,
    clock,
    log,
  });
  const connectionDoctor = new Doctor({
    locate: (connection) => connector.locate(connection),
    tokens,
    locks,
    network: networkRules,
    certificates: furtherCertificates,
    transport,
    limits: requestLimits,
    clock,
    log,
  });
  const current = store.add(
    new CurrentConnection(
      connectionStore,
      new MementoValue(context.workspaceState, 'currentConnection', log),
    ),
  );
  const sessions = store.add(
    new Sessions({
      connections: connectionStore,
      connect: (connection) => connector.connect(connection),
      pageSize: () => setting('explorer.pageSize'),
    }),
  );
  const monitor: BuildMonitor = store.add(
    new BuildMonitor({
      load: async (): Promise<OpenBuilds> => {
        const { openBuilds } = await import('./features/builds/openBuilds.ts');
        return openBuilds(deps, buildSource(connectionStore, sessions));
      },
      log,
    }),
  );

  const writing = lazy(async () => {
    const [{ Writer }, { History }] = await Promise.all([
      import('./writes/writer.ts'),
      import('./history/history.ts'),
    ]);
    const history = store.add(
      new History({
        folder: vscode.Uri.joinPath(context.globalStorageUri, 'history').fsPath,
        limits: () => ({
          maxBytes: setting('history.maxSize') * bytesPerMegabyte,
          maxAgeMs: setting('history.maxAge') * msPerDay,
        }),
        clock,
        log,
      }),
    );
    return { history, writer: new Writer({ sessions, history, clock, log }) };
  });
  const { perform } = plan.performer({
    writer: async () => (await writing()).writer,
    connections: connectionStore,
    extensionUri: context.extensionUri,
    log,
  });

  const deps = {
    connections: connectionStore,
    sessions,
    tokens,
    locks,
    builds: monitor,
    buildsFolder: vscode.Uri.joinPath(context.globalStorageUri, 'builds').fsPath,
    pins: store.add(new Pins(new MementoValue(context.globalState, 'pins', log))),
    memory: new MementoValue(context.workspaceState, 'explorerTree', log),
    sandbox: sandboxService,
    doctor: connectionDoctor,
    current,
    extensionUri: context.extensionUri,
    selection: new TreeSelection(),
    perform,
    version: String(context.extension.packageJSON.version),
    clock,
    log,
  };
  store.add(sandbox.register(deps));
  store.add(connections.register(deps));
  store.add(currentConnection.register(deps));
  store.add(doctor.register(deps));
  store.add(explorer.register(deps));
  store.add(documents.register(deps));
  store.add(jsonLanguage.register(deps));
  store.add(resources.register(deps));
  store.add(jsonViews.register(deps));
  store.add(find.register(deps));
  store.add(builds.register(deps));
}
