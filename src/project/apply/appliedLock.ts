import type { ConvertedInstance } from '../instance/convertInstance.ts';
import { type ItemKey, formatItemKey } from '../item.ts';
import type { ItemChange } from '../plan/itemChange.ts';
import type { Lock, LockEntry } from '../pull/lock.ts';
import { type PartHashes, hashParts } from '../pull/parts.ts';

/**
 * Returns the lock after changes were applied: the parts that were written are recorded as last seen. Everything else
 * keeps its entry, so the next pull still fetches what others have changed.
 * @param pulled the instance, read after the apply
 */
export function createAppliedLock(
  lock: Lock,
  changes: readonly ItemChange[],
  pulled: Pick<ConvertedInstance, 'items' | 'identities'>,
): Lock {
  const entries = new Map(lock.entries);
  const items = new Map(pulled.items.map((item) => [formatItemKey(item.key), item]));
  const identities = new Map(pulled.identities.map((identity) => [formatItemKey(identity.key), identity]));
  const refreshIdentity = (text: string): void => {
    const entry = entries.get(text);
    const identity = identities.get(text);
    if (entry !== undefined && identity !== undefined) {
      const { oid, columns } = identity;
      entries.set(text, { ...entry, oid, ...(columns === undefined ? {} : { columns }) });
    }
  };
  for (const { action, key, from = key, parts } of changes) {
    const [text, fromText] = [formatItemKey(key), formatItemKey(from)];
    const base = entries.get(fromText);
    const item = items.get(text);
    if (action === 'delete') {
      // If the instance still has the item, its deletion was deferred to the next apply.
      if (item === undefined) {
        deleteWithChildren(entries, key);
      }
      continue;
    }
    if (item === undefined) {
      continue;
    }
    if (fromText !== text) {
      entries.delete(fromText);
    }
    const seen = hashParts(item.content);
    const pointers = parts.map(({ pointer }) => pointer);
    const entry: LockEntry = {
      ...base,
      parts: base === undefined || action === 'create' ? seen : mergeParts(base.parts, seen, pointers),
    };
    entries.set(text, entry);
    refreshIdentity(text);
    if (key.kind === 'columnExpression') {
      refreshIdentity(formatItemKey({ kind: 'table', datamodel: key.datamodel, table: key.table }));
    }
  }
  return { ...lock, entries };
}

/** Returns the hashes last seen of the changed parts, and those in the lock for all other parts. */
function mergeParts(base: PartHashes, seen: PartHashes, changedPointers: readonly string[]): PartHashes {
  const isChanged = (pointer: string): boolean =>
    changedPointers.some((changed) => pointer === changed || pointer.startsWith(`${changed}/`));
  return new Map(
    [...seen].flatMap(([pointer, hash]) => {
      const known = isChanged(pointer) ? hash : base.get(pointer);
      return known === undefined ? [] : [[pointer, known] as const];
    }),
  );
}

/** Deletes the entry of an item and the entries of everything that belongs to it. */
function deleteWithChildren(entries: Map<string, LockEntry>, key: ItemKey): void {
  const text = formatItemKey(key);
  entries.delete(text);
  if (key.kind !== 'datamodel' && key.kind !== 'table') {
    return;
  }
  const names = text.slice(text.indexOf('/') + 1);
  const kinds =
    key.kind === 'datamodel'
      ? ['dataset', 'table', 'tableExpression', 'columnExpression', 'relation', 'rules']
      : ['tableExpression', 'columnExpression'];
  for (const other of entries.keys()) {
    const isInside = kinds.some(
      (kind) => other === `${kind}/${names}` || other.startsWith(`${kind}/${names}/`),
    );
    if (isInside) {
      entries.delete(other);
    }
  }
}
