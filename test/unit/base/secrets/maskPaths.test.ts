import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { mask } from '../../../../src/base/secrets/mask.ts';
import { maskConnectorDocument } from '../../../../src/base/secrets/maskSecrets.ts';
import {
  findMaskPaths,
  findSecretBehindMask,
  getSecretLabel,
  unmask,
} from '../../../../src/base/secrets/maskPaths.ts';
import { anyJson } from '../../documents/anyJson.ts';
import { getPropertyRuns } from '../../../support/soak.ts';

const dataset = {
  connection: { parameters: { Server: 'db', Password: 'p', nested: [{ token: 't' }] } },
};

test('masked values are found and filled in', () => {
  const shown = maskConnectorDocument(dataset);
  expect(findMaskPaths(shown)).toEqual([
    ['connection', 'parameters', 'Password'],
    ['connection', 'parameters', 'nested', 0, 'token'],
  ]);
  expect(unmask(shown, (path) => findSecretBehindMask(dataset, shown, path) ?? null)).toEqual(dataset);
});

test('property: masked values are restored unchanged', () => {
  fc.assert(
    fc.property(anyJson, (parameters) => {
      const document = { connection: { parameters, password: 'x' } };
      const shown = maskConnectorDocument(document);
      expect(unmask(shown, (path) => findSecretBehindMask(document, shown, path) ?? null)).toEqual(document);
    }),
    { numRuns: getPropertyRuns(200) },
  );
});

test('no secret is found for a path that does not exist', () => {
  expect(findSecretBehindMask({ a: [1] }, {}, ['a', 'x'])).toBeUndefined();
  expect(findSecretBehindMask({ a: 1 }, {}, ['a', 0])).toBeUndefined();
});

test('a mask outside a connection is ordinary text', () => {
  expect(findMaskPaths({ name: mask, expression: `SELECT '${mask}'` })).toEqual([]);
});

describe('masks within a text', () => {
  const text = 'Server=a;Password=x1;Token=x2';
  const source = { connection: { parameters: { AdditionalParameters: text } } };
  const parametersPath = ['connection', 'parameters', 'AdditionalParameters'] as const;
  const createDocument = (AdditionalParameters: string) => ({
    connection: { parameters: { AdditionalParameters } },
  });

  test('have one path each', () => {
    expect(findMaskPaths(maskConnectorDocument(source))).toEqual([
      [...parametersPath, 0],
      [...parametersPath, 1],
    ]);
  });

  test('accept a new value in the place of the mask', () => {
    const filled = unmask(maskConnectorDocument(source), (path) => `new ${path.at(-1)}`);
    expect(filled).toEqual(createDocument('Server=a;Password=new 0;Token=new 1'));
  });

  test('restore the secret of the same name, even if other parts of the text were added or removed', () => {
    const edited = createDocument(`Server=b;Pooling=true;Token=${mask}`);
    expect(unmask(edited, (path) => findSecretBehindMask(source, edited, path) ?? null)).toEqual(
      createDocument('Server=b;Pooling=true;Token=x2'),
    );
  });

  test('have no secret where the user typed the mask', () => {
    const edited = createDocument(`Server=b;Password=${mask};Token=${mask};ApiKey=${mask}`);
    expect(findSecretBehindMask(source, edited, [...parametersPath, 2])).toBeUndefined();
    expect(findSecretBehindMask(source, edited, ['connection', 'parameters', 'other', 0])).toBeUndefined();
  });

  test('are prompted for by name', () => {
    expect(getSecretLabel([...parametersPath])).toBe('AdditionalParameters');
    expect(getSecretLabel([...parametersPath, 1])).toBe('AdditionalParameters[1]');
  });
});
