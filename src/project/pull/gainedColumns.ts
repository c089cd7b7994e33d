import { getColumnsByName } from '../compare/normalizeContent.ts';
import type { Project } from '../files/project.ts';
import type { ConvertedInstance } from '../instance/convertInstance.ts';
import { createNotConvertedCheck, getUnconvertedKeys } from '../instance/conversionResult.ts';
import { type ItemKey, type ProjectItem, formatItemKey } from '../item.ts';
import type { MergeResult } from './composeFiles.ts';
import { type Decisions, getMergeResults } from './decisions.ts';
import { type InstanceColumnRename, type PullEntry, type MergeUnit, getUnitEntries } from './mergeUnits.ts';
import type { RenameItem } from './renameItems.ts';

/** The input of the checks that no table is pulled without the rules that protect it. */
export interface ProtectionInput {
  readonly project: Project;
  readonly pulled: ConvertedInstance;
  /** The columns that were renamed on the instance, and that the project still has under their former names. */
  readonly columnRenames: readonly InstanceColumnRename[];
  /** Gives items of the instance the names that the project is going to give them, if there are any. */
  readonly renameItem: RenameItem | undefined;
  /** Returns whether it's unknown what the instance has for a key: the item was not selected, or could not be read. */
  readonly isUnknownOnInstance: (key: ItemKey) => boolean;
}

/**
 * The rules on a column, and the unit that they are merged with: the unit of their table if they followed a renamed
 * column, otherwise their own.
 */
interface RulesEntry {
  readonly unit: MergeUnit;
  readonly entry: PullEntry;
}

/**
 * A column whose rules must come with its table: the project doesn't have it, or has its rules under its former name.
 */
export interface GainedColumn {
  /** The name; empty for those columns of a custom table that are unknown until its next build. */
  readonly name: string;
  /** The rules that only the instance has. */
  readonly rules: RulesEntry | undefined;
  /**
   * Why its rules can't come with it:
   * - `party-type`: the column has a rule for an unknown type of party
   * - `unknown-rules`: it's unknown which rules the instance or the project has on it
   * - `pending-rename`: its rules get another name, because the project renames the column or its table
   */
  readonly problem: 'party-type' | 'unknown-rules' | 'pending-rename' | undefined;
}

/** Finds the columns that a unit would get, if it's a table, and renamed columns whose rules it might lose. */
export type FindGainedColumns = (merged: MergeResult) => readonly GainedColumn[];

type TableKey = Extract<ItemKey, { kind: 'table' }>;
type RulesKey = Extract<ItemKey, { kind: 'rules' }>;

/** Creates a function that finds the columns that tables would get, and renamed columns whose rules they might lose. */
export function createGainedColumnFinder(decisions: Decisions, input: ProtectionInput): FindGainedColumns {
  const { project, pulled, isUnknownOnInstance } = input;
  const isNotConverted = createNotConvertedCheck(pulled);
  const findProblem = (key: ItemKey): GainedColumn['problem'] =>
    isNotConverted(key) ? 'party-type' : isUnknownOnInstance(key) ? 'unknown-rules' : undefined;
  const rulesByKey = mapRules(decisions);
  const instanceRuleKeys = new Set(
    pulled.items.flatMap(({ key }) => (key.kind === 'rules' ? [formatItemKey(key)] : [])),
  );
  const findRuledColumns = createRuledColumnFinder(rulesByKey, pulled);
  const findKnownColumns = createKnownColumnFinder(input, rulesByKey);
  return (merged) => {
    const { unit, contents } = merged;
    const { owner, dependents } = unit;
    const { key, theirs, instanceItem: { key: instanceKey } = theirs ?? owner } = owner;
    const content = contents.get(owner);
    if (
      content === undefined ||
      theirs === undefined ||
      key.kind !== 'table' ||
      instanceKey.kind !== 'table'
    ) {
      return [];
    }
    const known = findKnownColumns(owner, key, instanceKey);
    const names = new Set([
      ...getColumnsByName(content).keys(),
      ...(canGetMoreColumns(merged) ? findRuledColumns(key, instanceKey) : []),
    ]).difference(known);
    const columns = [...names].map((name): GainedColumn => {
      const rules = rulesByKey.get(formatItemKey({ ...key, kind: 'rules', column: name }));
      if (rules?.entry.ours !== undefined) {
        return { name, rules: undefined, problem: undefined };
      }
      const isOnInstance = rules?.entry.theirs !== undefined;
      const rulesKey = { ...instanceKey, kind: 'rules', column: name } as const;
      const problem =
        findProblem(rulesKey) ??
        (isOnInstance && project.mayBeInUnreadFile(rules.entry.key) ? 'unknown-rules' : undefined) ??
        // A table with a lock entry keeps the instance's column names. But its rules without a lock entry get the names
        // of the project, so they can't be found under the column's name.
        (rules?.entry.collidingKeys !== undefined ||
        (!isOnInstance && instanceRuleKeys.has(formatItemKey(rulesKey)))
          ? 'pending-rename'
          : undefined);
      return { name, rules: isOnInstance ? rules : undefined, problem };
    });
    // Columns whose rules have moved with a rename. If the moved rules are unknown, the table would lose them.
    const columnsWithMovedRules = dependents.flatMap(({ movedRules }): readonly GainedColumn[] =>
      movedRules === undefined
        ? []
        : [{ name: movedRules.to.column, rules: undefined, problem: findProblem(movedRules.to) }],
    );
    return [...columns, ...columnsWithMovedRules];
  };
}

