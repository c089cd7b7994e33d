import fc from 'fast-check';
import { expect, test } from 'vitest';
import { groupByDatamodel } from '../../../src/catalog/viewpointGroups.ts';
import type { Viewpoint } from '../../../src/contract/viewpoint.ts';

type Datasource = NonNullable<Viewpoint['details']>['datasource'];

const createViewpoints = (...datasources: readonly Datasource[]): readonly Viewpoint[] =>
  datasources.map((datasource, index) => ({
    id: String(index),
    ...(datasource === undefined ? {} : { details: { datasource } }),
  }));

const getGroups = (...datasources: readonly Datasource[]) =>
  groupByDatamodel(createViewpoints(...datasources)).map(({ title, fullname, viewpoints }) => [
    title,
    fullname,
    viewpoints.map(({ id }) => id).join(''),
  ]);

test('groups are sorted by title, and viewpoints without a datamodel are last', () => {
  expect(
    getGroups(
      undefined,
      { title: 'Sales 10', fullname: 'LocalHost/Sales 10' },
      { title: 'sales 2', fullname: 'LocalHost/sales 2' },
      { title: '', id: '' },
      { title: 'sales 2', fullname: 'localhost/sales 2' },
    ),
  ).toEqual([
    ['sales 2', 'LocalHost/sales 2', '24'],
    ['Sales 10', 'LocalHost/Sales 10', '1'],
    [undefined, undefined, '03'],
  ]);
});

test('datamodels with the same title are different groups', () => {
  expect(
    getGroups(
      { title: 'Sales', fullname: 'live:Sales' },
      { title: 'Sales', fullname: 'LocalHost/Sales' },
      { fullname: 'Build2/Sales' },
    ),
  ).toEqual([
    ['Sales', 'Build2/Sales', '2'],
    ['Sales', 'live:Sales', '0'],
    ['Sales', 'LocalHost/Sales', '1'],
  ]);
});

test('titles of live datamodels are case-sensitive, also before a slash', () => {
  expect(
    getGroups({ fullname: 'live:EU/Sales' }, { fullname: 'live:eu/Sales' }, { fullname: 'live:EU/Sales' }),
  ).toEqual([
    ['EU/Sales', 'live:EU/Sales', '02'],
    ['eu/Sales', 'live:eu/Sales', '1'],
  ]);
});

test('a data source with only a title is grouped with the only datamodel of that title', () => {
  expect(getGroups({ title: 'Sales' }, { title: 'Sales', fullname: 'LocalHost/Sales' })).toEqual([
    ['Sales', 'LocalHost/Sales', '01'],
  ]);
});

test('a data source with only a title that several datamodels have is a group of its own', () => {
  expect(
    getGroups(
      { title: 'Sales', fullname: 'live:Sales' },
      { title: 'Sales' },
      { title: 'Sales', fullname: 'LocalHost/Sales' },
    ),
  ).toEqual([
    ['Sales', undefined, '1'],
    ['Sales', 'live:Sales', '0'],
    ['Sales', 'LocalHost/Sales', '2'],
  ]);
});

test('a data source with only an ID is named by that ID', () => {
  expect(getGroups({ id: 'a1' })).toEqual([['a1', undefined, '0']]);
});

test('each viewpoint is in one group, groups have different keys, and the order of viewpoints within a group stays', () => {
  const text = fc.constantFrom(undefined, '', 'Sales', 'live:Sales', 'a/Sales', 'A/Sales', 'Other');
  fc.assert(
    fc.property(
      fc.array(fc.option(fc.record({ id: text, title: text, fullname: text }), { nil: undefined })),
      (datasources) => {
        const groups = groupByDatamodel(createViewpoints(...datasources));
        const ids = groups.map(({ viewpoints }) => viewpoints.map(({ id }) => Number(id)));
        expect(ids.flat().toSorted((a, b) => a - b)).toEqual([...datasources.keys()]);
        expect(ids).toEqual(ids.map((list) => list.toSorted((a, b) => a - b)));
        expect(new Set(groups.map(({ key }) => key)).size).toBe(groups.length);
      },
    ),
  );
});
