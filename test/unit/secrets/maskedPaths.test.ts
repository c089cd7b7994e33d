import fc from 'fast-check';
import { expect, test } from 'vitest';
import { mask } from '../../../src/secrets/mask.ts';
import { maskSecrets } from '../../../src/secrets/maskSecrets.ts';
import { maskedPaths, secretBehind, unmasked } from '../../../src/secrets/maskedPaths.ts';
import { json } from '../documents/json.ts';
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
  expect(unmasked(shown, (path) => secretBehind(dataset, shown, path) ?? null)).toEqual(dataset);
});

test('property: what was masked comes back whole', () => {
  fc.assert(
    fc.property(json, (parameters) => {
      const document = { connection: { parameters, password: 'x' } };
      const shown = maskSecrets(document);
      expect(unmasked(shown, (path) => secretBehind(document, shown, path) ?? null)).toEqual(document);
    }),
    { numRuns: runs(200) },
  );
});

test('a path that leads nowhere has no secret behind it', () => {
  expect(secretBehind({ a: [1] }, {}, ['a', 'x'])).toBeUndefined();
  expect(secretBehind({ a: 1 }, {}, ['a', 0])).toBeUndefined();
});

test('a mask that is no part of a connection is a text like any other', () => {
  expect(maskedPaths({ name: mask, expression: `SELECT '${mask}'` })).toEqual([]);
});
