import { basename } from 'node:path';
import * as vscode from 'vscode';
import type { ProjectDeps } from './deps.ts';
import { requireConnection } from './projectConnection.ts';
import type { ProjectTarget } from './projectTargets.ts';
import { withPullErrors } from './pullErrors.ts';
import { type CompletedPull, runPull } from './runPull.ts';

/**
 * Pulls a project, or the datamodels and viewpoints of some of its files, from the instance of its environment. Returns
 * `undefined` if the user has canceled, or if a message says why it is not possible.
 */
export async function pullProject(
  deps: ProjectDeps,
  { project, paths }: ProjectTarget,
): Promise<(CompletedPull & { readonly isLimited: boolean }) | undefined> {
  const connection = await requireConnection(deps, project);
  if (connection === undefined) {
    return undefined;
  }
  const { folder, environment } = project;
  const limits = await project.getLimits(paths);
  const completed = await withPullErrors(() =>
    runPull(deps, {
      folder,
      connection,
      environment: { name: environment.name, isNew: false },
      limits,
      title: vscode.l10n.t('Pull {0} into {1}', connection.name, basename(folder.fsPath)),
    }),
  );
  return completed === undefined ? undefined : { ...completed, isLimited: limits !== undefined };
}
