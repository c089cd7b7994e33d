import * as vscode from 'vscode';
import type { FieldProblem, ViewpointSearchField } from '../../catalog/viewpointSearchForm.ts';

const t = vscode.l10n.t;

/** The label and the hint of each search field, in display order. */
export const fieldLabels: Readonly<
  Record<ViewpointSearchField, () => readonly [label: string, hint: string]>
> = {
  text: () => [t('Text'), t('part of the name or the description, in this letter case')],
  name: () => [t('Name'), t('part of the name, in this letter case')],
  description: () => [t('Description'), t('part of the description, in this letter case')],
  id: () => [t('Identifier'), t('the whole identifier')],
  after: () => [
    t('Changed after'),
    t('2025-12-31, 2025-12-31 14:30, an ISO time or a timestamp in milliseconds'),
  ],
  before: () => [
    t('Changed before'),
    t('2025-12-31, 2025-12-31 14:30, an ISO time or a timestamp in milliseconds'),
  ],
  apps: () => [t('Shared with apps'), t('all of them, with commas between')],
  groups: () => [t('Shared with groups'), t('all of them, with commas between')],
  users: () => [t('Shared with users'), t('all of them, with commas between')],
  published: () => [t('Published'), t('yes or no')],
  datamodel: () => [t('Datamodel'), t('the whole title of its datasource')],
  column: () => [t('Uses column'), t('Table.Column, or a table alone')],
  details: () => [
    t('Details as JSON'),
    t('a part of the details, such as {0}', '{"columns":[{"agg":"sum"}]}'),
  ],
};

export function describeFieldProblem(problem: FieldProblem | undefined): string | undefined {
  switch (problem) {
    case 'not-a-time':
      return t('This is no time. Examples: 2025-12-31, 2025-12-31 14:30, 2025-12-31T14:30:00Z');
    case 'not-json':
      return t('This is not JSON.');
    case 'not-an-object':
      return t('This is not a JSON object.');
    case undefined:
      return undefined;
  }
}
