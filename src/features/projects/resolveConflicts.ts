import { capitalize } from '../../base/capitalize.ts';
import * as vscode from 'vscode';
import { schemes } from '../../contributions.ts';
import { formatMessage } from '../../base/localize.ts';
import { showError, showInformation, showWarning } from '../../platform/messages.ts';
import { toPlainText } from '../../platform/serverText.ts';
import { formatItemKey } from '../../project/item.ts';
import type { PullConflict } from '../../project/pull/decideUnit.ts';
import type { ConflictSide } from '../../project/pull/mergeItem.ts';
import type { InstancePreview, ProjectPull, PullResult } from '../../project/pull/pullProject.ts';
import { type UnresolvedConflicts, findUnresolvedConflicts } from '../../project/pull/unresolvedConflicts.ts';
import { describeLeftOutItem } from '../../project/messages/pullTexts.ts';
import { readProjectTexts } from '../../project/files/readProject.ts';
import { parseProject } from '../../project/files/parseProject.ts';
import type { Project } from '../../project/files/project.ts';
import { type MergeContext, mergeConflict } from './mergeConflict.ts';
import { formatItemName } from '../../platform/projects/itemNames.ts';
import { formatPullConflict } from './pullReport.ts';
import { runAndExplainErrors } from './projectErrors.ts';

const t = vscode.l10n.t;

/** The conflicts of a pull. */
export interface PullWithConflicts {
  readonly pull: ProjectPull;
  readonly folder: vscode.Uri;
  readonly conflicts: readonly PullConflict[];
}

interface ConflictItem extends vscode.QuickPickItem {
  readonly conflict?: PullConflict;
  readonly side?: ConflictSide;
}

/**
 * Resolves the conflicts of a pull: one by one in the editor's merge editor, or all in favor of one side. If a side has
 * no file, the instance's version is shown, and the user chooses a side.
 * @param first the conflict to begin with; asks if there is none
 */
export async function resolveConflicts(
  context: MergeContext,
  target: PullWithConflicts,
  first?: PullConflict,
): Promise<void> {
  let remainingConflicts = target.conflicts;
  let nextConflict = first;
  while (remainingConflicts.length > 0) {
    const pickedItem: Pick<ConflictItem, 'conflict' | 'side'> | undefined =
      nextConflict === undefined ? await pickConflict(remainingConflicts) : { conflict: nextConflict };
    nextConflict = undefined;
    if (pickedItem === undefined) {
      return;
    }
    const { conflict, side } = pickedItem;
    const attemptedConflicts =
      conflict === undefined ? remainingConflicts : findGroup(conflict, remainingConflicts);
    const result =
      conflict !== undefined
        ? await resolveGroup(context, target, attemptedConflicts)
        : side && (await resolveWithSide(target, attemptedConflicts, side));
    if (result === undefined) {
      return;
    }
    const unresolved = findUnresolvedConflicts(result.plan, attemptedConflicts);
    if (unresolved !== undefined) {
      await showWarning(describeUnresolved(unresolved));
      return;
    }
    // A table and its SQL are resolved together.
    const resolvedKeys = new Set(attemptedConflicts.map(getResolutionKey));
    remainingConflicts = remainingConflicts.filter((other) => !resolvedKeys.has(getResolutionKey(other)));
  }
  await showInformation(t('All conflicts are resolved.'));
}

/**
 * Resolves conflicts in favor of a side. Returns `undefined` if a message says why that's not possible, for example
 * because a file can't be read: the result of the pull doesn't list the conflict of such a file, although it isn't
 * resolved.
 */
async function resolveWithSide(
  { pull, folder }: PullWithConflicts,
  conflicts: readonly PullConflict[],
  side: ConflictSide,
): Promise<PullResult | undefined> {
  const result = await runAndExplainErrors(folder, () =>
    pull.resolve(
      conflicts.map(({ unitKey }) => unitKey),
      side,
    ),
  );
  const problem = result && conflicts.map(({ path }) => findProblem(result.project, path)).find(Boolean);
  if (problem !== undefined) {
    await showError(t("The conflict isn't resolved. {0}", problem));
    return undefined;
  }
  return result;
}

/** Returns why a file can't be read, and where; `undefined` if it can. */
function findProblem({ problems }: Project, path: string | undefined): string | undefined {
  const problem = problems.find((other) => other.severity === 'error' && other.path === path);
  return problem && `${problem.path}:${problem.line}:${problem.column}: ${formatMessage(t, problem.message)}`;
}

