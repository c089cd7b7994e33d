import { useEffect, useState } from 'preact/hooks';
import type { PageParty, ToAccess } from '../protocol/access.ts';

/** Lets the host look up users and groups by name, because rules contain IDs. */
export interface PartyLookup {
  readonly answer: Extract<ToAccess, { type: 'party' }> | undefined;
  readonly find: (partyType: PageParty['type'], text: string) => void;
}

/** The state of a lookup. Starting another one replaces it. */
export interface LookupState {
  start(partyType: PageParty['type'], text: string): void;
  clear(): void;
  /** The reason why the last lookup found no user or group. */
  readonly problem: string | undefined;
}

/**
 * Runs lookups of one user or group at a time.
 * @param onFound receives the ID and the name of the party that was found
 */
export function usePartyLookup(
  { answer, find }: PartyLookup,
  found: (id: string, name: string) => void,
): LookupState {
  const [asked, setAsked] = useState<{ readonly partyType: PageParty['type']; readonly text: string }>();
  const isOwn = asked !== undefined && answer?.text === asked.text && answer.partyType === asked.partyType;
  const own = isOwn ? answer : undefined;
  useEffect(() => {
    if (own?.id !== undefined) {
      setAsked(undefined);
      found(own.id, own.name ?? own.id);
    }
  }, [answer]);
  return {
    start(partyType, text) {
      setAsked({ partyType, text });
      find(partyType, text);
    },
    clear: () => setAsked(undefined),
    problem: own?.problem,
  };
}
