import { useEffect, useState } from 'preact/hooks';
import type { PageParty, ToAccess } from '../protocol/access.ts';

/** Looks up users and groups by name in the host: rules need IDs. */
export interface PartyLookup {
  readonly answer: Extract<ToAccess, { type: 'party' }> | undefined;
  readonly find: (partyType: PageParty['type'], text: string) => void;
}

/** A lookup of one user or group at a time. */
export interface LookupState {
  start(partyType: PageParty['type'], text: string): void;
  clear(): void;
  /** The reason why the text matches no one. */
  readonly problem: string | undefined;
}

/** @param found receives the ID of the party that was looked up */
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
