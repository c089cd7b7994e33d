import type { JsonValue } from '../../base/json.ts';
import type { RuleSubject } from '../../catalog/ruleSubject.ts';
import type { MovedId } from './inverseWrites.ts';
import { getValueAt } from './outputRefs.ts';
import type { Operation } from './operation.ts';

/** A rule whose `_id` has changed: it was replaced by another rule, or was deleted and restored. */
export interface MovedRule {
  readonly connectionId: string;
  readonly subject: RuleSubject;
  readonly from: string;
  readonly to: string;
}

/**
 * Returns the rules whose `_id` an operation has changed, as far as responses are known. Live rules can't be updated,
 * so changing one creates another (rest-api.md, "Data security, live datamodels"); restoring a rule does so too. A rule
 * counts as replaced only once the old one is deleted.
 * @param isDone returns whether the write with this index has completed
 */
export function getMovedRules(
  { connectionId, writes }: Operation,
  {
    answers,
    isDone,
    broughtBack = [],
  }: {
    readonly answers: readonly (JsonValue | undefined)[];
    readonly isDone: (write: number) => boolean;
    readonly broughtBack?: readonly MovedId[] | undefined;
  },
): readonly MovedRule[] {
  const replaced = writes.flatMap(({ step, params: { ruleId } }, index): readonly MovedId[] =>
    step === 'replaced' && ruleId !== undefined && writes[index - 1]?.step === 'replaced' && isDone(index)
      ? [{ old: ruleId, write: index - 1, from: [0, '_id'] }]
      : [],
  );
  return [...replaced, ...broughtBack].flatMap(({ old: from, write, from: place }): readonly MovedRule[] => {
    const target = writes[write]?.target;
    const to = getValueAt(answers[write], place);
    return target?.kind === 'rules' && typeof to === 'string' && to !== '' && to !== from
      ? [{ connectionId, subject: target.subject, from, to }]
      : [];
  });
}
