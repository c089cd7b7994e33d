import { expect, test } from 'vitest';
import { getPlanAnnotations } from '../../../src/cli/githubAnnotations.ts';
import { formatPlanMarkdown } from '../../../src/cli/planMarkdown.ts';
import { formatChange } from '../../../src/cli/planChanges.ts';
import { formatPlanCounts, formatPlanSummary } from '../../../src/cli/planCounts.ts';
import { printPlan } from '../../../src/cli/planText.ts';
import type { CommandOutput } from '../../../src/cli/shell.ts';

type PlanOutput = Parameters<typeof printPlan>[0];

const samePlan = {
  environment: 'test',
  instance: { url: 'https://bi.example.com', role: 'test' },
  hash: 'h',
  state: 'same',
  limits: {},
  counts: { create: 0, update: 0, delete: 0, unchanged: 3, unknown: 0, requests: 0 },
  changes: [],
  extras: [],
  notes: [],
  deferred: [],
  problems: [],
  ignoredErrors: [],
  existingErrors: [],
  unknown: [],
  breaks: [],
  access: { summary: '', rows: [], newTables: [], unchecked: [] },
  builds: [],
} as unknown as PlanOutput;

test.each<readonly [PlanOutput['limits'], string]>([
  [{}, 'Nothing to change: the instance matches the project.'],
  [{ datamodel: 'Retail' }, 'Nothing to change: the instance matches the project in Retail.'],
  [{ datamodel: 'Re*' }, 'Nothing to change: the instance matches the project in the datamodels "Re*".'],
  [
    { datamodel: 'Retail', viewpoint: '*' },
    'Nothing to change: the instance matches the project in Retail and all viewpoints.',
  ],
])('a plan with the limits %j says what it is about', (limits, text) => {
  const plan = { ...samePlan, limits };
  expect(formatPlanSummary(plan)).toBe(text);
  expect(formatPlanMarkdown(plan)).toContain(`(test). ${text}\n`);
});

test.each([
  ['create', '+ viewpoint/A (deleted on the server)'],
  ['update', '~ viewpoint/A (changed on the server)'],
] as const)('a change that overwrites what others have done says what that was: %s', (action, text) => {
  expect(formatChange({ action, item: 'viewpoint/A', pin: '', parts: [], changedOnServer: true })).toBe(text);
});

test.each([
  [undefined, 'changed on the server, possibly by the interrupted change'],
  [true, 'never pulled, possibly written by the interrupted change'],
] as const)(
  'a change of an item that an interrupted change may have written says so (never pulled: %s)',
  (neverPulled, text) => {
    const change: PlanOutput['changes'][number] = {
      action: 'update',
      item: 'viewpoint/A',
      pin: '',
      parts: [],
      changedOnServer: true,
      neverPulled,
      interrupted: true,
    };
    expect(formatChange(change)).toBe(`~ viewpoint/A (${text})`);
    const origin = text.replace(/^[^,]*/, '');
    const plan: PlanOutput = { ...samePlan, state: 'differs', changes: [change] };
    expect(formatPlanMarkdown(plan)).toContain(`viewpoint/A${origin}\`\n`);
    expect(getPlanAnnotations(plan).map(({ message }) => message)).toContain(`viewpoint/A${origin}`);
  },
);

test('a change that overwrites only some parts of others names these parts', () => {
  const change: PlanOutput['changes'][number] = {
    action: 'update',
    item: 'table/Retail/Employees',
    pin: '',
    changedOnServer: true,
    parts: [
      { pointer: '/description', before: 'A', after: 'B' },
      { pointer: '/hidden', before: true, after: false, changedOnServer: true },
    ],
  };
  expect(formatChange(change)).toBe('~ table/Retail/Employees (changed on the server: hidden)');
  expect(formatPlanMarkdown({ ...samePlan, changes: [change] })).toContain('Retail/Employees: hidden');
});

test('a limited plan names its limits even if it has changes or remaining differences', () => {
  const limits = { viewpoint: 'Profit \\*' };
  const change = { action: 'create', item: 'viewpoint/A', parts: [], changedOnServer: false };
  const planWithChanges = {
    ...samePlan,
    limits,
    state: 'differs',
    changes: [change],
    counts: { ...samePlan.counts, create: 1 },
    access: { ...samePlan.access, summary: 'No one gains or loses access.' },
  } as unknown as PlanOutput;
  expect(formatPlanSummary(planWithChanges)).toBe(
    'Plan for Profit *: 1 to create, 0 to change, 0 to delete. No one gains or loses access.',
  );
  const extras = [{ item: 'viewpoint/B' }];
  expect(formatPlanSummary({ ...samePlan, limits, extras })).toBe(
    'Nothing to change. In Profit *: Only on the instance, kept: 1 viewpoint.',
  );
  expect(formatPlanSummary({ ...samePlan, limits, state: 'unknown' })).toBe(
    "It's unknown whether there is anything to change in Profit *: not everything could be read. 3 items have no changes.",
  );
});

