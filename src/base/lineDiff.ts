import { type SequenceStep, compareSequences } from './compareSequences.ts';

/** A line of a comparison of two texts. A gap stands for lines that both texts have, and that are not shown. */
export interface DiffLine {
  readonly kind: SequenceStep['kind'] | 'gap';
  /** Empty for a gap. */
  readonly text: string;
}

/** A range of the steps of a comparison; `end` is exclusive. */
interface Hunk {
  readonly start: number;
  end: number;
}

/** The number of equal lines that are shown around a difference. */
const contextLineCount = 3;

/** Splits a text into lines, without the line endings. */
export const splitLines = (text: string): readonly string[] => (text === '' ? [] : text.split(/\r\n|\r|\n/));

/**
 * Returns the steps of a comparison that are shown, as ranges: those that change something, and up to
 * {@link contextLineCount} equal ones before and after.
 */
export function findHunks(steps: readonly SequenceStep[]): readonly Hunk[] {
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

/** Returns the lines in which two texts differ, with some before and after; none if only the line endings differ. */
export function compareLines(before: string, after: string): readonly DiffLine[] {
  const [oldLines, newLines] = [splitLines(before), splitLines(after)];
  const steps = compareSequences(oldLines, newLines);
  const toLine = ({ kind, beforeIndex, afterIndex }: SequenceStep): DiffLine => ({
    kind,
    text: (kind === 'added' ? newLines[afterIndex] : oldLines[beforeIndex]) ?? '',
  });
  return findHunks(steps).flatMap(({ start, end }) => [
    ...(start === 0 ? [] : [{ kind: 'gap' as const, text: '' }]),
    ...steps.slice(start, end).map(toLine),
  ]);
}
