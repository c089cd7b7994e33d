import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { RemoteConnection } from '../../../src/connections/connection.ts';
import {
  SharedConnectionsError,
  parseSharedConnections,
  filterNewConnections,
  formatSharedConnections,
} from '../../../src/connections/sharedConnections.ts';

const connection: RemoteConnection = {
  id: 'secret-key-of-the-token',
  kind: 'remote',
  name: 'Prod',
  role: 'production',
  url: 'https://bi.example.com',
  tenantId: 'acme',
  webLinks: { datamodel: '{url}/models/{id}' },
};

test('an exported file is imported under new IDs and without any secret', () => {
  const text = formatSharedConnections([
    connection,
    { id: 's', kind: 'sandbox', name: 'Sandbox', role: 'development' },
  ]);
  expect(text).not.toContain('secret-key-of-the-token');
  expect(parseSharedConnections(text, () => 'new')).toEqual([{ ...connection, id: 'new' }]);
});

test('a missing role defaults to production', () => {
  const [imported] = parseSharedConnections(
    '{"connections":[{"name":"x","url":"bi.example.com"}]}',
    () => 'n',
  );
  expect(imported).toMatchObject({ role: 'production', url: 'https://bi.example.com' });
});

test.each([
  ['', /JSON/],
  ['[]', /expected object/],
  ['{"connections":[]}', /connections/],
  ['{"connections":[{"name":"x","url":"ftp://a"}]}', /connections\.0\.url: not-http/],
  ['{"connections":[{"name":"x","url":"https://a","token":"t"}]}', /token/],
  [
    '{"connections":[{"name":"x","url":"https://a","webLinks":{"viewpoint":"https://{title}"}}]}',
    /connections\.0\.webLinks\.viewpoint: no-address/,
  ],
])('%s is rejected with its location', (text, message) => {
  expect(() => parseSharedConnections(text, () => 'n')).toThrow(message);
});

test('property: any text is read or rejected with one error', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
      try {
        parseSharedConnections(text, () => 'n');
      } catch (error) {
        expect(error).toBeInstanceOf(SharedConnectionsError);
      }
    }),
  );
});

test('another tenant of an instance is another connection; existing ones are not added again', () => {
  const { tenantId: _tenant, ...withoutTenant } = connection;
  const importedProfiles = [
    { ...connection, id: '1' },
    { ...connection, id: '2', tenantId: 'other' },
    { ...withoutTenant, id: '3' },
    { ...connection, id: '4', tenantId: 'other', name: 'Twice' },
  ];
  expect(filterNewConnections(importedProfiles, [connection]).map(({ id }) => id)).toEqual(['2', '3']);
});
