import * as vscode from 'vscode';
import type { ResourceKind } from '../../catalog/resourceRef.ts';
import { plainText } from '../../platform/plainText.ts';
import { shortMessage } from '../../platform/userErrors.ts';
import type { Found } from './found.ts';
import type { SearchFailure } from './serverSearch.ts';

/** One line of the list of finds; one without `found` only tells something. */
export interface FindItem extends vscode.QuickPickItem {
  readonly found?: Found;
}

const icons: Readonly<Partial<Record<ResourceKind, string>>> = {
  datamodel: 'database',
  dataset: 'folder-library',
  table: 'table',
  column: 'symbol-field',
  relation: 'link',
  rule: 'shield',
  viewpoint: 'eye',
};

export const revealButton = (): vscode.QuickInputButton => ({
  iconPath: new vscode.ThemeIcon('list-tree'),
  tooltip: vscode.l10n.t('Reveal in Explorer'),
});

/** A find as a line. The list must not hide it: it was found by more than its label. */
export const foundItem = (found: Found, showConnection: boolean): FindItem => ({
  label: plainText(found.name),
  description: [...(showConnection ? [found.connection.name] : []), ...found.within]
    .map(plainText)
    .join(' › '),
  iconPath: new vscode.ThemeIcon(icons[found.ref.kind] ?? 'symbol-misc'),
  alwaysShow: true,
  buttons: [revealButton()],
  found,
});

export const failureItem = ({ connection, error }: SearchFailure): FindItem => ({
  label: vscode.l10n.t('{0} could not be searched', plainText(connection.name)),
  description: plainText(shortMessage(error)),
  iconPath: new vscode.ThemeIcon('warning'),
  alwaysShow: true,
});
