import { type JsonObject, type JsonValue, isJsonObject } from '../../base/json.ts';
import { isJsonArray } from '../../json/text/copyOnWrite.ts';
import type { ConvertedInstance } from '../instance/convertInstance.ts';
import type { ItemIdentity } from '../instance/conversionResult.ts';
import { type ItemKey, type ProjectItem, formatItemKey, parseItemKey, renamedFromMember } from '../item.ts';
import type { Lock } from './lock.ts';
import { getColumnsByName, sortRelationColumns } from '../compare/normalizeContent.ts';

/** An item that has another name on the instance than in the project. */
export interface PlannedRename {
  /** The key on the instance. */
  readonly from: ItemKey;
  /** The key in the project. */
  readonly to: ItemKey;
}

/** A column that has another name on the instance than in the project. */
export interface ColumnRename {
  readonly datamodel: string;
  /** The name of its table on the instance. */
  readonly table: string;
  readonly from: string;
  readonly to: string;
}

/** Maps names on the instance to names in the project. */
export interface Renamer {
  readonly renames: readonly PlannedRename[];
  readonly columnRenames: readonly ColumnRename[];
  /** True if every name on the instance is the name in the project. */
  readonly isEmpty: boolean;
  toProjectKey(key: ItemKey): ItemKey;
  /** Returns the name of a column in the project. */
  toProjectColumn(datamodel: string, table: string, column: string): string;
  /** Replaces the names in the `$ref` references of a content of the instance. */
  renameReferences(datamodel: string, content: JsonValue): JsonValue;
}

/** What renames are derived from. */
export interface RenameInput {
  readonly items: readonly { readonly key: ItemKey; readonly content: JsonValue }[];
  readonly lock: Lock;
  /** What the instance has; only the keys and identifiers matter. */
  readonly pulled: Pick<ConvertedInstance, 'identities'> & {
    readonly items: readonly Pick<ProjectItem, 'key'>[];
  };
}

/**
 * Finds renamed items: by the identifiers in the lock, or by `renamedFrom` in a file. A name that exists both in the
 * project and on the instance is never treated as renamed.
 */
export function deriveRenamer(input: RenameInput): Renamer {
  const renames = findItemRenames(input);
  const { renameTable } = indexRenames(renames);
  return createRenamer(renames, findColumnRenames(input, renameTable));
}

/** Creates the mapping of names that renames define. */
export function createRenamer(
  renames: readonly PlannedRename[],
  columnRenames: readonly ColumnRename[],
): Renamer {
  const { newKeyByFormerKey, renameTable } = indexRenames(renames);
  const columns = new Map(
    columnRenames.map(({ datamodel, table, from, to }) => [formatColumnKey(datamodel, table, from), to]),
  );
  const toProjectColumn = (datamodel: string, table: string, column: string): string =>
    columns.size === 0 ? column : (columns.get(formatColumnKey(datamodel, table, column)) ?? column);
  // Most plans have no renames, and then thousands of columns need no look-up.
  const isEmpty = newKeyByFormerKey.size === 0 && columns.size === 0;
  const renameColumn = (datamodel: string, { table, column }: { table: string; column: string }) => ({
    table: renameTable(datamodel, table),
    column: toProjectColumn(datamodel, table, column),
  });
  return {
    renames,
    columnRenames,
    isEmpty,
    toProjectColumn,
    toProjectKey: (key) => {
      if (isEmpty) {
        return key;
      }
      switch (key.kind) {
        case 'tableExpression':
          return { ...key, table: renameTable(key.datamodel, key.table) };
        case 'columnExpression':
        case 'rules':
          return { ...key, ...renameColumn(key.datamodel, key) };
        case 'relation':
          return {
            ...key,
            columns: sortRelationColumns(key.columns.map((column) => renameColumn(key.datamodel, column))),
          };
        case 'datamodel':
        case 'dataset':
        case 'table':
        case 'viewpoint':
        case 'cubeSetRules':
        case 'customData':
          return newKeyByFormerKey.get(formatItemKey(key)) ?? key;
      }
    },
    renameReferences: (datamodel, content) => {
      if (isEmpty) {
        return content;
      }
      const renameNames = (names: JsonObject): JsonObject => {
        const { table, column } = names;
        if (typeof table !== 'string') {
          return names;
        }
        return typeof column === 'string'
          ? { ...names, ...renameColumn(datamodel, { table, column }) }
          : { ...names, table: renameTable(datamodel, table) };
      };
      return mapReferences(content, renameNames);
    },
  };
}

/** Columns aren't items, so the key of their SQL identifies them. */
const formatColumnKey = (datamodel: string, table: string, column: string): string =>
  formatItemKey({ kind: 'columnExpression', datamodel, table, column });

/** Indexes renames by the former keys, and creates a function that renames tables. */
function indexRenames(renames: readonly PlannedRename[]) {
  const newKeyByFormerKey = new Map(renames.map(({ from, to }) => [formatItemKey(from), to]));
  return {
    newKeyByFormerKey,
    renameTable: (datamodel: string, table: string): string => {
      const to = newKeyByFormerKey.get(formatItemKey({ kind: 'table', datamodel, table }));
      return to?.kind === 'table' ? to.table : table;
    },
  };
}

