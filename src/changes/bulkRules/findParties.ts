import type { PlatformClient } from '../../client/platformClient.ts';
import { resolveParty } from '../../connections/resolveParty.ts';
import type { Directory } from '../../catalog/people/directory.ts';
import { readNamedShares } from '../../security/copy/namedShares.ts';
import { getUnresolvedParties, getTablePartyKey } from '../../security/ruleTable/unresolvedParties.ts';
import type { TableParty, TableRule } from '../../security/ruleTable/tableRule.ts';

/** The users and groups that the parties of some rules stand for. */
export interface FoundParties {
  /** IDs by {@link getTablePartyKey}. Absent for a party with no match or several matches. */
  readonly ids: ReadonlyMap<string, string>;
  /** Groups that were looked up on the instance by name. */
  readonly groups: readonly { readonly name: string; readonly id: string }[];
  /** IDs that the instance doesn't report; they may still be valid. */
  readonly unreported: readonly string[];
  /** Parties whose name belongs to several users or groups; they are not in `ids`. */
  readonly ambiguous: readonly TableParty[];
  /** The closest known name of a party that wasn't found, by {@link getTablePartyKey}. */
  readonly nearest: ReadonlyMap<string, string>;
}

export const noParties: FoundParties = {
  ids: new Map(),
  groups: [],
  unreported: [],
  ambiguous: [],
  nearest: new Map(),
};

const maxConcurrentLookups = 8;

/**
 * Finds the users and groups that the parties of rules stand for: by the names in the current rules, by the directory
 * of the instance, and for groups also by a request. A name is never used as an ID.
 * @throws ApiError
 */
export async function findParties(
  instance: { readonly client: Pick<PlatformClient, 'groups'>; readonly directory: Directory },
  wanted: readonly TableRule[],
  context: {
    readonly current: readonly unknown[];
    /**
     * Returns a party's name on the source instance, if the rules come from another one: IDs differ between instances.
     */
    readonly nameOf?: ((party: TableParty) => string | undefined) | undefined;
    readonly onLookUp: (done: number, total: number) => void;
    readonly signal: AbortSignal;
  },
): Promise<FoundParties> {
  const { nameOf } = context;
  // If several parties have the same name, it identifies none of them.
  const named = Map.groupBy(readNamedShares(context.current), ({ type, name }) =>
    getTablePartyKey({ type, name }),
  );
  const ids = new Map<string, string>();
  const nearest = new Map<string, string>();
  const unseen: string[] = [];
  const ambiguous: TableParty[] = [];
  const groups: { name: string; id: string }[] = [];
  const toAsk = getUnresolvedParties(wanted, context.current).filter((party) => party.type !== 'default');
  const queue = toAsk.values();
  let done = 0;
  const work = async (): Promise<void> => {
    for (const party of queue) {
      const { type } = party;
      const name = nameOf?.(party) ?? party.name;
      const [known, ...more] = named.get(getTablePartyKey({ type, name })) ?? [];
      if (type === 'default') {
        continue;
      }
      if (more.length > 0) {
        ambiguous.push(party);
      } else if (known !== undefined) {
        ids.set(getTablePartyKey(party), known.id);
      } else {
        const found = await resolveParty(instance, { type, text: name }, context.signal);
        const isForeign = found.kind === 'found' && found.isUnreported && nameOf !== undefined;
        if (found.kind === 'found' && !isForeign) {
          ids.set(getTablePartyKey(party), found.id);
          if (found.isUnreported) {
            unseen.push(found.id);
          } else if (type === 'group') {
            groups.push({ name, id: found.id });
          }
        } else if (found.kind === 'several') {
          ambiguous.push(party);
        } else if (found.kind === 'unknown' && found.nearest !== undefined) {
          nearest.set(getTablePartyKey(party), found.nearest);
        }
      }
      done += 1;
      context.onLookUp(done, toAsk.length);
    }
  };
  await Promise.all(Array.from({ length: maxConcurrentLookups }, work));
  return { ids, groups, unreported: unseen, ambiguous, nearest };
}
