import type { ItemKind } from '../project/item.ts';
import { CommandRefusedError } from './exitCodes.ts';

/** The kinds of items whose files a pull may delete, by their names on the command line. */
const prunableKinds: ReadonlyMap<string, ItemKind> = new Map([
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

/**
 * Reads the value of `--prune`, such as `tables,rules`.
 * @throws CommandRefusedError for an unknown kind
 */
export function readPrunedKinds(value: string | undefined): ReadonlySet<ItemKind> {
  const kinds = (value?.split(',') ?? []).map((name) => prunableKinds.get(name.trim()));
  if (kinds.includes(undefined)) {
    throw new CommandRefusedError(`Unknown kind in --prune. Expected: ${prunableKindNames.join(', ')}.`);
  }
  return new Set(kinds.filter((kind) => kind !== undefined));
}
