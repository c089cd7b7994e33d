import { formatItemKey } from '../item.ts';
import type { MergeResult } from './composeFiles.ts';
import { type Decision, decideUnit, resolveUnit } from './decideUnit.ts';
import { type Decisions, getMergeResults, selectUnits } from './decisions.ts';
import type { FindGainedColumns, ProtectionInput } from './gainedColumns.ts';
import { createMissingRelationCheck } from './gainedRelations.ts';
import type { LeftOutItem } from './leftOutItem.ts';
import { createMissingNameCheck, findNewDatamodels } from './missingNames.ts';
import { type FindLeftOut, createUnprotectedUnitFinder } from './protectionCheck.ts';
import { type MergeUnit, getUnitEntries } from './mergeUnits.ts';

/**
 * Leaves out tables that would get columns without the rules that the instance may have on them, and everything that
 * refers to such tables or columns. Nothing of these tables is pulled, and their conflicts can't be resolved yet. But a
 * conflict is still reported if the project can win it, because it then gets nothing that is left out.
 */
export function leaveOutUnprotectedItems(
  decisions: Decisions,
  findColumns: FindGainedColumns,
  input: ProtectionInput,
): readonly LeftOutItem[] {
  const leftOut = new Map<MergeUnit, LeftOutItem>();
  const reopened = new Map<MergeUnit, Decision>();
  const findUnprotected = createUnprotectedUnitFinder(decisions, findColumns, input);
  // Repeats until nothing else is left out.
  for (let previousSize = -1; previousSize < leftOut.size; ) {
    previousSize = leftOut.size;
    const findDependent = createDependencyCheck(decisions, leftOut, input);
    const find: FindLeftOut = (merged) => findUnprotected(merged) ?? findDependent(merged);
    const canProjectWin = (unit: MergeUnit, decision: Decision | undefined): boolean => {
      const resolved = decision?.kind === 'conflict' ? resolveUnit(unit, 'ours') : undefined;
      return resolved?.kind === 'merged' && find({ unit, contents: resolved.contents }) === undefined;
    };
    for (const merged of getPossibleMerges(decisions)) {
      const { unit } = merged;
      const item = find(merged);
      if (item !== undefined && !canProjectWin(unit, decisions.get(unit))) {
        leftOut.set(unit, item);
        // The instance may have won the conflict of this item, but its version is left out. Without a winner, the
        // conflict is reported again. No kinds are pruned, so nothing is deleted.
        const decision = item.reason === 'pending-rename' ? decideUnit(unit, new Set()) : undefined;
        if (decision !== undefined && canProjectWin(unit, decision)) {
          reopened.set(unit, decision);
        }
      }
    }
    for (const unit of findUnitsOfLeftOutDatamodels(decisions, leftOut)) {
      leftOut.set(unit, createDependent(unit));
    }
    for (const unit of leftOut.keys()) {
      decisions.set(unit, reopened.get(unit) ?? { kind: 'skipped' });
    }
  }
  return listLeftOut(leftOut);
}

const createDependent = ({ owner: { key } }: MergeUnit): LeftOutItem => ({
  key,
  reason: 'dependent',
  columns: [],
});

/**
 * Creates a function that finds units that would get a reference to what isn't pulled, and new tables that would come
 * without one of their relations. A unit in conflict isn't left out because of other conflicts, so that each of them is
 * reported.
 */
function createDependencyCheck(
  decisions: Decisions,
  leftOut: ReadonlyMap<MergeUnit, LeftOutItem>,
  input: ProtectionInput,
): FindLeftOut {
  const unitsInConflict = selectUnits(decisions, 'conflict').flatMap((unit) =>
    unit.owner.ours !== undefined || isNotWritable(decisions.get(unit))
      ? [unit]
      : findUnderNewName(unit, input),
  );
  const refersToLeftOut = createMissingNameCheck([...leftOut.keys()], input);
  const refersToConflict = createMissingNameCheck(unitsInConflict, input);
  const lacksRelation = createMissingRelationCheck(decisions, leftOut, input);
  return (merged) =>
    refersToLeftOut(merged) ||
    lacksRelation(merged) ||
    (decisions.get(merged.unit)?.kind === 'merged' && refersToConflict(merged))
      ? createDependent(merged.unit)
      : undefined;
}

