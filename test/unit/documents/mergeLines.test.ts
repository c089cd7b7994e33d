import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { mergeJson } from '../../../src/documents/merge.ts';
import { mergeLines } from '../../../src/documents/mergeLines.ts';
import { getPropertyRuns } from '../../support/soak.ts';

const sql = 'SELECT a,\n  b\nFROM Orders\n\nWHERE a > 1\n\nORDER BY a\n';

describe('changes of different lines are merged', () => {
  test('a line changed here, lines added and removed there', () => {
    const ours = sql.replace('  b', '  b, c');
    const theirs = sql.replace('ORDER BY a', 'ORDER BY a DESC\nLIMIT 5').replace('\n\nWHERE', '\nWHERE');
    expect(mergeLines(sql, ours, theirs)).toBe(
      'SELECT a,\n  b, c\nFROM Orders\nWHERE a > 1\n\nORDER BY a DESC\nLIMIT 5\n',
    );
  });

  test('the same change on both sides applies once', () => {
    const same = sql.replace('a > 1', 'a > 2');
    expect(mergeLines(sql, same, same.replace('  b', '  d'))).toBe(same.replace('  b', '  d'));
  });

  test('line endings are ours', () => {
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

  test('a last line without a line ending stays so, and follows the side that ended it', () => {
    const open = sql.trimEnd();
    const ours = open.replace('  b', '  c');
    expect(mergeLines(open, ours, open.replace('a > 1', 'a > 2'))).toBe(ours.replace('a > 1', 'a > 2'));
    expect(mergeLines(open, ours, sql)).toBe(`${ours}\n`);
    expect(mergeLines(sql, `${ours}\n`, open)).toBe(ours);
  });

  test('SQL within a document is merged as well', () => {
    const [ours, theirs] = [sql.replace('  b', '  c'), sql.replace('a > 1', 'a > 2')];
    const table = (expression: string) => ({ name: 'T', expression: { oid: 'x', expression } });
    expect(mergeJson(table(sql), table(ours), table(theirs))).toEqual({
      merged: table(ours.replace('a > 1', 'a > 2')),
      conflicts: [],
    });
  });
});

describe('ambiguous changes are conflicts', () => {
  test.each([
    ['one line changed by both', sql.replace('  b', '  c'), sql.replace('  b', '  d')],
    ['lines next to each other', sql.replace('  b', '  c'), sql.replace('FROM Orders', 'FROM Stores')],
    ['changed here and gone there', sql.replace('a > 1', 'a > 2'), sql.replace('WHERE a > 1\n', '')],
  ])('%s', (_what, ours, theirs) => {
    expect(mergeLines(sql, ours, theirs)).toBeUndefined();
    expect(mergeLines(sql, theirs, ours)).toBeUndefined();
    expect(mergeJson(sql, ours, theirs)).toEqual({ merged: ours, conflicts: [{ path: [], ours, theirs }] });
  });

  test('a text of one line is one value', () => {
    expect(mergeJson('a', 'b', 'c').conflicts).toHaveLength(1);
  });

  test('thousands of equal lines are merged quickly', () => {
    const many = (last: string): string => `${'\n'.repeat(5000)}${last}`;
    expect(mergeLines(many('a'), `x${many('a')}`, many('b'))).toBeUndefined();
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

const countIn = (lines: readonly string[], line: string): number =>
  lines.filter((each) => each === line).length;

test('no line is invented, and no line that both sides kept is lost', () => {
  fc.assert(
    fc.property(texts, texts, texts, (base, ours, theirs) => {
      const merged = mergeLines(base, ours, theirs)?.split('\n');
      const [before, mine, other] = [base.split('\n'), ours.split('\n'), theirs.split('\n')];
      for (const line of merged ?? []) {
        expect(mine.includes(line) || other.includes(line)).toBe(true);
      }
      // Of equal lines each side may have deleted a different one, and then both are gone.
      const kept = before.filter(
        (line) => countIn(before, line) === 1 && mine.includes(line) && other.includes(line),
      );
      expect(merged === undefined || kept.every((line) => merged.includes(line))).toBe(true);
    }),
    { numRuns: getPropertyRuns(500) },
  );
});
