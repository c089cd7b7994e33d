import type { CatalogChange } from './instanceCatalog.ts';
import type { ResourceRef } from './resourceRef.ts';
import { isSameSubject } from './ruleSubject.ts';

/** Returns whether a change may have affected a resource. */
export function mayBeAffected(ref: ResourceRef, change: CatalogChange): boolean {
  switch (change.kind) {
    case 'all':
      return true;
    case 'datamodels':
      return 'datamodelId' in ref;
    case 'datamodel':
      return 'datamodelId' in ref && ref.datamodelId === change.datamodelId;
    case 'rules':
      return 'subject' in ref && isSameSubject(ref.subject, change.subject);
    case 'viewpoints':
      return ref.kind === 'viewpoint';
    case 'customData':
      return ref.kind === 'customData' || ref.kind === 'customDataObject';
    case 'builds':
      return ref.kind === 'build';
  }
}
