import { describe, expect, test } from 'vitest';
import { parseJsonTree } from '../../../src/json/text/parseJsonTree.ts';
import { getViewpointFixes } from '../../../src/viewpoints/fixes/viewpointFixes.ts';
import { viewpointFixMessages } from '../../../src/viewpoints/fixes/viewpointFix.ts';
import { lintViewpoint, type ViewpointCode } from '../../../src/viewpoints/index.ts';
import { applyEdits } from '../../../src/base/textEdit.ts';
import {
  numberColumn,
  catalog,
  getProblemCodes,
  dateColumn,
  textColumn,
  createViewpoint,
} from './support.ts';

/** The document with a comment on every line, which its author would want to keep. */
const addComments = (document: string): string =>
  document
    .split('\n')
    .map((line, index) => `${line} // ${index}`)
    .join('\n');

/** Each fix of the first problem with this code: its label and the resulting text. */
function applyFixes(
  document: string,
  code: ViewpointCode,
): { readonly label: string; readonly after: string }[] {
  const problem = lintViewpoint(document, catalog).find((found) => found.code === code);
  if (problem === undefined) {
    throw new Error(`No ${code} in ${document}`);
  }
  return getViewpointFixes(parseJsonTree(document), problem, catalog).map(({ code, args, edits }) => ({
    label: viewpointFixMessages[code].replaceAll(
      /\{(\d)\}/g,
      (_placeholder, index) => args[Number(index)] ?? '',
    ),
    after: applyEdits(document, edits),
  }));
}

/** The lines that differ, ignoring trailing commas: `-` for removed ones, `+` for new ones. */
function getDifference(before: string, after: string): readonly string[] {
  const [old, current] = [before.split('\n'), after.split('\n')].map((all) =>
    all.map((line) => line.trim().replace(/,$/, '')),
  );
  const getUnmatched = (lines: readonly string[] = [], others: readonly string[] = []): readonly string[] => {
    const unmatched = [...others];
    return lines.filter((line) => {
      const index = unmatched.indexOf(line);
      unmatched.splice(index, index === -1 ? 0 : 1);
      return index === -1;
    });
  };
  return [
    ...getUnmatched(old, current).map((line) => `- ${line}`),
    ...getUnmatched(current, old).map((line) => `+ ${line}`),
  ];
}

const uidColumn = { ...textColumn, filter: { all: true }, infusion: { header: true, uid: true } };

interface Case {
  readonly columns: readonly object[];
  readonly otherProperties?: object;
  readonly code: ViewpointCode;
  readonly label: string;
  readonly changes: readonly string[];
}

