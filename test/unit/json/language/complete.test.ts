import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { getJsonCompletions } from '../../../../src/json/language/complete.ts';
import type { LanguageContext } from '../../../../src/json/language/languageContext.ts';
import { parseJsonTree } from '../../../../src/json/text/parseJsonTree.ts';
import { lintViewpoint } from '../../../../src/viewpoints/index.ts';
import { DatamodelLookup } from '../../../../src/viewpoints/datamodelLookup.ts';
import { catalog } from '../../viewpoints/support.ts';
import { getPropertyRuns } from '../../../support/soak.ts';
import {
  acceptProposal,
  createViewpointText,
  context,
  getColumnText,
  getLabelsAt,
  getProposalsAt,
  removeCaret,
} from './support.ts';

const acceptInColumn = (inner: string, label: string): string =>
  getColumnText(acceptProposal(createViewpointText(inner), label));

describe('dim', () => {
  const allDims = [
    '[Orders.Order Id]',
    '[Orders.Amount]',
    '[Orders.Order Date (Calendar)]',
    '[Orders.Status]',
    '[Orders.Secret]',
    '[orders.csv.unit.price]',
    '[orders.csv.a]b]',
  ];

  test.each([
    '{"dim": |}',
    '{"dim":|}',
    '{"dim": "|"}',
    '{"dim": "|',
    '{"dim": |',
    '{"table": "Orders", "dim": |, "title": "x"}',
    '{"dim": |\n "title": "x"}',
    '{\n  "dim": |\n  // which?\n}',
  ])('proposes every column of the datamodel: %s', (inner) => {
    expect(getLabelsAt(createViewpointText(inner))).toEqual(allDims);
  });

  test('adds table, column and datatype if they are missing', () => {
    expect(acceptInColumn('{"dim": "|"}', '[Orders.Amount]')).toBe(
      '{"table": "Orders", "column": "Amount", "dim": "[Orders.Amount]", "datatype": "numeric"}',
    );
    expect(acceptInColumn('{"dim": |, "title": "x"}', '[Orders.Order Date (Calendar)]')).toBe(
      '{"table": "Orders", "column": "Order Date", "dim": "[Orders.Order Date (Calendar)]", "datatype": "datetime", "title": "x"}',
    );
  });

  test('updates the table, column and datatype that exist', () => {
    const before = '{"table": "x", "column": "y", "dim": "|[x.y]", "datatype": "text"}';
    expect(acceptInColumn(before, '[Orders.Amount]')).toBe(
      '{"table": "Orders", "column": "Amount", "dim": "[Orders.Amount]", "datatype": "numeric"}',
    );
  });

  test('adds each member on a line of its own if the members are on their own lines', () => {
    expect(acceptInColumn('\n  {\r\n\t"dim": |\r\n\t"datatype": "text"\r\n}', '[Orders.Amount]')).toBe(
      '\n  {\r\n\t"table": "Orders",\r\n\t"column": "Amount",\r\n\t"dim": "[Orders.Amount]"\r\n\t"datatype": "numeric"\r\n}',
    );
  });

  test('produces a result without lint problems', () => {
    for (const label of allDims) {
      expect(
        lintViewpoint(acceptProposal(createViewpointText('{"dim": "|"}'), label), catalog),
        label,
      ).toEqual([]);
    }
  });

  test("proposes the matching columns of a large datamodel, the column's table first", () => {
    const tables = Array.from({ length: 500 }, (_t, t) => ({
      name: `Table ${t}`,
      columns: Array.from({ length: 40 }, (_c, c) => ({ name: `Column ${c}`, type: 18 })),
    }));
    const largeContext = { ...context, model: new DatamodelLookup({ complete: true, tables }) };
    const text = createViewpointText('{"table": "Table 77", "dim": "colu7"}');
    const proposals = getJsonCompletions(
      'viewpoint',
      parseJsonTree(text),
      text.indexOf('7"}') + 1,
      largeContext,
    );
    expect(proposals.isComplete).toBe(false);
    expect(proposals.items.length).toBe(500);
    expect(proposals.items[0]?.label).toBe('[Table 77.Column 7]');
    const matches = getJsonCompletions(
      'viewpoint',
      parseJsonTree(createViewpointText('{"dim": "t499c39"}')),
      createViewpointText('{"dim": "t499c39').length - 3,
      largeContext,
    );
    expect(matches.items.map(({ label }) => label)).toEqual(['[Table 499.Column 39]']);
  });
});

