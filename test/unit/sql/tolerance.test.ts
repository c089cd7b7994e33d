import { describe, expect, test } from 'vitest';
import { completionsAt, type ExpressionContext } from '../../../src/sql/index.ts';
import { createLargeCatalog, createLongSql, createShortSql, quotingStyles } from '../../bench/sqlTexts.ts';
import {
  createTokenDeletions,
  createTokenInsertions,
  getKeptPairsRatio,
  getTableAliasPairs,
  createUnclosedQuotes,
} from '../../bench/sqlTolerance.ts';

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

describe.each(quotingStyles)('60 lines, %s names', (style) => {
  const text = createShortSql(style);

  test('has 11 table–alias pairs', () => expect(getTableAliasPairs(text).size).toBe(11));

  test('keeps 97 % of its table–alias pairs with a token missing, a stray `o.` or an unclosed quote', () => {
    for (const edited of [
      createTokenDeletions(text),
      createTokenInsertions(text),
      createUnclosedQuotes(text),
    ]) {
      expect(mean(edited.map((changedText) => getKeptPairsRatio(text, changedText)))).toBeGreaterThanOrEqual(
        0.97,
      );
    }
  });
});

test('after an edit anywhere, completion after an alias still proposes the columns of its table', () => {
  const text = createShortSql('bracket');
  const context: ExpressionContext = { kind: 'table', catalog: createLargeCatalog('bracket') };
  // `c.` of Customers and `s.` of Suppliers: their completions must stay available.
  const probes = [
    { mark: 'c.[Customer Name] NOT', column: 'Country' },
    { mark: 's.[Supplier Name] IS', column: 'Supplier Id' },
    { mark: 'q.[Supplier Id], q.[Delivery Date]\n) d', column: 'Amount' },
  ];
  for (const { mark, column } of probes) {
    const position = text.lastIndexOf(mark) + 2;
    const outcomes = [...Array(400).keys()].map((index) => {
      const editOffset = Math.floor((text.length * index) / 400);
      const edited = `${text.slice(0, editOffset)} o. ${text.slice(editOffset)}`;
      const offset = editOffset < position ? position + 4 : position;
      return completionsAt(edited, offset, context).some(({ label }) => label === column) ? 1 : 0;
    });
    expect(mean(outcomes)).toBeGreaterThanOrEqual(0.95);
  }
});

test('all table–alias pairs of more than 1,900 lines are found', () => {
  expect(createLongSql('mixed').split('\n').length).toBeGreaterThan(1900);
  expect(getTableAliasPairs(createLongSql('mixed')).size).toBe(13);
});
