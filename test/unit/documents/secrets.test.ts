import fc from 'fast-check';
import { expect, test } from 'vitest';
import { mask, maskSecrets } from '../../../src/catalog/maskSecrets.ts';
import { maskedPaths, unmasked, valueAt } from '../../../src/documents/secrets.ts';
import { json } from './json.ts';
import { runs } from '../../support/soak.ts';

const dataset = {
  connection: { parameters: { Server: 'db', Password: 'p', nested: [{ token: 't' }] } },
};

test('masked places are found and filled', () => {
  const shown = maskSecrets(dataset);
  expect(maskedPaths(shown)).toEqual([
    ['connection', 'parameters', 'Password'],
    ['connection', 'parameters', 'nested', 0, 'token'],
  ]);
  expect(unmasked(shown, (path) => valueAt(dataset, path) ?? null)).toEqual(dataset);
});

test('property: what was masked comes back whole', () => {
  fc.assert(
    fc.property(json, (parameters) => {
      const document = { connection: { parameters, password: 'x' } };
      const shown = maskSecrets(document);
      expect(unmasked(shown, (path) => valueAt(document, path) ?? null)).toEqual(document);
    }),
    { numRuns: runs(200) },
  );
});

test('a path that leads nowhere has no value', () => {
  expect(valueAt({ a: [1] }, ['a', 'x'])).toBeUndefined();
  expect(valueAt({ a: 1 }, ['a', 0])).toBeUndefined();
  expect(maskedPaths(mask)).toEqual([[]]);
});
