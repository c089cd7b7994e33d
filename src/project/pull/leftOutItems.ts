import { jsonEquals } from '../../base/canonicalJson.ts';
import type { JsonValue } from '../../base/json.ts';
import { createConversionCheck } from '../instance/conversionResult.ts';
import { type ItemKey, type ProjectItem, formatItemKey } from '../item.ts';
import type { MergedUnit } from './composeFiles.ts';
import { resolveUnit } from './decideUnit.ts';
import { type Decisions, getMerged, selectUnits } from './decisions.ts';
import { type ProtectionInput, createColumnFinder, getColumnNames, mapRules } from './newColumns.ts';
import { type PullEntry, type PullUnit, getUnitEntries } from './pullUnits.ts';
import { type ColumnRename, type PlannedRename, createNameRenamer } from './renames.ts';
import { createTranslation, readViewpointDatamodel } from './translateNames.ts';

/**
 * An item of the instance that a pull doesn't bring into files. Applied elsewhere, they would make data visible that
 * rules of the instance may protect.
 */
export interface LeftOutItem {
  readonly key: ItemKey;
  /**
   * - `rules`: the project doesn't have the item, and not all of its rules are known
   * - `column-rules`: the item has new columns whose rules are unknown
   * - `party-type`: the item has new columns with a rule for an unknown type of party, which no file can have
   * - `rules-conflict`: the item has new columns whose rules are in conflict
   * - `dependent`: the item refers to what is left out
   */
  readonly reason: 'rules' | 'column-rules' | 'party-type' | 'rules-conflict' | 'dependent';
  /** The new columns that are the reason, unless it's `rules` or `dependent`. */
  readonly columns: readonly string[];
}

/** Returns whether something is left out because rules of the instance are unknown, not only in conflict. */
export const areAnyRulesUnknown = (leftOut: readonly LeftOutItem[]): boolean =>
  leftOut.some(({ reason }) => reason === 'rules' || reason === 'column-rules' || reason === 'party-type');

type RulesKey = Extract<ItemKey, { kind: 'rules' }>;

/**
 * Leaves out tables that would get columns without the rules that the instance may have on them, and everything that
 * refers to such tables or columns. Of these tables, nothing is pulled, and their conflicts can't be resolved yet. A
 * conflict stays one if the project can win it without getting what is left out, such as by not having the item.
 */
export function leaveOutUnprotected(decisions: Decisions, input: ProtectionInput): readonly LeftOutItem[] {
  const leftOut = new Map<PullUnit, LeftOutItem>();
  const inConflict = new Set<PullUnit>();
  let find = createProtectionCheck(decisions, input);
  const canProjectWin = (unit: PullUnit): boolean => {
    const resolved = decisions.get(unit)?.kind === 'conflict' ? resolveUnit(unit, 'ours') : undefined;
    return resolved?.kind === 'merged' && find({ unit, contents: resolved.contents }) === undefined;
  };
  for (let count = -1; count < leftOut.size; ) {
    count = leftOut.size;
    for (const merged of getPossibleMerges(decisions)) {
      const { unit } = merged;
      const item = leftOut.has(unit) ? undefined : find(merged);
      if (item === undefined) {
        continue;
      }
      if (!canProjectWin(unit)) {
        leftOut.set(unit, item);
      } else if (item.reason !== 'dependent') {
        leftOut.set(unit, item);
        inConflict.add(unit);
      }
    }
    for (const unit of findUnitsWithoutDatamodel(decisions, leftOut)) {
      leftOut.set(unit, { key: unit.owner.key, reason: 'dependent', columns: [] });
    }
    for (const unit of leftOut.keys()) {
      if (!inConflict.has(unit)) {
        decisions.set(unit, { kind: 'unknown' });
      }
    }
    find = createDependencyCheck([...leftOut.keys()], input);
  }
  return listLeftOut([...leftOut].flatMap(([unit, item]) => (inConflict.has(unit) ? [] : [{ unit, item }])));
}

