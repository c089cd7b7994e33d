import type { ExpressionContext } from '../context.ts';
import { parseInContext } from '../parsing.ts';
import { resolveNames } from '../scope/resolveNames.ts';
import type { Occurrence } from '../scope/occurrence.ts';
import type { SqlSymbol } from '../scope/symbols.ts';

/** Returns the occurrence at the offset; between two adjacent names, the second one. */
export function findOccurrenceAt(occurrences: readonly Occurrence[], offset: number): Occurrence | undefined {
  const candidates = occurrences.filter(({ name }) => name.start <= offset && offset <= name.end);
  return candidates.find(({ name }) => name.start === offset) ?? candidates[0];
}

/** Returns all names of a text with the symbols that they refer to. */
export function getOccurrences(text: string, context: ExpressionContext): readonly Occurrence[] {
  return resolveNames(parseInContext(text, context), context).occurrences;
}

/** Returns all occurrences of a symbol, without duplicates. */
export function findSymbolOccurrences(occurrences: readonly Occurrence[], symbol: SqlSymbol): Occurrence[] {
  const seen = new Set<number>();
  return occurrences.filter((occurrence) => {
    const isNew = occurrence.symbol === symbol && !seen.has(occurrence.name.start);
    if (isNew) {
      seen.add(occurrence.name.start);
    }
    return isNew;
  });
}
