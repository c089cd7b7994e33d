import { describe, expect, test } from 'vitest';
import { parseJson } from '../../../src/json/text/parseJson.ts';
import { getViewpointFixes } from '../../../src/viewpoints/fixes/viewpointFixes.ts';
import { viewpointFixMessages } from '../../../src/viewpoints/fixes/viewpointFix.ts';
import { lintViewpoint, type ViewpointCode } from '../../../src/viewpoints/index.ts';
import { applyEdits } from '../../../src/base/textEdit.ts';
import { amount, catalog, codes, date, text, viewpoint } from './support.ts';

/** The document with a comment on every line, which its author would want to keep. */
const remarked = (document: string): string =>
  document
    .split('\n')
    .map((line, index) => `${line} // ${index}`)
    .join('\n');

/** Each fix of the first problem with this code: its label and the resulting text. */
function fixed(document: string, code: ViewpointCode): { readonly label: string; readonly after: string }[] {
  const problem = lintViewpoint(document, catalog).find((found) => found.code === code);
  if (problem === undefined) {
    throw new Error(`No ${code} in ${document}`);
  }
  return getViewpointFixes(parseJson(document), problem, catalog).map(({ reason, args, edits }) => ({
    label: viewpointFixMessages[reason].replaceAll(/\{(\d)\}/g, (_hole, index) => args[Number(index)] ?? ''),
    after: applyEdits(document, edits),
  }));
}

/** The lines that differ, ignoring trailing commas: `-` for removed ones, `+` for new ones. */
function difference(before: string, after: string): readonly string[] {
  const [old, fresh] = [before.split('\n'), after.split('\n')].map((all) =>
    all.map((line) => line.trim().replace(/,$/, '')),
  );
  const without = (lines: readonly string[] = [], others: readonly string[] = []): readonly string[] => {
    const left = [...others];
    return lines.filter((line) => {
      const at = left.indexOf(line);
      left.splice(at, at === -1 ? 0 : 1);
      return at === -1;
    });
  };
  return [
    ...without(old, fresh).map((line) => `- ${line}`),
    ...without(fresh, old).map((line) => `+ ${line}`),
  ];
}

const uid = { ...text, filter: { all: true }, infusion: { header: true, uid: true } };

interface Case {
  readonly columns: readonly object[];
  readonly rest?: object;
  readonly code: ViewpointCode;
  readonly label: string;
  readonly changes: readonly string[];
}

const cases: readonly Case[] = [
  {
    columns: [{ ...text, dim: '[Orders.State]' }],
    code: 'dim-mismatch',
    label: 'Write the dim as [Orders.Status]',
    changes: ['- "dim": "[Orders.State]"', '+ "dim": "[Orders.Status]"'],
  },
  {
    columns: [{ ...text, dim: '[Orders.Amount]' }],
    code: 'dim-mismatch',
    label: 'Take table and column from the dim: Orders, Amount',
    changes: ['- "column": "Status"', '+ "column": "Amount"'],
  },
  {
    columns: [{ ...date, dim: 'x' }],
    code: 'dim-mismatch',
    label: 'Write the dim as [Orders.Order Date (Calendar)]',
    changes: ['- "dim": "x"', '+ "dim": "[Orders.Order Date (Calendar)]"'],
  },
  {
    columns: [{ ...text, table: 'Order', dim: '[Order.Status]' }],
    code: 'unknown-table',
    label: 'Use the table "Orders"',
    changes: [
      '- "table": "Order"',
      '- "dim": "[Order.Status]"',
      '+ "table": "Orders"',
      '+ "dim": "[Orders.Status]"',
    ],
  },
  {
    columns: [{ ...text, column: 'Statsu', dim: '[Orders.Statsu]' }],
    code: 'unknown-column',
    label: 'Use the column "Status"',
    changes: [
      '- "column": "Statsu"',
      '- "dim": "[Orders.Statsu]"',
      '+ "column": "Status"',
      '+ "dim": "[Orders.Status]"',
    ],
  },
  {
    columns: [{ dim: '[Orders.Order Dat (Calendar)]' }],
    code: 'unknown-column',
    label: 'Use the column "Order Date"',
    changes: ['- "dim": "[Orders.Order Dat (Calendar)]"', '+ "dim": "[Orders.Order Date (Calendar)]"'],
  },
  {
    columns: [uid, { ...uid, infusion: { uid: true, filterOnly: false } }],
    code: 'one-uid',
    label: 'Remove "uid" from this column',
    changes: ['- "uid": true'],
  },
  {
    columns: [uid, { ...uid, infusion: { uid: true, filterOnly: false } }],
    code: 'one-uid',
    label: 'Move "uid" to this column',
    changes: ['- "uid": true'],
  },
  {
    columns: [{ ...text, infusion: { uid: true } }],
    code: 'uid-needs-filter',
    label: 'Add a filter for all values',
    changes: ['+ "filter": {', '+ "all": true', '+ }'],
  },
  {
    columns: [{ ...amount, infusion: { header: true, defaultDate: true } }],
    code: 'default-date-type',
    label: 'Remove "defaultDate" from this column',
    changes: ['- "defaultDate": true'],
  },
  {
    columns: [{ ...date, datatype: 'text', dim: '[Orders.Order Date]', infusion: { defaultDate: true } }],
    code: 'default-date-type',
    label: 'Make it a column of dates',
    changes: ['- "datatype": "text"', '+ "datatype": "datetime"'],
  },
  {
    columns: [{ level: 'days', ...text }],
    code: 'level-needs-datetime',
    label: 'Remove the level',
    changes: ['- "level": "days"'],
  },
  {
    columns: [{ ...text, infusion: { visible: true, header: true } }],
    code: 'deprecated',
    label: 'Remove "visible"',
    changes: ['- "visible": true'],
  },
  {
    columns: [],
    rest: { visibility: { apps: [], groups: ['Sales'] } },
    code: 'visibility-needs-app',
    label: 'Share it with nobody',
    changes: ['- "groups": [', '- "Sales"', '- ]', '+ "groups": []'],
  },
  {
    columns: [{ ...text, Title: 'x' }],
    code: 'schema',
    label: 'Rename it to "title"',
    changes: ['- "Title": "x"', '+ "title": "x"'],
  },
  {
    columns: [{ ...amount, agg: 'avg' }],
    code: 'schema',
    label: 'Use "average"',
    changes: ['- "agg": "avg"', '+ "agg": "average"'],
  },
  {
    columns: [{ ...date, level: 'day' }],
    code: 'schema',
    label: 'Use "days"',
    changes: ['- "level": "day"', '+ "level": "days"'],
  },
  {
    columns: [{ ...text, filterOnly: 'true' }],
    code: 'schema',
    label: 'Write true',
    changes: ['- "filterOnly": "true"', '+ "filterOnly": true'],
  },
  {
    columns: [],
    rest: { visibility: { apps: 'slack', users: [] } },
    code: 'schema',
    label: 'Make it a list',
    changes: ['- "apps": "slack"', '+ "apps": [', '+ "slack"', '+ ]'],
  },
];

