import { expect, test } from 'vitest';
import { printPullMessages } from '../../../src/cli/pullResult.ts';

/** Prints the messages of a pull that has kept changed files. */
function printKept(count: number): readonly string[] {
  const lines: string[] = [];
  const localChanges = Array.from({ length: count }, (_, index) => ({
    item: `viewpoint/V${index}`,
    state: 'changed' as const,
  }));
  printPullMessages(
    {
      localChanges,
      renames: [],
      conflicts: [],
      gone: [],
      warnings: [],
      unknown: [],
    } as unknown as Parameters<typeof printPullMessages>[0],
    { printMessage: (text) => lines.push(text) },
  );
  return lines;
}

test('of many files that a pull keeps, the first are listed and the others counted', () => {
  expect(printKept(20)).toHaveLength(20);
  expect(printKept(20).at(-1)).toBe('Kept: viewpoint/V19 (changed in the project)');
  expect(printKept(21).slice(19)).toEqual([
    'Kept: viewpoint/V19 (changed in the project)',
    'Kept: 1 more file. --format json lists all of them.',
  ]);
  expect(printKept(130).at(-1)).toBe('Kept: 110 more files. --format json lists all of them.');
});
