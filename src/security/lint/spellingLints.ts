import { readArray, toMemberText, type UnknownObject } from '../readRules.ts';
import type { KnownValues } from '../values/knownValues.ts';
import { readRuleValues } from '../values/valueIndex.ts';
import { createFinding, type RuleFinding } from './finding.ts';

/** Finds values that other rules of the column write in another letter case or with other spaces around them. */
export function lintSpellings(
  rule: UnknownObject,
  index: number,
  knownValues: KnownValues,
): readonly RuleFinding[] {
  const namedValues = readRuleValues(rule);
  if (namedValues === undefined) {
    return [];
  }
  const spellings = new Map(
    knownValues.findOtherSpellings(namedValues).map(({ value, otherSpelling }) => [value, otherSpelling]),
  );
  return spellings.size === 0
    ? []
    : readArray(rule['members']).flatMap((member, position) => {
        const value = toMemberText(member) ?? '';
        const spelling = spellings.get(value);
        return spelling === undefined
          ? []
          : [createFinding(index, 'other-spelling', ['members', position], [value, spelling])];
      });
}
