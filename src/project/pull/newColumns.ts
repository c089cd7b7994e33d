import { getColumnsByName } from '../compare/normalizeContent.ts';
import type { Project } from '../files/project.ts';
import type { ConvertedInstance } from '../instance/convertInstance.ts';
import { type ItemKey, type ProjectItem, formatItemKey } from '../item.ts';
import type { MergedUnit } from './composeFiles.ts';
import { type Decisions, getMerged } from './decisions.ts';
import { type InstanceColumnRename, type PullEntry, type PullUnit, getUnitEntries } from './pullUnits.ts';

/** What decides whether items are left out. */
export interface ProtectionInput {
  readonly project: Project;
  readonly pulled: ConvertedInstance;
  /** The columns that the project has under their former names. */
  readonly columnRenames: readonly InstanceColumnRename[];
  /** Returns whether rules of the instance are unknown, or can't become a file. */
  readonly areRulesUnknown: (key: ItemKey) => boolean;
}

/** The rules on a column, and the unit that they are merged with: if they were moved, that of their table. */
interface RulesEntry {
  readonly unit: PullUnit;
  readonly entry: PullEntry;
}

/** Returns the rules on the columns of datamodels by the text of their key. */
export const mapRules = (decisions: Decisions): ReadonlyMap<string, RulesEntry> =>
  new Map(
    [...decisions.keys()].flatMap((unit) =>
      getUnitEntries(unit).flatMap((entry) =>
        entry.key.kind === 'rules' ? [[formatItemKey(entry.key), { unit, entry }] as const] : [],
      ),
    ),
  );

/**
 * Brings the rules on new columns in with their table, even if they were deleted in the project, or if only the table is
 * selected.
 */
export function includeRulesOfNewColumns(decisions: Decisions, input: ProtectionInput): void {
  const rulesByKey = mapRules(decisions);
  for (const { key, instanceKey, columns } of getMerged(decisions).flatMap(createColumnFinder(input))) {
    for (const column of columns) {
      const rulesKey = { ...key, kind: 'rules', column } as const;
      const rules = rulesByKey.get(formatItemKey(rulesKey));
      if (
        rules?.entry.ours === undefined &&
        rules?.entry.theirs !== undefined &&
        !input.areRulesUnknown({ ...instanceKey, kind: 'rules', column }) &&
        !input.project.isUnknown(rulesKey)
      ) {
        includeRules(decisions, rules, rules.entry.theirs);
      }
    }
  }
}

/** Takes rules from the instance, unless they are in conflict. */
function includeRules(decisions: Decisions, { unit, entry }: RulesEntry, { content }: ProjectItem): void {
  const decision = decisions.get(unit);
  if (decision?.kind === 'local' || decision?.kind === 'unknown') {
    decisions.set(unit, { kind: 'merged', contents: new Map([[entry, content]]) });
  } else if (decision?.kind === 'merged' && decision.contents.get(entry) === undefined) {
    // The project has won their conflict, or they were moved with a column that was deleted in the project.
    decisions.set(unit, { kind: 'merged', contents: new Map([...decision.contents, [entry, content]]) });
  }
}

type TableKey = Extract<ItemKey, { kind: 'table' }>;

/** The columns that the project doesn't have of a table. */
interface NewColumns {
  readonly key: TableKey;
  /** The key of the table on the instance. */
  readonly instanceKey: TableKey;
  readonly columns: readonly string[];
}

/** Creates a function that finds the new columns of a unit, if it's a table. */
export function createColumnFinder({
  columnRenames,
}: Pick<ProtectionInput, 'columnRenames'>): (merged: MergedUnit) => readonly NewColumns[] {
  const newNames = Map.groupBy(columnRenames, ({ table }) => formatItemKey(table));
  return ({ unit: { owner }, contents }) => {
    const { key, ours, theirs, pulled: { key: instanceKey } = theirs ?? owner } = owner;
    const content = contents.get(owner);
    if (
      content === undefined ||
      theirs === undefined ||
      key.kind !== 'table' ||
      instanceKey.kind !== 'table'
    ) {
      return [];
    }
    const known = getColumnNames(ours).union(
      new Set((newNames.get(formatItemKey(key)) ?? []).map(({ to }) => to)),
    );
    const columns = [...getColumnsByName(content).keys()].filter((name) => !known.has(name));
    return [{ key, instanceKey, columns }];
  };
}

/** Returns the names of the columns of a table. */
export const getColumnNames = (table: ProjectItem | undefined): ReadonlySet<string> =>
  new Set(getColumnsByName(table?.content ?? null).keys());
