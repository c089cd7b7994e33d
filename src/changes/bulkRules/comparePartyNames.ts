import { mapConcurrently } from '../../base/mapConcurrently.ts';
import type { UserDirectory, PartyKind } from '../../catalog/people/userDirectory.ts';
import { HttpError } from '../../client/errors.ts';
import type { PlatformClient } from '../../client/platformClient.ts';
import { type ResolvedParty, resolveParty } from '../../connections/resolveParty.ts';
import { readNamedParties } from '../../security/copy/namedParties.ts';
import { getTablePartyKey } from '../../security/ruleTable/unresolvedParties.ts';
import type { TablePartyName } from '../../security/ruleTable/tableRule.ts';

/** A name next to an ID that is not the name of the user or group with the ID. */
export interface PartyContradiction extends TablePartyName {
  /** The name that the instance has for the ID, if known. */
  readonly actualName: string | undefined;
  /** The IDs of the users or groups with the name, if `actualName` is unknown; otherwise empty. */
  readonly otherIds: readonly string[];
  /** Whether no one has the name, so that it may be a former one. */
  readonly isUnused: boolean;
}

/** How the names next to IDs compare with those of the instance. */
interface PartyNameComparison {
  readonly contradictions: readonly PartyContradiction[];
  /** The names that can't be compared. */
  readonly uncomparedNames: readonly TablePartyName[];
  /** The groups whose name was confirmed by a lookup. */
  readonly confirmedGroups: readonly { readonly name: string; readonly id: string }[];
}

/** The sources of the users and groups of an instance. */
interface PartySources {
  readonly client: Pick<PlatformClient, 'groups'>;
  readonly directory: UserDirectory;
}

interface ComparisonContext {
  /** The rules that the target has now. */
  readonly current: readonly unknown[];
  /** The IDs that were found for parties of the table that no current rule has, by {@link getTablePartyKey}. */
  readonly resolvedIds: ReadonlyMap<string, string>;
  /** Groups that were looked up by name. */
  readonly groups: readonly { readonly name: string; readonly id: string }[];
  readonly signal: AbortSignal;
}

const maxConcurrentLookups = 8;

/**
 * Compares the names that a table of rules has next to IDs with those of the instance: if they differ, it's unknown
 * whether the name or the ID is wrong. A difference in case alone matters only if another party has the name exactly as
 * written. A name that several parties have is no contradiction, since the ID distinguishes them.
 * @throws ApiError
 */
export async function comparePartyNames(
  instance: PartySources,
  partyNames: readonly TablePartyName[],
  { current, resolvedIds, groups, signal }: ComparisonContext,
): Promise<PartyNameComparison> {
  const namedParties = [
    ...readNamedParties(current),
    ...groups.map(({ id, name }) => ({ type: 'group', id, name }) as const),
  ];
  const namesById = Map.groupBy(namedParties, ({ type, id }) => `${type}:${id}`);
  const idsByName = Map.groupBy(namedParties, ({ type, name }) => `${type}:${name}`);
  const contradictions: PartyContradiction[] = [];
  const uncomparedNames: TablePartyName[] = [];
  const confirmedGroups: { name: string; id: string }[] = [];
  await mapConcurrently(partyNames, maxConcurrentLookups, async (partyName) => {
    const { party, name } = partyName;
    const { type } = party;
    if (type === 'default') {
      return;
    }
    const id = resolvedIds.get(getTablePartyKey(party)) ?? party.idOrName;
    const actualNames = [
      ...instance.directory.getNames(type, id),
      ...(namesById.get(`${type}:${id}`) ?? []).map((named) => named.name),
    ];
    const listedIds = [
      ...listIds(instance.directory.resolve(type, name)),
      ...(idsByName.get(`${type}:${name}`) ?? []).map((named) => named.id),
    ];
    if (actualNames.length > 0) {
      const isSame = actualNames.includes(name);
      const isSameIgnoringCase = actualNames.some((actual) => foldCase(actual) === foldCase(name));
      if (!isSame && (!isSameIgnoringCase || listedIds.length > 0)) {
        const isUnused = listedIds.length === 0 && instance.directory.listsAll(type);
        contradictions.push({ ...partyName, actualName: actualNames[0], otherIds: [], isUnused });
      }
      return;
    }
    const foundIds = listedIds.length > 0 ? listedIds : await findIds(instance, { type, name }, signal);
    if (foundIds === undefined) {
      uncomparedNames.push(partyName);
    } else if (!foundIds.includes(id)) {
      contradictions.push({
        ...partyName,
        actualName: undefined,
        otherIds: [...new Set(foundIds)],
        isUnused: foundIds.length === 0,
      });
    } else if (type === 'group') {
      confirmedGroups.push({ name, id });
    }
  });
  return {
    contradictions: sortByRow(contradictions),
    uncomparedNames: sortByRow(uncomparedNames),
    confirmedGroups,
  };
}

const foldCase = (name: string): string => name.normalize('NFC').toLowerCase();

const sortByRow = <Name extends TablePartyName>(names: readonly Name[]): readonly Name[] =>
  names.toSorted((a, b) => (a.rows[0] ?? 0) - (b.rows[0] ?? 0));

const listIds = (party: ResolvedParty | ReturnType<UserDirectory['resolve']>): readonly string[] =>
  party.kind === 'known' || party.kind === 'found' ? [party.id] : party.kind === 'several' ? party.ids : [];

/** Finds the IDs of the users or groups with a name; `undefined` if the instance doesn't report them. */
async function findIds(
  instance: PartySources,
  { type, name }: { readonly type: PartyKind; readonly name: string },
  signal: AbortSignal,
): Promise<readonly string[] | undefined> {
  try {
    const party = await resolveParty(instance, { type, text: name }, { signal });
    const isUnknownUser = type === 'user' && party.kind === 'unknown' && !party.isAbsent;
    return isUnknownUser ? undefined : listIds(party);
  } catch (error) {
    // An ID can be used without a lookup, which the instance may refuse.
    if (error instanceof HttpError && [403, 404, 405].includes(error.status)) {
      return undefined;
    }
    throw error;
  }
}
