import { SimilarNames } from '../../base/similarNames.ts';
import { sortByName } from '../naturalOrder.ts';
import { isPartyId } from './partyId.ts';

export type PartyKind = 'user' | 'group';

/** A user as listed by an instance. */
export interface DirectoryUser {
  readonly id: string;
  readonly name: string;
  /** Other names: e-mail, user name. */
  readonly aliases: readonly string[];
  /** IDs of all groups that the user is in; absent if the instance does not report them. */
  readonly groupIds?: readonly string[];
}

export interface DirectoryGroup {
  readonly id: string;
  readonly name: string;
}

/** A list as returned by an instance; it may be truncated or contain records without an ID. */
export interface DirectoryList<T> {
  readonly items: readonly T[];
  readonly isComplete: boolean;
}

/** A user or group referenced by rules or viewpoints. */
export interface ReferencedParty {
  readonly type: PartyKind;
  /**
   * The reference as written in the document: an ID, or in a viewpoint also the name of a group
   * (rest-api.md, "ViewpointVisibility").
   */
  readonly value: string;
  /** The name that the document has next to the ID. */
  readonly label?: string | undefined;
  /** True if the position allows only an ID. */
  readonly isId?: boolean | undefined;
}

/** A user of an imported membership list, by ID or name, with the IDs of all their groups. */
export interface ImportedMember {
  readonly user: string;
  readonly groupIds: readonly string[];
}

/** The known users and groups of an instance, by source. */
export interface DirectorySources {
  /** Absent if the instance does not list them. */
  readonly users?: DirectoryList<DirectoryUser> | undefined;
  readonly groups?: DirectoryList<DirectoryGroup> | undefined;
  readonly references?: readonly ReferencedParty[];
  readonly importedMembers?: readonly ImportedMember[];
}

/** The sources of users and groups that are loaded, that is, without the references in documents. */
export type LoadedDirectorySources = Omit<DirectorySources, 'references'>;

/** The source of a complete list of the groups that a user is in. */
export type MembershipSource = 'instance' | 'imported';

export interface GroupMembership {
  readonly groupIds: readonly string[];
  readonly source: MembershipSource;
}

/** A known user or group. */
export interface KnownParty {
  readonly type: PartyKind;
  /** Absent if only the name is known. */
  readonly id?: string;
  /** The ID if the name is unknown. */
  readonly name: string;
}

/** The result of resolving a text to a user or group. */
export type PartyResolution =
  | { readonly kind: 'known'; readonly id: string; readonly name: string }
  /** A name that two or more users or groups have. */
  | { readonly kind: 'several'; readonly ids: readonly string[] }
  /** A text that has the form of an ID but is not reported by any source. */
  | { readonly kind: 'identifier'; readonly id: string }
  /** `isAbsent` is true if the instance lists all users or all groups, and the text is none of them. */
  | { readonly kind: 'unknown'; readonly nearest: string | undefined; readonly isAbsent: boolean };

/** The known users and groups of an instance, without duplicates, and their known memberships. */
export class UserDirectory {
  readonly #sources: DirectorySources;
  readonly #byId: Readonly<Record<PartyKind, ReadonlyMap<string, KnownParty>>>;
  readonly #idsByName: Readonly<Record<PartyKind, ReadonlyMap<string, readonly string[]>>>;
  readonly #aliasesByUser: ReadonlyMap<string, readonly string[]>;
  readonly #namesWithoutId: Readonly<Record<PartyKind, readonly string[]>>;
  readonly #reportedGroupIds: ReadonlyMap<string, readonly string[]>;
  readonly #importedGroupIds: ReadonlyMap<string, readonly string[]>;
  /** Created for the first unknown text: a table of rules may have many. */
  readonly #similarNames: Partial<Record<PartyKind, SimilarNames>> = {};

