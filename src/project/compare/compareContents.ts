import { jsonEquals } from '../../base/canonicalJson.ts';
import { type JsonObject, type JsonValue, getMember, isJsonObject, pickMembers } from '../../base/json.ts';
import { tableProperties } from '../../contract/table.ts';
import { type ItemKey, type ItemKind, renamedFromMember } from '../item.ts';
import {
  getClearedColumnValue,
  getCurrentValue,
  isCleared,
  isClearedInColumn,
  isItemDefault,
  isRemovable,
  isRemovableInColumn,
  keepPublication,
  listAddedMembers,
  meansTheSame,
} from './instanceDefaults.ts';
import { appendToken } from './parts.ts';
import type { DifferenceNote, ItemChange, PartChange } from './itemChange.ts';
import { getColumnsByName } from './normalizeContent.ts';

/** What differs between the contents of an item. */
export interface ContentDifference {
  readonly parts: readonly PartChange[];
  readonly notes: readonly Omit<DifferenceNote, 'key'>[];
  /** The columns that only the instance has and that are not pruned. */
  readonly extraColumns: readonly string[];
  readonly expectedAdditions: NonNullable<ItemChange['expectedAdditions']>;
}

/**
 * The two contents to compare. Both are normalized (`normalizeWanted` and `normalizeContent`), and names on the
 * instance are those of the project.
 */
export interface ContentSides {
  readonly key: ItemKey;
  readonly wanted: JsonValue;
  readonly current: JsonValue;
  /** Returns the name that a column of the instance has in the project. */
  readonly getColumnName: (name: string) => string;
  /** Whether columns that only the instance has are deleted. */
  readonly prunesColumns: boolean;
  /**
   * Returns whether the instance still has a part as the lock recorded it. If this is omitted, every part counts as
   * unchanged, so nothing counts as added by others.
   */
  readonly isPartUnchanged?: (part: PartChange) => boolean;
}

/** Members of a table that only help the reader of its file, or that are compared separately. */
const skippedTableMembers: ReadonlySet<string> = new Set(['name', 'columns', renamedFromMember]);

/**
 * The members of an item that a request can set (rest-api.md, "Datamodel", "Dataset", "Table", "Relation"). For kinds
 * that aren't listed, requests can set all members.
 */
const writableMembers: Readonly<Partial<Record<ItemKind, ReadonlySet<string>>>> = {
  datamodel: new Set(),
  dataset: new Set(['connection']),
  table: new Set(tableProperties),
  relation: new Set(),
};

/**
 * The members of a column that people set (platform-facts.md, 2.2 and "ColumnInput"). Instances may set other ones by
 * themselves.
 */
const columnSettings: ReadonlySet<string> = new Set([
  'description',
  'hidden',
  'indexed',
  'import',
  'isUpsertBy',
]);

/**
 * Compares the contents of an item. A member that is not in the file is not a difference, because servers add members
 * of their own; it has a note if a request could change it. Null in a file removes a member. Rules, SQL, and the values
 * of members are compared as a whole.
 */
export function compareContents(sides: ContentSides): ContentDifference {
  const { key, wanted, current, isPartUnchanged = assumeUnchanged } = sides;
  if (jsonEquals(wanted, current)) {
    return noDifference;
  }
  if (!isJsonObject(wanted) || !isJsonObject(current)) {
    return { ...noDifference, parts: [{ pointer: '', before: current, after: wanted }] };
  }
  const writable = writableMembers[key.kind];
  const parts: PartChange[] = [];
  const notes: Omit<DifferenceNote, 'key'>[] = [];
  for (const [name, value] of Object.entries(wanted)) {
    const before = getCurrentValue(key, name, { wanted, current });
    const after = keepPublication(key, name, { before, after: value });
    const pointer = appendToken('', name);
    const isNull = after === null && key.kind !== 'customData';
    if (
      isSkippedMember(key.kind, name) ||
      jsonEquals(before, after) ||
      meansTheSame(key, name, { before, after }) ||
      (isNull && (before === undefined || isCleared(key, name, before)))
    ) {
      continue;
    }
    if (key.kind === 'dataset' && name === 'connection') {
      notes.push({ code: 'connection', pointer });
    } else if (isNull && !isRemovable(key, name)) {
      notes.push({ code: 'not-removable', pointer, ...(before === undefined ? {} : { before }), after });
    } else if (writable === undefined || writable.has(name)) {
      parts.push({ pointer, ...(before === undefined ? {} : { before }), after });
    } else {
      const code = before === undefined && isPartUnchanged({ pointer }) ? 'missing' : 'not-writable';
      notes.push({ code, pointer, ...(before === undefined ? {} : { before }), after });
    }
  }
  for (const [name, before] of Object.entries(current)) {
    const pointer = appendToken('', name);
    const isCompared =
      isSkippedMember(key.kind, name) ||
      (key.kind === 'dataset' && name === 'connection') ||
      Object.hasOwn(wanted, name);
    if (isCompared) {
      continue;
    }
    if (!isPartUnchanged({ pointer, before })) {
      notes.push({ code: 'added', pointer, before });
    } else if (writable?.has(name) !== false && !isItemDefault(key, name, before)) {
      notes.push({ code: 'instance-only', pointer, before });
    }
  }
  if (key.kind !== 'table') {
    return { ...noDifference, parts, notes };
  }
  const columns = compareColumns(sides);
  return {
    parts: [...parts, ...columns.parts],
    notes: [...notes, ...columns.notes],
    extraColumns: columns.extraColumns,
    expectedAdditions: columns.expectedAdditions,
  };
}

