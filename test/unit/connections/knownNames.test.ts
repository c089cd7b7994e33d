import { expect, test } from 'vitest';
import { InstanceCatalog, type CatalogSource } from '../../../src/catalog/instanceCatalog.ts';
import { filterIdentifiable, getKnownNames, loadKnownNames } from '../../../src/connections/knownNames.ts';
import { createDirectory } from '../../../src/connections/createDirectory.ts';
import type { Session, Sessions } from '../../../src/connections/sessions.ts';

test('a name alone is not an ID', () => {
  const byId = { id: '0b6df0a77f96d4b73c572389', name: 'Sales' };
  expect(filterIdentifiable([{ id: 'Support', name: 'Support', isNameOnly: true }, byId])).toEqual([byId]);
});

test('names are learned from readable rules, whatever the others are', async () => {
  const rule = {
    table: 'Stores',
    column: 'Region',
    shares: [{ type: 'user', party: 'u1', partyName: 'anna' }],
  };
  const partly = {
    value: [rule],
    unreadable: [{ path: [1], faultPath: ['column'], expected: 'string', item: {} }],
  };
  const rules = () => Promise.reject(Object.assign(new Error('a part is unreadable'), { readable: partly }));
  const session = {
    catalog: new InstanceCatalog({ rules } as unknown as CatalogSource),
  } as unknown as Session;
  const sessions: Pick<Sessions, 'get' | 'peek'> = { get: async () => session, peek: () => session };
  const directories = { get: async () => createDirectory(undefined, undefined), peek: () => undefined };
  await loadKnownNames({ sessions, directories }, 'c', { kind: 'live', title: 'Support Desk' });
  expect(getKnownNames({ sessions, directories }, 'c').users).toEqual([{ id: 'u1', name: 'anna' }]);
});
