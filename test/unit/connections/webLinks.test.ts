import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { RemoteConnection } from '../../../src/connections/connection.ts';
import { getWebLink, getWebLinkProblem } from '../../../src/connections/webLinks.ts';

const createConnection = (webLinks: RemoteConnection['webLinks']): RemoteConnection => ({
  id: 'a',
  kind: 'remote',
  name: 'Prod',
  role: 'production',
  url: 'https://bi.example.com/tools',
  ...(webLinks === undefined ? {} : { webLinks }),
});

const getDatamodelLink = (pattern: string, id: string, title = ''): string | undefined =>
  getWebLink(createConnection({ datamodel: pattern }), { kind: 'datamodel', datamodelId: id }, title);

test.each([
  ['{url}/app/data/{id}', 'https://bi.example.com/tools/app/data/12%2F3'],
  [
    '{url}/#/models?name={title}&id={id}',
    'https://bi.example.com/tools/#/models?name=R%26D%20%231%3F&id=12%2F3',
  ],
  ['{url}?m={id}', 'https://bi.example.com/tools?m=12%2F3'],
  ['http://portal.example.com:8080/{title}', 'http://portal.example.com:8080/R%26D%20%231%3F'],
])('%s becomes an address with encoded values', (pattern, link) => {
  expect(getDatamodelLink(pattern, '12/3', 'R&D #1?')).toBe(link);
});

test('a link is of the kind of its resource', () => {
  const connection = createConnection({ viewpoint: '{url}/views/{id}' });
  expect(getWebLink(connection, { kind: 'viewpoint', viewpointId: 'v' }, 'V')).toBe(
    'https://bi.example.com/tools/views/v',
  );
  expect(getWebLink(connection, { kind: 'datamodel', datamodelId: 'd' }, 'D')).toBeUndefined();
  expect(getWebLink(connection, { kind: 'dataset', datamodelId: 'd', datasetId: 's' }, 'S')).toBeUndefined();
});

test.each([
  [createConnection(undefined)],
  [{ id: 's', kind: 'sandbox', name: 'Sandbox', role: 'development' } as const],
  [undefined],
])('without a pattern there is no link', (connection) => {
  expect(getWebLink(connection, { kind: 'viewpoint', viewpointId: 'v' }, 'V')).toBeUndefined();
});

test.each([
  ['', 'no-address'],
  ['app/{id}', 'no-address'],
  ['{id}', 'no-address'],
  ['{title}://{id}', 'no-address'],
  ['https://{title}/{id}', 'no-address'],
  ['https://host{id}/', 'no-address'],
  ['https://host:{id}/', 'no-address'],
  ['{url}{id}', 'no-address'],
  ['{url}.example.com/{id}', 'no-address'],
  ['{URL}/{id}', 'no-address'],
  ['javascript:alert({id})', 'no-address'],
  ['command:workbench.action.quit?{id}', 'no-address'],
  ['file:///{id}', 'no-address'],
  ['https:///{id}', 'no-address'],
  ['https://[/{id}', 'no-address'],
  ['https://host\\{id}', 'no-address'],
  ['https://host/a b/{id}', 'no-address'],
  ['https://user:secret@host/{id}', 'has-credentials'],
  ['{url}/{server}/{id}', 'unknown-placeholder'],
  ['{url}/{id', 'unknown-placeholder'],
  ['{url}/models/{url}', 'unknown-placeholder'],
  ['{url}/models', 'no-item'],
] as const)('%s is rejected: %s', (pattern, problem) => {
  expect(getWebLinkProblem(pattern)).toBe(problem);
  expect(getDatamodelLink(pattern, 'x', 'y')).toBeUndefined();
});

describe('no value from a server', () => {
  const patterns = ['{url}/{id}/{title}', '{url}?a={title}#{id}', 'http://portal.example.com/{title}{id}/x'];

  test('becomes a scheme, a host, another folder, or another part of the address', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...patterns),
        fc.oneof(
          fc.string({ unit: 'binary' }),
          fc.constantFrom('..', '.', '/..', '//evil', '@evil', '\\', '%2e.'),
        ),
        fc.oneof(fc.string(), fc.constantFrom('..', '?', '#', '&x=1', '\n', '\ud800')),
        (pattern, id, title) => {
          const link = getDatamodelLink(pattern, id, title);
          if (link === undefined) {
            expect([id, title].some((value) => /^\.{1,2}$/.test(value) || !value.isWellFormed())).toBe(true);
            return;
          }
          const [actual, expected] = [link, getDatamodelLink(pattern, 'i', 't') ?? ''].map(
            (text) => new URL(text),
          );
          expect(actual?.origin).toBe(expected?.origin);
          const countSegments = (url: URL | undefined) => url?.pathname.split('/').length;
          expect(countSegments(actual)).toBe(countSegments(expected));
          expect([...(actual?.searchParams.keys() ?? [])]).toEqual([
            ...(expected?.searchParams.keys() ?? []),
          ]);
          expect(actual?.hash === '').toBe(expected?.hash === '' || (pattern.endsWith('#{id}') && id === ''));
        },
      ),
    );
  });
});
