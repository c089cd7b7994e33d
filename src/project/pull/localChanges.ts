import { jsonEquals } from '../../base/canonicalJson.ts';
import { type JsonValue, getMember } from '../../base/json.ts';
import { sortByText } from '../../base/sortByText.ts';
import type { ConvertedInstance } from '../instance/convertInstance.ts';
import { type ItemKey, type ProjectItem, formatItemKey, getOwnerKeys } from '../item.ts';
import { matchContents } from '../compare/matchContents.ts';
import { getColumnsByName } from '../compare/normalizeContent.ts';
import type { Decision } from './decideUnit.ts';
import { type PullEntry, type MergeUnit, getUnitEntries } from './mergeUnits.ts';
import type { RenameItem } from './renameItems.ts';

/** A change that was made in the project and that a pull keeps. */
export interface LocalChange {
  readonly key: ItemKey;
  readonly state: 'created' | 'changed' | 'deleted';
  /** The path of the file; absent for what was deleted. */
  readonly path: string | undefined;
}

/** An entry with what the project has after the pull. */
interface KeptEntry extends PullEntry {
  readonly content: JsonValue | undefined;
}

/**
 * Finds the local changes that a pull keeps, sorted by key. What belongs to a deleted item is not listed separately.
 * @param renameItem gives items of the instance their new names in the project; `undefined` if nothing is renamed
 */
export function findLocalChanges(
  decisions: ReadonlyMap<MergeUnit, Decision>,
  { getPulledName }: Pick<ConvertedInstance, 'getPulledName'>,
  renameItem: RenameItem | undefined,
): readonly LocalChange[] {
  const entries = listKeptEntries(decisions);
  const changes = (renameItem === undefined ? entries : joinRenamedEntries(entries, renameItem)).flatMap(
    (entry) => compareEntry(entry, getPulledName),
  );
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

const listKeptEntries = (decisions: ReadonlyMap<MergeUnit, Decision>): readonly KeptEntry[] =>
  [...decisions].flatMap(([unit, decision]) => {
    switch (decision.kind) {
      case 'merged':
        return getUnitEntries(unit).map((entry) => ({ ...entry, content: decision.contents.get(entry) }));
      case 'local':
        return getUnitEntries(unit).map((entry) => ({ ...entry, content: entry.ours?.content }));
      case 'conflict':
      case 'deleted':
      case 'deleted-on-instance':
      case 'skipped':
        return [];
    }
  });

/** Joins the entry of a renamed item in the project with the entry under its former name, which is in the lock. */
function joinRenamedEntries(entries: readonly KeptEntry[], renameItem: RenameItem): readonly KeptEntry[] {
  const created = new Map(
    entries.filter(isCreated).map((entry) => [formatItemKey(entry.key), entry] as const),
  );
  const joined = entries.map((entry): KeptEntry => {
    const { key, theirs, instanceItem = theirs, content } = entry;
    if (instanceItem === undefined) {
      return entry;
    }
    const renamed = { theirs: renameItem(instanceItem), instanceItem };
    const text = formatItemKey(renamed.theirs.key);
    const successor = content === undefined ? created.get(text) : undefined;
    if (successor !== undefined) {
      created.delete(text);
    }
    return text === formatItemKey(key) || successor !== undefined
      ? { ...(successor ?? entry), ...renamed }
      : entry;
  });
  return joined.filter((entry) => !isCreated(entry) || created.has(formatItemKey(entry.key)));
}

/** Returns whether an item was created in the project. One that is in the lock was deleted on the instance instead. */
const isCreated = ({ theirs, base, content }: KeptEntry): boolean =>
  theirs === undefined && base === undefined && content !== undefined;

function compareEntry(
  entry: KeptEntry,
  getPulledName: ConvertedInstance['getPulledName'],
): readonly LocalChange[] {
  const { key, ours, theirs, instanceItem, content } = entry;
  if (theirs === undefined) {
    return ours !== undefined && isCreated(entry) ? [{ key, state: 'created', path: ours.path }] : [];
  }
  if (content === undefined) {
    return [{ key, state: 'deleted', path: undefined }];
  }
  // Differences that an apply wouldn't change don't count: members that only the instance has, members that it derives
  // from SQL, and the connection of its environment.
  const isChanged =
    hasFormerNames(theirs, instanceItem) ||
    matchContents({ key, content }, theirs, getPulledName) === 'different';
  return ours !== undefined && isChanged ? [{ key, state: 'changed', path: ours.path }] : [];
}

/** Returns whether a table, one of its columns, or a viewpoint has a former name on the instance. */
const hasFormerNames = (theirs: ProjectItem, pulled: ProjectItem | undefined): boolean =>
  pulled !== undefined &&
  (theirs.key.kind === 'table' || theirs.key.kind === 'viewpoint') &&
  !jsonEquals(listNames(theirs), listNames(pulled));

const listNames = ({ content }: ProjectItem): JsonValue => [
  getMember(content, 'name') ?? null,
  ...getColumnsByName(content).keys(),
];
