import { isJsonObject, type JsonValue } from '../../base/json.ts';
import { livePrefix } from '../../contract/terms.ts';
import { isJsonArray, propertyOf } from '../../json/text/parts.ts';
import type { RuleKind, RuleParty } from './ruleEdit.ts';

/** A rule as its form shows it, read from anything. */
export interface RuleFields {
  readonly table: string;
  readonly column: string;
  readonly datatype: string;
  readonly ruleKind: RuleKind;
  /** As texts; rules carry texts for numeric columns too (platform-facts 3.2). */
  readonly members: readonly string[];
  readonly parties: readonly RuleParty[];
  readonly isLive: boolean;
  /** The datamodel that the rule names itself: `elasticube`, or `fullname` without its prefix. */
  readonly datamodel: string;
  readonly server: string;
  /** True of an entry that is no object: it can be removed, no more. */
  readonly isOdd: boolean;
}

export function readRuleFields(rule: JsonValue): RuleFields {
  const text = (name: string): string => {
    const value = propertyOf(rule, name);
    return typeof value === 'string' ? value : '';
  };
  const members = propertyOf(rule, 'members');
  const shares = propertyOf(rule, 'shares');
  const fullname = text('fullname');
  return {
    table: text('table'),
    column: text('column'),
    datatype: text('datatype'),
    ruleKind: ruleKindOf(rule),
    members: isJsonArray(members) ? members.map(memberOf) : [],
    parties: isJsonArray(shares) ? shares.flatMap((share) => partyOf(share) ?? []) : [],
    isLive: isLive(rule),
    datamodel:
      text('elasticube') || (fullname.startsWith(livePrefix) ? fullname.slice(livePrefix.length) : fullname),
    server: text('server'),
    isOdd: !isJsonObject(rule),
  };
}

/** The kind of a rule (platform-facts 3.2); no values at all and `allMembers` null are *only none*. */
function ruleKindOf(rule: JsonValue): RuleKind {
  const all = propertyOf(rule, 'allMembers');
  const members = propertyOf(rule, 'members');
  if (all === true) {
    return 'everything';
  }
  if (all === false && (!isJsonArray(members) || members.length === 0)) {
    return 'nothing';
  }
  return propertyOf(rule, 'exclusionary') === true ? 'except' : 'only';
}

/** Whether a rule belongs to a live datamodel (spec, "Data security rule, live datamodel"). */
export function isLive(rule: JsonValue): boolean {
  const fullname = propertyOf(rule, 'fullname');
  return (
    propertyOf(rule, 'live') === true || (typeof fullname === 'string' && fullname.startsWith(livePrefix))
  );
}

const memberOf = (member: JsonValue): string =>
  typeof member === 'string' ? member : JSON.stringify(member);

/** The party of an entry of `shares`, in either spelling (platform-facts 3.1). */
export function partyOf(share: JsonValue): RuleParty | undefined {
  const type = propertyOf(share, 'type');
  const text = (name: string): string | undefined => {
    const value = propertyOf(share, name);
    return typeof value === 'string' && value !== '' ? value : undefined;
  };
  return type === 'user' || type === 'group' || type === 'default'
    ? { type, id: text('party') ?? text('partyId'), name: text('partyName') }
    : undefined;
}

/** The rules of a document: a rule set is an array of them; one rule alone is a set of one. */
export const rulesOf = (document: JsonValue): readonly JsonValue[] =>
  isJsonArray(document) ? document : [document];

/** Tells one party from another. */
export const partyKey = ({ type, id }: RuleParty): string =>
  type === 'default' ? type : `${type} ${id ?? ''}`;