/** Returns whether a unit would be pulled, but one of its files can't be written. */
const isNotWritable = (decision: Decision | undefined): boolean =>
  decision?.kind === 'conflict' &&
  decision.conflicts.some(({ reason }) => reason === 'path-taken' || reason === 'unreadable');

/**
 * Joins a unit of the instance with the item that the project has in its place under a new name. Empty if there is no
 * such item.
 */
function findUnderNewName(
  unit: MergeUnit,
  { project, renameItem }: Pick<ProtectionInput, 'project' | 'renameItem'>,
): readonly MergeUnit[] {
  const { theirs: pulled } = unit.owner;
  const renamed = pulled && renameItem?.(pulled);
  const text = renamed && formatItemKey(renamed.key);
  const ours =
    text === undefined || text === formatItemKey(unit.owner.key)
      ? undefined
      : project.items.find(({ key }) => formatItemKey(key) === text);
  return pulled === undefined || renamed === undefined || ours === undefined
    ? []
    : [{ ...unit, owner: { ...unit.owner, ours, theirs: renamed, instanceItem: pulled } }];
}

/** Finds the units of new datamodels that are left out, except for those that are left out already. */
function findUnitsOfLeftOutDatamodels(
  decisions: Decisions,
  leftOut: ReadonlyMap<MergeUnit, LeftOutItem>,
): readonly MergeUnit[] {
  const titles = findNewDatamodels([...leftOut.keys()]);
  return getMergeResults(decisions).flatMap(({ unit, contents }) => {
    const { key } = unit.owner;
    return 'datamodel' in key &&
      titles.has(key.datamodel) &&
      contents.get(unit.owner) !== undefined &&
      !leftOut.has(unit)
      ? [unit]
      : [];
  });
}

/**
 * Lists what is left out. If the rules of a datamodel are unknown, only the datamodel is listed, not the items in it.
 * If a new datamodel refers to something that is left out, the items in it are listed only if they are the cause.
 */
function listLeftOut(leftOut: ReadonlyMap<MergeUnit, LeftOutItem>): readonly LeftOutItem[] {
  const datamodels = new Map(
    [...leftOut].flatMap(([{ owner }, { key, reason }]) =>
      key.kind === 'datamodel' && owner.ours === undefined ? [[key.datamodel, reason] as const] : [],
    ),
  );
  return [...leftOut.values()].flatMap((item) => {
    const { key, reason } = item;
    const datamodelReason =
      key.kind !== 'datamodel' && 'datamodel' in key ? datamodels.get(key.datamodel) : undefined;
    return datamodelReason === 'rules' || (datamodelReason === 'dependent' && reason === 'dependent')
      ? []
      : [item];
  });
}

/** Returns the units that get new contents, or that would if the instance won their conflict. */
const getPossibleMerges = (decisions: Decisions): readonly MergeResult[] => [
  ...getMergeResults(decisions),
  ...selectUnits(decisions, 'conflict').map((unit) => ({
    unit,
    contents: new Map(getUnitEntries(unit).map((entry) => [entry, entry.theirs?.content])),
  })),
];

/**
 * Leaves out new items of a datamodel without a file: that file defines which datamodel the items in its folder belong
 * to.
 */
export function leaveOutItemsWithoutDatamodel(decisions: Decisions): void {
  const datamodels = new Set(
    [...decisions].flatMap(([{ owner }, decision]) =>
      owner.key.kind === 'datamodel' &&
      (owner.ours !== undefined || (decision.kind === 'merged' && decision.contents.get(owner) !== undefined))
        ? [owner.key.datamodel]
        : [],
    ),
  );
  for (const { unit, contents } of getMergeResults(decisions)) {
    const { key } = unit.owner;
    if ('datamodel' in key && !datamodels.has(key.datamodel) && contents.get(unit.owner) !== undefined) {
      decisions.set(unit, { kind: 'skipped' });
    }
  }
}
