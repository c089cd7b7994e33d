import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseMatrixCell, getValueKey, formatMatrixCell } from '../../../../src/security/matrix/cellText.ts';
import { parseGridTsv, formatGridTsv } from '../../../../src/security/matrix/gridTsv.ts';
import { allValues, noValues, type ValueSet } from '../../../../src/security/valueSet.ts';
import { getPropertyRuns } from '../../../support/soak.ts';

const only = (...values: string[]): ValueSet => ({ kind: 'only', values: new Set(values) });
const except = (...values: string[]): ValueSet => ({ kind: 'except', values: new Set(values) });

function readSets(text: string, isLive = false): readonly ValueSet[] {
  const read = parseMatrixCell(text, isLive);
  if ('problem' in read) {
    throw new Error(read.problem);
  }
  return read.value;
}

describe('the text of a cell', () => {
  it.each([
    ['', []],
    ['  \n ', []],
    ['all', [allValues]],
    ['Everything', [allValues]],
    [' NOTHING ', [noValues]],
    ['All values', [allValues]],
    ['no values', [noValues]],
    ['No Rule', []],
    ['No rule | North', [only('North')]],
    ['"No Rule"; "no values"', [only('No Rule', 'no values')]],
    ['North', [only('North')]],
    [' North ;South;; North ', [only('North', 'South')]],
    ['North\r\nSouth\n', [only('North', 'South')]],
    ['All but North; South', [except('North', 'South')]],
    ['all but\tNorth', [except('North')]],
    ['All buttons', [only('All buttons')]],
    ['North | all but South', [only('North'), except('South')]],
    ['North | North |', [only('North')]],
    [' ; | ;;', []],
    ['All; North', [only('All', 'North')]],
    ['\\.All', [only('All')]],
    ['\\.nothing; \\.', [only('nothing', '')]],
    ['\\.a\\;b; \\.c\\|d; \\.e\\\\f; \\.g\\nh', [only('a;b', 'c|d', 'e\\f', 'g\nh')]],
    ['DOMAIN\\nick', [only('DOMAIN\\nick')]],
    ['C:\\Sales\\', [only('C:\\Sales\\')]],
    ['\\. padded \\.', [only(' padded ')]],
    ['5" disk, "quoted"', [only('5" disk, "quoted"')]],
    ['"All"; "a; b|c"', [only('All', 'a; b|c')]],
    ['All but "a; b" | "All"', [except('a; b'), only('All')]],
    ['"All but x"', [only('All but x')]],
    ['""', [only('')]],
  ] as const)('%j', (text, expected) => {
    expect(readSets(text)).toEqual(expected);
  });

  it('reports invalid input', () => {
    expect(parseMatrixCell('?')).toEqual({ problem: 'unclear' });
    expect(parseMatrixCell('All but')).toEqual({ problem: 'members-required' });
    expect(parseMatrixCell('all but ;')).toEqual({ problem: 'members-required' });
    expect(parseMatrixCell('All but North', true)).toEqual({ problem: 'exclusionary-live' });
    expect(readSets('North', true)).toEqual([only('North')]);
  });

  it('is formatted in words and values', () => {
    expect(formatMatrixCell([])).toBe('');
    expect(formatMatrixCell([allValues])).toBe('All');
    expect(formatMatrixCell([noValues])).toBe('Nothing');
    expect(formatMatrixCell([only('North', 'South'), except('West')])).toBe('North; South | All but West');
    expect(formatMatrixCell(['unclear'])).toBe('?');
    expect(formatMatrixCell([only('All', 'a; b', '')])).toBe('"All"; "a; b"; ""');
    expect(formatMatrixCell([except('a|b', ' c')])).toBe('All but "a|b"; " c"');
  });

  it.each([
    ['=1+1', '"=1+1"'],
    ['+49', '"+49"'],
    ['@home', '"@home"'],
    ["'text", `"'text"`],
    ['="1"', '\\.="1"'],
    ['"text"', '\\."text"'],
    ['007', '"007"'],
    ['1.50', '"1.50"'],
    ['3-4', '"3-4"'],
    ['12345678901234', '"12345678901234"'],
    ['true', '"true"'],
    ['March 3', '"March 3"'],
    ['42', '42'],
    ['North', 'North'],
    ['Marchand', 'Marchand'],
  ])('prevents a spreadsheet from changing %j', (member, text) => {
    expect(formatMatrixCell([only(member)])).toBe(text);
  });
});