/** Finds the other new units of new datamodels that are left out. */
function findUnitsWithoutDatamodel(
  decisions: Decisions,
  leftOut: ReadonlyMap<PullUnit, LeftOutItem>,
): readonly PullUnit[] {
  const titles = findNewDatamodels([...leftOut.keys()]);
  return getMerged(decisions).flatMap(({ unit, contents }) => {
    const { key } = unit.owner;
    return 'datamodel' in key &&
      titles.has(key.datamodel) &&
      contents.get(unit.owner) !== undefined &&
      !leftOut.has(unit)
      ? [unit]
      : [];
  });
}

/** Finds the datamodels that the project doesn't have. */
const findNewDatamodels = (units: readonly PullUnit[]): ReadonlySet<JsonValue | undefined> =>
  new Set(
    units.flatMap(({ owner: { key, ours } }) =>
      key.kind === 'datamodel' && ours === undefined ? [key.datamodel] : [],
    ),
  );

/**
 * Lists what is left out. A datamodel whose rules are unknown stands for everything in it, and a new one that refers to
 * what is left out stands for everything in it that isn't the cause.
 */
function listLeftOut(
  leftOut: readonly { readonly unit: PullUnit; readonly item: LeftOutItem }[],
): readonly LeftOutItem[] {
  const datamodels = new Map(
    leftOut.flatMap(({ unit: { owner }, item: { key, reason } }) =>
      key.kind === 'datamodel' && owner.ours === undefined ? [[key.datamodel, reason] as const] : [],
    ),
  );
  return leftOut.flatMap(({ item }) => {
    const { key, reason } = item;
    const datamodelReason =
      key.kind !== 'datamodel' && 'datamodel' in key ? datamodels.get(key.datamodel) : undefined;
    return datamodelReason === 'rules' || (datamodelReason === 'dependent' && reason === 'dependent')
      ? []
      : [item];
  });
}

/** Returns the units that get new contents, or that would if the instance won their conflict. */
const getPossibleMerges = (decisions: Decisions): readonly MergedUnit[] => [
  ...getMerged(decisions),
  ...selectUnits(decisions, 'conflict').map((unit) => ({
    unit,
    contents: new Map(getUnitEntries(unit).map((entry) => [entry, entry.theirs?.content])),
  })),
];

/** Returns an item if it is to be left out. */
type FindLeftOut = (merged: MergedUnit) => LeftOutItem | undefined;

/** Creates a function that finds new datamodels, new tables, and tables with new columns that would lack rules. */
function createProtectionCheck(decisions: Decisions, input: ProtectionInput): FindLeftOut {
  const { project, areRulesUnknown } = input;
  const isNotConverted = createConversionCheck(input.pulled);
  const rulesByKey = mapRules(decisions);
  /** Returns why the rules on a column can't be pulled with it. */
  const findProblem = (
    key: RulesKey,
    instanceKey: RulesKey,
  ): 'party-type' | 'unknown' | 'rules-conflict' | undefined => {
    const rules = rulesByKey.get(formatItemKey(key));
    if (rules?.entry.ours !== undefined) {
      return undefined;
    }
    if (areRulesUnknown(instanceKey)) {
      return isNotConverted(instanceKey) ? 'party-type' : 'unknown';
    }
    if (rules?.entry.theirs === undefined) {
      return undefined;
    }
    return project.isUnknown(key)
      ? 'unknown'
      : decisions.get(rules.unit)?.kind === 'conflict'
        ? 'rules-conflict'
        : undefined;
  };
  const findColumns = createColumnFinder(input);
  return (merged) => {
    const { key, ours, theirs } = merged.unit.owner;
    if (key.kind === 'datamodel') {
      return ours === undefined &&
        theirs !== undefined &&
        merged.contents.get(merged.unit.owner) !== undefined &&
        areRulesUnknown({ kind: 'rules', datamodel: key.datamodel, table: '', column: '' })
        ? { key, reason: 'rules', columns: [] }
        : undefined;
    }
    const [found] = findColumns(merged);
    if (found === undefined) {
      return undefined;
    }
    // A new custom table may have no columns before its first build.
    const names = ours === undefined && found.columns.length === 0 ? [''] : found.columns;
    const columns = Map.groupBy(names, (column) =>
      findProblem({ ...found.key, kind: 'rules', column }, { ...found.instanceKey, kind: 'rules', column }),
    );
    const [partyColumns, unknownColumns, conflictColumns] = (
      ['party-type', 'unknown', 'rules-conflict'] as const
    ).map((problem) => columns.get(problem));
    if (partyColumns !== undefined) {
      return { key, reason: 'party-type', columns: partyColumns };
    }
    if (unknownColumns !== undefined) {
      return ours === undefined
        ? { key, reason: 'rules', columns: [] }
        : { key, reason: 'column-rules', columns: unknownColumns };
    }
    // A table that is in conflict itself isn't written either, and both conflicts are resolved together.
    return conflictColumns === undefined || decisions.get(merged.unit)?.kind === 'conflict'
      ? undefined
      : { key, reason: 'rules-conflict', columns: conflictColumns };
  };
}

