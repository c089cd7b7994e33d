import type { CatalogChange } from '../../catalog/instanceCatalog.ts';
import type { Write } from '../model/operation.ts';

/** Returns a catalog change for the whole datamodel, since its contents are cached with it. */
export function getDatamodelCatalogChanges({ params, target }: Write): readonly CatalogChange[] {
  const datamodelId = params['datamodelId'] ?? (target && 'datamodelId' in target ? target.datamodelId : '');
  return [{ kind: 'datamodel', datamodelId }];
}
