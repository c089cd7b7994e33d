import { describe, expect, test } from 'vitest';
import { english } from '../../../../src/base/localize.ts';
import type { JsonDocumentKind } from '../../../../src/json/language/documentKind.ts';
import { getDocumentKindForPath } from '../../../../src/json/language/documentKind.ts';
import { getJsonOutline } from '../../../../src/json/language/outline.ts';
import { getJsonRenameEdits } from '../../../../src/json/language/rename.ts';
import { getCatalogReferenceAt } from '../../../../src/json/language/catalogReference.ts';
import { parseJsonTree } from '../../../../src/json/text/parseJsonTree.ts';
import { applyEdits } from '../../../../src/base/textEdit.ts';
import { removeCaret, createViewpointText, context } from './support.ts';

const { model } = context;

/** The table and column that are referenced at the caret, and the text of the reference. */
function getReferenceAtCaret(
  marked: string,
  kind: JsonDocumentKind = 'viewpoint',
): readonly (string | undefined)[] | undefined {
  const { text, offset } = removeCaret(marked);
  const found = getCatalogReferenceAt(kind, parseJsonTree(text), offset, model);
  return found === undefined ? undefined : [found.table, found.column, text.slice(found.start, found.end)];
}

function renameAtCaret(marked: string, newName: string, kind: JsonDocumentKind = 'viewpoint'): string {
  const { text, offset } = removeCaret(marked);
  const found = getCatalogReferenceAt(kind, parseJsonTree(text), offset, model);
  return found === undefined
    ? text
    : applyEdits(text, getJsonRenameEdits(kind, parseJsonTree(text), found, newName, model));
}

describe('the reference at the caret', () => {
  test.each([
    [createViewpointText('{"table": "Ord|ers"}'), ['Orders', undefined, '"Orders"']],
    [createViewpointText('{"table": "Orders", "column": "Amount|"}'), ['Orders', 'Amount', '"Amount"']],
    [createViewpointText('{"dim": "[Ord|ers.Amount]"}'), ['Orders', undefined, '"[Orders.Amount]"']],
    [createViewpointText('{"dim": "[Orders.Am|ount]"}'), ['Orders', 'Amount', '"[Orders.Amount]"']],
    [
      createViewpointText('{"dim": "[orders.csv.unit.pr|ice]"}'),
      ['orders.csv', 'unit.price', '"[orders.csv.unit.price]"'],
    ],
    [
      createViewpointText('{"dim": "[Orders.Order |Date (Calendar)]"}'),
      ['Orders', 'Order Date', '"[Orders.Order Date (Calendar)]"'],
    ],
    [createViewpointText('{"table": "a.b", "dim": "[a.b.|c]"}'), ['a.b', 'c', '"[a.b.c]"']],
    [createViewpointText('{"title": "Ord|ers"}'), undefined],
    [createViewpointText('{"dim": "|"}'), undefined],
    [createViewpointText('{"column": "Am|ount"}'), undefined],
    [createViewpointText('{"filter": {"by": {"table": "Ord|ers"}}}'), undefined],
    ['{"table": "Ord|ers"}', undefined],
    ['|', undefined],
  ])('%s', (marked, expected) => {
    expect(getReferenceAtCaret(marked)).toEqual(expected);
  });

  test('is found in rules, too', () => {
    expect(getReferenceAtCaret('{"table": "Ord|ers"}', 'rule')).toEqual(['Orders', undefined, '"Orders"']);
    expect(getReferenceAtCaret('[{}, {"table": "Orders", "column": "|x"}]', 'rules')).toEqual([
      'Orders',
      'x',
      '"x"',
    ]);
    expect(getReferenceAtCaret('[{"shares": [{"table": "|x"}]}]', 'rules')).toBeUndefined();
  });
});

