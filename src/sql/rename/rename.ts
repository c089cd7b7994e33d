import type { ExpressionContext } from '../context.ts';
import { writeName } from '../quoting.ts';
import { chain, lookUp } from '../scope/lookup.ts';
import { occurrenceAt, occurrencesOf, placesOf } from '../features/occurrences.ts';
import type { Occurrence } from '../scope/occurrence.ts';
import { keyOf, type SqlSymbol } from '../scope/symbols.ts';
import { NameStyle } from './nameStyle.ts';

export interface TextEdit {
  readonly start: number;
  readonly end: number;
  readonly newText: string;
}

/** A table of the datamodel, or a column of one. */
export interface RenameTarget {
  table: string;
  column?: string;
}

/**
 * The edits that a rename in the datamodel asks of one text. `newName` is raw; `context` holds the catalogue
 * before the rename. Names that only look alike (aliases, CTEs, columns of other tables) stay.
 */
export function renameIn(
  text: string,
  target: RenameTarget,
  newName: string,
  context: ExpressionContext,
): readonly TextEdit[] {
  const occurrences = occurrencesOf(text, context);
  const first = occurrences.find(({ symbol }) => isTarget(symbol, target));
  return first === undefined ? [] : editsFor(occurrences, first.symbol, newName);
}

/** True when a symbol is the given table or column of the datamodel. */
export function isTarget(symbol: SqlSymbol, target: RenameTarget): boolean {
  if (target.column === undefined) {
    return symbol.kind === 'table' && keyOf(symbol.table.name) === keyOf(target.table);
  }
  return (
    symbol.kind === 'column' &&
    keyOf(symbol.table.name) === keyOf(target.table) &&
    keyOf(symbol.column.name) === keyOf(target.column)
  );
}

function editsFor(occurrences: readonly Occurrence[], symbol: SqlSymbol, newName: string): TextEdit[] {
  const style = new NameStyle(occurrences);
  return placesOf(occurrences, symbol).map((occurrence) => {
    const { name } = occurrence;
    const newText = qualifierFor(occurrence, newName) + style.write(newName, name, symbol);
    return { start: name.start, end: name.end, newText };
  });
}

/** A bare column whose new name a source as near as its own has too gets its source's name, lest it mean that. */
function qualifierFor({ name, scope, symbol }: Occurrence, newName: string): string {
  if (scope === undefined) {
    return '';
  }
  const { source } = lookUp(scope, [name]);
  const other = lookUp(scope, [{ ...name, text: newName }]);
  if (
    source === undefined ||
    source.name === '' ||
    other.source === undefined ||
    other.column?.symbol === symbol
  ) {
    return '';
  }
  const near = chain(scope).findIndex(({ sources }) => sources.includes(source));
  const rival = chain(scope).findIndex(
    ({ sources }) => other.source !== undefined && sources.includes(other.source),
  );
  return rival <= near ? `${writeName(source.name)}.` : '';
}

/** A name of the text that can be renamed without touching the datamodel: an alias, a CTE, a column it names. */
export interface RenameRange {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** The name at the offset if the text itself declares it. */
export function renameRangeAt(
  text: string,
  offset: number,
  context: ExpressionContext,
): RenameRange | undefined {
  const at = occurrenceAt(occurrencesOf(text, context), offset);
  if (at === undefined || at.symbol.kind === 'table' || at.symbol.kind === 'column') {
    return undefined;
  }
  return { start: at.name.start, end: at.name.end, text: at.name.text };
}

/**
 * Renames the alias, CTE or column that the text declares and the offset names; `undefined` when the name
 * belongs to the datamodel (that rename is a plan over all expressions) or means nothing.
 */
export function renameSymbolAt(
  text: string,
  offset: number,
  newName: string,
  context: ExpressionContext,
): readonly TextEdit[] | undefined {
  const occurrences = occurrencesOf(text, context);
  const at = occurrenceAt(occurrences, offset);
  if (at === undefined || at.symbol.kind === 'table' || at.symbol.kind === 'column') {
    return undefined;
  }
  return editsFor(occurrences, at.symbol, newName);
}

/** The text after edits that do not overlap. */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  let result = '';
  let at = 0;
  for (const { start, end, newText } of edits.toSorted((a, b) => a.start - b.start)) {
    result += text.slice(at, start) + newText;
    at = end;
  }
  return result + text.slice(at);
}
