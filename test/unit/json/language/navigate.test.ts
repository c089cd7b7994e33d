import { describe, expect, test } from 'vitest';
import type { JsonDocumentKind } from '../../../../src/json/language/documentKind.ts';
import { getDocumentKindForPath } from '../../../../src/json/language/documentKind.ts';
import { getJsonOutline } from '../../../../src/json/language/outline.ts';
import { getJsonRenameEdits } from '../../../../src/json/language/rename.ts';
import { getCatalogReferenceAt } from '../../../../src/json/language/catalogReference.ts';
import { parseJson } from '../../../../src/json/text/parseJson.ts';
import { applyEdits } from '../../../../src/base/textEdit.ts';
import { atMark, column, context } from './support.ts';

const { model } = context;

/** The table and column named at the mark, and the text of the name. */
function subject(
  marked: string,
  kind: JsonDocumentKind = 'viewpoint',
): readonly (string | undefined)[] | undefined {
  const { text, offset } = atMark(marked);
  const found = getCatalogReferenceAt(kind, parseJson(text), offset, model);
  return found === undefined ? undefined : [found.table, found.column, text.slice(found.start, found.end)];
}

function renamed(marked: string, newName: string, kind: JsonDocumentKind = 'viewpoint'): string {
  const { text, offset } = atMark(marked);
  const found = getCatalogReferenceAt(kind, parseJson(text), offset, model);
  return found === undefined
    ? text
    : applyEdits(text, getJsonRenameEdits(kind, parseJson(text), found, newName, model));
}

describe('the name at a position', () => {
  test.each([
    [column('{"table": "Ord|ers"}'), ['Orders', undefined, '"Orders"']],
    [column('{"table": "Orders", "column": "Amount|"}'), ['Orders', 'Amount', '"Amount"']],
    [column('{"dim": "[Ord|ers.Amount]"}'), ['Orders', undefined, '"[Orders.Amount]"']],
    [column('{"dim": "[Orders.Am|ount]"}'), ['Orders', 'Amount', '"[Orders.Amount]"']],
    [
      column('{"dim": "[orders.csv.unit.pr|ice]"}'),
      ['orders.csv', 'unit.price', '"[orders.csv.unit.price]"'],
    ],
    [
      column('{"dim": "[Orders.Order |Date (Calendar)]"}'),
      ['Orders', 'Order Date', '"[Orders.Order Date (Calendar)]"'],
    ],
    [column('{"table": "a.b", "dim": "[a.b.|c]"}'), ['a.b', 'c', '"[a.b.c]"']],
    [column('{"title": "Ord|ers"}'), undefined],
    [column('{"dim": "|"}'), undefined],
    [column('{"column": "Am|ount"}'), undefined],
    [column('{"filter": {"by": {"table": "Ord|ers"}}}'), undefined],
    ['{"table": "Ord|ers"}', undefined],
    ['|', undefined],
  ])('%s', (marked, expected) => {
    expect(subject(marked)).toEqual(expected);
  });

  test('in rules', () => {
    expect(subject('{"table": "Ord|ers"}', 'rule')).toEqual(['Orders', undefined, '"Orders"']);
    expect(subject('[{}, {"table": "Orders", "column": "|x"}]', 'rules')).toEqual(['Orders', 'x', '"x"']);
    expect(subject('[{"shares": [{"table": "|x"}]}]', 'rules')).toBeUndefined();
  });
});

describe('rename', () => {
  test('a column: its name and its dim, wherever the document names it', () => {
    const before = column(
      '{"table": "Orders", "column": "Am|ount", "dim": "[Orders.Amount]", "title": "Amount"}, // keep\n' +
        '{"dim": "[Orders.Amount (Calendar)]"}, {"table": "Lines", "column": "Amount", "dim": "[Lines.Amount]"}',
    );
    expect(renamed(before, 'Net "x"')).toBe(
      column(
        '{"table": "Orders", "column": "Net \\"x\\"", "dim": "[Orders.Net \\"x\\"]", "title": "Amount"}, // keep\n' +
          '{"dim": "[Orders.Net \\"x\\" (Calendar)]"}, {"table": "Lines", "column": "Amount", "dim": "[Lines.Amount]"}',
      ),
    );
  });

  test('a table: the name and the dims of all its columns', () => {
    const before = column(
      '{"table": "Orders", "column": "Amount", "dim": "[Ord|ers.Amount]"}, {"dim": "[orders.Status]"}, {"dim": "[orders.csv.unit.price]"}',
    );
    expect(renamed(before, 'Sales')).toBe(
      column(
        '{"table": "Sales", "column": "Amount", "dim": "[Sales.Amount]"}, {"dim": "[Sales.Status]"}, {"dim": "[orders.csv.unit.price]"}',
      ),
    );
  });

  test('a dim that named something else stays', () => {
    expect(renamed(column('{"table": "Orders", "column": "Amo|unt", "dim": "[Other.X]"}'), 'Net')).toBe(
      column('{"table": "Orders", "column": "Net", "dim": "[Other.X]"}'),
    );
  });

  test('in rules', () => {
    expect(
      renamed(
        '[{"table": "Orders", "column": "a|"}, {"table": "Orders", "column": "a"}, {"table": "X", "column": "a"}]',
        'b',
        'rules',
      ),
    ).toBe(
      '[{"table": "Orders", "column": "b"}, {"table": "Orders", "column": "b"}, {"table": "X", "column": "a"}]',
    );
  });
});

describe('outline', () => {
  test('a viewpoint: its columns by title, and its shares', () => {
    const text = `{"name": "Sales", "description": "By day", "details": {"columns": [
      {"title": "Day", "dim": "[A.B]", "level": "days"}, {"column": "Amount", "agg": "sum"}, {"dim": "[A.B]"}, {}, 5]},
      "visibility": {"apps": ["x"], "groups": [], "users": ["a", "b"]}}`;
    const [document] = getJsonOutline('viewpoint', parseJson(text));
    expect([document?.name, document?.detail]).toEqual(['Sales', 'By day']);
    expect(document?.children.map(({ name, detail }) => [name, detail])).toEqual([
      ['Day', '[A.B] · days'],
      ['Amount', 'sum'],
      ['[A.B]', '[A.B]'],
      ['…', ''],
      ['visibility', '1 apps · 2 users'],
    ]);
  });

  test('rules: by column, with their parties', () => {
    const text = '[{"table": "a", "column": "b", "shares": [{"party": "x"}, {"type": "default"}]}, {}]';
    expect(getJsonOutline('rules', parseJson(text)).map(({ name, detail }) => [name, detail])).toEqual([
      ['a.b', 'x · default'],
      ['….…', ''],
    ]);
  });

  test.each(['', 'null', '5', '{', '[', '"x"'])('%j has none, or an empty one', (text) => {
    expect(getJsonOutline('viewpoint', parseJson(text)).flatMap(({ children }) => children)).toEqual([]);
  });
});

test('documents by their suffix', () => {
  expect(
    ['/a/b.viewpoint.json', '/x.rule.json', '/x.rules.json', '/x.table.json', '/rule.json'].map(
      getDocumentKindForPath,
    ),
  ).toEqual(['viewpoint', 'rule', 'rules', undefined, undefined]);
});
