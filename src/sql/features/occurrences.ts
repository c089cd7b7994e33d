import type { ExpressionContext } from '../context.ts';
import { parseFor } from '../parsing.ts';
import { resolve } from '../scope/resolve.ts';
import type { Occurrence } from '../scope/occurrence.ts';
import type { SqlSymbol } from '../scope/symbols.ts';

/** The occurrence whose name holds the offset; between two that touch, the one that starts there. */
export function occurrenceAt(occurrences: readonly Occurrence[], offset: number): Occurrence | undefined {
  const holding = occurrences.filter(({ name }) => name.start <= offset && offset <= name.end);
  return holding.find(({ name }) => name.start === offset) ?? holding[0];
}

/** All names of a text with what they mean. */
export function occurrencesOf(text: string, context: ExpressionContext): readonly Occurrence[] {
  return resolve(parseFor(text, context), context).occurrences;
}

/** Every place that names a symbol, each once. */
export function placesOf(occurrences: readonly Occurrence[], symbol: SqlSymbol): Occurrence[] {
  const seen = new Set<number>();
  return occurrences.filter((occurrence) => {
    const isNew = occurrence.symbol === symbol && !seen.has(occurrence.name.start);
    if (isNew) {
      seen.add(occurrence.name.start);
    }
    return isNew;
  });
}
