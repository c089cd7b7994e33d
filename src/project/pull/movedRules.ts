import { type JsonObject, type JsonValue, isJsonObject } from '../../base/json.ts';
import { isJsonArray } from '../../json/text/copyOnWrite.ts';
import { getColumnsByName } from '../compare/normalizeContent.ts';
import { readDatamodelType } from '../datamodelType.ts';
import { createNotConvertedCheck } from '../instance/conversionResult.ts';
import type { ConvertedInstance } from '../instance/convertInstance.ts';
import { type ItemKey, type ProjectItem, formatItemKey } from '../item.ts';

/** The names of a column and its table, as in the key of a relation. */
export type ColumnName = Extract<ItemKey, { kind: 'relation' }>['columns'][number];

type TableKey = Extract<ItemKey, { kind: 'table' }>;
type RulesKey = Extract<ItemKey, { kind: 'rules' | 'cubeSetRules' }>;

/** A table of the instance that was renamed since the lock was written, or some of whose columns were. */
export interface RenamedTable {
  readonly key: TableKey;
  readonly formerName: string;
  /** The new names of its renamed columns by the former ones. */
  readonly columns: ReadonlyMap<string, string>;
}

/** Rules that the instance now has on the new name of a column, and no longer on the former one. */
export interface MovedRules {
  readonly from: RulesKey;
  readonly to: RulesKey;
  /** The renamed table. They are merged with it, because only its entry in the lock shows the rename. */
  readonly owner: TableKey;
}

/** What moved rules are found in. */
export interface MovedRulesInput {
  readonly pulled: Pick<ConvertedInstance, 'items' | 'notes' | 'conversionErrors'>;
  readonly tables: readonly RenamedTable[];
  /** Returns whether the project has an item; tables and datamodels have their names on the instance in the key. */
  readonly hasItem: (key: ItemKey) => boolean;
  /** The keys in the lock; tables and datamodels have their names on the instance in them. */
  readonly lockKeys: readonly ItemKey[];
  readonly isUnknownOnInstance: (key: ItemKey) => boolean;
}

/**
 * Finds rules that were moved to the new name of their column on the instance. Rules on a former name also count as
 * moved if it's unknown which rules the instance has, so that their table isn't merged without them. They count as
 * moved, too, if the project has them, and the instance has rules on the new name that no file can have.
 */
export function findMovedRules({
  tables,
  pulled,
  hasItem,
  lockKeys,
  isUnknownOnInstance,
}: MovedRulesInput): readonly MovedRules[] {
  if (tables.length === 0) {
    return [];
  }
  const isNotConverted = createNotConvertedCheck(pulled);
  const instanceKeys = new Set(pulled.items.map(({ key }) => formatItemKey(key)));
  const lockTexts = new Set(lockKeys.map(formatItemKey));
  const moves = lockKeys.flatMap((from) => {
    const move =
      from.kind === 'rules'
        ? findMove(from, tables)
        : from.kind === 'cubeSetRules'
          ? findCubeSetMove(from, tables, pulled.items)
          : undefined;
    if (move === undefined || instanceKeys.has(formatItemKey(from)) || isNotConverted(from)) {
      return [];
    }
    const { to, owner } = move;
    const isMoved =
      instanceKeys.has(formatItemKey(to)) ||
      (to.kind === 'rules' && isUnknownOnInstance(to) && isUnknownOnInstance(from)) ||
      (isNotConverted(to) && hasItem(from));
    return isMoved && !lockTexts.has(formatItemKey(to)) && hasItem(owner) && !(hasItem(from) && hasItem(to))
      ? [move]
      : [];
  });
  // If several rules would move to the same column, such as because tables of a cube set have the same name now, it's
  // unknown which of them are on the new name.
  return [...Map.groupBy(moves, ({ to }) => formatItemKey(to)).values()].flatMap((group) =>
    group.length === 1 ? group : [],
  );
}

function findMove(
  from: Extract<RulesKey, { kind: 'rules' }>,
  tables: readonly RenamedTable[],
): MovedRules | undefined {
  const table = tables.find(
    ({ key, formerName }) => key.datamodel === from.datamodel && formerName === from.table,
  );
  return table && createMove(from, table);
}

/**
 * Finds the move of rules of a cube set; `undefined` if they weren't moved, or not certainly. No request lists the
 * datamodels of a set, and live ones can't be in it, because its rules have the shape of those of extract datamodels
 * (rest-api.md, "Data security rule"). So all datamodels that aren't live must have renamed the column in the same way.
 */
function findCubeSetMove(
  from: Extract<RulesKey, { kind: 'cubeSetRules' }>,
  tables: readonly RenamedTable[],
  items: readonly ProjectItem[],
): MovedRules | undefined {
  const liveTitles = listLiveTitles(items);
  const [move, ...others] = tables
    .filter(({ key, formerName }) => formerName === from.table && !liveTitles.has(key.datamodel))
    .flatMap((table) => createMove(from, table) ?? []);
  return move !== undefined &&
    others.every(({ to }) => formatItemKey(to) === formatItemKey(move.to)) &&
    findTablesWithColumn(items, from).length === 0
    ? move
    : undefined;
}

function createMove(from: RulesKey, { key: owner, columns }: RenamedTable): MovedRules | undefined {
  const newName = columns.get(from.column);
  if (newName === undefined && [...columns.values()].includes(from.column)) {
    // Another column was renamed to this name, so the rules on it may be those of the other column.
    return undefined;
  }
  const to = { ...from, table: owner.table, column: newName ?? from.column };
  return to.table === from.table && to.column === from.column ? undefined : { from, to, owner };
}

/**
 * Finds the tables with a column in datamodels that aren't live. A table whose columns are unknown may have it, too.
 */
export function findTablesWithColumn(
  items: readonly ProjectItem[],
  { table, column }: ColumnName,
): readonly TableKey[] {
  const liveTitles = listLiveTitles(items);
  return items.flatMap(({ key, content }) => {
    if (key.kind !== 'table' || key.table !== table || liveTitles.has(key.datamodel)) {
      return [];
    }
    const columns = getColumnsByName(content);
    return columns.size === 0 || columns.has(column) ? [key] : [];
  });
}

/** Lists the titles of live datamodels, which no cube set has. */
export const listLiveTitles = (items: readonly ProjectItem[]): ReadonlySet<string> =>
  new Set(
    items.flatMap(({ key, content }) =>
      key.kind === 'datamodel' && readDatamodelType(content) === 'live' ? [key.datamodel] : [],
    ),
  );

/** Returns rules with the names of another column and its table. */
export const renameRules = (rules: JsonValue, { table, column }: ColumnName): JsonValue =>
  mapObjects(rules, (rule) => ({ ...rule, table, column }));

/** Maps the objects in a list. */
export const mapObjects = (list: JsonValue, map: (object: JsonObject) => JsonObject): JsonValue =>
  isJsonArray(list) ? list.map((item) => (isJsonObject(item) ? map(item) : item)) : list;
