import type { ItemKind } from '../project/item.ts';
import type { PrunedKind } from '../project/plan/compareProject.ts';
import { CommandRefusedError } from './exitCodes.ts';

/** The kinds that `--prune` of `plan` and `apply` may delete on an instance, by their names on the command line. */
const instanceKinds = {
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

/**
 * The kinds of items whose files `--prune` of `pull` may delete, by their names on the command line. Columns go with
 * their table.
 */
const { columns: _columns, ...fileKinds } = instanceKinds;

export const fileKindNames: readonly string[] = Object.keys(fileKinds);

type InstanceKindName = keyof typeof instanceKinds;

export const instanceKindNames = Object.keys(instanceKinds) as readonly InstanceKindName[];

/** Converts names on the command line to the kinds that are deleted on an instance. */
export const getPrunedInstanceKinds = (names: readonly InstanceKindName[]): ReadonlySet<PrunedKind> =>
  new Set(names.map((name) => instanceKinds[name]));

/** Converts the kinds that are deleted on an instance to their names on the command line, in a fixed order. */
export const getPrunedInstanceKindNames = (kinds: ReadonlySet<string>): InstanceKindName[] =>
  instanceKindNames.filter((name) => kinds.has(instanceKinds[name]));

/**
 * Reads the value of `--prune` of `plan` and `apply`, such as `tables,rules`.
 * @throws CommandRefusedError for an unknown kind
 */
export const readPrunedInstanceKinds = (value: string | undefined): ReadonlySet<PrunedKind> =>
  readKinds<PrunedKind>(value, instanceKinds);

/**
 * Reads the value of `--prune` of `pull`, such as `tables,rules`.
 * @throws CommandRefusedError for an unknown kind
 */
export const readPrunedFileKinds = (value: string | undefined): ReadonlySet<ItemKind> =>
  readKinds<ItemKind>(value, fileKinds);

function readKinds<Kind>(
  value: string | undefined,
  kinds: Readonly<Record<string, Kind>>,
): ReadonlySet<Kind> {
  const kindsByName = new Map(Object.entries(kinds));
  const names = (value?.split(',') ?? []).map((name) => name.trim());
  const unknownName = names.find((name) => !kindsByName.has(name));
  if (unknownName !== undefined) {
    throw new CommandRefusedError(
      `Unknown kind in --prune: "${unknownName}". Expected: ${[...kindsByName.keys()].join(', ')}.`,
    );
  }
  return new Set(names.flatMap((name) => kindsByName.get(name) ?? []));
}
