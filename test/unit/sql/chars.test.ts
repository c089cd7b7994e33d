import { describe, expect, test } from 'vitest';
import {
  findLineEnd,
  hasLineBreak,
  isDigit,
  isLineBreak,
  isSpace,
  isWordPart,
  isWordStart,
} from '../../../src/sql/syntax/chars.ts';

const codes = Array.from({ length: 0x10000 }, (_none, code) => code);
const getCodes = (predicate: (char: string, code: number) => boolean): readonly number[] =>
  codes.filter((code) => predicate(String.fromCharCode(code), code));

describe('of all characters', () => {
  test('spaces are those of Unicode, control characters, U+0085, and U+200B', () => {
    const others = [0x85, 0x200b];
    expect(codes.filter(isSpace)).toEqual(
      getCodes((char, code) => /\s/.test(char) || code < 0x20 || others.includes(code)),
    );
  });

  test('digits are those of ASCII', () => {
    expect(codes.filter(isDigit)).toEqual(getCodes((char) => /[0-9]/.test(char)));
  });

  test('a word starts with a letter or sign of ASCII, or with anything else that is not a space', () => {
    const starts = getCodes((char, code) => /[A-Za-z_@#$]/.test(char) || (code > 127 && !isSpace(code)));
    expect(codes.filter(isWordStart)).toEqual(starts);
    expect(codes.filter(isWordPart)).toEqual(
      getCodes((char, code) => /[0-9]/.test(char) || isWordStart(code)),
    );
  });

  test('line breaks are those of an editor', () => {
    expect(codes.filter(isLineBreak)).toEqual([10, 13]);
  });
});

describe('line breaks of a text', () => {
  const text = 'ab\ncd\r\ne';

  test.each([
    [0, 2],
    [2, 2],
    [3, 5],
    [6, 6],
    [7, 8],
    [8, 8],
  ])('the line of offset %i ends at %i', (offset, end) => {
    expect(findLineEnd(text, offset)).toBe(end);
  });

  test.each([
    [0, 2, false],
    [0, 3, true],
    [2, 3, true],
    [3, 5, false],
    [5, 6, true],
    [7, 8, false],
    [2, 2, false],
  ])('exist between the offsets %i and %i: %s', (start, end, expected) => {
    expect(hasLineBreak(text, start, end)).toBe(expected);
  });
});
