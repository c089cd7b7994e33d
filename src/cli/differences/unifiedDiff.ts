import { type SequenceStep, compareSequences } from '../../base/compareSequences.ts';
import { findHunks, splitLines } from '../../base/lineDiff.ts';
import { cut, cutToDifference } from './valueDifferences.ts';

/** Longer lines are truncated. */
const maxLineLength = 200;

/**
 * Returns the lines of a unified diff of two texts, without the names of files. Lines that are too long are truncated; of
 * a line that is replaced, the part that differs is shown.
 */
export function formatUnifiedDiff(before: string, after: string): readonly string[] {
  const [oldLines, newLines] = [splitLines(before), splitLines(after)];
  const steps = compareSequences(oldLines, newLines);
  const texts = formatSteps(steps, oldLines, newLines);
  return findHunks(steps).flatMap(({ start, end }) => {
    const hunk = steps.slice(start, end);
    const [first] = hunk;
    const count = (other: SequenceStep['kind']): number => hunk.filter(({ kind }) => kind !== other).length;
    return first === undefined
      ? []
      : [
          `@@ -${formatRange(first.beforeIndex, count('added'))} +${formatRange(first.afterIndex, count('removed'))} @@`,
          ...texts.slice(start, end),
        ];
  });
}

/** A range without lines has the number of the line before it. */
const formatRange = (index: number, count: number): string => `${count === 0 ? index : index + 1},${count}`;

/** Formats all steps, so that two long lines that replace each other look different. */
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
      ...takeWhile('same').map(({ beforeIndex }) => ` ${cut(oldLines[beforeIndex] ?? '', maxLineLength)}`),
    );
    const removed = takeWhile('removed').map(({ beforeIndex }) => oldLines[beforeIndex] ?? '');
    const added = takeWhile('added').map(({ afterIndex }) => newLines[afterIndex] ?? '');
    const cutLines = (lines: readonly string[], others: readonly string[]): readonly string[] =>
      lines.map((line, at) => {
        const other = others[at];
        return other === undefined
          ? cut(line, maxLineLength)
          : cutToDifference(line, other, maxLineLength)[0];
      });
    texts.push(...cutLines(removed, added).map((line) => `-${line}`));
    texts.push(...cutLines(added, removed).map((line) => `+${line}`));
  }
  return texts;
}
