import type { FileItem, Project } from '../files/project.ts';
import type { ConvertedInstance } from '../instance/convertInstance.ts';
import { type ItemKey, type ProjectItem, formatItemKey, parseItemKey } from '../item.ts';
import { getColumnsByName } from '../compare/normalizeContent.ts';
import type { Lock, LockEntry } from './lock.ts';
import { type MovedRules, type RenamedTable, findMovedRules } from './movedRules.ts';

/** An item as it is in the project, on the instance, and in the lock. */
export interface PullEntry {
  /**
   * The key of the item: with its name on the instance, or with its new name in the project if `instanceItem` is set.
   */
  readonly key: ItemKey;
  /** The item in the files of the project. */
  readonly ours: FileItem | undefined;
  /** The item on the instance. */
  readonly theirs: ProjectItem | undefined;
  /** The item with its former names on the instance; set if `theirs` has the new names of the project. */
  readonly instanceItem?: ProjectItem;
  /** The item in the lock, as it was last seen on the instance. */
  readonly base: LockEntry | undefined;
  /** The text of the key in the lock. It differs from `key` if the item was renamed on the instance. */
  readonly baseKey: string;
  /** Set for rules that were moved to the new name of their column on the instance. */
  readonly movedRules?: MovedRules;
  /**
   * Set for an item without a lock entry, if others of the instance would have the same key with the new names of the
   * project: the keys of all of them on the instance.
   */
  readonly collidingKeys?: readonly ItemKey[];
  /** For a table: the new names of the columns that were renamed on the instance, by their former names. */
  readonly newColumnNames?: ReadonlyMap<string, string>;
}

/**
 * A *unit*: items that a pull merges as a whole, or leaves as they are. It is either a table with the SQL that its file
 * refers to and the rules that have followed a new name of the table or of a column, or any other single item.
 */
export interface MergeUnit {
  /** The table, or the single item. */
  readonly owner: PullEntry;
  /** The SQL of the table and of its columns, and the moved rules. */
  readonly dependents: readonly PullEntry[];
}

export const getUnitEntries = ({ owner, dependents }: MergeUnit): readonly PullEntry[] => [
  owner,
  ...dependents,
];

/** An item that was renamed on the instance, according to its identifier. */
export interface ItemRename {
  readonly from: ItemKey;
  readonly to: ItemKey;
}

/** A column that was renamed on the instance, according to its identifier. */
export interface InstanceColumnRename {
  /** The table on the instance. */
  readonly table: Extract<ItemKey, { kind: 'table' }>;
  readonly from: string;
  readonly to: string;
}

/** What a pull compares. */
export interface PullVersions {
  readonly project: Project;
  readonly lock: Lock;
  readonly pulled: ConvertedInstance;
}

/** The units of all items, and what was renamed on the instance. */
export interface MergeUnits {
  /** Sorted by key. */
  readonly units: readonly MergeUnit[];
  readonly renames: readonly ItemRename[];
  /** The renamed columns that the project still has under their former names. */
  readonly columnRenames: readonly InstanceColumnRename[];
}

/**
 * Creates the units of all items.
 * @param sides.isUnknownOnInstance returns whether it's unknown if the instance has an item
 */
