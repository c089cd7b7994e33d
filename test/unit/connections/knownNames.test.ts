import { expect, test } from 'vitest';
import { InstanceCatalog } from '../../../src/catalog/instanceCatalog.ts';
import { filterNamesWithId, getKnownNames, cacheKnownNames } from '../../../src/connections/knownNames.ts';
import { createUserDirectory } from '../../../src/connections/createUserDirectory.ts';
import type { Sessions } from '../../../src/connections/sessions.ts';
import { createFakeCatalogSource } from '../../fakes/fakeCatalogSource.ts';
import { createSession } from '../../fakes/fakeSessions.ts';
import { json, createTestClient } from '../client/support.ts';

test('a name alone is not an ID', () => {
  const identifiedGroup = { id: '0b6df0a77f96d4b73c572389', name: 'Sales' };
  expect(filterNamesWithId([{ id: 'Support', name: 'Support', isNameOnly: true }, identifiedGroup])).toEqual([
    identifiedGroup,
  ]);
});

test('names are collected from readable rules although another rule cannot be read', async () => {
  const rule = {
    table: 'Stores',
    column: 'Region',
    shares: [{ type: 'user', party: 'u1', partyName: 'anna' }],
  };
  const partialRules = {
    value: [rule],
    unreadable: [{ path: [1], faultPath: ['column'], expected: 'string', item: {} }],
  };
  const rules = () =>
    Promise.reject(Object.assign(new Error('a part is unreadable'), { readable: partialRules }));
  const session = createSession({
    client: createTestClient(json({})).client,
    catalog: new InstanceCatalog(createFakeCatalogSource({ rules })),
  });
  const sessions: Pick<Sessions, 'get' | 'peek'> = { get: async () => session, peek: () => session };
  const userDirectories = {
    get: async () => createUserDirectory(undefined, undefined),
    peek: () => undefined,
  };
  await cacheKnownNames({ sessions, userDirectories }, 'c', { kind: 'live', title: 'Support Desk' });
  expect(getKnownNames({ sessions, userDirectories }, 'c').users).toEqual([{ id: 'u1', name: 'anna' }]);
});
