import { expect, test } from 'vitest';
import { Catalog, type CatalogSource } from '../../../src/catalog/catalog.ts';
import { knownNames, learnNames, withoutNamesakes } from '../../../src/connections/knownNames.ts';
import type { Session, Sessions } from '../../../src/connections/sessions.ts';

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

test('names are learnt of the rules that can be read, whatever the others are', async () => {
  const rule = {
    table: 'Stores',
    column: 'Region',
    shares: [{ type: 'user', party: 'u1', partyName: 'anna' }],
  };
  const partly = { value: [rule], unreadable: [{ path: [1], at: ['column'], expected: 'string', item: {} }] };
  const rules = () => Promise.reject(Object.assign(new Error('a part is unreadable'), { readable: partly }));
  const session = { catalog: new Catalog({ rules } as unknown as CatalogSource) } as unknown as Session;
  const sessions: Pick<Sessions, 'get' | 'peek'> = { get: async () => session, peek: () => session };
  await learnNames({ sessions }, 'c', { kind: 'live', title: 'Support Desk' });
  expect(knownNames({ sessions }, 'c').users).toEqual([{ id: 'u1', name: 'anna' }]);
});
