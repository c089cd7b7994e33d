import type { Datamodel } from '../../contract/datamodel.ts';
import { formatItemKey, parseItemKey } from '../item.ts';

/** The items in the lock file of a project: what was last seen on an instance. */
export interface LockItems {
  /** By the text of the key (`formatItemKey`), with the identifier on the instance. */
  readonly entries: ReadonlyMap<
    string,
    { readonly oid?: string; readonly isOfReplaced?: boolean | undefined }
  >;
  /** Whether the instance listed its users and groups. If so, names in files may come from these lists. */
  readonly hasDirectory?: boolean;
}

/**
 * Returns whether a datamodel, which may have had another title, has rules in a lock. The rules of a former datamodel
 * with the same title, which this one has replaced (`isOfReplaced`), don't count.
 */
export function hasRulesInLock({ entries }: LockItems, { oid, title }: Datamodel): boolean {
  return [...entries].some(([text, { isOfReplaced }]) => {
    const key = parseItemKey(text);
    if (key?.kind !== 'rules' || isOfReplaced === true) {
      return false;
    }
    const { datamodel } = key;
    const lockId = entries.get(formatItemKey({ kind: 'datamodel', datamodel }))?.oid;
    return lockId === undefined ? datamodel === title : lockId === oid;
  });
}