describe('table and column', () => {
  test('proposes tables', () => {
    expect(getLabelsAt(createViewpointText('{"table": "|"}'))).toEqual([
      'Orders',
      'orders.csv',
      'Not Loaded',
    ]);
    expect(getLabelsAt(createViewpointText('{"table": "Ord|\n}'))).toEqual([
      'Orders',
      'orders.csv',
      'Not Loaded',
    ]);
  });

  test('proposes columns of the table, in any letter case', () => {
    expect(getLabelsAt(createViewpointText('{"table": "ORDERS.csv", "column": "|"}'))).toEqual([
      'unit.price',
      'a]b',
    ]);
    expect(getLabelsAt(createViewpointText('{"column": |, "table": "orders.csv"}'))).toEqual([
      'unit.price',
      'a]b',
    ]);
    expect(getLabelsAt(createViewpointText('{"table": "Nowhere", "column": "|"}'))).toEqual([]);
    expect(
      getProposalsAt(createViewpointText('{"table": "Orders", "column": "|"}')).map(({ detail }) => detail),
    ).toEqual(['Integer', 'Decimal', 'Timestamp', 'Text', 'Text, hidden']);
  });

  test('a column updates its dim, its datatype and its table', () => {
    expect(
      acceptInColumn('{"table": "Orders", "column": "|", "dim": "[a.b]", "datatype": "text"}', 'Amount'),
    ).toBe('{"table": "Orders", "column": "Amount", "dim": "[Orders.Amount]", "datatype": "numeric"}');
    expect(acceptInColumn('{"column": |}', 'unit.price')).toBe(
      '{"table": "orders.csv", "column": "unit.price"}',
    );
  });
});

describe('values that depend on the column', () => {
  const amount = '"table": "Orders", "column": "Amount"';
  test.each([
    [`{${amount}, "datatype": |}`, ['numeric', 'number']],
    ['{"dim": "[Orders.Order Date]", "datatype": "|"}', ['datetime']],
    ['{"datatype": |}', ['text', 'numeric', 'datetime', 'number']],
    [`{${amount}, "level": |}`, []],
    ['{"datatype": "datetime", "level": |}', ['days', 'weeks', 'months', 'quarters', 'years']],
    ['{"level": "|"}', ['days', 'weeks', 'months', 'quarters', 'years']],
    [`{${amount}, "agg": |}`, ['sum', 'average', 'count']],
    ['{"datatype": "text", "agg": "|"}', ['count']],
    ['{"dim": "[Orders.Order Date]", "agg": |}', ['count']],
    [`{${amount}, "title": |}`, ['Amount']],
  ])('%s', (inner, labels) => {
    expect(getLabelsAt(createViewpointText(inner))).toEqual(labels);
  });

  test('proposes the filters that the datatype supports', () => {
    expect(getLabelsAt(createViewpointText('{"datatype": "text", "filter": |}'))).toContain('contains');
    expect(getLabelsAt(createViewpointText('{"datatype": "text", "filter": |}'))).not.toContain('from');
    expect(getLabelsAt(createViewpointText('{"datatype": "datetime", "filter": |}'))).toContain('last');
    expect(getLabelsAt(createViewpointText('{"datatype": "number", "filter": |}'))).toContain('from');
    expect(getLabelsAt(createViewpointText('{"filter": |}'))).toEqual(
      expect.arrayContaining(['all', 'last', 'contains', 'from']),
    );
    for (const { insertText } of getProposalsAt(createViewpointText('{"filter": |}'))) {
      const json = insertText
        .replaceAll(/\$\{\d+[:|]([^},|]*)[^}]*\}/g, '$1')
        .replaceAll(/\[\$\d\]/g, '[]')
        .replaceAll(/\$\d/g, '');
      expect(() => JSON.parse(json) as unknown, json).not.toThrow();
    }
  });
});

