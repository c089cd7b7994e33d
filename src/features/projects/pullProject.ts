import * as vscode from 'vscode';
import type { ProjectDeps } from './deps.ts';
import { getConnectionOrExplain } from './projectConnection.ts';
import { resolveScope } from './projectScope.ts';
import type { ProjectSelection } from './projectSelection.ts';
import { runAndExplainErrors } from './projectErrors.ts';
import { type CompletedPull, runPull } from './runPull.ts';

/**
 * Pulls a project, or the datamodels and viewpoints of some of its files, from the instance of its environment. Returns
 * `undefined` if the user has canceled, or if a message says why it is not possible.
 */
export async function pullProject(
  deps: ProjectDeps,
  target: ProjectSelection,
): Promise<(CompletedPull & { readonly isLimited: boolean }) | undefined> {
  const { project } = target;
  const connection = await getConnectionOrExplain(deps, project);
  if (connection === undefined) {
    return undefined;
  }
  const { folder, environment } = project;
  const scope = await resolveScope(target, 'pull');
  if (scope === undefined) {
    return undefined;
  }
  const { limits, name } = scope;
  const completed = await runAndExplainErrors(folder, () =>
    runPull(deps, {
      folder,
      connection,
      environment: { ...environment, isNew: false },
      limits,
      title: vscode.l10n.t('Pull {0} into {1}', connection.name, name),
    }),
  );
  return completed === undefined ? undefined : { ...completed, isLimited: limits !== undefined };
}
