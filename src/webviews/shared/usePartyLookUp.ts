import { useEffect, useState } from 'preact/hooks';
import type { SeenParty, ToAccess } from '../protocol/access.ts';

/** Users and groups are found by name on the other side: only identifiers are of use in rules. */
export interface PartyLookUp {
  readonly answer: Extract<ToAccess, { type: 'party' }> | undefined;
  readonly find: (partyType: SeenParty['type'], text: string) => void;
}

/** A look-up of one user or group at a time. */
export interface LookUpState {
  ask(partyType: SeenParty['type'], text: string): void;
  forget(): void;
  /** Why the text that was asked for leads to nobody. */
  readonly problem: string | undefined;
}

/** @param found is told the identifier of whom was asked for */
export function usePartyLookUp(
  { answer, find }: PartyLookUp,
  found: (id: string, name: string) => void,
): LookUpState {
  const [asked, setAsked] = useState<{ readonly partyType: SeenParty['type']; readonly text: string }>();
  const isOwn = asked !== undefined && answer?.text === asked.text && answer.partyType === asked.partyType;
  const own = isOwn ? answer : undefined;
  useEffect(() => {
    if (own?.id !== undefined) {
      setAsked(undefined);
      found(own.id, own.name ?? own.id);
    }
  }, [answer]);
  return {
    ask(partyType, text) {
      setAsked({ partyType, text });
      find(partyType, text);
    },
    forget: () => setAsked(undefined),
    problem: own?.problem,
  };
}
