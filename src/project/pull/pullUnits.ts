import type { FileItem, Project } from '../files/project.ts';
import type { ConvertedInstance } from '../instance/convertInstance.ts';
import { type ItemKey, type ProjectItem, formatItemKey, parseItemKey } from '../item.ts';
import type { Lock, LockEntry } from './lock.ts';

/** An item as it is in the project, on the instance, and in the lock. */
export interface PullEntry {
  /** The key on the instance. */
  readonly key: ItemKey;
  readonly mine: FileItem | undefined;
  readonly theirs: ProjectItem | undefined;
  readonly base: LockEntry | undefined;
  /** The text of the key in the lock, which is another one if the item was renamed on the instance. */
  readonly baseKey: string;
}

/** What is planned together: a table with its SQL, as its file refers to that, or a single item. */
export interface PullUnit {
  readonly owner: PullEntry;
  readonly expressions: readonly PullEntry[];
}

export const getEntries = ({ owner, expressions }: PullUnit): readonly PullEntry[] => [owner, ...expressions];

/** Something that was renamed on the instance, as its identifier shows. */
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

/** Returns the units of all items, sorted by key, and the renames that they take into account. */
export function createUnits(sides: PullSides): {
  readonly units: readonly PullUnit[];
  readonly renames: readonly ItemRename[];
} {
  const renames = findRenames(sides);
  const rename = createRenamer(renames);
  const mine = new Map(sides.project.items.map((item) => [formatItemKey(rename(item.key)), item]));
  const theirs = new Map(sides.pulled.items.map((item) => [formatItemKey(item.key), item]));
  const bases = new Map(
    [...sides.lock.entries].flatMap(([baseKey, base]) => {
      const key = parseItemKey(baseKey);
      return key === undefined ? [] : [[formatItemKey(rename(key)), { baseKey, base }] as const];
    }),
  );
  const ownerKeys = new Map<string, ItemKey>();
  const expressionKeys = new Map<string, ItemKey[]>();
  for (const text of new Set([...mine.keys(), ...theirs.keys(), ...bases.keys()].toSorted())) {
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
    return { key, mine: mine.get(text), theirs: theirs.get(text), base, baseKey };
  };
  const units = [...ownerKeys].map(([text, key]) => ({
    owner: createEntry(key),
    expressions: (expressionKeys.get(text) ?? []).map(createEntry),
  }));
  const myKeys = new Set(sides.project.items.map(({ key }) => formatItemKey(key)));
  return { units, renames: renames.filter(({ from }) => myKeys.has(formatItemKey(from))) };
}

const getOwnerKey = (key: ItemKey): ItemKey =>
  key.kind === 'tableExpression' || key.kind === 'columnExpression'
    ? { kind: 'table', datamodel: key.datamodel, table: key.table }
    : key;

/**
 * Finds items of the project whose identifier has another name on the instance. The project may have the new name
 * already: then it has renamed the item, and an apply has brought that to the instance.
 */
function findRenames({ project, lock, pulled }: PullSides): readonly ItemRename[] {
  const baseKeysByOid = Map.groupBy(lock.entries.keys(), (text) => {
    const oid = lock.entries.get(text)?.oid;
    return oid === undefined ? undefined : `${parseItemKey(text)?.kind ?? ''} ${oid}`;
  });
  const myKeys = new Set(project.items.map(({ key }) => formatItemKey(key)));
  const theirKeys = new Set(pulled.items.map(({ key }) => formatItemKey(key)));
  return pulled.identities.flatMap(({ key: to, oid }) => {
    const [fromText, ...others] = baseKeysByOid.get(`${to.kind} ${oid}`) ?? [];
    const from = fromText === undefined ? undefined : parseItemKey(fromText);
    const toText = formatItemKey(to);
    return fromText !== undefined &&
      from !== undefined &&
      others.length === 0 &&
      myKeys.has(fromText) !== myKeys.has(toText) &&
      !theirKeys.has(fromText) &&
      theirKeys.has(toText) &&
      !lock.entries.has(toText)
      ? [{ from, to }]
      : [];
  });
}

/** Returns a function that gives an item of the project the key that it has on the instance. */
function createRenamer(renames: readonly ItemRename[]): (key: ItemKey) => ItemKey {
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
