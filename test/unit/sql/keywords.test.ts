import { expect, test } from 'vitest';
import { completionsAt } from '../../../src/sql/index.ts';
import { KEYWORDS } from './cases/keywords.ts';
import { extractCaret, tableContext } from './model.ts';

const keywordGroups: Readonly<Record<string, string>> = {
  '{operators}': 'AND, OR, IN, NOT IN, LIKE, NOT LIKE, BETWEEN, NOT BETWEEN, IS NULL, IS NOT NULL',
  '{operands}': 'CASE, NOT, NULL, CAST, EXISTS, TRUE, FALSE',
  '{joins}': 'JOIN, INNER JOIN, LEFT JOIN, RIGHT JOIN, FULL JOIN, CROSS JOIN, NATURAL JOIN',
  '{sets}': 'UNION, UNION ALL, INTERSECT, EXCEPT',
  '{types}':
    'BIGINT, BOOLEAN, CHAR, DATE, DECIMAL, DOUBLE, FLOAT, INTEGER, NUMERIC, REAL, SMALLINT, TIME, TIMESTAMP, TINYINT, VARCHAR',
};

const cases = KEYWORDS.split('\n')
  .filter((line) => line !== '')
  .map((line) => {
    const [marked = '', expected = ''] = line.split(' => ');
    return [
      marked.replaceAll('⏎', '\n'),
      expected === 'nothing' ? '' : expected.replaceAll(/\{\w+\}/g, (name) => keywordGroups[name] ?? name),
    ] as const;
  });

test.each(cases)('the keywords proposed at the caret of %s are: %s', (marked, expected) => {
  const { text, offset } = extractCaret(marked);
  const items = completionsAt(text, offset, tableContext);
  const keywords = items.filter(({ kind }) => kind === 'keyword').map(({ label }) => label);
  const otherKinds = new Set(items.map(({ kind }) => kind).filter((kind) => kind !== 'keyword'));
  expect([...keywords, ...[...otherKinds].map((kind) => `(${kind})`)].join(', ')).toBe(expected);
});
