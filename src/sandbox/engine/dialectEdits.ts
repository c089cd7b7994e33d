import type { CastExpr, Expr, TextRange, SqlName } from '../../sql/syntax/tree.ts';

/** A range of a source text and the text that replaces it. */
export interface TextReplacement extends TextRange {
  readonly text: string;
}

/** Returns the text of a range after the replacements, which must lie inside it and must not overlap. */
export function spliceText(
  source: string,
  { start, end }: TextRange,
  replacements: readonly TextReplacement[],
): string {
  const sorted = replacements.toSorted((a, b) => a.start - b.start);
  let text = '';
  let position = start;
  for (const replacement of sorted) {
    text += source.slice(position, replacement.start) + replacement.text;
    position = replacement.end;
  }
  return text + source.slice(position, end);
}

/**
 * Quotes a name for SQLite with brackets or backticks. If an unknown name were in double quotes, SQLite's error message
 * would suggest that a string was meant.
 */
export const quoteSqliteName = (name: string): string =>
  name.includes(']') ? `\`${name.replaceAll('`', '``')}\`` : `[${name}]`;

export const createNameReplacement = (name: SqlName): TextReplacement => ({
  start: name.start,
  end: name.end,
  text: quoteSqliteName(name.text),
});

const textFunctionNames: ReadonlySet<string> = new Set([
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

const textTypePattern = /^(?:n?(?:var)?char|character|text|string)/i;
const integerTypePattern = /^(?:big|small|tiny)?int|^boolean/i;
const realTypePattern = /^(?:float|double|real|decimal|numeric|number)/i;

/** Returns whether an expression yields text or a number, which decides if `+` concatenates or adds. */
export function inferValueKind(expr: Expr, source: string): 'text' | 'number' | 'unknown' {
  if (expr.kind === 'literal') {
    return expr.type === 'string' ? 'text' : expr.type === 'number' ? 'number' : 'unknown';
  }
  if (expr.kind === 'call') {
    return textFunctionNames.has(expr.name.text.toLowerCase()) ? 'text' : 'unknown';
  }
  if (expr.kind === 'cast') {
    return textTypePattern.test(source.slice(expr.type.start, expr.type.end)) ? 'text' : 'unknown';
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
  const typeMappings = [
    [textTypePattern, 'TEXT'],
    [integerTypePattern, 'INTEGER'],
    [realTypePattern, 'REAL'],
  ] as const;
  return `CAST(${operand} AS ${typeMappings.find(([pattern]) => pattern.test(type))?.[1] ?? type})`;
}

/** Renders `DATE '…'`, `TIMESTAMP '…'` or `TIME '…'` as a conversion of the quoted text. */
export function renderDateLiteral(text: string): string {
  const quoted = text.slice(text.indexOf("'"));
  if (/^timestamp/i.test(text)) {
    return `todatetime(${quoted})`;
  }
  return /^time/i.test(text) ? `dm_totime(${quoted})` : `dm_todate(${quoted})`;
}
