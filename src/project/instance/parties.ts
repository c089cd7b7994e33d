import type { JsonValue } from '../../base/json.ts';
import type {
  DirectoryGroup,
  DirectoryUser,
  PartyKind,
  ReferencedParty,
} from '../../catalog/people/userDirectory.ts';
import { isPartyId } from '../../catalog/people/partyId.ts';
import { findIdentifierTexts } from './identifiers.ts';

/** The types of what a number in a file refers to. `id` is any text of custom data that contains an identifier. */
export const numberedReferenceTypes = ['user', 'group', 'id'] as const satisfies readonly (
  | PartyKind
  | 'id'
)[];
export type NumberedReferenceType = (typeof numberedReferenceTypes)[number];

/** A user, a group, or a text with an identifier that has no unique name; files refer to it as `{"bound": number}`. */
export interface NumberedReference {
  readonly number: number;
  readonly type: NumberedReferenceType;
  readonly id: string;
}

/** What the names of users and groups are collected from. */
export interface PartySources {
  readonly users: readonly DirectoryUser[];
  readonly groups: readonly DirectoryGroup[];
  /** The parties of rules and viewpoints, with the names that rules have for them. */
  readonly references: readonly ReferencedParty[];
  /** The texts of custom data, which may be identifiers of anything. */
  readonly texts?: ReadonlySet<string>;
  /** The numbers that files already use. */
  readonly numberedReferences: readonly NumberedReference[];
}

/** Names the users and groups of an instance, so that files contain no identifiers of them. */
export class Parties {
  readonly #names: Readonly<Record<PartyKind, ReadonlyMap<string, string>>>;
  /** The IDs of parties, by each name that only one party has. */
  readonly #idsByName: Readonly<Record<PartyKind, ReadonlyMap<string, string>>>;
  readonly #knownIds: Readonly<Record<PartyKind, ReadonlySet<string>>>;
  readonly #numbers: ReadonlyMap<string, number>;
  /** The numbered parties: those passed in, and the referenced ones without a unique name. */
  readonly numberedReferences: readonly NumberedReference[];