/**
 * Creates a function that finds units that would get a reference to what the project lacks because units were left out:
 * their items on the instance would change if these names did.
 */
function createDependencyCheck(
  leftOut: readonly PullUnit[],
  { project, pulled }: ProtectionInput,
): FindLeftOut {
  const tables = leftOut.flatMap(({ owner: { ours, theirs, pulled: item = theirs } }) =>
    theirs?.key.kind === 'table' && item?.key.kind === 'table' ? [{ key: item.key, ours, theirs }] : [],
  );
  const renames = tables.flatMap(({ key, ours, theirs }): readonly PlannedRename[] =>
    ours?.key.kind === 'table' && theirs.key.kind === 'table' && ours.key.table === theirs.key.table
      ? []
      : [{ from: key, to: { ...key, table: toMissingName(key.table) } }],
  );
  const columnRenames = tables.flatMap(({ key, ours, theirs }): readonly ColumnRename[] => {
    const known = getColumnNames(ours);
    return [...getColumnNames(theirs)]
      .filter((name) => !known.has(name))
      .map((name) => ({
        datamodel: key.datamodel,
        table: key.table,
        from: name,
        to: toMissingName(name),
      }));
  });
  const translate = createTranslation(createNameRenamer(renames, columnRenames), pulled, project);
  const titles = findNewDatamodels(leftOut);
  const isAffected = (item: ProjectItem): boolean => {
    if (item.key.kind === 'viewpoint' && titles.has(readViewpointDatamodel(item.content))) {
      return true;
    }
    const { key, content } = translate(item);
    return formatItemKey(key) !== formatItemKey(item.key) || !jsonEquals(content, item.content);
  };
  return ({ unit, contents }) => {
    const entries = getUnitEntries(unit);
    return entries.some((entry) => isChanged(entry, contents.get(entry))) &&
      entries.some(({ theirs, pulled: item = theirs }) => item !== undefined && isAffected(item))
      ? { key: unit.owner.key, reason: 'dependent', columns: [] }
      : undefined;
  };
}

const isChanged = ({ ours }: PullEntry, content: JsonValue | undefined): boolean =>
  ours === undefined || content === undefined
    ? ours?.content !== content
    : !jsonEquals(ours.content, content);

/** Returns a name that no table or column has. */
const toMissingName = (name: string): string => `\0${name}`;

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
  for (const { unit, contents } of getMerged(decisions)) {
    const { key } = unit.owner;
    if ('datamodel' in key && !datamodels.has(key.datamodel) && contents.get(unit.owner) !== undefined) {
      decisions.set(unit, { kind: 'unknown' });
    }
  }
}
