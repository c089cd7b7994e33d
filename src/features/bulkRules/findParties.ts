import type { PlatformClient } from '../../api/platformClient.ts';
import { readShares } from '../../security/copy/namedShares.ts';
import { partiesToResolve, partyKey } from '../../security/ruleTable/partiesOf.ts';
import type { TableParty, TableRule } from '../../security/ruleTable/tableRule.ts';

/** Who the parties of wanted rules are. */
export interface FoundParties {
  /** Identifiers by {@link partyKey}. */
  readonly ids: ReadonlyMap<string, string>;
  /** Groups that the server was asked for by name. */
  readonly groups: readonly { readonly name: string; readonly id: string }[];
  /** Users that no rule names yet: nobody can say whether they exist. */
  readonly unseen: readonly string[];
}

/** The form of the platform's identifiers (platform-facts 3.1). */
const identifier = /^[0-9a-f]{24}$/i;
const lookUpsAtOnce = 8;

/**
 * Finds who the parties of rules are: by the names that current rules carry, groups also by asking the server (spec,
 * "Group lookup record"). Users cannot be looked up, so what names one is taken as the identifier.
 * @throws ApiError
 */
export async function findParties(
  client: PlatformClient,
  wanted: readonly TableRule[],
  context: {
    readonly current: readonly unknown[];
    readonly nameOf?: ((party: TableParty) => string | undefined) | undefined;
    readonly onLookUp: (done: number, total: number) => void;
    readonly signal: AbortSignal;
  },
): Promise<FoundParties> {
  const named = new Map(
    readShares(context.current).map(({ type, id, name }) => [partyKey({ type, name }), id] as const),
  );
  const ids = new Map<string, string>();
  const unseen: string[] = [];
  const toAsk: TableParty[] = [];
  for (const party of partiesToResolve(wanted, context.current)) {
    const name = context.nameOf?.(party) ?? party.name;
    const known = named.get(partyKey({ type: party.type, name }));
    if (known !== undefined) {
      ids.set(partyKey(party), known);
    } else if (party.type === 'user') {
      ids.set(partyKey(party), party.name);
      unseen.push(party.name);
    } else {
      toAsk.push(party);
    }
  }
  const groups: { name: string; id: string }[] = [];
  const queue = toAsk.values();
  let done = 0;
  const work = async (): Promise<void> => {
    for (const party of queue) {
      const name = context.nameOf?.(party) ?? party.name;
      const { value } = await client.groups.find(name, context.signal);
      if (value !== undefined) {
        groups.push({ name, id: value._id });
        ids.set(partyKey(party), value._id);
      } else if (identifier.test(party.name)) {
        ids.set(partyKey(party), party.name);
        unseen.push(party.name);
      }
      done += 1;
      context.onLookUp(done, toAsk.length);
    }
  };
  await Promise.all(Array.from({ length: lookUpsAtOnce }, work));
  return { ids, groups, unseen };
}
