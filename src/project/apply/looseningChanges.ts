import type { ItemChange } from '../compare/itemChange.ts';

/**
 * Returns the titles of the datamodels and cube sets in which more may be visible after some of the changes than before
 * them: because rules change, or what rules and data depend on.
 */
export const findLoosenedTitles = (changes: readonly ItemChange[]): ReadonlySet<string> =>
  new Set(
    changes.filter(mayLoosen).flatMap(({ key }) => {
      if (key.kind === 'cubeSetRules') {
        return [key.cubeSet];
      }
      return 'datamodel' in key ? [key.datamodel] : [];
    }),
  );

/** New datasets and tables, and descriptions, show nothing in what exists. */
function mayLoosen({ key, action, parts }: ItemChange): boolean {
  switch (key.kind) {
    case 'datamodel':
    case 'dataset':
      return action === 'delete';
    case 'table':
      return (
        action === 'delete' || parts.some(({ pointer }) => action === 'update' && pointer !== '/description')
      );
    case 'tableExpression':
    case 'columnExpression':
    case 'relation':
    case 'rules':
    case 'cubeSetRules':
      return true;
    case 'viewpoint':
    case 'customData':
      return false;
  }
}
