import { findClosestNames } from '../../base/similarNames.ts';
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
export interface Listed<T> {
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

/** The known people of an instance, by source. */
export interface DirectoryParts {
  /** Absent if the instance does not list them. */
  readonly users?: Listed<DirectoryUser> | undefined;
  readonly groups?: Listed<DirectoryGroup> | undefined;
  readonly referenced?: readonly ReferencedParty[];
  readonly imported?: readonly ImportedMember[];
}

/** The known people apart from references in documents. */
export type PeopleParts = Omit<DirectoryParts, 'referenced'>;

/** The source of a complete list of the groups that a user is in. */
export type MembershipReporter = 'instance' | 'imported';

export interface GroupMembership {
  readonly groupIds: readonly string[];
  readonly source: MembershipReporter;
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
  /** A text in the form of an ID that no source reports. */
  | { readonly kind: 'identifier'; readonly id: string }
  /** `isAbsent` is true if the instance lists all users or all groups, and the text is none of them. */
  | { readonly kind: 'unknown'; readonly nearest: string | undefined; readonly isAbsent: boolean };

/** The known users and groups of an instance, without duplicates, and their known memberships. */
export class Directory {
  readonly #parts: DirectoryParts;
  readonly #byId: Readonly<Record<PartyKind, ReadonlyMap<string, KnownParty>>>;
  readonly #idsByName: Readonly<Record<PartyKind, ReadonlyMap<string, readonly string[]>>>;
  readonly #nameOnly: Readonly<Record<PartyKind, readonly string[]>>;
  readonly #membership: ReadonlyMap<string, readonly string[]>;
  readonly #imported: ReadonlyMap<string, readonly string[]>;

  constructor(parts: DirectoryParts) {
    this.#parts = parts;
    const { users, groups, referenced = [], imported = [] } = parts;
    this.#byId = {
      user: identifyParties('user', users?.items, referenced),
      group: identifyParties('group', groups?.items, referenced),
    };
    const aliases = (users?.items ?? []).flatMap(({ id, aliases: names }) =>
      names.map((name) => [name, id] as const),
    );
    this.#idsByName = {
      user: indexByName(this.#byId.user, aliases),
      group: indexByName(this.#byId.group, []),
    };
    this.#nameOnly = {
      user: this.#without('user', [...getUnlabeled('user', referenced), ...imported.map(({ user }) => user)]),
      group: this.#without('group', getUnlabeled('group', referenced)),
    };
    this.#membership = new Map(
      (users?.items ?? []).flatMap(({ id, groupIds }) => (groupIds === undefined ? [] : [[id, groupIds]])),
    );
    this.#imported = new Map(imported.map(({ user, groupIds }) => [user, groupIds]));
  }

  /** True if the instance lists all users, or all groups: then one that is not listed does not exist. */
  listsAll(type: PartyKind): boolean {
    const { users, groups } = this.#parts;
    return (type === 'user' ? users : groups)?.isComplete === true;
  }

  /** The known users or groups, sorted by name, including those without a known ID. */
  parties(type: PartyKind): readonly KnownParty[] {
    const named = this.#nameOnly[type].map((name): KnownParty => ({ type, name }));
    return [...this.#byId[type].values(), ...named].sort((a, b) =>
      a.name.localeCompare(b.name, undefined, { numeric: true }),
    );
  }

  /** The display name of the user or group with an ID, if known. */
  getName(type: PartyKind, id: string): string | undefined {
    return this.#byId[type].get(id)?.name;
  }

  /**
   * Resolves a text: an ID, a name, for a user also an e-mail address. Case-sensitive (rest-api.md, "Data security
   * rule" 2).
   */
  resolve(type: PartyKind, text: string): PartyResolution {
    const typed = text.trim();
    const known = this.#byId[type].get(typed);
    if (known !== undefined) {
      return { kind: 'known', id: typed, name: known.name };
    }
    const [id, ...more] = this.#idsByName[type].get(typed) ?? [];
    if (id !== undefined) {
      return more.length > 0
        ? { kind: 'several', ids: [id, ...more] }
        : { kind: 'known', id, name: this.getName(type, id) ?? typed };
    }
    if (isPartyId(typed)) {
      return { kind: 'identifier', id: typed };
    }
    const names = [...this.#idsByName[type].keys()];
    return { kind: 'unknown', nearest: findClosestNames(typed, names)[0], isAbsent: this.listsAll(type) };
  }

  /**
   * The groups that a user is in: what the instance reports, otherwise what was imported; `undefined` if neither is
   * known.
   * @param user an ID, or a name as in a membership list
   */
  getMembership(user: string): GroupMembership | undefined {
    const reported = this.#membership.get(user);
    if (reported !== undefined) {
      return { groupIds: reported, source: 'instance' };
    }
    const listed = this.#parts.users?.items.find(({ id }) => id === user);
    const names = [user, this.getName('user', user), ...(listed?.aliases ?? [])];
    const imported = names.map((name) => this.#imported.get(name ?? '')).find((each) => each !== undefined);
    return imported === undefined ? undefined : { groupIds: imported, source: 'imported' };
  }

  /** The texts that are neither an ID nor the name of a party with a known ID, without duplicates. */
  #without(type: PartyKind, texts: readonly string[]): readonly string[] {
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
  listed: readonly { readonly id: string; readonly name: string }[] = [],
  seen: readonly ReferencedParty[],
): ReadonlyMap<string, KnownParty> {
  const names = new Map<string, string>();
  const add = (id: string, name: string | undefined): void => {
    const known = names.get(id);
    names.set(id, known === undefined || known === id ? (name ?? id) : known);
  };
  for (const { id, name } of listed) {
    add(id, name);
  }
  const isListed = new Set(names.keys());
  for (const { type: of, value, label, isId } of seen) {
    // In a viewpoint, the value may be a name.
    if (of === type && (isId === true || label !== undefined || isPartyId(value))) {
      add(value, label);
    }
  }
  const owners = new Set([...names].flatMap(([id, name]) => (id === name ? [] : [name])));
  return new Map(
    [...names]
      .filter(([id, name]) => id !== name || isListed.has(id) || !owners.has(id))
      .map(([id, name]) => [id, { type, id, name }]),
  );
}

function indexByName(
  known: ReadonlyMap<string, KnownParty>,
  aliases: readonly (readonly [string, string])[],
): ReadonlyMap<string, readonly string[]> {
  const ids = new Map<string, Set<string>>();
  for (const [name, id] of [...[...known].map(([key, party]) => [party.name, key] as const), ...aliases]) {
    ids.set(name, (ids.get(name) ?? new Set()).add(id));
  }
  return new Map([...ids].map(([name, each]) => [name, [...each]]));
}

const getUnlabeled = (type: PartyKind, seen: readonly ReferencedParty[]): readonly string[] =>
  seen.flatMap(({ type: of, value, label }) => (of === type && label === undefined ? [value] : []));
