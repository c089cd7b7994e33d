import type { CatalogChange } from '../../catalog/instanceCatalog.ts';
import { loadWriteKinds } from '../endpoints/writeKinds.ts';
import type { Write } from '../model/operation.ts';

/** What the catalog holds that is no longer as it was once writes were sent, whatever became of them. */
export async function invalidations(writes: readonly Write[]): Promise<readonly CatalogChange[]> {
  const getWriteKind = await loadWriteKinds(writes);
  const changes = writes.flatMap((write) => getWriteKind(write).getCatalogChanges(write));
  return [...new Map(changes.map((change) => [JSON.stringify(change), change])).values()];
}
