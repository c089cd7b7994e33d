import * as vscode from 'vscode';
import { toPlainText } from '../../platform/serverText.ts';
import type { ItemKey } from '../../project/item.ts';
import {
  type ItemStatus,
  type SideChange,
  type SideState,
  type StatusGroup,
  getStatusGroup,
  isChange,
} from '../../project/status/itemStatus.ts';

const t = vscode.l10n.t;

/** Describes how an item has changed in the project and on the server, and what to do about a deletion or conflict. */
export function describeItemStatus({
  key,
  here,
  server,
  isConflict,
  isNeverPulled,
  formerName,
}: ItemStatus): string {
  if (isNeverPulled) {
    return t("Differs from the server. It was never pulled, so it's unknown which side has changed.");
  }
  const sides = [describeHere(here, server, formerName), describeServer(server)].filter(
    (side) => side !== undefined,
  );
  const note = isConflict
    ? t('Conflict: both sides changed the same part.')
    : here === 'deleted'
      ? t('To delete it on the server, select Include Deletions… in a plan.')
      : server === 'deleted' && !isSql(key)
        ? t(
            "A pull keeps the item's files, and an apply creates it again. To accept the deletion, delete its files.",
          )
        : undefined;
  return [sides.join(' · '), ...(note === undefined ? [] : [note])].join('. ');
}

/** Returns whether an item is SQL: a pull deletes the file of SQL that the server no longer has. */
const isSql = ({ kind }: ItemKey): boolean => kind === 'tableExpression' || kind === 'columnExpression';

function describeHere(
  state: SideState,
  server: SideState,
  formerName: string | undefined,
): string | undefined {
  switch (state) {
    case 'added':
      // The item may also exist on the server: a first pull leaves files in conflict unchanged.
      return server === 'unknown'
        ? t('Not in the last pull: either added here, or different on the server')
        : t('Added here');
    case 'changed':
      return formerName === undefined
        ? t('Changed here')
        : t('Renamed here from {0}', toPlainText(formerName));
    case 'deleted':
      return t('Deleted here');
    case 'unchanged':
    case 'unknown':
      return undefined;
  }
}

function describeServer(state: SideState): string | undefined {
  switch (state) {
    case 'added':
      return t('Added on the server');
    case 'changed':
      return t('Changed on the server');
    case 'deleted':
      return t('Deleted on the server');
    case 'unchanged':
    case 'unknown':
      return undefined;
  }
}

/** The state of an item that its badge shows. */
type BadgeKind = SideChange | 'renamed' | 'differs' | 'conflict';

const badgeLetters: Readonly<Record<SideChange | 'renamed', string>> = {
  added: 'A',
  changed: 'M',
  deleted: 'D',
  renamed: 'R',
};

const badgeColors: Readonly<Record<BadgeKind, string>> = {
  added: 'gitDecoration.addedResourceForeground',
  changed: 'gitDecoration.modifiedResourceForeground',
  deleted: 'gitDecoration.deletedResourceForeground',
  renamed: 'gitDecoration.renamedResourceForeground',
  differs: 'gitDecoration.modifiedResourceForeground',
  conflict: 'gitDecoration.conflictingResourceForeground',
};

/**
 * Returns the badge of an item: a letter as in Git, and an arrow to the side that has yet to get the change; or a sign
 * alone for a conflict, for changes on both sides, and for a difference that was never pulled.
 */
export function createItemDecoration(item: ItemStatus): vscode.FileDecoration {
  const kind = getBadgeKind(item);
  return new vscode.FileDecoration(
    getBadge(kind, getStatusGroup(item)),
    describeItemStatus(item),
    kind === undefined ? undefined : new vscode.ThemeColor(badgeColors[kind]),
  );
}

/** Returns the badge of a file whose status is unknown. Its tooltip is the only one that the editor shows for a row. */
export const createProblemDecoration = (problem: string): vscode.FileDecoration =>
  new vscode.FileDecoration('?', problem);

function getBadgeKind({
  here,
  server,
  isConflict,
  isNeverPulled,
  formerName,
}: ItemStatus): BadgeKind | undefined {
  return isConflict
    ? 'conflict'
    : isNeverPulled
      ? 'differs'
      : formerName === undefined
        ? [here, server].find(isChange)
        : 'renamed';
}

function getBadge(kind: BadgeKind | undefined, group: StatusGroup): string {
  if (kind === 'conflict') {
    return '!';
  }
  if (kind === 'differs') {
    return '≠';
  }
  const letter = kind === undefined ? '' : badgeLetters[kind];
  return group === 'both' ? '↕' : `${letter}${group === 'server' ? '↓' : '↑'}`;
}
