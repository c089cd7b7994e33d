import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type JsonObject, isJsonObject } from '../../../../src/base/json.ts';
import { asObject } from '../../../../src/changes/model/jsonMembers.ts';
import { splitViewpointUpdate } from '../../../../src/changes/model/viewpointSteps.ts';
import { readSharing, updateSharing } from '../../../../src/security/change/viewpointDifference.ts';
import { renameInViewpoint } from '../../../../src/viewpoints/renameInViewpoint.ts';

const createVisibility = (members: JsonObject = {}): JsonObject => ({
  enabled: true,
  apps: ['chat', 'sheets'],
  groups: ['East', 'West'],
  users: ['u1'],
  ...members,
});
const createColumn = (column: string, members: JsonObject = {}): JsonObject => ({
  table: 'A',
  column,
  ...members,
});
const createDetails = (...columns: readonly JsonObject[]): JsonObject => ({
  datasource: { title: 'M', modelType: 'external' },
  columns,
});
const filter = { members: ['1'] };
const viewpoint: JsonObject = {
  id: 'v',
  name: 'V',
  description: '',
  enabled: true,
  visibility: createVisibility(),
  details: createDetails(createColumn('K'), createColumn('L')),
};
const split = (update: JsonObject, current: JsonObject = viewpoint) =>
  splitViewpointUpdate(current, update, (details) => details);
const hidden = { enabled: false, visibility: createVisibility({ enabled: false }) };

describe('sent before changes of data:', () => {
  test.each<[string, JsonObject]>([
    ['an end of the publication', { enabled: false, visibility: createVisibility({ enabled: false }) }],
    ['fewer groups', { visibility: createVisibility({ groups: ['East'] }) }],
    ['fewer apps', { visibility: createVisibility({ apps: ['chat'] }) }],
    ['fewer columns', { details: createDetails(createColumn('K')) }],
    [
      'fewer users and columns, and a description',
      {
        visibility: createVisibility({ users: [] }),
        details: createDetails(createColumn('L', { title: 'Label' })),
        description: 'New',
      },
    ],
  ])('%s', (_title, update) => {
    expect(split(update)).toEqual({ beforeDataChanges: update });
  });
});

describe('sent after changes of data:', () => {
  test.each<[string, JsonObject]>([
    ['a name', { name: 'W', description: 'New' }],
    ['more groups', { visibility: createVisibility({ groups: ['East', 'West', 'North'] }) }],
    ['more columns', { details: createDetails(createColumn('L'), createColumn('M'), createColumn('K')) }],
    [
      'another title of a column',
      { details: createDetails(createColumn('K', { title: 'Key' }), createColumn('L')) },
    ],
  ])('%s', (_title, update) => {
    expect(split(update)).toEqual({ afterDataChanges: update });
  });

  test('any update of a viewpoint that is not published', () => {
    const update = {
      visibility: createVisibility({ groups: [] }),
      details: createDetails(createColumn('M')),
    };
    const unpublished = { ...viewpoint, enabled: false, visibility: createVisibility({ enabled: false }) };
    expect(split(update, unpublished)).toEqual({ afterDataChanges: update });
  });
});

describe('split into a part before and a part after changes of data:', () => {
  test('a new name and fewer groups', () => {
    const visibility = createVisibility({ groups: ['East'] });
    expect(split({ name: 'W', visibility })).toEqual({
      beforeDataChanges: { visibility },
      afterDataChanges: { name: 'W' },
    });
  });

  test('one group instead of another: in between, the viewpoint is shared with neither', () => {
    const visibility = createVisibility({ groups: ['West', 'North'], apps: ['chat', 'mail'] });
    expect(split({ visibility })).toEqual({
      beforeDataChanges: {
        visibility: createVisibility({ apps: ['chat'], groups: ['West'], users: ['u1'] }),
      },
      afterDataChanges: { visibility },
    });
  });

  test('fewer groups and more columns, and the reverse', () => {
    const fewer = { visibility: createVisibility({ groups: [] }) };
    const more = { details: createDetails(createColumn('K'), createColumn('L'), createColumn('M')) };
    expect(split({ ...more, ...fewer })).toEqual({ beforeDataChanges: fewer, afterDataChanges: more });
    const moreGroups = { visibility: createVisibility({ groups: ['East', 'West', 'North'] }) };
    const fewerColumns = { details: createDetails(createColumn('L')) };
    expect(split({ ...moreGroups, ...fewerColumns })).toEqual({
      beforeDataChanges: fewerColumns,
      afterDataChanges: moreGroups,
    });
  });

  test('one column instead of another', () => {
    const details = createDetails(createColumn('M'), createColumn('L'));
    expect(split({ details })).toEqual({
      beforeDataChanges: { details: createDetails(createColumn('L')) },
      afterDataChanges: { details },
    });
  });

  test('so that one column is removed first, and the others get their new names last', () => {
    const details = createDetails(createColumn('New'));
    const steps = splitViewpointUpdate(viewpoint, { details }, (current) => {
      const renamed = renameInViewpoint({ details: current }, [
        { target: { table: 'A', column: 'L' }, newName: 'New' },
      ]);
      return renamed['details'] ?? null;
    });
    expect(steps).toEqual({
      beforeDataChanges: { details: createDetails(createColumn('L')) },
      afterDataChanges: { details },
    });
  });
});

