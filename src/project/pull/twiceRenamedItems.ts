import { type JsonObject, type JsonPath, getMember, isJsonObject } from '../../base/json.ts';
import { isJsonArray } from '../../json/text/copyOnWrite.ts';
import { normalizeContent } from '../compare/normalizeContent.ts';
import { type PartHashes, appendToken, hashParts } from '../compare/parts.ts';
import type { FileItem, Project } from '../files/project.ts';
import { type ItemKey, formatItemKey, parseItemKey, renamedFromMember } from '../item.ts';
import { omitFormerNames } from './formerNames.ts';
import type { Lock, LockEntry } from './lock.ts';
import { getFormerKey } from './renames.ts';

/** The lock file of an environment, as last read. */
export interface EnvironmentLock {
  readonly environment: string;
  readonly lock: Lock;
}

type RenamableItem = FileItem & { readonly key: Extract<ItemKey, { kind: 'table' | 'viewpoint' }> };

/** The name that an item or column has in the lock file of an environment. */
interface EarlierName {
  readonly environment: string;
  readonly name: string;
}

/** An item or column that was renamed twice. */
export interface TwiceRenamedItem {
  readonly item: FileItem;
  /** The path of the item, or of the column, in the content of the file. */
  readonly path: JsonPath;
  readonly name: string;
  /** The environments whose lock files still have the first name; at least one. */
  readonly earlierNames: readonly EarlierName[];
}

/**
 * Finds tables, columns, and viewpoints that were renamed twice, while the lock file of an environment still has their
 * first name: a file has only one former name, so an apply there would create an item instead of renaming it.
 * The editor refuses such a rename (`renameInProject.ts`), but files are also edited by hand. The lock file of another
 * instance has other IDs, so the first name is recognized by the ID in the lock.
 */
export function findTwiceRenamedItems(
  project: Project,
  locks: readonly EnvironmentLock[],
): readonly TwiceRenamedItem[] {
  const renamed = project.items.filter(hasFormerNames);
  if (renamed.length === 0) {
    return [];
  }
  const knownKeys = new Set(
    project.items.flatMap(({ key, content }) => {
      const former = getFormerKey(key, content);
      return [formatItemKey(key), ...(former === undefined ? [] : [formatItemKey(former)])];
    }),
  );
  const isOrphan = (text: string): boolean => {
    const key = parseItemKey(text);
    return key !== undefined && !knownKeys.has(text) && !project.mayBeInUnreadFile(key);
  };
  return renamed
    .flatMap((item) => [
      {
        item,
        path: [],
        name: getOwnName(item.key),
        earlierNames: locks.flatMap((lock) => findEarlierItem(item, lock, isOrphan)),
      },
      ...listColumns(item).map(({ index, column, name }) => ({
        item,
        path: ['columns', index],
        name,
        earlierNames: locks.flatMap((lock) => findEarlierColumn(item, column, lock)),
      })),
    ])
    .filter(({ earlierNames }) => earlierNames.length > 0);
}

/**
 * Returns whether an item or its columns may have former names. This only searches the text, because most files have
 * none.
 */
const hasFormerNames = (item: FileItem): item is RenamableItem =>
  (item.key.kind === 'table' || item.key.kind === 'viewpoint') && item.text.includes(renamedFromMember);

/**
 * Finds the item of a lock file that an item was before, if the lock file has neither the name of the item nor its
 * former name.
 */
function findEarlierItem(
  item: RenamableItem,
  { environment, lock: { entries } }: EnvironmentLock,
  isOrphan: (text: string) => boolean,
): readonly EarlierName[] {
  const former = getFormerKey(item.key, item.content);
  if (former === undefined || [item.key, former].some((key) => entries.has(formatItemKey(key)))) {
    return [];
  }
  const parts = hashParts(normalizeContent(item.key, omitFormerNames(item)));
  const [best] = [...entries]
    .flatMap(([text, entry]) => {
      const key = parseItemKey(text);
      const isCandidate = key !== undefined && isSameList(key, item.key) && isOrphan(text);
      return isCandidate ? [{ key, similarity: getSimilarity(entry.parts, parts) }] : [];
    })
    .toSorted((a, b) => b.similarity - a.similarity);
  return best !== undefined && best.similarity >= minSimilarity
    ? [{ environment, name: getOwnName(best.key) }]
    : [];
}

/**
 * Finds the column of a lock file that a column with a former name was before, if the entry of its table has neither
 * its name nor its former name. A column that was also changed isn't recognized: lock files have only hashes of
 * columns, so it looks like a deleted one.
 */
function findEarlierColumn(
  item: RenamableItem,
  column: JsonObject,
  { environment, lock: { entries } }: EnvironmentLock,
): readonly EarlierName[] {
  const former = getFormerKey(item.key, item.content);
  const entry = entries.get(formatItemKey(item.key)) ?? (former && entries.get(formatItemKey(former)));
  const formerName = column[renamedFromMember];
  if (entry?.columns === undefined || formerName === undefined) {
    return [];
  }
  const isPulled = (name: unknown): boolean => Object.hasOwn(entry.columns ?? {}, String(name));
  if (isPulled(column['name']) || isPulled(formerName)) {
    return [];
  }
  const knownNames = new Set(
    listColumns(item).flatMap(({ column: known, name }) => [name, known[renamedFromMember]]),
  );
  const orphans = Object.keys(entry.columns).filter((name) => !knownNames.has(name));
  const earlierName = orphans.find((name) => isSameColumn(item, column, { name, parts: entry.parts }));
  return earlierName === undefined ? [] : [{ environment, name: earlierName }];
}

/** Returns whether a lock file has exactly a column, under another name. */
function isSameColumn(
  { key }: RenamableItem,
  column: JsonObject,
  { name, parts }: Pick<LockEntry, 'parts'> & { readonly name: string },
): boolean {
  const columns = [{ ...column, name }];
  const content = normalizeContent(key, omitFormerNames({ key, content: { columns } }));
  const pointer = appendToken('/columns', name);
  return hashParts(content).get(pointer) === parts.get(pointer);
}

/** The smallest share of equal parts that counts as the same item: it may have been changed since, too. */
const minSimilarity = 0.5;

/** Returns which share of the parts of an item another one has, except for its name. */
function getSimilarity(parts: PartHashes, others: PartHashes): number {
  const compared = [...parts].filter(([pointer]) => pointer !== '/name');
  const same = compared.filter(([pointer, hash]) => others.get(pointer) === hash);
  return compared.length === 0 ? 0 : same.length / compared.length;
}

const isSameList = (a: ItemKey, b: RenamableItem['key']): a is RenamableItem['key'] =>
  a.kind === b.kind && (a.kind !== 'table' || b.kind !== 'table' || a.datamodel === b.datamodel);

const getOwnName = (key: RenamableItem['key']): string => (key.kind === 'table' ? key.table : key.viewpoint);

/** Lists the columns of a table that have a name. */
function listColumns({
  key,
  content,
}: RenamableItem): readonly { readonly index: number; readonly column: JsonObject; readonly name: string }[] {
  const columns = key.kind === 'table' ? getMember(content, 'columns') : undefined;
  return (isJsonArray(columns) ? columns : []).flatMap((column, index) => {
    const name = getMember(column, 'name');
    return isJsonObject(column) && typeof name === 'string' ? [{ index, column, name }] : [];
  });
}
