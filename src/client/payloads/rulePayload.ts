import { type JsonObject, type JsonValue, isRawNumber } from '../../base/json.ts';
import {
  livePrefix,
  partyTypes,
  serverManagedRuleFields,
  serverManagedShareFields,
} from '../../contract/rule.ts';
import { PayloadError } from '../errors.ts';
import {
  type DocumentToWrite,
  requireArray,
  requireObject,
  requireText,
  omitProperties,
} from './documentToWrite.ts';

type Path = readonly (string | number)[];

/**
 * A rule for the POST whose path names the cube: `server` and `elasticube` are given by the path (rest-api.md, "Data
 * security, extract datamodels").
 */
export const createExtractRulePayload = (document: DocumentToWrite, path: Path = []): JsonObject =>
  omitProperties(toRuleFields(document, 'party', path), ['_id', 'server', 'elasticube']);

/**
 * A rule for the bulk POST across cubes: each carries its own `server` and `elasticube`, sent as written
 * (rest-api.md, "Data security rule, extract datamodel"; cube sets: `set` and the set's name). Never `_id`: the server
 * assigns it.
 * @throws PayloadError
 */
export function createBulkRulePayload(document: DocumentToWrite, path: Path = []): JsonObject {
  requireText(document['server'], [...path, 'server']);
  requireText(document['elasticube'], [...path, 'elasticube']);
  return omitProperties(toRuleFields(document, 'party', path), ['_id']);
}

/**
 * A rule for PUT: it includes its `_id`, the same as in the path (rest-api.md, "Data security, extract datamodels").
 * @throws PayloadError `id-mismatch` if the document is a different rule
 */
export function createExtractRuleChangePayload(document: DocumentToWrite, ruleId: string): JsonObject {
  const id = document['_id'];
  if (id !== undefined && id !== null && id !== ruleId) {
    throw new PayloadError('id-mismatch', ['_id']);
  }
  return { _id: ruleId, ...omitProperties(toRuleFields(document, 'party', []), ['_id']) };
}

/**
 * A rule for the POST of a live datamodel: `fullname` is the title with the prefix `live:` (rest-api.md, "Data security
 * rule, live datamodel"), `live` is always true, and there is no `_id`. `exclusionary` is sent if true: omitting the
 * flag would turn "all but these" into "only these". The vendor's contract (platform-facts.md, 6.2) has it, the
 * guide's table does not: false, which is the default, is omitted.
 * @throws PayloadError `fullname-mismatch` for the rule of another datamodel
 */
export function createLiveRulePayload(document: DocumentToWrite, title: string, path: Path = []): JsonObject {
  const fullname = document['fullname'] ?? `${livePrefix}${title}`;
  if (fullname !== `${livePrefix}${title}`) {
    throw new PayloadError('fullname-mismatch', [...path, 'fullname']);
  }
  const omittedNames = document['exclusionary'] === true ? ['_id'] : ['_id', 'exclusionary'];
  const rule = omitProperties(toRuleFields(document, 'partyId', path), omittedNames);
  // The vendor's contract (platform-facts.md, 6.2) requires `members` even if the rule covers all and it has no meaning
  // (rest-api.md, "Data security rule").
  return { ...rule, members: rule['members'] ?? [], fullname, live: true };
}

/** @throws PayloadError `empty-list` if there are no rules */
export function createRulePayloads(
  rules: readonly DocumentToWrite[],
  createPayload: (rule: DocumentToWrite, path: Path) => JsonObject,
): readonly JsonObject[] {
  if (rules.length === 0) {
    throw new PayloadError('empty-list');
  }
  return rules.map((rule, index) => createPayload(requireObject(rule, [index]), [index]));
}

/** The common fields of both kinds of rule, without server-managed fields (platform-facts.md, 3.1). */
function toRuleFields(document: DocumentToWrite, partyKey: 'party' | 'partyId', path: Path): JsonObject {
  requireText(document['table'], [...path, 'table']);
  requireText(document['column'], [...path, 'column']);
  const rule = omitProperties(document, serverManagedRuleFields);
  const shares = requireArray(rule['shares'], [...path, 'shares']).map((share, index) =>
    toShareFields(requireObject(share, [...path, 'shares', index]), partyKey, [...path, 'shares', index]),
  );
  const { members, allMembers = null } = rule;
  if (allMembers !== true) {
    requireArray(members, [...path, 'members']);
  }
  // `allMembers` must be null if it is not used (rest-api.md, "Data security rule"), so it is never omitted.
  return {
    ...rule,
    ...(Array.isArray(members) ? { members: members.map(toMemberText) } : {}),
    allMembers,
    shares,
  };
}

/**
 * Members are strings, even those of a numeric column (rest-api.md, "Data security rule"; platform-facts.md, 3.2): a
 * number is sent as it is written.
 */
function toMemberText(member: JsonValue): JsonValue {
  if (isRawNumber(member)) {
    return member.rawJSON;
  }
  return typeof member === 'number' ? String(member) : member;
}

/**
 * Responses contain `partyId`, extract rules are written with `party`, live rules with `partyId`
 * (platform-facts.md, 3.1).
 */
function toShareFields(share: JsonObject, partyKey: 'party' | 'partyId', path: Path): JsonObject {
  const type = share['type'];
  if (!partyTypes.some((validType) => validType === type)) {
    throw new PayloadError(type === undefined ? 'missing-property' : 'wrong-type', [...path, 'type']);
  }
  const otherFields = omitProperties(share, [...serverManagedShareFields, 'party', 'partyId']);
  if (type === 'default') {
    return otherFields;
  }
  const party = share['party'] ?? share['partyId'];
  return { [partyKey]: requireText(party, [...path, partyKey]), ...otherFields };
}
