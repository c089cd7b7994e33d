import { getColumnsByName } from '../compare/normalizeContent.ts';
import { createNotConvertedCheck } from '../instance/conversionResult.ts';
import { type ItemKey, formatItemKey } from '../item.ts';
import type { MergedUnit } from './composeFiles.ts';
import { type Decisions, getMergedUnits } from './decisions.ts';
import { type ProtectionInput, includeEntry } from './gainedColumns.ts';
import type { PullUnit } from './pullUnits.ts';

/**
 * Includes the relations of the tables that the project gains, even if the relations were deleted in the project, or if
 * only the table is selected: rules on a table also restrict the tables that are related to it.
 */
export function includeRelations(decisions: Decisions, input: ProtectionInput): void {
  const gained = new Set(
    getMergedUnits(decisions)
      .filter(isTableGained)
      .map(({ unit }) => getTableText(unit)),
  );
  if (gained.size === 0) {
    return;
  }
  const isUnknown = createUnknownCheck(input);
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
      !isUnknown(unit)
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
  leftOut: { readonly has: (unit: PullUnit) => boolean },
  input: ProtectionInput,
): (merged: MergedUnit) => boolean {
  const isUnknown = createUnknownCheck(input);
  const isMissing = (unit: PullUnit): boolean => {
    const { ours, theirs, base } = unit.owner;
    const kind = decisions.get(unit)?.kind;
    return (
      ours === undefined &&
      theirs !== undefined &&
      (kind === 'conflict' ||
        leftOut.has(unit) ||
        (kind === 'unknown' && (base === undefined || isUnknown(unit))))
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
export function createRenamedRelationCheck(decisions: Decisions): (merged: MergedUnit) => boolean {
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

const isTableGained = ({ unit: { owner }, contents }: MergedUnit): boolean =>
  owner.key.kind === 'table' && owner.ours === undefined && contents.get(owner) !== undefined;

const getTableText = ({ owner }: PullUnit): string => formatItemKey(owner.key);

/** Returns the ends of a relation, with the texts of the keys of their tables. */
const getEnds = (key: ItemKey): readonly { readonly table: string; readonly column: string }[] =>
  key.kind === 'relation'
    ? key.columns.map(({ table, column }) => ({
        table: formatItemKey({ kind: 'table', datamodel: key.datamodel, table }),
        column,
      }))
    : [];

/** Creates a function that returns whether what the project or the instance has of a unit's item is unknown. */
function createUnknownCheck({ project, pulled, isUnknown }: ProtectionInput): (unit: PullUnit) => boolean {
  const isNotConverted = createNotConvertedCheck(pulled);
  return ({ owner: { key, theirs, instanceItem: item = theirs } }) =>
    [key, ...(item === undefined ? [] : [item.key])].some(
      (itemKey) => project.isUnknown(itemKey) || isUnknown(itemKey) || isNotConverted(itemKey),
    );
}
