import fc from 'fast-check';
import { expect, test } from 'vitest';
import { markdownText } from '../../../src/platform/markdownText.ts';

/** What a browser reads in a text with character references. */
const read = (markdown: string): string =>
  markdown.replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));

test.each([
  'see https://evil.example/x',
  'www.evil.example',
  'write to a@evil.example',
  '<command:datamodelStudio.builds.cancel>',
  '[x](command:workbench.action.quit)',
  '| a |\n|---|',
  '    code',
])('%j is no link and no markup', (text) => {
  // No sign is left that means something in Markdown: all of it is letters, digits and character references.
  expect(markdownText(text).replaceAll(/&#\d+;|\n\n/g, '')).toMatch(/^[\p{L}\p{N}]*$/u);
});

test('every text is read as it was, blanks and lines included', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      const shown = read(markdownText(text)).replaceAll('\u00a0', ' ').replaceAll('\n\n', '\n');
      expect(shown).toBe(text.replaceAll(/\r\n?/g, '\n').replaceAll(/[\t\u00a0]/g, ' '));
    }),
  );
});
