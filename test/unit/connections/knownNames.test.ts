import { expect, test } from 'vitest';
import { withoutNamesakes } from '../../../src/connections/knownNames.ts';

test('a group that is known by name and by identifier is offered once, by what is certain', () => {
  const byName = { id: 'Sales', name: 'Sales' };
  const byId = { id: '0b6df0a77f96d4b73c572389', name: 'Sales' };
  const others = [
    { id: 'Support', name: 'Support' },
    { id: 'a', name: 'Twins' },
    { id: 'b', name: 'Twins' },
  ];
  expect(withoutNamesakes([byName, byId, ...others])).toEqual([byId, ...others]);
});
