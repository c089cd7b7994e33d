import { isJsonObject, type JsonValue } from '../../base/json.ts';
import type { RuleSubject } from '../../catalog/ruleSubject.ts';
import type { Session } from '../../connections/sessions.ts';
import { extractRuleSchema, type Rule } from '../../contract/rule.ts';
import { memberText } from '../../security/readRule.ts';
import { DocumentReader } from '../../changes/model/documentReader.ts';

/**
 * The rules as the server has them at this moment. Members are texts: a page would round a number that its engine does
 * not hold (platform-facts 3.2: members are strings, those of numeric columns too).
 * @throws ApiError
 */
export async function rulesNow({ client, catalog }: Session, subject: RuleSubject): Promise<readonly Rule[]> {
  const document = await new DocumentReader(client).document({ kind: 'rules', subject });
  const rules = Array.isArray(document) ? (document as readonly JsonValue[]).map(withTexts) : undefined;
  // What is not there says why when it is listed; what was listed before is no answer.
  return extractRuleSchema.array().safeParse(rules).data ?? catalog.anew().rules(subject);
}

function withTexts(rule: JsonValue): JsonValue {
  if (!isJsonObject(rule) || !Array.isArray(rule['members'])) {
    return rule;
  }
  const members = (rule['members'] as readonly JsonValue[]).map((member) => memberText(member) ?? member);
  return { ...rule, members };
}
