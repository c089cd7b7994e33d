import type { Plan, PlannedAccess, PlannedRule } from '../../changes/model/plan.ts';

/** Replaces the IDs of parties in a plan by their names. Rules that are not on the server yet contain only IDs. */
export function namePlanParties(plan: Plan, partyNames: PlannedAccess['partyNames']): Plan {
  const nameParties = (rule: PlannedRule): PlannedRule => ({
    ...rule,
    parties: rule.parties.map(({ type, name }) => ({
      type,
      name: partyNames.get(`${type}:${name}`) ?? name,
    })),
  });
  const nameRule = <Subject extends { readonly rule?: PlannedRule }>(subject: Subject): Subject =>
    subject.rule === undefined ? subject : { ...subject, rule: nameParties(subject.rule) };
  return {
    ...plan,
    created: plan.created.map(nameRule),
    deleted: plan.deleted.map(nameRule),
    changed: plan.changed.map((subject) => ({
      ...nameRule(subject),
      ...(subject.ruleAfter === undefined ? {} : { ruleAfter: nameParties(subject.ruleAfter) }),
    })),
  };
}
