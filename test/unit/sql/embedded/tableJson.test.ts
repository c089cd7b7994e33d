import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseJsonTree } from '../../../../src/json/text/parseJsonTree.ts';
import {
  createEmbeddedContext,
  findEmbeddedExpressions,
  findDocumentNameRange,
} from '../../../../src/sql/embedded/tableJson.ts';
import { completionsAt, diagnose } from '../../../../src/sql/index.ts';
import { getPropertyRuns } from '../../../support/soak.ts';
import { CATALOG } from '../model.ts';

const getTexts = (document: string, kind: 'table' | 'column' = 'table') =>
  findEmbeddedExpressions(parseJsonTree(document), kind).map(
    ({ kind: expressionKind, literal }) => `${expressionKind}: ${literal.text}`,
  );

describe('the search for expressions', () => {
  test('finds strings and objects {oid, expression}, of the table and of its columns', () => {
    const document = JSON.stringify({
      name: 'Value',
      expression: { oid: 'x', expression: 'SELECT 1' },
      columns: [
        { name: 'a' },
        { name: 'b', expression: '[a] + 1' },
        { name: 'c', expression: { expression: '2' } },
      ],
    });
    expect(getTexts(document)).toEqual(['table: SELECT 1', 'column: [a] + 1', 'column: 2']);
  });

  test('returns the oid of the column, which a new column does not have yet', () => {
    const document = JSON.stringify({
      expression: 'SELECT 1',
      columns: [
        { oid: 'c1', name: 'a', expression: '1' },
        { name: 'b', expression: '2' },
      ],
    });
    const columnIds = findEmbeddedExpressions(parseJsonTree(document), 'table').map(
      ({ columnId }) => columnId,
    );
    expect(columnIds).toEqual([undefined, 'c1', '']);
  });

  test('finds the expression of a document that is a single column', () => {
    expect(getTexts('{"name":"x","expression":"[a]"}', 'column')).toEqual(['column: [a]']);
  });

  test.each([
    ['nothing', ''],
    ['a list', '[{"expression":"SELECT 1"}]'],
    ['null', '{"expression":null}'],
    ['a number', '{"expression":1}'],
    ['another dialect', '{"importQuery":"SELECT 1","tupleTransformations":[{"expression":"SELECT 1"}]}'],
    ['a name only', '{"expression"'],
    ['no value yet', '{"expression": }'],
  ])('finds none in %s', (_name, document) => expect(getTexts(document)).toEqual([]));

  test('finds expressions in a document that is being typed, with comments and commas that JSON does not allow', () => {
    expect(getTexts('{"expression": "SELECT o.')).toEqual(['table: SELECT o.']);
    expect(getTexts('{"name": "x", "expression": "SELECT o.\n"columns": []')).toEqual(['table: SELECT o.']);
    expect(getTexts('// why\n{"expression": "SELECT 1",}')).toEqual(['table: SELECT 1']);
    expect(getTexts('{"columns": [{"expression": "[a]"')).toEqual(['column: [a]']);
  });

  test('never throws, and every literal lies in the document', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.constantFrom(
            '{',
            '}',
            '[',
            ']',
            '"expression"',
            '"columns"',
            ':',
            ',',
            '"a\\u00',
            '"',
            '\n',
            '1',
            '//',
          ),
        ),
        fc.constantFrom('table' as const, 'column' as const),
        (parts, kind) => {
          const document = parts.join('');
          for (const { literal } of findEmbeddedExpressions(parseJsonTree(document), kind)) {
            expect(document[literal.start - 1]).toBe('"');
            expect(literal.end).toBeLessThanOrEqual(document.length);
          }
        },
      ),
      { numRuns: getPropertyRuns(400) },
    );
  });
});

describe('the names that an expression sees', () => {
  const document = JSON.stringify({
    oid: 't',
    name: 'Sales',
    columns: [
      { name: 'Amount', type: 5 },
      { name: 'New One', type: 18, hidden: true },
      { id: 'by id' },
      { name: 'Twice', expression: '[New One] + [' },
    ],
  });

  test('include its own table as in the document, under the new name, and no longer under the old name', () => {
    const [twice] = findEmbeddedExpressions(parseJsonTree(document), 'table');
    const context = twice === undefined ? undefined : createEmbeddedContext(twice, CATALOG, 'Orders');
    expect(context).toMatchObject({ kind: 'column', table: 'Sales' });
    expect(context?.catalog.tables.map(({ name }) => name)).not.toContain('Orders');
    expect(context?.catalog.tables.at(-1)?.columns).toEqual([
      { name: 'Amount', type: 5 },
      { name: 'New One', type: 18, hidden: true },
      { name: 'by id' },
      { name: 'Twice' },
    ]);
    const labels = context === undefined ? [] : completionsAt('[', 1, context).map(({ label }) => label);
    expect(labels).toContain('New One');
    expect(labels).not.toContain('Status');
  });

  test('include the columns of the last build, if the document lists none', () => {
    const [expression] = findEmbeddedExpressions(
      parseJsonTree('{"name":"Orders","expression":"SELECT Status FROM Orders"}'),
      'table',
    );
    const context =
      expression === undefined ? undefined : createEmbeddedContext(expression, CATALOG, 'Orders');
    expect(context === undefined ? [] : diagnose('SELECT Status FROM Orders', context)).toEqual([]);
  });

  test('are not checked for a column of an unknown table: no name is reported as unknown', () => {
    const [expression] = findEmbeddedExpressions(
      parseJsonTree('{"expression":"[Status] + [Nope]"}'),
      'column',
    );
    const context = expression && createEmbeddedContext(expression, CATALOG, undefined);
    expect(context && diagnose('[Status] + [Nope]', context)).toEqual([]);
  });

  test('include the table that a single column is saved in', () => {
    const [expression] = findEmbeddedExpressions(parseJsonTree('{"expression":"[Status]"}'), 'column');
    expect(expression && createEmbeddedContext(expression, CATALOG, 'Orders')).toMatchObject({
      kind: 'column',
      table: 'Orders',
    });
  });
});

describe('names in a document', () => {
  const document =
    '{ "name": "Orders", "columns": [{ "id": "a" }, { "name": "Order \\"Id\\"", "id": "b" }] }';
  test.each([
    [undefined, '"Orders"'],
    ['A', '"a"'],
    ['order "id"', '"Order \\"Id\\""'],
    ['b', undefined],
  ])('are found by the name of a column, or of the table without one: %s', (column, expected) => {
    const found = findDocumentNameRange(parseJsonTree(document), column);
    expect(found && document.slice(found.start, found.end)).toBe(expected);
  });

  test('are not found in a document that is not an object', () =>
    expect(findDocumentNameRange(parseJsonTree('[]'), 'a')).toBeUndefined());
});