/** Says what isn't resolved, and why. */
function describeUnresolved(unresolved: UnresolvedConflicts): string {
  const { unwinnable, skipped } = unresolved;
  const reasons = describeObstacles(unresolved).join(' ');
  return [
    unwinnable.length === 0
      ? ''
      : unwinnable.length === 1
        ? t('This conflict can be resolved only in the files: {0}', describeConflicts(unwinnable))
        : t('These conflicts can be resolved only in the files: {0}', describeConflicts(unwinnable)),
    skipped.length === 0
      ? reasons
      : skipped.length === 1
        ? t("The conflict isn't resolved. {0}", reasons)
        : t("{0} conflicts aren't resolved. {1}", skipped.length, reasons),
  ]
    .filter((sentence) => sentence !== '')
    .join(' ');
}

/** Says why a side can't win conflicts, except for those that can be resolved only in the files. */
const describeObstacles = ({ leftOutItems, blocked, renamed }: UnresolvedConflicts): readonly string[] => [
  ...leftOutItems.map((item) => describeLeftOutItem(t, item, formatItemName(item.key))),
  ...(leftOutItems.some(({ reason }) => reason === 'dependent')
    ? [t('Pull first: you can resolve the conflict only after you pull the items that it depends on.')]
    : []),
  ...blocked.map((conflict) =>
    t("{0}: not changed, because a file has unsaved changes or can't be read.", getLabel(conflict)),
  ),
  ...renamed.map((conflict) =>
    t(
      '{0}: not changed, because the project has a different name for it now. Pull again.',
      getLabel(conflict),
    ),
  ),
];

const describeConflicts = (conflicts: readonly PullConflict[]): string =>
  conflicts.map((conflict) => `${getLabel(conflict)}: ${formatPullConflict(conflict)}`).join(' ');

/** Describes a conflict as a sentence, unless the text begins with the names of values, which stay as they are. */
const formatConflictDetail = (conflict: PullConflict): string => {
  const text = formatPullConflict(conflict);
  return conflict.pointers.some((pointer) => pointer !== '') ? text : capitalize(text);
};

/**
 * Returns a key that is the same for conflicts that are resolved together: those of a table, its SQL, and rules that
 * were moved with it.
 */
const getResolutionKey = ({ unitKey }: PullConflict): string => formatItemKey(unitKey);

async function pickConflict(
  conflicts: readonly PullConflict[],
): Promise<Pick<ConflictItem, 'conflict' | 'side'> | undefined> {
  const items: readonly ConflictItem[] = [
    ...conflicts.map((conflict) => ({
      label: `$(git-merge) ${toPlainText(getLabel(conflict))}`,
      description: toPlainText(conflict.path?.slice(0, conflict.path.lastIndexOf('/')) ?? ''),
      detail: toPlainText(formatConflictDetail(conflict)),
      conflict,
    })),
    { label: t('All'), kind: vscode.QuickPickItemKind.Separator },
    { label: t('Keep Yours'), description: t('in all conflicts'), side: 'ours' as const },
    { label: t("Use the Server's Version"), description: t('in all conflicts'), side: 'theirs' as const },
  ];
  return vscode.window.showQuickPick(items, {
    title: t('Resolve Conflicts'),
    placeHolder: t('Select a conflict to merge'),
    matchOnDescription: true,
    matchOnDetail: true,
  });
}

const isSameConflict = (one: PullConflict, other: PullConflict): boolean =>
  one.reason === other.reason && formatItemKey(one.key) === formatItemKey(other.key);

const getLabel = ({ key, path }: PullConflict): string =>
  path === undefined ? formatItemName(key) : path.slice(path.lastIndexOf('/') + 1);

/**
 * Returns a conflict, followed by the conflicts that are resolved together with it, such as the one in the SQL of a
 * table.
 */
const findGroup = (first: PullConflict, conflicts: readonly PullConflict[]): readonly PullConflict[] => [
  first,
  ...conflicts.filter((other) => other !== first && getResolutionKey(other) === getResolutionKey(first)),
];

/** A conflict, and the text of its file if it is resolved in favor of a side; `undefined` if that side has no file. */
interface ConflictSides {
  readonly conflict: PullConflict;
  readonly file: vscode.Uri | undefined;
  readonly ours: string | undefined;
  readonly theirs: InstancePreview;
}

/**
 * Merges conflicts that are resolved together, one after the other, or asks which version to keep. Returns `undefined`
 * if they are not resolved.
 */
