import * as vscode from 'vscode';
import { type ItemStatus, type SideState, getStatusGroup } from '../../project/status/itemStatus.ts';

const t = vscode.l10n.t;

/** Returns what has happened to an item on both sides, in words. */
export function describeItemStatus({ here, server, isConflict }: ItemStatus): string {
  const sides = [describeHere(here), describeServer(server)].filter((side) => side !== undefined);
  return [sides.join(' · '), ...(isConflict ? [t('Conflict: both sides changed the same part.')] : [])].join(
    '. ',
  );
}

function describeHere(state: SideState): string | undefined {
  switch (state) {
    case 'added':
      return t('Added here');
    case 'changed':
      return t('Changed here');
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

const letters: Readonly<Record<Exclude<SideState, 'unchanged' | 'unknown'>, string>> = {
  added: 'A',
  changed: 'M',
  deleted: 'D',
};

const colors: Readonly<Record<keyof typeof letters, string>> = {
  added: 'gitDecoration.addedResourceForeground',
  changed: 'gitDecoration.modifiedResourceForeground',
  deleted: 'gitDecoration.deletedResourceForeground',
};

const isChange = (state: SideState): state is keyof typeof letters => state in letters;

/** Returns the badge of an item: a letter as in Git, and an arrow to the side that has yet to get the change. */
export function createItemDecoration(item: ItemStatus): vscode.FileDecoration {
  const { here, server, isConflict } = item;
  const group = getStatusGroup(item);
  const change = [here, server].find(isChange);
  const letter = change === undefined ? '' : letters[change];
  const badge = isConflict ? '!' : group === 'both' ? '↕' : `${letter}${group === 'server' ? '↓' : '↑'}`;
  const color = isConflict
    ? 'gitDecoration.conflictingResourceForeground'
    : change === undefined
      ? undefined
      : colors[change];
  return new vscode.FileDecoration(
    badge,
    describeItemStatus(item),
    color === undefined ? undefined : new vscode.ThemeColor(color),
  );
}
