import { type JsonObject, type JsonValue, isJsonObject, stringify } from '../../base/json.ts';
import { compareTexts, sortByText } from '../../base/sortByText.ts';
import type { ResourceKind } from '../../catalog/resourceRef.ts';
import { ruleIdentityFields } from '../../contract/rule.ts';
import { isInstanceSpecificField, isServerManagedField } from '../../contract/serverManagedFields.ts';
import { getObjects, getText, omitMembers } from './jsonMembers.ts';

/** Members that come first, in this order; the others follow by name. */
const firstMembers = ['name', 'title', 'table', 'column', 'id', 'type'];

/** Lists whose order is irrelevant. */
const unorderedLists: ReadonlySet<string> = new Set(['datasets', 'tables', 'relations']);

/**
 * Returns the text of a document for a comparison with that of another instance or datamodel. Omits what always
 * differs: IDs, times, and people. References to tables and columns are names, multi-line SQL is a list of its lines,
 * and members and lists without a meaningful order are sorted.
 */
export function formatComparable(kind: ResourceKind, document: JsonValue): string {
  if (kind === 'tableExpression' || kind === 'columnExpression') {
    return `${getExpression(document)}\n`;
  }
  const isRules = kind === 'rules' || kind === 'columnRules' || kind === 'rule';
  const identityFields = isRules ? ruleIdentityFields : kind === 'viewpoint' ? ['id'] : [];
  const names = new Map<string, string>();
  collectNames(document, names);
  const root = isJsonObject(document) ? omitMembers(document, ...identityFields) : document;
  const value = Array.isArray(root)
    ? sortByJson(
        getObjects(root as JsonValue).map((item) => normalize(omitMembers(item, ...identityFields), names)),
      )
    : normalize(root, names);
  return `${stringify(value, 2)}\n`;
}

/** Returns the SQL of a table or column in either of its forms (platform-facts.md, 2.2). */
function getExpression(document: JsonValue): string {
  const expression = isJsonObject(document) ? document['expression'] : undefined;
  return getText(isJsonObject(expression) ? expression['expression'] : expression);
}

/** Collects the names of everything that other parts of the document refer to by its oid. */
function collectNames(value: JsonValue, names: Map<string, string>): void {
  if (Array.isArray(value)) {
    (value as readonly JsonValue[]).forEach((item) => collectNames(item, names));
  } else if (isJsonObject(value)) {
    const { oid, name, id } = value;
    const ownName = getText(name) || getText(id);
    if (typeof oid === 'string' && ownName !== '') {
      names.set(oid, ownName);
    }
    Object.values(value).forEach((member) => collectNames(member, names));
  }
}

function normalize(value: JsonValue, names: ReadonlyMap<string, string>): JsonValue {
  if (Array.isArray(value)) {
    return (value as readonly JsonValue[]).map((item) => normalize(item, names));
  }
  if (typeof value === 'string') {
    return names.get(value) ?? value;
  }
  if (!isJsonObject(value)) {
    return value;
  }
  return Object.fromEntries(
    Object.keys(value)
      .filter((name) => !isInstanceSpecificField(name) && !isServerManagedField(name))
      .toSorted(compareMembers)
      .map((name) => [name, normalizeMember(name, value[name] ?? null, names)]),
  );
}

function normalizeMember(name: string, member: JsonValue, names: ReadonlyMap<string, string>): JsonValue {
  if (name === 'expression') {
    const lines = getExpression({ expression: member }).split(/\r\n|\r|\n/);
    return lines.length === 1 ? (lines[0] ?? '') : lines;
  }
  if (name === 'shares') {
    return sortByJson(getObjects(member).map((share) => normalize(withPartyName(share), names)));
  }
  const normalized = normalize(member, names);
  return unorderedLists.has(name) ? sortByJson(getObjects(normalized)) : normalized;
}

/** Returns a share with the name of its party in place of the ID, if the server returns the name. */
function withPartyName(share: JsonObject): JsonObject {
  const { partyName, ...others } = share;
  return typeof partyName === 'string' && partyName !== ''
    ? { ...omitMembers(others, 'party', 'partyId'), party: partyName }
    : others;
}

/** Sorts items by their JSON, and thus by {@link firstMembers}, which come first in it. */
const sortByJson = (items: readonly JsonValue[]): readonly JsonValue[] => sortByText(items, stringify);

function compareMembers(a: string, b: string): number {
  const [firstA, firstB] = [a, b].map((name) => firstMembers.indexOf(name));
  const [rankA = 0, rankB = 0] = [firstA, firstB].map((rank = -1) => (rank < 0 ? firstMembers.length : rank));
  return rankA - rankB || compareTexts(a, b);
}
