import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MessageError, english, formatMessage } from '../../../../src/base/localize.ts';
import { toCanonicalText } from '../../../../src/base/canonicalJson.ts';
import { type JsonValue, parseLossless, stringify } from '../../../../src/base/json.ts';
import { editJsonFile, formatJsonFile, parseJsonFile } from '../../../../src/project/files/jsonFile.ts';
import { getPropertyRuns } from '../../../support/soak.ts';
import { anyJson } from '../../documents/anyJson.ts';

const read = (text: string): JsonValue => {
  const parsed = parseJsonFile(text);
  if ('fault' in parsed) {
    throw new MessageError(parsed.fault.message);
  }
  return parsed.value;
};

/** Returns how many lines the new text has that the old one doesn't have as often, and the other way around. */
function countChangedLines(
  before: string,
  after: string,
): { readonly added: number; readonly removed: number } {
  const countMissing = (lines: readonly string[], others: readonly string[]): number => {
    const counts = new Map<string, number>();
    for (const line of others) {
      counts.set(line, (counts.get(line) ?? 0) + 1);
    }
    return lines.filter((line) => {
      const count = counts.get(line) ?? 0;
      counts.set(line, count - 1);
      return count <= 0;
    }).length;
  };
  const [oldLines, newLines] = [before.split('\n'), after.split('\n')];
  return { added: countMissing(newLines, oldLines), removed: countMissing(oldLines, newLines) };
}

const createTable = (count: number, type: number) => ({
  name: 'Orders',
  columns: Array.from({ length: count }, (_item, index) => ({
    name: `Column ${index}`,
    type: index === 1 ? type : 8,
    scale: 2,
  })),
});

describe('the text of a JSON file', () => {
  test('is read back, even after an edit to any other value', () => {
    fc.assert(
      fc.property(anyJson, anyJson, (before, after) => {
        const text = formatJsonFile(before);
        expect(stringify(read(text))).toBe(stringify(before));
        // An equal number keeps its spelling.
        expect(toCanonicalText(read(editJsonFile(text, after)))).toBe(toCanonicalText(after));
        expect(editJsonFile(text, before)).toBe(text);
      }),
      { numRuns: getPropertyRuns(300) },
    );
  });

  test('has the same value whether it is formatted, in other layouts, or with comments', () => {
    fc.assert(
      fc.property(anyJson, fc.constantFrom(0, 1, 4), (value, indent) => {
        const formatted = formatJsonFile(value);
        const expected = toCanonicalText(read(formatted));
        expect(toCanonicalText(read(stringify(value, indent)))).toBe(expected);
        expect(toCanonicalText(read(`// A comment\n${formatted}`))).toBe(expected);
      }),
      { numRuns: getPropertyRuns(200) },
    );
  });

  test.each(['{\n  "a": 1,\n  "a": 1\n}\n', '{\n  "a": {\n    "b": 1,\n    "b": 2\n  }\n}\n'])(
    'is checked for duplicate keys even if it looks formatted: %j',
    (text) => expect(parseJsonFile(text)).toMatchObject({ fault: { code: 'duplicate-key' } }),
  );

  test.each(['-0', '1.0', '1e2', '12345678901234567890', '[\n  1.50\n]'])(
    'keeps the spelling of the number in %j',
    (text) => expect(formatJsonFile(read(`${text}\n`))).toBe(`${text}\n`),
  );

  test.each([
    ['in one line', `${'['.repeat(20_000)}${']'.repeat(20_000)}\n`],
    ['formatted', formatJsonFile(JSON.parse(`${'['.repeat(300)}${']'.repeat(300)}`))],
  ])('that is nested too deeply is refused: %s', (_layout, text) =>
    expect(parseJsonFile(text)).toMatchObject({
      fault: { message: { text: expect.stringContaining('too deep') } },
    }),
  );

  test('keeps the spelling of numbers, and finds a change beyond the digits of a double', () => {
    const text = '{\n  "a": 1.0,\n  "b": 12345678901234567890\n}\n';
    expect(stringify(read(text))).toBe('{"a":1.0,"b":12345678901234567890}');
    expect(editJsonFile(text, parseLossless('{"a": 1, "b": 12345678901234567891}'))).toBe(
      '{\n  "a": 1.0,\n  "b": 12345678901234567891\n}\n',
    );
  });

  test('changes in one line per changed member, and keeps comments, order and line ends', () => {
    const text = `\uFEFF// From finance\r\n${formatJsonFile(createTable(40, 8)).replaceAll('\n', '\r\n')}`;
    const edited = editJsonFile(text, { columns: createTable(40, 18).columns, name: 'Orders' });
    expect(countChangedLines(text, edited)).toEqual({ added: 1, removed: 1 });
    expect(edited.startsWith('\uFEFF// From finance\r\n{\r\n  "name"')).toBe(true);
  });

  test('keeps comments and the spelling of numbers in entries without names', () => {
    const numbers = '[\n  { "a": 1.0, "b": 1 },\n  { "a": 2.0, "b": 2 }\n]\n';
    expect(
      editJsonFile(numbers, [
        { a: 1, b: 3 },
        { a: 2, b: 4 },
      ]),
    ).toBe(numbers.replace('"b": 1', '"b": 3').replace('"b": 2', '"b": 4'));
    const text =
      '[\n  {\n    // Only the north\n    "members": ["a"],\n    "x": 1\n  },\n  {\n    "x": 2\n  }\n]\n';
    expect(editJsonFile(text, [{ members: ['a'], x: 3 }, { x: 4 }])).toBe(
      text.replace('"x": 1', '"x": 3').replace('"x": 2', '"x": 4'),
    );
    expect(editJsonFile(text, [{ members: ['b'], x: 3 }, { x: 4 }])).toContain('// Only the north');
  });

  test('gets five more lines for a column that is added in the middle, and changes one of another column', () => {
    const text = formatJsonFile(createTable(40, 8));
    const { name, columns } = createTable(40, 18);
    const newColumns = columns.toSpliced(20, 0, { name: 'New', type: 1, scale: 0 });
    const edited = editJsonFile(text, { name, columns: newColumns });
    expect(countChangedLines(text, edited)).toEqual({ added: 1 + 5, removed: 1 });
    expect(read(edited)).toEqual({ name, columns: newColumns });
  });
});

test.each([
  ['', 'syntax', 0, 'The file is empty. Expected: JSON.'],
  ['{"a" 1}', 'syntax', 5, 'Invalid JSON. Unexpected "1".'],
  ['{"a": 1 "b": 2}', 'syntax', 7, 'Invalid JSON. Expected a comma.'],
  ['[{"a": 1} // First\n  {"b": 2}]', 'syntax', 9, 'Invalid JSON. Expected a comma.'],
  ['["a"\n"b"]', 'syntax', 4, 'Invalid JSON. Expected a comma.'],
  ['{"a": 1', 'syntax', 7, 'Invalid JSON. Something is missing here.'],
  ['{"a": 1, "a": 2}', 'duplicate-key', 9, 'Duplicate key "a". Each key can occur only once.'],
  ['['.repeat(300), 'syntax', 200, 'The JSON is nested too deeply.'],
])('%j has a fault', (text, code, offset, message) => {
  const parsed = parseJsonFile(text);
  expect(parsed).toMatchObject({ fault: { code, offset } });
  expect('fault' in parsed ? formatMessage(english, parsed.fault.message) : undefined).toBe(message);
  expect(() => editJsonFile(text, 1)).toThrow(RangeError);
});