describe('hides the viewpoint during changes of data:', () => {
  test.each<[string, JsonObject]>([
    [
      'other groups, users, and apps',
      { visibility: createVisibility({ apps: ['mail'], groups: ['North'] }) },
    ],
    ['another visibility that is not documented', { visibility: createVisibility({ all: true }) }],
    ['other columns', { details: createDetails(createColumn('M')) }],
    ['no details', { details: null }],
    ['a new filter', { details: createDetails(createColumn('K', { filter }), createColumn('L')) }],
    [
      'a new column that only filters',
      {
        details: createDetails(createColumn('K'), createColumn('L'), createColumn('M', { filterOnly: true })),
      },
    ],
    [
      'another data source',
      { details: { ...createDetails(createColumn('K'), createColumn('L')), datasource: { title: 'Other' } } },
    ],
    ['a member that is not documented', { kind: 'open' }],
  ])('%s', (_title, update) => {
    const { visibility = viewpoint['visibility'] } = update;
    // The last step publishes it again.
    expect(split(update)).toEqual({
      beforeDataChanges: hidden,
      afterDataChanges: { ...update, visibility, enabled: true },
    });
  });

  test('another filter, or a removed filter', () => {
    const filtered = {
      ...viewpoint,
      details: createDetails(createColumn('K', { filter }), createColumn('L')),
    };
    for (const column of [createColumn('K'), createColumn('K', { filter: { members: ['2'] } })]) {
      const details = createDetails(column, createColumn('L'));
      expect(split({ details }, filtered)).toEqual({
        beforeDataChanges: hidden,
        afterDataChanges: { details, enabled: true, visibility: viewpoint['visibility'] },
      });
    }
  });

  test('without its visibility if that is incomplete: the platform refuses apps without users or groups', () => {
    const visibility = createVisibility({ groups: [], users: [] });
    expect(split({ details: null }, { ...viewpoint, visibility })).toEqual({
      beforeDataChanges: { enabled: false },
      afterDataChanges: { details: null, enabled: true },
    });
    expect(split({ details: null }, { ...viewpoint, visibility: null })).toEqual({
      beforeDataChanges: { enabled: false },
      afterDataChanges: { details: null, enabled: true },
    });
  });
});

const isEnabled = fc.constantFrom(true, false, undefined);
const publication = fc.record({
  enabled: isEnabled,
  visibility: fc.option(
    fc.record({ enabled: isEnabled, groups: fc.constantFrom(['East'], ['West'], ['North']) }),
    {
      nil: undefined,
    },
  ),
});

/** Leaves out members that are undefined. */
const toJson = (value: unknown) => JSON.parse(JSON.stringify(value)) as JsonObject;
const createPublication = ({
  enabled,
  visibility,
}: typeof publication extends fc.Arbitrary<infer Value> ? Value : never) =>
  toJson({
    enabled,
    visibility: visibility && { ...createVisibility({ apps: ['chat'], users: [] }), ...visibility },
  });

/** Servers that keep the states of publication in the viewpoint and in its visibility apart. */
const servers: readonly [string, (current: JsonObject, update: JsonObject) => JsonObject][] = [
  ['that replaces the visibility', (current, update) => ({ ...current, ...update })],
  [
    'on which a visibility without a state keeps the state',
    (current, update) => {
      const { enabled } = asObject(current['visibility']);
      const { visibility } = update;
      return {
        ...current,
        ...update,
        ...(isJsonObject(visibility) && enabled !== undefined
          ? { visibility: { enabled, ...visibility } }
          : {}),
      };
    },
  ],
];

test.each(servers)(
  'a viewpoint that was hidden in between is published again on a server %s',
  (_title, send) => {
    fc.assert(
      fc.property(publication, publication, fc.boolean(), (before, after, changesDetails) => {
        const current: JsonObject = {
          ...toJson({ ...viewpoint, enabled: undefined }),
          ...createPublication(before),
        };
        const update = { ...createPublication(after), ...(changesDetails ? { details: null } : {}) };
        const sharing = readSharing(current);
        if (sharing.isPublished === true && updateSharing(sharing, update).isPublished === true) {
          const { beforeDataChanges: first = {}, afterDataChanges: last = {} } = split(update, current);
          const result = send(send(current, first), last);
          if (first['enabled'] === false) {
            expect(readSharing(result).isPublished).toBe(true);
          }
        }
      }),
      { numRuns: 2000 },
    );
  },
);
