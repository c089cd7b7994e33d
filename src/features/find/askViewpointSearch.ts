import * as vscode from 'vscode';
import {
  type ViewpointField,
  type ViewpointForm,
  fieldProblem,
  viewpointSearch,
} from '../../catalog/viewpointForm.ts';
import { plainText } from '../../platform/serverText.ts';
import { askChoice, askText } from '../../platform/wizard.ts';
import { fieldWords, problemText } from './viewpointFields.ts';

type Choice = ViewpointField | 'search' | { readonly text: string };

/** Asks what to look for, one field after the other in any order; `undefined` when the person gave up. */
export async function askViewpointSearch(
  title: string,
  initial: ViewpointForm,
): Promise<ViewpointForm | undefined> {
  let form = initial;
  for (;;) {
    const choice = await askChoice<Choice>(
      { title, placeholder: vscode.l10n.t('Type what to look for, or choose fields and search'), typed },
      [searchItem(form), ...fieldItems(form)],
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
    form = await askField(title, form, choice.value);
  }
}

/** Who types at once means words, as everywhere; the fields need not be known. */
const typed = (text: string) => ({
  label: vscode.l10n.t('Search for "{0}"', plainText(text)),
  description: fieldWords.text()[1],
  iconPath: new vscode.ThemeIcon('search'),
  value: { text },
});

const searchItem = (form: ViewpointForm) => ({
  label: vscode.l10n.t('Search'),
  description: viewpointSearch(form) === undefined ? vscode.l10n.t('all viewpoints') : '',
  iconPath: new vscode.ThemeIcon('search'),
  value: 'search' as const,
});

function fieldItems(form: ViewpointForm) {
  return (Object.keys(fieldWords) as ViewpointField[]).map((field) => {
    const [label, hint] = fieldWords[field]();
    const typed = valueText(form, field);
    return {
      label,
      description: typed === '' ? hint : plainText(typed),
      iconPath: new vscode.ThemeIcon(typed === '' ? 'circle-outline' : 'circle-filled'),
      value: field,
    };
  });
}

const valueText = (form: ViewpointForm, field: ViewpointField): string =>
  field === 'published' && form.published !== ''
    ? form.published === 'yes'
      ? vscode.l10n.t('yes')
      : vscode.l10n.t('no')
    : form[field];

/** The form with the answer for one field; as it was when the person went back or gave up. */
async function askField(title: string, form: ViewpointForm, field: ViewpointField): Promise<ViewpointForm> {
  const [label, hint] = fieldWords[field]();
  // The second of two, so that there is a way back to the fields.
  const position = { step: 2, totalSteps: 2 };
  if (field === 'published') {
    const answer = await askChoice<ViewpointForm['published']>(
      { title, placeholder: label, current: form.published },
      [
        { label: vscode.l10n.t('Published or not'), value: '' },
        { label: vscode.l10n.t('Published'), value: 'yes' },
        { label: vscode.l10n.t('Not published'), value: 'no' },
      ],
      position,
    );
    return typeof answer === 'object' ? { ...form, published: answer.value } : form;
  }
  const answer = await askText(
    {
      title,
      prompt: `${label}: ${hint}`,
      value: form[field],
      problem: (typed) => problemText(fieldProblem(field, typed)),
    },
    position,
  );
  return typeof answer === 'object' ? { ...form, [field]: answer.value } : form;
}