/** Returns the rules of datamodels (not of cube sets), by the text of their key. */
const mapRules = (decisions: Decisions): ReadonlyMap<string, RulesEntry> =>
  new Map(
    [...decisions.keys()].flatMap((unit) =>
      getUnitEntries(unit).flatMap((entry) =>
        entry.key.kind === 'rules' ? [[formatItemKey(entry.key), { unit, entry }] as const] : [],
      ),
    ),
  );

/**
 * Returns whether a table might get more columns than its content lists: those of a custom table come from its SQL with
 * the next build.
 */
function canGetMoreColumns({ unit: { owner, dependents }, contents }: MergeResult): boolean {
  const isSqlChanged = dependents.some(
    (entry) => entry.key.kind === 'tableExpression' && contents.get(entry) !== entry.ours?.content,
  );
  return isSqlChanged || (owner.ours === undefined && getColumnsByName(contents.get(owner)).size === 0);
}

/**
 * Creates a function that returns the names of all columns of a table that have rules, and an empty name, which stands
 * for unknown columns.
 */
function createRuledColumnFinder(
  rulesByKey: ReadonlyMap<string, RulesEntry>,
  { notes }: ProtectionInput['pulled'],
): (key: TableKey, instanceKey: TableKey) => readonly string[] {
  const keys = [
    ...[...rulesByKey.values()].map(({ entry }) => entry.key),
    ...getUnconvertedKeys(notes),
  ].filter((key): key is RulesKey => key.kind === 'rules');
  const columns = Map.groupBy(keys, ({ datamodel, table }) =>
    formatItemKey({ kind: 'table', datamodel, table }),
  );
  return (...tables) => [
    '',
    ...tables.flatMap((table) => (columns.get(formatItemKey(table)) ?? []).map(({ column }) => column)),
  ];
}

/**
 * Creates a function that finds the columns of a table that the project already has. Excluded are a column whose ID
 * differs from that in the lock, because it's another column with the same name, and a renamed column that has rules in
 * the project under its old name.
 */
function createKnownColumnFinder(
  { pulled, columnRenames }: ProtectionInput,
  rulesByKey: ReadonlyMap<string, RulesEntry>,
): (table: PullEntry, key: TableKey, instanceKey: TableKey) => ReadonlySet<string> {
  const renames = Map.groupBy(columnRenames, ({ table }) => formatItemKey(table));
  const identities = new Map(pulled.identities.map(({ key, columns = {} }) => [formatItemKey(key), columns]));
  return ({ ours, base }, key, instanceKey) => {
    if (ours?.key.kind !== 'table') {
      return new Set();
    }
    const { table: projectTable } = ours.key;
    const newNames = new Map(
      (renames.get(formatItemKey(instanceKey)) ?? []).map(({ from, to }) => [from, to]),
    );
    const current = identities.get(formatItemKey(instanceKey)) ?? {};
    const { columns: lockColumns = {} } = base ?? {};
    const hasOtherId = (name: string): boolean =>
      Object.hasOwn(lockColumns, name) && Object.hasOwn(current, name) && lockColumns[name] !== current[name];
    const hasRules = (table: string, column: string): boolean =>
      rulesByKey.get(formatItemKey({ ...key, kind: 'rules', table, column }))?.entry.ours !== undefined;
    return new Set(
      [...getColumnsByName(ours.content).keys()].flatMap((projectColumn) => {
        const instanceName = newNames.get(projectColumn) ?? projectColumn;
        const isRenamed = instanceName !== projectColumn || key.table !== projectTable;
        return hasOtherId(projectColumn) || (isRenamed && hasRules(projectTable, projectColumn))
          ? []
          : [instanceName];
      }),
    );
  };
}

/**
 * Includes the rules on the columns that tables gain, even if the rules were deleted in the project, or if only the
 * table is selected.
 */
export function includeRules(decisions: Decisions, findColumns: FindGainedColumns): void {
  for (const { rules, problem } of getMergeResults(decisions).flatMap(findColumns)) {
    if (rules?.entry.theirs !== undefined && problem === undefined) {
      includeEntry(decisions, rules, rules.entry.theirs);
    }
  }
}

/** Takes an item from the instance, unless it is in conflict. */
export function includeEntry(
  decisions: Decisions,
  { unit, entry }: { readonly unit: MergeUnit; readonly entry: PullEntry },
  { content }: ProjectItem,
): void {
  const decision = decisions.get(unit);
  if (decision?.kind === 'local' || decision?.kind === 'skipped') {
    decisions.set(unit, { kind: 'merged', contents: new Map([[entry, content]]) });
  } else if (decision?.kind === 'merged' && decision.contents.get(entry) === undefined) {
    // The project has won its conflict, or rules were moved with a column that was deleted in the project.
    decisions.set(unit, { kind: 'merged', contents: new Map([...decision.contents, [entry, content]]) });
  }
}
