import type { CellValue } from '../../security/matrix/cellText.ts';
import type { CellEdit } from '../../security/matrix/matrixDraft.ts';
import type { KnownValues } from '../../security/values/knownValues.ts';

/** Returns all values that the rules of a cell list. */
export const getCellValues = (value: CellValue): ReadonlySet<string> =>
  new Set(value.flatMap((grant) => (grant === 'unclear' ? [] : [...grant.values])));

/**
 * Returns the changed cells with values that any document spells differently, however often. Looks up a value only once
 * per column: a fill gives thousands of cells the same value.
 */
export function filterSpellingCandidates(
  edits: readonly CellEdit[],
  knownValues: KnownValues,
): readonly CellEdit[] {
  const results = new Map<CellValue, Map<string, boolean>>();
  return edits.filter(({ column, value }) => {
    const byColumn = results.get(value) ?? new Map<string, boolean>();
    const hasOtherSpellings =
      byColumn.get(column.key) ??
      [...getCellValues(value)].some((cellValue) => knownValues.hasOtherSpellings(column, cellValue));
    results.set(value, byColumn.set(column.key, hasOtherSpellings));
    return hasOtherSpellings;
  });
}
