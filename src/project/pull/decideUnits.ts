import { foldPath } from '../fileNames.ts';
import { createNotConvertedCheck } from '../instance/conversionResult.ts';
import type { ItemKey, ItemKind } from '../item.ts';
import {
  type Decision,
  applyWinner,
  decideDeletedInProject,
  decideDeletedOnInstance,
  decideUnit,
  resolveUnit,
} from './decideUnit.ts';
import type { Decisions } from './decisions.ts';
import type { ConflictSide } from './mergeItem.ts';
import { type PullEntry, type PullSides, type MergeUnit, getUnitEntries } from './mergeUnits.ts';

/** What determines what happens to the units of a pull. */
export interface DecisionInput extends PullSides {
  /** Returns whether an item could not be read from the instance, or is not managed. Such an item is not touched. */
  readonly isUnknownOnInstance: (key: ItemKey) => boolean;
  /**
   * The kinds of items that are deleted if the instance no longer has them. A datamodel is deleted with everything in
   * it, and a table with its SQL.
   */
  readonly prunedKinds?: ReadonlySet<ItemKind>;
  /** The folded paths of files with unsaved changes in an editor. These files are not written. */
  readonly unsavedPaths?: ReadonlySet<string>;
  /**
   * Returns the side that wins the conflicts of an item (for a table, including those of its SQL); `undefined` keeps
   * them as conflicts.
   */
  readonly getWinner?: (key: ItemKey) => ConflictSide | undefined;
  /** Returns whether an item (for SQL, its table) is pulled. By default, all items are. */
  readonly isSelected?: (key: ItemKey) => boolean;
}

/**
 * Decides what happens to each unit by comparing its three versions: that of the project, that of the instance, and the
 * one of the last pull. Each unit is decided on its own, but the units of a datamodel that only the project or only the
 * instance has are decided together. Whether files can be written is not considered.
 */
export function decideUnits(units: readonly MergeUnit[], input: DecisionInput): Decisions {
  const {
    project,
    pulled,
    isUnknownOnInstance,
    unsavedPaths,
    prunedKinds = new Set<ItemKind>(),
    getWinner,
    isSelected,
  } = input;
  const isNotConverted = createNotConvertedCheck(pulled);
  const isUnsaved = ({ ours }: PullEntry): boolean =>
    ours !== undefined && unsavedPaths?.has(foldPath(ours.path)) === true;
  const isSkipped = (unit: MergeUnit): boolean =>
    isSelected?.(unit.owner.key) === false ||
    getUnitEntries(unit).some(
      (entry) =>
        isUnsaved(entry) ||
        [
          entry.key,
          ...(entry.instanceItem === undefined ? [] : [entry.instanceItem.key]),
          ...(entry.movedRules === undefined ? [] : [entry.movedRules.from]),
        ].some(
          (key) =>
            project.mayBeInUnreadFile(key) ||
            // If moved rules are unknown on the instance, their table is left out with them later.
            (entry.movedRules === undefined && (isUnknownOnInstance(key) || isNotConverted(key))),
        ),
    );
  const decideSingle = (unit: MergeUnit): Decision =>
    isSkipped(unit)
      ? { kind: 'skipped' }
      : applyWinner(unit, decideUnit(unit, prunedKinds), getWinner?.(unit.owner.key));
  const decisions: Decisions = new Map();
  for (const [datamodel, group] of Map.groupBy(units, ({ owner: { key } }) =>
    'datamodel' in key ? key.datamodel : undefined,
  )) {
    const decideByDatamodel =
      datamodel === undefined
        ? undefined
        : decideDatamodel(group, { isSkipped, prunedKinds, getWinner: getWinner ?? noWinner });
    for (const unit of group) {
      decisions.set(unit, decideByDatamodel === undefined ? decideSingle(unit) : decideByDatamodel(unit));
    }
  }
  return decisions;
}

const noWinner = (): undefined => undefined;

interface DecisionOptions {
  readonly isSkipped: (unit: MergeUnit) => boolean;
  readonly prunedKinds: ReadonlySet<ItemKind>;
  readonly getWinner: NonNullable<DecisionInput['getWinner']>;
}

/**
 * Decides about all units of a datamodel if only the project or only the instance has it; returns `undefined` if they
 * are decided one by one.
 */
function decideDatamodel(
  units: readonly MergeUnit[],
  { isSkipped, prunedKinds, getWinner }: DecisionOptions,
): ((unit: MergeUnit) => Decision) | undefined {
  const datamodel = units.find(({ owner }) => owner.key.kind === 'datamodel');
  if (datamodel === undefined || isSkipped(datamodel)) {
    return undefined;
  }
  const { ours, theirs, base } = datamodel.owner;
  if (ours !== undefined && theirs === undefined) {
    if (base === undefined) {
      return () => ({ kind: 'local' });
    }
    if (units.some(isSkipped)) {
      return () => ({ kind: 'skipped' });
    }
    const decision = decideDeletedOnInstance(units, prunedKinds.has('datamodel'));
    const winner = getWinner(datamodel.owner.key);
    if (decision.kind !== 'conflict' || winner !== undefined) {
      return (unit) => applyWinner(unit, decision, winner);
    }
    // The conflicts of all units are reported once, with the datamodel.
    return (unit) => (unit === datamodel ? decision : { kind: 'local' });
  }
  return ours === undefined && theirs !== undefined && base !== undefined
    ? decideDeletedDatamodel(units, { isSkipped, winner: getWinner(datamodel.owner.key) })
    : undefined;
}

/** Decides about a datamodel that was deleted in the project. If the instance's version wins, all of it is restored. */
function decideDeletedDatamodel(
  units: readonly MergeUnit[],
  { isSkipped, winner }: Pick<DecisionOptions, 'isSkipped'> & { readonly winner: ConflictSide | undefined },
): (unit: MergeUnit) => Decision {
  const decide = (unit: MergeUnit): Decision =>
    isSkipped(unit) ? { kind: 'skipped' } : decideDeletedInProject(unit);
  return winner === undefined || !units.some((unit) => decide(unit).kind === 'conflict')
    ? decide
    : (unit) => (isSkipped(unit) ? { kind: 'skipped' } : resolveUnit(unit, winner));
}
