import { unescapePointer } from '../base/jsonPointer.ts';
import { english } from '../base/localize.ts';
import { describeMatch, describeNeededBuilds } from '../project/messages/planTexts.ts';
import type { DifferenceNoteCode } from '../project/compare/itemChange.ts';
import { isInstanceOnly, isSetByInstance } from '../project/compare/itemChange.ts';
import { parseItemKey } from '../project/item.ts';
import { countKinds, describeExtras } from '../project/messages/describeExtras.ts';
import {
  type ExtraKind,
  type RemainingDifferences,
  countRemaining,
} from '../project/plan/remainingDifferences.ts';
import {
  type DifferenceText,
  type SideTexts,
  describePart,
  describeWholeItem,
  limitDifferences,
  listLines,
} from './differences/differenceTexts.ts';
import { formatAccessRow } from './accessRows.ts';
import { renameFollowingRules } from './followingRules.ts';
import { formatItem, isBrokenItem, labelItems } from './itemLabels.ts';
import { formatNewTable, formatNewlyVisible, splitNewTables } from './newlyVisible.ts';
import type { PlanOutput } from './planOutput.ts';
import { formatBuildAfterward } from './recoveredBuilds.ts';
import type { CommandOutput } from './shell.ts';
import { describeOutputPart, formatUnmanaged } from './unmanagedOutput.ts';

type Change = PlanOutput['changes'][number];

const actionSigns: Readonly<Record<Change['action'], string>> = { create: '+', update: '~', delete: '-' };

/**
 * Prints a plan, and its environment. Everything that a reviewer needs goes to standard output, not into messages: a
 * plan that is redirected to a file must also contain what breaks.
 */
export function printPlan(plan: PlanOutput, output: CommandOutput): void {
  const labeledPlan = labelItems(plan);
  output.printLine(`Environment: ${labeledPlan.environment} (${labeledPlan.instance.role})`);
  if (plan.interrupted !== undefined) {
    output.printLine(plan.interrupted.text, 'warning');
  }
  for (const change of labeledPlan.changes) {
    output.printLine(formatChange(change));
    listLines(describeParts(change)).forEach((line) => output.printLine(`    ${line}`));
  }
  labeledPlan.access.rows.forEach((row) => output.printLine(formatAccessRow(row)));
  const [withRules, withoutRules] = splitNewTables(labeledPlan);
  withRules.forEach((table) => output.printLine(`! ${formatNewTable(table, ' is new')}`));
  if (withoutRules.length > 0) {
    output.printLine(
      `New tables without rules, visible to everyone with access to the datamodel: ${formatNames(withoutRules.map(({ item }) => item))}`,
      'warning',
    );
  }
  formatNewlyVisible(labeledPlan).forEach((line) => output.printLine(`! ${line}`));
  printPlanDetails(labeledPlan, output);
  formatUnmanaged(plan).forEach((line) => output.printLine(line, 'warning'));
  output.printLine(formatPlanSummary(plan), getSummaryTone(plan));
}

/**
 * Prints what isn't compared because of "manage", the counts of a plan, and who gains and who loses access, as messages:
 * if the report is redirected to a file, the log of a CI server contains only the messages.
 */
export function printPlanSummary(planOutput: PlanOutput, output: CommandOutput): void {
  formatUnmanaged(planOutput).forEach((line) => output.printMessage(line, 'warning'));
  output.printMessage(formatPlanSummary(planOutput), getSummaryTone(planOutput));
}

const getSummaryTone = (planOutput: PlanOutput): 'success' | 'warning' =>
  planOutput.state === 'same' &&
  countRemainingDifferences(planOutput).itemCount === 0 &&
  planOutput.unmanaged === undefined
    ? 'success'
    : 'warning';

const countRemainingDifferences = ({ notes, extras }: PlanOutput): RemainingDifferences =>
  countRemaining(notes, listExtraKinds(extras));

const listExtraKinds = (
  extras: readonly { readonly item: string; readonly column?: string | undefined }[],
): readonly ExtraKind[] =>
  extras.flatMap(({ item, column }) =>
    column === undefined ? (parseItemKey(item)?.kind ?? []) : ['column'],
  );

