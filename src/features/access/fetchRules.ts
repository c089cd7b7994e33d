import { isJsonObject, type JsonValue } from '../../base/json.ts';
import type { RuleSubject } from '../../catalog/ruleSubject.ts';
import type { Session } from '../../connections/sessions.ts';
import { extractRuleSchema, type Rule } from '../../contract/rule.ts';
import { toMemberText } from '../../security/readRules.ts';
import { DocumentReader } from '../../changes/model/documentReader.ts';

/**
 * Fetches the current rules from the server. Members are strings: a page would round a number that its engine cannot
 * represent (platform-facts.md, 3.2: members are strings, those of numeric columns too).
 * @throws ApiError
 */
export async function fetchRules(
  { client, catalog }: Session,
  subject: RuleSubject,
): Promise<readonly Rule[]> {
  const document = await new DocumentReader(client).readDocument({ kind: 'rules', subject });
  const rules = Array.isArray(document)
    ? (document as readonly JsonValue[]).map(stringifyMembers)
    : undefined;
  // Listing the rules again throws the error that explains why they are missing; a cached list would be stale.
  return extractRuleSchema.array().safeParse(rules).data ?? catalog.createEmptyCopy().rules(subject);
}

function stringifyMembers(rule: JsonValue): JsonValue {
  if (!isJsonObject(rule) || !Array.isArray(rule['members'])) {
    return rule;
  }
  const members = (rule['members'] as readonly JsonValue[]).map((member) => toMemberText(member) ?? member);
  return { ...rule, members };
}
