import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Token } from '../../../src/sql/syntax/token.ts';
import { TokenList } from '../../../src/sql/syntax/tokenList.ts';
import { getPropertyRuns } from '../../support/soak.ts';

const createToken = (start: number): Token => ({
  kind: 'word',
  start,
  end: start + 1,
  symbol: '',
  unclosed: false,
});

function createList(length: number): TokenList {
  const list = new TokenList();
  for (let index = 0; index < length; index++) {
    list.push(createToken(2 * index));
  }
  return list;
}

/** Lists of one run, and of several. */
const lengths = fc.oneof(fc.nat({ max: 5 }), fc.integer({ min: 2040, max: 4100 }));

test('a list with replaced tokens equals an array with the same replacements, and has no empty runs', () => {
  fc.assert(
    fc.property(
      lengths,
      fc.array(fc.record({ position: fc.nat(), count: fc.nat({ max: 3000 }), added: fc.nat({ max: 3 }) }), {
        maxLength: 4,
      }),
      (length, edits) => {
        let list = createList(length);
        let tokens = [...list];
        for (const { position, count, added } of edits) {
          const start = position % (tokens.length + 1);
          const end = Math.min(start + count, tokens.length);
          const shift = 2 * (added - (end - start));
          const replacement = new TokenList();
          for (let index = 0; index < added; index++) {
            replacement.push(createToken(2 * (start + index)));
          }
          tokens = [
            ...tokens.slice(0, start),
            ...replacement,
            ...tokens.slice(end).map((token) => createToken(token.start + shift)),
          ];
          list = list.withReplaced(start, end, replacement, shift);
          expect(list.length).toBe(tokens.length);
          expect(JSON.stringify([...list])).toBe(JSON.stringify(tokens));
          for (const index of [-1, 0, start - 1, start, start + added, tokens.length - 1, tokens.length]) {
            expect(list.get(index)).toEqual(tokens[index]);
          }
          expect(list.runCount).toBeLessThanOrEqual(tokens.length);
        }
        expect(list.withReplaced(0, list.length, new TokenList(), 0).runCount).toBe(0);
      },
    ),
    { numRuns: getPropertyRuns(100) },
  );
});

test.each([0, 1, 2047, 2048, 2049, 4096, 5000])(
  'a list can be truncated after %i tokens and then extended',
  (length) => {
    const list = createList(5000);
    list.truncate(length);
    expect(list.length).toBe(length);
    expect(list.get(length)).toBeUndefined();
    list.push(createToken(2 * length));
    expect(JSON.stringify([...list])).toBe(JSON.stringify([...createList(length + 1)]));
    expect(list.get(length)).toEqual(createToken(2 * length));
  },
);

test('the token at an offset is the first one that ends at or after it, or else the last one', () => {
  const list = createList(3);
  expect([-1, 0, 1, 2, 3, 4, 5, 6].map((offset) => list.indexAt(offset))).toEqual([0, 0, 0, 1, 1, 2, 2, 2]);
  expect(new TokenList().indexAt(5)).toBe(0);
});