describe('rename', () => {
  test('a column is renamed in columns and dims everywhere in the document', () => {
    const before = createViewpointText(
      '{"table": "Orders", "column": "Am|ount", "dim": "[Orders.Amount]", "title": "Amount"}, // keep\n' +
        '{"dim": "[Orders.Amount (Calendar)]"}, {"table": "Lines", "column": "Amount", "dim": "[Lines.Amount]"}',
    );
    expect(renameAtCaret(before, 'Net "x"')).toBe(
      createViewpointText(
        '{"table": "Orders", "column": "Net \\"x\\"", "dim": "[Orders.Net \\"x\\"]", "title": "Amount"}, // keep\n' +
          '{"dim": "[Orders.Net \\"x\\" (Calendar)]"}, {"table": "Lines", "column": "Amount", "dim": "[Lines.Amount]"}',
      ),
    );
  });

  test('a table is renamed in tables and the dims of all its columns', () => {
    const before = createViewpointText(
      '{"table": "Orders", "column": "Amount", "dim": "[Ord|ers.Amount]"}, {"dim": "[orders.Status]"}, {"dim": "[orders.csv.unit.price]"}',
    );
    expect(renameAtCaret(before, 'Sales')).toBe(
      createViewpointText(
        '{"table": "Sales", "column": "Amount", "dim": "[Sales.Amount]"}, {"dim": "[Sales.Status]"}, {"dim": "[orders.csv.unit.price]"}',
      ),
    );
  });

  test('names in filters and formulas are renamed, too', () => {
    const before = createViewpointText(
      '{"table": "Orders", "column": "Am|ount", "filter": {"top": 3, "by": {"table": "Orders", "column": "Amount"}}}, ' +
        '{"formula": "sum([a])", "context": {"[a]": {"table": "Orders", "column": "Amount", "dim": "[Orders.Amount]"}}}',
    );
    expect(renameAtCaret(before, 'Net')).toBe(
      createViewpointText(
        '{"table": "Orders", "column": "Net", "filter": {"top": 3, "by": {"table": "Orders", "column": "Net"}}}, ' +
          '{"formula": "sum([a])", "context": {"[a]": {"table": "Orders", "column": "Net", "dim": "[Orders.Net]"}}}',
      ),
    );
  });

  test('a dim that names another column stays', () => {
    expect(
      renameAtCaret(
        createViewpointText('{"table": "Orders", "column": "Amo|unt", "dim": "[Other.X]"}'),
        'Net',
      ),
    ).toBe(createViewpointText('{"table": "Orders", "column": "Net", "dim": "[Other.X]"}'));
  });

  test('a column is renamed in all rules of its table', () => {
    expect(
      renameAtCaret(
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
  test('a viewpoint has its columns by title, and its visibility', () => {
    const text = `{"name": "Sales", "description": "By day", "details": {"columns": [
      {"title": "Day", "dim": "[A.B]", "level": "days"}, {"column": "Amount", "agg": "sum"}, {"dim": "[A.B]"}, {}, 5]},
      "visibility": {"apps": ["x"], "groups": [], "users": ["a", "b"]}}`;
    const [document] = getJsonOutline(english, 'viewpoint', parseJsonTree(text));
    expect([document?.name, document?.detail]).toEqual(['Sales', 'By day']);
    expect(document?.children.map(({ name, detail }) => [name, detail])).toEqual([
      ['Day', '[A.B] · days'],
      ['Amount', 'sum'],
      ['[A.B]', '[A.B]'],
      ['…', ''],
      ['visibility', '1 app · 2 users'],
    ]);
  });

  test('rules are listed by column, with their parties', () => {
    const text = '[{"table": "a", "column": "b", "shares": [{"party": "x"}, {"type": "default"}]}, {}]';
    expect(
      getJsonOutline(english, 'rules', parseJsonTree(text)).map(({ name, detail }) => [name, detail]),
    ).toEqual([
      ['a.b', 'x · default'],
      ['….…', ''],
    ]);
  });

  test.each(['', 'null', '5', '{', '[', '"x"'])('%j has no outline items below the document', (text) => {
    expect(
      getJsonOutline(english, 'viewpoint', parseJsonTree(text)).flatMap(({ children }) => children),
    ).toEqual([]);
  });
});

test('the suffix of a path determines the kind of document', () => {
  expect(
    ['/a/b.viewpoint.json', '/x.rule.json', '/x.rules.json', '/x.table.json', '/rule.json'].map(
      getDocumentKindForPath,
    ),
  ).toEqual(['viewpoint', 'rule', 'rules', undefined, undefined]);
});
