import { isJsonObject, type JsonObject } from '../../base/json.ts';
import { type RuleSubject, getSubjectTitle } from '../../catalog/ruleSubject.ts';
import type { InverseWrites } from '../model/inverseWrites.ts';
import { getObjects } from '../model/readJson.ts';
import { addReversalWrites, getRuleId } from '../rules/ruleReversal.ts';
import type { Write } from '../model/operation.ts';
import { createRuleDeletionWrite } from '../rules/ruleWrites.ts';
import { getWriteRuleSubjects, getSubjectOfWrittenRule } from '../model/ruleSubjects.ts';
import type { RecordedWrite } from '../model/writeKind.ts';

// Undoes rule writes that are single requests, not part of a rule change whose requests have a computed order.

/**
 * Adds the writes that delete the added rules. A rule that no longer exists is skipped, unless its subject is unknown:
 * then its existence can't be checked.
 */
export function undoRuleCreation(write: Write, { response }: RecordedWrite, inverse: InverseWrites): void {
  const created = getObjects(response);
  if (created.length === 0) {
    const [subject] = getWriteRuleSubjects(write);
    inverse.addLoss({ code: 'not-identified', name: subject === undefined ? '' : getSubjectTitle(subject) });
  }
  for (const rule of created) {
    const subject = getSubjectOfWrittenRule(write, rule);
    if (subject === undefined) {
      inverse.add({ endpoint: 'extractRules.delete', params: { ruleId: getRuleId(rule) } });
    } else if (inverse.getRules(subject).has(getRuleId(rule))) {
      inverse.add(createRuleDeletionWrite(subject, getRuleId(rule)));
    }
  }
}

/** Adds the write that restores a changed rule, under a new ID if it was deleted. */
export function undoRuleUpdate(write: Write, { oldDocument }: RecordedWrite, inverse: InverseWrites): void {
  const { endpoint, params, target } = write;
  if (isJsonObject(oldDocument) && target !== undefined && inverse.getDocument(target) !== undefined) {
    inverse.add({ endpoint, params, body: oldDocument, target });
  } else if (isJsonObject(oldDocument)) {
    undoRulesDeletion(write, [oldDocument], inverse);
  }
}

/** Adds the writes that restore deleted rules, which get new IDs (rest-api.md, "Data security rule"). */
export function undoRulesDeletion(
  write: Write,
  previousRules: readonly JsonObject[],
  inverse: InverseWrites,
): void {
  const [subject] = getWriteRuleSubjects(write);
  if (subject !== undefined) {
    restoreMissingRules(subject, previousRules, inverse);
  }
}

/** Adds the writes that restore those of the rules that no longer exist. */
export function restoreMissingRules(
  subject: RuleSubject,
  rules: readonly JsonObject[],
  inverse: InverseWrites,
): void {
  const currentRules = inverse.getRules(subject);
  const adds = rules.filter((rule) => Object.keys(rule).length > 0 && !currentRules.has(getRuleId(rule)));
  addReversalWrites(subject, { adds, deletes: [], updates: [] }, inverse);
}
