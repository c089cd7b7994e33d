import type { JsonObject } from '../../base/json.ts';
import { objectId } from './ids.ts';
import type { SeedGroup, SeedUser } from './port.ts';

/** Whom a rule is for. */
export type RuleParty =
  | { readonly type: 'user'; readonly user: SeedUser }
  | { readonly type: 'group'; readonly group: SeedGroup }
  | { readonly type: 'default' };

export const forUser = (user: SeedUser): RuleParty => ({ type: 'user', user });
export const forGroup = (group: SeedGroup): RuleParty => ({ type: 'group', group });
export const forDefault: RuleParty = { type: 'default' };

/** What a rule says about the values of its column, in the encoding of platform-facts 3.2. */
export interface RuleContent {
  readonly members: readonly string[];
  readonly allMembers: boolean | null;
  readonly exclusionary: boolean;
}

export const only = (...members: readonly string[]): RuleContent => ({
  members,
  allMembers: null,
  exclusionary: false,
});
export const allBut = (...members: readonly string[]): RuleContent => ({
  members,
  allMembers: null,
  exclusionary: true,
});
export const everything: RuleContent = { members: [], allMembers: true, exclusionary: false };
export const nothing: RuleContent = { members: [], allMembers: false, exclusionary: false };

export interface RuleSpec {
  readonly table: string;
  readonly column: string;
  readonly datatype?: 'numeric';
  readonly content: RuleContent;
  readonly parties: readonly RuleParty[];
}

function partyId(party: RuleParty): string | undefined {
  if (party.type === 'user') {
    return party.user._id;
  }
  return party.type === 'group' ? party.group._id : undefined;
}

function shares(parties: readonly RuleParty[], key: 'party' | 'partyId'): JsonObject[] {
  return parties.map((party) => {
    const id = partyId(party);
    return id === undefined ? { type: party.type } : { [key]: id, type: party.type };
  });
}

/** A rule of an extract model or, with server `set`, of a cube set (spec, "Data security rule"). */
export function extractRule(server: string, elasticube: string, label: string, spec: RuleSpec): JsonObject {
  return {
    _id: objectId(`rule/${server}/${elasticube}/${label}`),
    server,
    elasticube,
    table: spec.table,
    column: spec.column,
    datatype: spec.datatype ?? 'text',
    ...spec.content,
    shares: shares(spec.parties, 'party'),
  };
}

/** A rule of a live model (spec): no `exclusionary`, the name with its prefix. */
export function liveRule(title: string, label: string, spec: RuleSpec): JsonObject {
  return {
    _id: objectId(`rule/live/${title}/${label}`),
    fullname: `live:${title}`,
    live: true,
    table: spec.table,
    column: spec.column,
    datatype: spec.datatype ?? 'text',
    members: spec.content.members,
    allMembers: spec.content.allMembers,
    shares: shares(spec.parties, 'partyId'),
  };
}
