import { livePrefix } from '../../contract/terms.ts';
import {
  toArray,
  getGrant,
  isObject,
  isNonEmptyString,
  getSharePartyId,
  type UnknownObject,
} from '../readRule.ts';
import { intersect, isExclusion, isAllValues, isNoValues, type ValueSet } from '../valueSet.ts';

/** What rules belong to: an extract datamodel or cube set, or a live datamodel (rest-api.md, "Data security rule"). */
export type RuleBinding =
  | { readonly kind: 'extract'; readonly server: string; readonly elasticube: string }
  | { readonly kind: 'live'; readonly title: string };

/**
 * Why a rule can't be converted: it hides values, which not every server accepts in live rules; its meaning is unclear;
 * or it has no readable table, column or party.
 */
export type ConversionRefusal = 'exclusionary-live' | 'unclear' | 'no-column' | 'no-party';

/** A rule that hid values and was rewritten to allow all other known values. Values added later stay hidden. */
export interface RewrittenRule {
  readonly index: number;
  readonly hidden: readonly string[];
  readonly listed: readonly string[];
}

export interface Conversion {
  readonly rules: readonly UnknownObject[];
  readonly refused: readonly { readonly index: number; readonly reason: ConversionRefusal }[];
  readonly rewritten: readonly RewrittenRule[];
}

export interface ConversionOptions {
  /**
   * True if the target is a live datamodel whose server accepts rules that hide values (see `getLiveExclusionSupport`).
   */
  readonly canHideValues?: boolean;
  /** Returns all values of a column; present if the user agreed to list the allowed values instead of hiding some. */
  readonly getValues?: (table: string, column: string) => readonly string[] | undefined;
}

/**
 * Converts rules for another datamodel. The names of fields differ (rest-api.md, "Data security rule"): extract rules
 * have `server`, `elasticube` and `party`; live rules have `fullname` with its prefix, `live` and `partyId`. Fields
 * created by the server are dropped (platform-facts.md, 3.1).
 */
export function convertRules(
  rules: readonly unknown[],
  target: RuleBinding,
  options: ConversionOptions = {},
): Conversion {
  const results = toArray(rules).map((rule, index) => ({ index, ...convertRule(rule, target, options) }));
  return {
    rules: results.flatMap(({ rule }) => (rule === undefined ? [] : [rule])),
    refused: results.flatMap(({ index, reason }) => (reason === undefined ? [] : [{ index, reason }])),
    rewritten: results.flatMap(({ index, rewriting }) =>
      rewriting === undefined ? [] : [{ index, ...rewriting }],
    ),
  };
}

interface ConvertedRule {
  readonly rule?: UnknownObject;
  readonly reason?: ConversionRefusal;
  readonly rewriting?: Omit<RewrittenRule, 'index'>;
}

function convertRule(
  rule: unknown,
  target: RuleBinding,
  { getValues, canHideValues = false }: ConversionOptions,
): ConvertedRule {
  if (!isObject(rule) || !isNonEmptyString(rule['table']) || !isNonEmptyString(rule['column'])) {
    return { reason: 'no-column' };
  }
  const { table, column, datatype } = rule;
  const grant = getGrant(rule);
  const shares = convertShares(rule, target);
  if (shares === undefined) {
    return { reason: 'no-party' };
  }
  if (grant === 'unclear') {
    return { reason: 'unclear' };
  }
  const knownValues = getValues?.(table, column);
  const mustList = target.kind === 'live' && isExclusion(grant) && !canHideValues;
  if (mustList && knownValues === undefined) {
    return { reason: 'exclusionary-live' };
  }
  const listedValues = intersect({ kind: 'only', values: new Set(knownValues) }, grant);
  return {
    rule: {
      ...getBindingFields(target),
      table,
      column,
      ...(datatype === undefined ? {} : { datatype }),
      ...createContentFields(mustList ? listedValues : grant, target.kind),
      shares,
    },
    ...(mustList ? { rewriting: { hidden: [...grant.values], listed: [...listedValues.values] } } : {}),
  };
}

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
    // The guide does not list this field for live rules, the vendor's contract (platform-facts.md, 6.2) does: so live
    // rules get it only if it is true.
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

/** Returns `undefined` if a party is unreadable: if it were left out, another rule would define its access. */
function convertShares(rule: UnknownObject, { kind }: RuleBinding): readonly UnknownObject[] | undefined {
  const shares = toArray(rule['shares']).map((share) => {
    if (!isObject(share)) {
      return undefined;
    }
    const { type } = share;
    const id = getSharePartyId(share);
    const isReadable = type === 'default' || ((type === 'user' || type === 'group') && id !== undefined);
    return isReadable ? createShareFields({ type, id }, kind) : undefined;
  });
  const readableShares = shares.filter((share) => share !== undefined);
  return shares.length > 0 && readableShares.length === shares.length ? readableShares : undefined;
}
