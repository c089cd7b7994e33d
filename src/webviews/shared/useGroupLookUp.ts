import { useEffect, useState } from 'preact/hooks';
import type { ToAccess } from '../../protocol/access.ts';

/** Groups are found by name on the server, since nothing lists them (spec, "Session check and lookup"). */
export interface GroupLookUp {
  readonly answer: Extract<ToAccess, { type: 'group' }> | undefined;
  readonly find: (name: string) => void;
}

/** A look-up of one group at a time. */
export interface LookUpState {
  ask(name: string): void;
  forget(): void;
  /** Set where the server found no such group; it may be an identifier all the same. */
  readonly missing: { readonly name: string; readonly problem: string | undefined } | undefined;
}

/** @param found is told the identifier of a group that was asked for */
export function useGroupLookUp(
  { answer, find }: GroupLookUp,
  found: (id: string, name: string) => void,
): LookUpState {
  const [asked, setAsked] = useState<string>();
  const own = asked !== undefined && answer?.name === asked ? answer : undefined;
  useEffect(() => {
    if (own?.id !== undefined) {
      setAsked(undefined);
      found(own.id, own.name);
    }
  }, [answer]);
  return {
    ask(name) {
      setAsked(name);
      find(name);
    },
    forget: () => setAsked(undefined),
    missing: own !== undefined && own.id === undefined ? { name: own.name, problem: own.problem } : undefined,
  };
}
