import { expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/base/json.ts';
import {
  createViewpointCreationWrite,
  createViewpointDeletionWrite,
  createViewpointUpdateWrite,
} from '../../../../src/changes/model/viewpointWrites.ts';
import {
  createRestrictionCheck,
  findShownDatasources,
} from '../../../../src/changes/rules/shownDatasources.ts';

const datasource = { title: 'M', fullname: 'LocalHost/M', modelType: 'external' };
const details = { datasource, columns: ['K', 'L'].map((column) => ({ table: 'A', column })) };
const visibility = { enabled: true, apps: ['chat'], groups: ['East', 'West'], users: [] };
const viewpoint = { id: 'v', name: 'V', description: '', enabled: true, visibility, details };
const hidden = { enabled: false, visibility: { ...visibility, enabled: false } };

const ids = { viewpointId: 'v' } as const;
const find = (updates: readonly JsonObject[], document?: JsonObject) => [
  ...findShownDatasources(
    updates.map((update) => createViewpointUpdateWrite(ids, update)),
    document === undefined ? [] : [{ ref: { kind: 'viewpoint', ...ids }, document }],
  ),
];

test.each<[string, JsonObject]>([
  ['more groups', { visibility: { ...visibility, groups: ['East', 'West', 'North'] } }],
  ['more apps', { visibility: { ...visibility, apps: ['chat', 'sheets'] } }],
  ['another visibility that is not documented', { visibility: { ...visibility, all: true } }],
  ['other details', { details: { ...details, columns: [{ table: 'A', column: 'M' }] } }],
  ['a member that is not documented', { kind: 'open' }],
])('an update may show more: %s', (_title, update) => {
  expect(find([update], viewpoint)).toEqual([[0, datasource]]);
});

test.each<[string, JsonObject]>([
  ['a name and a description', { name: 'W', description: 'New' }],
  ['fewer groups', { visibility: { ...visibility, groups: ['East'] } }],
  ['no longer published', hidden],
  ['fewer columns', { details: { ...details, columns: details.columns.slice(0, 1) } }],
  ['the same', { visibility, details }],
])('an update shows nothing more: %s', (_title, update) => {
  expect(find([update], viewpoint)).toEqual([]);
});

test('a viewpoint that is hidden and published again shows more by the last step, with its new data source', () => {
  const other = { ...datasource, title: 'N' };
  const published = { enabled: true, visibility, details: { ...details, datasource: other } };
  expect(find([hidden, published], viewpoint)).toEqual([[1, other]]);
  expect(find([{ details: { ...details, columns: [] } }], { ...viewpoint, ...hidden })).toEqual([]);
});

test('an update of an unknown viewpoint may show more, unless it only hides or names it', () => {
  expect(find([{ details }])).toEqual([[0, datasource]]);
  expect(find([{ visibility }])).toEqual([[0, {}]]);
  expect(find([{ enabled: false }])).toEqual([]);
  expect(find([{ name: 'W' }])).toEqual([]);
});

test('a new viewpoint shows its data source, and a deleted one nothing', () => {
  const writes = [createViewpointDeletionWrite(ids), createViewpointCreationWrite({ name: 'W', details })];
  expect([...findShownDatasources(writes, [])]).toEqual([[1, datasource]]);
});

test.each<[string, JsonObject, readonly string[]]>([
  ['a datamodel', datasource, ['M', 'Set']],
  ['a live datamodel', { title: 'Live', fullname: 'live:Live', modelType: 'live' }, ['Set', 'Live']],
  ['a known cube set', { ...datasource, title: 'Set' }, ['M', 'N', 'Set', 'Live']],
  ['another cube set', { ...datasource, title: 'X', fullname: 'Set/X' }, ['M', 'N', 'Set', 'Live']],
  ['a perspective', { ...datasource, modelType: 'perspective' }, ['M', 'N', 'Set', 'Live']],
  ['an unknown data source', {}, ['M', 'N', 'Set', 'Live']],
])('the rules that may restrict a viewpoint of %s are found', (_title, source, titles) => {
  const extracts = ['M', 'N', 'Set'].map(
    (elasticube) =>
      ({ kind: 'extract', server: elasticube === 'Set' ? 'Set' : 'LocalHost', elasticube }) as const,
  );
  const subjects = [...extracts, { kind: 'live', title: 'Live' } as const];
  const mayRestrict = createRestrictionCheck(source, subjects);
  expect(
    subjects
      .filter(mayRestrict)
      .map((subject) => (subject.kind === 'live' ? subject.title : subject.elasticube)),
  ).toEqual(titles);
});