describe('whole columns', () => {
  test.each(['|', '{"table": "x"}, |', '| {"table": "x"}', 'Ord|', '|\n'])('are proposed at %s', (inner) => {
    expect(getLabelsAt(createViewpointText(inner))).toContain('Orders.Amount');
  });

  test('proposes a column where the user starts one, with the missing comma', () => {
    expect(JSON.parse(acceptProposal(createViewpointText('|'), 'Orders.Order Date'))).toEqual({
      details: {
        columns: [
          {
            table: 'Orders',
            column: 'Order Date',
            dim: '[Orders.Order Date (Calendar)]',
            datatype: 'datetime',
            title: 'Order Date',
            level: 'days',
          },
        ],
      },
    });
    expect(
      JSON.parse(acceptProposal(createViewpointText('| {"table": "x"}'), 'Orders.Amount')).details.columns
        .length,
    ).toBe(2);
    expect(
      JSON.parse(acceptProposal(createViewpointText('Amo|'), 'Orders.Amount')).details.columns.length,
    ).toBe(1);
  });
});

describe('names that are known from the instance', () => {
  test.each([
    ['{"visibility": {"apps": ["|"]}}', ['slack', 'teams']],
    ['{"visibility": {"groups": [|]}}', ['Sales', 'Finance']],
    ['{"visibility": {"users": ["x", "|"]}}', ['Ada']],
    ['{"visibility": {"groups": ["6a1", |]}}', ['Finance']],
    ['{"visibility": {"groups": ["6a1", "F|"]}}', ['Finance']],
    ['{"visibility": {"groups": ["6|a1", "Finance"]}}', ['Sales']],
    ['{"details": {"datasource": {"title": "|"}}}', ['Retail', 'Sales "live"']],
    ['{"details": {"datasource": {"fullname": |}}}', ['LocalHost/Retail', 'live:Sales "live"']],
    ['{"visibility": {"enabled": |}}', []],
    ['{"name": "|"}', []],
    ['{"na|me": ""}', []],
    ['{|}', []],
    ['|', []],
    ['{"details": {"columns": [{"sort": |}]}}', []],
  ])('%s', (marked, labels) => {
    expect(getLabelsAt(marked)).toEqual(labels);
  });

  test('a user is proposed by name and inserted as an ID', () => {
    expect(acceptProposal('{"visibility": {"users": ["|"]}}', 'Ada')).toBe(
      '{"visibility": {"users": ["6b1"]}}',
    );
  });
});

describe('rules', () => {
  const createRuleText = (inner: string): string => `{"table": "Orders", "column": "Status", ${inner}}`;
  test.each([
    ['{"table": "|"}', ['Orders', 'orders.csv', 'Not Loaded']],
    ['{"table": "Orders", "column": "|"}', ['Order Id', 'Amount', 'Status', 'Secret']],
    ['{"column": "|"}', ['Order Id', 'Amount', 'Status', 'Secret', 'unit.price', 'a]b']],
    [createRuleText('"datatype": |'), ['text']],
    [createRuleText('"members": ["|"]'), ['open', 'shipped']],
    [createRuleText('"members": ["open", "|"]'), ['shipped']],
    [createRuleText('"members": ["|", "shipped"]'), ['open']],
    // A rule contains IDs: a group known only by name has none.
    [createRuleText('"shares": [{"type": "group", "party": "|"}]'), ['Sales']],
    [createRuleText('"shares": [{"type": "user", "partyId": |}]'), ['Ada']],
    [createRuleText('"shares": [{"partyId": |}]'), ['Sales', 'Ada']],
    [createRuleText('"shares": [{"type": "default", "party": "|"}]'), []],
    ['{"elasticube": |}', ['Retail']],
    ['{"fullname": "|"}', ['live:Sales "live"']],
    ['{"server": "|"}', ['LocalHost']],
  ])('%s', (marked, labels) => {
    expect(getLabelsAt(marked, 'rule')).toEqual(labels);
    expect(getLabelsAt(`[{}, ${marked}]`, 'rules')).toEqual(labels);
  });

  test('accepting a column updates its datatype', () => {
    const before = '{"table": "Orders", "column": "|", "datatype": "text"}';
    expect(acceptProposal(before, 'Amount', 'rule')).toBe(
      '{"table": "Orders", "column": "Amount", "datatype": "numeric"}',
    );
  });
});