async function resolveGroup(
  context: MergeContext,
  target: PullWithConflicts,
  conflicts: readonly PullConflict[],
): Promise<PullResult | undefined> {
  // The pull reads the files from disk, and touches none of them if one has unsaved changes.
  for (const conflict of conflicts) {
    const file = getFile(target, conflict);
    if (file !== undefined && !(await saveIfDirty(file))) {
      return undefined;
    }
  }
  const group: ConflictSides[] = [];
  for (const conflict of conflicts) {
    const sides = await readSides(target, conflict);
    if (sides === undefined) {
      return undefined;
    }
    group.push(sides);
  }
  const unmergeableSides = group.find((sides) => !canMerge(sides));
  if (unmergeableSides !== undefined) {
    const side = await promptForSide(context.versionTexts, unmergeableSides, conflicts);
    return side && resolveWithSide(target, conflicts, side);
  }
  let result: PullResult | undefined;
  for (const [index, sides] of group.entries()) {
    const isLast = index === group.length - 1;
    const merged = await mergeSides<PullResult | 'merged'>(context, target, sides, async () =>
      // Merged files contain what the user decided, so they win where they still differ from the instance.
      isLast ? resolveWithSide(target, conflicts, 'ours') : 'merged',
    );
    if (merged === undefined) {
      return undefined;
    }
    result = merged === 'merged' ? undefined : merged;
  }
  return result;
}

/** Returns the file of a conflict, if its item has one. */
const getFile = (
  { folder }: Pick<PullWithConflicts, 'folder'>,
  { path, reason }: PullConflict,
): vscode.Uri | undefined =>
  path === undefined || reason === 'path-taken' ? undefined : vscode.Uri.joinPath(folder, path);

/** Reads the sides of a conflict; `undefined` if a message says why that failed. */
const readSides = (target: PullWithConflicts, conflict: PullConflict): Promise<ConflictSides | undefined> =>
  runAndExplainErrors(target.folder, async () => ({
    conflict,
    file: getFile(target, conflict),
    theirs: await target.pull.previewTheirs(conflict),
    ours: await target.pull.previewOurs(conflict),
  }));

const canMerge = ({ file, ours, theirs }: ConflictSides): boolean =>
  file !== undefined && ours !== undefined && theirs.text !== undefined;

/**
 * Opens the merge editor on the sides of a conflict. Returns what `resolve` returns; `undefined` if nothing was saved.
 */
async function mergeSides<T>(
  context: MergeContext,
  { folder }: PullWithConflicts,
  { conflict: { path = '' }, file, ours = '', theirs: { text: theirs = '' } }: ConflictSides,
  resolve: () => Promise<T | undefined>,
): Promise<T | undefined> {
  return (
    file &&
    mergeConflict(context, {
      file,
      ours,
      theirs,
      findProblem: async (text) => {
        const { texts, faults } = await readProjectTexts(folder.fsPath);
        return findProblem(parseProject({ texts: new Map([...texts, [path, text]]), faults }), path);
      },
      resolve,
    })
  );
}

/**
 * Asks which side wins all conflicts of a group, because one of them can't be merged. While asking, shows the server's
 * version of that conflict, if it can be used.
 */
async function promptForSide(
  versionTexts: Map<string, string>,
  { conflict, theirs }: ConflictSides,
  group: readonly PullConflict[],
): Promise<ConflictSide | undefined> {
  const name = getLabel(conflict);
  const { unresolved, text = '' } = theirs;
  const versionUri = vscode.Uri.from({
    scheme: schemes.projectVersion,
    path: `/${conflict.path ?? name}`,
    query: String(Date.now()),
  });
  if (unresolved === undefined) {
    versionTexts.set(String(versionUri), text);
    await vscode.commands.executeCommand('vscode.open', versionUri, { preview: false });
  }
  const [oursLabel, theirsLabel] = [t('Keep Yours'), t("Use the Server's Version")];
  const others = group.filter((other) => other !== conflict).map(getLabel);
  const choice = await showInformation(
    [
      t('{0} is in conflict: {1}', name, formatPullConflict(conflict)),
      ...(unresolved === undefined
        ? []
        : [
            t("The server's version can't be used."),
            describeConflicts(unresolved.unwinnable.filter((other) => !isSameConflict(other, conflict))),
            ...describeObstacles(unresolved),
          ].filter((sentence) => sentence !== '')),
      ...(others.length === 0 ? [] : [t('Your choice also applies to {0}.', others.join(', '))]),
    ].join(' '),
    oursLabel,
    ...(unresolved === undefined ? [theirsLabel] : []),
  );
  versionTexts.delete(String(versionUri));
  return choice === undefined ? undefined : choice === theirsLabel ? 'theirs' : 'ours';
}

/** Saves a file if it is open with unsaved changes. Returns false if saving failed. */
async function saveIfDirty(file: vscode.Uri): Promise<boolean> {
  const document = vscode.workspace.textDocuments.find(({ uri }) => String(uri) === String(file));
  return document === undefined || !document.isDirty || document.save();
}
