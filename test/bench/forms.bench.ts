import { applyViewpointEdit } from '../../src/viewpoints/form/applyViewpointEdit.ts';
import { createViewpointColumn } from '../../src/viewpoints/form/createViewpointColumn.ts';
import { rebaseViewpointEdit } from '../../src/viewpoints/form/rebaseEdit.ts';
import { BenchFormPage } from './formPage.ts';
import { getMedian, printFigure, roundTo } from './report.ts';

// Measures the main-thread time of the page for one keystroke in the form of a viewpoint of 2,000 columns.

const columnCount = 2000;
const editCount = 60;
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

const workTimes: number[] = [];
const idleTimes: number[] = [];
for (let editIndex = 0; editIndex < editCount; editIndex += 1) {
  const idleStart = await form.getTaskDurationMs();
  const idleEnd = await form.getTaskDurationMs();
  await page.keyboard.type(String.fromCharCode(97 + (editIndex % 26)));
  const workEnd = await form.getTaskDurationMs();
  // The cost of the measurement itself, which is subtracted.
  idleTimes.push(idleEnd - idleStart);
  workTimes.push(workEnd - idleEnd);
}
if (!form.text.includes('abcdefg')) {
  throw new Error('The typed letters are not in the text');
}
const measurementMs = getMedian(idleTimes);
const milliseconds = getMedian(workTimes) - measurementMs;
const p95 = workTimes.toSorted((a, b) => a - b)[Math.floor(editCount * 0.95)] ?? Number.NaN;
printFigure({
  bench: 'forms: a keystroke in the form of a viewpoint of 2,000 columns, main thread of the page',
  baseline: 'one frame at 60 Hz (16 ms)',
  ratio: roundTo(milliseconds / frameMs),
  milliseconds: roundTo(milliseconds, 1),
  p95: roundTo(p95 - measurementMs, 1),
});
