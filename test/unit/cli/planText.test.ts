import { expect, test } from 'vitest';
import { formatDifference, formatParts, formatSides, printPlan } from '../../../src/cli/planText.ts';
import type { CommandOutput } from '../../../src/cli/shell.ts';

type Change = Parameters<typeof formatParts>[0];

const createUpdate = (...parts: Change['parts']): Change => ({
  action: 'update',
  item: 'table/M/A',
  changedOnServer: false,
  pin: '',
  parts,
});

test.each<[string, Change['parts'][number], readonly string[]]>([
  ['a value', { pointer: '/description', before: 'a', after: 'b' }, ['description: "a" → "b"']],
  ['a new value', { pointer: '/description', after: 'b' }, ['description: none → "b"']],
  ['SQL', { pointer: '', before: 'SELECT 1', after: 'SELECT 2' }, ['content: "SELECT 1" → "SELECT 2"']],
  [
    'the members of a column that differ, and not those that only the instance has',
    {
      pointer: '/columns/K',
      before: { name: 'K', type: 8, hidden: true, description: 'Key' },
      after: { name: 'K', type: 18, description: 'Key', size: 20 },
    },
    ['columns/K/type: 8 → 18', 'columns/K/size: none → 20'],
  ],
  [
    'members of members',
    { pointer: '/a', before: { b: { c: 1, d: 2 }, e: 3 }, after: { b: { c: 1, d: 4 }, e: 3 } },
    ['a/b/d: 2 → 4'],
  ],
  [
    'a member that is removed',
    { pointer: '/buildBehavior', before: { type: 'x', config: 1 }, after: { type: 'x' } },
    ['buildBehavior/config: 1 → none'],
  ],
  ['a deleted column', { pointer: '/columns/K', before: { name: 'K' } }, ['columns/K: {"name":"K"} → none']],
  [
    'a member of an object with a strange name',
    { pointer: '/a', before: {}, after: { constructor: 1 } },
    ['a/constructor: none → 1'],
  ],
  ['lists as a whole', { pointer: '/a', before: [1, 2], after: [1, 3] }, ['a: [1,2] → [1,3]']],
])('a change shows %s', (_name, part, lines) => {
  expect(formatParts(createUpdate(part))).toEqual(lines);
});

test('no details are listed for an item that is created or deleted', () => {
  const change = createUpdate({ pointer: '', after: { name: 'A' } });
  expect(formatParts({ ...change, action: 'create' })).toEqual([]);
  expect(formatParts({ ...change, action: 'delete' })).toEqual([]);
});

test('of long SQL, the part that differs is shown', () => {
  const createSql = (condition: string) =>
    `SELECT ${'column, '.repeat(40)}1 FROM t WHERE ${condition} ${'x'.repeat(200)}`;
  const [before = '', after = '', ...rest] = formatDifference({
    before: createSql('a = 1'),
    after: createSql('a = 22'),
  }).split(' → ');
  expect(rest).toEqual([]);
  expect(before).toMatch(/^….{0,20}WHERE a = 1 x+…$/);
  expect(after).toMatch(/^….{0,20}WHERE a = 22 x+…$/);
  expect(Math.max(before.length, after.length)).toBeLessThanOrEqual(102);
  // What follows a long common text is shown even if it's the end.
  expect(formatDifference({ before: 'x'.repeat(200), after: `${'x'.repeat(200)}y` })).toBe(
    `…${'x'.repeat(20)}" → …${'x'.repeat(20)}y"`,
  );
  expect(formatDifference({ before: undefined, after: 'x'.repeat(200) })).toBe(`none → "${'x'.repeat(99)}…`);
});

test('a long new value is shortened where there was none before', () => {
  expect(formatSides({ before: undefined, after: 'x'.repeat(200) })).toEqual(['none', `"${'x'.repeat(99)}…`]);
});

test('the connections of an environment are counted, and other differences that stay are listed', () => {
  const note = { severity: 'information', pointer: '/connection', code: 'connection' } as const;
  const plan = {
    state: 'same',
    counts: { create: 0, update: 0, delete: 0, unchanged: 3, requests: 0 },
    changes: [],
    extras: [{ item: 'viewpoint/A' }, { item: 'viewpoint/B' }],
    notes: [
      { ...note, item: 'dataset/M/A', text: 'Not changed.' },
      { ...note, item: 'dataset/M/B', text: 'Not changed.' },
      { ...note, code: 'derived-column', item: 'table/M/A', pointer: '/columns/K', text: 'Derived.' },
      { ...note, code: 'derived-column', item: 'table/M/A', pointer: '/columns/L', text: 'Derived.' },
      { ...note, code: 'not-writable', item: 'customData/C', pointer: '/x', text: 'Not writable.' },
    ],
    deferred: [],
    problems: [],
    ignoredErrors: [],
    unknown: [],
    breaks: [],
    access: { summary: '', rows: [], newTables: [], unchecked: [] },
    builds: [],
  } as unknown as Parameters<typeof printPlan>[0];
  const lines: string[] = [];
  printPlan(plan, { printLine: (text: string) => lines.push(text) } as unknown as CommandOutput);
  expect(lines).toEqual([
    '2 datasets keep the connections that they have on the instance.',
    '2 columns of custom tables differ in what the instance derives from SQL, such as type and size.',
    'Will still differ: custom data/C/x: Not writable.',
    'Only on the instance, and not deleted without --prune KINDS: viewpoint/A, viewpoint/B',
    'Nothing to change. 1 item will still differ. 2 items are only on the instance.',
  ]);
});
