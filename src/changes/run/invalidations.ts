import type { CatalogChange } from '../../catalog/instanceCatalog.ts';
import type { WriteKindLookup } from '../endpoints/writeKinds.ts';
import type { Write } from '../model/operation.ts';

/** Returns the parts of the catalog that are outdated after writes were sent, whatever their results. */
export function getInvalidations(
  writes: readonly Write[],
  getWriteKind: WriteKindLookup,
): readonly CatalogChange[] {
  const changes = writes.flatMap((write) => getWriteKind(write).getCatalogChanges(write));
  return [...new Map(changes.map((change) => [JSON.stringify(change), change])).values()];
}
