import * as vscode from 'vscode';
import type { ResourceKind } from '../../catalog/resourceRef.ts';
import { plainText } from '../../platform/serverText.ts';
import { shortMessage } from '../../platform/userErrors.ts';
import { type Found, keyOf } from './found.ts';
import type { SearchFailure, SearchRest } from './serverSearch.ts';

/** One line of the list of finds; one without `found` and `rest` only tells something. */
export interface FindItem extends vscode.QuickPickItem {
  /** What the line stands for, the same whenever the list comes anew. */
  readonly key: string;
  readonly found?: Found;
  /** What accepting the line looks through as well. */
  readonly rest?: SearchRest;
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
  key: keyOf(found),
  label: plainText(found.name),
  description: [...(showConnection ? [found.connection.name] : []), ...found.within]
    .map(plainText)
    .join(' › '),
  iconPath: new vscode.ThemeIcon(icons[found.ref.kind] ?? 'symbol-misc'),
  alwaysShow: true,
  buttons: [revealButton()],
  found,
});

export const failureItem = ({ connection, datamodel, error }: SearchFailure): FindItem => ({
  key: `failure ${connection.id} ${datamodel ?? ''}`,
  label:
    datamodel === undefined
      ? vscode.l10n.t('{0} could not be searched', plainText(connection.name))
      : vscode.l10n.t('{0} of {1} could not be searched', plainText(datamodel), plainText(connection.name)),
  description: plainText(shortMessage(error)),
  iconPath: new vscode.ThemeIcon('warning'),
  alwaysShow: true,
});

/** Tells of a viewpoint that a server found and that cannot be read. */
export const unreadableItem = (words: string): FindItem => ({
  key: `unreadable ${words}`,
  label: words,
  iconPath: new vscode.ThemeIcon('warning'),
  alwaysShow: true,
});

export const restItem = (rest: SearchRest): FindItem => ({
  key: `rest ${rest.kind} ${rest.connection.id}`,
  ...restWords(rest),
  iconPath: new vscode.ThemeIcon('ellipsis'),
  alwaysShow: true,
  rest,
});

function restWords({ kind, connection, count }: SearchRest): Pick<FindItem, 'label' | 'description'> {
  const name = plainText(connection.name);
  if (kind === 'viewpoints') {
    return {
      label:
        count === undefined
          ? vscode.l10n.t('Show more viewpoints of {0}', name)
          : vscode.l10n.t('Show more of the {0} viewpoints of {1} that are left', count, name),
    };
  }
  return {
    label: vscode.l10n.t('Search {0} more datamodels of {1}', count ?? 0, name),
    description: vscode.l10n.t('what is in them was not looked at yet'),
  };
}

/** Tells that more fits than the list has. */
export const boundItem = (count: number): FindItem => ({
  key: 'bound',
  label: vscode.l10n.t('Only the {0} best are shown', count),
  description: vscode.l10n.t('type more of the name'),
  iconPath: new vscode.ThemeIcon('info'),
  alwaysShow: true,
});
