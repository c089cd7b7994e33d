import type { FileItem, Project } from '../files/project.ts';
import type { ConvertedInstance } from '../instance/convertInstance.ts';
import { type ItemKey, type ProjectItem, formatItemKey, parseItemKey } from '../item.ts';
import type { Lock, LockEntry } from './lock.ts';

/** An item as it is in the project, on the instance, and in the lock. */
export interface PullEntry {
  /** The key on the instance, unless the item is `pulled` under another one. */
  readonly key: ItemKey;
  /** The item in the files of the project. */
  readonly ours: FileItem | undefined;
  /** The item on the instance. */
  readonly theirs: ProjectItem | undefined;
  /** The item as the instance has it, if it has former names there; `theirs` then has those of the project. */
  readonly pulled?: ProjectItem;
  /** The item as it was last seen on both. */
  readonly base: LockEntry | undefined;
  /** The text of the key in the lock. It differs from `key` if the item was renamed on the instance. */
  readonly baseKey: string;
}

/** Items that are planned together: a table and the SQL that its file refers to, or a single item. */
export interface PullUnit {
  /** The table, or the single item. */
  readonly owner: PullEntry;
  /** The SQL of the table and of its columns. */
  readonly expressions: readonly PullEntry[];
}

export const getEntries = ({ owner, expressions }: PullUnit): readonly PullEntry[] => [owner, ...expressions];

/** An item that was renamed on the instance, according to its identifier. */
export interface ItemRename {
  readonly from: ItemKey;
  readonly to: ItemKey;
}

/** What a pull compares. */
export interface PullSides {
  readonly project: Project;
  readonly lock: Lock;
  readonly pulled: ConvertedInstance;
}

/** Returns the units of all items, sorted by key, and the renames on the instance. */
export function createUnits(sides: PullSides): {
  readonly units: readonly PullUnit[];
  readonly renames: readonly ItemRename[];
} {
  const renames = findRenames(sides);
  const rename = createRenamer(renames, findColumnRenames(sides, renames));
  const projectItems = new Map(sides.project.items.map((item) => [formatItemKey(rename(item.key)), item]));
  const instanceItems = new Map(sides.pulled.items.map((item) => [formatItemKey(item.key), item]));
  const bases = new Map(
    [...sides.lock.entries].flatMap(([baseKey, base]) => {
      const key = parseItemKey(baseKey);
      return key === undefined ? [] : [[formatItemKey(rename(key)), { baseKey, base }] as const];
    }),
  );
  const ownerKeys = new Map<string, ItemKey>();
  const expressionKeys = new Map<string, ItemKey[]>();
  for (const text of new Set([...projectItems.keys(), ...instanceItems.keys(), ...bases.keys()].toSorted())) {
    const key = parseItemKey(text);
    if (key !== undefined) {
      const ownerKey = getOwnerKey(key);
      const ownerText = formatItemKey(ownerKey);
      ownerKeys.set(ownerText, ownerKey);
      if (ownerText !== text) {
        expressionKeys.set(ownerText, [...(expressionKeys.get(ownerText) ?? []), key]);
      }
    }
  }
  const createEntry = (key: ItemKey): PullEntry => {
    const text = formatItemKey(key);
    const { base, baseKey = text } = bases.get(text) ?? {};
    return { key, ours: projectItems.get(text), theirs: instanceItems.get(text), base, baseKey };
  };
  const units = [...ownerKeys].map(([text, key]) => ({
    owner: createEntry(key),
    expressions: (expressionKeys.get(text) ?? []).map(createEntry),
  }));
  const projectKeys = new Set(sides.project.items.map(({ key }) => formatItemKey(key)));
  return { units, renames: renames.filter(({ from }) => projectKeys.has(formatItemKey(from))) };
}

/** Returns the key of the unit that an item belongs to: for SQL, that of its table. */
export const getOwnerKey = (key: ItemKey): ItemKey =>
  key.kind === 'tableExpression' || key.kind === 'columnExpression'
    ? { kind: 'table', datamodel: key.datamodel, table: key.table }
    : key;

/**
 * Finds items of the project whose identifier has another name on the instance. If the project already uses the new
 * name, it was the project that renamed the item, and an apply has sent that to the instance.
 */
function findRenames({ project, lock, pulled }: PullSides): readonly ItemRename[] {
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
type ColumnRenames = ReadonlyMap<string, ReadonlyMap<string, string>>;

/** Finds columns that were renamed on the instance, so that their SQL keeps its file and its local changes. */
function findColumnRenames({ lock, pulled }: PullSides, renames: readonly ItemRename[]): ColumnRenames {
  const oldKeys = new Map(renames.map(({ from, to }) => [formatItemKey(to), formatItemKey(from)]));
  return new Map(
    pulled.identities.flatMap(({ key, columns = {} }) => {
      const text = formatItemKey(key);
      const seenColumns = lock.entries.get(oldKeys.get(text) ?? text)?.columns ?? {};
      const oldNames = new Map(Object.entries(seenColumns).map(([name, oid]) => [oid, name]));
      const names = Object.entries(columns).flatMap(([name, oid]) => {
        const oldName = oldNames.get(oid);
        return oldName !== undefined && !Object.hasOwn(columns, oldName) && !Object.hasOwn(seenColumns, name)
          ? [[oldName, name] as const]
          : [];
      });
      return names.length === 0 ? [] : [[text, new Map(names)] as const];
    }),
  );
}

/** Returns a function that converts the key of an item in the project to its key on the instance. */
function createRenamer(
  renames: readonly ItemRename[],
  columnRenames: ColumnRenames,
): (key: ItemKey) => ItemKey {
  const renameColumn = (key: ItemKey): ItemKey =>
    key.kind === 'columnExpression'
      ? {
          ...key,
          column: columnRenames.get(formatItemKey(getOwnerKey(key)))?.get(key.column) ?? key.column,
        }
      : key;
  const renameOwner = createOwnerRenamer(renames);
  return (key) => renameColumn(renameOwner(key));
}

function createOwnerRenamer(renames: readonly ItemRename[]): (key: ItemKey) => ItemKey {
  const byKey = new Map(renames.map(({ from, to }) => [formatItemKey(from), to]));
  return (key) => {
    const renamed = byKey.get(formatItemKey(key));
    if (renamed !== undefined || !('datamodel' in key)) {
      return renamed ?? key;
    }
    const table = byKey.get(formatItemKey(getOwnerKey(key)));
    if (table?.kind === 'table' && (key.kind === 'tableExpression' || key.kind === 'columnExpression')) {
      return { ...key, datamodel: table.datamodel, table: table.table };
    }
    const datamodel = byKey.get(formatItemKey({ kind: 'datamodel', datamodel: key.datamodel }));
    return datamodel?.kind === 'datamodel' ? { ...key, datamodel: datamodel.datamodel } : key;
  };
}
