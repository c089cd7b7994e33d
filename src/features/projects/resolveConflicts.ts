import * as vscode from 'vscode';
import { schemes } from '../../contributions.ts';
import { showInformation } from '../../platform/messages.ts';
import { toPlainText } from '../../platform/serverText.ts';
import { formatItemKey } from '../../project/item.ts';
import type { PullConflict } from '../../project/pull/decideUnit.ts';
import type { ConflictSide } from '../../project/pull/mergeItem.ts';
import type { ProjectPull } from '../../project/pull/pullProject.ts';
import { mergeConflict } from './mergeConflict.ts';
import { formatItemName } from './itemNames.ts';
import { formatConflict } from './pullReport.ts';
import { withPullErrors } from './pullErrors.ts';

const t = vscode.l10n.t;

/** The conflicts of a pull. */
export interface ConflictTarget {
  readonly pull: ProjectPull;
  readonly folder: vscode.Uri;
  readonly conflicts: readonly PullConflict[];
}

interface ConflictItem extends vscode.QuickPickItem {
  readonly conflict?: PullConflict;
  readonly side?: ConflictSide;
}

/**
 * Resolves the conflicts of a pull: one by one in the editor's merge editor, or all in favor of one side. A file that one
 * of the sides doesn't have is shown, and one of the sides chosen.
 * @param instanceTexts receives the texts of versions by their URIs; the editor then requests them
 * @param first the conflict to begin with; asks if there is none
 */
export async function resolveConflicts(
  instanceTexts: Map<string, string>,
  target: ConflictTarget,
  first?: PullConflict,
): Promise<void> {
  let remaining = target.conflicts;
  let next = first;
  while (remaining.length > 0) {
    const pickedItem: Pick<ConflictItem, 'conflict' | 'side'> | undefined =
      next === undefined ? await pickConflict(remaining) : { conflict: next };
    next = undefined;
    if (pickedItem === undefined) {
      return;
    }
    const keys = (pickedItem.conflict === undefined ? remaining : [pickedItem.conflict]).map(
      ({ key }) => key,
    );
    const side = pickedItem.side ?? (await showConflict(instanceTexts, target, pickedItem.conflict));
    if (side === undefined) {
      return;
    }
    const result = await withPullErrors(() => target.pull.resolve(keys, side));
    if (result === undefined) {
      return;
    }
    // A table and its SQL are resolved together.
    const unresolvedKeys = new Set(result.plan.conflicts.map(({ key }) => formatItemKey(key)));
    const attemptedKeys = new Set(keys.map(getResolutionKey));
    remaining = remaining.filter(
      ({ key }) => !attemptedKeys.has(getResolutionKey(key)) || unresolvedKeys.has(formatItemKey(key)),
    );
    if (unresolvedKeys.size > 0) {
      await showInformation(
        t('This conflict can only be resolved in the files: {0}', describeConflicts(result.plan.conflicts)),
      );
      return;
    }
  }
  await showInformation(t('All conflicts are resolved.'));
}

const describeConflicts = (conflicts: readonly PullConflict[]): string =>
  conflicts.map((conflict) => `${getLabel(conflict)}: ${formatConflict(conflict)}`).join(' ');

/** Returns the key of what is resolved together: the same key for a table and its SQL. */
const getResolutionKey = (key: PullConflict['key']): string =>
  'table' in key && !('cubeSet' in key) && key.kind !== 'rules'
    ? formatItemKey({ kind: 'table', datamodel: key.datamodel, table: key.table })
    : formatItemKey(key);

async function pickConflict(
  conflicts: readonly PullConflict[],
): Promise<Pick<ConflictItem, 'conflict' | 'side'> | undefined> {
  const items: readonly ConflictItem[] = [
    ...conflicts.map((conflict) => ({
      label: `$(git-merge) ${toPlainText(getLabel(conflict))}`,
      description: toPlainText(conflict.path?.slice(0, conflict.path.lastIndexOf('/')) ?? ''),
      detail: toPlainText(formatConflict(conflict)),
      conflict,
    })),
    { label: t('All'), kind: vscode.QuickPickItemKind.Separator },
    { label: t('Keep Yours'), description: t('in all conflicts'), side: 'ours' as const },
    { label: t("Use the Instance's Version"), description: t('in all conflicts'), side: 'theirs' as const },
  ];
  return vscode.window.showQuickPick(items, {
    title: t('Resolve Conflicts'),
    placeHolder: t('Select a conflict to merge'),
    matchOnDescription: true,
    matchOnDetail: true,
  });
}

const getLabel = ({ key, path }: PullConflict): string =>
  path === undefined ? formatItemName(key) : path.slice(path.lastIndexOf('/') + 1);

/** Shows a conflict to be merged, or asks which version to keep. Returns the side that wins what is still in conflict. */
async function showConflict(
  instanceTexts: Map<string, string>,
  { pull, folder }: ConflictTarget,
  conflict: PullConflict | undefined,
): Promise<ConflictSide | undefined> {
  if (conflict === undefined) {
    return undefined;
  }
  const { key, path, reason } = conflict;
  const file = path === undefined || reason === 'path-taken' ? undefined : vscode.Uri.joinPath(folder, path);
  // What is not saved isn't known to the pull.
  if (file !== undefined && !(await saveIfDirty(file))) {
    return undefined;
  }
  const sides = await withPullErrors(async () => ({
    theirs: await pull.previewTheirs(key),
    ours: await pull.previewOurs(conflict),
  }));
  if (sides === undefined) {
    return undefined;
  }
  const { theirs, ours } = sides;
  if (file !== undefined && theirs !== undefined && ours !== undefined) {
    // A resolved file has what the user wants: it wins where it still differs from the instance.
    return (await mergeConflict(instanceTexts, { file, ours, theirs })) ? 'ours' : undefined;
  }
  return askForSide(instanceTexts, conflict, theirs);
}

async function askForSide(
  instanceTexts: Map<string, string>,
  conflict: PullConflict,
  theirs: string | undefined,
): Promise<ConflictSide | undefined> {
  const name = getLabel(conflict);
  const version = vscode.Uri.from({
    scheme: schemes.projectVersion,
    path: `/${conflict.path ?? name}`,
    query: String(Date.now()),
  });
  instanceTexts.set(String(version), theirs ?? '');
  await vscode.commands.executeCommand('vscode.open', version, { preview: false });
  const [oursLabel, theirsLabel] = [t('Keep Yours'), t("Use the Instance's Version")];
  const choice = await showInformation(
    t('{0} is in conflict: {1}', name, formatConflict(conflict)),
    oursLabel,
    theirsLabel,
  );
  instanceTexts.delete(String(version));
  return choice === undefined ? undefined : choice === theirsLabel ? 'theirs' : 'ours';
}

/** Saves a file if it is open with unsaved changes. Returns false if saving failed. */
async function saveIfDirty(file: vscode.Uri): Promise<boolean> {
  const document = vscode.workspace.textDocuments.find(({ uri }) => String(uri) === String(file));
  return document === undefined || !document.isDirty || document.save();
}
