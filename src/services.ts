import * as vscode from 'vscode';
import { type Clock, systemClock } from './base/clock.ts';
import type { DisposableStore } from './base/disposable.ts';
import { Emitter, type Event } from './base/event.ts';
import { lazy } from './base/lazy.ts';
import type { Log } from './base/log.ts';
import type { ValueStorage } from './base/valueStorage.ts';
import { BuildMonitor, type BuildWatchAndHistory } from './builds/buildMonitor.ts';
import type { Pins } from './catalog/pins.ts';
import { getBaseConnectionId } from './catalog/tenantConnection.ts';
import { ConnectionStore } from './connections/connectionStore.ts';
import { Connector } from './connections/connector.ts';
import { CurrentConnection } from './connections/currentConnection.ts';
import { Doctor } from './connections/doctor/doctor.ts';
import { getInjectedSandbox } from './connections/injectedSandbox.ts';
import { MembershipStore } from './connections/membershipStore.ts';
import { relockOnChange } from './connections/relockOnChange.ts';
import { SandboxTokens } from './connections/sandboxTokens.ts';
import { ViewpointServiceStatuses } from './connections/viewpointServiceStatuses.ts';
import { SelectedTenants } from './connections/selectedTenants.ts';
import { Sessions } from './connections/sessions.ts';
import type { TokenStore } from './connections/tokenStore.ts';
import { WriteLocks } from './connections/writeLocks.ts';
import { UserDirectories } from './connections/userDirectories.ts';
import type { JsonDocument } from './json/text/parseJsonTree.ts';
import type { FileCatalogs } from './platform/projects/fileCatalogs.ts';
import { SelectedEnvironments } from './platform/projects/selectedEnvironments.ts';
import { ActivePanels } from './platform/activePanels.ts';
import { MementoConnectionStorage, MementoValue, QueuedMemento } from './platform/mementoStorage.ts';
import {
  readExtraCertificates,
  getProxySettings,
  getRequestLimits,
  getTransportOptions,
} from './platform/networkSettings.ts';
import { OpenDocumentCache } from './platform/openDocumentCache.ts';
import { SecretTokenStore } from './platform/secretTokenStore.ts';
import { getHistoryLimits } from './platform/historyLimits.ts';
import { getSetting } from './platform/settings.ts';
import { ViewVisibility } from './platform/viewVisibility.ts';
import { TreeSelection } from './platform/treeSelection.ts';
import { SandboxService } from './sandbox/host/sandboxService.ts';

/** The general services of the extension. */
export interface PlatformServices {
  readonly clock: Clock;
  readonly log: Log;
  /** The folder of the extension, which contains pages, worker scripts and icons. */
  readonly extensionUri: vscode.Uri;
  /** The version of the extension. */
  readonly version: string;
  /** The folder for files of the workspace, or of all windows without one. */
  readonly storageFolder: vscode.Uri;
  /** The selection in the Connections view. */
  readonly selection: TreeSelection;
  /** The views in the side bar, to check whether they are visible. */
  readonly shownViews: ViewVisibility;
  /** The open pages with their connections. */
  readonly activePanels: ActivePanels;
  /** The JSON trees of open documents; each version of a document is parsed only once. */
  readonly jsonTrees: OpenDocumentCache<JsonDocument>;
}

/** The state that survives a reload of the window. */
export interface PersistedStateServices {
  readonly loadPins: () => Promise<Pins>;
  /** The expanded and selected nodes of the Connections view. */
  readonly treeStorage: ValueStorage;
  /** The datamodel that the user picked for each file. */
  readonly pickedDatamodelStorage: ValueStorage;
  /** The changes in the rule matrix that were not applied yet. */
  readonly matrixDraftStorage: ValueStorage;
  /** The accepted findings of security checks, for windows without a folder. */
  readonly securityBaselineStorage: ValueStorage;
  /** The current IDs of rules that were replaced, by their former ones. */
  readonly ruleAliasStorage: ValueStorage;
  /** The workspace files that are copies of documents. */
  readonly fileOriginStorage: ValueStorage;
  /** The environment that is shown for each project. */
  readonly projectEnvironments: SelectedEnvironments;
  /** The results of merges of project files that the user has not completed. */
  readonly unfinishedMergeStorage: ValueStorage;
}

