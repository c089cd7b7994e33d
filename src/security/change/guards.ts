import { contentFields, shareFields, type RulePlace } from '../convert/convertRules.ts';
import { isText, type NamedParty, readRules, type UnknownObject } from '../readRule.ts';
import { nothing } from '../valueSet.ts';

/**
 * *Nothing* on each column of some rules, for all of their parties: it wins over every other rule (platform-facts 3.3).
 * The default party stands alone in a rule (spec, "Default rule"), so a column may need two.
 * @param sharesPerGuard the most parties in one rule
 */
export function guardsOf(
  rules: readonly UnknownObject[],
  kind: RulePlace['kind'],
  sharesPerGuard = Number.POSITIVE_INFINITY,
): readonly UnknownObject[] {
  const byColumn = Map.groupBy(readRules(rules), ({ table, column }) => JSON.stringify([table, column]));
  return [...byColumn.values()].flatMap((ofColumn) => {
    const datatype = ofColumn.map(({ index }) => rules[index]?.['datatype']).find(isText) ?? 'text';
    const parties = partiesIn(ofColumn.flatMap((rule) => rule.parties));
    const groups = [
      ...chunks(
        parties.filter(({ type }) => type !== 'default'),
        sharesPerGuard,
      ),
      parties.filter(({ type }) => type === 'default'),
    ];
    return groups
      .filter((some) => some.length > 0)
      .map((some) => ({
        table: ofColumn[0]?.table,
        column: ofColumn[0]?.column,
        datatype,
        ...contentFields(nothing, kind),
        shares: some.map((party) => shareFields(party, kind)),
      }));
  });
}

/** Each party once. */
const partiesIn = (parties: readonly NamedParty[]): readonly NamedParty[] => [
  ...new Map(parties.map((party) => [JSON.stringify([party.type, party.id ?? '']), party])).values(),
];

const chunks = <Item>(items: readonly Item[], size: number): readonly (readonly Item[])[] =>
  Array.from({ length: Math.ceil(items.length / Math.min(size, Math.max(1, items.length))) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
