import type * as z from 'zod';
import { english } from '../base/localize.ts';
import { isBlocked, type Preview } from '../changes/bulkRules/preview.ts';
import { getPreviewProblems } from '../changes/messages/previewProblems.ts';
import { formatChangeLine, toChangeOutputs, countChangesByKind } from './changeOutput.ts';
import type { ImportMode } from './importModes.ts';
import { toInstanceOutput, outputVersion, type ResultOutput } from './outputParts.ts';
import type { importOutputSchema } from './outputs.ts';
import { toDatamodelOutput } from './ruleSubjects.ts';
import type { CommandOutput } from './shell.ts';
import type { InstanceTarget } from './target.ts';

export type ImportOutput = z.infer<typeof importOutputSchema>;

export const hasWrites = ({ operation }: Preview): boolean => operation.writes.length > 0;

/** Creates the output for programs about what an import would change, or has changed. */
export function createImportOutput(
  preview: Preview,
  options: {
    readonly target: InstanceTarget;
    readonly mode: ImportMode;
    readonly result: ResultOutput | undefined;
  },
): ImportOutput {
  const { difference } = preview;
  const changes = toChangeOutputs(preview);
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
    problems: getPreviewProblems(english, preview).map(({ severity, text }) => ({ severity, text })),
    ...(options.result === undefined ? {} : { result: options.result }),
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

/** Prints the changes, one line each, for scripts. */
export function printChanges({ changes }: ImportOutput, output: CommandOutput): void {
  for (const change of changes) {
    output.printLine(formatChangeLine(change));
  }
}

/** The maximum number of problems that are listed individually. */
const maxProblems = 20;

/** Reports the preview of a change: its problems, and how much it changes. */
export function reportPreview({ problems, counts, rules, state }: ImportOutput, output: CommandOutput): void {
  // A file with a wrong heading has a problem in each of its ten thousand rows.
  for (const { severity, text } of problems.slice(0, maxProblems)) {
    output.printMessage(`${severity === 'error' ? 'Error' : 'Warning'}: ${text}`);
  }
  if (problems.length > maxProblems) {
    const hiddenCount = problems.length - maxProblems;
    output.printMessage(
      `${hiddenCount === 1 ? '1 more problem' : `${hiddenCount} more problems`}. --format json lists all problems.`,
    );
  }
  if (state !== 'same') {
    output.printMessage(`${counts.add} to add, ${counts.change} to change, ${counts.delete} to delete.`);
    output.printMessage(
      `Rules: ${rules.create} created, ${rules.delete} deleted, ${rules.unchanged} unchanged.`,
    );
  }
}
