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

/** What a plan was made from. */
interface PlanSources {
  readonly project: ProjectSourceControl;
  readonly connection: Connection;
  readonly plan: ProjectPlan;
}

/** Offers to plan again what is outdated, or needs another apply. */
export const createPlanAgain = (run: () => Promise<void>): FollowUp => ({
  label: vscode.l10n.t('Plan Again'),
  run,
});

/**
 * Returns a function that calls another one once a plan is outdated: a file of the project or its environment has another
 * text than the plan was made from, or something was written to the instance from here. An apply elsewhere shows as a
 * change of the lock file, if it is of the same folder.
 */
export async function createOutdatedWatch(
  { changeServices }: Pick<ProjectDeps, 'changeServices'>,
  { project, connection, plan }: PlanSources,
): Promise<(onOutdated: () => void) => vscode.Disposable> {
  const { history } = await changeServices();
  return (onOutdated) => {
    const store = new DisposableStore();
    const check = async (path: string): Promise<void> => {
      // A change from before the plan may be reported after it.
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

/** Returns whether a file belongs to the project, and not to another environment or beside the project, such as a README. */
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
