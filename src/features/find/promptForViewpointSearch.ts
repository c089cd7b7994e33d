import * as vscode from 'vscode';
import {
  type ViewpointSearchField,
  type ViewpointSearchForm,
  getFieldProblem,
  toViewpointSearch,
} from '../../catalog/viewpointSearchForm.ts';
import { toPlainText } from '../../platform/serverText.ts';
import { promptForChoice, promptForText } from '../../platform/wizard.ts';
import { fieldLabels, describeFieldProblem } from './viewpointFields.ts';

type SearchFormChoice = ViewpointSearchField | 'search' | { readonly text: string };

/** Asks what to search for, one field at a time in any order; `undefined` if the user canceled. */
export async function promptForViewpointSearch(
  title: string,
  initialForm: ViewpointSearchForm,
): Promise<ViewpointSearchForm | undefined> {
  let form = initialForm;
  for (;;) {
    const choice = await promptForChoice<SearchFormChoice>(
      {
        title,
        placeholder: vscode.l10n.t('Type to search, or select search fields'),
        createTypedItem: createTextSearchItem,
      },
      [createSearchItem(form), ...createFieldItems(form)],
      { step: 1, totalSteps: 1 },
    );
    if (choice === undefined || choice === 'back') {
      return undefined;
    }
    if (choice.value === 'search') {
      return form;
    }
    if (typeof choice.value === 'object') {
      return { ...form, ...choice.value };
    }
    form = await promptForField(title, form, choice.value);
  }
}

/** Creates the item that searches for the typed text, so that users do not have to know the fields. */
const createTextSearchItem = (text: string) => ({
  label: vscode.l10n.t('Search for "{0}"', toPlainText(text)),
  description: fieldLabels.text()[1],
  iconPath: new vscode.ThemeIcon('search'),
  value: { text },
});

const createSearchItem = (form: ViewpointSearchForm) => ({
  label: vscode.l10n.t('Search'),
  description: toViewpointSearch(form) === undefined ? vscode.l10n.t('all viewpoints') : '',
  iconPath: new vscode.ThemeIcon('search'),
  value: 'search' as const,
});

function createFieldItems(form: ViewpointSearchForm) {
  return (Object.keys(fieldLabels) as ViewpointSearchField[]).map((field) => {
    const [label, hint] = fieldLabels[field]();
    const typedText = formatValue(form, field);
    return {
      label,
      description: typedText === '' ? hint : toPlainText(typedText),
      iconPath: new vscode.ThemeIcon(typedText === '' ? 'circle-outline' : 'circle-filled'),
      value: field,
    };
  });
}

const formatValue = (form: ViewpointSearchForm, field: ViewpointSearchField): string =>
  field === 'published' && form.published !== ''
    ? form.published === 'yes'
      ? vscode.l10n.t('yes')
      : vscode.l10n.t('no')
    : form[field];

/** Returns the form with the user's input for one field; unchanged if the user went back or canceled. */
async function promptForField(
  title: string,
  form: ViewpointSearchForm,
  field: ViewpointSearchField,
): Promise<ViewpointSearchForm> {
  const [label, hint] = fieldLabels[field]();
  // The second of two steps, so that VS Code shows a Back button.
  const position = { step: 2, totalSteps: 2 };
  if (field === 'published') {
    const answer = await promptForChoice<ViewpointSearchForm['published']>(
      { title, placeholder: label, currentValue: form.published },
      [
        { label: vscode.l10n.t('Published or not'), value: '' },
        { label: vscode.l10n.t('Published'), value: 'yes' },
        { label: vscode.l10n.t('Not published'), value: 'no' },
      ],
      position,
    );
    return typeof answer === 'object' ? { ...form, published: answer.value } : form;
  }
  const answer = await promptForText(
    {
      title,
      prompt: `${label}: ${hint}`,
      value: form[field],
      validate: (typedText) => describeFieldProblem(getFieldProblem(field, typedText)),
    },
    position,
  );
  return typeof answer === 'object' ? { ...form, [field]: answer.value } : form;
}
