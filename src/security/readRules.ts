import { isRawNumber } from '../base/json.ts';
import type { PartyType } from '../contract/terms.ts';
import { formatPartyNumber, readPartyNumber } from './numberedParty.ts';
import { allValues, noValues, type ValueSet } from './valueSet.ts';

/** What a rule grants to its parties; `unclear` if the platform's own clients read it in opposite ways. */
export type Grant = ValueSet | 'unclear';

/** A party of a rule; the default party has no ID. */
export interface PartyRef {
  readonly type: PartyType;
  readonly id?: string;
}

/** A rule on a column, read from any JSON. */
export interface ParsedRule {
  /** The index in the input list. */
  readonly index: number;
  readonly ruleId?: string;
  readonly table: string;
  readonly column: string;
  readonly grant: Grant;
  readonly parties: readonly PartyRef[];
}

export type UnknownObject = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is UnknownObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !isRawNumber(value);

export const isNonEmptyString = (value: unknown): value is string =>
  typeof value === 'string' && value !== '';

export const readArray = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/**
 * Reads rules from any JSON. Entries that are not rules on a column are left out. A rule without parties is included,
 * since its column counts as one with rules.
 */
export function readRules(rules: unknown): readonly ParsedRule[] {
  return readArray(rules).flatMap((rule, index) => {
    if (!isObject(rule) || !isNonEmptyString(rule['table']) || !isNonEmptyString(rule['column'])) {
      return [];
    }
    const { _id: id, table, column } = rule;
    return [
      {
        index,
        ...(isNonEmptyString(id) ? { ruleId: id } : {}),
        table,
        column,
        grant: getGrant(rule),
        parties: readArray(rule['shares']).flatMap(readShareParties),
      },
    ];
  });
}

/** The properties of a rule that are true, false or null. */
export const ruleFlags = ['allMembers', 'exclusionary'] as const;

/** Returns whether a flag is present but not a Boolean or null: some clients read `"false"` as true. */
export const isInvalidFlag = (value: unknown): boolean =>
  value !== undefined && value !== null && typeof value !== 'boolean';

/**
 * Returns what a rule grants (rest-api.md, "Data security rule" and "Kinds of rule"; platform-facts.md, 3.2):
 * `allMembers` true is *Everything* and members are ignored; an empty list with `allMembers` false is *Nothing*; an
 * empty list with null is unclear, since clients read it as *Nothing* or as *Everything*; so are an empty list with
 * `exclusionary` true, a flag that is not a Boolean, and a member without a text form; otherwise the members are
 * allowed, or hidden if `exclusionary` is true.
 */
export function getGrant(rule: UnknownObject): Grant {
  const { members, allMembers, exclusionary } = rule;
  if (allMembers === true) {
    return allValues;
  }
  if (isInvalidFlag(allMembers) || isInvalidFlag(exclusionary)) {
    return 'unclear';
  }
  if (!Array.isArray(members) || members.length === 0) {
    return allMembers === false && exclusionary !== true ? noValues : 'unclear';
  }
  const texts = members.map(toMemberText);
  if (texts.includes(undefined)) {
    return 'unclear';
  }
  const values = new Set(texts.filter((text) => text !== undefined));
  return { kind: exclusionary === true ? 'except' : 'only', values };
}

/**
 * Returns a member as text. Members are strings, also for numeric columns (platform-facts.md, 3.2); other scalars are
 * converted as they are spelled in JSON. Returns `undefined` for anything else.
 */
export function toMemberText(member: unknown): string | undefined {
  if (isRawNumber(member)) {
    return member.rawJSON;
  }
  return ['string', 'number', 'boolean', 'bigint'].includes(typeof member) ? String(member) : undefined;
}

/**
 * Returns the ID of a share's party; `undefined` if it has none. Extract rules use `party`, live rules and all
 * responses use `partyId` (rest-api.md, "Data security rule"; platform-facts.md, 3.1).
 */
export function getSharePartyId(share: UnknownObject): string | undefined {
  return [share['party'], share['partyId']].find(isNonEmptyString);
}

/** Returns the party of a share, in a list; an empty list if it can't be read. */
export function readShareParties(share: unknown): readonly PartyRef[] {
  if (!isObject(share)) {
    return [];
  }
  const { type } = share;
  if (type === 'default') {
    return [{ type }];
  }
  const number = readPartyNumber(share['party']);
  const id = getSharePartyId(share) ?? (number === undefined ? undefined : formatPartyNumber(number));
  return (type === 'user' || type === 'group') && id !== undefined ? [{ type, id }] : [];
}
