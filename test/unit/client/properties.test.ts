import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseLossless, stringify } from '../../../src/base/json.ts';
import { describeError } from '../../../src/client/describeError.ts';
import { type EndpointId, endpoints } from '../../../src/contract/endpoints.ts';
import { createEveryCall } from '../../support/clientCalls.ts';
import { ApiError } from '../../../src/client/errors.ts';
import { makeClient, token } from './support.ts';
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
const leaf = fc.oneof(
  fc.constantFrom(null, true, 0, 1.5, '', 'x', 'extract', 'EXTRACT'),
  fc.string(),
  fc.double(),
);
const { document } = fc.letrec((tie) => ({
  document: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    leaf,
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
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...ids),
      body,
      fc.constantFrom(200, 200, 200, 201, 204, 301, 304, 400, 404, 418, 500),
      fc.constantFrom('application/json', 'text/html', '', 'text/plain'),
      async (id, text, status, type) => {
        const { client, log } = makeClient({
          status,
          body: text,
          headers: { 'content-type': type, location: text },
        });
        try {
          const answer = await createEveryCall(client)[id]();
          // Responses for live rules are always returned as a list, without entries that do not name the rules. And no
          // match is no failure, but no response either.
          const isNone = status === 404;
          expect(answer.text).toBe(id.startsWith('liveRules.create') || isNone ? answer.text : text);
        } catch (error) {
          if (!(error instanceof ApiError)) {
            throw error;
          }
          expect(describeError(error).code).toBe(error.code);
          expect(error.message).not.toContain(token);
        }
        expect(log.text).not.toContain(token);
      },
    ),
    {
      numRuns: getInputRuns(1500),
      examples: [['customData.deleteMatching', '{"title":"!"}', 404, 'application/json']],
    },
  );
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
    fc.property(fc.array(number, { maxLength: 5 }), fc.boolean(), (numbers, spaced) => {
      const text = `{"a":[${numbers.join(spaced ? ' , ' : ',')}],"b":${numbers[0] ?? 'null'}}`;
      expect(stringify(parseLossless(text))).toBe(text.replaceAll(' , ', ','));
    }),
    { numRuns: getPropertyRuns(1500) },
  );
});
