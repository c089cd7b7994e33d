import { isJsonObject, type JsonValue } from '../../base/json.ts';
import { livePrefix } from '../../contract/terms.ts';
import { isJsonArray, getProperty } from '../../json/text/copyOnWrite.ts';
import { formatPartyNumber, readPartyNumber } from '../numberedParty.ts';
import type { RuleKind, FormParty } from './ruleEdit.ts';

/** The fields of a rule as the form shows them, read from any JSON. */
export interface RuleFields {
  readonly table: string;
  readonly column: string;
  readonly datatype: string;
  readonly ruleKind: RuleKind;
  /** The members as text. Rules use text for numeric columns too (platform-facts.md, 3.2). */
  readonly members: readonly string[];
  readonly parties: readonly FormParty[];
  readonly isLive: boolean;
  /** The datamodel that the rule names: `elasticube`, or `fullname` without its prefix. */
  readonly datamodel: string;
  readonly server: string;
  /** True for an entry that is not an object: it can only be removed. */
  readonly isUnsupported: boolean;
}

export function readRuleFields(rule: JsonValue): RuleFields {
  const readText = (name: string): string => {
    const value = getProperty(rule, name);
    return typeof value === 'string' ? value : '';
  };
  const members = getProperty(rule, 'members');
  const shares = getProperty(rule, 'shares');
  const fullname = readText('fullname');
  return {
    table: readText('table'),
    column: readText('column'),
    datatype: readText('datatype'),
    ruleKind: getRuleKind(rule),
    members: isJsonArray(members) ? members.map(formatMember) : [],
    parties: isJsonArray(shares) ? shares.flatMap((share) => readShareParty(share) ?? []) : [],
    isLive: isLiveFormRule(rule),
    datamodel:
      readText('elasticube') ||
      (fullname.startsWith(livePrefix) ? fullname.slice(livePrefix.length) : fullname),
    server: readText('server'),
    isUnsupported: !isJsonObject(rule),
  };
}

/**
 * Returns the kind of a rule (platform-facts.md, 3.2). A rule without members whose `allMembers` is null is
 * shown as an empty list.
 */
function getRuleKind(rule: JsonValue): RuleKind {
  const allMembers = getProperty(rule, 'allMembers');
  const members = getProperty(rule, 'members');
  if (allMembers === true) {
    return 'everything';
  }
  if (allMembers === false && (!isJsonArray(members) || members.length === 0)) {
    return 'nothing';
  }
  return getProperty(rule, 'exclusionary') === true ? 'except' : 'only';
}

/** True if a rule belongs to a live datamodel (rest-api.md, "Data security rule, live datamodel"). */
export function isLiveFormRule(rule: JsonValue): boolean {
  const fullname = getProperty(rule, 'fullname');
  return (
    getProperty(rule, 'live') === true || (typeof fullname === 'string' && fullname.startsWith(livePrefix))
  );
}

const formatMember = (member: JsonValue): string =>
  typeof member === 'string' ? member : JSON.stringify(member);

/** Reads the party of an entry of `shares`, with either key for its ID (platform-facts.md, 3.1). */
export function readShareParty(share: JsonValue): FormParty | undefined {
  const type = getProperty(share, 'type');
  const readText = (name: string): string | undefined => {
    const value = getProperty(share, name);
    return typeof value === 'string' && value !== '' ? value : undefined;
  };
  const number = readPartyNumber(getProperty(share, 'party'));
  const id = number === undefined ? (readText('party') ?? readText('partyId')) : formatPartyNumber(number);
  return type === 'user' || type === 'group' || type === 'default'
    ? { type, id, name: readText('partyName') }
    : undefined;
}

/** Returns the rules of a document, which is an array of rules or a single rule. */
export const getDocumentRules = (document: JsonValue): readonly JsonValue[] =>
  isJsonArray(document) ? document : [document];

/** Returns a key that identifies a party in the form. */
export const getFormPartyKey = ({ type, id }: FormParty): string =>
  type === 'default' ? type : `${type} ${id ?? ''}`;