export function createUnits(
  versions: PullVersions & { readonly isUnknownOnInstance?: ((key: ItemKey) => boolean) | undefined },
): MergeUnits {
  const renames = findRenames(versions);
  const columnNames = findNewColumnNames(versions, renames);
  const rename = createInstanceKeyMapper(renames, columnNames);
  const projectItems = new Map(versions.project.items.map((item) => [formatItemKey(rename(item.key)), item]));
  const instanceItems = new Map(versions.pulled.items.map((item) => [formatItemKey(item.key), item]));
  const bases = new Map(
    [...versions.lock.entries].flatMap(([baseKey, base]) => {
      const key = parseItemKey(baseKey);
      return key === undefined ? [] : [[formatItemKey(rename(key)), { baseKey, base }] as const];
    }),
  );
  const tables = listRenamedTables(versions, renames, columnNames);
  const moves = findMovedRules({
    tables,
    pulled: versions.pulled,
    hasItem: (key) => projectItems.has(formatItemKey(key)),
    lockKeys: tables.length === 0 ? [] : [...bases.keys()].flatMap((text) => parseItemKey(text) ?? []),
    isUnknownOnInstance: versions.isUnknownOnInstance ?? (() => false),
  });
  for (const { from, to } of moves) {
    [projectItems, bases].forEach((items) =>
      moveEntry<unknown>(items, formatItemKey(from), formatItemKey(to)),
    );
  }
  const movesByKey = new Map(moves.map((move) => [formatItemKey(move.to), move]));
  const ownerKeys = new Map<string, ItemKey>();
  const dependentKeys = new Map<string, ItemKey[]>();
  for (const text of new Set([...projectItems.keys(), ...instanceItems.keys(), ...bases.keys()].toSorted())) {
    const key = parseItemKey(text);
    if (key !== undefined) {
      const ownerKey = movesByKey.get(text)?.owner ?? getUnitOwnerKey(key);
      const ownerText = formatItemKey(ownerKey);
      ownerKeys.set(ownerText, ownerKey);
      if (ownerText !== text) {
        dependentKeys.set(ownerText, [...(dependentKeys.get(ownerText) ?? []), key]);
      }
    }
  }
  const createEntry = (key: ItemKey): PullEntry => {
    const text = formatItemKey(key);
    const { base, baseKey = text } = bases.get(text) ?? {};
    const moved = movesByKey.get(text);
    const newNames = columnNames.get(text);
    return {
      key,
      ours: projectItems.get(text),
      theirs: instanceItems.get(text),
      base,
      baseKey,
      ...(moved === undefined ? {} : { movedRules: moved }),
      ...(newNames === undefined ? {} : { newColumnNames: newNames }),
    };
  };
  const units = [...ownerKeys].map(([text, key]) => ({
    owner: createEntry(key),
    dependents: (dependentKeys.get(text) ?? []).map(createEntry),
  }));
  const projectKeys = new Set(versions.project.items.map(({ key }) => formatItemKey(key)));
  return {
    units,
    renames: renames.filter(({ from }) => projectKeys.has(formatItemKey(from))),
    columnRenames: tables.flatMap(({ key: table, columns }) => {
      const known = getColumnsByName(projectItems.get(formatItemKey(table))?.content ?? null);
      return [...columns].flatMap(([from, to]) => (known.has(from) ? [{ table, from, to }] : []));
    }),
  };
}

function moveEntry<Value>(entries: Map<string, Value>, from: string, to: string): void {
  const value = entries.get(from);
  if (value !== undefined) {
    entries.delete(from);
    entries.set(to, value);
  }
}

/** Lists the tables of the instance that were renamed since the lock was written, or whose columns were. */
const listRenamedTables = (
  { pulled }: PullVersions,
  renames: readonly ItemRename[],
  columnNames: NewColumnNames,
): readonly RenamedTable[] => {
  const formerKeys = new Map(renames.map(({ from, to }) => [formatItemKey(to), from]));
  return pulled.identities.flatMap(({ key }) => {
    if (key.kind !== 'table') {
      return [];
    }
    const text = formatItemKey(key);
    const formerKey = formerKeys.get(text);
    const formerName = formerKey?.kind === 'table' ? formerKey.table : key.table;
    const columns = columnNames.get(text) ?? new Map<string, string>();
    return formerName === key.table && columns.size === 0 ? [] : [{ key, formerName, columns }];
  });
};

/** Returns the key of the unit that an item belongs to: for SQL, that of its table. */
export const getUnitOwnerKey = (key: ItemKey): ItemKey =>
  key.kind === 'tableExpression' || key.kind === 'columnExpression'
    ? { kind: 'table', datamodel: key.datamodel, table: key.table }
    : key;

