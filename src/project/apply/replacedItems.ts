import { getMember } from '../../base/json.ts';
import type { ItemChange, PartChange } from '../compare/itemChange.ts';
import { type ItemKey, formatItemKey, getOwnerKeys, isBrokenRelation } from '../item.ts';
import type { Lock } from '../pull/lock.ts';
import { createFollowingSqlCheck } from './followingSql.ts';
import { createDeferralCheck } from './deferredItems.ts';
import { getColumnId } from './formerLock.ts';
import type { PreparedPlan } from './preparePlan.ts';

interface PlannedChanges {
  readonly lock: Pick<Lock, 'entries'>;
  readonly prepared: {
    readonly comparison: Pick<PreparedPlan['comparison'], 'changes' | 'renamer'>;
    readonly compiled: Pick<PreparedPlan['compiled'], 'deferred'>;
    readonly pulled: Pick<PreparedPlan['pulled'], 'identities' | 'items'>;
  };
}

/**
 * Returns the keys of the items whose files a pull updates to match the instance once their apply is undone:
 * - items that the apply renames, items whose names contain a renamed one, and SQL that only follows a rename
 * - items that the apply deletes
 * - items that others have replaced since the last pull by something else with the same name
 * - tables with columns for which one of these is true
 *
 * For all other items, a pull keeps the changes in the files, because `restoreFormerLock` restores their entries.
 */
export function findReplacedItems({
  lock,
  prepared: { comparison, compiled, pulled },
}: PlannedChanges): readonly ItemKey[] {
  const identities = new Map(pulled.identities.map((identity) => [formatItemKey(identity.key), identity]));
  const isDeferred = createDeferralCheck({ comparison, compiled });
  const isFollowingSql = createFollowingSqlCheck(comparison.renamer, pulled);
  const isReplaced = (change: ItemChange): boolean => {
    const { action, key, from, parts } = change;
    if (from !== undefined || action === 'create') {
      return from !== undefined;
    }
    if (action === 'delete') {
      return !isDeferred(change) && !isBrokenRelation(key);
    }
    const text = formatItemKey(key);
    const [lastSeen, identity] = [lock.entries.get(text), identities.get(text)];
    const isOther = lastSeen !== undefined && lastSeen.oid !== identity?.oid;
    const isOtherColumn = ({ pointer }: PartChange, name: string): boolean =>
      lastSeen?.parts.has(pointer) === true && getColumnId(lastSeen, name) !== getColumnId(identity, name);
    const isReplacedColumn = (part: PartChange): boolean => {
      const [before, after] = [part.before, part.after].map((column) => getMember(column, 'name'));
      return (
        typeof before === 'string' &&
        (after === undefined ? !isDeferred(change) : before !== after || isOtherColumn(part, before))
      );
    };
    return isOther || isFollowingSql(change) || (key.kind === 'table' && parts.some(isReplacedColumn));
  };
  const keys = comparison.changes.filter(isReplaced).map(({ key }) => key);
  const texts = new Set(keys.map(formatItemKey));
  return keys.filter((key) => !getContainers(key).some((owner) => texts.has(formatItemKey(owner))));
}

/**
 * Returns the items that an item belongs to, and the tables in its name. If one of them is listed, the item needn't be
 * listed.
 */
const getContainers = (key: ItemKey): readonly ItemKey[] => [
  ...getOwnerKeys(key),
  ...(key.kind === 'rules' || key.kind === 'relation'
    ? (key.kind === 'rules' ? [key] : key.columns).map(
        ({ table }): ItemKey => ({ kind: 'table', datamodel: key.datamodel, table }),
      )
    : []),
];
