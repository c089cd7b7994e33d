import { describe, expect, test } from 'vitest';
import { type Annotation, getPlanAnnotations } from '../../../src/cli/githubAnnotations.ts';
import { formatPlanMarkdown } from '../../../src/cli/planMarkdown.ts';
import type { PlanOutput } from '../../../src/cli/planOutput.ts';

const emptyPlan: PlanOutput = {
  version: 1,
  command: 'plan',
  planFileVersion: 3,
  environment: 'test',
  instance: { url: 'https://bi.example.com', role: 'staging' },
  hash: 'h',
  state: 'differs',
  prune: [],
  ignoreErrors: [],
  limits: {},
  counts: { create: 0, update: 0, delete: 0, unchanged: 3, requests: 1 },
  changes: [],
  extras: [],
  notes: [],
  deferred: [],
  problems: [],
  ignoredErrors: [],
  unknown: [],
  breaks: [],
  access: { summary: 'Summary.', rows: [], newTables: [], unchecked: [] },
  builds: [],
};

const createChange = (item: string, members: Partial<PlanOutput['changes'][number]> = {}) => ({
  action: 'create' as const,
  item,
  path: `${item}.json`,
  changedOnServer: false,
  pin: '',
  parts: [],
  ...members,
});

const list = <Entry>(count: number, create: (index: number) => Entry): Entry[] =>
  Array.from({ length: count }, (_value, index) => create(index));

const getTitles = (annotations: readonly Annotation[], level: Annotation['level']) =>
  annotations.flatMap((annotation) => (annotation.level === level ? annotation.title : []));

