import type { ConvertedInstance } from '../instance/convertInstance.ts';
import { type ItemKey, formatItemKey } from '../item.ts';
import type { Lock } from './lock.ts';

/**
 * Creates a function that returns whether a key is that of rules whose datamodel was replaced by another one of the
 * same title since the lock was written. The entries under such a key are rules of the former datamodel.
 */
export function createReplacedRulesCheck(
  { entries }: Pick<Lock, 'entries'>,
  { identities }: Pick<ConvertedInstance, 'identities'>,
): (key: ItemKey) => boolean {
  const replaced = new Set(
    identities.flatMap(({ key, oid }) => {
      const lockId = key.kind === 'datamodel' ? entries.get(formatItemKey(key))?.oid : undefined;
      return key.kind === 'datamodel' && lockId !== undefined && lockId !== oid ? [key.datamodel] : [];
    }),
  );
  return (key) => key.kind === 'rules' && replaced.has(key.datamodel);
}
