import * as vscode from 'vscode';
import { systemClock } from './base/clock.ts';
import type { DisposableStore } from './base/disposable.ts';
import type { Log } from './base/log.ts';
import { lazy } from './base/lazy.ts';
import { Pins } from './catalog/pins.ts';
import { BuildMonitor, type OpenBuilds } from './builds/buildMonitor.ts';
import { buildSource } from './connections/buildSource.ts';
import { ConnectionStore } from './connections/connectionStore.ts';
import { Connector } from './connections/connector.ts';
import { CurrentConnection } from './connections/currentConnection.ts';
import { Doctor } from './connections/doctor/doctor.ts';
import { handedOverSandbox } from './connections/handedOver.ts';
import { SandboxTokens } from './connections/sandboxTokens.ts';
import { relockChanged } from './connections/relock.ts';
import { Directories } from './connections/directories.ts';
import { MembershipStore } from './connections/membershipStore.ts';
import { Sessions } from './connections/sessions.ts';
import { WriteLocks } from './connections/writeLocks.ts';
import { followUps } from './features/rename/index.ts';
import * as plan from './features/plan/index.ts';
import type { JsonDocument } from './jsonText/parseJson.ts';
import { MementoConnectionStorage, MementoValue } from './platform/mementoStorage.ts';
import { SecretTokenStore } from './platform/secretTokens.ts';
import { TreeSelection } from './platform/treeSelection.ts';
import { OpenTrees } from './platform/openTrees.ts';
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

/** What the features are made from. */
export type Services = ReturnType<typeof createServices>;

/** Constructs and connects what the features share; nothing here asks a server or reads a file. */
export function createServices(context: vscode.ExtensionContext, store: DisposableStore, log: Log) {
  const clock = systemClock;
  const handedOver = handedOverSandbox(process.env, vscode.l10n.t('Sandbox'));
  const tokens = new SandboxTokens(new SecretTokenStore(context.secrets), handedOver);
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
  store.add(relockChanged(connectionStore, locks));
  const transport = async () => {
    const { UndiciTransport } = await import('./api/undiciTransport.ts');
    return new UndiciTransport(await transportOptions());
  };
  const connector = new Connector({
    tokens,
    sandbox: () => sandboxService.ensure(),
    onSandboxLost: (url) => void sandboxService.lost(url),
    transport,
    locks,
    nameOf: ({ id, name }) => connectionStore.find(id)?.name ?? name,
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
  const memberships = store.add(
    new MembershipStore({
      folder: vscode.Uri.joinPath(context.globalStorageUri, 'memberships').fsPath,
      log,
    }),
  );
  const directories = store.add(new Directories({ sessions, memberships, log }));
  const monitor: BuildMonitor = store.add(
    new BuildMonitor({
      load: async (): Promise<OpenBuilds> => {
        const { openBuilds } = await import('./features/builds/openBuilds.ts');
        return openBuilds(deps, buildSource(connectionStore, sessions));
      },
      log,
    }),
  );

  const ruleAliases = new MementoValue(context.globalState, 'ruleAliases', log);
  const historyFolder = vscode.Uri.joinPath(context.globalStorageUri, 'history').fsPath;
  const writing = lazy(async () => {
    const [{ Writer }, { History }, { ruleSubjectOfSet }, { RuleAliases }, { warnOfOtherRules }] =
      await Promise.all([
        import('./writes/writer.ts'),
        import('./history/history.ts'),
        import('./catalog/ruleSubject.ts'),
        import('./documents/ruleAliases.ts'),
        import('./platform/warnOfOtherRules.ts'),
      ]);
    const history = store.add(
      new History({
        folder: historyFolder,
        limits: () => ({
          maxBytes: setting('history.maxSize') * bytesPerMegabyte,
          maxAgeMs: setting('history.maxAge') * msPerDay,
        }),
        clock,
        log,
      }),
    );
    const cubeSets = (connectionId: string) =>
      (connectionStore.find(connectionId)?.cubeSets ?? []).map(({ name, server }) =>
        ruleSubjectOfSet(name, server),
      );
    const writer = new Writer({ sessions, history, cubeSets, clock, log });
    const aliases = new RuleAliases(ruleAliases);
    writer.onDidMoveRule(({ connectionId, subject, from, to }) =>
      aliases.moved(connectionId, { kind: 'rule', subject, ruleId: from }, to),
    );
    writer.onDidMeetOthers((target) => void warnOfOtherRules(target));
    return { history, writer };
  });
  const performer = plan.performer({
    writer: async () => (await writing()).writer,
    connections: connectionStore,
    extensionUri: context.extensionUri,
    log,
  });

  const pins = store.add(new Pins(new MementoValue(context.globalState, 'pins', log)));
  const deps = {
    connections: connectionStore,
    sessions,
    directories,
    memberships,
    tokens,
    locks,
    builds: monitor,
    buildsFolder: vscode.Uri.joinPath(context.globalStorageUri, 'builds').fsPath,
    pins,
    forgetConnection: async (connectionId: string) => {
      pins.removeOf(connectionId);
      await memberships.clear(connectionId);
      await (await writing()).history.forget(connectionId);
    },
    memory: new MementoValue(context.workspaceState, 'explorerTree', log),
    pickMemory: new MementoValue(context.workspaceState, 'pickedDatamodels', log),
    matrixDrafts: new MementoValue(context.workspaceState, 'matrixDrafts', log),
    askEngine: connector.askEngine.bind(connector),
    sandbox: sandboxService,
    doctor: connectionDoctor,
    current,
    extensionUri: context.extensionUri,
    selection: new TreeSelection(),
    performer,
    followUps: followUps({ sessions }),
    writing,
    historyFolder,
    // Without a workspace the editor has no storage for the window; then windows share a folder.
    storageFolder: context.storageUri ?? context.globalStorageUri,
    jsonTrees: store.add(new OpenTrees<JsonDocument>()),
    ruleAliases,
    documentLinks: new MementoValue(context.workspaceState, 'documentLinks', log),
    version: String(context.extension.packageJSON.version),
    clock,
    log,
  };
  return deps;
}
