import { placeFields, type RulePlace } from '../convert/convertRules.ts';
import { isText, type UnknownObject } from '../readRule.ts';
import { guardsOf } from './guards.ts';
import type { RuleDifference } from './ruleDifference.ts';

/**
 * A change of rules in four steps, each done before the next begins: guards are added, rules are added, rules are
 * deleted, guards are deleted. Inside a step the order does not matter and requests may be split.
 */
export interface GuardedChange {
  /** *Nothing* for every party that the change concerns, on every column of it; empty when one request does all. */
  readonly guards: readonly UnknownObject[];
  readonly adds: readonly UnknownObject[];
  readonly deletes: readonly string[];
}

/** What changes; an update is one request, of which the caller takes care between guards and additions. */
type RulesToChange = Pick<RuleDifference, 'adds' | 'deletes'> & {
  readonly updates?: readonly { readonly before: UnknownObject; readonly after: UnknownObject }[];
};

/**
 * Orders a change so that at no moment anybody sees what neither the old nor the new rules show. There is no
 * transaction (platform-facts 3.3): between two requests both or neither of two rules may hold, which under union as
 * under intersection can show more than either state. *Nothing* wins over all, so a party that is guarded on each
 * column of the change sees nothing until its last guard goes, and by then all new rules are there.
 * @param atomic how many additions one request may carry
 * @throws RangeError for a rule without identifier, which nobody could delete
 */
export function guardedChange(
  { adds, deletes, updates = [] }: RulesToChange,
  place: RulePlace,
  { atomic, sharesPerGuard = 500 }: { readonly atomic: number; readonly sharesPerGuard?: number },
): GuardedChange {
  const doomed = deletes.map(({ rule, index }) => idOf(rule, index));
  const others = doomed.length + updates.length;
  const isOneRequest = others === 0 ? adds.length <= atomic : others === 1 && adds.length === 0;
  const concerned = [
    ...adds,
    ...deletes.map(({ rule }) => rule),
    ...updates.flatMap(({ before, after }) => [before, after]),
  ];
  return {
    guards: isOneRequest
      ? []
      : guardsOf(concerned, place.kind, sharesPerGuard).map((guard) => ({
          ...placeFields(place),
          ...guard,
        })),
    adds,
    deletes: doomed,
  };
}

function idOf(rule: UnknownObject, index: number): string {
  const id = rule['_id'];
  if (!isText(id)) {
    throw new RangeError(`Rule ${index} has no identifier`);
  }
  return id;
}
