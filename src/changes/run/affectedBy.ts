import type { CatalogChange } from '../../catalog/catalog.ts';
import { kindOf } from '../endpoints/writeKinds.ts';
import type { Write } from '../model/operation.ts';

/** What the catalog holds that is no longer as it was once writes were sent, whatever became of them. */
export function affectedBy(writes: readonly Write[]): readonly CatalogChange[] {
  const changes = writes.flatMap((write) => kindOf(write).affects(write));
  return [...new Map(changes.map((change) => [JSON.stringify(change), change])).values()];
}
