import type * as z from 'zod';
import { joinNames } from '../base/joinNames.ts';
import { english } from '../base/localize.ts';
import { sortByText } from '../base/sortByText.ts';
import { isBlocked, type Preview } from '../changes/bulkRules/preview.ts';
import { describeAccess } from '../changes/messages/describeAccess.ts';
import { getPreviewProblems } from '../changes/messages/previewProblems.ts';
import { getText } from '../changes/model/jsonMembers.ts';
import type { PlannedAccess } from '../changes/model/plan.ts';
import { formatAccessRow, toAccessRows, toUncheckedTexts } from './accessRows.ts';
import { formatRuleChangeLine, toRuleChangeOutputs, countChangesByKind } from './ruleChangeOutput.ts';
import type { ImportModeOption } from './importModes.ts';
import { toInstanceOutput, outputVersion, type ResultOutput } from './outputParts.ts';
import type { importOutputSchema } from './outputSchemas.ts';
import { toDatamodelOutput } from './ruleSubjects.ts';
import type { CommandOutput } from './shell.ts';
import type { InstanceTarget } from './target.ts';

export type ImportOutput = z.infer<typeof importOutputSchema>;

export const hasWrites = ({ operation }: Preview): boolean => operation.writes.length > 0;

/** Creates the JSON output about what an import would change, or has changed. */
export function createImportOutput(
  preview: Preview,
  options: {
    readonly target: InstanceTarget;
    readonly mode: ImportModeOption;
    /** Who gains and who loses access; `undefined` if nothing changes or can change. */
    readonly access: PlannedAccess | undefined;
    readonly result: ResultOutput | undefined;
  },
): ImportOutput {
  const { difference } = preview;
  const changes = toRuleChangeOutputs(preview);
  return {
    version: outputVersion,
    command: 'rules import',
    instance: toInstanceOutput(options.target.connection),
    datamodel: toDatamodelOutput(preview.target.subject),
    mode: options.mode,
    state: getImportState(preview, options.result),
    rules: {
      create: difference.adds.length,
      delete: difference.deletes.length,
      unchanged: difference.unchangedCount,
    },
    counts: countChangesByKind(changes),
    changes,
    ...(isBlocked(preview) ? {} : { access: createImportAccessOutput(options.access) }),
    problems: getPreviewProblems(english, preview).map(({ severity, text }) => ({ severity, text })),
    ...(options.result === undefined ? {} : { result: options.result }),
  };
}

function createImportAccessOutput(access: PlannedAccess | undefined): NonNullable<ImportOutput['access']> {
  const description = describeAccess(access ?? { subjects: [], partyNames: new Map() }, english);
  return {
    summary: description.summary,
    rows: toAccessRows(description),
    unchecked: toUncheckedTexts(description.unchecked),
  };
}

function getImportState(preview: Preview, result: ResultOutput | undefined): ImportOutput['state'] {
  if (result !== undefined) {
    return 'executed';
  }
  if (isBlocked(preview)) {
    return 'refused';
  }
  return hasWrites(preview) ? 'differs' : 'same';
}

/** Prints the changes, and who gains and who loses access, one line each. */
export function printChanges({ changes, access }: ImportOutput, output: CommandOutput): void {
  changes.forEach((change) => output.printLine(formatRuleChangeLine(change)));
  access?.rows.forEach((row) => output.printLine(formatAccessRow(row)));
  access?.unchecked.forEach((text) => output.printLine(`Not checked: ${text}`, 'warning'));
}

/** The maximum number of problems that are listed individually. */
const maxProblems = 20;

/** Reports the preview of a change: its problems, and how much it changes. */
export function reportPreview(
  { problems, counts, rules, access }: ImportOutput,
  output: CommandOutput,
): void {
  // A file with a wrong heading has a problem in every row, and may have thousands of them.
  for (const { severity, text } of problems.slice(0, maxProblems)) {
    output.printMessage(`${severity === 'error' ? 'Error' : 'Warning'}: ${text}`);
  }
  if (problems.length > maxProblems) {
    const hiddenCount = problems.length - maxProblems;
    output.printMessage(
      `${hiddenCount === 1 ? '1 more problem' : `${hiddenCount} more problems`}. --format json lists all of them.`,
    );
  }
  if (rules.create + rules.delete > 0) {
    output.printMessage(
      `By column and user or group: ${counts.add} to add, ${counts.change} to change, ${counts.delete} to delete.`,
    );
    // A changed rule is deleted and created again.
    output.printMessage(
      `Rules: ${rules.create} to create, ${rules.delete} to delete, ${rules.unchanged} unchanged.`,
    );
    if (access !== undefined) {
      output.printMessage(access.summary);
    }
  }
}

/** The maximum number of columns that a message names. */
const maxNamedColumns = 10;

/**
 * Says that the rules on the server differ from those that an import has sent, and on which columns; `undefined` if they
 * don't differ. A changed rule counts twice, since it's deleted and created again.
 * @param difference what another import of the same file would change
 */
export function describeRuleDifferences({
  adds,
  deletes,
}: Pick<Preview['difference'], 'adds' | 'deletes'>): string | undefined {
  const rules = [...adds, ...deletes.map(({ rule }) => rule)];
  if (rules.length === 0) {
    return undefined;
  }
  const columns = new Set(rules.map(({ table, column }) => `${getText(table)}.${getText(column)}`));
  const subject =
    rules.length === 1 ? '1 rule on the server differs' : `${rules.length} rules on the server differ`;
  return `Done, but ${subject} from what was sent: ${joinNames(
    sortByText([...columns], (name) => name),
    english,
    maxNamedColumns,
  )}.`;
}
