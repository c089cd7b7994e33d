import { useEffect, useState } from 'preact/hooks';
import type { PageParty, ToAccess } from '../protocol/access.ts';

/** Lets the host look up users and groups by name, because rules contain IDs. */
export interface PartyLookup {
  readonly result: Extract<ToAccess, { type: 'party' }> | undefined;
  readonly find: (partyType: PageParty['type'], text: string) => void;
}

/** The state of a lookup. Starting another one replaces it. */
export interface LookupState {
  start(partyType: PageParty['type'], text: string): void;
  /**
   * Ignores the result; must be called when the text or type changes, so that no user or group is found that the user
   * no longer asks for.
   */
  clear(): void;
  /** The reason why the last lookup found no user or group. */
  readonly problem: string | undefined;
}

interface LookupRequest {
  readonly partyType: PageParty['type'];
  readonly text: string;
  /** The result before this request, which may be that of an earlier lookup of the same text. */
  readonly previousResult: PartyLookup['result'];
}

/**
 * Runs lookups of one user or group at a time.
 * @param onFound receives the ID and the name of the party that was found
 */
export function usePartyLookup(
  { result, find }: PartyLookup,
  onFound: (id: string, name: string) => void,
): LookupState {
  const [request, setRequest] = useState<LookupRequest>();
  const isResultOfRequest =
    request !== undefined &&
    result !== request.previousResult &&
    result?.text === request.text &&
    result.partyType === request.partyType;
  const requestedResult = isResultOfRequest ? result : undefined;
  useEffect(() => {
    if (requestedResult?.id !== undefined) {
      setRequest(undefined);
      onFound(requestedResult.id, requestedResult.name ?? requestedResult.id);
    }
  }, [result]);
  return {
    start(partyType, text) {
      setRequest({ partyType, text, previousResult: result });
      find(partyType, text);
    },
    clear: () => setRequest(undefined),
    problem: requestedResult?.problem,
  };
}
