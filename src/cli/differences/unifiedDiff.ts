import { type SequenceStep, compareSequences } from '../../base/compareSequences.ts';
import { findHunks, splitLines } from '../../base/lineDiff.ts';
import { truncateText, truncateToDifference } from './valueDifferences.ts';

/** Longer lines are truncated. */
const maxLineLength = 200;

/**
 * Returns the lines of a unified diff of two texts, without the names of files. Long lines are truncated; long lines
 * that replace each other are truncated to the part that differs.
 */
export function formatUnifiedDiff(before: string, after: string): readonly string[] {
  const [oldLines, newLines] = [splitLines(before), splitLines(after)];
  const steps = compareSequences(oldLines, newLines);
  const texts = formatSteps(steps, oldLines, newLines);
  return findHunks(steps).flatMap(({ start, end }) => {
    const hunk = steps.slice(start, end);
    const [first] = hunk;
    const countExcept = (excludedKind: SequenceStep['kind']): number =>
      hunk.filter(({ kind }) => kind !== excludedKind).length;
    return first === undefined
      ? []
      : [
          `@@ -${formatRange(first.beforeIndex, countExcept('added'))} +${formatRange(first.afterIndex, countExcept('removed'))} @@`,
          ...texts.slice(start, end),
        ];
  });
}

/** Formats a range for a hunk header. An empty range has the number of the line before it. */
const formatRange = (index: number, count: number): string => `${count === 0 ? index : index + 1},${count}`;

/** Formats all steps. Two long lines that replace each other are truncated to the part that differs. */
function formatSteps(
  steps: readonly SequenceStep[],
  oldLines: readonly string[],
  newLines: readonly string[],
): readonly string[] {
  const texts: string[] = [];
  let index = 0;
  const takeWhile = (kind: SequenceStep['kind']): readonly SequenceStep[] => {
    const start = index;
    while (steps[index]?.kind === kind) {
      index += 1;
    }
    return steps.slice(start, index);
  };
  while (index < steps.length) {
    texts.push(
      ...takeWhile('same').map(
        ({ beforeIndex }) => ` ${truncateText(oldLines[beforeIndex] ?? '', maxLineLength)}`,
      ),
    );
    const removed = takeWhile('removed').map(({ beforeIndex }) => oldLines[beforeIndex] ?? '');
    const added = takeWhile('added').map(({ afterIndex }) => newLines[afterIndex] ?? '');
    const truncateLines = (lines: readonly string[], others: readonly string[]): readonly string[] =>
      lines.map((line, at) => {
        const other = others[at];
        return other === undefined
          ? truncateText(line, maxLineLength)
          : truncateToDifference(line, other, maxLineLength)[0];
      });
    texts.push(...truncateLines(removed, added).map((line) => `-${line}`));
    texts.push(...truncateLines(added, removed).map((line) => `+${line}`));
  }
  return texts;
}