const member = fc.oneof(
  fc.constantFrom(
    'All',
    'nothing',
    'all but x',
    '?',
    '',
    ' ',
    '\\',
    '\\.',
    ';',
    '|',
    '"',
    '=1',
    '007',
    'é😀',
  ),
  fc.string({ maxLength: 8, unit: 'grapheme' }),
  fc.string({
    maxLength: 6,
    unit: fc.constantFrom('a', '\\', ';', '|', '\n', '\r', '\t', '"', ' ', '.', 'n', '\u00a0'),
  }),
);
const members = fc.uniqueArray(member, { minLength: 1, maxLength: 4 });
const grant = fc.oneof(
  fc.constant(allValues),
  fc.constant(noValues),
  members.map((values) => only(...values)),
  members.map((values) => except(...values)),
);
const cell = fc.uniqueArray(grant, { maxLength: 3, selector: (set) => getValueKey([set]) });

describe('properties', () => {
  it('reads its own output', () => {
    fc.assert(
      fc.property(cell, (sets) => {
        expect(readSets(formatMatrixCell(sets))).toEqual(sets);
      }),
      { numRuns: getPropertyRuns(2000) },
    );
  });

  it('survives the clipboard unchanged', () => {
    const rows = fc
      .tuple(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 4 }))
      .chain(([height, width]) =>
        fc.array(fc.array(cell, { minLength: width, maxLength: width }), {
          minLength: height,
          maxLength: height,
        }),
      );
    fc.assert(
      fc.property(rows, fc.constantFrom('\n', '\r\n'), (block, newline) => {
        const cells = block.map((row) => row.map(formatMatrixCell));
        const text = formatGridTsv(cells).replaceAll('\n', newline);
        expect(parseGridTsv(text).map((row) => row.map((each) => readSets(each)))).toEqual(block);
        // A spreadsheet that removed the quotes may copy the cells without adding them again.
        const unquoted = cells.map((row) => row.join('\t')).join(newline) + newline;
        expect(parseGridTsv(unquoted).map((row) => row.map((each) => readSets(each)))).toEqual(block);
      }),
      { numRuns: getPropertyRuns(1000) },
    );
  });

  it('reads any text without throwing, and reads back what it formats', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 30 }), fc.boolean(), (text, isLive) => {
        const read = parseMatrixCell(text, isLive);
        if ('value' in read) {
          expect(parseMatrixCell(formatMatrixCell(read.value), isLive)).toEqual(read);
        }
        expect(parseGridTsv(text)).toBeInstanceOf(Array);
      }),
      { numRuns: getPropertyRuns(2000) },
    );
  });
});

describe('the clipboard of a spreadsheet', () => {
  it('has quoted cells, empty ones and a last line break', () => {
    expect(parseGridTsv('"a ""b"""\t\r\n\t"c\r\nd"\r\n')).toEqual([
      ['a "b"', ''],
      ['', 'c\nd'],
    ]);
    expect(parseGridTsv('a')).toEqual([['a']]);
    expect(parseGridTsv('')).toEqual([['']]);
    expect(parseGridTsv('\n')).toEqual([['']]);
    expect(parseGridTsv('\u{feff}a\tb\n\n')).toEqual([['a', 'b'], ['']]);
  });
});

it('two ways to write the same rules are equal', () => {
  expect(getValueKey([only('b', 'a'), noValues])).toBe(getValueKey([noValues, only('a', 'b')]));
  expect(getValueKey([only('a; b')])).not.toBe(getValueKey([only('a', 'b')]));
  expect(getValueKey([only('All')])).not.toBe(getValueKey([allValues]));
});

describe('a malformed clipboard', () => {
  it.each([
    ['"open\tb\nc', [['"open', 'b'], ['c']]],
    ['"a"b\tc', [['"a"b', 'c']]],
    ['a\t', [['a', '']]],
    [
      '\t\n\t',
      [
        ['', ''],
        ['', ''],
      ],
    ],
    // Spreadsheets quote only what they must: these quotes belong to the cells.
    ['""\t"All"\t"a; b"', [['""', '"All"', '"a; b"']]],
    ['"""a; b"""\t"a\tb"', [['"a; b"', 'a\tb']]],
  ])('%j', (text, rows) => {
    expect(parseGridTsv(text)).toEqual(rows);
  });

  it('may have a long text after an open quote', () => {
    const rows = parseGridTsv(`"open\n${'a\n'.repeat(4_500_000)}`);
    expect([rows.length, rows[0], rows.at(-1)]).toEqual([4_500_001, ['"open'], ['a']]);
  });
});
