import type { ColumnName } from '../tableAccess.ts';
import { contentFields, placeFields, type RulePlace, shareFields } from '../convert/convertRules.ts';
import { isText, type NamedParty, readRules, type UnknownObject } from '../readRule.ts';
import { nothing } from '../valueSet.ts';
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

/**
 * Orders a change so that at no moment anybody sees what neither the old nor the new rules show. There is no
 * transaction (platform-facts 3.3): between two requests both or neither of two rules may hold, which under union as
 * under intersection can show more than either state. *Nothing* wins over all, so a party that is guarded on each
 * column of the change sees nothing until its last guard goes, and by then all new rules are there.
 * @param atomic how many additions one request may carry
 * @throws RangeError for a rule without identifier, which nobody could delete
 */
export function guardedChange(
  { adds, deletes }: Pick<RuleDifference, 'adds' | 'deletes'>,
  place: RulePlace,
  { atomic, sharesPerGuard = 500 }: { readonly atomic: number; readonly sharesPerGuard?: number },
): GuardedChange {
  const doomed = deletes.map(({ rule, index }) => idOf(rule, index));
  const isOneRequest = doomed.length === 0 ? adds.length <= atomic : doomed.length === 1 && adds.length === 0;
  return {
    guards: isOneRequest
      ? []
      : guardsOf([...adds, ...deletes.map(({ rule }) => rule)], place, sharesPerGuard),
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

function guardsOf(rules: readonly UnknownObject[], place: RulePlace, size: number): readonly UnknownObject[] {
  const byColumn = Map.groupBy(readRules(rules), ({ table, column }) => JSON.stringify([table, column]));
  return [...byColumn.values()].flatMap((ofColumn) => {
    const [first] = ofColumn;
    const datatype = ofColumn.map(({ index }) => rules[index]?.['datatype']).find(isText);
    const parties = new Map(
      ofColumn.flatMap((rule) => rule.parties.map((party) => [JSON.stringify(party), party] as const)),
    );
    return first === undefined
      ? []
      : chunks([...parties.values()], size).map((some) => guard(first, datatype, some, place));
  });
}

const guard = (
  { table, column }: ColumnName,
  datatype: string | undefined,
  parties: readonly NamedParty[],
  place: RulePlace,
): UnknownObject => ({
  ...placeFields(place),
  table,
  column,
  datatype: datatype ?? 'text',
  ...contentFields(nothing, place.kind),
  shares: parties.map((party) => shareFields(party, place.kind)),
});

const chunks = <Item>(items: readonly Item[], size: number): readonly (readonly Item[])[] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
