import { unescapePointer } from '../base/jsonPointer.ts';
import { english } from '../base/localize.ts';
import { describeNeededBuilds, describeNeededVariables } from '../project/messages/planTexts.ts';
import type { DifferenceNoteCode } from '../project/compare/itemChange.ts';
import { isInstanceOnly, isSetByInstance } from '../project/compare/itemChange.ts';
import { listDifferenceLines } from './differences/differenceTexts.ts';
import { formatAccessRow } from './accessRows.ts';
import { formatNames, labelItems } from './itemLabels.ts';
import { formatNewlyVisible, formatRules, splitNewTables } from './newlyVisible.ts';
import { describeParts, formatChange } from './planChanges.ts';
import { countRemainingDifferences, formatCount, formatPlanSummary } from './planCounts.ts';
import type { PlanOutput } from './planOutput.ts';
import { formatBuildAfterward } from './recoveredBuilds.ts';
import type { CommandOutput } from './shell.ts';
import { formatUnmanaged } from './unmanagedOutput.ts';

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
    listDifferenceLines(describeParts(change)).forEach((line) => output.printLine(`    ${line}`));
  }
  labeledPlan.access.rows.forEach((row) => output.printLine(formatAccessRow(row)));
  const [withRules, withoutRules] = splitNewTables(labeledPlan);
  withRules.forEach(({ item, rules }) => output.printLine(`! ${item} is new: ${formatRules(rules)}`));
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
 * Prints what isn't compared because of "manage", the counts of a plan, and who gains and who loses access, as
 * messages: if the report is redirected to a file, the log of a CI server contains only the messages.
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
  planOutput.missingRelations?.forEach(({ text }) => output.printLine(text, 'warning'));
  if (planOutput.neededVariables !== undefined) {
    output.printLine(describeNeededVariables(english, planOutput.neededVariables));
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

/** The maximum number of these errors that are printed. */
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
 * connections. What no request can set is named; all others are listed individually only in JSON output.
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
      one: '1 column of a custom table differs because the instance derives it from SQL.',
      many: 'columns of custom tables differ because the instance derives them from SQL.',
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

const formatExtras = ({ extras }: PlanOutput): string =>
  `Only on the instance, and not deleted without --prune KINDS: ${formatNames(
    extras.map(({ item, column }) => (column === undefined ? item : `${item}/${column}`)),
  )}`;
