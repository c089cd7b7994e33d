import { getColumnsByName } from '../compare/normalizeContent.ts';
import { createNotConvertedCheck } from '../instance/conversionResult.ts';
import { type ItemKey, formatItemKey } from '../item.ts';
import type { MergeResult } from './composeFiles.ts';
import { type Decisions, getMergeResults } from './decisions.ts';
import { type ProtectionInput, includeEntry } from './gainedColumns.ts';
import type { MergeUnit } from './mergeUnits.ts';

/**
 * Includes the relations of the tables that the project gains, even if the relations were deleted in the project, or if
 * only the table is selected: rules on a table also restrict the tables that are related to it.
 */
export function includeRelations(decisions: Decisions, input: ProtectionInput): void {
  const gained = new Set(
    getMergeResults(decisions)
      .filter(isTableGained)
      .map(({ unit }) => getTableText(unit)),
  );
  if (gained.size === 0) {
    return;
  }
  const isUncomparable = createUncomparableCheck(input);
  const columns = new Map(
    [...decisions].flatMap(([unit, decision]) => {
      const content =
        decision.kind === 'merged' ? decision.contents.get(unit.owner) : unit.owner.ours?.content;
      return unit.owner.key.kind === 'table'
        ? [[getTableText(unit), getColumnsByName(content)] as const]
        : [];
    }),
  );
  for (const unit of decisions.keys()) {
    const { owner } = unit;
    const ends = getEnds(owner.key);
    if (
      owner.ours === undefined &&
      owner.theirs !== undefined &&
      ends.some(({ table }) => gained.has(table)) &&
      ends.every(({ table, column }) => columns.get(table)?.has(column) === true) &&
      !isUncomparable(unit)
    ) {
      includeEntry(decisions, { unit, entry: owner }, owner.theirs);
    }
  }
}

/**
 * Creates a function that returns whether a unit is a table that the project would gain without one of its relations. A
 * relation that is only missing because it was deleted in the project doesn't count.
 * @param leftOut the units that are left out
 */
export function createMissingRelationCheck(
  decisions: Decisions,
  leftOut: { readonly has: (unit: MergeUnit) => boolean },
  input: ProtectionInput,
): (merged: MergeResult) => boolean {
  const isUncomparable = createUncomparableCheck(input);
  const isMissing = (unit: MergeUnit): boolean => {
    const { ours, theirs, base } = unit.owner;
    const kind = decisions.get(unit)?.kind;
    return (
      ours === undefined &&
      theirs !== undefined &&
      (kind === 'conflict' ||
        leftOut.has(unit) ||
        (kind === 'skipped' && (base === undefined || isUncomparable(unit))))
    );
  };
  const tables = new Set(
    [...decisions.keys()].flatMap((unit) => {
      const ends = getEnds(unit.owner.key);
      return ends.length > 0 && isMissing(unit) ? ends.map(({ table }) => table) : [];
    }),
  );
  return (merged) => isTableGained(merged) && tables.has(getTableText(merged.unit));
}

/**
 * Creates a function that returns whether a unit is a table that the project would gain under its name on the instance,
 * although a relation of this table gets the table's new name in the project.
 */
export function createRenamedRelationCheck(decisions: Decisions): (merged: MergeResult) => boolean {
  const tables = new Set(
    [...decisions.keys()].flatMap(({ owner: { key, instanceItem } }) => {
      const newNames = getEnds(key).map(({ table }) => table);
      return instanceItem === undefined
        ? []
        : getEnds(instanceItem.key).flatMap(({ table }) => (newNames.includes(table) ? [] : [table]));
    }),
  );
  return (merged) => isTableGained(merged) && tables.has(getTableText(merged.unit));
}

const isTableGained = ({ unit: { owner }, contents }: MergeResult): boolean =>
  owner.key.kind === 'table' && owner.ours === undefined && contents.get(owner) !== undefined;

const getTableText = ({ owner }: MergeUnit): string => formatItemKey(owner.key);

/**
 * Returns the columns of a relation, with the texts of the keys of their tables. Returns an empty list for other items.
 */
const getEnds = (key: ItemKey): readonly { readonly table: string; readonly column: string }[] =>
  key.kind === 'relation'
    ? key.columns.map(({ table, column }) => ({
        table: formatItemKey({ kind: 'table', datamodel: key.datamodel, table }),
        column,
      }))
    : [];

/** Creates a function that returns whether a unit's item could not be read in the project or on the instance. */
function createUncomparableCheck({
  project,
  pulled,
  isUnknownOnInstance,
}: ProtectionInput): (unit: MergeUnit) => boolean {
  const isNotConverted = createNotConvertedCheck(pulled);
  return ({ owner: { key, theirs, instanceItem: item = theirs } }) =>
    [key, ...(item === undefined ? [] : [item.key])].some(
      (itemKey) =>
        project.mayBeInUnreadFile(itemKey) || isUnknownOnInstance(itemKey) || isNotConverted(itemKey),
    );
}