/** Returns a sentence that counts what only the instance has; empty if there is nothing. */
export const describePlanExtras = (planOutput: PlanOutput): string =>
  describeExtras(english, countRemainingDifferences(planOutput).extras);

/**
 * Formats a change in one line: the sign of its action, the item, its former name, whether it overwrites something that
 * no pull has seen, and whether a later apply has to make it.
 */
export const formatChange = ({
  action,
  item,
  from,
  parts,
  changedOnServer,
  neverPulled,
  interrupted,
  deferred,
}: Change): string =>
  [
    `${actionSigns[action]} ${item}`,
    ...(from === undefined ? [] : [`(renamed from ${from})`]),
    ...(changedOnServer
      ? [
          `(${neverPulled === true ? 'never pulled' : `${action === 'create' ? 'deleted' : 'changed'} on the server${formatServerParts(parts)}`}${formatInterruptedOrigin({ neverPulled, interrupted })})`,
        ]
      : []),
    ...(deferred === true ? ['(not in this apply)'] : []),
  ].join(' ');

/**
 * Names the parts of a change that the instance has changed since the last pull; empty if that is true of all of them, or
 * of something else, which is deleted with the item.
 */
export function formatServerParts(parts: Change['parts']): string {
  const changed = parts.filter(({ changedOnServer }) => changedOnServer === true);
  return changed.length === 0 || changed.length === parts.length
    ? ''
    : `: ${formatNames(changed.map(({ pointer }) => unescapePointer(pointer.slice(1))))}`;
}

/** Says that what no pull has seen may be what an interrupted change has written; empty if it isn't. */
export const formatInterruptedOrigin = ({
  neverPulled,
  interrupted,
}: Pick<Change, 'neverPulled' | 'interrupted'>): string =>
  interrupted === true ? `, possibly ${neverPulled === true ? 'written ' : ''}by the interrupted change` : '';

const planSideTexts: SideTexts = { formatSides: (before, after) => `${before} → ${after}`, diffNote: '' };

/**
 * Describes the changed parts of an item, and what is deleted with it. Of an item that is created or deleted, only rules
 * are described, and that a relation has lost a column.
 */
export const describeParts = ({
  action,
  item,
  followingRules,
  parts,
  deletedWith = [],
}: Change): readonly DifferenceText[] =>
  limitDifferences([
    ...(action === 'delete' && isBrokenItem(item)
      ? [
          {
            text: "One of its columns was deleted on the instance, so builds might fail until the relation is deleted. The relation can't be restored.",
            diff: [],
          },
        ]
      : []),
    ...describeDeletedWith(deletedWith),
    ...formatFollowingRules(followingRules ?? 0).map((text) => ({ text, diff: [] })),
    ...renameFollowingRules({ followingRules, parts }).flatMap((part) =>
      action === 'update' ? describePart(part, planSideTexts) : describeWholeItem(part),
    ),
  ]);

const formatFollowingRules = (count: number): readonly string[] =>
  formatCount(count, { one: '1 rule follows the rename', many: 'rules follow the rename' });

/** Counts what is deleted with an item, and names the parts that have changed on the server since the last pull. */
function describeDeletedWith(items: NonNullable<Change['deletedWith']>): readonly DifferenceText[] {
  const kinds = listExtraKinds(items);
  return [
    ...(kinds.length === 0 ? [] : [`Also deleted: ${countKinds(english, kinds)}`]),
    ...items
      .filter(({ changedOnServer }) => changedOnServer)
      .map(
        ({ item, neverPulled }) =>
          `${neverPulled === true ? 'Never pulled' : 'Changed on the server'}: ${formatItem(item)}`,
      ),
  ].map((text) => ({ text, diff: [] }));
}

