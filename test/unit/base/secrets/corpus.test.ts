import { expect, test } from 'vitest';
import { maskConnectorDocument } from '../../../../src/base/secrets/maskSecrets.ts';
import { findSecretBehindMask, unmask } from '../../../../src/base/secrets/maskPaths.ts';
import { connectionShapes, insertSecret } from '../../../fixtures/connectionShapes.ts';

/**
 * Passwords and generated keys, without characters that would have to be quoted in a connection string.
 */
const secrets = ['kV7rTq2ZpW9x', 'pa+ss/w0rd==Qx7', 'Tr0ub4dor&3!$%^*Zq', 'ünïcödé-gehéim-42'];

/** The forms in which a secret may appear in a text. */
const getForms = (secret: string): readonly string[] => [
  secret,
  JSON.stringify(secret).slice(1, -1),
  encodeURIComponent(secret),
  Buffer.from(secret).toString('base64'),
];

/** Returns all substrings of six characters, which are long enough not to occur in other text by chance. */
const getParts = (text: string): readonly string[] =>
  Array.from({ length: Math.max(0, text.length - 5) }, (_, index) => text.slice(index, index + 6));

const containsText = (text: string, part: string): boolean =>
  text.includes(part) || text.includes(JSON.stringify(part).slice(1, -1));

test('there are at least 200 shapes, all different', () => {
  const documents = connectionShapes.map(({ document }) => JSON.stringify(document));
  expect(new Set(documents).size).toBeGreaterThanOrEqual(200);
  expect(new Set(documents).size).toBe(documents.length);
});

test.each(connectionShapes.map((shape, index) => [`${index} ${shape.connector}`, shape] as const))(
  '%s: no part of a secret remains, the rest is readable, and everything is restored',
  (_name, { document, readable }) => {
    for (const secret of secrets) {
      const original = insertSecret(document, secret);
      const masked = maskConnectorDocument(original);
      const text = JSON.stringify(masked);
      const leaked = getForms(secret)
        .flatMap(getParts)
        .filter((part) => text.includes(part));
      const hidden = readable.filter((part) => !containsText(text, part));
      expect({ text, leaked, hidden }).toEqual({ text, leaked: [], hidden: [] });
      expect(maskConnectorDocument(masked)).toEqual(masked);
      expect(unmask(masked, (path) => findSecretBehindMask(original, masked, path) ?? null)).toEqual(
        original,
      );
    }
  },
);
