import { jsonEquals } from '../base/canonicalJson.ts';
import { getMember, isJsonObject, stringify } from '../base/json.ts';
import type { DifferenceNoteCode } from '../project/plan/itemChange.ts';
import { labelItems } from './itemLabels.ts';
import type { PlanOutput } from './planOutput.ts';
import type { CommandOutput } from './shell.ts';

type Change = PlanOutput['changes'][number];

/** Longer values are truncated in text output; JSON output contains them in full. */
const maxValueLength = 100;

const signs: Readonly<Record<Change['action'], string>> = { create: '+', update: '~', delete: '-' };

/** Prints a plan: the changes as data, and everything that needs attention as messages. */
export function printPlan(plan: PlanOutput, output: CommandOutput): void {
  const planOutput = labelItems(plan);
  for (const change of planOutput.changes) {
    output.printLine(formatChange(change));
    formatParts(change).forEach((line) => output.printLine(`    ${line}`));
  }
  for (const { effect, party, text } of planOutput.access.rows) {
    output.printLine(`! ${party} ${effectTexts[effect]}: ${text}`);
  }
  const [restricted, open] = splitNewTables(planOutput);
  for (const { item, rules } of restricted) {
    output.printLine(`! ${item} is new: ${rules.join('; ')}`);
  }
  if (open.length > 0) {
    output.printMessage(
      `New tables without rules, which everyone with access to the datamodel will see: ${formatNames(open.map(({ item }) => item))}`,
      'warning',
    );
  }
  printPlanMessages(planOutput, output);
  printPlanSummary(planOutput, output);
}

/** Prints the counts of a plan and who gains access, as a message. */
export const printPlanSummary = (planOutput: PlanOutput, output: CommandOutput): void =>
  output.printMessage(formatPlanSummary(planOutput), planOutput.state === 'same' ? 'success' : 'warning');

/** Splits the new tables into those with rules and those without. */
export const splitNewTables = ({
  access: { newTables },
}: PlanOutput): readonly [PlanOutput['access']['newTables'], PlanOutput['access']['newTables']] => [
  newTables.filter(({ rules }) => rules.length > 0),
  newTables.filter(({ rules }) => rules.length === 0),
];

/**
 * Formats a change in one line: the sign of its action, the item, its former name, and whether it overwrites something
 * that no pull has seen.
 */
export const formatChange = ({ action, item, from, changedOnServer, neverPulled }: Change): string =>
  [
    `${signs[action]} ${item}`,
    ...(from === undefined ? [] : [`(renamed from ${from})`]),
    ...(changedOnServer ? [neverPulled === true ? '(never pulled)' : '(changed on the server)'] : []),
  ].join(' ');

/** Returns a line for each changed part of an item; none for an item that is created or deleted. */
export const formatParts = ({ action, parts }: Change): readonly string[] =>
  action === 'update'
    ? parts
        .flatMap(findDifferences)
        .map((difference) => `${difference.path}: ${formatDifference(difference)}`)
    : [];

