import type { CastExpr, Expr, Extent, SqlName } from '../../sql/syntax/tree.ts';

/** A range of a source text and the text that replaces it. */
export interface TextReplacement extends Extent {
  readonly text: string;
}

/** Returns the text of an extent after the replacements, which must lie inside it and must not overlap. */
export function spliceText(
  source: string,
  { start, end }: Extent,
  parts: readonly TextReplacement[],
): string {
  const sorted = parts.toSorted((a, b) => a.start - b.start);
  let text = '';
  let at = start;
  for (const part of sorted) {
    text += source.slice(at, part.start) + part.text;
    at = part.end;
  }
  return text + source.slice(at, end);
}

/**
 * Quotes a name for SQLite with brackets or backticks. With double quotes, SQLite's error messages would suggest that a
 * string was meant.
 */
export const quoteSqliteName = (name: string): string =>
  name.includes(']') ? `\`${name.replaceAll('`', '``')}\`` : `[${name}]`;

export const createNameReplacement = (name: SqlName): TextReplacement => ({
  start: name.start,
  end: name.end,
  text: quoteSqliteName(name.text),
});

const textFunctions: ReadonlySet<string> = new Set([
  'concat',
  'ifstring',
  'left',
  'lower',
  'ltrim',
  'replace',
  'replaceall',
  'replicate',
  'reverse',
  'right',
  'rtrim',
  'strparts',
  'substr',
  'substring',
  'tostring',
  'trim',
  'upper',
]);

const textType = /^(?:n?(?:var)?char|character|text|string)/i;
const wholeType = /^(?:big|small|tiny)?int|^boolean/i;
const realType = /^(?:float|double|real|decimal|numeric|number)/i;

/** Returns whether an expression yields text or a number, which decides if `+` concatenates or adds. */
export function inferValueKind(expr: Expr, source: string): 'text' | 'number' | 'unknown' {
  if (expr.kind === 'literal') {
    return expr.type === 'string' ? 'text' : expr.type === 'number' ? 'number' : 'unknown';
  }
  if (expr.kind === 'call') {
    return textFunctions.has(expr.name.text.toLowerCase()) ? 'text' : 'unknown';
  }
  if (expr.kind === 'cast') {
    return textType.test(source.slice(expr.type.start, expr.type.end)) ? 'text' : 'unknown';
  }
  if (expr.kind !== 'binary') {
    return 'unknown';
  }
  if (expr.operator === '||') {
    return 'text';
  }
  return ['-', '*', '/', '%'].includes(expr.operator) ? 'number' : 'unknown';
}

/** Renders a cast with SQLite's types. In SQLite, `CAST('2026-01-31' AS DATE)` would yield the number 2026. */
export function renderCast(cast: CastExpr, operand: string, source: string): string {
  const type = source.slice(cast.type.start, cast.type.end);
  if (/^(?:timestamp|datetime)/i.test(type)) {
    return `todatetime(${operand})`;
  }
  if (/^date/i.test(type)) {
    return `dm_todate(${operand})`;
  }
  if (/^time/i.test(type)) {
    return `dm_totime(${operand})`;
  }
  const target = [
    [textType, 'TEXT'],
    [wholeType, 'INTEGER'],
    [realType, 'REAL'],
  ] as const;
  return `CAST(${operand} AS ${target.find(([form]) => form.test(type))?.[1] ?? type})`;
}

/** Renders `DATE '…'`, `TIMESTAMP '…'` or `TIME '…'` as a conversion of the quoted text. */
export function renderDateLiteral(text: string): string {
  const quoted = text.slice(text.indexOf("'"));
  if (/^timestamp/i.test(text)) {
    return `todatetime(${quoted})`;
  }
  return /^time/i.test(text) ? `dm_totime(${quoted})` : `dm_todate(${quoted})`;
}
