import * as vscode from 'vscode';
import { systemClock } from './base/clock.ts';
import { DisposableStore } from './base/disposable.ts';
import * as access from './features/access/index.ts';
import * as bulkRules from './features/bulkRules/index.ts';
import * as builds from './features/builds/index.ts';
import * as compare from './features/compare/index.ts';
import * as connections from './features/connections/index.ts';
import * as currentConnection from './features/currentConnection/index.ts';
import * as diagram from './features/diagram/index.ts';
import * as customData from './features/customData/index.ts';
import * as doctor from './features/doctor/index.ts';
import * as documents from './features/documents/index.ts';
import * as explorer from './features/explorer/index.ts';
import * as find from './features/find/index.ts';
import * as history from './features/history/index.ts';
import * as jsonLanguage from './features/jsonLanguage/index.ts';
import * as forms from './features/forms/index.ts';
import * as jsonViews from './features/jsonViews/index.ts';
import * as menus from './features/menus/index.ts';
import * as plan from './features/plan/index.ts';
import * as projects from './features/projects/index.ts';
import * as rename from './features/rename/index.ts';
import * as resources from './features/resources/index.ts';
import * as sandbox from './features/sandbox/index.ts';
import * as start from './features/start/index.ts';
import * as sqlLanguage from './features/sqlLanguage/index.ts';
import { registerCommand } from './platform/commands.ts';
import { ChannelLog } from './platform/log.ts';
import { RecentProblems } from './connections/report/recentProblems.ts';
import { type ExtensionServices, createServices } from './services.ts';

/** The delay of preloading after activation, so that visible views load first. */
const preloadDelayMs = 1000;

/** Creates the services and registers the features; sends no requests. */
export function activate(context: vscode.ExtensionContext): void {
  const store = new DisposableStore();
  context.subscriptions.push(store);

  const channel = store.add(vscode.window.createOutputChannel('Datamodel Studio', { log: true }));
  const log = new RecentProblems(new ChannelLog(channel), systemClock);
  store.add(registerCommand('datamodelStudio.log.show', log, () => channel.show()));

  const services = createServices({ context, store, log }, builds.loadBuilds);
  const deps = {
    ...services,
    changeReview: plan.createChangeReview(services),
    planReferenceUpdates: rename.createReferenceUpdatePlanner(services),
    findSqlFiles: sqlLanguage.createSqlFileFinder(services),
  };
  store.add(sandbox.register(deps));
  store.add(connections.register(deps));
  store.add(currentConnection.register(deps));
  store.add(doctor.register(deps));
  store.add(explorer.register(deps));
  store.add(documents.register(deps));
  store.add(jsonLanguage.register(deps));
  store.add(sqlLanguage.register(deps));
  store.add(resources.register(deps));
  store.add(rename.register(deps));
  const { recordAppliedState } = store.add(projects.register(deps));
  const { remindOfStoppedChange } = store.add(history.register({ ...deps, recordAppliedState }));
  store.add(jsonViews.register(deps));
  store.add(compare.register(deps));
  store.add(find.register(deps));
  store.add(forms.register(deps));
  store.add(builds.register(deps));
  store.add(access.register(deps));
  store.add(diagram.register(deps));
  store.add(start.register({ ...deps, log, extension: context.extension }));
  store.add(bulkRules.register({ ...deps, remindOfStoppedChange }));
  store.add(customData.register(deps));
  store.add(menus.register(deps));
  store.add(systemClock.schedule(preloadDelayMs, () => void startPreloading(store, deps)));
}

/** Loads in advance what the user will need next. */
async function startPreloading(store: DisposableStore, deps: ExtensionServices): Promise<void> {
  try {
    const { preload } = await import('./preload.ts');
    store.add(preload(deps));
  } catch (error) {
    deps.log.error('commands', 'Loading in advance failed', { reason: String(error) });
  }
}