/**
 * Finds items whose identifier in the lock has another name on the instance now. If the project already uses the new
 * name, the project has renamed the item, and an apply has sent the new name to the instance.
 */
function findRenames({ project, lock, pulled }: PullVersions): readonly ItemRename[] {
  const baseKeysByOid = Map.groupBy(lock.entries.keys(), (text) => {
    const oid = lock.entries.get(text)?.oid;
    return oid === undefined ? undefined : `${parseItemKey(text)?.kind ?? ''} ${oid}`;
  });
  const projectKeys = new Set(project.items.map(({ key }) => formatItemKey(key)));
  const instanceKeys = new Set(pulled.items.map(({ key }) => formatItemKey(key)));
  return pulled.identities.flatMap(({ key: to, oid }) => {
    const [fromText, ...others] = baseKeysByOid.get(`${to.kind} ${oid}`) ?? [];
    const from = fromText === undefined ? undefined : parseItemKey(fromText);
    const toText = formatItemKey(to);
    return fromText !== undefined &&
      from !== undefined &&
      others.length === 0 &&
      projectKeys.has(fromText) !== projectKeys.has(toText) &&
      !instanceKeys.has(fromText) &&
      instanceKeys.has(toText) &&
      !lock.entries.has(toText)
      ? [{ from, to }]
      : [];
  });
}

/** The new names of columns by their old names, for each table, by the text of its key on the instance. */
type NewColumnNames = ReadonlyMap<string, ReadonlyMap<string, string>>;

/** Finds columns that were renamed on the instance, so that their SQL keeps its file and its local changes. */
function findNewColumnNames({ lock, pulled }: PullVersions, renames: readonly ItemRename[]): NewColumnNames {
  const oldKeys = new Map(renames.map(({ from, to }) => [formatItemKey(to), formatItemKey(from)]));
  return new Map(
    pulled.identities.flatMap(({ key, columns = {} }) => {
      const text = formatItemKey(key);
      const lockColumns = lock.entries.get(oldKeys.get(text) ?? text)?.columns ?? {};
      const oldNames = new Map(Object.entries(lockColumns).map(([name, oid]) => [oid, name]));
      const names = Object.entries(columns).flatMap(([name, oid]) => {
        const oldName = oldNames.get(oid);
        return oldName !== undefined && !Object.hasOwn(columns, oldName) && !Object.hasOwn(lockColumns, name)
          ? [[oldName, name] as const]
          : [];
      });
      return names.length === 0 ? [] : [[text, new Map(names)] as const];
    }),
  );
}

/** Creates a function that converts the key of an item in the project to its key on the instance. */
function createInstanceKeyMapper(
  renames: readonly ItemRename[],
  columnNames: NewColumnNames,
): (key: ItemKey) => ItemKey {
  const renameColumn = (key: ItemKey): ItemKey =>
    key.kind === 'columnExpression'
      ? {
          ...key,
          column: columnNames.get(formatItemKey(getUnitOwnerKey(key)))?.get(key.column) ?? key.column,
        }
      : key;
  const renameOwner = createOwnerKeyMapper(renames);
  return (key) => renameColumn(renameOwner(key));
}

function createOwnerKeyMapper(renames: readonly ItemRename[]): (key: ItemKey) => ItemKey {
  const byKey = new Map(renames.map(({ from, to }) => [formatItemKey(from), to]));
  return (key) => {
    const renamed = byKey.get(formatItemKey(key));
    if (renamed !== undefined || !('datamodel' in key)) {
      return renamed ?? key;
    }
    const table = byKey.get(formatItemKey(getUnitOwnerKey(key)));
    if (table?.kind === 'table' && (key.kind === 'tableExpression' || key.kind === 'columnExpression')) {
      return { ...key, datamodel: table.datamodel, table: table.table };
    }
    const datamodel = byKey.get(formatItemKey({ kind: 'datamodel', datamodel: key.datamodel }));
    return datamodel?.kind === 'datamodel' ? { ...key, datamodel: datamodel.datamodel } : key;
  };
}
