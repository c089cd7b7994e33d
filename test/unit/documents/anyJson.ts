import fc from 'fast-check';
import { type JsonValue, createRawNumber } from '../../../src/base/json.ts';

/** Any JSON as it occurs in documents: unusual keys, and numbers that a double would change. */
export const anyJson = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    fc.constantFrom<JsonValue>(null, true, false, '', 0, -2.5, 1e21),
    fc.string(),
    fc.integer(),
    fc.constantFrom('1.0', '12345678901234567890', '1e3', '-0', '0.10').map(createRawNumber),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.oneof(fc.string(), fc.constantFrom('a', 'b', '__proto__', 'oid')), tie('value'), {
      maxKeys: 4,
    }),
  ),
})).value;
