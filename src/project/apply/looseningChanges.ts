import { jsonEquals } from '../../base/canonicalJson.ts';
import type { JsonValue } from '../../base/json.ts';
import { asObject, omitMembers } from '../../changes/model/readJson.ts';
import type { ItemChange, PartChange } from '../compare/itemChange.ts';
import { formatItemKey, renamedFromMember } from '../item.ts';
import type { ProjectComparison } from '../plan/compareProject.ts';
import { createDeferralCheck } from './deferredItems.ts';
import type { DeferredChange } from './problems.ts';

/**
 * Returns the titles of the datamodels and cube sets in which more may be visible after some of the changes than before
 * them: because rules change, or what rules and data depend on.
 * @param deferred the changes that wait for a later apply; of the update of a table, only the deletions wait
 */
export function findLoosenedTitles(
  comparison: Pick<ProjectComparison, 'changes' | 'renamer'>,
  deferred: readonly DeferredChange[],
): ReadonlySet<string> {
  const { changes } = comparison;
  const waits = createDeferralCheck({ comparison, compiled: { deferred } });
  const created = new Set(
    changes.filter(({ action }) => action === 'create').map(({ key }) => formatItemKey(key)),
  );
  const mayLoosen = (change: ItemChange): boolean => {
    const { key, action, parts } = change;
    const isWaiting = waits(change);
    switch (key.kind) {
      case 'datamodel':
      case 'dataset':
        return action === 'delete' && !isWaiting;
      case 'table':
        return action === 'update'
          ? parts.some((part) => !isHarmless(part) && !(isWaiting && part.after === undefined))
          : action === 'delete' && !isWaiting;
      case 'tableExpression':
      case 'columnExpression':
        return (
          !isWaiting &&
          !created.has(formatItemKey({ kind: 'table', datamodel: key.datamodel, table: key.table }))
        );
      case 'relation':
      case 'rules':
      case 'cubeSetRules':
        return !isWaiting;
      case 'viewpoint':
      case 'customData':
        return false;
    }
  };
  return new Set(
    changes
      .filter(mayLoosen)
      .flatMap(({ key }) =>
        key.kind === 'cubeSetRules' ? [key.cubeSet] : 'datamodel' in key ? [key.datamodel] : [],
      ),
  );
}

/**
 * Returns whether a part of a table is new, or has only another name or description: viewpoints don't have new columns
 * yet, and rules get a new name before it.
 */
const isHarmless = ({ pointer, before, after }: PartChange): boolean =>
  pointer === '/name' ||
  pointer === '/description' ||
  (pointer.startsWith('/columns/') &&
    (before === undefined || (after !== undefined && jsonEquals(omitTexts(before), omitTexts(after)))));

const omitTexts = (column: JsonValue): JsonValue =>
  omitMembers(asObject(column), 'name', 'description', renamedFromMember);
