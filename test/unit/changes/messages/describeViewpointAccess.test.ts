import { describe, expect, test } from 'vitest';
import { english } from '../../../../src/base/localize.ts';
import { describeAccess } from '../../../../src/changes/messages/describeAccess.ts';
import type { PlannedAccess } from '../../../../src/changes/model/plan.ts';
import { computeAccessDifference } from '../../../../src/security/change/accessDifference.ts';
import {
  type ViewpointSharing,
  computeViewpointDifferences,
} from '../../../../src/security/change/viewpointDifference.ts';
import type { PartyRef } from '../../../../src/security/readRules.ts';
import { nothing, only, rule } from '../../security/rules.ts';

const regionRules = [
  rule({ ...only('North'), column: 'Regions.Region' }, 'group:1'),
  rule({ ...nothing, column: 'Regions.Region' }, 'default'),
];

describe('viewpoints', () => {
  const group = (id: string) => ({ type: 'group', id }) as const;
  const share = (parties: readonly PartyRef[], apps = ['teams']): ViewpointSharing => ({
    isPublished: true,
    apps,
    parties,
  });
  const sales = [group('1')];
  const otherGroup = [group('2')];

  function describeViewpoints(
    changes: Readonly<Record<string, readonly [ViewpointSharing | undefined, ViewpointSharing | undefined]>>,
    rows: PlannedAccess['subjects'] = [],
  ) {
    const { summary, sections } = describeAccess(
      {
        subjects: rows,
        viewpoints: Object.entries(changes).map(([name, change]) => ({
          name,
          differences: computeViewpointDifferences(...change),
        })),
        partyNames: new Map([['group:1', 'Sales']]),
      },
      english,
    );
    return {
      summary,
      lines: sections.flatMap(({ title, items }) =>
        items.map(({ text, detail }) => `${title}: ${text} · ${detail ?? ''}`),
      ),
    };
  }

  test('the summary names who gains a viewpoint, and counts other viewpoints', () => {
    const change = [undefined, share(sales)] as const;
    expect(describeViewpoints({ Net: change })).toEqual({
      summary: 'Group Sales gains the viewpoint Net.',
      lines: ['Gains access: Group Sales · viewpoint Net: not visible → visible in teams'],
    });
    expect(describeViewpoints({ Net: change, Gross: change }).summary).toBe(
      'Group Sales gains the viewpoint Net. 1 more viewpoint is shown to more people.',
    );
    expect(describeViewpoints({ Net: change, Gross: change, Tax: change }).summary).toMatch(
      / 2 more viewpoints are shown to more people\.$/,
    );
    const open = [undefined, share([])] as const;
    expect(describeViewpoints({ Open: open, Net: change }).summary).toBe(
      'Group Sales gains the viewpoint Net. 1 more viewpoint might be shown to more people.',
    );
    expect(describeViewpoints({ Net: change, Open: open, Wide: open }).summary).toMatch(
      / 2 more viewpoints might be shown to more people\.$/,
    );
  });

  test('the summary names who loses a viewpoint, and counts several viewpoints', () => {
    const loss = [share(sales), undefined] as const;
    const summarize = (...args: Parameters<typeof describeViewpoints>) => describeViewpoints(...args).summary;
    expect(summarize({ Net: [share([...sales, ...otherGroup]), undefined] })).toBe(
      'No one gains access. Group Sales and Group 2 lose the viewpoint Net.',
    );
    expect(summarize({ Net: [share(sales, ['teams', 'word']), share(sales)] })).toBe(
      'No one gains access. Group Sales loses the viewpoint Net in word.',
    );
    expect(summarize({ Open: [share([]), undefined] })).toBe(
      'No one gains access. Everyone might lose the viewpoint Open.',
    );
    expect(summarize({ Net: loss, Gross: loss })).toBe(
      'No one gains access. 2 viewpoints are shown to fewer people.',
    );
    expect(summarize({ Net: loss, Open: [share([]), undefined] })).toBe(
      'No one gains access. 2 viewpoints might be shown to fewer people.',
    );
  });

  test('viewpoints with the same change are one item, and are counted', () => {
    const change = [share(sales), undefined] as const;
    const names = ['A', 'B', 'C', 'D', 'E', 'F', 'G'];
    const { lines } = describeViewpoints({
      ...Object.fromEntries(names.map((name) => [name, change])),
      Other: [share([group('2')]), undefined],
    });
    expect(lines).toEqual([
      'Loses access: Group Sales · viewpoints A, B, C, D, E, and 2 more: visible in teams → not visible',
      'Loses access: Group 2 · viewpoint Other: visible in teams → not visible',
    ]);
  });

  test('many users, groups, and apps are counted', () => {
    const parties = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map(group);
    const apps = ['1', '2', '3', '4', '5', '6'];
    expect(describeViewpoints({ Net: [undefined, share(parties, apps)] })).toEqual({
      summary: 'Group a, Group b, and 5 more gain the viewpoint Net.',
      lines: [
        'Gains access: Group a, Group b, Group c, Group d, Group e, and 2 more · viewpoint Net: not visible → visible in 1, 2, 3, 4, 5, and 1 more',
      ],
    });
  });

  test('added and replaced apps are described', () => {
    expect(describeViewpoints({ Net: [share(sales), share(sales, ['teams', 'word'])] }).summary).toBe(
      'Group Sales gains the viewpoint Net in word.',
    );
    const both = [...sales, { type: 'user', id: 'ann' } as const];
    expect(describeViewpoints({ Net: [share(both), share(both, ['word'])] })).toEqual({
      summary:
        'Group Sales and User ann gain the viewpoint Net in word. Group Sales and User ann lose the viewpoint Net in teams.',
      lines: ['Access changes: Group Sales and User ann · viewpoint Net: visible in teams → visible in word'],
    });
  });

  test('access that cannot be determined is described as possible', () => {
    expect(describeViewpoints({ Net: [undefined, share([])] })).toEqual({
      summary: 'Everyone might gain the viewpoint Net.',
      lines: ['Gains access: Everyone · viewpoint Net: not visible → possibly visible in teams'],
    });
    expect(describeViewpoints({ Net: [share(sales, []), share([])] }).lines).toEqual([
      'Gains access: Everyone else · viewpoint Net: not visible → possibly visible in teams',
      'Access changes: Group Sales · viewpoint Net: possibly visible → possibly visible in teams',
    ]);
  });

  test('a summary does not say that no one gains access if someone gains a viewpoint, whether or not data is affected', () => {
    const loss = { Net: [share(sales), undefined] } as const;
    const gainedViewpoint = { Net: [undefined, share(sales)] } as const;
    const createSubjects = (before: readonly unknown[], after: readonly unknown[]) => [
      {
        title: 'Retail',
        difference: computeAccessDifference({ before: { rules: before }, after: { rules: after } }),
      },
    ];
    expect(describeViewpoints(loss).summary).toBe(
      'No one gains access. Group Sales loses the viewpoint Net.',
    );
    expect(describeViewpoints(gainedViewpoint, createSubjects([], regionRules)).summary).toBe(
      'Group Sales gains the viewpoint Net. 2 users and groups lose access to some data.',
    );
    const gainedData = createSubjects([rule(nothing, 'default')], []);
    const { summary, lines } = describeViewpoints(gainedViewpoint, gainedData);
    expect(summary).toBe(
      'Everyone else gains all values of Stores.Region (now: no values). Group Sales gains the viewpoint Net.',
    );
    expect(lines.at(-1)).toMatch(/^Gains access: Group Sales · viewpoint Net/);
    expect(describeViewpoints(loss, gainedData).summary).toMatch(/^Everyone else gains all values/);
  });
});
