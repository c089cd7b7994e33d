import type { Datamodel } from '../../contract/datamodel.ts';
import { formatItemKey, parseItemKey } from '../item.ts';

/** The items of an instance that a project has last seen, as its lock file has them. */
export interface SeenItems {
  /** By the text of the key (`formatItemKey`), with the identifier on the instance. */
  readonly entries: ReadonlyMap<
    string,
    { readonly oid?: string; readonly isOfReplaced?: boolean | undefined }
  >;
  /** Whether the instance listed its users and groups. If so, names in files may come from these lists. */
  readonly hasDirectory?: boolean;
}

/**
 * Returns whether a datamodel, which may have had another title, had rules when it was last seen. The rules of a former
 * datamodel with the same title, which this one has replaced (`isOfReplaced`), don't count.
 */
export function hasSeenRules({ entries }: SeenItems, { oid, title }: Datamodel): boolean {
  return [...entries].some(([text, { isOfReplaced }]) => {
    const key = parseItemKey(text);
    if (key?.kind !== 'rules' || isOfReplaced === true) {
      return false;
    }
    const { datamodel } = key;
    const seenId = entries.get(formatItemKey({ kind: 'datamodel', datamodel }))?.oid;
    return seenId === undefined ? datamodel === title : seenId === oid;
  });
}
