import { getObjects, getText, hasColumnSettings, isEmpty } from '../../changes/model/jsonMembers.ts';
import { getMember, isJsonObject, type JsonValue } from '../../base/json.ts';
import { isCustomTable } from '../compare/compareContents.ts';
import { isItemDefault } from '../compare/instanceDefaults.ts';
import { type PartHashes, appendToken, getRootMemberName, hashParts } from '../compare/parts.ts';
import type { ConvertedInstance } from '../instance/convertInstance.ts';
import { type ItemKey, type ProjectItem, formatItemKey, parseItemKey } from '../item.ts';
import type { Lock } from '../pull/lock.ts';

/** An instance after a rollback. */
export interface RestoredInstance {
  readonly pulled: Pick<ConvertedInstance, 'items' | 'identities'>;
  readonly isUncomparable: (key: ItemKey) => boolean;
  /** The current IDs of what was restored, by the IDs that the items had. */
  readonly restoredIds: ReadonlyMap<string, string>;
}

/**
 * Returns a lock with the new IDs of what a rollback has restored. The columns of a restored custom table are generated
 * again, without their settings, their SQL, and what referred to them. Nobody has changed these, so the lock records
 * the generated columns, and no longer what was lost: then another apply can write it.
 */
export function renewRestoredEntries(
  lock: Lock,
  { pulled, isUncomparable, restoredIds }: RestoredInstance,
): Lock {
  if (restoredIds.size === 0) {
    return lock;
  }
  const current = new Map(pulled.items.map(({ key, content }) => [formatItemKey(key), content]));
  const entries = new Map(lock.entries);
  const generatedTables = new Set<string>();
  for (const { key, oid, columns } of pulled.identities) {
    const text = formatItemKey(key);
    const entry = entries.get(text);
    const content = current.get(text);
    if (entry?.oid === undefined || content === undefined || restoredIds.get(entry.oid) !== oid) {
      continue;
    }
    const isGenerated = key.kind === 'table' && isCustomTable(content);
    if (isGenerated) {
      generatedTables.add(text);
    }
    entries.set(text, {
      ...entry,
      oid,
      ...(columns === undefined ? {} : { columns }),
      parts: addDefaults(isGenerated ? replaceGeneratedColumns(entry.parts, content) : entry.parts, {
        key,
        content,
      }),
    });
  }
  for (const text of lock.entries.keys()) {
    const key = parseItemKey(text);
    const isLost =
      !current.has(text) &&
      key !== undefined &&
      !isUncomparable(key) &&
      getTablesOfColumns(key).some((table) => generatedTables.has(formatItemKey(table)));
    if (isLost) {
      entries.delete(text);
    }
  }
  return { ...lock, entries };
}

/**
 * Adds the hashes of the members that the instance has set by itself when the item was created again. Otherwise, they
 * would count as added by others.
 */
function addDefaults(parts: PartHashes, { key, content }: ProjectItem): PartHashes {
  const members = new Set([...parts.keys()].map(getMemberName));
  const added = Object.entries(isJsonObject(content) ? content : {})
    .filter(([name, value]) => !members.has(name) && isItemDefault(key, name, value))
    .map(([name]) => name);
  if (added.length === 0) {
    return parts;
  }
  const current = hashParts(content);
  // In the order of the item, because the order is compared, too.
  return new Map(
    [...new Set([...current.keys(), ...parts.keys()])].flatMap((pointer) => {
      const hash = (added.includes(getMemberName(pointer)) ? current : parts).get(pointer);
      return hash === undefined ? [] : [[pointer, hash] as const];
    }),
  );
}

const getMemberName = (pointer: string): string => getRootMemberName(pointer.split('/', 2).join('/'));

/** The pointer of the column by which a table accumulates (platform-facts.md, 2.4). */
const accumulationPointer = '/buildBehavior/accumulativeConfig';

/**
 * Replaces the hashes of the columns of a table, and of the setting that refers to one, by those of the generated
 * columns. If a column has settings, somebody has changed it since, so its hash stays as last seen.
 */
function replaceGeneratedColumns(parts: PartHashes, table: JsonValue): PartHashes {
  const isReplaced = (pointer: string): boolean =>
    pointer === accumulationPointer || /^\/columns(\/|$)/.test(pointer);
  const changed = new Set([
    ...getObjects(getMember(table, 'columns'))
      .filter(hasColumnSettings)
      .map(({ name }) => appendToken('/columns', getText(name))),
    ...(isEmpty(getMember(getMember(table, 'buildBehavior'), 'accumulativeConfig'))
      ? []
      : [accumulationPointer]),
  ]);
  const current = [...hashParts(table)].map(
    ([pointer, hash]) =>
      [pointer, isReplaced(pointer) && !changed.has(pointer) ? hash : parts.get(pointer)] as const,
  );
  // In the order of the table, because the order is compared, too.
  return new Map(
    [...current, ...[...parts].filter(([pointer]) => !isReplaced(pointer))].flatMap(([pointer, hash]) =>
      hash === undefined ? [] : [[pointer, hash] as const],
    ),
  );
}

/** Returns the tables whose columns an item can't exist without. */
function getTablesOfColumns(key: ItemKey): readonly ItemKey[] {
  const tables =
    key.kind === 'relation'
      ? key.columns.map(({ table }) => table)
      : key.kind === 'columnExpression'
        ? [key.table]
        : [];
  return 'datamodel' in key
    ? tables.map((table) => ({ kind: 'table', datamodel: key.datamodel, table }))
    : [];
}
