import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { JsonValue } from '../../../src/base/json.ts';
import { mask } from '../../../src/secrets/mask.ts';
import { maskSecrets } from '../../../src/secrets/maskSecrets.ts';

test('fields of a connection whose names tell so are masked, at any depth', () => {
  const model: JsonValue = {
    title: 'Retail',
    tableKey: 'not of a connection',
    datasets: [
      {
        connection: {
          provider: 'PostgreSQL',
          parameters: {
            Server: 'db',
            UserName: 'reader',
            Password: 'p1',
            nested: [{ serviceAccountKeyPath: 'k', privateStuff: 12 }],
            isTokenUsed: false,
            secret: null,
          },
        },
      },
    ],
  };
  expect(maskSecrets(model)).toEqual({
    title: 'Retail',
    tableKey: 'not of a connection',
    datasets: [
      {
        connection: {
          provider: 'PostgreSQL',
          parameters: {
            Server: 'db',
            UserName: 'reader',
            Password: mask,
            nested: [{ serviceAccountKeyPath: mask, privateStuff: mask }],
            isTokenUsed: false,
            secret: null,
          },
        },
      },
    ],
  });
});

test('parameters that are one encrypted string are masked', () => {
  expect(maskSecrets({ connection: { parameters: 'AES…' } })).toEqual({ connection: { parameters: mask } });
});

test('property: no secret of a connection is left, wherever the connection is', () => {
  const secret = 'S3CRET';
  const named = fc.constantFrom(
    'password',
    'UserPass',
    'apiToken',
    'clientSecret',
    'accessKey',
    'privatePem',
  );
  const holder = fc.letrec<{ value: JsonValue }>((tie) => ({
    value: fc.oneof(
      { depthSize: 'small' },
      fc.tuple(named).map(([name]): JsonValue => ({ connection: { [name]: secret } })),
      fc.tuple(named).map(([name]): JsonValue => ({ connection: { [name]: { deep: [secret] } } })),
      fc.constant<JsonValue>({ connection: { parameters: secret } }),
      fc.array(tie('value')),
      fc.dictionary(fc.string(), tie('value')),
    ),
  })).value;
  fc.assert(
    fc.property(holder, (value) => {
      expect(JSON.stringify(maskSecrets(value))).not.toContain(secret);
    }),
  );
});
