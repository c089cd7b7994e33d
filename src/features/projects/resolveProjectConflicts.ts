import * as vscode from 'vscode';
import { showInformation } from '../../platform/messages.ts';
import { formatItemKey } from '../../project/item.ts';
import type { MergeContext } from './mergeConflict.ts';
import type { ProjectDeps } from './deps.ts';
import { getConnectionOrExplain } from './projectConnection.ts';
import type { ProjectSelection } from './projectSelection.ts';
import { runAndExplainErrors } from './projectErrors.ts';
import { resolveConflicts } from './resolveConflicts.ts';
import { findConflicts } from './runPull.ts';

const t = vscode.l10n.t;

/**
 * Resolves the conflicts of a project, or of some of its files, with the instance of its environment. Nothing else is
 * pulled. A single selected file in conflict is merged without asking which one.
 */
export async function resolveProjectConflicts(
  deps: ProjectDeps,
  context: MergeContext,
  { project, paths }: ProjectSelection,
): Promise<void> {
  const connection = await getConnectionOrExplain(deps, project);
  if (connection === undefined) {
    return;
  }
  const { folder, environment } = project;
  const limits = await project.getSelectionLimits(paths);
  const found = await runAndExplainErrors(folder, () =>
    findConflicts(deps, {
      folder,
      connection,
      environment: { ...environment, isNew: false },
      limits,
      title: t('Comparing with {0}', connection.name),
    }),
  );
  if (found === undefined) {
    return;
  }
  // An item that was renamed or deleted in the project has no path in the conflict, but a row in the source control.
  const rowPaths = new Map(project.items.map(({ key, path }) => [formatItemKey(key), path]));
  const conflicts = found.conflicts.filter(({ key, path = rowPaths.get(formatItemKey(key)) }) =>
    isSelected(path, paths),
  );
  if (conflicts.length === 0) {
    await showInformation(t('No conflicts with {0}.', environment.name));
    return;
  }
  await resolveConflicts(
    context,
    { ...found, conflicts },
    paths.length === 1 && conflicts.length === 1 ? conflicts[0] : undefined,
  );
}

/** Returns whether a path is among the selected files, or in a selected folder; without a selection, all are. */
const isSelected = (path: string | undefined, selected: readonly string[]): boolean =>
  selected.length === 0 || selected.some((other) => path === other || path?.startsWith(`${other}/`) === true);
