import type { ExpressionContext } from '../context.ts';
import { parseInContext } from '../parsing.ts';
import { resolveNames } from '../scope/resolve.ts';
import type { Occurrence } from '../scope/occurrence.ts';
import type { SqlSymbol } from '../scope/symbols.ts';

/** Returns the occurrence whose name contains the offset; between two adjacent ones, the one that starts there. */
export function findOccurrenceAt(occurrences: readonly Occurrence[], offset: number): Occurrence | undefined {
  const holding = occurrences.filter(({ name }) => name.start <= offset && offset <= name.end);
  return holding.find(({ name }) => name.start === offset) ?? holding[0];
}

/** Returns all names of a text with their meanings. */
export function getOccurrences(text: string, context: ExpressionContext): readonly Occurrence[] {
  return resolveNames(parseInContext(text, context), context).occurrences;
}

/** Returns every place that names a symbol, each once. */
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
