import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createRequestAddress } from '../../../src/client/requestAddress.ts';
import { AddressError } from '../../../src/client/errors.ts';
import { getFailure, json, createTestClient } from './support.ts';

const dialect = 'plain';
const getUrl = (base: string, datamodelId: string) =>
  createRequestAddress(base, 'datamodels.get', { datamodelId }, { dialect }).url;

test.each([
  ['https://bi.example.com', 'https://bi.example.com/api/v2/datamodels/m'],
  ['https://bi.example.com/', 'https://bi.example.com/api/v2/datamodels/m'],
  ['http://127.0.0.1:30845', 'http://127.0.0.1:30845/api/v2/datamodels/m'],
  ['https://example.com/analytics/', 'https://example.com/analytics/api/v2/datamodels/m'],
])('the path is appended to the address %s', (base, url) => {
  expect(getUrl(base, 'm')).toBe(url);
});

describe('an unusable instance address is rejected', () => {
  test.each([
    '',
    'nonsense',
    'ftp://x',
    'file:///etc',
    'https://u:p@x',
    'https://x/?a=1',
    'https://x/#a',
    'javascript:1',
  ])('%s', async (baseUrl) => {
    const { client, transport } = createTestClient(json([]), { baseUrl });
    const error = await getFailure(client.datamodels.list());
    expect(error).toMatchObject({ name: 'AddressError', code: 'bad-address', remedy: 'check-address' });
    expect(error.message).not.toContain('u:p');
    expect(transport.requests).toEqual([]);
  });
});

describe('a name that would change the path is rejected', () => {
  test.each(['', '.', '..', '../x', 'a/../b', 'a\\..\\b', './a', '\ud800'])('%j', async (datamodelId) => {
    const { client, transport } = createTestClient(json({}));
    const error = await getFailure(client.datamodels.delete({ datamodelId }));
    expect(error).toMatchObject({ name: 'AddressError', parameter: 'datamodelId', remedy: 'fix-input' });
    expect(transport.requests).toEqual([]);
  });
});

test('names are sent as one segment each, whatever they contain', () => {
  expect(getUrl('https://x', 'a/b c?d#e%2e%2e')).toBe(
    'https://x/api/v2/datamodels/a%2Fb%20c%3Fd%23e%252e%252e',
  );
});

test('the spelling of cube sets is kept, letter case included [spec: rule.case-sensitive] [spec: rule.cube-set]', async () => {
  const { client, transport } = createTestClient(json([]));
  await client.extractRules.list({ server: 'set', elasticube: 'My Set' });
  await client.extractRules.list({ server: 'Set', elasticube: 'my set' });
  expect(transport.requestLines).toEqual([
    'GET /api/elasticubes/set/My%20Set/datasecurity',
    'GET /api/elasticubes/Set/my%20set/datasecurity',
  ]);
});

test('a query contains the values percent-encoded, with blanks as %20, or is rejected', async () => {
  const { client, transport } = createTestClient(json([]));
  await client.customData.query({ 'a b': 'c+d&e' });
  expect(transport.requestLines).toEqual([
    'GET /api/v1/custom_data/query?query=%7B%22a%20b%22%3A%22c%2Bd%26e%22%7D',
  ]);
  expect(await getFailure(client.groups.find('\udfff'))).toBeInstanceOf(AddressError);
});

test('property: any name is sent as one path segment, or rejected', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (name) => {
      let url: string;
      try {
        url = getUrl('https://x/base', name);
      } catch (error) {
        expect(error).toBeInstanceOf(AddressError);
        return;
      }
      const segments = new URL(url).pathname.split('/');
      expect(segments.slice(0, -1)).toEqual(['', 'base', 'api', 'v2', 'datamodels']);
      expect(decodeURIComponent(segments.at(-1) ?? '')).toBe(name);
    }),
    { numRuns: 500 },
  );
});
