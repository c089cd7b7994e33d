import type * as z from 'zod';
import { english } from '../base/words.ts';
import { isBlocked, type Preview } from '../changes/bulkRules/preview.ts';
import { previewProblems } from '../changes/words/previewProblems.ts';
import { changeLine, changesOf, countsOf } from './changeOutput.ts';
import type { ImportMode } from './importModes.ts';
import { type importOutput, instanceOutput, outputVersion, type ResultOutput } from './outputs.ts';
import { datamodelOutput } from './ruleSubjects.ts';
import type { Output } from './shell.ts';
import type { Target } from './target.ts';

export type ImportView = z.infer<typeof importOutput>;

export const hasWrites = ({ operation }: Preview): boolean => operation.writes.length > 0;

/** What an import would change, or has changed. */
export function importView(
  preview: Preview,
  facts: {
    readonly target: Target;
    readonly mode: ImportMode;
    readonly result: ResultOutput | undefined;
  },
): ImportView {
  const { difference } = preview;
  const changes = changesOf(preview);
  return {
    version: outputVersion,
    command: 'rules import',
    instance: instanceOutput(facts.target.connection),
    datamodel: datamodelOutput(preview.target.subject),
    mode: facts.mode,
    state: stateOf(preview, facts.result),
    rules: {
      create: difference.adds.length,
      delete: difference.deletes.length,
      unchanged: difference.unchanged,
    },
    counts: countsOf(changes),
    changes,
    problems: previewProblems(english, preview).map(({ severity, text }) => ({ severity, text })),
    ...(facts.result === undefined ? {} : { result: facts.result }),
  };
}

function stateOf(preview: Preview, result: ResultOutput | undefined): ImportView['state'] {
  if (result !== undefined) {
    return 'executed';
  }
  if (isBlocked(preview)) {
    return 'refused';
  }
  return hasWrites(preview) ? 'differs' : 'same';
}

/** The changes, one line each; what a script reads. */
export function printChanges({ changes }: ImportView, output: Output): void {
  for (const change of changes) {
    output.line(changeLine(change));
  }
}

/** Problems that are said one by one. */
const mostProblems = 20;

/** What a person should know before a change is made. */
export function sayPlanned({ problems, counts, rules, state }: ImportView, output: Output): void {
  // A file with a wrong heading has a problem in each of its ten thousand rows.
  for (const { severity, text } of problems.slice(0, mostProblems)) {
    output.say(`${severity === 'error' ? 'Error' : 'Warning'}: ${text}`);
  }
  if (problems.length > mostProblems) {
    output.say(`${problems.length - mostProblems} more problems. --format json lists all of them.`);
  }
  if (state !== 'same') {
    output.say(`${counts.add} to add, ${counts.change} to change, ${counts.delete} to delete.`);
    output.say(`Rules: ${rules.create} created, ${rules.delete} deleted, ${rules.unchanged} unchanged.`);
  }
}
