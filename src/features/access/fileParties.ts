import { type JsonValue, getMember, isJsonObject } from '../../base/json.ts';
import type {
  UserDirectory,
  GroupMembership,
  PartyKind,
  PartyResolution,
} from '../../catalog/people/userDirectory.ts';
import { isJsonArray } from '../../json/text/copyOnWrite.ts';
import type { ProjectNameLists } from '../../project/language/languageCalls.ts';
import { formatPartyNumber, readPartyNumber } from '../../security/numberedParty.ts';
import type { PageParty } from '../../webviews/protocol/access.ts';

/** The sources of the users and groups of a project. */
interface PartySources {
  readonly rules: readonly JsonValue[];
  /** The names that the files of the project use. */
  readonly names: Pick<ProjectNameLists, 'users' | 'groups'>;
  /** The users and groups that files refer to by number, as far as they are known. */
  readonly numberedReferences: readonly {
    readonly type: string;
    readonly number: number;
    readonly id: string;
  }[];
  /** The users and groups of the instance; `undefined` without a connection. */
  readonly directory: UserDirectory | undefined;
  /** Returns the name of a user or group that files refer to by number. */
  readonly describeNumber: (number: number) => string;
}

const partyKinds = ['user', 'group'] as const;

const getKey = (type: string, id: string): string => `${type} ${id}`;

/**
 * The users and groups of a project for a page. Their IDs are the names that the files use, so the IDs stay the same
 * when the users and groups of the instance become known. A user whom files name in several ways, such as by e-mail
 * address, is one party.
 */
export class FileParties {
  /** The rules, whose parties have the IDs of the page. */
  readonly rules: readonly JsonValue[];
  readonly parties: readonly PageParty[];
  readonly #directory: UserDirectory | undefined;
  /** The IDs on the page by the IDs on the instance. All keys are created by {@link getKey}. */
  readonly #pageIds = new Map<string, string>();
  /** The IDs on the instance by the IDs on the page. */
  readonly #instanceIds = new Map<string, string>();
  /** The IDs on the page by the names in the files, where these differ. */
  readonly #aliases = new Map<string, string>();
  /**
   * The users and groups of the instance to which no file can refer: their name isn't unique, and no pull has given
   * them a number.
   */
  readonly #unreferableKeys = new Set<string>();
  /** Whether rules have groups whose ID on the instance is unknown, so that a user may be in them. */
  readonly #hasUnknownGroups: boolean;

