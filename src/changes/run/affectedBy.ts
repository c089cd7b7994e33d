import type { CatalogChange } from '../../catalog/catalog.ts';
import { loadWriteKinds } from '../endpoints/writeKinds.ts';
import type { Write } from '../model/operation.ts';

/** What the catalog holds that is no longer as it was once writes were sent, whatever became of them. */
export async function affectedBy(writes: readonly Write[]): Promise<readonly CatalogChange[]> {
  const kindOf = await loadWriteKinds(writes);
  const changes = writes.flatMap((write) => kindOf(write).affects(write));
  return [...new Map(changes.map((change) => [JSON.stringify(change), change])).values()];
}