/** The connections, with their tokens and write locks. */
export interface ConnectionServices {
  readonly connections: ConnectionStore;
  readonly currentConnection: CurrentConnection;
  readonly tokens: TokenStore;
  readonly locks: WriteLocks;
  /** The tenant that the viewpoints of each connection are shown for. */
  readonly tenants: SelectedTenants;
  /** Deletes the pins, the selected tenant, the imported membership lists and the history of a connection. */
  readonly forgetConnection: (connectionId: string) => Promise<void>;
}

/** The services that access instances. */
export interface InstanceServices {
  readonly sandbox: SandboxService;
  /** The connection test. */
  readonly doctor: Doctor;
  /** Checks an expression with the engine of a sandbox. */
  readonly checkExpression: Connector['checkExpression'];
  readonly sessions: Sessions;
  readonly viewpointServiceStatuses: ViewpointServiceStatuses;
  /** The users and groups of each instance. */
  readonly userDirectories: UserDirectories;
  /** The imported membership lists. */
  readonly memberships: MembershipStore;
}

/** The services that write changes and record them in the history. */
export interface ChangeServicesSource {
  /** Loaded on first use. */
  readonly changeServices: () => ReturnType<typeof loadChangeServices>;
  /** The event of the history, which can be subscribed to before the history is loaded. */
  readonly onDidWrite: Event<string>;
  /** The folder of the history; it exists once something was written. */
  readonly historyFolder: string;
}

/** The services for the files of projects. */
export interface FileServices {
  /** The projects of the workspace; loaded on first use. */
  readonly loadFileCatalogs: () => Promise<FileCatalogs>;
}

/** The builds of all connections. */
export interface BuildServices {
  readonly buildMonitor: BuildMonitor;
  /** The folder for build data on this machine. */
  readonly buildsFolder: string;
}

/** The services that the features use. */
export interface ExtensionServices
  extends PlatformServices,
    PersistedStateServices,
    ConnectionServices,
    InstanceServices,
    ChangeServicesSource,
    FileServices,
    BuildServices {}

/** The dependencies of the services. */
interface ServiceContext {
  readonly context: vscode.ExtensionContext;
  /** Disposes the services with the extension. */
  readonly store: DisposableStore;
  readonly log: Log;
  readonly clock: Clock;
  readonly globalState: QueuedMemento;
  readonly workspaceState: QueuedMemento;
}

/** Creates the services that the features share, without requests. Builds are watched once `loadBuilds` is called. */
export function createServices(
  { context, store, log }: Pick<ServiceContext, 'context' | 'store' | 'log'>,
  loadBuilds: (services: ExtensionServices) => Promise<BuildWatchAndHistory>,
): ExtensionServices {
  const serviceContext: ServiceContext = {
    context,
    store,
    log,
    clock: systemClock,
    globalState: store.add(new QueuedMemento(context.globalState)),
    workspaceState: store.add(new QueuedMemento(context.workspaceState)),
  };
  const persistedState = createPersistedStateServices(serviceContext);
  const connectionServices = createConnectionServices(serviceContext);
  const instanceServices = createInstanceServices(serviceContext, connectionServices);
  const changeServicesSource = createChangeServices(serviceContext, {
    ...persistedState,
    ...connectionServices,
    ...instanceServices,
  });
  const services: ExtensionServices = {
    ...createPlatformServices(serviceContext),
    ...persistedState,
    ...connectionServices,
    ...instanceServices,
    ...changeServicesSource,
    loadFileCatalogs: lazy(async () => {
      const { FileCatalogs } = await import('./platform/projects/fileCatalogs.ts');
      return store.add(new FileCatalogs(services));
    }),
    buildMonitor: store.add(new BuildMonitor({ load: () => loadBuilds(services), log })),
    buildsFolder: getStorageFolder(context, 'builds'),
    forgetConnection: async (connectionId) => {
      (await persistedState.loadPins()).removeConnection(connectionId);
      connectionServices.tenants.forget(connectionId);
      await instanceServices.memberships.clear(connectionId);
      await (await changeServicesSource.changeServices()).history.deleteEntries(connectionId);
    },
  };
  return services;
}

