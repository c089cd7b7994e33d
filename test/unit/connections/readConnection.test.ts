import { describe, expect, test } from 'vitest';
import { readConnection } from '../../../src/connections/readConnection.ts';

const remote = {
  id: 'a',
  kind: 'remote',
  name: 'Instance',
  role: 'staging',
  url: 'https://analytics.example.test/base',
  cubeSets: [{ name: 'Set', server: 'Term' }],
  tenantId: 'acme',
  webLinks: { datamodel: 'https://x.test/{id}', viewpoint: '' },
};
const sandbox = { id: 'sandbox', kind: 'sandbox', name: 'Sandbox', role: 'development' };

test.each([remote, sandbox, { ...remote, cubeSets: [], webLinks: {} }, { ...remote, tenantId: '' }])(
  'a stored connection is read as it was written: %#',
  (stored) => {
    expect(readConnection(stored)).toStrictEqual(stored);
  },
);

test('unknown fields of a connection and of its parts are left out', () => {
  const stored = {
    ...remote,
    token: 'x',
    cubeSets: [{ ...remote.cubeSets[0], more: 1 }],
    webLinks: { ...remote.webLinks, rule: '' },
  };
  expect(readConnection(stored)).toStrictEqual(remote);
  expect(readConnection({ ...sandbox, url: remote.url, webLinks: {} })).toStrictEqual(sandbox);
});

test('absent fields have no key', () => {
  const { cubeSets: _cubeSets, tenantId: _tenantId, webLinks: _webLinks, ...stored } = remote;
  expect(readConnection(stored)).toStrictEqual(stored);
  const withUndefined = { ...stored, cubeSets: undefined, tenantId: undefined, webLinks: undefined };
  expect(readConnection(withUndefined)).toStrictEqual(stored);
});

describe('a connection is unreadable if', () => {
  test.each([
    ['connection', undefined],
    ['connection', null],
    ['connection', 'a'],
    ['connection', [remote]],
    ['id', { ...remote, id: '' }],
    ['id', { ...remote, id: 1 }],
    ['name', { ...remote, name: '' }],
    ['name', { ...remote, name: undefined }],
    ['role', { ...remote, role: 'administrator' }],
    ['role', { ...sandbox, role: undefined }],
    ['kind', { ...remote, kind: 'other' }],
    ['kind', { ...remote, kind: undefined }],
    ['url', { ...remote, url: undefined }],
    ['url', { ...remote, url: 'analytics.example.test' }],
    ['url', { ...remote, url: 'ftp://analytics.example.test' }],
    ['url', { ...remote, url: 'https://' }],
    ['cubeSets', { ...remote, cubeSets: {} }],
    ['cubeSets', { ...remote, cubeSets: ['Set'] }],
    ['cubeSets.name', { ...remote, cubeSets: [{ name: '', server: 'Term' }] }],
    ['cubeSets.server', { ...sandbox, cubeSets: [{ name: 'Set' }] }],
    ['tenantId', { ...remote, tenantId: 7 }],
    ['webLinks', { ...remote, webLinks: 'https://x.test' }],
    ['webLinks.datamodel', { ...remote, webLinks: { datamodel: 1 } }],
    ['webLinks.viewpoint', { ...remote, webLinks: { viewpoint: null } }],
  ])('%s is missing or wrong: %#', (field, stored) => {
    expect(() => readConnection(stored)).toThrow(new TypeError(`The field "${field}" is missing or wrong`));
  });
});
