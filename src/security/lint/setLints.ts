import { asList, grantOf, isObject, isOddFlag, isText, partyIdOf, type UnknownObject } from '../readRule.ts';
import { finding, type RuleLint } from './finding.ts';

interface Placed {
  readonly rule: UnknownObject;
  readonly index: number;
}

/**
 * The datamodel and column that a rule is bound to: "server + elasticube or fullname, table, column" (design.md,
 * section 13), all of them case sensitive (spec).
 */
export function placeOf(rule: UnknownObject): string {
  const { fullname, server, elasticube, table, column } = rule;
  const model = isText(fullname) ? [fullname] : [server ?? null, elasticube ?? null].map(plain);
  return JSON.stringify([model, table, column]);
}

const plain = (value: unknown): unknown => (isText(value) ? value : null);

/** What is wrong with the rules of one column as a set. */
export function setLints(rules: readonly Placed[]): readonly RuleLint[] {
  const onColumns = rules.filter(({ rule }) => isText(rule['table']) && isText(rule['column']));
  return [...Map.groupBy(onColumns, ({ rule }) => placeOf(rule)).values()].flatMap((ofColumn) => [
    ...missingDefault(ofColumn),
    ...duplicates(ofColumn),
  ]);
}

/**
 * What parties see whom no rule names, when there is no default rule, is not stated anywhere (platform-facts 3.3):
 * a linter should ask for one. Said once for a column, at its first rule.
 */
function missingDefault(ofColumn: readonly Placed[]): readonly RuleLint[] {
  const [first] = ofColumn;
  const hasDefault = ofColumn.some(({ rule }) => partyKeys(rule).includes(partyKey('default')));
  return first === undefined || hasDefault
    ? []
    : [
        finding(
          first.index,
          'no-default-rule',
          ['column'],
          [String(first.rule['table']), String(first.rule['column'])],
        ),
      ];
}

/** A party for whom an earlier rule already says the same; the whole rule when that is true of all its parties. */
function duplicates(ofColumn: readonly Placed[]): readonly RuleLint[] {
  const said = new Map<string, number>();
  return ofColumn.flatMap(({ rule, index }) => {
    const content = contentKey(rule, index);
    const earlier = partyKeys(rule).map((key) => ({ at: said.get(content + key) }));
    for (const key of partyKeys(rule)) {
      if (!said.has(content + key)) {
        said.set(content + key, index);
      }
    }
    const repeated = earlier.flatMap(({ at }, position) => (at === undefined ? [] : [{ at, position }]));
    if (repeated.length === earlier.length) {
      return repeated.slice(0, 1).map(({ at }) => finding(index, 'duplicate-rule', [], [String(at + 1)]));
    }
    return repeated.map(({ at, position }) =>
      finding(index, 'duplicate-rule', ['shares', position], [String(at + 1)]),
    );
  });
}

/** What a rule grants, the same for the same values in any order. */
function contentKey(rule: UnknownObject, index: number): string {
  const grant = grantOf(rule);
  if (grant !== 'unclear') {
    return JSON.stringify([grant.kind, [...grant.values].sort()]);
  }
  const { members, allMembers, exclusionary } = rule;
  // Members that nobody can read are like no others.
  return asList(members).length === 0 && !isOddFlag(allMembers) && !isOddFlag(exclusionary)
    ? JSON.stringify(['unclear', allMembers === false, exclusionary === true])
    : JSON.stringify(['unreadable', index]);
}

const partyKey = (type: unknown, id?: string): string => JSON.stringify([type, id ?? null]);

/** One key for each entry of `shares`, at the same positions; one of its own for what names nobody. */
function partyKeys(rule: UnknownObject): readonly string[] {
  const shares = asList(rule['shares']);
  if (shares.length === 0) {
    return [partyKey('nobody')];
  }
  return shares.map((share) =>
    isObject(share) && isText(share['type'])
      ? partyKey(share['type'], share['type'] === 'default' ? undefined : partyIdOf(share))
      : partyKey('unreadable'),
  );
}