const cases: readonly Case[] = [
  {
    columns: [{ ...textColumn, dim: '[Orders.State]' }],
    code: 'dim-mismatch',
    label: 'Change "dim" to [Orders.Status]',
    changes: ['- "dim": "[Orders.State]"', '+ "dim": "[Orders.Status]"'],
  },
  {
    columns: [{ ...textColumn, dim: '[Orders.Amount]' }],
    code: 'dim-mismatch',
    label: 'Use the table and column from "dim": Orders, Amount',
    changes: ['- "column": "Status"', '+ "column": "Amount"'],
  },
  {
    columns: [{ ...dateColumn, dim: 'x' }],
    code: 'dim-mismatch',
    label: 'Change "dim" to [Orders.Order Date (Calendar)]',
    changes: ['- "dim": "x"', '+ "dim": "[Orders.Order Date (Calendar)]"'],
  },
  {
    columns: [{ ...textColumn, table: 'Order', dim: '[Order.Status]' }],
    code: 'unknown-table',
    label: 'Change to "Orders"',
    changes: [
      '- "table": "Order"',
      '- "dim": "[Order.Status]"',
      '+ "table": "Orders"',
      '+ "dim": "[Orders.Status]"',
    ],
  },
  {
    columns: [{ ...textColumn, column: 'Statsu', dim: '[Orders.Statsu]' }],
    code: 'unknown-column',
    label: 'Change to "Status"',
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
    label: 'Change to "Order Date"',
    changes: ['- "dim": "[Orders.Order Dat (Calendar)]"', '+ "dim": "[Orders.Order Date (Calendar)]"'],
  },
  {
    columns: [uidColumn, { ...uidColumn, infusion: { uid: true, filterOnly: false } }],
    code: 'one-uid',
    label: 'Remove "uid" from this column',
    changes: ['- "uid": true'],
  },
  {
    columns: [uidColumn, { ...uidColumn, infusion: { uid: true, filterOnly: false } }],
    code: 'one-uid',
    label: 'Move "uid" to this column',
    changes: ['- "uid": true'],
  },
  {
    columns: [{ ...textColumn, infusion: { uid: true } }],
    code: 'uid-needs-filter',
    label: 'Add a filter for all values',
    changes: ['+ "filter": {', '+ "all": true', '+ }'],
  },
  {
    columns: [{ ...numberColumn, infusion: { header: true, defaultDate: true } }],
    code: 'default-date-type',
    label: 'Remove "defaultDate" from this column',
    changes: ['- "defaultDate": true'],
  },
  {
    columns: [
      { ...dateColumn, datatype: 'text', dim: '[Orders.Order Date]', infusion: { defaultDate: true } },
    ],
    code: 'default-date-type',
    label: 'Change to a date column',
    changes: ['- "datatype": "text"', '+ "datatype": "datetime"'],
  },
  {
    columns: [{ level: 'days', ...textColumn }],
    code: 'level-needs-datetime',
    label: 'Remove the level',
    changes: ['- "level": "days"'],
  },
  {
    columns: [{ ...textColumn, agg: 'sum' }],
    code: 'agg-needs-number',
    label: 'Use "count"',
    changes: ['- "agg": "sum"', '+ "agg": "count"'],
  },
  {
    columns: [{ ...textColumn, agg: 'sum' }],
    code: 'agg-needs-number',
    label: 'Remove "agg"',
    changes: ['- "agg": "sum"'],
  },
  {
    columns: [{ ...numberColumn, filter: { all: true, from: 1, to: 2, explicit: true } }],
    code: 'filter-conflict',
    label: 'Remove "all"',
    changes: ['- "all": true'],
  },
  {
    columns: [{ ...numberColumn, filter: { all: true, from: 1, to: 2, explicit: true } }],
    code: 'filter-conflict',
    label: 'Keep "all" and remove the conditions',
    changes: ['- "from": 1', '- "to": 2'],
  },
  {
    columns: [{ ...textColumn, remark: 'x' }],
    code: 'schema',
    label: 'Remove "remark"',
    changes: ['- "remark": "x"'],
  },
  {
    columns: [{ ...textColumn, infusion: { visible: true, header: true } }],
    code: 'deprecated',
    label: 'Remove "visible"',
    changes: ['- "visible": true'],
  },
  {
    columns: [],
    otherProperties: { visibility: { apps: [], groups: ['Sales'] } },
    code: 'visibility-needs-app',
    label: 'Remove all sharing',
    changes: ['- "groups": [', '- "Sales"', '- ]', '+ "groups": []'],
  },
  {
    columns: [],
    otherProperties: { enabled: true, visibility: { enabled: false } },
    code: 'publication-conflict',
    label: 'Unpublish the viewpoint: set both to false',
    changes: ['- "enabled": true', '+ "enabled": false'],
  },
  {
    columns: [],
    otherProperties: { enabled: true, visibility: { enabled: false } },
    code: 'publication-conflict',
    label: 'Publish the viewpoint: set both to true',
    changes: ['- "enabled": false', '+ "enabled": true'],
  },
  {
    columns: [{ ...textColumn, Title: 'x' }],
    code: 'schema',
    label: 'Rename to "title"',
    changes: ['- "Title": "x"', '+ "title": "x"'],
  },
  {
    columns: [{ ...textColumn, title: 'y', titel: 'x' }],
    code: 'schema',
    label: 'Remove "titel"',
    changes: ['- "titel": "x"'],
  },
  {
    columns: [{ ...numberColumn, agg: 'avg' }],
    code: 'schema',
    label: 'Use "average"',
    changes: ['- "agg": "avg"', '+ "agg": "average"'],
  },
  {
    columns: [{ ...dateColumn, level: 'day' }],
    code: 'schema',
    label: 'Use "days"',
    changes: ['- "level": "day"', '+ "level": "days"'],
  },
  {
    columns: [{ ...textColumn, filterOnly: 'true' }],
    code: 'schema',
    label: 'Change to true',
    changes: ['- "filterOnly": "true"', '+ "filterOnly": true'],
  },
  {
    columns: [],
    otherProperties: { visibility: { apps: 'slack', users: [] } },
    code: 'schema',
    label: 'Convert to an array',
    changes: ['- "apps": "slack"', '+ "apps": [', '+ "slack"', '+ ]'],
  },
];

describe.each(cases)('$code: $label', ({ columns, otherProperties, code, label, changes }) => {
  test('removes the problem and changes nothing else', () => {
    const document = createViewpoint(columns, otherProperties);
    const found = applyFixes(document, code);
    const after =
      found.find((fix) => fix.label === label)?.after ?? `no such fix among ${JSON.stringify(found)}`;
    expect(getDifference(document, after)).toEqual(changes);
    expect(getProblemCodes(after).filter((remaining) => remaining === code)).toEqual([]);
  });

  test('keeps the comments', () => {
    const document = addComments(createViewpoint(columns, otherProperties));
    const after = applyFixes(document, code).find((fix) => fix.label === label)?.after ?? '';
    const keptComments = document
      .split('\n')
      .map((_line, index) => index)
      .filter((index) => new RegExp(`// ${index}(\\n|$)`).test(after));
    // Comments inside a replaced value are replaced with it.
    expect(keptComments.length).toBeGreaterThanOrEqual(
      document.split('\n').length - (label === 'Remove all sharing' ? 2 : 0),
    );
    expect(getProblemCodes(after).filter((remaining) => remaining === code)).toEqual([]);
  });
});

