import { toArray, isObject, isNonEmptyString, getSharePartyId } from '../readRule.ts';

/** A user or group in a rule, with its display name. */
export interface NamedShare {
  readonly type: 'user' | 'group';
  readonly id: string;
  readonly name: string;
}

/**
 * Reads the users and groups that have a name in the server's rules (platform-facts.md, 3.1, `partyName`), each once.
 */
export function readNamedShares(rules: readonly unknown[]): readonly NamedShare[] {
  const shares = rules.flatMap((rule) => toArray(isObject(rule) ? rule['shares'] : []));
  const namedShares = new Map<string, NamedShare>();
  for (const share of shares) {
    const { type, partyName: name } = isObject(share) ? share : {};
    const id = isObject(share) ? getSharePartyId(share) : undefined;
    if (id !== undefined && isNonEmptyString(name) && (type === 'user' || type === 'group')) {
      namedShares.set(`${type}:${id}`, { type, id, name });
    }
  }
  return [...namedShares.values()];
}
