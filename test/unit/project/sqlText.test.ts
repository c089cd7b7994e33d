import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { english, formatMessage } from '../../../src/base/localize.ts';
import { editSqlFile, formatSqlFile, toCanonicalSql } from '../../../src/project/sqlText.ts';
import { convertInstance } from '../../../src/project/instance/convertInstance.ts';
import { getPropertyRuns } from '../../support/soak.ts';

const sqlTexts = fc
  .array(fc.constantFrom('\r', '\n', '\r\n', '\uFEFF', ' ', 'SELECT', "'x'", '\0', '\u2028', '😀'), {
    maxLength: 12,
  })
  .map((parts) => parts.join(''));

describe('the text of a SQL file', () => {
  test('is read back as the canonical SQL, even after git and editors have changed its line ends', () => {
    fc.assert(
      fc.property(sqlTexts, (sql) => {
        const text = formatSqlFile(sql);
        const canonical = toCanonicalSql(sql);
        for (const variant of [
          text,
          text.replaceAll('\n', '\r\n'),
          `\uFEFF${text}`,
          text.replace(/\n$/, ''),
        ]) {
          expect(toCanonicalSql(variant)).toBe(canonical);
        }
      }),
      { numRuns: getPropertyRuns(500) },
    );
  });

  test('keeps its byte-order mark and line ends when the SQL changes', () => {
    expect(editSqlFile('\uFEFFSELECT 1\r\n', 'SELECT\n2')).toBe('\uFEFFSELECT\r\n2\r\n');
    expect(editSqlFile('SELECT 1', 'SELECT 2')).toBe('SELECT 2\n');
    expect(editSqlFile('SELECT 1\r\n\r\n', 'SELECT 1')).toBe('SELECT 1\r\n\r\n');
  });
});

describe('the SQL of an instance', () => {
  const convert = (sql: string) =>
    convertInstance({
      datamodels: [
        {
          document: {
            title: 'Retail',
            datasets: [{ name: 'D', schema: { tables: [{ name: 'Top', expression: sql, columns: [] }] } }],
          },
          rules: [],
        },
        { document: { title: 'Other' }, rules: [] },
      ],
      cubeSets: [],
      viewpoints: [],
      customData: [],
      users: [],
      groups: [],
      numberedReferences: [],
    });

  test('is canonical', () => {
    const item = convert('\uFEFFSELECT 1,\r\n2\r\n').items.find(({ key }) => key.kind === 'tableExpression');
    expect(item?.content).toBe('SELECT 1,\n2');
  });

  test('that UTF-8 cannot represent causes its datamodel to be refused', () => {
    const { items, conversionErrors } = convert("SELECT '\ud800'");
    expect(conversionErrors.map(({ userMessage }) => formatMessage(english, userMessage))).toEqual([
      'The SQL of the table "Top" in the datamodel "Retail" contains an invalid Unicode character (an unpaired surrogate), which can\'t be stored in a file. Remove it from the SQL on the instance.',
    ]);
    expect(items.map(({ key }) => key)).toEqual([{ kind: 'datamodel', datamodel: 'Other' }]);
  });
});
