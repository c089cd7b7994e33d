import * as vscode from 'vscode';
import { DisposableStore } from '../../base/disposable.ts';
import type { Connection } from '../../connections/connection.ts';
import type { FollowUp } from '../../platform/followUp.ts';
import type { ProjectPlan } from '../../project/apply/loadProjectPlan.ts';
import { PlanSourceCheck } from '../../project/apply/planSourceCheck.ts';
import { watchProjectFiles } from '../../platform/projects/watchProjects.ts';
import type { ListedEnvironment } from '../../project/pull/findEnvironments.ts';
import type { ProjectDeps } from './deps.ts';
import type { ProjectSourceControl } from './projectSourceControl.ts';

/** A plan, with the project and the connection that it was made for. */
interface WatchedPlan {
  readonly project: ProjectSourceControl;
  /** The environment as it was when the plan was made. */
  readonly environment: ListedEnvironment;
  readonly connection: Connection;
  readonly plan: ProjectPlan;
}

/** Creates the button that plans again, for a plan that is outdated or an apply that must be repeated. */
export const createPlanAgainFollowUp = (run: () => Promise<void>): FollowUp => ({
  label: vscode.l10n.t('Plan Again'),
  loadsPage: true,
  run,
});

/**
 * Returns a function that calls another one once something was written to an instance: by this window, or by the
 * command line on this machine.
 */
export const createInstanceWatcher =
  ({ onDidWrite, changeServices }: InstanceWatcherDeps, connection: Connection) =>
  (onOutdated: () => void): vscode.Disposable => {
    const store = new DisposableStore();
    store.add(
      onDidWrite((connectionId) => {
        if (connectionId === connection.id) {
          onOutdated();
        }
      }),
    );
    const watchCommandLine = async (): Promise<void> => {
      const { commandLine } = await changeServices();
      if (!store.isDisposed) {
        store.add(commandLine.watch(connection.id, onOutdated));
      }
    };
    void watchCommandLine();
    return store;
  };

type InstanceWatcherDeps = Pick<ProjectDeps, 'onDidWrite' | 'changeServices'>;

/**
 * Returns a function that calls another one once a plan is outdated: a file of the project or its environment has other
 * contents than the plan was made from, or this window or the command line has written to the instance.
 */
export function createPlanWatcher(
  deps: InstanceWatcherDeps,
  { project, environment, connection, plan }: WatchedPlan,
): (onOutdated: () => void) => vscode.Disposable {
  const watchInstance = createInstanceWatcher(deps, connection);
  const files = new PlanSourceCheck(plan, environment);
  return (onOutdated) => {
    const store = new DisposableStore();
    const check = async (path: string): Promise<void> => {
      // A change from before the plan may be reported after it, and a file may be saved without a change.
      if (!(await files.isUnchanged(path)) && !store.isDisposed) {
        onOutdated();
      }
    };
    store.add(watchInstance(onOutdated));
    store.add(project.onDidChangeFile((path) => void check(path)));
    // The project reports no more changes once the workspace shows another environment.
    store.add(watchProjectFiles(project.folder, (uri) => void check(project.getPath(uri) ?? '')));
    return store;
  };
}