const assumeUnchanged = (): boolean => true;

const noDifference: ContentDifference = { parts: [], notes: [], extraColumns: [], expectedAdditions: [] };

/** Returns whether a member repeats the key, is the former name of the item, or is compared separately. */
const isSkippedMember = (kind: ItemKind, name: string): boolean =>
  name === renamedFromMember ||
  (kind === 'table' && skippedTableMembers.has(name)) ||
  (kind === 'relation' && name === 'columns') ||
  (kind === 'dataset' && name === 'name') ||
  (kind === 'viewpoint' && name === 'name');

/** Returns whether a table has columns that its SQL generates (rest-api.md, "Table"). */
export function isCustomTable(table: JsonValue | undefined): boolean {
  const type = getMember(table, 'type');
  return typeof type === 'string' && type.toLowerCase() === 'custom';
}

/** Returns whether a column has SQL of its own, also in a custom table (rest-api.md, "Column"). */
export const isCustomColumn = (column: JsonObject): boolean => column['isCustom'] === true;

/** Returns whether the instance generates a column from the SQL of its table (rest-api.md, "Table"). */
export const isGeneratedColumn = (table: JsonValue, column: JsonValue | undefined): boolean =>
  isCustomTable(table) && !(isJsonObject(column) && isCustomColumn(column));

function compareColumns({
  wanted,
  current,
  getColumnName,
  prunesColumns,
  isPartUnchanged = assumeUnchanged,
}: ContentSides): ContentDifference {
  const isGenerated = (column: JsonObject): boolean =>
    [current, wanted].some((table) => isGeneratedColumn(table, column));
  const wantedColumns = getColumnsByName(wanted);
  const currentColumns = new Map(
    [...getColumnsByName(current)].map(([name, column]) => [getColumnName(name), { name, column }]),
  );
  const extras = [...currentColumns].filter(
    ([name, { column }]) => !wantedColumns.has(name) && !isGenerated(column),
  );
  const parts: PartChange[] = [];
  const notes: Omit<DifferenceNote, 'key'>[] = [];
  const expectedAdditions: string[] = [];
  for (const [name, wantedColumn] of wantedColumns) {
    const pointer = appendToken('/columns', name);
    const found = currentColumns.get(name);
    const { after, notes: nullNotes } = resolveNulls(wantedColumn, found?.column ?? {}, pointer);
    notes.push(...nullNotes);
    if (found === undefined) {
      if (isGenerated(after)) {
        notes.push({ code: 'generated-column', pointer, after });
      } else {
        parts.push({ pointer, after });
        expectedAdditions.push(pointer);
        notes.push(
          ...getNewColumnNotes(after, pointer, (former) =>
            currentColumns.has(former) ? 'former-name-in-use' : 'former-name-missing',
          ),
        );
        const [same, ...others] = extras.filter(([, { column }]) => column['id'] === (after['id'] ?? ''));
        if (same !== undefined && others.length === 0 && after[renamedFromMember] === undefined) {
          notes.push({ code: 'same-source', pointer, formerName: same[1].name });
        }
      }
      continue;
    }
    const { column } = found;
    const isChanged =
      found.name !== name || !hasMembers(column, isGenerated(after) ? omitDerived(after) : after);
    if (isChanged) {
      parts.push({ pointer, before: column, after });
    }
    const added = listAddedMembers(column, wantedColumn);
    const isAddedByOthers = added.length > 0 && !isPartUnchanged({ pointer, before: column });
    for (const [member, before] of added) {
      if (isAddedByOthers || columnSettings.has(member)) {
        const code = isAddedByOthers ? 'added' : 'instance-only';
        notes.push({ code, pointer: appendToken(pointer, member), before });
      }
    }
    if (isChanged && !isAddedByOthers) {
      expectedAdditions.push(...added.map(([member]) => appendToken(pointer, member)));
    }
    if (isGenerated(after)) {
      notes.push(...getDerivedNotes(column, after, pointer));
    }
  }
  notes.push(
    ...[...currentColumns]
      .filter(([name, { column }]) => !wantedColumns.has(name) && isGenerated(column))
      .map(([name, { column }]) => ({
        code: 'derived-column' as const,
        pointer: appendToken('/columns', name),
        before: column,
      })),
  );
  return {
    parts: [
      ...parts,
      ...(prunesColumns
        ? extras.map(([name, { column }]) => ({
            pointer: appendToken('/columns', name),
            before: column,
          }))
        : []),
    ],
    notes,
    extraColumns: prunesColumns ? [] : extras.map(([, { name }]) => name),
    expectedAdditions,
  };
}

