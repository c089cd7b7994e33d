import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { NameEdit } from '../../../src/sql/rename/nameEdit.ts';
import { createOffsetMapping } from '../../../src/sql/rename/offsetMapping.ts';

/** A text as parts that stay, and names that are replaced. */
const part = fc.oneof(
  fc.record({ unchanged: fc.stringMatching(/^[ ,]{0,3}$/) }),
  fc.record({
    old: fc.stringMatching(/^[a-c]{1,3}$/),
    qualifier: fc.constantFrom('', 'o.'),
    name: fc.stringMatching(/^[x-z]{1,4}$/),
  }),
);

test('an offset leads to the same place in the other text, and an offset inside a name or qualifier leads to none', () => {
  fc.assert(
    fc.property(fc.array(part, { maxLength: 6 }), fc.boolean(), (parts, isReversed) => {
      const edits: NameEdit[] = [];
      const pairs = new Map<number, number>();
      let [before, after] = [0, 0];
      for (const each of parts) {
        if ('unchanged' in each) {
          each.unchanged.split('').forEach((_character, index) => pairs.set(before + index, after + index));
          before += each.unchanged.length;
          after += each.unchanged.length;
        } else {
          const { old, qualifier, name } = each;
          edits.push({ start: before, end: before + old.length, qualifier, name });
          pairs.set(before, after + qualifier.length);
          before += old.length;
          after += qualifier.length + name.length;
        }
      }
      const mapping = createOffsetMapping(isReversed ? edits.toReversed() : edits);
      const reversePairs = new Map([...pairs].map(([from, to]) => [to, from]));
      for (let offset = 0; offset < before; offset += 1) {
        expect(mapping.toAfter(offset)).toBe(pairs.get(offset));
      }
      for (let offset = 0; offset < after; offset += 1) {
        expect(mapping.toBefore(offset)).toBe(reversePairs.get(offset));
      }
      expect([mapping.toAfter(before + 5), mapping.toBefore(after + 5)]).toEqual([after + 5, before + 5]);
    }),
  );
});