function mapReferences(value: JsonValue, rename: (names: JsonObject) => JsonObject): JsonValue {
  if (isJsonArray(value)) {
    return value.map((item) => mapReferences(item, rename));
  }
  if (!isJsonObject(value)) {
    return value;
  }
  const { $ref: names } = value;
  return isJsonObject(names)
    ? { $ref: rename(names) }
    : Object.fromEntries(
        Object.entries(value).map(([name, member]) => [name, mapReferences(member, rename)]),
      );
}

/** Returns whether items of a kind have a name of their own and an identifier. */
const hasNameAndIdentifier = ({ kind }: ItemKey): boolean =>
  kind === 'datamodel' || kind === 'dataset' || kind === 'table' || kind === 'viewpoint';

function findItemRenames({ items, lock, pulled }: RenameInput): readonly PlannedRename[] {
  const projectItems = new Map(items.map((item) => [formatItemKey(item.key), item]));
  const instanceKeys = new Set(pulled.items.map(({ key }) => formatItemKey(key)));
  const renames = new Map<string, PlannedRename>();
  const targets = new Set<string>();
  const add = (from: ItemKey, to: ItemKey): void => {
    const [fromText, toText] = [formatItemKey(from), formatItemKey(to)];
    const isPossible =
      projectItems.has(toText) &&
      instanceKeys.has(fromText) &&
      !projectItems.has(fromText) &&
      !instanceKeys.has(toText);
    if (isPossible && !renames.has(fromText) && !targets.has(toText)) {
      renames.set(fromText, { from, to });
      targets.add(toText);
    }
  };
  for (const { key, content } of items) {
    const from = getFormerKey(key, content);
    if (from !== undefined) {
      add(from, key);
    }
  }
  const lockKeys = groupLockKeys(lock);
  for (const { key, oid } of pulled.identities.filter((identity) => hasNameAndIdentifier(identity.key))) {
    const [to, ...others] = lockKeys.get(`${key.kind} ${oid}`) ?? [];
    if (to !== undefined && others.length === 0) {
      add(key, to);
    }
  }
  return [...renames.values()];
}

/** Returns the key with the former name of an item, as given in its file; `undefined` if the file has none. */
export function getFormerKey(
  key: ItemKey,
  content: JsonValue,
): Extract<ItemKey, { kind: 'table' | 'viewpoint' }> | undefined {
  const name = isJsonObject(content) ? content[renamedFromMember] : undefined;
  if (typeof name !== 'string') {
    return undefined;
  }
  return key.kind === 'table'
    ? { ...key, table: name }
    : key.kind === 'viewpoint'
      ? { ...key, viewpoint: name }
      : undefined;
}

/** Returns the keys in the lock by kind and identifier. */
const groupLockKeys = ({ entries }: Lock): ReadonlyMap<string, readonly ItemKey[]> => {
  const keys = [...entries].flatMap(([text, { oid }]) => {
    const key = oid === undefined ? undefined : parseItemKey(text);
    return key === undefined ? [] : [{ key, oid }];
  });
  const groups = Map.groupBy(keys, ({ key, oid }) => `${key.kind} ${oid}`);
  return new Map([...groups].map(([id, group]) => [id, group.map(({ key }) => key)]));
};

/** @param renameTable returns the name of a table in the project */
function findColumnRenames(
  { items, lock, pulled }: RenameInput,
  renameTable: (datamodel: string, table: string) => string,
): readonly ColumnRename[] {
  const projectContents = new Map(items.map(({ key, content }) => [formatItemKey(key), content]));
  const lockColumnsByOid = new Map(
    [...lock.entries.values()].flatMap(({ oid, columns }) =>
      oid === undefined || columns === undefined ? [] : [[oid, columns] as const],
    ),
  );
  return pulled.identities.flatMap(({ key, oid, columns = {} }) => {
    if (key.kind !== 'table') {
      return [];
    }
    const { datamodel, table } = key;
    const content = projectContents.get(
      formatItemKey({ kind: 'table', datamodel, table: renameTable(datamodel, table) }),
    );
    return content === undefined
      ? []
      : findRenamedColumns(getColumnsByName(content), columns, lockColumnsByOid.get(oid) ?? {}).map(
          ([from, to]) => ({ datamodel, table, from, to }),
        );
  });
}

/** Returns the names on the instance and in the project of the columns whose names differ. */
function findRenamedColumns(
  projectColumns: ReadonlyMap<string, JsonObject>,
  instanceColumns: NonNullable<ItemIdentity['columns']>,
  lockColumns: NonNullable<ItemIdentity['columns']>,
): readonly (readonly [from: string, to: string])[] {
  // Most tables have no column that only the project has.
  if ([...projectColumns.keys()].every((name) => Object.hasOwn(instanceColumns, name))) {
    return [];
  }
  const renames = new Map<string, string>();
  const targets = new Set<string>();
  const add = (from: string, to: string): void => {
    const isPossible =
      projectColumns.has(to) &&
      Object.hasOwn(instanceColumns, from) &&
      !projectColumns.has(from) &&
      !Object.hasOwn(instanceColumns, to);
    if (isPossible && !renames.has(from) && !targets.has(to)) {
      renames.set(from, to);
      targets.add(to);
    }
  };
  for (const [name, { [renamedFromMember]: formerName }] of projectColumns) {
    if (typeof formerName === 'string') {
      add(formerName, name);
    }
  }
  const nameByOid = new Map(Object.entries(instanceColumns).map(([name, oid]) => [oid, name]));
  for (const [name, oid] of Object.entries(lockColumns)) {
    const currentName = nameByOid.get(oid);
    if (currentName !== undefined) {
      add(currentName, name);
    }
  }
  return [...renames];
}
