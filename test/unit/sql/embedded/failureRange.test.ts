import { describe, expect, test } from 'vitest';
import { parseJsonTree } from '../../../../src/json/text/parseJsonTree.ts';
import { findFailedExpression, findFailureRange } from '../../../../src/sql/embedded/failureRange.ts';

const getMarkedText = (document: string, message: string): string | undefined => {
  const range = findFailureRange(parseJsonTree(document), message);
  return range === undefined ? undefined : document.slice(range.start, range.end);
};

const table = JSON.stringify(
  {
    name: 'Customer Value',
    expression: { oid: 'e', expression: 'SELECT "Qty",\n  [Revenu] FROM [Order Items]\n' },
    columns: [{ name: 'Revenue' }, { name: 'Net', expression: '[Gross] - [Taxx]' }],
  },
  undefined,
  2,
);

describe('the range marked for the error of a failed build', () => {
  test.each([
    ['no such column: Revenu', '[Revenu]'],
    ['no such column: Taxx', '[Taxx]'],
    ['near "FROM": syntax error', 'FROM'],
    ['something else broke', String.raw`SELECT \"Qty\",\n  [Revenu] FROM [Order Items]`],
    ['', String.raw`SELECT \"Qty\",\n  [Revenu] FROM [Order Items]`],
  ])('%s', (message, expected) => expect(getMarkedText(table, message)).toBe(expected));

  test('a table without an expression is marked at its name', () =>
    expect(getMarkedText('{"name":"Orders","columns":[]}', 'the source has gone')).toBe('"Orders"'));

  test.each([
    [table, 'no such column: Taxx', true],
    [table, 'something else broke', false],
    ['{"name":"Orders","columns":[]}', 'the source has gone', false],
  ])('the range is that of a token only if the message names the token: %#', (document, message, isToken) =>
    expect(findFailureRange(parseJsonTree(document), message)?.isToken).toBe(isToken),
  );

  test.each(['', 'null', '[]', '{', '{"columns":1}'])('%j has no range to mark', (text) =>
    expect(getMarkedText(text, 'no such column: a')).toBeUndefined(),
  );
});

describe('the expression of a failed build', () => {
  const query = { text: 'SELECT [Revenu] FROM [Order Items]', isQuery: true };
  const column = { text: '[Gross] - [Taxx]', isQuery: false };

  test.each([
    ['no such column: Revenu', query],
    ['no such column: Taxx', column],
    ['no space left', query],
  ])('%s', (message, expected) => expect(findFailedExpression([column, query], message)).toBe(expected));

  test('is undefined for a table without a query if no column contains the name', () =>
    expect(findFailedExpression([column], 'no such file: orders.csv')).toBeUndefined());

  test('the range counts as that of a token only if the message names the token', () => {
    expect(findFailureRange(parseJsonTree(table), 'no such column: Revenu')?.isToken).toBe(true);
    expect(findFailureRange(parseJsonTree(table), 'no space left')?.isToken).toBe(false);
  });
});
