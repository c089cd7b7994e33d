import type { JsonValue } from '../../base/json.ts';
import { sortByText } from '../../base/sortByText.ts';
import type { ConvertedInstance } from '../instance/convertInstance.ts';
import { type ItemKey, formatItemKey, getOwnerKeys } from '../item.ts';
import { matchContents } from '../compare/matchContents.ts';
import type { Decision } from './decideUnit.ts';
import { type PullEntry, type PullUnit, getEntries } from './pullUnits.ts';

/** A change that was made in the project and that a pull keeps. */
export interface LocalChange {
  readonly key: ItemKey;
  readonly state: 'created' | 'changed' | 'deleted';
  /** The path of the file; absent for what was deleted. */
  readonly path: string | undefined;
}

/**
 * Finds the local changes that a pull keeps, sorted by key. What belongs to a deleted item is not listed separately.
 */
export function findLocalChanges(
  decisions: ReadonlyMap<PullUnit, Decision>,
  { getPulledName }: Pick<ConvertedInstance, 'getPulledName'>,
): readonly LocalChange[] {
  const changes = [...decisions].flatMap(([unit, decision]) => {
    switch (decision.kind) {
      case 'merged':
        return getEntries(unit).flatMap((entry) =>
          compareEntry(entry, decision.contents.get(entry), getPulledName),
        );
      case 'local':
        return getEntries(unit).flatMap((entry) => compareEntry(entry, entry.ours?.content, getPulledName));
      case 'conflict':
      case 'deleted':
      case 'gone':
      case 'renamed':
      case 'unknown':
        return [];
    }
  });
  const deleted = new Set(
    changes.filter(({ state }) => state === 'deleted').map(({ key }) => formatItemKey(key)),
  );
  return sortByText(
    changes.filter(
      ({ key, state }) =>
        state !== 'deleted' || !getOwnerKeys(key).some((owner) => deleted.has(formatItemKey(owner))),
    ),
    ({ key }) => formatItemKey(key),
  );
}

/** @param content what the project has after the pull */
function compareEntry(
  { key, ours, theirs, base }: PullEntry,
  content: JsonValue | undefined,
  getPulledName: ConvertedInstance['getPulledName'],
): readonly LocalChange[] {
  if (theirs === undefined) {
    // An item that was last seen on the instance was deleted there, not created here.
    return ours === undefined || content === undefined || base !== undefined
      ? []
      : [{ key, state: 'created', path: ours.path }];
  }
  if (content === undefined) {
    return [{ key, state: 'deleted', path: undefined }];
  }
  // What an apply wouldn't change is no change: members that only the instance has, and what it derives from SQL.
  return ours === undefined || matchContents({ key, content }, theirs, getPulledName) !== 'different'
    ? []
    : [{ key, state: 'changed', path: ours.path }];
}
