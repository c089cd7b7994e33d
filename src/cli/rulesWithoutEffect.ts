import {
  type ItemsAfterApply,
  type TableAfterApply,
  listItemsAfterApply,
} from '../project/access/itemsAfterApply.ts';
import { createDeferralCheck } from '../project/apply/deferredItems.ts';
import { type ItemKey, formatItemKey } from '../project/item.ts';
import { emptyLock } from '../project/pull/lock.ts';
import { listLiveTitles } from '../project/pull/movedRules.ts';
import { deriveRenamer } from '../project/pull/renames.ts';
import type { LoadedPlan } from './projectPlan.ts';

type RulesKey = Extract<ItemKey, { kind: 'rules' | 'cubeSetRules' }>;
type RulesSource = Pick<LoadedPlan, 'project' | 'prepared'> & {
  readonly reading: Pick<LoadedPlan['reading'], 'failedParts' | 'scope'>;
};

/** Rules on a column that doesn't exist, with their file if they have one. */
export interface RulesWithoutEffect {
  readonly item: string;
  readonly path?: string;
}

/**
 * Finds the rules on an instance that currently restrict nothing, because no table has their column. All names are
 * those of the instance: if a column was renamed there, its rules still have the old name, and so does the project.
 */
export function findInstanceRulesWithoutEffect(loaded: RulesSource): RulesWithoutEffect[] {
  const { project, prepared } = loaded;
  const { pulled, comparison } = prepared;
  // Without items of the project and without changes, the state after an apply is the current one.
  const currentSource: RulesSource = {
    ...loaded,
    project: { ...project, items: [] },
    prepared: {
      ...prepared,
      comparison: {
        ...comparison,
        changes: [],
        renamer: deriveRenamer({ items: [], lock: emptyLock, pulled }),
      },
    },
  };
  return addPaths(findRuleKeysWithoutEffect(currentSource), loaded);
}

/** Finds the rules that restrict nothing on an instance even after a plan is applied. */
export const findRulesWithoutEffectAfterApply = (loaded: RulesSource): RulesWithoutEffect[] =>
  addPaths(findRuleKeysWithoutEffect(loaded), loaded);

function addPaths(
  keys: readonly RulesKey[],
  { project, prepared }: Pick<RulesSource, 'project' | 'prepared'>,
): RulesWithoutEffect[] {
  const { renamer } = prepared.comparison;
  const paths = new Map(project.items.map(({ key, path }) => [formatItemKey(key), path]));
  return keys.map((key) => {
    const path = paths.get(formatItemKey(renamer.toProjectKey(key)));
    return { item: formatItemKey(key), ...(path === undefined ? {} : { path }) };
  });
}

function findRuleKeysWithoutEffect(loaded: RulesSource): readonly RulesKey[] {
  const after = listItemsAfterApply(loaded, createDeferralCheck(loaded.prepared));
  const tables = Map.groupBy(after.tables, ({ key }) => key.table);
  return [...findDatamodelRuleKeys(after, tables), ...findCubeSetRuleKeys(loaded, tables)];
}

type TablesByName = ReadonlyMap<string, readonly TableAfterApply[]>;

const findDatamodelRuleKeys = ({ rules }: ItemsAfterApply, tables: TablesByName): readonly RulesKey[] =>
  rules.flatMap(({ key }) =>
    tables
      .get(key.table)
      ?.some((table) => table.key.datamodel === key.datamodel && mayHaveColumn(table, key)) === true
      ? []
      : [key],
  );

/** A cube set may have tables of any extract datamodel, so nothing is found unless all of these could be read. */
function findCubeSetRuleKeys(
  { project, prepared, reading }: RulesSource,
  tables: TablesByName,
): readonly RulesKey[] {
  const { pulled, comparison } = prepared;
  const titles = new Set(
    pulled.items.flatMap(({ key }) => (key.kind === 'datamodel' ? [key.datamodel] : [])),
  );
  const isComplete =
    reading.failedParts.length === 0 && reading.scope.listedTitles.every((title) => titles.has(title));
  if (!isComplete) {
    return [];
  }
  const liveTitles = new Set([...listLiveTitles(pulled.items), ...listLiveTitles(project.items)]);
  const keys = new Map<string, RulesKey>();
  for (const { key } of pulled.items) {
    if (key.kind === 'cubeSetRules') {
      keys.set(formatItemKey(key), key);
    }
  }
  for (const { action, key } of comparison.changes) {
    if (key.kind === 'cubeSetRules' && action === 'delete') {
      keys.delete(formatItemKey(key));
    }
  }
  return [...keys.values()].filter(
    (key) =>
      tables
        .get(key.table)
        ?.some((table) => !liveTitles.has(table.key.datamodel) && mayHaveColumn(table, key)) !== true,
  );
}

const mayHaveColumn = ({ columns, mayHaveMoreColumns }: TableAfterApply, { column }: RulesKey): boolean =>
  mayHaveMoreColumns || columns.has(column);
