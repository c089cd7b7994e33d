import type { CatalogChange } from '../../catalog/instanceCatalog.ts';
import { loadWriteKinds } from '../endpoints/writeKinds.ts';
import type { Write } from '../model/operation.ts';

/** Returns the parts of the catalog that are outdated after writes were sent, regardless of their results. */
export async function invalidations(writes: readonly Write[]): Promise<readonly CatalogChange[]> {
  const getWriteKind = await loadWriteKinds(writes);
  const changes = writes.flatMap((write) => getWriteKind(write).getCatalogChanges(write));
  return [...new Map(changes.map((change) => [JSON.stringify(change), change])).values()];
}
