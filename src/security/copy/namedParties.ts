import { readArray, isObject, isNonEmptyString, getSharePartyId } from '../readRules.ts';

/** A user or group that rules are for, with its display name. */
export interface NamedParty {
  readonly type: 'user' | 'group';
  readonly id: string;
  readonly name: string;
}

/**
 * Reads the users and groups that have a name in the server's rules (platform-facts.md, 3.1, `partyName`), once for
 * each name.
 */
export function readNamedParties(rules: readonly unknown[]): readonly NamedParty[] {
  const shares = rules.flatMap((rule) => readArray(isObject(rule) ? rule['shares'] : []));
  const namedParties = new Map<string, NamedParty>();
  for (const share of shares) {
    const { type, partyName: name } = isObject(share) ? share : {};
    const id = isObject(share) ? getSharePartyId(share) : undefined;
    if (id !== undefined && isNonEmptyString(name) && (type === 'user' || type === 'group')) {
      namedParties.set(JSON.stringify([type, id, name]), { type, id, name });
    }
  }
  return [...namedParties.values()];
}