describe('of more names than can be shown', () => {
  const users = Array.from({ length: 5_000 }, (_, index) => ({
    value: `6b${index}`,
    label: `User ${index}`,
    isId: true as const,
  }));
  const largeContext: LanguageContext = {
    ...context,
    instanceNames: {
      ...context.instanceNames,
      users,
      getMembers: () => users.map(({ label }) => label),
    },
  };
  const complete = (marked: string) => {
    const { text, offset } = removeCaret(marked);
    const { items, isComplete } = getJsonCompletions('rule', parseJsonTree(text), offset, largeContext);
    return { labels: items.map(({ label }) => label), isComplete };
  };

  test.each([
    '{"shares": [{"type": "user", "party": "|"}]}',
    '{"table": "Orders", "column": "Status", "members": ["|"]}',
  ])('the first are proposed, and typing finds the others: %s', (marked) => {
    const all = complete(marked);
    expect([all.labels.length, all.labels[0], all.isComplete]).toEqual([500, 'User 0', false]);
    const typed = complete(marked.replace('|', 'user 4998|'));
    expect(typed.labels).toContain('User 4998');
    expect(typed.labels).not.toContain('User 0');
    expect(typed.isComplete).toBe(false);
  });
});

const expectInOrder = (...offsets: readonly number[]): void =>
  expect(offsets).toEqual(offsets.toSorted((a, b) => a - b));

test('property: the edits of proposals lie within the text, wherever the caret is', () => {
  const document = `{"name": "a", "details": {"columns": [{"table": "Orders", "dim": "[Orders.Amount]", "datatype": "text", "filter": {"all": true}}]},\n"visibility": {"apps": ["x"]}}`;
  const text = fc
    .tuple(
      fc.nat(document.length),
      fc.nat(document.length),
      fc.constantFrom('', '"', '{', '}', ':', ',', ' \n', '"dim":', '\\'),
    )
    .map(([from, to, typed]) => document.slice(0, from) + typed + document.slice(to));
  const additionalEdits = { before: 0, after: 0 };
  fc.assert(
    fc.property(
      text,
      fc.nat(),
      fc.constantFrom('viewpoint' as const, 'rule' as const, 'rules' as const),
      (typed, offsetChoice, kind) => {
        const offset = offsetChoice % (typed.length + 1);
        for (const { start, end, additionalTextEdits = [] } of getJsonCompletions(
          kind,
          parseJsonTree(typed),
          offset,
          context,
        ).items) {
          expectInOrder(0, start, offset, end, typed.length);
          for (const edit of additionalTextEdits) {
            expectInOrder(0, edit.start, edit.end, typed.length);
            if (edit.start < start) {
              additionalEdits.before += 1;
              expect(edit.end).toBeLessThanOrEqual(start);
            } else {
              additionalEdits.after += 1;
              expect(edit.start).toBeGreaterThanOrEqual(end);
            }
          }
        }
      },
    ),
    { numRuns: getPropertyRuns(1000) },
  );
  // The property proves nothing about additional edits unless there were some before and some after the value.
  expect(
    Math.min(additionalEdits.before, additionalEdits.after),
    JSON.stringify(additionalEdits),
  ).toBeGreaterThan(10);
});

test('the descriptions of keywords and filters are translated, names are not', () => {
  const markTranslation = (text: string): string => `<${text}>`;
  const getDetails = (marked: string, kind: 'viewpoint' | 'rule'): readonly (string | undefined)[] => {
    const { text, offset } = removeCaret(marked);
    return getJsonCompletions(kind, parseJsonTree(text), offset, context, markTranslation).items.map(
      ({ detail }) => detail,
    );
  };
  const texts = [
    ...['"filter": |', '"level": "|"', '"agg": "|"', '"datatype": "|"'].map((property) =>
      getDetails(createViewpointText(`{${property}}`), 'viewpoint'),
    ),
    getDetails('{"details": {"datasource": {"title": "|"}}}', 'viewpoint'),
    getDetails('{"datatype": "|"}', 'rule'),
    getDetails('{"elasticube": "|"}', 'rule'),
    getDetails('{"fullname": "|"}', 'rule'),
  ];
  expect(texts.map((details) => details.length > 0)).toEqual(texts.map(() => true));
  expect(texts.flat().filter((detail) => detail === undefined || !/^<[^<>]+>$/.test(detail))).toEqual([]);
  expect(getDetails('{"table": "|"}', 'rule').join()).not.toContain('<');
});
