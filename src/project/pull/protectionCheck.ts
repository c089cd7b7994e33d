import type { MergeResult } from './composeFiles.ts';
import type { Decisions } from './decisions.ts';
import type { FindGainedColumns, GainedColumn, ProtectionInput } from './gainedColumns.ts';
import { createRenamedRelationCheck } from './gainedRelations.ts';
import { type ItemKey, formatItemKey } from '../item.ts';
import type { LeftOutItem } from './leftOutItem.ts';

/** Returns the item of a unit if the unit is to be left out. */
export type FindLeftOut = (merged: MergeResult) => LeftOutItem | undefined;

/**
 * Creates a function that returns a unit as an item to leave out if the files would have data without the rules that
 * may protect it on the instance:
 * - a new datamodel whose rules are unknown
 * - a table that would get columns without the rules that the instance may have on them
 * - a new table with a relation that gets another name of the table in the project
 * - rules that would be on the same column as others
 */
export function createUnprotectedUnitFinder(
  decisions: Decisions,
  findColumns: FindGainedColumns,
  { isUnknownOnInstance }: Pick<ProtectionInput, 'isUnknownOnInstance'>,
): FindLeftOut {
  const findProblem = ({ problem, rules }: GainedColumn): GainedColumn['problem'] | 'rules-conflict' =>
    problem ??
    (rules !== undefined && decisions.get(rules.unit)?.kind === 'conflict' ? 'rules-conflict' : undefined);
  const isRelationRenamed = createRenamedRelationCheck(decisions);
  return (merged) => {
    const { unit, contents } = merged;
    const { key, ours, theirs, collidingKeys } = unit.owner;
    if (collidingKeys !== undefined) {
      return { key, reason: 'shared-name', columns: collidingKeys.map(formatColumn) };
    }
    if (key.kind === 'datamodel') {
      // Rules are read per datamodel, so the key with empty names stands for the rules on any column.
      const anyRulesKey = { kind: 'rules', datamodel: key.datamodel, table: '', column: '' } as const;
      return ours === undefined &&
        theirs !== undefined &&
        contents.get(unit.owner) !== undefined &&
        isUnknownOnInstance(anyRulesKey)
        ? { key, reason: 'rules', columns: [] }
        : undefined;
    }
    const columns = Map.groupBy(findColumns(merged), findProblem);
    const [partyColumns, unknownColumns, conflictColumns] = (
      ['party-type', 'unknown-rules', 'rules-conflict'] as const
    ).map((problem) => {
      const names = columns.get(problem)?.map(({ name }) => name);
      return names && [...new Set(names)];
    });
    if (partyColumns !== undefined) {
      return { key, reason: 'party-type', columns: partyColumns };
    }
    if (unknownColumns !== undefined) {
      return ours === undefined || unknownColumns.includes('')
        ? { key, reason: 'rules', columns: [] }
        : { key, reason: 'column-rules', columns: unknownColumns };
    }
    if (columns.has('pending-rename') || isRelationRenamed(merged)) {
      return { key, reason: 'pending-rename', columns: [] };
    }
    // A table that is in conflict itself isn't written either, and both conflicts are resolved together.
    return conflictColumns === undefined || decisions.get(unit)?.kind === 'conflict'
      ? undefined
      : { key, reason: 'rules-conflict', columns: conflictColumns };
  };
}

const formatColumn = (key: ItemKey): string =>
  'column' in key ? `${key.table}.${key.column}` : formatItemKey(key);
