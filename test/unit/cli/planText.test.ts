import { expect, test } from 'vitest';
import { printPlan } from '../../../src/cli/planText.ts';
import type { CommandOutput } from '../../../src/cli/shell.ts';

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