describe.each(cases)('$code: $label', ({ columns, rest, code, label, changes }) => {
  test('removes the problem and changes nothing else', () => {
    const document = viewpoint(columns, rest);
    const found = fixed(document, code);
    const after =
      found.find((fix) => fix.label === label)?.after ?? `no such fix among ${JSON.stringify(found)}`;
    expect(difference(document, after)).toEqual(changes);
    expect(codes(after).filter((left) => left === code)).toEqual([]);
  });

  test('keeps the comments', () => {
    const document = remarked(viewpoint(columns, rest));
    const after = fixed(document, code).find((fix) => fix.label === label)?.after ?? '';
    const kept = document
      .split('\n')
      .map((_line, index) => index)
      .filter((index) => new RegExp(`// ${index}(\\n|$)`).test(after));
    // Comments inside a replaced value are replaced with it.
    expect(kept.length).toBeGreaterThanOrEqual(
      document.split('\n').length - (label === 'Share it with nobody' ? 2 : 0),
    );
    expect(codes(after).filter((left) => left === code)).toEqual([]);
  });
});

test('a duplicate key: the ignored one is removed', () => {
  const [fix] = fixed('{"name": "a", "description": "b", "name": "c"}', 'schema');
  expect(fix?.after).toBe('{"description": "b", "name": "c"}');
});

test('a trailing comma is removed, a missing name is added', () => {
  expect(fixed('{"name": "a", "description": "b",}', 'syntax')[0]?.after).toBe(
    '{"name": "a", "description": "b"}',
  );
  expect(fixed('{"description": "a"}', 'schema')[0]?.after).toBe('{"description": "a", "name": ""}');
});

test('a number becomes its original text', () => {
  expect(fixed('{"name": 12345678901234567890.10, "description": ""}', 'schema')[0]?.after).toBe(
    '{"name": "12345678901234567890.10", "description": ""}',
  );
});

test('problems that only the user can resolve have no fix', () => {
  expect(fixed('{"name": [], "description": ""}', 'schema')).toEqual([]);
  expect(fixed('nothing', 'syntax')).toEqual([]);
  expect(fixed(viewpoint([{ table: 'Weather' }]), 'unknown-table')).toEqual([]);
});

test('two thousand flags are moved together, in one edit of the text', () => {
  const document = viewpoint(Array.from({ length: 2000 }, () => uid));
  const after = fixed(document, 'one-uid').find(({ label }) => label === 'Move "uid" to this column')?.after;
  expect(after?.match(/"uid"/g)).toHaveLength(1);
  expect(codes(after ?? '')).toEqual([]);
});
