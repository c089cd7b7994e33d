import { livePrefix } from '../contract/terms.ts';
import type { UnknownObject } from './readRules.ts';
import { isExclusion, isAllValues, isNoValues, type ValueSet } from './valueSet.ts';

/** What rules belong to: an extract datamodel or cube set, or a live datamodel (rest-api.md, "Data security rule"). */
export type RuleBinding =
  | { readonly kind: 'extract'; readonly server: string; readonly elasticube: string }
  | { readonly kind: 'live'; readonly title: string };

/** Returns the fields that bind a rule to its datamodel. */
export const getBindingFields = (binding: RuleBinding): UnknownObject =>
  binding.kind === 'live'
    ? { fullname: `${livePrefix}${binding.title}`, live: true }
    : { server: binding.server, elasticube: binding.elasticube };

/** Creates the fields that encode what a rule grants (platform-facts.md, 3.2). */
export function createContentFields(grant: ValueSet, kind: RuleBinding['kind']): UnknownObject {
  return {
    members: [...grant.values],
    // The field must be null when it is not used (rest-api.md, "Data security rule"); false with an empty list means
    // Nothing.
    allMembers: isAllValues(grant) ? true : isNoValues(grant) ? false : null,
    // Live rules get this field only if it is true, since not every server accepts it: the guide doesn't list it for
    // them, although the vendor's contract does (platform-facts.md, 6.2).
    ...(kind === 'live' && !isExclusion(grant) ? {} : { exclusionary: isExclusion(grant) }),
  };
}

/**
 * Creates an entry of `shares`. Extract and live rules use different keys for the ID (rest-api.md, "Data security
 * rule").
 */
export const createShareFields = (
  { type, id }: { readonly type: string; readonly id?: string | undefined },
  kind: RuleBinding['kind'],
): UnknownObject => (type === 'default' ? { type } : { [kind === 'live' ? 'partyId' : 'party']: id, type });
