import type { Grant } from '../readRule.ts';
import { everything, isBlock, isEverything, isNothing, isSame, nothing, type ValueSet } from '../valueSet.ts';

/**
 * A cell of the matrix as text, as a person types it and as a spreadsheet holds it. It is the same in every language:
 *
 * - nothing at all: no rule; `All` (or `Everything`), `Nothing`: such a rule
 * - `North; South`: only these values; `All but North; South`: all others
 * - `North | All but South`: several rules of one party on one column
 * - `?`: a rule that does not say what it grants; it can be copied, and pasted only where it came from
 * - in values `\;` `\|` `\\` stand for these characters and `\n` `\r` `\t` for breaks and tabs; `\.` stands for nothing:
 *   it keeps a value from being taken for a word of the above, a number, a date or a formula
 *
 * Line breaks separate values too, so that a column of a spreadsheet can be pasted into one cell.
 */
export type CellValue = readonly Grant[];

/** Why a text is no cell. */
export type CellProblem = 'unclear' | 'members-required' | 'exclusionary-live';

export type ReadCell = { readonly value: readonly ValueSet[] } | { readonly problem: CellProblem };

export const writeCell = (value: CellValue): string =>
  value.map((grant) => writeGrant(grant, value.length)).join(' | ');

function writeGrant(grant: Grant, rules: number): string {
  if (grant === 'unclear') {
    return '?';
  }
  if (isEverything(grant)) {
    return 'All';
  }
  if (isNothing(grant)) {
    return 'Nothing';
  }
  const values = [...grant.values];
  if (isBlock(grant)) {
    return `All but ${values.map((text) => writeMember(text, mark(text))).join('; ')}`;
  }
  const [first = '', ...others] = values;
  const needsMark = mark(first) || startsCell.test(first) || (others.length === 0 && alone(first, rules));
  return [writeMember(first, needsMark), ...others.map((text) => writeMember(text, mark(text)))].join('; ');
}

/** What would be trimmed off or read as nothing. */
const mark = (text: string): boolean => text === '' || /^\s/.test(text);

/** What reads as the beginning of a block, or a spreadsheet as that of a formula or of a quoted cell. */
const startsCell = /^(?:["'=+\-@]|all but(?:\s|$))/i;

/** What reads as a word, or a spreadsheet as a number, date or truth value that it writes in its own way. */
const alone = (text: string, rules: number): boolean =>
  /^(?:all|everything|nothing|\?)$/i.test(text) ||
  (rules === 1 &&
    (/^(?:true|false)$/i.test(text) ||
      (/^\.?\d/.test(text) && !/^(?:0|[1-9]\d{0,9})$/.test(text)) ||
      /^(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*[\s./,-]*\d/i.test(text)));

const breaks: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

function writeMember(text: string, isMarked: boolean): string {
  const escaped = text.replaceAll(/[\\;|\n\r\t]/g, (one) => breaks[one] ?? `\\${one}`);
  return `${isMarked ? '\\.' : ''}${escaped}${/\s$/.test(text) ? '\\.' : ''}`;
}

/** @param hidesNothing the rules are of a live datamodel whose server shows no `exclusionary` (spec; see `liveExclusion`) */
export function readCell(text: string, hidesNothing = false): ReadCell {
  const sets: ValueSet[] = [];
  for (const rule of split(tokens(text), '|')) {
    const read = readGrant(rule);
    if (read === undefined) {
      continue;
    }
    if (typeof read === 'string') {
      return { problem: read };
    }
    if (hidesNothing && isBlock(read)) {
      return { problem: 'exclusionary-live' };
    }
    if (!sets.some((set) => isSame(set, read))) {
      sets.push(read);
    }
  }
  return { value: sets };
}

/** A character, and whether it was written with a backslash, so that it means only itself; none for `\.`. */
interface Token {
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

function tokens(text: string): readonly Token[] {
  return [...text.matchAll(/\\([nrt.\\;|])|[^]/g)].map(([char, escaped]) =>
    escaped === undefined
      ? { char, isEscaped: false }
      : { char: escapes[escaped] ?? escaped, isEscaped: true },
  );
}

/** The parts between plain separators, without plain blanks around them; empty parts are left out. */
function split(list: readonly Token[], separators: string): readonly (readonly Token[])[] {
  const parts: Token[][] = [[]];
  for (const token of list) {
    if (!token.isEscaped && separators.includes(token.char)) {
      parts.push([]);
    } else {
      parts.at(-1)?.push(token);
    }
  }
  return parts.map(trimmed).filter(({ length }) => length > 0);
}

const isBlank = ({ char, isEscaped }: Token): boolean => !isEscaped && char.trim() === '';

function trimmed(list: readonly Token[]): readonly Token[] {
  const start = list.findIndex((token) => !isBlank(token));
  return start === -1 ? [] : list.slice(start, list.findLastIndex((token) => !isBlank(token)) + 1);
}

const textOf = (list: readonly Token[]): string => list.map(({ char }) => char).join('');

/** The text as far as it is plain, in lower case: what a word of the language is compared with. */
const plain = (list: readonly Token[]): string =>
  list.some(({ isEscaped }) => isEscaped) ? '' : textOf(list).toLowerCase();

function readGrant(list: readonly Token[]): ValueSet | CellProblem | undefined {
  switch (plain(list)) {
    case 'all':
    case 'everything':
      return everything;
    case 'nothing':
      return nothing;
    case '?':
      return 'unclear';
    case 'all but':
      return 'members-required';
  }
  const isExcept = /^all but\s$/.test(plain(list.slice(0, 8)));
  const members = split(isExcept ? list.slice(8) : list, ';\n\r').map(textOf);
  if (members.length === 0) {
    return isExcept ? 'members-required' : undefined;
  }
  return { kind: isExcept ? 'except' : 'only', values: new Set(members) };
}

/** One text for all ways to write the same rules in a cell. */
export const valueKey = (value: CellValue): string =>
  value
    .map((grant) =>
      grant === 'unclear'
        ? '?'
        : writeGrant({ kind: grant.kind, values: new Set([...grant.values].sort()) }, 2),
    )
    .sort()
    .join(' | ');
