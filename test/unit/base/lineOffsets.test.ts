import fc from 'fast-check';
import { expect, test } from 'vitest';
import { TextDocument } from 'vscode-json-languageservice';
import { LineOffsets } from '../../../src/base/lineOffsets.ts';

test('property: positions match those of an open document', () => {
  const texts = fc.array(fc.constantFrom('a', '😀', '\n', '\r\n', '\r', ' ')).map((parts) => parts.join(''));
  fc.assert(
    fc.property(texts, fc.nat(), (text, offsetChoice) => {
      const offset = offsetChoice % (text.length + 1);
      // Between the two characters of a line ending the editor returns the position before them.
      fc.pre(!(text[offset - 1] === '\r' && text[offset] === '\n'));
      const document = TextDocument.create('file:///x', 'json', 1, text);
      expect(new LineOffsets(text).positionAt(offset)).toEqual(document.positionAt(offset));
    }),
  );
});