  constructor({ rules, names, numberedReferences, directory, describeNumber }: PartySources) {
    this.#directory = directory;
    const usedNames = { user: names.users, group: names.groups };
    for (const type of partyKinds) {
      for (const name of usedNames[type]) {
        const resolution = directory?.resolve(type, name);
        if (resolution?.kind === 'known') {
          this.#assignPageId(type, resolution.id, name);
        }
      }
    }
    for (const { type, number, id } of numberedReferences) {
      this.#assignPageId(type, id, formatPartyNumber(number));
    }
    const others = partyKinds.flatMap((type) => this.#assignDirectoryIds(type));
    const numbers = partyKinds.flatMap((type) =>
      [...findNumbers(rules, type)].map((number) => ({ type, number })),
    );
    this.#hasUnknownGroups = numbers.some(
      ({ type, number }) =>
        type === 'group' &&
        !numberedReferences.some((party) => party.type === type && party.number === number),
    );
    this.rules = rules.map((rule) => this.#toPageRule(rule));
    const parties = [
      ...partyKinds.flatMap((type) => usedNames[type].map((name) => this.#createParty(type, name, name))),
      ...numbers.map(({ type, number }) =>
        this.#createParty(type, formatPartyNumber(number), describeNumber(number)),
      ),
      ...others.map(({ type, id, name }) => this.#createParty(type, id, name)),
    ];
    // Of several parties with the same type and ID, the first is kept.
    this.parties = [
      ...new Map(parties.toReversed().map((party) => [getKey(party.type, party.id), party])).values(),
    ];
  }

  /** Returns the groups of a user; `undefined` if they aren't known. */
  getMembership(user: string): GroupMembership | undefined {
    const membership = this.#directory?.getMembership(this.#instanceIds.get(getKey('user', user)) ?? user);
    return membership === undefined || this.#hasUnknownGroups
      ? undefined
      : { ...membership, groupIds: membership.groupIds.map((id) => this.#getPageId('group', id)) };
  }

  /** Returns the other names that files use for a user or group with an ID of the page. */
  getAliases(type: PartyKind, id: string): readonly string[] {
    const prefix = getKey(type, '');
    return [...this.#aliases].flatMap(([key, pageId]) =>
      pageId === id && key.startsWith(prefix) ? [key.slice(prefix.length)] : [],
    );
  }

  /** Returns whether files can refer to a user or group with an ID of the page. */
  canReference(type: PartyKind, id: string): boolean {
    return !this.#unreferableKeys.has(getKey(type, id));
  }

  /** Finds a user or group by a name that the files or the instance use. */
  resolve(type: PartyKind, text: string): PartyResolution {
    const id = this.#aliases.get(getKey(type, text)) ?? text;
    const party = this.parties.find((candidate) => candidate.type === type && candidate.id === id);
    if (party !== undefined) {
      return { kind: 'known', id, name: party.name };
    }
    const resolution = this.#directory?.resolve(type, text);
    return resolution?.kind === 'known'
      ? { ...resolution, id: this.#getPageId(type, resolution.id) }
      : (resolution ?? { kind: 'unknown', nearest: undefined, isAbsent: false });
  }

  /** Assigns a page ID to an ID of the instance; a further page ID becomes an alias of the first one. */
  #assignPageId(type: string, instanceId: string, pageId: string): void {
    const key = getKey(type, instanceId);
    const existingPageId = this.#pageIds.get(key);
    if (existingPageId === undefined) {
      this.#pageIds.set(key, pageId);
      this.#instanceIds.set(getKey(type, pageId), instanceId);
    } else if (existingPageId !== pageId) {
      this.#aliases.set(getKey(type, pageId), existingPageId);
    }
  }

  #getPageId(type: PartyKind, instanceId: string): string {
    return this.#pageIds.get(getKey(type, instanceId)) ?? instanceId;
  }

  #createParty(type: PartyKind, reference: string, name: string): PageParty {
    const id = this.#aliases.get(getKey(type, reference)) ?? reference;
    const groupIds = type === 'user' ? this.getMembership(id)?.groupIds : undefined;
    return { type, id, name: id === reference ? name : id, ...(groupIds === undefined ? {} : { groupIds }) };
  }

  /** Assigns page IDs to the users and groups of the instance that the files don't refer to, and returns them. */
  #assignDirectoryIds(type: PartyKind): readonly Pick<PageParty, 'type' | 'id' | 'name'>[] {
    const directory = this.#directory;
    return (directory?.getParties(type) ?? []).flatMap(({ id, name }) => {
      if (id === undefined || directory === undefined) {
        return [{ type, id: name, name }];
      }
      if (this.#pageIds.has(getKey(type, id))) {
        return [];
      }
      // If several have the same name, a file would have to refer to them by number.
      const isUnique = directory.resolve(type, name).kind === 'known';
      const pageId = isUnique ? name : id;
      if (!isUnique) {
        this.#unreferableKeys.add(getKey(type, id));
      }
      this.#assignPageId(type, id, pageId);
      return [{ type, id: pageId, name }];
    });
  }

  #toPageRule(rule: JsonValue): JsonValue {
    const shares = getMember(rule, 'shares');
    return isJsonObject(rule) && isJsonArray(shares)
      ? {
          ...rule,
          shares: shares.map((share) => {
            const type = getMember(share, 'type');
            const id = toReference(getMember(share, 'party'));
            return isJsonObject(share) && typeof type === 'string' && id !== undefined
              ? { ...share, party: this.#aliases.get(getKey(type, id)) ?? id }
              : share;
          }),
        }
      : rule;
  }
}

function toReference(party: JsonValue | undefined): string | undefined {
  const number = readPartyNumber(party);
  return typeof party === 'string' ? party : number === undefined ? undefined : formatPartyNumber(number);
}

function findNumbers(rules: readonly JsonValue[], type: PartyKind): ReadonlySet<number> {
  const numbers = new Set<number>();
  for (const rule of rules) {
    const shares = getMember(rule, 'shares');
    for (const share of isJsonArray(shares) ? shares : []) {
      const number = readPartyNumber(getMember(share, 'party'));
      if (getMember(share, 'type') === type && number !== undefined) {
        numbers.add(number);
      }
    }
  }
  return numbers;
}
