import type { Grant } from '../readRule.ts';
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
 * - empty: no rule; `All` (or `Everything`), `Nothing`: a rule that grants all or no values
 * - `North; South`: only these values; `All but North; South`: all others
 * - `North | All but South`: several rules for one party on one column
 * - `?`: a rule with an unclear meaning; it can be copied, but only be pasted into a cell that contains it already
 * - in values, `\;` `\|` `\\` stand for these characters and `\n` `\r` `\t` for line breaks and tabs; `\.` is an empty
 *   marker that keeps a value from being read as one of the above keywords, a number, a date or a formula
 *
 * Line breaks separate values too, so that a column of a spreadsheet can be pasted into one cell.
 */
export type CellValue = readonly Grant[];

/** Why a text is not a valid cell. */
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
  const values = [...grant.values];
  if (isExclusion(grant)) {
    return `All but ${values.map((text) => formatMember(text, needsEscapeMark(text))).join('; ')}`;
  }
  const [first = '', ...others] = values;
  const needsMark =
    needsEscapeMark(first) ||
    cellStartPattern.test(first) ||
    (others.length === 0 && isReservedText(first, ruleCount));
  return [
    formatMember(first, needsMark),
    ...others.map((text) => formatMember(text, needsEscapeMark(text))),
  ].join('; ');
}

/** Returns whether a text would be trimmed at its start, or be read as no value. */
const needsEscapeMark = (text: string): boolean => text === '' || /^\s/.test(text);

/** Matches the start of a text that means `All but`, or that a spreadsheet reads as a formula or a quoted cell. */
const cellStartPattern = /^(?:["'=+\-@]|all but(?:\s|$))/i;

/** Returns whether a text is a keyword, or a number, date or Boolean that a spreadsheet would reformat. */
const isReservedText = (text: string, ruleCount: number): boolean =>
  /^(?:all|everything|nothing|\?)$/i.test(text) ||
  (ruleCount === 1 &&
    (/^(?:true|false)$/i.test(text) ||
      (/^\.?\d/.test(text) && !/^(?:0|[1-9]\d{0,9})$/.test(text)) ||
      /^(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*[\s./,-]*\d/i.test(text)));

const lineBreakEscapes: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

function formatMember(text: string, isMarked: boolean): string {
  const escaped = text.replaceAll(/[\\;|\n\r\t]/g, (char) => lineBreakEscapes[char] ?? `\\${char}`);
  return `${isMarked ? '\\.' : ''}${escaped}${/\s$/.test(text) ? '\\.' : ''}`;
}

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

/** A character, and whether it was escaped with a backslash, which makes it literal. `char` is empty for `\.`. */
interface CellToken {
  readonly char: string;
  readonly isEscaped: boolean;
}

const escapes: Readonly<Record<string, string>> = {
  n: '\n',
  r: '\r',
  t: '\t',
  '.': '',
  '\\': '\\',
  ';': ';',
  '|': '|',
};

function tokenize(text: string): readonly CellToken[] {
  return [...text.matchAll(/\\([nrt.\\;|])|[^]/g)].map(([char, escaped]) =>
    escaped === undefined
      ? { char, isEscaped: false }
      : { char: escapes[escaped] ?? escaped, isEscaped: true },
  );
}

/** Splits tokens at unescaped separators and trims unescaped whitespace; empty parts are left out. */
function splitTokens(tokens: readonly CellToken[], separators: string): readonly (readonly CellToken[])[] {
  const parts: CellToken[][] = [[]];
  for (const token of tokens) {
    if (!token.isEscaped && separators.includes(token.char)) {
      parts.push([]);
    } else {
      parts.at(-1)?.push(token);
    }
  }
  return parts.map(trimTokens).filter(({ length }) => length > 0);
}

const isBlank = ({ char, isEscaped }: CellToken): boolean => !isEscaped && char.trim() === '';

function trimTokens(tokens: readonly CellToken[]): readonly CellToken[] {
  const start = tokens.findIndex((token) => !isBlank(token));
  return start === -1 ? [] : tokens.slice(start, tokens.findLastIndex((token) => !isBlank(token)) + 1);
}

const toText = (tokens: readonly CellToken[]): string => tokens.map(({ char }) => char).join('');

/** Returns the text in lower case, to compare with keywords; empty if a character is escaped. */
const toKeyword = (tokens: readonly CellToken[]): string =>
  tokens.some(({ isEscaped }) => isEscaped) ? '' : toText(tokens).toLowerCase();

function parseGrant(tokens: readonly CellToken[]): ValueSet | CellProblem | undefined {
  switch (toKeyword(tokens)) {
    case 'all':
    case 'everything':
      return allValues;
    case 'nothing':
      return noValues;
    case '?':
      return 'unclear';
    case 'all but':
      return 'members-required';
  }
  const isExcept = /^all but\s$/.test(toKeyword(tokens.slice(0, 8)));
  const members = splitTokens(isExcept ? tokens.slice(8) : tokens, ';\n\r').map(toText);
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
        : formatGrant({ kind: grant.kind, values: new Set([...grant.values].sort()) }, 2),
    )
    .sort()
    .join(' | ');
