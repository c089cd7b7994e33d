import type { PlatformClient } from '../../client/platformClient.ts';
import { resolveParty } from '../../connections/resolveParty.ts';
import type { Directory } from '../../catalog/people/directory.ts';
import { readNamedShares } from '../../security/copy/namedShares.ts';
import { getUnresolvedParties, getTablePartyKey } from '../../security/ruleTable/unresolvedParties.ts';
import type { TableParty, TableRule } from '../../security/ruleTable/tableRule.ts';

/** Who the parties of wanted rules are. */
export interface FoundParties {
  /** Identifiers by {@link getTablePartyKey}; a party that is absent leads to nobody, or to two. */
  readonly ids: ReadonlyMap<string, string>;
  /** Groups that the server was asked for by name. */
  readonly groups: readonly { readonly name: string; readonly id: string }[];
  /** Identifiers that nobody reports: they may be right all the same. */
  readonly unreported: readonly string[];
  /** Parties whose name several users or groups have: none of them is in `ids`. */
  readonly ambiguous: readonly TableParty[];
  /** The nearest known name of a party that leads to nobody, by {@link getTablePartyKey}. */
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
 * Finds who the parties of rules are: by the names that current rules carry, by what is known of the instance's people,
 * and groups also by asking the server. A name is never taken for an identifier; what has the form of one is, where it
 * is of this instance.
 * @throws ApiError
 */
export async function findParties(
  instance: { readonly client: Pick<PlatformClient, 'groups'>; readonly directory: Directory },
  wanted: readonly TableRule[],
  context: {
    readonly current: readonly unknown[];
    /** What another instance calls a party: then its identifiers are not those of this one. */
    readonly nameOf?: ((party: TableParty) => string | undefined) | undefined;
    readonly onLookUp: (done: number, total: number) => void;
    readonly signal: AbortSignal;
  },
): Promise<FoundParties> {
  const { nameOf } = context;
  // A name that two have leads to neither.
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