function printPlanDetails(planOutput: PlanOutput, output: CommandOutput): void {
  for (const { item, text } of planOutput.breaks) {
    output.printLine(`Will break: ${item}: ${text}`, 'error');
  }
  for (const [text, deferred] of Map.groupBy(planOutput.deferred, (change) => change.text)) {
    output.printLine(
      `Not in this apply: ${formatNames(deferred.map(({ item }) => item))}: ${text}`,
      'warning',
    );
  }
  if (planOutput.neededBuilds !== undefined) {
    output.printLine(describeNeededBuilds(english, planOutput.neededBuilds), 'warning');
  }
  formatNotesSetByInstance(planOutput.notes).forEach((line) => output.printLine(line));
  const otherNotes = planOutput.notes.filter((note) => !isSetByInstance(note));
  for (const [noteText, notes] of Map.groupBy(otherNotes, (note) => note.text)) {
    const title = getNoteTitle(notes);
    const names = formatNames(notes.map(formatLocation));
    output.printLine(
      `${title}: ${names}: ${noteText}`,
      notes[0]?.severity === 'warning' ? 'warning' : undefined,
    );
  }
  if (planOutput.extras.length > 0) {
    output.printLine(formatExtras(planOutput));
  }
  formatRulesWithoutEffect(planOutput).forEach((line) => output.printLine(line, 'warning'));
  planOutput.access.unchecked.forEach((text) => output.printLine(`Not checked: ${text}`, 'warning'));
  for (const error of planOutput.ignoredErrors) {
    output.printLine(`Ignored error: ${formatPlanError(error)}`, 'warning');
  }
  const { existingErrors = [] } = planOutput;
  for (const error of existingErrors.slice(0, maxExistingErrors)) {
    output.printLine(`${existingErrorTitle}: ${formatPlanError(error)}`, 'warning');
  }
  if (existingErrors.length > maxExistingErrors) {
    output.printLine(
      `Errors also on the instance: ${existingErrors.length - maxExistingErrors} more. --format json lists all of them.`,
      'warning',
    );
  }
  for (const { item, text } of planOutput.problems) {
    output.printLine(`Can't apply ${item}: ${text}`, 'error');
  }
  for (const { what, problem } of planOutput.unknown) {
    output.printLine(`Can't read ${what}: ${problem}`, 'error');
  }
  for (const { datamodel, type, files = [] } of planOutput.builds) {
    if (files.length > 0) {
      output.printLine(
        `Upload the files of the new datasets of ${datamodel} before you build it: ${formatNames(files)}`,
        'warning',
      );
    }
    output.printLine(formatBuildAfterward(datamodel, type));
  }
}

/** The label of an error that the plan leaves as it is. */
export const existingErrorTitle = 'Error also on the instance';

/** The maximum number of these that are printed. */
const maxExistingErrors = 10;

/** Formats an error that doesn't prevent an apply like those of `validate`. */
export const formatPlanError = ({
  path,
  line,
  column,
  message,
  code,
}: NonNullable<PlanOutput['existingErrors']>[number]): string =>
  `${path}:${line}:${column}: ${message} (${code})`;

/** Formats the item and the part that a note is about. */
export const formatLocation = ({ item, pointer }: Pick<LocatedNote, 'item' | 'pointer'>): string =>
  item + unescapePointer(pointer);

type LocatedNote = Pick<PlanOutput['notes'][number], 'code' | 'item' | 'pointer'>;

/**
 * Returns lines that count the differences that are expected because each instance has its own values, such as
 * connections. Only JSON output lists them individually, and what no request can set is named.
 */
export function formatNotesSetByInstance(notes: readonly LocatedNote[]): readonly string[] {
  const count = (code: DifferenceNoteCode): number => notes.filter((note) => note.code === code).length;
  const missing = notes.filter(({ code }) => code === 'missing');
  return [
    ...(missing.length === 0
      ? []
      : [`Not on the instance, and can't be set: ${formatNames(missing.map(formatLocation))}`]),
    ...formatCount(count('connection'), {
      one: '1 dataset keeps the connection that it has on the instance.',
      many: 'datasets keep the connections that they have on the instance.',
    }),
    ...formatCount(count('derived-column'), {
      one: '1 column of a custom table differs in what the instance derives from its SQL, such as type and size.',
      many: 'columns of custom tables differ in what the instance derives from SQL, such as type and size.',
    }),
  ];
}

/** The title of rules on a column that doesn't exist. */
export const rulesWithoutEffectTitle =
  "Rules that restrict nothing, because the instance doesn't have their column";

/** Returns a line that names the rules that restrict nothing, if there are any. */
export const formatRulesWithoutEffect = ({
  rulesWithoutEffect = [],
}: Pick<PlanOutput, 'rulesWithoutEffect'>): readonly string[] =>
  rulesWithoutEffect.length === 0
    ? []
    : [`${rulesWithoutEffectTitle}: ${formatNames(rulesWithoutEffect.map(({ item }) => item))}`];

