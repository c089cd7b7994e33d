import fc from 'fast-check';
import { expect, test } from 'vitest';
import { viewpointSearchSchema } from '../../../src/contract/viewpoint.ts';
import {
  type ViewpointSearchForm,
  emptyViewpointSearchForm,
  getFieldProblem,
  toViewpointSearch,
} from '../../../src/catalog/viewpointSearchForm.ts';

const searchFor = (form: Partial<ViewpointSearchForm>) =>
  toViewpointSearch({ ...emptyViewpointSearchForm, ...form });

test('an empty form sets no criteria', () => {
  expect(searchFor({})).toBeUndefined();
  expect(searchFor({ name: ' ', apps: ' , ' })).toBeUndefined();
});

test('every field of the guide can be searched for', () => {
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

test("a day is a day in the user's time zone", () => {
  expect(searchFor({ after: '2025-12-31' })).toEqual({
    lastUpdate: { after: new Date(2025, 11, 31).toISOString() },
  });
  expect(searchFor({ after: '2025-12-31 14:30' })).toEqual({
    lastUpdate: { after: new Date(2025, 11, 31, 14, 30).toISOString() },
  });
});

test('details as JSON are used as they are, together with the other fields', () => {
  expect(searchFor({ datamodel: 'Retail', details: '{"columns":[{"agg":"sum"}]}' })).toEqual({
    details: { datasource: { title: 'Retail' }, columns: [{ agg: 'sum' }] },
  });
});

test('invalid fields are reported, and blank fields are always valid', () => {
  expect(getFieldProblem('after', 'yesterday')).toBe('not-a-time');
  expect(getFieldProblem('before', '2025-13-45')).toBe('not-a-time');
  expect(getFieldProblem('details', '{')).toBe('not-json');
  expect(getFieldProblem('details', '[1]')).toBe('not-an-object');
  expect(getFieldProblem('details', '')).toBeUndefined();
  expect(getFieldProblem('name', '{')).toBeUndefined();
});

test('property: any input makes a search that the platform can read', () => {
  const form = fc.record({
    ...Object.fromEntries(Object.keys(emptyViewpointSearchForm).map((field) => [field, fc.string()])),
    published: fc.constantFrom('', 'yes', 'no'),
  }) as unknown as fc.Arbitrary<ViewpointSearchForm>;
  fc.assert(
    fc.property(form, (typed) => {
      const search = toViewpointSearch(typed);
      expect(viewpointSearchSchema.optional().safeParse(search).success).toBe(true);
      expect(JSON.stringify(search ?? {})).not.toContain('null');
    }),
  );
});
