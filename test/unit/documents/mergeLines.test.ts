import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { mergeJson } from '../../../src/documents/mergeJson.ts';
import { mergeLines } from '../../../src/documents/mergeLines.ts';
import { getPropertyRuns } from '../../support/soak.ts';

const sql = 'SELECT a,\n  b\nFROM Orders\n\nWHERE a > 1\n\nORDER BY a\n';

describe('changes of different lines are merged', () => {
  test('one side changes a line, the other adds and removes lines', () => {
    const ours = sql.replace('  b', '  b, c');
    const theirs = sql.replace('ORDER BY a', 'ORDER BY a DESC\nLIMIT 5').replace('\n\nWHERE', '\nWHERE');
    expect(mergeLines(sql, ours, theirs)).toBe(
      'SELECT a,\n  b, c\nFROM Orders\nWHERE a > 1\n\nORDER BY a DESC\nLIMIT 5\n',
    );
  });

  test('the same change on both sides applies once', () => {
    const changedText = sql.replace('a > 1', 'a > 2');
    expect(mergeLines(sql, changedText, changedText.replace('  b', '  d'))).toBe(
      changedText.replace('  b', '  d'),
    );
  });

  test('the result has our line endings', () => {
    const ours = sql.replace('  b', '  c').replaceAll('\n', '\r\n');
    const theirs = sql.replace('a > 1', 'a > 2');
    expect(mergeLines(sql, ours, theirs)).toBe(ours.replace('a > 1', 'a > 2'));
  });

  test('line endings alone are not a change', () => {
    const theirs = sql.replace('a > 1', 'a > 2').replaceAll('\n', '\r\n');
    expect(mergeLines(sql.replaceAll('\n', '\r\n'), sql.replace('  b', '  c'), theirs)).toBe(
      sql.replace('  b', '  c').replace('a > 1', 'a > 2'),
    );
  });

  test('the result ends with a line break if the side that changed the ending does', () => {
    const withoutLineBreak = sql.trimEnd();
    const ours = withoutLineBreak.replace('  b', '  c');
    expect(mergeLines(withoutLineBreak, ours, withoutLineBreak.replace('a > 1', 'a > 2'))).toBe(
      ours.replace('a > 1', 'a > 2'),
    );
    expect(mergeLines(withoutLineBreak, ours, sql)).toBe(`${ours}\n`);
    expect(mergeLines(sql, `${ours}\n`, withoutLineBreak)).toBe(ours);
  });

  test('SQL within a document is merged as well', () => {
    const [ours, theirs] = [sql.replace('  b', '  c'), sql.replace('a > 1', 'a > 2')];
    const createTable = (expression: string) => ({ name: 'T', expression: { oid: 'x', expression } });
    expect(mergeJson(createTable(sql), createTable(ours), createTable(theirs))).toEqual({
      merged: createTable(ours.replace('a > 1', 'a > 2')),
      conflicts: [],
    });
  });
});

describe('ambiguous changes are conflicts', () => {
  test.each([
    ['one line changed by both', sql.replace('  b', '  c'), sql.replace('  b', '  d')],
    [
      'adjacent lines changed by one side each',
      sql.replace('  b', '  c'),
      sql.replace('FROM Orders', 'FROM Stores'),
    ],
    [
      'a line changed by one side and removed by the other',
      sql.replace('a > 1', 'a > 2'),
      sql.replace('WHERE a > 1\n', ''),
    ],
  ])('%s', (_what, ours, theirs) => {
    expect(mergeLines(sql, ours, theirs)).toBeUndefined();
    expect(mergeLines(sql, theirs, ours)).toBeUndefined();
    expect(mergeJson(sql, ours, theirs)).toEqual({ merged: ours, conflicts: [{ path: [], ours, theirs }] });
  });

  test('a text of one line is merged as one value', () => {
    expect(mergeJson('a', 'b', 'c').conflicts).toHaveLength(1);
  });

  test('in a text with too many equal lines to compare', () => {
    const createLines = (last: string): string => `${'\n'.repeat(5000)}${last}`;
    expect(mergeLines(createLines('a'), `x${createLines('a')}`, createLines('b'))).toBeUndefined();
  });
});

const texts = fc.array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 8 }).map((lines) => lines.join('\n'));

test('a change on one side always applies, and the sides are symmetrical', () => {
  fc.assert(
    fc.property(texts, texts, texts, (base, ours, theirs) => {
      expect(mergeLines(base, ours, base)).toBe(ours);
      expect(mergeLines(base, base, theirs)).toBe(theirs);
      expect(mergeLines(base, ours, ours)).toBe(ours);
      expect(mergeLines(base, ours, theirs)).toBe(mergeLines(base, theirs, ours));
    }),
    { numRuns: getPropertyRuns(500) },
  );
});

test('lines next to an unchanged one are merged, each by the side that deleted it, like `git merge-file`', () => {
  expect(mergeLines('a\n\na', 'a\n', '\na')).toBe('');
});

const countOccurrences = (lines: readonly string[], line: string): number =>
  lines.filter((each) => each === line).length;

/** A text of different lines, and two versions of it with a line replaced or removed each. */
const versions = fc
  .tuple(
    fc.uniqueArray(fc.constantFrom<string>('a', 'b', 'c', 'd', 'e', 'f', 'g'), { minLength: 4 }),
    fc.nat(),
    fc.nat(),
    fc.constantFrom([], ['ours']),
    fc.constantFrom([], ['theirs']),
  )
  .map(
    ([lines, ourIndex, theirIndex, ours, theirs]): readonly [base: string, ours: string, theirs: string] => [
      lines.join('\n'),
      lines.toSpliced(ourIndex % lines.length, 1, ...ours).join('\n'),
      lines.toSpliced(theirIndex % lines.length, 1, ...theirs).join('\n'),
    ],
  );

test('no line is invented, and no line that both sides kept is lost', () => {
  let conflictCount = 0;
  let mergeCount = 0;
  let keptLineCount = 0;
  fc.assert(
    fc.property(fc.oneof(versions, fc.tuple(texts, texts, texts)), ([base, ours, theirs]) => {
      const merged = mergeLines(base, ours, theirs)?.split('\n');
      if (merged === undefined) {
        conflictCount += 1;
        return;
      }
      const [baseLines, ourLines, theirLines] = [base.split('\n'), ours.split('\n'), theirs.split('\n')];
      expect(merged.filter((line) => !ourLines.includes(line) && !theirLines.includes(line))).toEqual([]);
      // Equal lines are left out: each side may have deleted a different one of them.
      const keptLines = baseLines.filter(
        (line) =>
          countOccurrences(baseLines, line) === 1 && ourLines.includes(line) && theirLines.includes(line),
      );
      mergeCount += 1;
      keptLineCount += keptLines.length;
      expect(keptLines.filter((line) => !merged.includes(line))).toEqual([]);
    }),
    { numRuns: getPropertyRuns(500) },
  );
  // The property proves nothing unless there were conflicts, merges, and kept lines.
  expect(Math.min(conflictCount, mergeCount, keptLineCount)).toBeGreaterThan(50);
});
