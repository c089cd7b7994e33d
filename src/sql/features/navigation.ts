import type { ExpressionContext } from '../context.ts';
import type { Occurrence } from '../scope/occurrence.ts';
import type { SqlSymbol } from '../scope/symbols.ts';
import { findOccurrenceAt, getOccurrences, findSymbolOccurrences } from './occurrences.ts';

/** Where a name is defined: in the catalog (`table`, `column`) or in the text (`start`, `end`). */
export interface Definition {
  readonly kind: 'table' | 'column' | 'alias' | 'cte';
  readonly table?: string;
  readonly column?: string;
  readonly start?: number;
  readonly end?: number;
}

/** Returns the definition of the name at the offset; `undefined` if there is no name or it is unknown. */
export function definitionAt(
  text: string,
  offset: number,
  context: ExpressionContext,
): Definition | undefined {
  const occurrence = findOccurrenceAt(getOccurrences(text, context), offset);
  return occurrence === undefined ? undefined : toDefinition(occurrence.symbol);
}

function toDefinition(symbol: SqlSymbol): Definition {
  switch (symbol.kind) {
    case 'table':
      return { kind: 'table', table: symbol.table.name };
    case 'column':
      return { kind: 'column', table: symbol.table.name, column: symbol.column.name };
    case 'alias': {
      const { start, end } = symbol.name;
      const table = symbol.table?.name;
      return table === undefined ? { kind: 'alias', start, end } : { kind: 'alias', table, start, end };
    }
    case 'cte':
      return { kind: 'cte', start: symbol.name.start, end: symbol.name.end };
    case 'output': {
      const { origin, name } = symbol;
      const range = { start: name.start, end: name.end };
      return origin === undefined
        ? { kind: 'column', ...range }
        : { kind: 'column', table: origin.table.name, column: origin.column.name, ...range };
    }
  }
}

/** A reference to a symbol in a text, or its declaration. */
export interface Reference {
  readonly start: number;
  readonly end: number;
  readonly isDeclaration: boolean;
}

/** Returns all references to the symbol at the offset, including its declaration in the text. */
export function referencesAt(text: string, offset: number, context: ExpressionContext): readonly Reference[] {
  const occurrences = getOccurrences(text, context);
  const occurrence = findOccurrenceAt(occurrences, offset);
  return occurrence === undefined
    ? []
    : findSymbolOccurrences(occurrences, occurrence.symbol).map(toReference);
}

export function toReference({ name, isDeclaration }: Occurrence): Reference {
  return { start: name.start, end: name.end, isDeclaration };
}
