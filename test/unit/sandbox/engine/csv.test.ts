import fc from 'fast-check';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { createCellReaders } from '../../../../src/sandbox/engine/cellReaders.ts';
import { type CsvCell, splitCsvLine } from '../../../../src/sandbox/engine/csv.ts';
import { readCsvSource, readCsv, findSourceFiles } from '../../../../src/sandbox/engine/csvSource.ts';

const folder = mkdtempSync(join(tmpdir(), 'csv-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function read(text: string, parameters: object = {}, options?: Record<string, unknown>): CsvCell[][] {
  const file = join(folder, 'file.csv');
  writeFileSync(file, text);
  const { header, rows } = readCsv(file, readCsvSource({ provider: 'CSV', parameters }, options));
  return [...(header === undefined ? [] : [[...header]]), ...rows];
}

describe('CSV files', () => {
  it('reads quotes, line breaks in cells, CRLF, a byte order mark and a last line without break', () => {
    expect(read('\uFEFFa,b\r\n"x, ""y""","1\n2"\r\n\r\n3,4')).toEqual([
      ['a', 'b'],
      ['x, "y"', '1\n2'],
      ['3', '4'],
    ]);
  });

  it('distinguishes an empty cell from an empty text', () => {
    expect(read('a,b\n,""\n')).toEqual([
      ['a', 'b'],
      [null, ''],
    ]);
  });

  it('applies the parameters of the connection, but those of the table first', () => {
    const parameters = { delimiter: ';', hasHeader: 'false', ignoreFirstRows: '1', stringQuote: "'" };
    expect(read("title\n'a;b';2\n3;4", parameters)).toEqual([
      ['a;b', '2'],
      ['3', '4'],
    ]);
    expect(read('a\tb\n1\t2', parameters, { delimiter: '\\t', hasHeader: true, ignoreFirstRows: 0 })).toEqual(
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    );
  });

  it('skips the last rows and rows that start with or contain a text', () => {
    const parameters = { ignoreLastRows: '1', excludeIfBegins: '#', excludeIfContains: 'void' };
    expect(read('a\n1\n#2\n3 void\n4\nsum', parameters)).toEqual([['a'], ['1'], ['4']]);
  });

  it('keeps a quote that is never closed', () => {
    expect(read('a\n"b\nc')).toEqual([['a'], ['b\nc']]);
  });

  it('splits a line into the cells that it was joined from', () => {
    const cell = fc.oneof(fc.string(), fc.constantFrom('', '"', ',', '""', 'a"b'));
    fc.assert(
      fc.property(fc.array(cell, { minLength: 1 }), (cells) => {
        const line = cells.map((text) => `"${text.replaceAll('"', '""')}"`).join(',');
        expect(splitCsvLine(line, { delimiter: ',', quote: '"' })).toEqual(cells);
      }),
    );
  });

  it('reads back any rows, across chunk boundaries', () => {
    const cell = fc.stringMatching(/^[a-z "\n,é]{1,12}$/);
    fc.assert(
      fc.property(fc.array(fc.tuple(cell, cell), { minLength: 1 }), fc.nat(300_000), (rows, padding) => {
        const first = ['h', 'x'.repeat(padding)];
        const all = [first, ...rows];
        const text = all
          .map((row) => row.map((part) => `"${part?.replaceAll('"', '""')}"`).join(','))
          .join('\n');
        expect(read(text)).toEqual(all);
      }),
      { numRuns: 25 },
    );
  });

  it('finds files only within the folder', () => {
    writeFileSync(join(folder, 'orders.csv'), 'a\n');
    const source = readCsvSource(
      { provider: 'CSV', parameters: { files: ['storage/orders.csv'] } },
      undefined,
    );
    expect(findSourceFiles(folder, 'orders.csv', source)).toEqual([join(folder, 'orders.csv')]);
    expect(() => findSourceFiles(join(folder, 'sub'), '../orders.csv', source)).toThrow(
      'no such file: ../orders.csv',
    );
    const postgres = readCsvSource({ provider: 'PostgreSQL' }, undefined);
    expect(findSourceFiles(folder, 'orders', postgres)).toEqual([join(folder, 'orders.csv')]);
    expect(() => findSourceFiles(folder, 'gone', postgres)).toThrow(
      "the sandbox can't connect to PostgreSQL sources, and it has no file gone.csv",
    );
  });

  it('does not follow a link out of the folder', () => {
    const files = join(folder, 'files');
    mkdirSync(files);
    writeFileSync(join(folder, 'secret.csv'), 'a\n');
    writeFileSync(join(files, 'own.csv'), 'a\n');
    symlinkSync(join(folder, 'secret.csv'), join(files, 'out.csv'));
    symlinkSync(folder, join(files, 'up'));
    symlinkSync(join(files, 'own.csv'), join(files, 'alias.csv'));
    const source = readCsvSource({ provider: 'CSV' }, undefined);
    expect(() => findSourceFiles(files, 'out.csv', source)).toThrow('no such file: out.csv');
    expect(() => findSourceFiles(files, 'up/secret.csv', source)).toThrow('no such file');
    expect(findSourceFiles(files, 'alias.csv', source)).toEqual([join(files, 'alias.csv')]);
  });

  it('joins all files of a unionAll connection', () => {
    writeFileSync(join(folder, 'one.csv'), 'a\n');
    writeFileSync(join(folder, 'two.csv'), 'a\n');
    const parameters = { files: ['one.csv', 'x/two.csv'], unionAll: true };
    const source = readCsvSource({ provider: 'CSV', parameters }, undefined);
    expect(findSourceFiles(folder, 'one.csv', source)).toEqual([
      join(folder, 'one.csv'),
      join(folder, 'two.csv'),
    ]);
  });
});

describe('cells by type code (platform-facts.md, 2.3)', () => {
  it.each([
    [8, 'en-US', '12', 12],
    [8, 'en-US', ' -3 ', -3],
    [0, 'en-US', '9007199254740993', 9_007_199_254_740_993n],
    [5, 'en-US', '1,234.50', 1234.5],
    [5, 'de-DE', '1.234,50', 1234.5],
    [40, 'en-US', '1e3', 1000],
    [40, 'en-US', '', null],
    [2, 'en-US', 'TRUE', 1],
    [2, 'en-US', 'no', 0],
    [31, 'en-US', '2026-02-03', '2026-02-03'],
    [31, 'en-US', '2/3/2026', '2026-02-03'],
    [31, 'de-DE', '3.2.2026', '2026-02-03'],
    [0, 'en-US', '-1234567890123456789', -1234567890123456789n],
    [0, 'en-US', '9999999999999999999', 1e19],
    [31, 'en-US', '2026-02-03 10:00:00', '2026-02-03'],
    [31, 'en-US', '2/3/26', '2026-02-03'],
    [31, 'en-US', '0005-02-03', '0005-02-03'],
    [4, 'en-US', '2026-02-03 10:20', '2026-02-03T10:20:00'],
    [4, 'en-US', '2026-02-03T10:20:30.250', '2026-02-03T10:20:30.250'],
    [4, 'en-US', '2026-02-03T00:00:00', '2026-02-03'],
    [4, 'en-US', '2/3/2026 1:05 PM', '2026-02-03T13:05:00'],
    [43, 'en-US', '2026-02-03T10:20:30+02:00', '2026-02-03T08:20:30'],
    [4, 'en-US', '2/3/2026 12:05 AM', '2026-02-03T00:05:00'],
    [4, 'en-US', '2/3/2026 12:05 pm', '2026-02-03T12:05:00'],
    [32, 'en-US', '9:05', '09:05:00'],
    [32, 'en-US', '23:59:59.5', '23:59:59'],
    [32, 'en-US', '9:05 PM', '21:05:00'],
    [18, 'en-US', ' text ', ' text '],
    [18, 'en-US', '', ''],
    [99, 'en-US', '7', '7'],
  ])('are read with the type %i and the culture %s: %j', (code, culture, text, expected) => {
    expect(createCellReaders(culture)(code)(text)).toEqual(expected);
  });

  it.each([
    [8, 'abc', '"abc" isn\'t a number'],
    [31, '2026-02-30', '"2026-02-30" isn\'t a date'],
    [31, '2/3/5', '"2/3/5" isn\'t a date'],
    [31, '2/3/125', '"2/3/125" isn\'t a date'],
    [4, '2026-02-03 25:99', '"2026-02-03 25:99" isn\'t a date'],
    [4, '2026-02-03T24:00:00Z', '"2026-02-03T24:00:00Z" isn\'t a date'],
    [4, '2026-02-03T10:60:00Z', '"2026-02-03T10:60:00Z" isn\'t a date'],
    [4, '2026-02-03T10:00:00+99:00', '"2026-02-03T10:00:00+99:00" isn\'t a date'],
    [4, '2/3/2026 10:20:60', '"2/3/2026 10:20:60" isn\'t a date'],
    [4, '2/3/2026 13:05 PM', '"2/3/2026 13:05 PM" isn\'t a date'],
    [2, 'maybe', '"maybe" isn\'t a boolean'],
    [32, 'noon', '"noon" isn\'t a time'],
    [32, '25:99', '"25:99" isn\'t a time'],
    [32, '9:05 later', '"9:05 later" isn\'t a time'],
  ])('are rejected with the type %i: %j', (code, text, message) => {
    expect(() => createCellReaders('en-US')(code)(text)).toThrow(message);
  });
});
