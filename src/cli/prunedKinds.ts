import type { ItemKind } from '../project/item.ts';
import type { PrunedKind } from '../project/plan/compareProject.ts';
import { CommandRefusedError } from './exitCodes.ts';

/** SQL goes with its table. */
type PullPrunedKind = Exclude<PrunedKind, 'column'>;

/** The kinds of items whose files a pull may delete, by their names on the command line. */
const prunableKinds: ReadonlyMap<string, PullPrunedKind> = new Map<string, PullPrunedKind>([
  ['datamodels', 'datamodel'],
  ['datasets', 'dataset'],
  ['tables', 'table'],
  ['relations', 'relation'],
  ['rules', 'rules'],
  ['viewpoints', 'viewpoint'],
  ['cube-set-rules', 'cubeSetRules'],
  ['custom-data', 'customData'],
]);

export const prunableKindNames: readonly string[] = [...prunableKinds.keys()];

/** The kinds of what an apply may delete on an instance, by their names on the command line. */
const deletableKinds: ReadonlyMap<string, PrunedKind> = new Map<string, PrunedKind>([
  ...prunableKinds,
  ['columns', 'column'],
]);

export const deletableKindNames: readonly string[] = [...deletableKinds.keys()];

/**
 * Reads the value of `--prune` of a command that may delete on an instance.
 * @throws CommandRefusedError for an unknown kind
 */
export const readDeletedKinds = (value: string | undefined): ReadonlySet<PrunedKind> =>
  readKinds(value, deletableKinds);

/**
 * Reads the value of `--prune`, such as `tables,rules`.
 * @throws CommandRefusedError for an unknown kind
 */
export const readPrunedKinds = (value: string | undefined): ReadonlySet<ItemKind> =>
  readKinds(value, prunableKinds);

function readKinds<Kind>(
  value: string | undefined,
  kindsByName: ReadonlyMap<string, Kind>,
): ReadonlySet<Kind> {
  const kinds = (value?.split(',') ?? []).map((name) => kindsByName.get(name.trim()));
  if (kinds.includes(undefined)) {
    throw new CommandRefusedError(
      `Unknown kind in --prune. Expected: ${[...kindsByName.keys()].join(', ')}.`,
    );
  }
  return new Set(kinds.filter((kind) => kind !== undefined));
}