const formatCount = (
  count: number,
  { one, many }: { readonly one: string; readonly many: string },
): readonly string[] => (count === 0 ? [] : [count === 1 ? one : `${count} ${many}`]);

/** Returns the title under which notes with the same text are listed. */
export const getNoteTitle = ([note]: PlanOutput['notes']):
  | 'Not compared'
  | 'Not renamed'
  | 'Builds might fail'
  | 'Only on the instance, kept'
  | 'Will still differ' =>
  note?.code === 'unread-file'
    ? 'Not compared'
    : note !== undefined && notRenamedCodes.has(note.code)
      ? 'Not renamed'
      : note?.code === 'broken-relation'
        ? 'Builds might fail'
        : note !== undefined && isInstanceOnly(note)
          ? 'Only on the instance, kept'
          : 'Will still differ';

const notRenamedCodes: ReadonlySet<string> = new Set<DifferenceNoteCode>([
  'former-name-missing',
  'former-name-in-use',
  'same-source',
  'first-apply',
]);

/** The maximum number of items that a message lists by name. */
const maxNames = 5;

const formatExtras = ({ extras }: PlanOutput): string =>
  `Only on the instance, and not deleted without --prune KINDS: ${formatNames(
    extras.map(({ item, column }) => (column === undefined ? item : `${item}/${column}`)),
  )}`;

/** Lists the first names, and counts the others. */
export const formatNames = (names: readonly string[]): string =>
  names.length > maxNames
    ? `${names.slice(0, maxNames).join(', ')}, and ${names.length - maxNames} more`
    : names.join(', ');

/** Formats the counts of a plan, and who gains and who loses access. */
export const formatPlanSummary = (planOutput: PlanOutput): string =>
  planOutput.changes.length === 0
    ? formatPlanCounts(planOutput)
    : `${formatPlanCounts(planOutput)} ${planOutput.access.summary}`;

/**
 * Formats the counts of a plan, including what only the instance has.
 * @param planOutput the output before {@link labelItems}, since items are counted by their keys
 */
export function formatPlanCounts(planOutput: PlanOutput): string {
  const { state, counts, changes } = planOutput;
  const { deferred = 0 } = counts;
  const projectPart = describeOutputPart(planOutput);
  if (changes.length === 0) {
    return state === 'unknown'
      ? formatUnknown(counts, projectPart)
      : formatNothingToChange(countRemainingDifferences(planOutput), projectPart);
  }
  const texts = [
    `${counts.create} to create`,
    `${counts.update} to change`,
    `${counts.delete} to delete`,
  ].join(', ');
  const extras = describePlanExtras(planOutput);
  return [
    projectPart === undefined ? `Plan: ${texts}.` : `Plan for ${projectPart}: ${texts}.`,
    ...(deferred === 0 ? [] : [`Not in this apply: ${formatItemCount(deferred)}.`]),
    ...(extras === '' ? [] : [extras]),
    ...(state === 'unknown'
      ? [`More might change, and nothing can be applied: ${describeUnknownCount(counts.unknown)}.`]
      : []),
  ].join(' ');
}

/** Says of how many items it's unknown whether they differ. */
export const describeUnknownCount = (count = 0): string =>
  count === 0 ? 'not everything could be read' : `${formatItemCount(count)} couldn't be compared`;

const formatItemCount = (count: number): string => (count === 1 ? '1 item' : `${count} items`);

function formatUnknown(
  { unknown, unchanged }: PlanOutput['counts'],
  projectPart: string | undefined,
): string {
  const text = `It's unknown whether there is anything to change${projectPart === undefined ? '' : ` in ${projectPart}`}: ${describeUnknownCount(unknown)}.`;
  return unchanged === 0
    ? text
    : `${text} ${unchanged === 1 ? '1 item has' : `${unchanged} items have`} no changes.`;
}

function formatNothingToChange(remaining: RemainingDifferences, projectPart: string | undefined): string {
  const match = describeMatch(english, remaining, projectPart);
  return remaining.itemCount + remaining.extras.length === 0
    ? `Nothing to change: ${match.charAt(0).toLowerCase()}${match.slice(1)}`
    : `Nothing to change. ${match}`;
}