interface Difference {
  readonly path: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** Returns the innermost members of a part that differ. A member that only one side has is one difference. */
export const findDifferences = ({
  pointer,
  before,
  after,
}: Pick<Change['parts'][number], 'pointer' | 'before' | 'after'>): readonly Difference[] =>
  findInnerDifferences(pointer.slice(1), before, after).map((difference) => ({
    ...difference,
    path: difference.path || 'content',
  }));

function findInnerDifferences(path: string, before: unknown, after: unknown): readonly Difference[] {
  if (!isJsonObject(before) || !isJsonObject(after)) {
    return [{ path, before, after }];
  }
  // A column keeps the members that its file doesn't have; every other value is replaced as a whole.
  const isColumn = /^columns\/[^/]*$/.test(path);
  const names = new Set([...Object.keys(after), ...(isColumn ? [] : Object.keys(before))]);
  return [...names].flatMap((name) => {
    const [oldValue, newValue] = [getMember(before, name), getMember(after, name)];
    return jsonEquals(oldValue, newValue)
      ? []
      : findInnerDifferences(path === '' ? name : `${path}/${name}`, oldValue, newValue);
  });
}

/** The number of equal characters that are shown around a difference. */
const contextLength = 20;

/** Returns both values; of long texts, the part that differs. */
export const formatDifference = (difference: Omit<Difference, 'path'>): string =>
  formatSides(difference).join(' → ');

/** Returns the values of both sides, shortened to the part that differs. */
export function formatSides({ before, after }: Omit<Difference, 'path'>): readonly [string, string] {
  const [oldText, newText] = [formatValue(before), formatValue(after)];
  if (Math.max(oldText.length, newText.length) <= maxValueLength) {
    return [oldText, newText];
  }
  let start = 0;
  while (start < Math.min(oldText.length, newText.length) && oldText[start] === newText[start]) {
    start += 1;
  }
  const from = Math.max(0, start - contextLength);
  return [cut(oldText, from), cut(newText, from)];
}

const cut = (text: string, start: number): string =>
  `${start > 0 ? '…' : ''}${text.slice(start, start + maxValueLength)}${text.length > start + maxValueLength ? '…' : ''}`;

/** Returns a value as JSON; `none` if there is none. */
const formatValue = (value: unknown): string => (value === undefined ? 'none' : stringify(value));

const effectTexts = {
  gains: 'gains access',
  changes: 'sees different data',
  loses: 'loses access',
} as const;

function printPlanMessages(planOutput: PlanOutput, output: CommandOutput): void {
  for (const { item, text } of planOutput.breaks) {
    output.printMessage(`Will break: ${item}: ${text}`, 'error');
  }
  for (const [text, deferred] of Map.groupBy(planOutput.deferred, (change) => change.text)) {
    output.printMessage(
      `Not in this apply: ${formatNames(deferred.map(({ item }) => item))}: ${text}`,
      'warning',
    );
  }
  const connectionCount = countConnectionNotes(planOutput);
  if (connectionCount > 0) {
    output.printMessage(formatConnectionNotes(connectionCount));
  }
  const otherNotes = planOutput.notes.filter((note) => !isConnectionNote(note));
  for (const [noteText, notes] of Map.groupBy(otherNotes, (note) => note.text)) {
    const title = getNoteTitle(notes);
    const text =
      title === 'Unknown'
        ? noteText
        : `${title}: ${formatNames(notes.map(({ item, pointer }) => item + pointer))}: ${noteText}`;
    output.printMessage(text, notes[0]?.severity === 'warning' ? 'warning' : undefined);
  }
  if (planOutput.extras.length > 0) {
    output.printMessage(formatExtras(planOutput));
  }
  planOutput.access.unchecked.forEach((text) => output.printMessage(`Not checked: ${text}`, 'warning'));
  for (const error of planOutput.ignoredErrors) {
    output.printMessage(`Ignored error: ${formatIgnoredError(error)}`, 'warning');
  }
  for (const { item, text } of planOutput.problems) {
    output.printMessage(`Can't apply ${item}: ${text}`, 'error');
  }
  for (const { what, problem } of planOutput.unknown) {
    output.printMessage(`Can't read ${what}: ${problem}`, 'error');
  }
  for (const { datamodel, type, files = [] } of planOutput.builds) {
    if (files.length > 0) {
      output.printMessage(
        `Upload the files of the new datasets of ${datamodel} before you build it: ${formatNames(files)}`,
        'warning',
      );
    }
    output.printMessage(
      type === 'publish'
        ? `Publish ${datamodel} afterward, so that queries show the change.`
        : `Build ${datamodel} afterward, so that queries show the change.`,
    );
  }
}

/** Formats an ignored error like those of `validate`. */
export const formatIgnoredError = ({
  path,
  line,
  column,
  message,
  code,
}: PlanOutput['ignoredErrors'][number]): string => `${path}:${line}:${column}: ${message} (${code})`;

/** Connections differ from one environment to the next, so they aren't listed in each plan. JSON output has them. */
export const isConnectionNote = ({ code }: PlanOutput['notes'][number]): boolean => code === 'connection';

export const countConnectionNotes = ({ notes }: PlanOutput): number => notes.filter(isConnectionNote).length;

/** Says how many datasets have another connection on the instance. */
export const formatConnectionNotes = (count: number): string =>
  count === 1
    ? '1 dataset keeps the connection that it has on the instance.'
    : `${count} datasets keep the connections that they have on the instance.`;

/** Returns the title under which notes with the same text are listed. */
export const getNoteTitle = ([note]: PlanOutput['notes']): 'Unknown' | 'Not renamed' | 'Will still differ' =>
  note?.code === 'no-viewpoint-service'
    ? 'Unknown'
    : note !== undefined && creationNotes.has(note.code)
      ? 'Not renamed'
      : 'Will still differ';

const creationNotes: ReadonlySet<string> = new Set<DifferenceNoteCode>([
  'former-name-missing',
  'former-name-in-use',
  'first-apply',
]);

/** The maximum number of items that a message lists by name. */
const maxNames = 5;

const formatExtras = ({ extras }: PlanOutput): string =>
  `Only on the instance, and not deleted without --prune KINDS: ${formatNames(
    extras.map(({ item, column }) => (column === undefined ? item : `${item}/${column}`)),
  )}`;

const formatNames = (names: readonly string[]): string =>
  names.length > maxNames
    ? `${names.slice(0, maxNames).join(', ')}, and ${names.length - maxNames} more`
    : names.join(', ');

/** Returns the counts of a plan in a sentence, and who gains access. */
export const formatPlanSummary = (planOutput: PlanOutput): string =>
  planOutput.changes.length === 0
    ? formatPlanCounts(planOutput)
    : `${formatPlanCounts(planOutput)} ${planOutput.access.summary}`;

/** Returns the counts of a plan in a sentence. */
export function formatPlanCounts({ state, counts, changes }: PlanOutput): string {
  if (changes.length === 0) {
    return state === 'unknown'
      ? 'No changes were found, but not everything could be read.'
      : 'Nothing to change: the instance matches the project.';
  }
  const texts = [
    `${counts.create} to create`,
    `${counts.update} to change`,
    `${counts.delete} to delete`,
  ].join(', ');
  return `Plan: ${texts}.`;
}
