import { type ItemKey, parseItemKey } from '../item.ts';
import type { LockEntry } from './lock.ts';
import type { PullSides, PullUnit } from './pullUnits.ts';

/** The names of a table and of one of its columns. */
export type NamePair = Pick<Extract<ItemKey, { kind: 'rules' }>, 'table' | 'column'>;

/**
 * Rules that a rename has left on the former name of their column, which they don't restrict anymore: one on the instance
 * or, for the rules of a cube set that no pull has seen, one of the project.
 */
export interface LeftRules {
  readonly key: Extract<ItemKey, { kind: 'rules' | 'cubeSetRules' }>;
  /** The path of their file; `undefined` if the project has none. */
  readonly path: string | undefined;
  /** The name that the column has now, or gets from the project. */
  readonly newName: NamePair;
  /** True if another datamodel keeps the former name, or gets another new one. */
  readonly isAmbiguous?: true;
}

/**
 * Finds the rules that renames since the last pull have left behind: rules are by name, and the platform doesn't change
 * them with it. A name that another table or column has taken since is no former name.
 */
export function findLeftRules(
  { lock, pulled }: Pick<PullSides, 'lock' | 'pulled'>,
  units: readonly PullUnit[],
): readonly LeftRules[] {
  const seenTables = new Map(
    [...lock.entries].flatMap(([text, entry]) => {
      const key = entry.oid === undefined ? undefined : parseItemKey(text);
      return key?.kind === 'table' ? [[entry.oid, { ...entry, name: key.table }] as const] : [];
    }),
  );
  const currentNames = new Set<string>();
  const newNames = new Map<string, NamePair>();
  for (const { key, oid, columns = {} } of pulled.identities) {
    if (key.kind !== 'table') {
      continue;
    }
    const { datamodel, table } = key;
    const seen = seenTables.get(oid);
    const renames = seen === undefined ? [] : findRenames(seen, { name: table, columns });
    // A cube set has tables of any datamodel.
    for (const owner of [datamodel, undefined]) {
      Object.keys(columns).forEach((column) => currentNames.add(formatNames(owner, { table, column })));
      renames.forEach(({ from, to }) => newNames.set(formatNames(owner, from), to));
    }
  }
  return newNames.size === 0
    ? []
    : units.flatMap(({ owner: { key, ours, theirs } }) => {
        if (theirs === undefined || (key.kind !== 'rules' && key.kind !== 'cubeSetRules')) {
          return [];
        }
        const name = formatNames(key.kind === 'rules' ? key.datamodel : undefined, key);
        const newName = currentNames.has(name) ? undefined : newNames.get(name);
        return newName === undefined ? [] : [{ key, path: ours?.path, newName }];
      });
}

/** Finds the rules of cube sets that no pull has seen, and that don't get the new name of the project. */
export const findAmbiguousRules = (
  units: readonly PullUnit[],
  findOtherName: (key: Extract<ItemKey, { kind: 'cubeSetRules' }>) => NamePair | undefined,
): readonly LeftRules[] =>
  units.flatMap(({ owner: { key, ours, theirs, base } }) => {
    const isNew = key.kind === 'cubeSetRules' && theirs !== undefined && base === undefined;
    const newName = isNew ? findOtherName(key) : undefined;
    return isNew && newName !== undefined ? [{ key, path: ours?.path, newName, isAmbiguous: true }] : [];
  });

/** Finds the columns whose name, or that of their table, has changed. */
function findRenames(
  seen: Pick<LockEntry, 'columns'> & { readonly name: string },
  current: Required<Pick<LockEntry, 'columns'>> & { readonly name: string },
): readonly { readonly from: NamePair; readonly to: NamePair }[] {
  const names = new Map(Object.entries(current.columns).map(([name, oid]) => [oid, name]));
  return Object.entries(seen.columns ?? {}).flatMap(([column, oid]) => {
    const newColumn = names.get(oid);
    return newColumn === undefined || (newColumn === column && seen.name === current.name)
      ? []
      : [{ from: { table: seen.name, column }, to: { table: current.name, column: newColumn } }];
  });
}

const formatNames = (datamodel: string | undefined, { table, column }: NamePair): string =>
  JSON.stringify([datamodel, table, column]);
