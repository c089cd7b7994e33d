import * as vscode from 'vscode';
import { resourceIcons } from '../../platform/resourceIcons.ts';
import { toPlainText } from '../../platform/serverText.ts';
import { getShortMessage } from '../../platform/userErrors.ts';
import { type FindResult, getResultKey } from './findResult.ts';
import type { SearchFailure, SearchRemainder } from './serverSearch.ts';

/** An item of the result list; without `result` and `remainder`, it is only a message. */
export interface FindItem extends vscode.QuickPickItem {
  /** Identifies the item; stays the same when the list is updated. */
  readonly key: string;
  readonly result?: FindResult;
  /** The search to continue when the user accepts the item. */
  readonly remainder?: SearchRemainder;
  /** Whether accepting the item loads the next page. */
  readonly loadsNextPage?: boolean;
}

export const createRevealButton = (): vscode.QuickInputButton => ({
  iconPath: new vscode.ThemeIcon('list-tree'),
  tooltip: vscode.l10n.t('Reveal in Connections View'),
});

/** Creates the item of a result. It is always shown, since a result may match by more than its label. */
export const createResultItem = (result: FindResult, showsConnection: boolean): FindItem => ({
  key: getResultKey(result),
  label: toPlainText(result.name),
  description: [...(showsConnection ? [result.connection.name] : []), ...result.within]
    .map(toPlainText)
    .join(' › '),
  iconPath: new vscode.ThemeIcon(resourceIcons[result.ref.kind]),
  alwaysShow: true,
  buttons: [createRevealButton()],
  result,
});

export const createFailureItem = ({ connection, datamodelTitle, error }: SearchFailure): FindItem => ({
  key: `failure ${connection.id} ${datamodelTitle ?? ''}`,
  label:
    datamodelTitle === undefined
      ? vscode.l10n.t("Couldn't search {0}", toPlainText(connection.name))
      : vscode.l10n.t(
          "Couldn't search {0} of {1}",
          toPlainText(datamodelTitle),
          toPlainText(connection.name),
        ),
  description: toPlainText(getShortMessage(error)),
  iconPath: new vscode.ThemeIcon('warning'),
  alwaysShow: true,
});

/** Creates the item for a viewpoint that a server found but that cannot be read. */
export const createUnreadableItem = (message: string): FindItem => ({
  key: `unreadable ${message}`,
  label: message,
  iconPath: new vscode.ThemeIcon('warning'),
  alwaysShow: true,
});

export const createRemainderItem = (remainder: SearchRemainder): FindItem => ({
  key: `remainder ${remainder.kind} ${remainder.connection.id}`,
  ...describeRemainder(remainder),
  iconPath: new vscode.ThemeIcon('ellipsis'),
  alwaysShow: true,
  remainder,
});

function describeRemainder({
  kind,
  connection,
  count,
}: SearchRemainder): Pick<FindItem, 'label' | 'description'> {
  const name = toPlainText(connection.name);
  if (kind === 'viewpoints') {
    return {
      label:
        count === undefined
          ? vscode.l10n.t('Show more viewpoints of {0}', name)
          : vscode.l10n.t('Show more viewpoints of {1} ({0} remaining)', count, name),
    };
  }
  return {
    label:
      count === 1
        ? vscode.l10n.t('Search 1 more datamodel of {0}', name)
        : vscode.l10n.t('Search {0} more datamodels of {1}', count ?? 0, name),
    description: vscode.l10n.t('not searched yet'),
  };
}

/** Creates the item that reports more matches than the list shows. */
export const createLimitItem = (count: number): FindItem => ({
  key: 'limit',
  label: vscode.l10n.t('Only the {0} best matches are shown', count),
  description: vscode.l10n.t('type more to narrow the results'),
  iconPath: new vscode.ThemeIcon('info'),
  alwaysShow: true,
});
