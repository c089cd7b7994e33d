import { expect, test } from 'vitest';
import { plainText } from '../../../src/platform/plainText.ts';

test.each([
  ['Click [here](command:workbench.action.quit)', 'Click [here] (command:workbench.action.quit)'],
  ['$(error) Retail', '$ (error) Retail'],
  ['two\nlines\u2028and\u0007more', 'two lines and more'],
  ['Umsätze [Q1] (EU) 50 $', 'Umsätze [Q1] (EU) 50 $'],
])('%j is shown as %j', (text, shown) => {
  expect(plainText(text)).toBe(shown);
});
