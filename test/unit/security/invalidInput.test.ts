import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { type JsonValue, parseLossless } from '../../../src/base/json.ts';
import { applyPathEdits } from '../../../src/json/text/pathEdit.ts';
import { effectiveAccess, getRuleFixes, lintRules } from '../../../src/security/index.ts';
import { getInputRuns } from '../../support/soak.ts';

const keys = [
  '_id',
  'server',
  'elasticube',
  'fullname',
  'live',
  'table',
  'column',
  'datatype',
  'members',
  'allMembers',
  'exclusionary',
  'shares',
  'party',
  'partyId',
  'type',
  '__proto__',
  'constructor',
];
const scalar = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    false,
    '',
    'user',
    'group',
    'default',
    'Stores',
    'Region',
    'anna',
    'live:x',
    0,
    -1.5,
  ),
  fc.constant(parseLossless('[12345678901234567890]')).map((list) => (list as readonly unknown[])[0]),
  fc.string(),
);
const { json } = fc.letrec((tie) => ({
  json: fc.oneof(
    { maxDepth: 4, depthIdentifier: 'json' },
    scalar,
    fc.array(tie('json'), { maxLength: 3 }),
    tie('object'),
  ),
  object: fc
    .array(fc.tuple(fc.constantFrom(...keys), tie('json')), { maxLength: 12 })
    .map(Object.fromEntries),
}));
const anyRules = fc.oneof(json, fc.array(json, { maxLength: 6 })) as fc.Arbitrary<readonly unknown[]>;
const catalog = { complete: true, tables: [{ name: 'Stores', columns: [{ name: 'Region', type: 18 }] }] };

test('no JSON value makes a function throw, and the input stays unchanged', () => {
  fc.assert(
    fc.property(anyRules, json, (rules, party) => {
      const before = JSON.stringify(rules);
      for (const { index, path } of lintRules(rules, catalog)) {
        expect(rules[index]).toBeTypeOf('object');
        expect(path.length).toBeLessThanOrEqual(3);
      }
      for (const problem of lintRules(rules)) {
        for (const { edits } of getRuleFixes(problem, rules, catalog)) {
          expect(applyPathEdits(rules as JsonValue, edits)).toBeInstanceOf(Array);
        }
      }
      for (const each of effectiveAccess(rules, party as never, party as never)) {
        expect(['all', 'none', 'only', 'except', 'ambiguous']).toContain(each.verdict);
      }
      expect(JSON.stringify(rules)).toBe(before);
    }),
    { numRuns: getInputRuns(500) },
  );
});

test('the stable interfaces accept a missing list, party and options', () => {
  const invalidInputs = [undefined, null, 5, 'x', {}] as unknown as readonly (readonly unknown[])[];
  for (const value of invalidInputs) {
    expect(effectiveAccess(value, value as never, value as never)).toEqual([]);
    expect(lintRules(value)).toEqual([]);
  }
});