describe('the annotations of a plan', () => {
  test('warn of who sees new tables, of what is not in this apply, and of builds before the next one', () => {
    const annotations = getPlanAnnotations({
      ...emptyPlan,
      counts: { ...emptyPlan.counts, create: 2, deferred: 1 },
      changes: [
        createChange('table/M/New'),
        createChange('table/M/Open'),
        createChange('relation/M/A/X/B/X', { deferred: true }),
      ],
      deferred: [{ item: 'relation/M/A/X/B/X', reason: 'relation-column', text: 'Build first.' }],
      neededBuilds: ['M'],
      access: {
        ...emptyPlan.access,
        newTables: [
          { item: 'table/M/New', rules: ['X: everyone else: no values'] },
          { item: 'table/M/Open', rules: [] },
        ],
      },
      builds: [{ datamodel: 'M', type: 'schema_changes', files: ['a.csv'] }],
    });
    expect(annotations.map(({ level, title, message, file }) => [level, title, message, file])).toEqual([
      [
        'warning',
        'Plan for test',
        'Plan: 2 to create, 0 to change, 0 to delete. Not in this apply: 1 item. Summary.',
        undefined,
      ],
      [
        'warning',
        'Who will see new tables: table/M/Open',
        'everyone with access to the datamodel',
        'table/M/Open.json',
      ],
      ['warning', 'Who will see new tables: table/M/New', 'X: everyone else: no values', 'table/M/New.json'],
      ['warning', 'Not in this apply: relation/M/A/X/B/X', 'Build first.', 'relation/M/A/X/B/X.json'],
      ['warning', 'Next steps', 'Upload a.csv for M', undefined],
      ['warning', 'Next steps', 'Build M', undefined],
      ['warning', 'Next steps', expect.stringContaining('M'), undefined],
      ['notice', 'Will be created', 'table/M/New', 'table/M/New.json'],
      ['notice', 'Will be created', 'table/M/Open', 'table/M/Open.json'],
    ]);
  });

  test('say that an uncertain effect only might happen, as the report in Markdown does', () => {
    const access: PlanOutput['access'] = {
      ...emptyPlan.access,
      rows: [
        { effect: 'gains', party: 'Group Sales', text: 'all values' },
        { effect: 'gains', party: 'Anyone in both groups', text: 'all values', uncertain: true },
        { effect: 'loses', party: 'Group Support', text: 'no values', uncertain: true },
      ],
    };
    const messages = getPlanAnnotations({ ...emptyPlan, access }).map(({ message }) => message);
    expect(messages).toContain('all values');
    expect(messages).toContain('might gain access: all values');
    const markdown = formatPlanMarkdown({ ...emptyPlan, access });
    expect(markdown).toMatch(/Anyone in both groups.*: might gain access: all values/);
    expect(markdown).toMatch(/Group Support.*: might lose access: no values/);
    expect(markdown).not.toMatch(/Group Sales.*might/);
  });

  test('are no more than GitHub shows: the least important ones are merged, and counted', () => {
    const annotations = getPlanAnnotations({
      ...emptyPlan,
      changes: [
        createChange('table/M/Old', { action: 'update' }),
        ...list(124, (index) => createChange(`table/M/${index}`)),
      ],
      deferred: list(60, (index) => ({
        item: `viewpoint/${index % 58}`,
        reason: 'rules-first',
        text: index < 58 ? 'Later.' : 'Build first.',
      })),
      access: {
        ...emptyPlan.access,
        rows: list(4, (index) => ({ effect: 'gains', party: `Group ${index}`, text: 'more' })),
        newTables: list(30, (index) => ({ item: `table/M/${index}`, rules: [] })),
      },
    });
    expect(getTitles(annotations, 'warning')).toEqual([
      'Plan for test',
      'Gains access: Group 0',
      'Gains access: Group 1',
      'Gains access: Group 2',
      'Gains access: Group 3',
      'Who will see new tables (30)',
      'Not in this apply (60)',
    ]);
    expect(getTitles(annotations, 'notice')).toEqual(['Will be changed', 'Will be created (124)']);
    const getLines = (title: string) =>
      annotations.find((annotation) => annotation.title.startsWith(title))?.message.split('\n');
    const open = 'everyone with access to the datamodel';
    expect(getLines('Who will see')).toEqual([
      `table/M/0, table/M/1, table/M/2, table/M/3, table/M/4, and 25 more: ${open}`,
    ]);
    expect(getLines('Not in this')?.map((line) => line.replace(/.*, and/, 'and'))).toEqual([
      'and 53 more: Later.',
      'viewpoint/0, viewpoint/1: Build first.',
    ]);
    expect(getLines('Will be created')?.slice(-2)).toEqual(['table/M/49', '… and 74 more']);
  });

  test('have the rest in the last one if even the merged ones are too many', () => {
    const error = { path: 'a.json', line: 1, column: 1, message: 'Wrong.' };
    const note = { severity: 'warning', item: 'relation/M/A/X/B/X', pointer: '' } as const;
    const annotations = getPlanAnnotations({
      ...emptyPlan,
      interrupted: { journal: 'j', text: 'Interrupted.' },
      ignoredErrors: [{ ...error, code: 'sql/unknown-column' }],
      existingErrors: [{ ...error, code: 'sql/unknown-column' }],
      rulesWithoutEffect: [{ item: 'rules/M/A/X' }],
      notes: [
        { ...note, code: 'broken-relation', text: 'Broken.' },
        { ...note, code: 'same-source', text: 'Renamed?' },
        { ...note, code: 'unread-file', text: 'Unread.' },
      ],
      changes: list(7, (index) =>
        createChange(`table/M/${index}`, { action: 'delete', changedOnServer: index === 0 }),
      ),
      access: {
        ...emptyPlan.access,
        rows: (['gains', 'changes', 'loses'] as const).map((effect) => ({
          effect,
          party: 'Sales',
          text: effect,
        })),
        unchecked: ['the rules'],
      },
    });
    expect(getTitles(annotations, 'warning')).toEqual([
      'An earlier change was interrupted',
      'Plan for test',
      'Ignored errors',
      'Gains access: Sales',
      'Access changes: Sales',
      'Errors also on the instance',
      'Changed on the server since the last pull',
      "Rules that restrict nothing, because the instance doesn't have their column",
      'Builds might fail: relation/M/A/X/B/X',
      '5 more warnings',
    ]);
    expect(annotations.at(-1)?.message.split('\n')).toEqual([
      'Not renamed: relation/M/A/X/B/X: Renamed?',
      'Not compared: relation/M/A/X/B/X: Unread.',
      'Will be deleted: table/M/0 (changed on the server), table/M/1, table/M/2, table/M/3, table/M/4, and 2 more',
      'Not checked: the rules',
      'Loses access: Sales: loses',
    ]);
  });

  test('leave out what the counts say', () => {
    const notes = [
      { code: 'connection', severity: 'information', item: 'dataset/M/A', pointer: '/connection', text: '' },
    ] as const;
    const annotations = getPlanAnnotations({
      ...emptyPlan,
      state: 'same',
      notes: [...notes],
      extras: [{ item: 'viewpoint/A' }],
    });
    expect(annotations).toEqual([
      {
        level: 'notice',
        title: 'Plan for test',
        message: 'Nothing to change. Only on the instance, kept: 1 viewpoint.',
      },
    ]);
  });
});