  constructor({ users, groups, references, texts = new Set(), numberedReferences }: PartySources) {
    const candidates = {
      user: collectNames(
        'user',
        users.map(({ id, name, aliases }) => [id, [name, ...aliases]]),
        references,
      ),
      group: collectNames(
        'group',
        groups.map(({ id, name }) => [id, [name]]),
        references,
      ),
    };
    this.#names = { user: findUniqueNames(candidates.user), group: findUniqueNames(candidates.group) };
    this.#idsByName = { user: indexNames(candidates.user), group: indexNames(candidates.group) };
    this.#knownIds = { user: new Set(candidates.user.keys()), group: new Set(candidates.group.keys()) };
    this.numberedReferences = [
      ...numberedReferences,
      ...this.#numberUnnamed([...references, ...this.#findReferences(texts)], numberedReferences),
    ];
    this.#numbers = new Map(
      this.numberedReferences.map(({ type, id, number }) => [getPartyKey(type, id), number]),
    );
  }

  /**
   * Returns how a file refers to the party with an identifier: by its name, or by its number.
   * @throws RangeError if the party is not one of the references that have been numbered
   */
  getReference(type: NumberedReferenceType, id: string): JsonValue {
    const name = this.#findName(type, id);
    if (name !== undefined) {
      return name;
    }
    const number = this.#numbers.get(getPartyKey(type, id));
    if (number === undefined) {
      throw new RangeError('The party is not among the references');
    }
    return { bound: number };
  }

  /**
   * Returns the name that a pull would write for a party that a file may name in another way, such as a user by e-mail
   * address.
   */
  getPulledName(type: PartyKind, name: JsonValue): JsonValue {
    const id = typeof name === 'string' ? this.#idsByName[type].get(name) : undefined;
    return (id === undefined ? undefined : this.#names[type].get(id)) ?? name;
  }

  /** Returns how a file refers to the user or group with an ID; `undefined` for any other text. */
  findReference(id: string): JsonValue | undefined {
    return this.#findReference(id, ['user', 'group']);
  }

  /**
   * Returns how a file of custom data refers to what a text identifies; `undefined` if the text contains no identifier.
   */
  findTextReference(text: string): JsonValue | undefined {
    return this.#findReference(text, numberedReferenceTypes);
  }

  #findReference(id: string, types: readonly NumberedReferenceType[]): JsonValue | undefined {
    for (const type of types) {
      if (this.#findName(type, id) !== undefined || this.#numbers.has(getPartyKey(type, id))) {
        return { [type]: this.getReference(type, id) };
      }
    }
    return undefined;
  }

  /** Returns how a file refers to a group of a viewpoint, which may be given by name or by identifier. */
  getGroupReference(value: string): JsonValue {
    return this.#isGroupId(value) ? this.getReference('group', value) : value;
  }

  #findName(type: NumberedReferenceType, id: string): string | undefined {
    return type === 'id' ? undefined : this.#names[type].get(id);
  }

  /** Returns a reference for each text that is or contains an identifier. */
  #findReferences(texts: Iterable<string>): readonly Reference[] {
    return [...texts].flatMap((value): readonly Reference[] => {
      const type = (['user', 'group'] as const).find((kind) => this.#knownIds[kind].has(value));
      return type !== undefined || findIdentifierTexts(value).length > 0
        ? [{ type: type ?? 'id', value, isId: true }]
        : [];
    });
  }

  #isGroupId(value: string): boolean {
    return this.#knownIds.group.has(value) || isPartyId(value);
  }

  /** Numbers the parties without a unique name, in the order of their identifiers. */
  #numberUnnamed(
    references: readonly Reference[],
    numberedReferences: readonly NumberedReference[],
  ): readonly NumberedReference[] {
    const numberedKeys = new Set(numberedReferences.map(({ type, id }) => getPartyKey(type, id)));
    const unnamed = new Map<string, Pick<NumberedReference, 'type' | 'id'>>();
    for (const { type, value: id, isId } of references) {
      const key = getPartyKey(type, id);
      const isIdentifier = isId === true || this.#isGroupId(id);
      if (isIdentifier && this.#findName(type, id) === undefined && !numberedKeys.has(key)) {
        unnamed.set(key, { type, id });
      }
    }
    const firstNumber = Math.max(0, ...numberedReferences.map(({ number }) => number)) + 1;
    return [...unnamed]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([, party], index) => ({ number: firstNumber + index, ...party }));
  }
}

type Reference = Pick<ReferencedParty, 'value' | 'isId'> & { readonly type: NumberedReferenceType };

const getPartyKey = (type: NumberedReferenceType, id: string): string => `${type} ${id}`;

/** Returns the names of each party, the preferred one first. */
function collectNames(
  type: PartyKind,
  listed: readonly (readonly [id: string, names: readonly string[]])[],
  references: readonly ReferencedParty[],
): ReadonlyMap<string, readonly string[]> {
  const namesById = new Map<string, readonly string[]>(listed);
  for (const { type: referencedType, value, label } of references) {
    if (referencedType === type && label !== undefined && !namesById.has(value)) {
      namesById.set(value, [label]);
    }
  }
  return namesById;
}

/** Returns the IDs of the parties, by each name that only one party has. */
function indexNames(namesById: ReadonlyMap<string, readonly string[]>): ReadonlyMap<string, string> {
  const ids = new Map<string, string | undefined>();
  for (const [id, names] of namesById) {
    for (const name of new Set(names)) {
      ids.set(name, ids.has(name) ? undefined : id);
    }
  }
  return new Map([...ids].flatMap(([name, id]) => (id === undefined ? [] : [[name, id] as const])));
}

/** Returns for each party its first name that no other party has and that doesn't look like an identifier. */
function findUniqueNames(namesById: ReadonlyMap<string, readonly string[]>): ReadonlyMap<string, string> {
  const owners = new Map<string, Set<string>>();
  for (const [id, names] of namesById) {
    for (const name of names) {
      owners.set(name, (owners.get(name) ?? new Set()).add(id));
    }
  }
  const isUsable = (name: string): boolean =>
    name !== '' &&
    name.trim() === name &&
    !isPartyId(name) &&
    !namesById.has(name) &&
    owners.get(name)?.size === 1;
  return new Map(
    [...namesById].flatMap(([id, names]) => {
      const name = names.find(isUsable);
      return name === undefined ? [] : [[id, name] as const];
    }),
  );
}
