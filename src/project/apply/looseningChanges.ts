import { jsonEquals } from '../../base/canonicalJson.ts';
import type { JsonObject, JsonValue } from '../../base/json.ts';
import { asObject, getText, omitMembers } from '../../changes/model/jsonMembers.ts';
import type { ItemChange, PartChange } from '../compare/itemChange.ts';
import type { InstanceDocuments } from '../instance/convertInstance.ts';
import { formatItemKey, renamedFromMember } from '../item.ts';
import type { ProjectComparison } from '../plan/compareProject.ts';
import type { Renamer } from '../pull/renames.ts';
import { createDeferralCheck } from './deferredItems.ts';
import type { DeferredChange } from './problems.ts';

/**
 * Returns the titles of the datamodels and cube sets in which more may be visible after some of the changes than before
 * them: because rules change, because something changes that rules and data depend on, or because a table or column is
 * renamed, and rules of a cube set keep its former name.
 * @param cubeSets the cube sets with their rules on the instance
 * @param deferred the changes that wait for a later apply; of the update of a table, only the deletions wait
 */
export function findLoosenedTitles(
  comparison: Pick<ProjectComparison, 'changes' | 'renamer'>,
  cubeSets: InstanceDocuments['cubeSets'],
  deferred: readonly DeferredChange[],
): ReadonlySet<string> {
  const { changes, renamer } = comparison;
  const isFormerName = createFormerNameCheck(renamer);
  const isDeferred = createDeferralCheck({ comparison, compiled: { deferred } });
  const created = new Set(
    changes.filter(({ action }) => action === 'create').map(({ key }) => formatItemKey(key)),
  );
  const mayLoosen = (change: ItemChange): boolean => {
    const { key, action, parts } = change;
    const isWaiting = isDeferred(change);
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
  return new Set([
    ...changes
      .filter(mayLoosen)
      .flatMap(({ key }) =>
        key.kind === 'cubeSetRules' ? [key.cubeSet] : 'datamodel' in key ? [key.datamodel] : [],
      ),
    ...cubeSets.flatMap(({ name, rules }) => (rules.some(isFormerName) ? [name] : [])),
  ]);
}

/** Creates a function that returns whether a rule is on a name that a table or column has before the changes only. */
function createFormerNameCheck({
  renames,
  columnRenames,
}: Pick<Renamer, 'renames' | 'columnRenames'>): (rule: JsonObject) => boolean {
  const tables = new Set(renames.flatMap(({ from }) => (from.kind === 'table' ? [from.table] : [])));
  const columns = new Set(columnRenames.map(({ table, from }) => JSON.stringify([table, from])));
  return (rule) => {
    const [table, column] = [getText(rule['table']), getText(rule['column'])];
    return tables.has(table) || columns.has(JSON.stringify([table, column]));
  };
}

/**
 * Returns whether a part of a table is new, or has only another name or description: viewpoints don't have new columns
 * yet, and the rules of the datamodel get the new name of a table or column before it does.
 */
const isHarmless = ({ pointer, before, after }: PartChange): boolean =>
  pointer === '/name' ||
  pointer === '/description' ||
  (pointer.startsWith('/columns/') &&
    (before === undefined || (after !== undefined && jsonEquals(omitTexts(before), omitTexts(after)))));

const omitTexts = (column: JsonValue): JsonValue =>
  omitMembers(asObject(column), 'name', 'description', renamedFromMember);
