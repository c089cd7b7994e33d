import type { Grant } from '../readRules.ts';
import { formatValue, formatValues } from '../values/formatValues.ts';
import { readValues, splitTokens, tokenize, joinTokens, type ValueToken } from '../values/valueText.ts';
import {
  allValues,
  isExclusion,
  isAllValues,
  isNoValues,
  isSameValueSet,
  noValues,
  type ValueSet,
} from '../valueSet.ts';

/**
 * The grants of the rules in a matrix cell. Their text form, for typing and for spreadsheets, is the same in every
 * language:
 *
 * - empty (or `No rule`): no rule; `All` (or `All values`, `Everything`), `Nothing` (or `No values`): a rule that
 *   grants all or no values
 * - `North; South`: only these values; `All but North; South`: all others
 * - `North | All but South`: several rules for one party on one column
 * - `?`: a rule with an unclear meaning; it can be copied, but only be pasted into a cell that contains it already
 *
 * Values are written as in all other lists of values (see `security/values/valueText.ts`), and are also quoted if they
 * would be read as one of the above keywords, or by a spreadsheet as a number, a date or a formula.
 */
export type CellValue = readonly Grant[];

/** The reason why a text is not a valid cell. */
export type CellProblem = 'unclear' | 'members-required' | 'exclusionary-live';

export type ParsedCell = { readonly value: readonly ValueSet[] } | { readonly problem: CellProblem };

export const formatMatrixCell = (value: CellValue): string =>
  value.map((grant) => formatGrant(grant, value.length)).join(' | ');

function formatGrant(grant: Grant, ruleCount: number): string {
  if (grant === 'unclear') {
    return '?';
  }
  if (isAllValues(grant)) {
    return 'All';
  }
  if (isNoValues(grant)) {
    return 'Nothing';
  }
  const [first = '', ...others] = grant.values;
  if (isExclusion(grant)) {
    return `All but ${formatValues(grant.values)}`;
  }
  const isFirstQuoted =
    formulaStartPattern.test(first) ||
    (others.length === 0 && ruleCount === 1 && isReformattedBySpreadsheets(first));
  return [formatValue(first, isFirstQuoted), ...others.map((value) => formatValue(value))].join('; ');
}

/** Matches the start of a text that a spreadsheet reads as a formula, and the `'` that marks a cell as text. */
const formulaStartPattern = /^['=+\-@]/;

/** Returns whether a text is a number, date or Boolean that a spreadsheet would reformat. */
const isReformattedBySpreadsheets = (text: string): boolean =>
  /^(?:true|false)$/i.test(text) ||
  (/^\.?\d/.test(text) && !/^(?:0|[1-9]\d{0,9})$/.test(text)) ||
  /^(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*[\s./,-]*\d/i.test(text);

/**
 * Parses the text of a cell.
 * @param isExclusionUnsupported true for a live datamodel whose server shows no support for `exclusionary`
 * (rest-api.md, "Data security rule, live datamodel"; see `getLiveExclusionSupport`)
 */
export function parseMatrixCell(text: string, isExclusionUnsupported = false): ParsedCell {
  const sets: ValueSet[] = [];
  for (const ruleTokens of splitTokens(tokenize(text), '|')) {
    const grant = parseGrant(ruleTokens);
    if (grant === undefined) {
      continue;
    }
    if (typeof grant === 'string') {
      return { problem: grant };
    }
    if (isExclusionUnsupported && isExclusion(grant)) {
      return { problem: 'exclusionary-live' };
    }
    if (!sets.some((set) => isSameValueSet(set, grant))) {
      sets.push(grant);
    }
  }
  return { value: sets };
}

/** Returns the text in lower case, to compare with keywords; empty if a character is literal. */
const toKeyword = (tokens: readonly ValueToken[]): string =>
  tokens.some(({ isLiteral }) => isLiteral) ? '' : joinTokens(tokens).toLowerCase();

/** The number of characters before the values of an exclusion. */
const exceptPrefixLength = 'all but '.length;

function parseGrant(tokens: readonly ValueToken[]): ValueSet | CellProblem | undefined {
  switch (toKeyword(tokens)) {
    case 'all':
    case 'all values':
    case 'everything':
      return allValues;
    case 'nothing':
    case 'no values':
      return noValues;
    case 'no rule':
      return undefined;
    case '?':
      return 'unclear';
    case 'all but':
      return 'members-required';
  }
  const isExcept = /^all but\s$/.test(toKeyword(tokens.slice(0, exceptPrefixLength)));
  const members = readValues(isExcept ? tokens.slice(exceptPrefixLength) : tokens);
  if (members.length === 0) {
    return isExcept ? 'members-required' : undefined;
  }
  return { kind: isExcept ? 'except' : 'only', values: new Set(members) };
}

/** Returns a canonical key: the same for all ways to write the same rules in a cell. */
export const getValueKey = (value: CellValue): string =>
  value
    .map((grant) =>
      grant === 'unclear'
        ? '?'
        : // With a count above 1, numbers and dates get no quotes for spreadsheets: the key must not depend on them.
          formatGrant({ kind: grant.kind, values: new Set([...grant.values].sort()) }, 2),
    )
    .sort()
    .join(' | ');
