import * as vscode from 'vscode';
import { schemes } from '../../contributions.ts';
import { showInformation } from '../../platform/messages.ts';
import { toPlainText } from '../../platform/serverText.ts';
import { formatItemKey } from '../../project/item.ts';
import type { PullConflict } from '../../project/pull/decideUnit.ts';
import type { ConflictSide } from '../../project/pull/mergeItem.ts';
import type { ProjectPull } from '../../project/pull/pullProject.ts';
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
 * Resolves the conflicts of a pull: one by one in diff editors, or all in favor of one side. A merge editor is not
 * possible, since the project only stores hashes of the versions that the last pull read.
 * @param instanceTexts receives the texts of the instance's versions by their URIs; the diff editor then requests them
 */
export async function resolveConflicts(
  instanceTexts: Map<string, string>,
  target: ConflictTarget,
): Promise<void> {
  let remaining = target.conflicts;
  while (remaining.length > 0) {
    const pickedItem = await pickConflict(remaining);
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

async function pickConflict(conflicts: readonly PullConflict[]): Promise<ConflictItem | undefined> {
  const items: readonly ConflictItem[] = [
    ...conflicts.map((conflict) => ({
      label: `$(diff) ${toPlainText(getLabel(conflict))}`,
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
    placeHolder: t('Select a conflict to compare both versions'),
    matchOnDescription: true,
    matchOnDetail: true,
  });
}

const getLabel = ({ key, path }: PullConflict): string =>
  path === undefined ? formatItemKey(key) : path.slice(path.lastIndexOf('/') + 1);

/** Shows both versions and asks which one to keep. */
async function showConflict(
  instanceTexts: Map<string, string>,
  { pull, folder }: ConflictTarget,
  conflict: PullConflict | undefined,
): Promise<ConflictSide | undefined> {
  if (conflict === undefined) {
    return undefined;
  }
  const { key, path, reason } = conflict;
  const name = getLabel(conflict);
  const text = await withPullErrors(() => pull.previewTheirs(key));
  const file = path === undefined || reason === 'path-taken' ? undefined : vscode.Uri.joinPath(folder, path);
  const version = vscode.Uri.from({
    scheme: schemes.projectVersion,
    path: `/${path ?? name}`,
    query: String(Date.now()),
  });
  instanceTexts.set(String(version), text ?? '');
  if (file === undefined) {
    await vscode.commands.executeCommand('vscode.open', version, { preview: false });
  } else {
    const title = toPlainText(t('{0}: Instance ↔ Yours', name));
    await vscode.commands.executeCommand('vscode.diff', version, file, title, { preview: false });
  }
  const [resolvedLabel, oursLabel, theirsLabel] = [
    t('Mark as Resolved'),
    t('Keep Yours'),
    t("Use the Instance's Version"),
  ];
  const choice =
    file === undefined
      ? await showInformation(
          t('{0} is in conflict: {1}', name, formatConflict(conflict)),
          oursLabel,
          theirsLabel,
        )
      : await showInformation(
          t(
            "{0}: The instance's version is on the left, and your file on the right. Copy what you want to keep to your file, then choose Mark as Resolved.",
            name,
          ),
          resolvedLabel,
          theirsLabel,
        );
  instanceTexts.delete(String(version));
  if (choice === undefined) {
    return undefined;
  }
  if (file !== undefined && !(await saveIfDirty(file))) {
    return undefined;
  }
  return choice === theirsLabel ? 'theirs' : 'ours';
}

/** Saves a file if it is open with unsaved changes. Returns false if saving failed. */
async function saveIfDirty(file: vscode.Uri): Promise<boolean> {
  const document = vscode.workspace.textDocuments.find(({ uri }) => String(uri) === String(file));
  return document === undefined || !document.isDirty || document.save();
}
