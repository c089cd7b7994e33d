import * as vscode from 'vscode';
import { DisposableStore } from '../../base/disposable.ts';
import type { Connection } from '../../connections/connection.ts';
import type { FollowUp } from '../../platform/followUp.ts';
import type { ProjectPlan } from '../../project/apply/loadProjectPlan.ts';
import { isInItemFolder } from '../../project/paths.ts';
import { projectFileName } from '../../project/projectFileName.ts';
import { formatLock, getLockPath, readLock } from '../../project/pull/lock.ts';
import { getEnvironmentPath } from '../../project/settings/projectSettings.ts';
import type { ProjectDeps } from './deps.ts';
import type { ProjectSourceControl } from './projectSourceControl.ts';

/** A plan, with the project and the connection that it was made for. */
interface WatchedPlan {
  readonly project: ProjectSourceControl;
  readonly connection: Connection;
  readonly plan: ProjectPlan;
}

/** Creates the button that plans again, for a plan that is outdated or an apply that must be repeated. */
export const createPlanAgainFollowUp = (run: () => Promise<void>): FollowUp => ({
  label: vscode.l10n.t('Plan Again'),
  run,
});

/**
 * Returns a function that starts watching a plan, and calls `onOutdated` when a file of the project or its environment
 * no longer has the text that the plan was made from, or when this extension has written to the instance. An apply by
 * another program is noticed only if it changes the lock file in the same folder.
 */
export async function createPlanWatcher(
  { changeServices }: Pick<ProjectDeps, 'changeServices'>,
  { project, connection, plan }: WatchedPlan,
): Promise<(onOutdated: () => void) => vscode.Disposable> {
  const { history } = await changeServices();
  return (onOutdated) => {
    const store = new DisposableStore();
    const check = async (path: string): Promise<void> => {
      // A change that was made before the plan may be reported after it.
      if (!(await hasPlannedText(project, plan, path)) && !store.isDisposed) {
        onOutdated();
      }
    };
    store.add(
      history.onDidChange((connectionId) => {
        if (connectionId === connection.id) {
          onOutdated();
        }
      }),
    );
    store.add(project.onDidChangeFile((path) => void check(path)));
    return store;
  };
}

/** Returns whether a plan depends on a file: not on those of other environments, or on others such as a README. */
const mayChangePlan = ({ environment }: ProjectSourceControl, path: string): boolean =>
  path === projectFileName || path === getEnvironmentPath(environment.name) || isInItemFolder(path);

/** Returns whether a file has the text that a plan was made from. */
async function hasPlannedText(
  project: ProjectSourceControl,
  { project: { items }, lock }: ProjectPlan,
  path: string,
): Promise<boolean> {
  if (path === getLockPath(project.environment.name)) {
    return await readLock(project.folder.fsPath, project.environment.name).then(
      (current) => formatLock(current) === formatLock(lock),
      () => false,
    );
  }
  if (!mayChangePlan(project, path)) {
    return true;
  }
  const texts = new Set(items.filter((item) => item.path === path).map(({ text }) => text));
  if (texts.size === 0) {
    return false;
  }
  try {
    const bytes = await vscode.workspace.fs.readFile(project.getUri(path));
    return texts.has(new TextDecoder().decode(bytes));
  } catch {
    return false;
  }
}
