import fc from 'fast-check';
import { expect, test } from 'vitest';
import { escapeMarkdownText, toPlainText } from '../../../src/platform/serverText.ts';

test.each([
  ['Click [here](command:workbench.action.quit)', 'Click [here] (command:workbench.action.quit)'],
  ['$(error) Retail', '$ (error) Retail'],
  ['two\nlines\u2028and\u0007more', 'two lines and more'],
  ['Umsätze [Q1] (EU) 50 $', 'Umsätze [Q1] (EU) 50 $'],
])('%j is shown as %j', (text, shown) => {
  expect(toPlainText(text)).toBe(shown);
});

/** Decodes the character references of a text like a browser. */
const decodeReferences = (markdown: string): string =>
  markdown.replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));

test.each([
  'see https://evil.example/x',
  'www.evil.example',
  'write to a@evil.example',
  '<command:datamodelStudio.builds.cancel>',
  '[x](command:workbench.action.quit)',
  '| a |\n|---|',
  '    code',
])('%j is neither a link nor markup', (text) => {
  // No character with a meaning in Markdown is left: only letters, digits and character references.
  expect(escapeMarkdownText(text).replaceAll(/&#\d+;|\n\n/g, '')).toMatch(/^[\p{L}\p{N}]*$/u);
});

test('every text is displayed unchanged, apart from the kind of blanks', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      const shown = decodeReferences(escapeMarkdownText(text))
        .replaceAll('\u00a0', ' ')
        .replaceAll('\n\n', '\n');
      expect(shown).toBe(text.replaceAll(/\r\n?/g, '\n').replaceAll(/[\t\u00a0]/g, ' '));
    }),
  );
});