/** The fixes of the only problem, the preferred one marked. */
function listFixes(column: object, usedCatalog = catalog): readonly string[] {
  const document = createViewpoint([column]);
  return lintViewpoint(document, usedCatalog).flatMap((problem) =>
    getViewpointFixes(parseJsonTree(document), problem, usedCatalog).map(
      ({ code, args, isPreferred }) => `${isPreferred ? '* ' : ''}${code} ${args.join(', ')}`,
    ),
  );
}

describe('a misspelled name next to a correct dim', () => {
  test.each([
    [{ ...textColumn, table: 'Ordrs' }, ['* names-from-dim Orders, Status']],
    [{ ...textColumn, column: 'Statsu' }, ['* names-from-dim Orders, Status']],
    [{ ...textColumn, table: 'Weather' }, ['* names-from-dim Orders, Status']],
    [{ ...textColumn, column: 'Amout' }, ['use-column Amount', 'names-from-dim Orders, Status']],
    [{ ...textColumn, table: 'Ordrs', dim: '[Ordrs.Status]' }, ['* use-table Orders']],
  ])('has the expected fixes: %j', (column, labels) => {
    expect(listFixes(column)).toEqual(labels);
  });

  test('takes both names from the dim', () => {
    const document = createViewpoint([{ ...textColumn, table: 'Ordrs', column: 'Statsu' }]);
    expect(getProblemCodes(applyFixes(document, 'unknown-table')[0]?.after ?? '')).toEqual([]);
  });

  test('is first replaced by the names of the dim if names cannot be checked', () => {
    expect(listFixes({ ...textColumn, table: 'Ordrs' }, { ...catalog, complete: false })).toEqual([
      '* names-from-dim Orders, Status',
      'set-dim [Ordrs.Status]',
    ]);
  });

  test('if the column and the dim both exist but differ, the dim is rewritten first', () => {
    expect(listFixes({ ...textColumn, dim: '[Orders.Amount]' })).toEqual([
      '* set-dim [Orders.Status]',
      'names-from-dim Orders, Amount',
    ]);
  });
});

test('a duplicate key: the ignored one is removed', () => {
  const [fix] = applyFixes('{"name": "a", "description": "b", "name": "c"}', 'schema');
  expect(fix?.after).toBe('{"description": "b", "name": "c"}');
});

test('a trailing comma is removed, a missing name is added', () => {
  expect(applyFixes('{"name": "a", "description": "b",}', 'syntax')[0]?.after).toBe(
    '{"name": "a", "description": "b"}',
  );
  expect(applyFixes('{"description": "a"}', 'schema')[0]?.after).toBe('{"description": "a", "name": ""}');
});

test('a number becomes its original text', () => {
  expect(applyFixes('{"name": 12345678901234567890.10, "description": ""}', 'schema')[0]?.after).toBe(
    '{"name": "12345678901234567890.10", "description": ""}',
  );
});

test('problems that only the user can resolve have no fix', () => {
  expect(applyFixes('{"name": [], "description": ""}', 'schema')).toEqual([]);
  expect(applyFixes('nothing', 'syntax')).toEqual([]);
  expect(applyFixes(createViewpoint([{ table: 'Weather' }]), 'unknown-table')).toEqual([]);
});

test('two thousand flags are moved together, in one edit of the text', () => {
  const document = createViewpoint(Array.from({ length: 2000 }, () => uidColumn));
  const after = applyFixes(document, 'one-uid').find(
    ({ label }) => label === 'Move "uid" to this column',
  )?.after;
  expect(after?.match(/"uid"/g)).toHaveLength(1);
  expect(getProblemCodes(after ?? '')).toEqual([]);
});

test('a dim that is too long for the message is inserted completely', () => {
  const column = 'Amount '.repeat(20);
  const document = createViewpoint([{ column, dim: '[Orders.Total]' }]);
  const [fix] = applyFixes(document, 'dim-mismatch');
  expect(JSON.parse(fix?.after ?? '').details.columns).toEqual([{ column, dim: `[Orders.${column}]` }]);
});

describe('a fix that may change who sees the viewpoint is not preferred', () => {
  test.each([
    ['{"visibility":{"apps":[{"id":"a"}],"grups":["Everyone"]}}', ['rename-key groups']],
    ['{"visibilty":{"apps":[],"groups":["Everyone"]}}', ['rename-key visibility']],
    ['{"visibilty":{"grups":["Everyone"]}}', ['rename-key visibility']],
    ['{"enabeld":true}', ['rename-key enabled']],
    ['{"enabled":"yes"}', ['use-value true']],
    ['{"visibility":{"apps":"a"}}', ['make-list ']],
    [
      '{"visibility":{"apps":[],"grups":[],"users":[]},"descripton":"D"}',
      ['rename-key groups', '* rename-key description'],
    ],
  ])('%s', (document, labels) => {
    const fixes = lintViewpoint(document)
      .flatMap((problem) => getViewpointFixes(parseJsonTree(document), problem))
      .filter(({ code }) => code === 'rename-key' || code === 'use-value' || code === 'make-list');
    expect(
      fixes.map(({ code, args, isPreferred }) => `${isPreferred ? '* ' : ''}${code} ${args.join(', ')}`),
    ).toEqual(labels);
  });
});
