import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeText, decodeUtf8 } from '../../../src/base/decodeText.ts';
import { getPropertyRuns } from '../../support/soak.ts';

const sampleText = 'Köln, Łódź, 東京, 👍';

test.each<[string, readonly number[], BufferEncoding, string]>([
  ['UTF-8', [], 'utf8', 'UTF-8'],
  ['UTF-8 with a byte-order mark', [0xef, 0xbb, 0xbf], 'utf8', 'UTF-8'],
  ['UTF-16 with a byte-order mark', [0xff, 0xfe], 'utf16le', 'UTF-16'],
])('%s is read', (_, mark, bufferEncoding, encoding) => {
  expect(decodeText(Buffer.concat([Uint8Array.from(mark), Buffer.from(sampleText, bufferEncoding)]))).toEqual(
    {
      text: sampleText,
      encoding,
    },
  );
});

test('UTF-16 is read in big-endian byte order, too', () => {
  const bytes = Buffer.concat([Uint8Array.of(0xff, 0xfe), Buffer.from(sampleText, 'utf16le')]).swap16();
  expect(decodeText(bytes)).toEqual({ text: sampleText, encoding: 'UTF-16' });
});

test('text that is not UTF-8 is read as Windows-1252 and reported', () => {
  expect(decodeText(Buffer.from('Köln', 'latin1'))).toEqual({ text: 'Köln', encoding: 'Windows-1252' });
  expect(decodeText(Uint8Array.of(0x80, 0x20, 0x93, 0x61, 0x94, 0x20, 0x92, 0x9f)).text).toBe('€ “a” ’Ÿ');
});

test('a byte that is undefined in Windows-1252 becomes a replacement character', () => {
  expect(decodeText(Uint8Array.of(0x61, 0x81)).text).toBe('a\u{fffd}');
});

test('text that is not UTF-8 is not partly decoded as UTF-8', () => {
  expect(decodeUtf8(Buffer.from('Köln', 'latin1'))).toBeUndefined();
  expect(decodeUtf8(Buffer.from('Köln'))).toBe('Köln');
  expect(decodeUtf8(new Uint8Array())).toBe('');
});

test('every text survives a round trip through UTF-8', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      fc.pre(!text.startsWith('\u{feff}'));
      expect(decodeText(new TextEncoder().encode(text))).toEqual({ text, encoding: 'UTF-8' });
    }),
    { numRuns: getPropertyRuns(200) },
  );
});
