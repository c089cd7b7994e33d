import * as vscode from 'vscode';
import type { HistoryEntry } from '../../changes/journal/entry.ts';
import { recordEndedApply } from '../../project/apply/endedApply.ts';
import { writeAppliedLock } from '../../project/apply/finishApply.ts';
import { listEnvironments } from '../../project/pull/findEnvironments.ts';
import { hashInstance } from '../../project/pull/instanceHash.ts';
import { getInnerPath } from '../../project/innerPath.ts';
import type { ItemKey } from '../../project/item.ts';
import type { ProjectDeps } from './deps.ts';
import { getInstanceAddress } from '../../platform/projects/environments.ts';
import { readPlan, readPlanTarget } from './readPlan.ts';
import type { WorkspaceProjects } from './workspaceProjects.ts';

const t = vscode.l10n.t;

/**
 * Records the state of the instance in the lock file of a project whose apply was undone, or was interrupted and then
 * finished, rolled back, or abandoned.
 * @returns the items that were undone and couldn't be read. `undefined` if nothing could be recorded: the workspace
 *   doesn't have the project or isn't trusted, its environment is of another instance by now, or the instance couldn't
 *   be read
 */
export async function recordAppliedState(
  deps: ProjectDeps,
  projects: WorkspaceProjects,
  entry: HistoryEntry,
): Promise<readonly ItemKey[] | undefined> {
  const { connectionId, project: appliedProject } = entry.operation;
  const connection = deps.connections.find(connectionId);
  const folder = projects.folders.find(
    ({ fsPath }) => appliedProject !== undefined && getInnerPath(fsPath, appliedProject.folder) === '',
  );
  if (
    connection === undefined ||
    appliedProject === undefined ||
    folder === undefined ||
    !vscode.workspace.isTrusted
  ) {
    return undefined;
  }
  try {
    const instance = hashInstance(getInstanceAddress(connection));
    const environment = (await listEnvironments(folder.fsPath)).find(
      (listed) => listed.name === appliedProject.environment && listed.instanceHash === instance,
    );
    if (environment === undefined) {
      return undefined;
    }
    const target = await readPlanTarget(folder.fsPath, environment, connection);
    const planAfter = await readPlan(deps, {
      target,
      limits: {},
      mayBeSent: false,
      title: t('Checking the result'),
    });
    const { history } = await deps.changeServices();
    const entries = await history.readEntries(connectionId);
    // The given entry may be from before the apply was ended.
    const entryAfter = entries.find(({ id }) => id === entry.id) ?? entry;
    const recorded = recordEndedApply(planAfter, { entry: entryAfter, entries });
    await writeAppliedLock(planAfter, recorded);
    const project = projects.findShownProject(String(folder), environment.name);
    if (project !== undefined) {
      await project.refreshChangedFiles();
      await project.setReading(planAfter.reading);
    }
    return recorded.unreadItems;
  } catch (error) {
    deps.log.error('projects', 'The result of an apply could not be recorded', { reason: String(error) });
    return undefined;
  }
}