  constructor(sources: DirectorySources) {
    this.#sources = sources;
    const { users, groups, references = [], importedMembers = [] } = sources;
    this.#byId = {
      user: identifyParties('user', users?.items, references),
      group: identifyParties('group', groups?.items, references),
    };
    this.#aliasesByUser = new Map((users?.items ?? []).map(({ id, aliases }) => [id, aliases]));
    const aliases = [...this.#aliasesByUser].flatMap(([id, names]) =>
      names.map((name) => [name, id] as const),
    );
    this.#idsByName = {
      user: indexByName(this.#byId.user, aliases),
      group: indexByName(this.#byId.group, []),
    };
    this.#namesWithoutId = {
      user: this.#filterUnidentified('user', [
        ...getUnlabeledValues('user', references),
        ...importedMembers.map(({ user }) => user),
      ]),
      group: this.#filterUnidentified('group', getUnlabeledValues('group', references)),
    };
    this.#reportedGroupIds = new Map(
      (users?.items ?? []).flatMap(({ id, groupIds }) => (groupIds === undefined ? [] : [[id, groupIds]])),
    );
    this.#importedGroupIds = new Map(importedMembers.map(({ user, groupIds }) => [user, groupIds]));
  }

  /** True if the instance lists all users, or all groups: then one that is not listed does not exist. */
  listsAll(type: PartyKind): boolean {
    const { users, groups } = this.#sources;
    return (type === 'user' ? users : groups)?.isComplete === true;
  }

  /** The known users or groups, sorted by name, including those without a known ID. */
  getParties(type: PartyKind): readonly KnownParty[] {
    const partiesWithoutId = this.#namesWithoutId[type].map((name): KnownParty => ({ type, name }));
    return sortByName([...this.#byId[type].values(), ...partiesWithoutId], ({ name }) => name);
  }

  /** The display name of the user or group with an ID, if known. */
  getName(type: PartyKind, id: string): string | undefined {
    return this.#byId[type].get(id)?.name;
  }

  /** All known names of the user or group with an ID: the display name, and for a user also the others. */
  getNames(type: PartyKind, id: string): readonly string[] {
    const name = this.getName(type, id);
    return [
      ...(name === undefined || name === id ? [] : [name]),
      ...(type === 'user' ? (this.#aliasesByUser.get(id) ?? []) : []),
    ];
  }

  /**
   * Resolves a text: an ID, a name, for a user also an e-mail address. Case-sensitive (rest-api.md, "Data security
   * rule" 2).
   */
  resolve(type: PartyKind, text: string): PartyResolution {
    const trimmedText = text.trim();
    const party = this.#byId[type].get(trimmedText);
    if (party !== undefined) {
      return { kind: 'known', id: trimmedText, name: party.name };
    }
    const [id, ...otherIds] = this.#idsByName[type].get(trimmedText) ?? [];
    if (id !== undefined) {
      return otherIds.length > 0
        ? { kind: 'several', ids: [id, ...otherIds] }
        : { kind: 'known', id, name: this.getName(type, id) ?? trimmedText };
    }
    if (isPartyId(trimmedText)) {
      return { kind: 'identifier', id: trimmedText };
    }
    return {
      kind: 'unknown',
      nearest: this.#findClosest(type, trimmedText)[0],
      isAbsent: this.listsAll(type),
    };
  }

  /**
   * Returns the names that were probably meant by a text if the instance lists all users or all groups, and the text is
   * none of them: at most three, the most similar one first. A name that several users or groups have is left out. Of
   * several names of one user or group, only the most similar one is returned.
   */
  findMeantNames(type: PartyKind, text: string): readonly string[] {
    const resolution = this.resolve(type, text);
    const namesById = new Map<string, string>();
    for (const name of resolution.kind === 'unknown' && resolution.isAbsent
      ? this.#findClosest(type, text.trim())
      : []) {
      const [id = '', ...otherIds] = this.#idsByName[type].get(name) ?? [];
      if (otherIds.length === 0 && !namesById.has(id)) {
        namesById.set(id, name);
      }
    }
    return [...namesById.values()];
  }

  #findClosest(type: PartyKind, text: string): readonly string[] {
    return (this.#similarNames[type] ??= new SimilarNames(this.#idsByName[type].keys())).findClosest(text);
  }

  /**
   * The groups that a user is in: what the instance reports, otherwise what was imported; `undefined` if neither is
   * known.
   * @param user an ID, or a name as in a membership list
   */
  getMembership(user: string): GroupMembership | undefined {
    const reportedGroupIds = this.#reportedGroupIds.get(user);
    if (reportedGroupIds !== undefined) {
      return { groupIds: reportedGroupIds, source: 'instance' };
    }
    const names = [user, ...this.getNames('user', user)];
    const importedGroupIds = names
      .map((name) => this.#importedGroupIds.get(name))
      .find((groupIds) => groupIds !== undefined);
    return importedGroupIds === undefined ? undefined : { groupIds: importedGroupIds, source: 'imported' };
  }

  /** The groups of each user; `undefined` if the instance doesn't list all users, or those of some are unknown. */
  getGroupSets(): readonly (readonly string[])[] | undefined {
    const { users } = this.#sources;
    const groupSets = (users?.items ?? []).flatMap(({ id }) => {
      const membership = this.getMembership(id);
      return membership === undefined ? [] : [membership.groupIds];
    });
    return users?.isComplete === true && groupSets.length === users.items.length ? groupSets : undefined;
  }

  /** The texts that are neither an ID nor the name of a party with a known ID, without duplicates. */
  #filterUnidentified(type: PartyKind, texts: readonly string[]): readonly string[] {
    return [...new Set(texts)].filter(
      (text) => !this.#byId[type].has(text) && !this.#idsByName[type].has(text),
    );
  }
}

/**
 * The parties with an ID. Names in the instance's lists take precedence over names in rules. A rule that contains a
 * name in place of an ID applies to no one, and does not add a party of that name.
 */
function identifyParties(
  type: PartyKind,
  listedParties: readonly { readonly id: string; readonly name: string }[] = [],
  referencedParties: readonly ReferencedParty[],
): ReadonlyMap<string, KnownParty> {
  const names = new Map<string, string>();
  const add = (id: string, name: string | undefined): void => {
    const knownName = names.get(id);
    names.set(id, knownName === undefined || knownName === id ? (name ?? id) : knownName);
  };
  for (const { id, name } of listedParties) {
    add(id, name);
  }
  const listedIds = new Set(names.keys());
  for (const { type: partyType, value, label, isId } of referencedParties) {
    // In a viewpoint, the value may be a name.
    if (partyType === type && (isId === true || label !== undefined || isPartyId(value))) {
      add(value, label);
    }
  }
  const namesWithId = new Set([...names].flatMap(([id, name]) => (id === name ? [] : [name])));
  return new Map(
    [...names]
      .filter(([id, name]) => id !== name || listedIds.has(id) || !namesWithId.has(id))
      .map(([id, name]) => [id, { type, id, name }]),
  );
}

function indexByName(
  parties: ReadonlyMap<string, KnownParty>,
  aliases: readonly (readonly [string, string])[],
): ReadonlyMap<string, readonly string[]> {
  const ids = new Map<string, Set<string>>();
  for (const [name, id] of [...[...parties].map(([key, party]) => [party.name, key] as const), ...aliases]) {
    ids.set(name, (ids.get(name) ?? new Set()).add(id));
  }
  return new Map([...ids].map(([name, idSet]) => [name, [...idSet]]));
}

const getUnlabeledValues = (
  type: PartyKind,
  referencedParties: readonly ReferencedParty[],
): readonly string[] =>
  referencedParties.flatMap(({ type: partyType, value, label }) =>
    partyType === type && label === undefined ? [value] : [],
  );
