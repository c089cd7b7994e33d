import type { JsonObject } from '../../base/json.ts';
import { createSeedObjectId } from './seedIds.ts';
import type { SeedGroup, SeedUser } from './seed.ts';

/** A party of a rule: a user, a group, or everyone else (`default`). */
export type SeedRuleParty =
  | { readonly type: 'user'; readonly user: SeedUser }
  | { readonly type: 'group'; readonly group: SeedGroup }
  | { readonly type: 'default' };

export const createUserParty = (user: SeedUser): SeedRuleParty => ({ type: 'user', user });
export const createGroupParty = (group: SeedGroup): SeedRuleParty => ({ type: 'group', group });
export const defaultParty: SeedRuleParty = { type: 'default' };

/** The members of a rule that specify the visible values of its column (platform-facts.md, 3.2). */
export interface SeedRuleContent {
  readonly members: readonly string[];
  readonly allMembers: boolean | null;
  readonly exclusionary: boolean;
}

export const createOnlyContent = (...members: readonly string[]): SeedRuleContent => ({
  members,
  allMembers: null,
  exclusionary: false,
});
export const createExceptContent = (...members: readonly string[]): SeedRuleContent => ({
  members,
  allMembers: null,
  exclusionary: true,
});
export const allValuesContent: SeedRuleContent = { members: [], allMembers: true, exclusionary: false };
export const noValuesContent: SeedRuleContent = { members: [], allMembers: false, exclusionary: false };

export interface SeedRuleSpec {
  readonly table: string;
  readonly column: string;
  readonly datatype?: 'numeric';
  readonly content: SeedRuleContent;
  readonly parties: readonly SeedRuleParty[];
}

function getPartyId(party: SeedRuleParty): string | undefined {
  if (party.type === 'user') {
    return party.user._id;
  }
  return party.type === 'group' ? party.group._id : undefined;
}

function createShares(parties: readonly SeedRuleParty[], idField: 'party' | 'partyId'): JsonObject[] {
  return parties.map((party) => {
    const id = getPartyId(party);
    return id === undefined ? { type: party.type } : { [idField]: id, type: party.type };
  });
}

/** Creates a rule of an extract datamodel or, with server `set`, of a cube set (rest-api.md, "Data security rule"). */
export function createSeedExtractRule(
  server: string,
  elasticube: string,
  label: string,
  spec: SeedRuleSpec,
): JsonObject {
  return {
    _id: createSeedObjectId(`rule/${server}/${elasticube}/${label}`),
    server,
    elasticube,
    table: spec.table,
    column: spec.column,
    datatype: spec.datatype ?? 'text',
    ...spec.content,
    shares: createShares(spec.parties, 'party'),
  };
}

/**
 * Creates a rule of a live datamodel, which has no `exclusionary` (rest-api.md, "Data security rule, live datamodel").
 */
export function createSeedLiveRule(title: string, label: string, spec: SeedRuleSpec): JsonObject {
  return {
    _id: createSeedObjectId(`rule/live/${title}/${label}`),
    fullname: `live:${title}`,
    live: true,
    table: spec.table,
    column: spec.column,
    datatype: spec.datatype ?? 'text',
    members: spec.content.members,
    allMembers: spec.content.allMembers,
    shares: createShares(spec.parties, 'partyId'),
  };
}
