import fc from 'fast-check';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { readCsvSource, readCsv } from '../../../../src/sandbox/engine/csvSource.ts';
import { writeCsv } from '../../../../src/sandbox/seeds/csvFile.ts';

const folder = mkdtempSync(join(tmpdir(), 'csv-file-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('a cell is quoted only if necessary, and an empty one never', () => {
  writeCsv(
    folder,
    'file.csv',
    ['id', 'name'],
    [
      [1, 'a;b'],
      [2.5, 'a "b"\n'],
      [true, null],
    ],
    ';',
  );
  expect(readFileSync(join(folder, 'files/file.csv'), 'utf8')).toBe(
    'id;name\n1;"a;b"\n2.5;"a ""b""\n"\ntrue;\n',
  );
});

test('the sandbox imports the written rows', () => {
  const text = fc.stringMatching(/^[a-z "\r\n,;é]{1,12}$/);
  const row = fc.tuple(fc.integer(), fc.option(text), fc.boolean());
  fc.assert(
    fc.property(fc.array(row), fc.constantFrom(',', ';'), (rows, delimiter) => {
      writeCsv(folder, 'rows.csv', ['id', 'text', 'flag'], rows, delimiter);
      const source = readCsvSource({ provider: 'CSV', parameters: { delimiter } }, undefined);
      const read = readCsv(join(folder, 'files/rows.csv'), source);
      expect(read.header).toEqual(['id', 'text', 'flag']);
      expect([...read.rows]).toEqual(rows.map(([id, cell, flag]) => [String(id), cell, String(flag)]));
    }),
    { numRuns: 100 },
  );
});
