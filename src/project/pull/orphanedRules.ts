import { type ItemKey, formatItemKey, parseItemKey } from '../item.ts';
import type { LockEntry } from './lock.ts';
import type { ColumnName } from './movedRules.ts';
import type { PullSides, MergeUnit } from './mergeUnits.ts';

/**
 * Rules that still name a column by its former name, so they don't restrict it anymore. The column was renamed on the
 * instance or, for rules of a cube set that were never pulled, in the project.
 */
export interface OrphanedRules {
  readonly key: Extract<ItemKey, { kind: 'rules' | 'cubeSetRules' }>;
  /** The path of their file; `undefined` if the project has none. */
  readonly path: string | undefined;
  /** The name that the column has now, or gets from the project. */
  readonly newName: ColumnName;
  /**
   * - `renamed`: the column was renamed on the instance
   * - `name-taken`: another column has the former name now, so the rules restrict that one
   * - `ambiguous`: another datamodel keeps the former name, or changes it to another new name
   */
  readonly reason: 'renamed' | 'name-taken' | 'ambiguous';
}

/**
 * Finds the rules that were not updated when their column was renamed since the last pull: rules name their column
 * (rest-api.md, "Data security rule"), and the caller has to update what uses the old name (rest-api.md, "Datamodel
 * API"). If another column has the former name now, the rules on this name aren't orphaned in two cases: if they are
 * new, because neither the project nor the lock has them; and if there are new rules on the new name, because the old
 * rules were moved there.
 */
export function findOrphanedRules(
  { lock, pulled }: Pick<PullSides, 'lock' | 'pulled'>,
  units: readonly MergeUnit[],
): readonly OrphanedRules[] {
  const lockTables = new Map(
    [...lock.entries].flatMap(([text, entry]) => {
      const key = entry.oid === undefined ? undefined : parseItemKey(text);
      return key?.kind === 'table' ? [[entry.oid, { ...entry, name: key.table }] as const] : [];
    }),
  );
  const currentNames = new Set<string>();
  const newNames = new Map<string, ColumnName>();
  for (const { key, oid, columns = {} } of pulled.identities) {
    if (key.kind !== 'table') {
      continue;
    }
    const { datamodel, table } = key;
    const lockTable = lockTables.get(oid);
    const renames = lockTable === undefined ? [] : findColumnRenames(lockTable, { name: table, columns });
    // A cube set has tables of any datamodel.
    for (const owner of [datamodel, undefined]) {
      Object.keys(columns).forEach((column) => currentNames.add(formatNames(owner, { table, column })));
      renames.forEach(({ from, to }) => newNames.set(formatNames(owner, from), to));
    }
  }
  if (newNames.size === 0) {
    return [];
  }
  const rules = units.flatMap(({ owner: { key, ours, theirs, base } }) =>
    theirs !== undefined && (key.kind === 'rules' || key.kind === 'cubeSetRules')
      ? [{ key, path: ours?.path, isNew: ours === undefined && base === undefined }]
      : [],
  );
  const newRules = new Set(rules.flatMap(({ key, isNew }) => (isNew ? [formatItemKey(key)] : [])));
  return rules.flatMap(({ key, path, isNew }) => {
    const name = formatNames(key.kind === 'rules' ? key.datamodel : undefined, key);
    const newName = newNames.get(name);
    const isNameTaken = currentNames.has(name);
    return newName === undefined ||
      (isNameTaken && (isNew || newRules.has(formatItemKey({ ...key, ...newName }))))
      ? []
      : [{ key, path, newName, reason: isNameTaken ? ('name-taken' as const) : ('renamed' as const) }];
  });
}

/** Finds the rules of cube sets that were never pulled, and whose column has several names in the project. */
export const findAmbiguousRules = (
  units: readonly MergeUnit[],
  findAmbiguousNewName: (key: Extract<ItemKey, { kind: 'cubeSetRules' }>) => ColumnName | undefined,
): readonly OrphanedRules[] =>
  units.flatMap(({ owner: { key, ours, theirs, base } }) => {
    const wasNeverPulled = key.kind === 'cubeSetRules' && theirs !== undefined && base === undefined;
    const newName = wasNeverPulled ? findAmbiguousNewName(key) : undefined;
    return wasNeverPulled && newName !== undefined
      ? [{ key, path: ours?.path, newName, reason: 'ambiguous' }]
      : [];
  });

/** Finds the columns whose name, or that of their table, has changed. */
function findColumnRenames(
  lockTable: Pick<LockEntry, 'columns'> & { readonly name: string },
  current: Required<Pick<LockEntry, 'columns'>> & { readonly name: string },
): readonly { readonly from: ColumnName; readonly to: ColumnName }[] {
  const names = new Map(Object.entries(current.columns).map(([name, oid]) => [oid, name]));
  return Object.entries(lockTable.columns ?? {}).flatMap(([column, oid]) => {
    const newColumn = names.get(oid);
    return newColumn === undefined || (newColumn === column && lockTable.name === current.name)
      ? []
      : [{ from: { table: lockTable.name, column }, to: { table: current.name, column: newColumn } }];
  });
}

const formatNames = (datamodel: string | undefined, { table, column }: ColumnName): string =>
  JSON.stringify([datamodel, table, column]);
