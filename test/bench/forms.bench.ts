import { applyViewpointEdit } from '../../src/viewpoints/form/applyViewpointEdit.ts';
import { createViewpointColumn } from '../../src/viewpoints/form/createViewpointColumn.ts';
import { rebaseViewpointEdit } from '../../src/viewpoints/form/rebaseEdit.ts';
import { BenchFormPage } from './formPage.ts';
import { compare } from './harness/bench.ts';

// Measures the main-thread time of the page for one keystroke in the form of a viewpoint of 2,000 columns.

const columnCount = 2000;
const frameMs = 16;
const columns = Array.from({ length: columnCount }, (_, index) => ({
  ...createViewpointColumn(`Table ${index % 40}`, {
    name: `Column ${index}`,
    type: [18, 8, 4][index % 3] ?? 18,
  }),
  ...(index % 5 === 0 ? { filter: { members: ['a', 'b'] }, infusion: { header: true } } : {}),
}));
const text = `${JSON.stringify({ name: 'Large', description: '', details: { columns } }, undefined, 2)}\n`;
const adapter = { emptyValue: {}, apply: applyViewpointEdit, rebase: rebaseViewpointEdit };

await using form = await BenchFormPage.open('viewpointForm', adapter, text);
const { page } = form;
await page.getByRole('row', { name: /Column 3 / }).click();
await page.locator('#column-title').click();
await page.keyboard.press('End');

await compare(
  {
    name: 'keystroke',
    what: `A keystroke in the form of a viewpoint with ${columnCount.toLocaleString('en-US')} columns`,
    baseline: 'a frame of 16 ms',
    limit: 1,
    minPairs: 30,
    maxPairs: 100,
    warmups: 5,
  },
  {
    subject: (pair) =>
      form.measureTaskMs(() => page.keyboard.type(String.fromCharCode(97 + ((pair + 26) % 26)))),
    base: frameMs,
  },
);
if (!form.text.includes('abcdefg')) {
  throw new Error('The typed letters are not in the text');
}
