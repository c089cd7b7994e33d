import * as z from 'zod';
import { idSchema, orAbsent, jsonNumberSchema } from './values.ts';

export { cubeSetServer, livePrefix, partyTypes, type PartyType } from './terms.ts';

/**
 * A share of a rule, which names one party. The platform returns `partyId`, extract rules are written with `party`,
 * live rules with `partyId` (rest-api.md, "Data security rule"; platform-facts.md, 3.1): both are read.
 */
export const shareSchema = z.looseObject({
  party: orAbsent(z.string()),
  partyId: orAbsent(z.string()),
  partyName: orAbsent(z.string()),
  type: z.string(),
});
export type Share = z.infer<typeof shareSchema>;

/**
 * The common fields of extract and live rules. `allMembers` may be missing on a rule that is read
 * (platform-facts.md, 5.5).
 */
const ruleFields = {
  table: z.string(),
  column: z.string(),
  datatype: orAbsent(z.string()),
  members: orAbsent(z.array(z.union([z.string(), jsonNumberSchema]))),
  allMembers: orAbsent(z.boolean()),
  shares: orAbsent(z.array(shareSchema)),
};

/** A rule of an extract datamodel or of a cube set, as returned by the platform. */
export const extractRuleSchema = z.looseObject({
  _id: orAbsent(idSchema),
  server: orAbsent(z.string()),
  elasticube: orAbsent(z.string()),
  exclusionary: orAbsent(z.boolean()),
  ...ruleFields,
});
export type ExtractRule = z.infer<typeof extractRuleSchema>;

/**
 * A rule of a live datamodel, as returned by the platform. The vendor's contract (platform-facts.md, 6.2) has
 * `exclusionary` and `dataSourceId`, which the guide's table lacks.
 */
export const liveRuleSchema = z.looseObject({
  _id: orAbsent(idSchema),
  dataSourceId: orAbsent(z.string()),
  fullname: orAbsent(z.string()),
  live: orAbsent(z.boolean()),
  exclusionary: orAbsent(z.boolean()),
  ...ruleFields,
});
export type LiveRule = z.infer<typeof liveRuleSchema>;

export type Rule = ExtractRule | LiveRule;

/** Server-managed fields; they are removed before a write (platform-facts.md, 3.1 and 6.2). */
export const serverManagedRuleFields = [
  'created',
  'lastModified',
  'importedIdIdentifier',
  'dataSourceId',
] as const;
/**
 * Fields that say nothing about the access that a rule grants: server-managed ones, and those that identify the rule
 * and its datamodel.
 */
export const ruleIdentityFields = [
  ...serverManagedRuleFields,
  '_id',
  'server',
  'elasticube',
  'fullname',
  'live',
] as const;
export const serverManagedShareFields = ['partyName'] as const;

/** The ID of the party, in either spelling; `undefined` for the default party. */
export function getPartyId(share: Pick<Share, 'party' | 'partyId'>): string | undefined {
  return share.party ?? share.partyId ?? undefined;
}