/** Returns the path of a folder in the global storage, which all windows share. */
const getStorageFolder = ({ globalStorageUri }: vscode.ExtensionContext, name: string): string =>
  vscode.Uri.joinPath(globalStorageUri, name).fsPath;

const createPlatformServices = ({ context, store, clock, log }: ServiceContext): PlatformServices => ({
  clock,
  log,
  extensionUri: context.extensionUri,
  version: String(context.extension.packageJSON.version),
  // Without a workspace, the window has no storage of its own, so such windows share a folder.
  storageFolder: context.storageUri ?? context.globalStorageUri,
  selection: new TreeSelection(),
  shownViews: new ViewVisibility(),
  activePanels: store.add(new ActivePanels()),
  jsonTrees: store.add(new OpenDocumentCache<JsonDocument>()),
});

function createPersistedStateServices({
  store,
  log,
  globalState,
  workspaceState,
}: ServiceContext): PersistedStateServices {
  const createWorkspaceValue = (key: string): ValueStorage => new MementoValue(workspaceState, key, log);
  return {
    loadPins: lazy(async () => {
      const { Pins } = await import('./catalog/pins.ts');
      return store.add(new Pins(new MementoValue(globalState, 'pins', log)));
    }),
    treeStorage: createWorkspaceValue('explorerTree'),
    pickedDatamodelStorage: createWorkspaceValue('pickedDatamodels'),
    matrixDraftStorage: createWorkspaceValue('matrixDrafts'),
    securityBaselineStorage: new MementoValue(globalState, 'securityBaseline', log),
    ruleAliasStorage: new MementoValue(globalState, 'ruleAliases', log),
    fileOriginStorage: createWorkspaceValue('documentLinks'),
    projectEnvironments: store.add(new SelectedEnvironments(createWorkspaceValue('projectEnvironments'))),
    unfinishedMergeStorage: createWorkspaceValue('keptMerges'),
  };
}

type BaseConnectionServices = Omit<ConnectionServices, 'forgetConnection'>;

function createConnectionServices({
  context,
  store,
  log,
  clock,
  globalState,
  workspaceState,
}: ServiceContext): BaseConnectionServices {
  const injectedSandbox = getInjectedSandbox(process.env, vscode.l10n.t('Sandbox'));
  const connections = store.add(
    new ConnectionStore({
      storage: new MementoConnectionStorage(globalState),
      log,
      transient: injectedSandbox === undefined ? [] : [injectedSandbox.connection],
    }),
  );
  const locks = store.add(new WriteLocks(clock));
  store.add(relockOnChange(connections, locks));
  const currentConnectionStorage = new MementoValue(workspaceState, 'currentConnection', log);
  return {
    connections,
    currentConnection: store.add(new CurrentConnection(connections, currentConnectionStorage)),
    tenants: store.add(new SelectedTenants(new MementoValue(globalState, 'selectedTenants', log))),
    tokens: new SandboxTokens(new SecretTokenStore(context.secrets), injectedSandbox),
    locks,
  };
}

function createInstanceServices(
  serviceContext: ServiceContext,
  connectionServices: BaseConnectionServices,
): InstanceServices {
  const { context, store, log } = serviceContext;
  const sandbox = store.add(
    new SandboxService(
      {
        script: vscode.Uri.joinPath(context.extensionUri, 'dist', 'sandbox.js').fsPath,
        folder: getStorageFolder(context, 'sandbox'),
        seed: 'demo',
      },
      log,
    ),
  );
  const connector = createConnector(sandbox, serviceContext, connectionServices);
  const sessions = store.add(
    new Sessions({
      connections: connectionServices.connections,
      connect: (connection) => connector.connect(connection),
      getPageSize: () => getSetting('explorer.pageSize'),
      needsDatasources: () => getSetting('explorer.groupViewpoints'),
    }),
  );
  const memberships = store.add(
    new MembershipStore({ folder: getStorageFolder(context, 'memberships'), log }),
  );
  return {
    sandbox,
    doctor: createDoctor(connector, serviceContext, connectionServices),
    checkExpression: connector.checkExpression.bind(connector),
    sessions,
    viewpointServiceStatuses: store.add(new ViewpointServiceStatuses(sessions, log)),
    memberships,
    userDirectories: store.add(new UserDirectories({ sessions, memberships, log })),
  };
}