test('what only the instance has is counted by kind, in all formats and also with changes', () => {
  const extras = [
    { item: 'viewpoint/A' },
    { item: 'datamodel/M' },
    { item: 'rules/Retail/Orders/Status' },
    { item: 'datamodel/N' },
    { item: 'table/Retail/Orders', column: 'Status' },
    { item: 'cubeSetRules/All/Orders/Status' },
    { item: 'tableExpression/Retail/Top' },
    { item: 'customData/Settings' },
  ];
  const text =
    'Only on the instance, kept: 2 datamodels, 1 column, SQL of 1 custom table, rules on 1 column, 1 viewpoint, ' +
    'rules of cube sets on 1 column, 1 custom data object.';
  const plan = { ...samePlan, extras };
  const lines: string[] = [];
  printPlan(plan, { printLine: (line: string) => lines.push(line) } as unknown as CommandOutput);
  expect(lines.at(-1)).toBe(`Nothing to change. ${text}`);
  expect(formatPlanMarkdown(plan)).toContain(`(test). Nothing to change. ${text}\n`);
  expect(getPlanAnnotations(plan)).toEqual([
    { level: 'notice', title: 'Plan for test', message: `Nothing to change. ${text}` },
  ]);
  const changes = [{ action: 'create', item: 'viewpoint/B', parts: [], changedOnServer: false }] as const;
  expect(formatPlanCounts({ ...plan, changes } as unknown as PlanOutput)).toBe(
    `Plan: 0 to create, 0 to change, 0 to delete. ${text}`,
  );
});

test('the connections of an environment are counted, and other differences that stay are listed', () => {
  const note = { severity: 'information', pointer: '/connection', code: 'connection' } as const;
  const plan = {
    ...samePlan,
    extras: [{ item: 'viewpoint/A' }, { item: 'viewpoint/B' }],
    notes: [
      { ...note, item: 'dataset/M/A', text: 'Not changed.' },
      { ...note, item: 'dataset/M/B', text: 'Not changed.' },
      { ...note, code: 'derived-column', item: 'table/M/A', pointer: '/columns/K', text: 'Derived.' },
      { ...note, code: 'derived-column', item: 'table/M/A', pointer: '/columns/L', text: 'Derived.' },
      { ...note, code: 'not-writable', item: 'customData/C', pointer: '/x', text: 'Not writable.' },
    ],
  } as unknown as PlanOutput;
  const lines: string[] = [];
  printPlan(plan, { printLine: (text: string) => lines.push(text) } as unknown as CommandOutput);
  expect(lines).toEqual([
    'Environment: test (test)',
    '2 datasets keep the connections that they have on the instance.',
    '2 columns of custom tables differ because the instance derives them from SQL.',
    'Will still differ: custom data/C/x: Not writable.',
    'Only on the instance, and not deleted without --prune KINDS: viewpoint/A, viewpoint/B',
    'Nothing to change. 1 item will still differ. Only on the instance, kept: 2 viewpoints.',
  ]);
});

test('what is deleted with an item is counted in all formats, and items that no pull has seen are named', () => {
  const change = {
    action: 'delete',
    item: 'datamodel/M',
    changedOnServer: true,
    parts: [{ pointer: '', before: {} }],
    deletedWith: [
      { item: 'table/M/A', changedOnServer: false },
      { item: 'table/M/B', changedOnServer: true, neverPulled: true },
      { item: 'columnExpression/M/A/C', changedOnServer: true },
      { item: 'rules/M/A/C', changedOnServer: false },
    ],
  };
  const plan = { ...samePlan, state: 'differs', changes: [change] } as unknown as PlanOutput;
  const details = [
    'Also deleted: 2 tables, SQL of 1 custom column, rules on 1 column',
    'Never pulled: table/M/B',
    'Changed on the server: SQL/M/A/C',
  ];
  const lines: string[] = [];
  printPlan(plan, { printLine: (line: string) => lines.push(line) } as unknown as CommandOutput);
  expect(lines.slice(1, 5)).toEqual([
    '- datamodel/M (changed on the server)',
    ...details.map((line) => `    ${line}`),
  ]);
  const markdown = formatPlanMarkdown(plan);
  details.forEach((line) => expect(markdown).toContain(line));
  expect(getPlanAnnotations(plan).slice(1)).toEqual([
    { level: 'warning', title: 'Changed on the server since the last pull', message: 'datamodel/M' },
    {
      level: 'warning',
      title: 'Will be deleted',
      message: ['datamodel/M (changed on the server)', ...details].join('\n'),
    },
  ]);
});
