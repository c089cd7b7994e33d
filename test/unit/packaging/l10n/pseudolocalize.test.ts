import { expect, test } from 'vitest';
import { pseudolocalize } from '../../../../src/packaging/l10n/pseudolocalize.ts';
import { checkTranslation } from '../../../../src/packaging/l10n/translation.ts';

test('a text gets accents and brackets, and is at least 40 % longer', () => {
  expect(pseudolocalize('Open Table')).toBe('⟦Öpéñ Ťàbļé~~~~⟧');
});

test.each([
  '{0} of {1}',
  '$(sync~spin) Building {0}',
  '[Start](command:a.b)\nor *not*',
  'See `#http.proxy#`…',
  ', then ',
])('%s keeps what a translation must keep', (text) => {
  expect(checkTranslation({ text }, { text: pseudolocalize(text) }).problems).toEqual([]);
});
