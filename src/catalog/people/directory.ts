import { findClosestNames } from '../../base/similarNames.ts';
import { isPartyId } from './partyId.ts';

export type PartyKind = 'user' | 'group';

/** A user as an instance lists them. */
export interface DirectoryUser {
  readonly id: string;
  readonly name: string;
  /** Further names: e-mail, user name. */
  readonly aliases: readonly string[];
  /** Identifiers of all groups that they are in; absent where the instance does not report them. */
  readonly groupIds?: readonly string[];
}

export interface DirectoryGroup {
  readonly id: string;
  readonly name: string;
}

/** A list as an instance answered it; it may be cut off or hold records without an identifier. */
export interface Listed<T> {
  readonly items: readonly T[];
  readonly isComplete: boolean;
}

/** A user or group that rules or viewpoints name. */
export interface ReferencedParty {
  readonly type: PartyKind;
  /** As it stands in the document: an identifier, or in a viewpoint also the name of a group (spec). */
  readonly value: string;
  /** The name beside an identifier. */
  readonly label?: string | undefined;
  /** It stands where only an identifier can. */
  readonly isId?: boolean | undefined;
}

/** A line of a membership list: a user, by identifier or name, with the identifiers of all their groups. */
export interface ImportedMember {
  readonly user: string;
  readonly groupIds: readonly string[];
}

/** What is known of the people of an instance, by where it comes from. */
export interface DirectoryParts {
  /** Absent where the instance does not list them. */
  readonly users?: Listed<DirectoryUser> | undefined;
  readonly groups?: Listed<DirectoryGroup> | undefined;
  readonly referenced?: readonly ReferencedParty[];
  readonly imported?: readonly ImportedMember[];
}

/** What is known of people besides whom documents name. */
export type PeopleParts = Omit<DirectoryParts, 'referenced'>;

/** Who reports that a user is in certain groups, and in no others. */
export type MembershipReporter = 'instance' | 'imported';

export interface GroupMembership {
  readonly groupIds: readonly string[];
  readonly source: MembershipReporter;
}

/** A user or group, once, by what people call it. */
export interface KnownParty {
  readonly type: PartyKind;
  /** Absent for a group or user of which only the name was met. */
  readonly id?: string;
  /** The identifier where nobody reports a name. */
  readonly name: string;
}

/** Who a text means. */
export type PartyResolution =
  | { readonly kind: 'known'; readonly id: string; readonly name: string }
  /** A name that leads to two or more. */
  | { readonly kind: 'several'; readonly ids: readonly string[] }
  /** It has the form of an identifier, and nobody reports it. */
  | { readonly kind: 'identifier'; readonly id: string }
  /** `isAbsent`: the instance lists all of its kind, and this is none of them. */
  | { readonly kind: 'unknown'; readonly nearest: string | undefined; readonly isAbsent: boolean };

/** The users and groups of an instance, each once, and who is in which, as far as somebody reports it. */
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

  /** Whether the instance lists all users, or all groups: then one that is not listed does not exist. */
  listsAll(type: PartyKind): boolean {
    const { users, groups } = this.#parts;
    return (type === 'user' ? users : groups)?.isComplete === true;
  }

  /** Each once, by name; those with an identifier and those of which only a name was met. */
  parties(type: PartyKind): readonly KnownParty[] {
    const named = this.#nameOnly[type].map((name): KnownParty => ({ type, name }));
    return [...this.#byId[type].values(), ...named].sort((a, b) =>
      a.name.localeCompare(b.name, undefined, { numeric: true }),
    );
  }

  /** What people call the user or group of an identifier, where somebody reports it. */
  getName(type: PartyKind, id: string): string | undefined {
    return this.#byId[type].get(id)?.name;
  }

  /** Who a text means: an identifier, a name, for a user also an e-mail address. Letter case counts (spec). */
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
   * The groups that a user is in: what the instance reports, else what was imported; `undefined` where neither says.
   * @param user an identifier, or a name as in a membership list
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

  /** The texts that are neither an identifier nor a name of somebody who has one, each once. */
  #without(type: PartyKind, texts: readonly string[]): readonly string[] {
    return [...new Set(texts)].filter(
      (text) => !this.#byId[type].has(text) && !this.#idsByName[type].has(text),
    );
  }
}

/**
 * Those with an identifier. What the instance lists tells the name before what a rule says. A rule that holds the name
 * of somebody where their identifier should be is for nobody, and makes nobody of that name.
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
    // In a viewpoint it may be a name.
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
