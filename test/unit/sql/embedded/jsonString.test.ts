import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { JsonString, escapeJson } from '../../../../src/sql/embedded/jsonString.ts';
import { applyEdits } from '../../../../src/sql/index.ts';
import { getPropertyRuns } from '../../../support/soak.ts';

/** One of many ways to write a character in JSON. */
function escapeCharacter(unit: string, choice: number): string {
  const code = unit.charCodeAt(0);
  const asNumber = `\\u${code.toString(16).padStart(4, '0')}`;
  const short = JSON.stringify(unit).slice(1, -1);
  const ways = [short, asNumber, asNumber.toUpperCase().replace('\\U', '\\u'), unit === '/' ? '\\/' : short];
  return ways[choice % ways.length] ?? short;
}

const unit = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 4 }),
  fc.string({ unit: 'grapheme', maxLength: 4 }),
  fc.constantFrom('"', '\\', '/', '\n', '\u0000', '\ud83d', '\ude00', '😀', '[Order "x"]', "'it''s'", 'o.'),
);

/** A string, a literal for it, and the text around the literal. */
const literal = fc
  .tuple(
    fc.array(unit, { maxLength: 12 }),
    fc.infiniteStream(fc.nat(7)),
    fc.constantFrom('', '{"expression": ', '😀 '),
  )
  .map(([parts, choices, before]) => {
    const value = parts.join('');
    const body = value
      .split('')
      .map((character) => escapeCharacter(character, choices.next().value))
      .join('');
    return { value, before, document: `${before}"${body}", "more": "x"}`, body };
  });

describe('any string, however it is escaped', () => {
  test('has the value that JSON gives it', () => {
    fc.assert(
      fc.property(literal, ({ value, before, document, body }) => {
        const jsonString = new JsonString(document, before.length);
        expect(jsonString.text).toBe(value);
        expect(jsonString.text).toBe(JSON.parse(`"${body}"`));
        expect(document[jsonString.end]).toBe('"');
      }),
      { numRuns: getPropertyRuns(500) },
    );
  });

  test('positions in the value map to the document and back', () => {
    fc.assert(
      fc.property(literal, ({ value, before, document }) => {
        const jsonString = new JsonString(document, before.length);
        const valueOffsets = Array.from({ length: value.length + 1 }, (_, valueOffset) => valueOffset);
        const documentOffsets = valueOffsets.map((valueOffset) => jsonString.toDocumentOffset(valueOffset));
        expect(documentOffsets.map((documentOffset) => jsonString.toValueOffset(documentOffset))).toEqual(
          valueOffsets,
        );
        expect(documentOffsets, 'strictly ascending').toEqual(
          [...new Set(documentOffsets)].toSorted((a, b) => a - b),
        );
        expect([documentOffsets[0], documentOffsets.at(-1)]).toEqual([jsonString.start, jsonString.end]);
        for (let documentOffset = jsonString.start; documentOffset <= jsonString.end; documentOffset += 1) {
          if (jsonString.toDocumentOffset(jsonString.toValueOffset(documentOffset)) > documentOffset) {
            expect.fail(`${documentOffset} leads forward`);
          }
        }
      }),
      { numRuns: getPropertyRuns(500) },
    );
  });

  test('an edit of the value is the same edit of the document', () => {
    fc.assert(
      fc.property(
        literal,
        fc.nat(),
        fc.nat(),
        fc.string({ unit: 'binary' }),
        ({ value, before, document }, a, b, newText) => {
          const jsonString = new JsonString(document, before.length);
          const [start = 0, end = 0] = [a % (value.length + 1), b % (value.length + 1)].toSorted(
            (x, y) => x - y,
          );
          const edited = applyEdits(document, [
            {
              start: jsonString.toDocumentOffset(start),
              end: jsonString.toDocumentOffset(end),
              newText: escapeJson(newText),
            },
          ]);
          expect(new JsonString(edited, before.length).text).toBe(
            applyEdits(value, [{ start, end, newText }]),
          );
          expect(edited.endsWith(', "more": "x"}')).toBe(true);
        },
      ),
      { numRuns: getPropertyRuns(500) },
    );
  });

  test('a string that is cut off is read without an error, and positions stay inside', () => {
    fc.assert(
      fc.property(literal, fc.nat(), ({ before, document }, cut) => {
        const truncated = document.slice(0, before.length + 1 + (cut % (document.length - before.length)));
        const jsonString = new JsonString(truncated, before.length);
        expect(jsonString.end).toBeLessThanOrEqual(truncated.length);
        const valueOffsets = Array.from(
          { length: jsonString.text.length + 1 },
          (_, valueOffset) => valueOffset,
        );
        expect(
          valueOffsets.map((valueOffset) =>
            jsonString.toValueOffset(jsonString.toDocumentOffset(valueOffset)),
          ),
        ).toEqual(valueOffsets);
      }),
      { numRuns: getPropertyRuns(300) },
    );
  });
});

describe('half-typed literals', () => {
  test.each([
    ['"abc', 'abc', 4],
    ['"abc\n"def"', 'abc', 4],
    ['"a\\', 'a\\', 3],
    ['"a\\u12"', 'a\\u12', 6],
    ['"a\\q"', 'a\\q', 4],
    ['"', '', 1],
  ])('%j', (document, text, end) => {
    const jsonString = new JsonString(document, 0);
    expect([jsonString.text, jsonString.end]).toEqual([text, end]);
  });
});
