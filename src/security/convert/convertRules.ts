import { livePrefix } from '../../contract/terms.ts';
import { asList, grantOf, isObject, isText, partyIdOf, type UnknownObject } from '../readRule.ts';
import { intersection, isBlock, isEverything, isNothing, type ValueSet } from '../valueSet.ts';

/** What rules are bound to: an extract datamodel or cube set, or a live datamodel (spec, "Data security rule"). */
export type RulePlace =
  | { readonly kind: 'extract'; readonly server: string; readonly elasticube: string }
  | { readonly kind: 'live'; readonly title: string };

/**
 * Why a rule cannot be carried over: it hides values, which not every server takes of live rules; it says nothing certain; it names no
 * table, column or party that can be read.
 */
export type Refusal = 'exclusionary-live' | 'unclear' | 'no-column' | 'no-party';

/** A rule that hid values and now lists all other values that are known. Values that come later stay hidden. */
export interface Rewriting {
  readonly index: number;
  readonly hidden: readonly string[];
  readonly listed: readonly string[];
}

export interface Conversion {
  readonly rules: readonly UnknownObject[];
  readonly refused: readonly { readonly index: number; readonly reason: Refusal }[];
  readonly rewritten: readonly Rewriting[];
}

export interface ConversionOptions {
  /** All values of a column, when a person agreed to list them in place of hiding some. */
  /** The target is a live datamodel whose server takes rules that hide values (see `liveExclusion`). */
  readonly isHiding?: boolean;
  readonly valuesOf?: (table: string, column: string) => readonly string[] | undefined;
}

/**
 * Rules as another datamodel takes them. The names of fields differ (spec, both rule tables): `server` and
 * `elasticube` on one side, `fullname` with its prefix and `live` on the other, `party` here and `partyId` there; what
 * the server made is left behind (platform-facts 3.1), and each rule is written as the spec wants it.
 */
export function convertRules(
  rules: readonly unknown[],
  target: RulePlace,
  options: ConversionOptions = {},
): Conversion {
  const results = asList(rules).map((rule, index) => ({ index, ...convertRule(rule, target, options) }));
  return {
    rules: results.flatMap(({ rule }) => (rule === undefined ? [] : [rule])),
    refused: results.flatMap(({ index, reason }) => (reason === undefined ? [] : [{ index, reason }])),
    rewritten: results.flatMap(({ index, rewriting }) =>
      rewriting === undefined ? [] : [{ index, ...rewriting }],
    ),
  };
}

interface Converted {
  readonly rule?: UnknownObject;
  readonly reason?: Refusal;
  readonly rewriting?: Omit<Rewriting, 'index'>;
}

function convertRule(
  rule: unknown,
  target: RulePlace,
  { valuesOf, isHiding = false }: ConversionOptions,
): Converted {
  if (!isObject(rule) || !isText(rule['table']) || !isText(rule['column'])) {
    return { reason: 'no-column' };
  }
  const { table, column, datatype } = rule;
  const grant = grantOf(rule);
  const shares = sharesFor(rule, target);
  if (shares === undefined) {
    return { reason: 'no-party' };
  }
  if (grant === 'unclear') {
    return { reason: 'unclear' };
  }
  const known = valuesOf?.(table, column);
  const mustList = target.kind === 'live' && isBlock(grant) && !isHiding;
  if (mustList && known === undefined) {
    return { reason: 'exclusionary-live' };
  }
  const listed = intersection({ kind: 'only', values: new Set(known) }, grant);
  return {
    rule: {
      ...placeFields(target),
      table,
      column,
      ...(datatype === undefined ? {} : { datatype }),
      ...contentFields(mustList ? listed : grant, target.kind),
      shares,
    },
    ...(mustList ? { rewriting: { hidden: [...grant.values], listed: [...listed.values] } } : {}),
  };
}

/** What binds a rule to its datamodel. */
export const placeFields = (place: RulePlace): UnknownObject =>
  place.kind === 'live'
    ? { fullname: `${livePrefix}${place.title}`, live: true }
    : { server: place.server, elasticube: place.elasticube };

/** The encoding of the kinds of rule (platform-facts 3.2). */
export function contentFields(grant: ValueSet, kind: RulePlace['kind']): UnknownObject {
  return {
    members: [...grant.values],
    // When it is not used the value must be null (spec); false with an empty list is Nothing.
    allMembers: isEverything(grant) ? true : isNothing(grant) ? false : null,
    // The spec does not know the field on live rules, the contract (v1.0) does: there it stands only where it says something.
    ...(kind === 'live' && !isBlock(grant) ? {} : { exclusionary: isBlock(grant) }),
  };
}

/** An entry of `shares`: the identifier has another key on each side (spec, both rule tables). */
export const shareFields = (
  { type, id }: { readonly type: string; readonly id?: string | undefined },
  kind: RulePlace['kind'],
): UnknownObject => (type === 'default' ? { type } : { [kind === 'live' ? 'partyId' : 'party']: id, type });

/** `undefined` when a party cannot be read: left out, it would get another rule's access. */
function sharesFor(rule: UnknownObject, { kind }: RulePlace): readonly UnknownObject[] | undefined {
  const shares = asList(rule['shares']).map((share) => {
    if (!isObject(share)) {
      return undefined;
    }
    const { type } = share;
    const id = partyIdOf(share);
    const isNamed = type === 'default' || ((type === 'user' || type === 'group') && id !== undefined);
    return isNamed ? shareFields({ type, id }, kind) : undefined;
  });
  const readable = shares.filter((share) => share !== undefined);
  return shares.length > 0 && readable.length === shares.length ? readable : undefined;
}