const createConnector = (
  sandbox: SandboxService,
  { clock, log }: ServiceContext,
  { connections, tokens, locks }: BaseConnectionServices,
): Connector =>
  new Connector({
    tokens,
    locateSandbox: () => sandbox.ensureRunning(),
    onSandboxLost: (url) => void sandbox.handleConnectionLost(url),
    createTransport,
    locks,
    getConnectionName: ({ id, name }) => connections.find(id)?.name ?? name,
    getLimits: getRequestLimits,
    clock,
    log,
  });

const createDoctor = (
  connector: Connector,
  { clock, log }: ServiceContext,
  { tokens, locks }: BaseConnectionServices,
): Doctor =>
  new Doctor({
    ensureAddress: (connection) => connector.ensureAddress(connection),
    tokens,
    locks,
    getNetworkSettings: getProxySettings,
    loadCertificates: readExtraCertificates,
    createTransport,
    getLimits: getRequestLimits,
    clock,
    log,
  });

/** Creates the HTTP transport; its code is loaded with the first request. */
async function createTransport() {
  const { UndiciTransport } = await import('./client/undiciTransport.ts');
  return new UndiciTransport(await getTransportOptions());
}

/** The dependencies of the change services. */
type ChangeDeps = InstanceServices & Pick<ExtensionServices, 'ruleAliasStorage' | 'connections'>;

function createChangeServices(serviceContext: ServiceContext, deps: ChangeDeps): ChangeServicesSource {
  const folder = getStorageFolder(serviceContext.context, 'history');
  const onDidWrite = serviceContext.store.add(new Emitter<string>());
  const changeServices = lazy(() => loadChangeServices(serviceContext, deps, { folder, onDidWrite }));
  return { historyFolder: folder, onDidWrite: onDidWrite.event, changeServices };
}

async function loadChangeServices(
  { store, clock, log }: ServiceContext,
  { ruleAliasStorage, connections, sessions, userDirectories }: ChangeDeps,
  { folder, onDidWrite }: { readonly folder: string; readonly onDidWrite: Emitter<string> },
) {
  const [
    { Writer },
    { History },
    { CommandLineJournal, createCommandLineHistory, getDefaultStateFolder },
    { getCubeSetSubjects },
    { RuleAliases },
    { warnAboutConcurrentRules },
  ] = await Promise.all([
    import('./changes/run/writer.ts'),
    import('./changes/journal/history.ts'),
    import('./changes/journal/commandLineJournal.ts'),
    import('./connections/cubeSetSubjects.ts'),
    import('./documents/ruleAliases.ts'),
    import('./platform/warnAboutConcurrentRules.ts'),
  ]);
  const journal = new CommandLineJournal(getDefaultStateFolder(), log);
  const commandLine = createCommandLineHistory(journal, (connectionId) => {
    const connection = connections.find(getBaseConnectionId(connectionId));
    // The address of the sandbox changes with each start, so changes at an earlier address may be those of another
    // sandbox.
    return connection?.kind === 'remote' && vscode.workspace.isTrusted ? connection : undefined;
  });
  const history = store.add(new History({ folder, getLimits: getHistoryLimits, clock, log, commandLine }));
  history.onDidEndOperation((connectionId) => onDidWrite.fire(connectionId));
  const getCubeSets = (connectionId: string) => getCubeSetSubjects(connections.find(connectionId));
  const loadUsersAndGroups = (connectionId: string) => userDirectories.get(connectionId);
  const writer = new Writer({ sessions, history, getCubeSets, loadUsersAndGroups, clock, log });
  const aliases = new RuleAliases(ruleAliasStorage);
  writer.onDidChangeRuleId(({ connectionId, subject, oldId, newId }) =>
    aliases.add(connectionId, { kind: 'rule', subject, ruleId: oldId }, newId),
  );
  writer.onDidDetectOtherChanges((target) => void warnAboutConcurrentRules(target));
  return { history, writer, commandLine };
}
