import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseLossless, stringify } from '../../../src/base/json.ts';
import { type EndpointId, endpoints } from '../../../src/contract/endpoints.ts';
import { createClientCalls } from '../../support/clientCalls.ts';
import { ApiError } from '../../../src/client/errors.ts';
import { createTestClient, token } from './support.ts';
import { getInputRuns, getPropertyRuns } from '../../support/soak.ts';

const ids = Object.keys(endpoints) as EndpointId[];

/** Keys and values that occur in responses of the platform, so that random documents resemble real ones. */
const key = fc.constantFrom(
  'oid',
  'id',
  '_id',
  'title',
  'type',
  'columns',
  'shares',
  'total',
  'isauthenticated',
  '__proto__',
  'datasets',
  'table',
  'column',
  'name',
  'status',
);
const scalar = fc.oneof(
  fc.constantFrom(null, true, 0, 1.5, '', 'x', 'extract', 'EXTRACT'),
  fc.string(),
  fc.double(),
);
const { document } = fc.letrec((tie) => ({
  document: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    scalar,
    fc.array(tie('document'), { maxLength: 4 }),
    fc.dictionary(key, tie('document'), { maxKeys: 6 }),
  ),
}));
const body = fc.oneof(
  document.map((value) => JSON.stringify(value)),
  fc.json(),
  fc.string(),
  fc.string().map((text) => `<html>${text}`),
  document.chain((value) => {
    const text = JSON.stringify(value);
    return fc.nat(text.length).map((length) => text.slice(0, length));
  }),
);

test('property: whatever an instance returns for any operation, only an ApiError is thrown', async () => {
  const outcomes = { error: 0, sameText: 0, createdRules: 0, noMatch: 0 };
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...ids),
      body,
      fc.constantFrom(200, 200, 200, 201, 204, 301, 304, 400, 404, 418, 500),
      fc.constantFrom('application/json', 'text/html', '', 'text/plain'),
      async (id, text, status, type) => {
        const { client, log } = createTestClient({
          status,
          body: text,
          headers: { 'content-type': type, location: text },
        });
        const call = createClientCalls(client)[id];
        const outcome = await call().catch((error: unknown) => error);
        if (outcome instanceof ApiError) {
          outcomes.error += 1;
          expect(outcome.message).not.toContain(token);
        } else if (status === 404) {
          // A 404 of custom data means that nothing matches.
          outcomes.noMatch += 1;
          expect(outcome).toEqual({ value: undefined, text: '', json: undefined, status: 200 });
        } else if (id.startsWith('liveRules.create')) {
          // The response does not contain the rules that were sent.
          outcomes.createdRules += 1;
          expect(outcome).toMatchObject({ value: undefined, text: '' });
        } else {
          outcomes.sameText += 1;
          expect(outcome).toMatchObject({ text });
        }
        expect(log.text).not.toContain(token);
      },
    ),
    {
      numRuns: getInputRuns(1500),
      examples: [['customData.deleteMatching', '{"title":"!"}', 404, 'application/json']],
    },
  );
  expect(Object.entries(outcomes).filter(([, count]) => count === 0)).toEqual([]);
});

test('property: JSON passes through without loss', () => {
  const number = fc.oneof(
    fc.bigInt().map(String),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => JSON.stringify(value)),
    fc
      .tuple(fc.integer(), fc.nat(), fc.integer({ min: -30, max: 30 }))
      .map(([whole, part, power]) => `${whole}.${part}e${power}`),
    fc.tuple(fc.integer(), fc.bigInt({ min: 0n })).map(([whole, part]) => `${whole}.${part}`),
    fc.nat(12).map((zeros) => `0.${'0'.repeat(zeros)}1`),
    fc.constantFrom('-0', '1.0', '-0.0', '10', '1E5', '0.10'),
  );
  fc.assert(
    fc.property(fc.array(number, { maxLength: 5 }), fc.boolean(), (numbers, hasSpaces) => {
      const text = `{"a":[${numbers.join(hasSpaces ? ' , ' : ',')}],"b":${numbers[0] ?? 'null'}}`;
      expect(stringify(parseLossless(text))).toBe(text.replaceAll(' , ', ','));
    }),
    { numRuns: getPropertyRuns(1500) },
  );
});
