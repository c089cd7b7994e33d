import * as vscode from 'vscode';
import type { FieldProblem, ViewpointSearchField } from '../../catalog/viewpointSearchForm.ts';

const t = vscode.l10n.t;

/** The label and the hint of each search field, in display order. */
export const fieldLabels: Readonly<
  Record<ViewpointSearchField, () => readonly [label: string, hint: string]>
> = {
  text: () => [t('Text'), t('part of the name or description, case-sensitive')],
  name: () => [t('Name'), t('part of the name, case-sensitive')],
  description: () => [t('Description'), t('part of the description, case-sensitive')],
  id: () => [t('ID'), t('the complete ID')],
  after: () => [
    t('Changed after'),
    t('2025-12-31, 2025-12-31 14:30, an ISO time, or a timestamp in milliseconds'),
  ],
  before: () => [
    t('Changed before'),
    t('2025-12-31, 2025-12-31 14:30, an ISO time, or a timestamp in milliseconds'),
  ],
  apps: () => [t('Shared with apps'), t('names or IDs, separated by commas; all must match')],
  groups: () => [t('Shared with groups'), t('names or IDs, separated by commas; all must match')],
  users: () => [t('Shared with users'), t('names or IDs, separated by commas; all must match')],
  published: () => [t('Published'), t('yes or no')],
  datamodel: () => [t('Datamodel'), t('the complete title of its data source')],
  column: () => [t('Uses column'), t('Table.Column, or only a table')],
  details: () => [t('Details as JSON'), t('part of the details, such as {0}', '{"columns":[{"agg":"sum"}]}')],
};

export function describeFieldProblem(problem: FieldProblem | undefined): string | undefined {
  switch (problem) {
    case 'not-a-time':
      return t('Invalid time. Examples: 2025-12-31, 2025-12-31 14:30, 2025-12-31T14:30:00Z');
    case 'not-json':
      return t('Invalid JSON.');
    case 'not-an-object':
      return t('Enter a JSON object.');
    case undefined:
      return undefined;
  }
}
