import fc from 'fast-check';
import { expect, test } from 'vitest';
import { viewpointSearchSchema } from '../../../src/contract/viewpoint.ts';
import {
  type ViewpointForm,
  emptyViewpointForm,
  fieldProblem,
  viewpointSearch,
} from '../../../src/catalog/viewpointForm.ts';

const searchFor = (form: Partial<ViewpointForm>) => viewpointSearch({ ...emptyViewpointForm, ...form });

test('an empty form searches for nothing in particular', () => {
  expect(searchFor({})).toBeUndefined();
  expect(searchFor({ name: ' ', apps: ' , ' })).toBeUndefined();
});

test('every field of the spec can be searched for', () => {
  expect(
    searchFor({
      text: 'sales',
      name: 'Month',
      description: 'per',
      id: ' 67 ',
      after: '1700000000000',
      before: '2025-12-31T10:00:00Z',
      apps: 'slack, teams',
      groups: 'Sales',
      users: 'ada',
      published: 'no',
      datamodel: 'Retail',
      column: 'Orders.Order.Date',
    }),
  ).toEqual({
    text: 'sales',
    name: 'Month',
    description: 'per',
    id: '67',
    lastUpdate: { after: 1_700_000_000_000, before: '2025-12-31T10:00:00.000Z' },
    visibility: { apps: ['slack', 'teams'], groups: ['Sales'], users: ['ada'], enabled: false },
    details: { datasource: { title: 'Retail' }, columns: [{ table: 'Orders', column: 'Order.Date' }] },
  });
});

test('a day is meant where the person is', () => {
  expect(searchFor({ after: '2025-12-31' })).toEqual({
    lastUpdate: { after: new Date(2025, 11, 31).toISOString() },
  });
  expect(searchFor({ after: '2025-12-31 14:30' })).toEqual({
    lastUpdate: { after: new Date(2025, 11, 31, 14, 30).toISOString() },
  });
});

test('details as JSON are taken as they are, beside the other fields', () => {
  expect(searchFor({ datamodel: 'Retail', details: '{"columns":[{"agg":"sum"}]}' })).toEqual({
    details: { datasource: { title: 'Retail' }, columns: [{ agg: 'sum' }] },
  });
});

test('what is wrong is told, and blank is never wrong', () => {
  expect(fieldProblem('after', 'yesterday')).toBe('not-a-time');
  expect(fieldProblem('before', '2025-13-45')).toBe('not-a-time');
  expect(fieldProblem('details', '{')).toBe('not-json');
  expect(fieldProblem('details', '[1]')).toBe('not-an-object');
  expect(fieldProblem('details', '')).toBeUndefined();
  expect(fieldProblem('name', '{')).toBeUndefined();
});

test('property: whatever is typed, the search is one that the platform can read', () => {
  const form = fc.record({
    ...Object.fromEntries(Object.keys(emptyViewpointForm).map((field) => [field, fc.string()])),
    published: fc.constantFrom('', 'yes', 'no'),
  }) as unknown as fc.Arbitrary<ViewpointForm>;
  fc.assert(
    fc.property(form, (typed) => {
      const search = viewpointSearch(typed);
      expect(viewpointSearchSchema.optional().safeParse(search).success).toBe(true);
      expect(JSON.stringify(search ?? {})).not.toContain('null');
    }),
  );
});
