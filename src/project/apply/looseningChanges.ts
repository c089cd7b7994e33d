import type { ItemChange } from '../compare/itemChange.ts';
import { formatItemKey, isRuleKey } from '../item.ts';
import type { DeferredChange } from './problems.ts';

/**
 * Returns the titles of the datamodels and cube sets in which more may be visible after some of the changes than before
 * them: because rules change, or what rules and data depend on.
 * @param deferred the changes that wait for a later apply, at least in part
 */
export function findLoosenedTitles(
  changes: readonly ItemChange[],
  deferred: readonly DeferredChange[],
): ReadonlySet<string> {
  // Of a table, only a part may wait.
  const waiting = new Set(
    deferred.flatMap(({ key }) => (isRuleKey(key) || key.kind === 'relation' ? formatItemKey(key) : [])),
  );
  const created = new Set(
    changes.filter(({ action }) => action === 'create').map(({ key }) => formatItemKey(key)),
  );
  const isOfNewTable = ({ key }: ItemChange): boolean =>
    (key.kind === 'tableExpression' || key.kind === 'columnExpression') &&
    created.has(formatItemKey({ kind: 'table', datamodel: key.datamodel, table: key.table }));
  return new Set(
    changes
      .filter(
        (change) => mayLoosen(change) && !isOfNewTable(change) && !waiting.has(formatItemKey(change.key)),
      )
      .flatMap(({ key }) =>
        key.kind === 'cubeSetRules' ? [key.cubeSet] : 'datamodel' in key ? [key.datamodel] : [],
      ),
  );
}

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
