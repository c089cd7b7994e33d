import { applyViewpointEdit } from '../../src/viewpoints/form/applyViewpointEdit.ts';
import { createViewpointColumn } from '../../src/viewpoints/form/createViewpointColumn.ts';
import { rebaseViewpointEdit } from '../../src/viewpoints/form/rebaseEdit.ts';
import { BenchFormPage } from './formPage.ts';
import { getMedian, printFigure, roundTo } from './report.ts';

/** A form edit on a viewpoint of 2,000 columns (issue 7): work on the page's main thread, and the whole round trip. */
const count = 2000;
const edits = 60;
const frameMs = 16;
const columns = Array.from({ length: count }, (_, index) => ({
  ...createViewpointColumn(`Table ${index % 40}`, {
    name: `Column ${index}`,
    type: [18, 8, 4][index % 3] ?? 18,
  }),
  ...(index % 5 === 0 ? { filter: { members: ['a', 'b'] }, infusion: { header: true } } : {}),
}));
const text = `${JSON.stringify({ name: 'Large', description: '', details: { columns } }, undefined, 2)}\n`;
const kind = { emptyValue: {}, apply: applyViewpointEdit, rebase: rebaseViewpointEdit };

await using form = await BenchFormPage.open('viewpointForm', kind, text);
const { page } = form;
await page.getByRole('row', { name: /Column 3 / }).click();
await page.locator('#column-title').click();
await page.keyboard.press('End');

const work: number[] = [];
const idle: number[] = [];
for (let edit = 0; edit < edits; edit += 1) {
  const before = await form.getTaskDurationMs();
  const still = await form.getTaskDurationMs();
  await page.keyboard.type(String.fromCharCode(97 + (edit % 26)));
  const after = await form.getTaskDurationMs();
  // Subtract the cost of the measurement itself.
  idle.push(still - before);
  work.push(after - still);
}
if (!form.text.includes('abcdefg')) {
  throw new Error('What was typed did not reach the text');
}
const milliseconds = getMedian(work) - getMedian(idle);
printFigure({
  bench: 'forms: a keystroke in the form of a viewpoint of 2,000 columns, main thread of the page',
  beside: 'one frame at 60 Hz (16 ms)',
  ratio: roundTo(milliseconds / frameMs),
  milliseconds: roundTo(milliseconds, 1),
  p95: roundTo(work.toSorted((a, b) => a - b)[Math.floor(edits * 0.95)] ?? 0, 1),
});