/**
 * Returns a column of a file with null only where it removes something, and notes about what null can't remove.
 * @param current the column on the instance
 */
function resolveNulls(
  wanted: JsonObject,
  current: JsonObject,
  pointer: string,
): { readonly after: JsonObject; readonly notes: readonly Omit<DifferenceNote, 'key'>[] } {
  const set = Object.entries(current).filter(
    ([name, value]) => wanted[name] === null && !isClearedInColumn(name, value),
  );
  const removed = new Set(set.map(([name]) => name).filter(isRemovableInColumn));
  return {
    after: Object.fromEntries(
      Object.entries(wanted).flatMap(([name, value]): readonly (readonly [string, JsonValue])[] =>
        value !== null ? [[name, value]] : removed.has(name) ? [[name, getClearedColumnValue(name)]] : [],
      ),
    ),
    notes: set
      .filter(([name]) => !removed.has(name))
      .map(([name, before]) => ({
        code: 'not-removable',
        pointer: appendToken(pointer, name),
        before,
        after: null,
      })),
  };
}

/** Returns a note if a column that is created has a former name. */
function getNewColumnNotes(
  { [renamedFromMember]: formerName }: JsonObject,
  pointer: string,
  getCode: (formerName: string) => DifferenceNote['code'],
): readonly Omit<DifferenceNote, 'key'>[] {
  return typeof formerName === 'string'
    ? [{ code: getCode(formerName), pointer: appendToken(pointer, renamedFromMember), formerName }]
    : [];
}

/**
 * Members that follow from the SQL of a custom table, and are the same on every instance where it was built
 * (platform-facts.md, 2.2).
 */
const derivedColumnMembers: ReadonlySet<string> = new Set([
  'id',
  'type',
  'size',
  'precision',
  'scale',
  'indexed',
  'isUpsertBy',
]);

/** Returns a generated column without what follows from the SQL of its table. */
export const omitDerived = (column: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(column).filter(([name]) => !derivedColumnMembers.has(name)));

/** Returns a note if the instance has derived other members of a generated column than the file has. */
function getDerivedNotes(
  current: JsonObject,
  wanted: JsonObject,
  pointer: string,
): readonly Omit<DifferenceNote, 'key'>[] {
  const names = Object.keys(wanted).filter(
    (name) => derivedColumnMembers.has(name) && !jsonEquals(current[name], wanted[name]),
  );
  return names.length === 0
    ? []
    : [
        {
          code: 'derived-column',
          pointer,
          before: pickMembers(
            current,
            names.filter((name) => Object.hasOwn(current, name)),
          ),
          after: pickMembers(wanted, names),
        },
      ];
}

/**
 * Returns whether a part of an item differs only in what the instance derives from SQL. A part that the project lacks
 * also counts as derived if the project can't have deleted it.
 */
export type DerivedCheck = (
  pointer: string,
  ours: JsonValue | undefined,
  theirs: JsonValue | undefined,
) => boolean;

/**
 * Creates a function that checks whether a part of a table differs only in what the instance derives from its SQL;
 * `undefined` unless both versions are custom tables. A generated column is only deleted together with the SQL that
 * generates it (rest-api.md, "Table").
 * @param sides.areColumnsDeleted returns whether the project may have deleted the generated columns that it lacks
 */
export function createDerivedCheck(
  { kind }: ItemKey,
  {
    ours,
    theirs,
    areColumnsDeleted,
  }: {
    readonly ours: JsonValue | undefined;
    readonly theirs: JsonValue | undefined;
    readonly areColumnsDeleted: () => boolean;
  },
): DerivedCheck | undefined {
  return kind === 'table' && isCustomTable(ours) && isCustomTable(theirs)
    ? (pointer, myColumn, theirColumn) =>
        pointer.startsWith('/columns/') &&
        isJsonObject(theirColumn) &&
        !isCustomColumn(theirColumn) &&
        (myColumn === undefined
          ? !areColumnsDeleted()
          : isJsonObject(myColumn) &&
            !isCustomColumn(myColumn) &&
            hasMembers(theirColumn, omitDerived(myColumn)))
    : undefined;
}

/**
 * Returns whether a part may be missing in the project or on the instance without counting as a difference, as in
 * {@link compareContents}: a member of an item, a column of a table, or SQL. Every other part belongs to a value that
 * is compared as a whole.
 */
export const mayBeAbsent = ({ kind }: ItemKey, pointer: string): boolean =>
  pointer.lastIndexOf('/') <= 0 || (kind === 'table' && pointer.startsWith('/columns/'));

/**
 * Returns whether a column of the instance has all members of the wanted one, with the same values. Names don't count.
 */
const hasMembers = (current: JsonObject, wanted: JsonObject): boolean =>
  Object.entries(wanted).every(
    ([name, value]) =>
      name === renamedFromMember || name === 'name' || jsonEquals(getMember(current, name), value),
  );
