import { livePrefix } from '../../contract/terms.ts';
import { toArray, getGrant, isObject, isText, getSharePartyId, type UnknownObject } from '../readRule.ts';
import { intersect, isExclusion, isAllValues, isNoValues, type ValueSet } from '../valueSet.ts';

/** What rules are bound to: an extract datamodel or cube set, or a live datamodel (spec, "Data security rule"). */
export type RuleBinding =
  | { readonly kind: 'extract'; readonly server: string; readonly elasticube: string }
  | { readonly kind: 'live'; readonly title: string };

/**
 * Why a rule cannot be carried over: it hides values, which not every server takes of live rules; it says nothing certain; it names no
 * table, column or party that can be read.
 */
export type ConversionRefusal = 'exclusionary-live' | 'unclear' | 'no-column' | 'no-party';

/** A rule that hid values and now lists all other values that are known. Values that come later stay hidden. */
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
  /** All values of a column, when a person agreed to list them in place of hiding some. */
  /** The target is a live datamodel whose server takes rules that hide values (see `getLiveExclusionSupport`). */
  readonly canHideValues?: boolean;
  readonly getValues?: (table: string, column: string) => readonly string[] | undefined;
}

/**
 * Rules as another datamodel takes them. The names of fields differ (spec, both rule tables): `server` and
 * `elasticube` on one side, `fullname` with its prefix and `live` on the other, `party` here and `partyId` there; what
 * the server made is left behind (platform-facts 3.1), and each rule is written as the spec wants it.
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
  if (!isObject(rule) || !isText(rule['table']) || !isText(rule['column'])) {
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
  const known = getValues?.(table, column);
  const mustList = target.kind === 'live' && isExclusion(grant) && !canHideValues;
  if (mustList && known === undefined) {
    return { reason: 'exclusionary-live' };
  }
  const listed = intersect({ kind: 'only', values: new Set(known) }, grant);
  return {
    rule: {
      ...getBindingFields(target),
      table,
      column,
      ...(datatype === undefined ? {} : { datatype }),
      ...createContentFields(mustList ? listed : grant, target.kind),
      shares,
    },
    ...(mustList ? { rewriting: { hidden: [...grant.values], listed: [...listed.values] } } : {}),
  };
}

/** What binds a rule to its datamodel. */
export const getBindingFields = (place: RuleBinding): UnknownObject =>
  place.kind === 'live'
    ? { fullname: `${livePrefix}${place.title}`, live: true }
    : { server: place.server, elasticube: place.elasticube };

/** The encoding of the kinds of rule (platform-facts 3.2). */
export function createContentFields(grant: ValueSet, kind: RuleBinding['kind']): UnknownObject {
  return {
    members: [...grant.values],
    // When it is not used the value must be null (spec); false with an empty list is Nothing.
    allMembers: isAllValues(grant) ? true : isNoValues(grant) ? false : null,
    // The spec does not know the field on live rules, the contract (v1.0) does: there it stands only where it says something.
    ...(kind === 'live' && !isExclusion(grant) ? {} : { exclusionary: isExclusion(grant) }),
  };
}

/** An entry of `shares`: the identifier has another key on each side (spec, both rule tables). */
export const createShareFields = (
  { type, id }: { readonly type: string; readonly id?: string | undefined },
  kind: RuleBinding['kind'],
): UnknownObject => (type === 'default' ? { type } : { [kind === 'live' ? 'partyId' : 'party']: id, type });

/** `undefined` when a party cannot be read: left out, it would get another rule's access. */
function convertShares(rule: UnknownObject, { kind }: RuleBinding): readonly UnknownObject[] | undefined {
  const shares = toArray(rule['shares']).map((share) => {
    if (!isObject(share)) {
      return undefined;
    }
    const { type } = share;
    const id = getSharePartyId(share);
    const isNamed = type === 'default' || ((type === 'user' || type === 'group') && id !== undefined);
    return isNamed ? createShareFields({ type, id }, kind) : undefined;
  });
  const readable = shares.filter((share) => share !== undefined);
  return shares.length > 0 && readable.length === shares.length ? readable : undefined;
}
