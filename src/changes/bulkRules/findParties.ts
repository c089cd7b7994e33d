import type { PlatformClient } from '../../client/platformClient.ts';
import { resolveParty } from '../../connections/resolveParty.ts';
import type { UserDirectory } from '../../catalog/people/userDirectory.ts';
import { readNamedParties } from '../../security/copy/namedParties.ts';
import { comparePartyNames, type PartyContradiction } from './comparePartyNames.ts';
import type { SourceRules } from './ruleSource.ts';
import { readRules } from '../../security/readRules.ts';
import { getUnresolvedParties, getTablePartyKey } from '../../security/ruleTable/unresolvedParties.ts';
import type { TableParty, TablePartyName } from '../../security/ruleTable/tableRule.ts';

/** The IDs and names of the users and groups that rules name. */
export interface FoundParties {
  /** IDs by {@link getTablePartyKey}. Absent for a party with no match or several matches. */
  readonly ids: ReadonlyMap<string, string>;
  /** Groups that were looked up on the instance by name. */
  readonly groups: readonly { readonly name: string; readonly id: string }[];
  /** IDs that the instance doesn't report; they may still be valid. */
  readonly unreportedIds: readonly string[];
  /** Parties whose name belongs to several users or groups; they are not in `ids`. */
  readonly ambiguousParties: readonly TableParty[];
  /** The closest known name of a party that wasn't found, by {@link getTablePartyKey}. */
  readonly closestNames: ReadonlyMap<string, string>;
  /**
   * The known names that the instance has for these parties and for those of the current rules, by type and ID
   * (`group:ID`).
   */
  readonly names: ReadonlyMap<string, string>;
  /** The names next to IDs that are those of another user or group, or of none. */
  readonly contradictions: readonly PartyContradiction[];
  /** The names next to IDs that can't be compared, since the instance doesn't report the name of the user or group. */
  readonly uncomparedNames: readonly TablePartyName[];
}

export const noParties: FoundParties = {
  ids: new Map(),
  groups: [],
  unreportedIds: [],
  ambiguousParties: [],
  closestNames: new Map(),
  names: new Map(),
  contradictions: [],
  uncomparedNames: [],
};

const maxConcurrentLookups = 8;

/**
 * Resolves the parties of rules to IDs of users and groups: by the names in the current rules, by the directory of the
 * instance, and, for groups, by a lookup request. A name is never used as an ID.
 * @throws ApiError
 */
export async function findParties(
  instance: { readonly client: Pick<PlatformClient, 'groups'>; readonly directory: UserDirectory },
  { rules, partyNames = [] }: Pick<SourceRules, 'rules' | 'partyNames'>,
  context: {
    /** The rules that the target has now. */
    readonly current: readonly unknown[];
    /**
     * For rules from another instance, returns the party's name on that instance, since IDs differ between instances.
     */
    readonly getSourceName?: ((party: TableParty) => string | undefined) | undefined;
    readonly onLookUp: (done: number, total: number) => void;
    readonly signal: AbortSignal;
  },
): Promise<FoundParties> {
  const { getSourceName } = context;
  // If several parties have the same name, it identifies none of them.
  const partiesByName = Map.groupBy(readNamedParties(context.current), ({ type, name }) =>
    getTablePartyKey({ type, idOrName: name }),
  );
  const ids = new Map<string, string>();
  const closestNames = new Map<string, string>();
  const unreportedIds: string[] = [];
  const ambiguousParties: TableParty[] = [];
  const groups: { name: string; id: string }[] = [];
  const unresolved = getUnresolvedParties(rules, context.current);
  const queue = unresolved.values();
  let done = 0;
  const resolveNext = async (): Promise<void> => {
    for (const party of queue) {
      const { type } = party;
      const name = getSourceName?.(party) ?? party.idOrName;
      const [match, ...otherMatches] = partiesByName.get(getTablePartyKey({ type, idOrName: name })) ?? [];
      if (otherMatches.length > 0) {
        ambiguousParties.push(party);
      } else if (match !== undefined) {
        ids.set(getTablePartyKey(party), match.id);
      } else {
        const resolved = await resolveParty(instance, { type, text: name }, { signal: context.signal });
        const isIdOfOtherInstance =
          resolved.kind === 'found' && resolved.isUnreported && getSourceName !== undefined;
        if (resolved.kind === 'found' && !isIdOfOtherInstance) {
          ids.set(getTablePartyKey(party), resolved.id);
          if (resolved.isUnreported) {
            unreportedIds.push(resolved.id);
          } else if (type === 'group') {
            groups.push({ name, id: resolved.id });
          }
        } else if (resolved.kind === 'several') {
          ambiguousParties.push(party);
        } else if (resolved.kind === 'unknown' && resolved.nearest !== undefined) {
          closestNames.set(getTablePartyKey(party), resolved.nearest);
        }
      }
      done += 1;
      context.onLookUp(done, unresolved.length);
    }
  };
  await Promise.all(Array.from({ length: maxConcurrentLookups }, resolveNext));
  const currentParties = readRules(context.current)
    .flatMap(({ parties }) => parties)
    .map(({ type, id = '' }) => ({ type, idOrName: id }));
  const names = new Map(
    [...rules.flatMap(({ parties }) => parties), ...currentParties].flatMap((party) => {
      const { type } = party;
      const id = ids.get(getTablePartyKey(party)) ?? party.idOrName;
      const name = type === 'default' ? undefined : instance.directory.getNames(type, id)[0];
      return name === undefined ? [] : [[`${type}:${id}`, name] as const];
    }),
  );
  const missingKeys = new Set(unresolved.map(getTablePartyKey).filter((key) => !ids.has(key)));
  const foundNames = partyNames.filter(({ party }) => !missingKeys.has(getTablePartyKey(party)));
  const { confirmedGroups, ...comparison } = await comparePartyNames(instance, foundNames, {
    ...context,
    resolvedIds: ids,
    groups,
  });
  return {
    ids,
    groups: [...groups, ...confirmedGroups],
    unreportedIds,
    ambiguousParties,
    closestNames,
    names,
    ...comparison,
  };
}
