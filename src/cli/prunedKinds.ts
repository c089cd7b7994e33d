import type { ItemKind } from '../project/item.ts';
import type { PrunedKind } from '../project/plan/compareProject.ts';
import { CommandRefusedError } from './exitCodes.ts';

/** The kinds of what an apply may delete on an instance, by their names on the command line. */
const deletableKinds = {
  datamodels: 'datamodel',
  datasets: 'dataset',
  tables: 'table',
  columns: 'column',
  relations: 'relation',
  rules: 'rules',
  viewpoints: 'viewpoint',
  'cube-set-rules': 'cubeSetRules',
  'custom-data': 'customData',
} as const satisfies Readonly<Record<string, PrunedKind>>;

/** The kinds of items whose files a pull may delete, by their names on the command line. Columns go with their table. */
const { columns: _columns, ...prunableKinds } = deletableKinds;

export const prunableKindNames: readonly string[] = Object.keys(prunableKinds);

type DeletableKindName = keyof typeof deletableKinds;

export const deletableKindNames = Object.keys(deletableKinds) as readonly DeletableKindName[];

/** Returns the kinds of what may be deleted, by their names on the command line. */
export const getDeletedKinds = (names: readonly DeletableKindName[]): ReadonlySet<PrunedKind> =>
  new Set(names.map((name) => deletableKinds[name]));

/** Returns the names of kinds on the command line, in a fixed order. */
export const getDeletableKindNames = (kinds: ReadonlySet<PrunedKind>): DeletableKindName[] =>
  deletableKindNames.filter((name) => kinds.has(deletableKinds[name]));

/**
 * Reads the value of `--prune` of a command that may delete on an instance.
 * @throws CommandRefusedError for an unknown kind
 */
export const readDeletedKinds = (value: string | undefined): ReadonlySet<PrunedKind> =>
  readKinds<PrunedKind>(value, deletableKinds);

/**
 * Reads the value of `--prune`, such as `tables,rules`.
 * @throws CommandRefusedError for an unknown kind
 */
export const readPrunedKinds = (value: string | undefined): ReadonlySet<ItemKind> =>
  readKinds<ItemKind>(value, prunableKinds);

function readKinds<Kind>(
  value: string | undefined,
  kinds: Readonly<Record<string, Kind>>,
): ReadonlySet<Kind> {
  const kindsByName = new Map(Object.entries(kinds));
  const named = (value?.split(',') ?? []).map((name) => kindsByName.get(name.trim()));
  if (named.includes(undefined)) {
    throw new CommandRefusedError(
      `Unknown kind in --prune. Expected: ${[...kindsByName.keys()].join(', ')}.`,
    );
  }
  return new Set(named.filter((kind) => kind !== undefined));
}
