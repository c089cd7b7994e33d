import { isJsonObject, type JsonObject } from '../../base/json.ts';
import { type RuleSubject, subjectTitle } from '../../catalog/ruleSubject.ts';
import type { InverseWrites } from '../model/inverseWrites.ts';
import { itemsOf } from '../model/read.ts';
import { addRuleWrites, idOf } from '../rules/ruleWritesBack.ts';
import type { Write } from '../model/operation.ts';
import { ruleDeletion } from '../rules/ruleWrites.ts';
import { ruleSubjectsOf, subjectOfRule } from '../model/ruleSubjects.ts';
import type { DoneWrite } from '../model/writeKind.ts';

/** Taking back a write of rules that has no order of its own among those of an operation. */

/** What was added goes, as far as it is still there. */
export function ruleCreationBack(write: Write, { answer }: DoneWrite, inverse: InverseWrites): void {
  const made = itemsOf(answer);
  if (made.length === 0) {
    const [subject] = ruleSubjectsOf(write);
    inverse.lose({ code: 'not-identified', name: subject === undefined ? '' : subjectTitle(subject) });
  }
  for (const rule of made) {
    const subject = subjectOfRule(write, rule);
    if (subject === undefined) {
      inverse.add({ endpoint: 'extractRules.delete', params: { ruleId: idOf(rule) } });
    } else if (inverse.rules(subject).has(idOf(rule))) {
      inverse.add(ruleDeletion(subject, idOf(rule)));
    }
  }
}

/** What was changed is as it was; under a new id where it is gone. */
export function ruleUpdateBack(write: Write, { old }: DoneWrite, inverse: InverseWrites): void {
  const { endpoint, params, target } = write;
  if (isJsonObject(old) && target !== undefined && inverse.present(target) !== undefined) {
    inverse.add({ endpoint, params, body: old, target });
  } else if (isJsonObject(old)) {
    rulesDeletionBack(write, [old], inverse);
  }
}

/** Deleted rules come back under new ids (spec, "Data security rule"). */
export function rulesDeletionBack(write: Write, old: readonly JsonObject[], inverse: InverseWrites): void {
  const [subject] = ruleSubjectsOf(write);
  if (subject !== undefined) {
    missingBack(subject, old, inverse);
  }
}

/** Adds rules again, as far as they are no longer there. */
export function missingBack(
  subject: RuleSubject,
  rules: readonly JsonObject[],
  inverse: InverseWrites,
): void {
  const there = inverse.rules(subject);
  const adds = rules.filter((rule) => Object.keys(rule).length > 0 && !there.has(idOf(rule)));
  addRuleWrites(subject, { adds, deletes: [], updates: [] }, inverse);
}
