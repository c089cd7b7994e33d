import { type SequenceStep, compareSequences } from '../../base/compareSequences.ts';
import { truncateText, truncateToDifference } from './valueDifferences.ts';

/** The number of equal lines that are shown around a difference. */
const contextLineCount = 3;

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
    const count = (other: SequenceStep['kind']): number => hunk.filter(({ kind }) => kind !== other).length;
    return first === undefined
      ? []
      : [
          `@@ -${formatRange(first.beforeIndex, count('added'))} +${formatRange(first.afterIndex, count('removed'))} @@`,
          ...texts.slice(start, end),
        ];
  });
}

const splitLines = (text: string): readonly string[] => (text === '' ? [] : text.split(/\r\n|\r|\n/));

/** Formats a range for a hunk header. An empty range has the number of the line before it. */
const formatRange = (index: number, count: number): string => `${count === 0 ? index : index + 1},${count}`;

interface Hunk {
  readonly start: number;
  end: number;
}

/** Returns the ranges of steps to show: those that change something, with some equal lines before and after. */
function findHunks(steps: readonly SequenceStep[]): readonly Hunk[] {
  const hunks: Hunk[] = [];
  steps.forEach(({ kind }, index) => {
    if (kind === 'same') {
      return;
    }
    const start = Math.max(0, index - contextLineCount);
    const end = Math.min(steps.length, index + 1 + contextLineCount);
    const last = hunks.at(-1);
    if (last !== undefined && start <= last.end) {
      last.end = end;
    } else {
      hunks.push({ start, end });
    }
  });
  return hunks;
}

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
