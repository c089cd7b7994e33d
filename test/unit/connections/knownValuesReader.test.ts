import { expect, test } from 'vitest';
import type { Viewpoint } from '../../../src/contract/viewpoint.ts';
import { KnownValuesReader } from '../../../src/connections/knownValuesReader.ts';

const retail = { kind: 'extract', server: 'LocalHost', elasticube: 'Retail' } as const;
const marketing = { kind: 'extract', server: 'LocalHost', elasticube: 'Marketing' } as const;
const region = { table: 'Regions', column: 'Region' };
const createRules = (...members: readonly string[]) => [{ ...region, members: [...members], shares: [] }];

const noViewpoints: readonly Viewpoint[] = [];

const createCatalog = (
  retailRules: ReturnType<typeof createRules>,
  viewpoints: readonly Viewpoint[] = noViewpoints,
) => ({
  knownResources: {
    datamodels: [],
    rules: [
      { subject: retail, rules: retailRules },
      { subject: marketing, rules: marketingRules },
    ],
    viewpoints,
  },
  knownCustomData: customData,
});

const marketingRules = createRules('South');
const customData = [{ ...region, values: ['West'] }];

test('values come from all that is loaded, without those of a datamodel that the caller has read', () => {
  const viewpoints = [{ id: '1', details: { columns: [{ ...region, filter: { members: ['East'] } }] } }];
  const catalog = createCatalog(createRules('North'), viewpoints);
  const reader = new KnownValuesReader();
  expect(reader.read(catalog).getValues(region)).toEqual(['East', 'North', 'South', 'West']);
  const others = reader.readIndexes(catalog, { ...retail }).flatMap((index) => index.getValues(region));
  expect(others.toSorted()).toEqual(['East', 'South', 'West']);
  expect(reader.read(undefined).getValues(region)).toEqual([]);
});

test('nothing is indexed again until something else is loaded', () => {
  const reader = new KnownValuesReader();
  const rules = createRules('North');
  const values = reader.read(createCatalog(rules));
  expect(reader.read(createCatalog(rules))).toBe(values);
  const later = createCatalog(createRules('North', 'Alps'));
  expect(reader.read(later)).not.toBe(values);
  expect(reader.read(later).getValues(region)).toEqual(['Alps', 'North', 'South', 'West']);
  // The rules of the other datamodel are still the same.
  const indexes = reader.readIndexes(createCatalog(rules));
  expect(reader.readIndexes(later)[1]).toBe(indexes[1]);
  expect(reader.readIndexes(later)[0]).not.toBe(indexes[0]);
});
