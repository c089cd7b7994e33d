import * as vscode from 'vscode';
import { findClosestNames } from '../../base/similarNames.ts';
import type { TaskProblem } from '../../builds/buildTaskDefinition.ts';

/** Describes what is wrong with a property of a task, and what it must be. */
export const describeTaskProblem = (problem: TaskProblem): string =>
  vscode.l10n.t('{0}: {1}', problem.property, describeExpectation(problem));

function describeExpectation({ expectation, value }: TaskProblem): string {
  switch (expectation.kind) {
    case 'connection':
      return vscode.l10n.t('Enter the name of a connection.');
    case 'datamodels':
      return vscode.l10n.t('Enter the title or ID of a datamodel, or an array of them.');
    case 'boolean':
      return vscode.l10n.t('Enter true or false.');
    case 'number':
      return expectation.max === undefined
        ? vscode.l10n.t('Enter a whole number, 1 or more.')
        : vscode.l10n.t('Enter a whole number from 1 to {0}.', expectation.max);
    case 'choice': {
      const expected = vscode.l10n.t('Expected: {0}.', expectation.choices.join(', '));
      return value === undefined
        ? expected
        : `${vscode.l10n.t('Unknown value "{0}".', value)} ${formatSuggestion(value, expectation.choices) ?? expected}`;
    }
  }
}

/** Returns the question "Did you mean …?" with the most similar name; `undefined` if none is similar. */
export function formatSuggestion(name: string, names: readonly string[]): string | undefined {
  const [closest] = findClosestNames(name, names);
  return closest === undefined ? undefined : vscode.l10n.t('Did you mean {0}?', closest);
}
