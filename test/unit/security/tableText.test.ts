import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyEdits } from '../../../src/base/textEdit.ts';
import { formatCsv, formatTsv } from '../../../src/security/ruleTable/csvText.ts';
import { parseRuleTable } from '../../../src/security/ruleTable/parseRuleTable.ts';
import type { RuleTableColumn } from '../../../src/security/ruleTable/columns.ts';
import { type TableFix, TableText } from '../../../src/security/ruleTable/tableText.ts';
import { getPropertyRuns } from '../../support/soak.ts';

const heading = 'table,column,access,value,party type,party,party name';
const table = [
  heading,
  '',
  'Stores,Region,only,"North',
  'and ""South""; club",group,"Sales, North",',
  'Stores,Regionn,nothing,,group,,Finanze',
].join('\n');

function locate(text: string, row: number, ...columns: readonly RuleTableColumn[]): string {
  const { start, end } = new TableText(text).locate({ row, columns });
  return text.slice(start, end);
}

const applyFix = (text: string, tableFix: TableFix): string =>
  applyEdits(text, new TableText(text).createEdits(tableFix));

describe('the place of a problem', () => {
  it.each([
    [3, ['value'], '"North\nand ""South""; club"'],
    [3, ['party', 'party name'], '"Sales, North"'],
    [4, ['column'], 'Regionn'],
    // The party is named in the other column.
    [4, ['party', 'party name'], 'Finanze'],
    [4, ['value'], ''],
    [4, [], 'Stores,Regionn,nothing,,group,,Finanze'],
    [9, ['value'], ''],
  ] as const)('in row %i, %j, is %j', (row, columns, text) => {
    for (const lineEnd of ['\n', '\r\n', '\r']) {
      const changed = table.replaceAll('\n', lineEnd);
      expect(locate(changed, row, ...columns)).toBe(text.replaceAll('\n', lineEnd));
      expect(locate(`\u{feff}${changed}`, row, ...columns)).toBe(text.replaceAll('\n', lineEnd));
    }
  });

  it('is found with other delimiters', () => {
    const tsv = 'table\tcolumn\tparty type\tparty\nStores, big\tRegion\tgroup\tSales';
    expect(locate(tsv, 2, 'table')).toBe('Stores, big');
    expect(locate(tsv.replaceAll('\t', ';'), 2, 'party')).toBe('Sales');
  });

  it('is in the row that the parser counts, whatever the cells contain', () => {
    const cell = fc.string({ unit: fc.constantFrom('a', '"', ',', '\n', '\r', ';', ' ', "'") });
    fc.assert(
      fc.property(fc.array(cell, { minLength: 1, maxLength: 6 }), (cells) => {
        const rows = cells.map((text) => ['Stores', 'Region', 'wrong', text, 'group', 'Sales']);
        const csv = formatCsv(['table', 'column', 'access', 'value', 'party type', 'party'], rows);
        const found = parseRuleTable(csv).problems.map(({ row }) => locate(csv, row, 'access'));
        expect(found).toEqual(cells.map(() => 'wrong'));
      }),
      { numRuns: getPropertyRuns(100) },
    );
  });
});

describe('a cell for a spreadsheet', () => {
  it.each([
    ['plain words', 'plain words', 'plain words'],
    ['a quote', 'a "b"', '"a ""b"""'],
    ['a line break', 'a\nb', '"a\nb"'],
    ['a carriage return', 'a\rb', '"a\rb"'],
    ['a space at the start', ' a', '" a"'],
    ['a space at the end', 'a ', '"a "'],
    ['nothing', '', ''],
  ])('%s', (_name, text, cell) => {
    expect(formatCsv(['h'], [[text, 'x']])).toBe(`\u{feff}h\r\n${cell},x\r\n`);
    expect(formatTsv(['h'], [[text, 'x']])).toBe(`h\r\n${cell}\tx\r\n`);
  });

  it('is quoted because of the separator of its format alone', () => {
    expect(formatCsv(['h'], [['a,b', 'c\td']])).toBe('\u{feff}h\r\n"a,b",c\td\r\n');
    expect(formatTsv(['h'], [['a,b', 'c\td']])).toBe('h\r\na,b\t"c\td"\r\n');
  });
});

describe('a correction', () => {
  it('replaces the name in all rows that have it, and nothing else', () => {
    const tableFix = { columns: ['party', 'party name'], from: 'Finanze', to: 'Finance, EU' } as const;
    expect(applyFix(table, { ...tableFix, rows: [3, 4, 4, 99] })).toBe(
      table.replace('Finanze', '"Finance, EU"'),
    );
    expect(applyFix(table, { ...tableFix, from: 'Other', rows: [4] })).toBe(table);
    expect(applyFix(table, { rows: [4], columns: ['column'], from: 'Regionn', to: '=Region' })).toBe(
      table.replace('Regionn', "'=Region"),
    );
  });

  it('replaces one value of a list, and quoted values stay quoted', () => {
    const text = `${heading}\nStores,Region,only,"club; ""a; b""; Club",group,Sales,`;
    const tableFix = { rows: [2], columns: ['value'], from: 'club', to: 'Club' } as const;
    expect(applyFix(text, tableFix)).toBe(`${heading}\nStores,Region,only,"Club; ""a; b""",group,Sales,`);
    expect(applyFix(text, { ...tableFix, from: 'clubs' })).toBe(text);
    expect(parseRuleTable(applyFix(text, tableFix)).rules.map(({ grant }) => [...grant.values])).toEqual([
      ['Club', 'a; b'],
    ]);
  });
});
