import * as vscode from 'vscode';
import { createSuggestionStep, type SuggestionItem } from '../../platform/suggestionStep.ts';
import { toPlainText } from '../../platform/serverText.ts';
import type { WizardStep } from '../../platform/wizardSteps.ts';
import type { ColumnName } from '../../security/tableAccess.ts';
import type { KnownValues } from '../../security/values/knownValues.ts';
import { getSpellingHint } from '../../security/values/spellingText.ts';
import { suggestValues } from '../../security/values/suggestValues.ts';
import { countValuesBetweenCommas, parseValues } from '../../security/values/valueText.ts';
import { getCommaHint } from '../../webviews/protocol/valueHints.ts';

const t = vscode.l10n.t;

/** How many values are suggested at a time; typing more finds the others. */
const maxSuggestions = 100;

/** Asks for the values of a rule, separated by `;`, and suggests those that are known of its column. */
export const createValuesStep = <State extends { readonly members: string }>(
  getQuestion: (state: State) => { readonly title: string; readonly placeholder: string },
  column: ColumnName,
  knownValues: KnownValues,
): WizardStep<State> =>
  createSuggestionStep<'members', State>('members', (state) => ({
    ...getQuestion(state),
    getItems: (text) => [
      ...createAnswer(text, column, knownValues),
      ...createSuggestions(text, column, knownValues),
    ],
  }));

function createAnswer(text: string, column: ColumnName, knownValues: KnownValues): readonly SuggestionItem[] {
  const values = parseValues(text);
  const spellingHint = getSpellingHint(values, column, knownValues, t);
  const hint = spellingHint ?? getCommaHint(countValuesBetweenCommas(text), t);
  const label = values.length === 1 ? t('Use this value') : t('Use these {0} values', values.length);
  return values.length === 0
    ? []
    : [
        {
          label: toPlainText(text.trim()),
          description: label,
          ...(hint === undefined ? {} : { detail: toPlainText(hint) }),
          iconPath: new vscode.ThemeIcon(spellingHint === undefined ? 'check' : 'warning'),
          text,
          isAnswer: true,
        },
      ];
}

const createSuggestions = (
  text: string,
  column: ColumnName,
  knownValues: KnownValues,
): readonly SuggestionItem[] =>
  suggestValues(text, knownValues.getValues(column), { joiner: '; ', maxCount: maxSuggestions }).map(
    (suggestion) => ({
      label: toPlainText(suggestion.value),
      description: t('known value'),
      iconPath: new vscode.ThemeIcon('symbol-enum-member'),
      text: suggestion.text,
      isAnswer: false,
    }),
  );
