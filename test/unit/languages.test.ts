import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const { contributes } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'));

/** The languages that only the product uses. The settings of others apply to files that aren't the product's. */
const ids: readonly string[] = contributes.languages
  .map(({ id }: { readonly id: string }) => id)
  .filter((id: string) => id.startsWith('datamodel-'));

test.each(ids)('in %s, completion offers no words of the file, which could become values', (id) => {
  expect(contributes.configurationDefaults[`[${id}]`]).toMatchObject({
    'editor.wordBasedSuggestions': 'off',
  });
});
