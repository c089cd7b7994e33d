import type { FromMatrix, ToMatrix } from '../../src/webviews/protocol/ruleMatrix.ts';
import { getMedian, printFigure, roundTo } from './report.ts';
import { BenchWebviewPage } from './webviewPage.ts';

/** The matrix of 200 parties × 40 columns: main-thread work for a key press, a scroll and a fill. */
const partyCount = 200;
const columnCount = 40;
const repeatCount = 40;
const frameMs = 16;
const rules = Array.from({ length: columnCount }, (_, columnIndex) =>
  Array.from({ length: partyCount }, (_none, partyIndex) => ({
    _id: `${columnIndex} ${partyIndex}`,
    table: `Table ${columnIndex % 8}`,
    column: `Column ${columnIndex}`,
    datatype: 'text',
    members: ['North', `Region ${partyIndex}`],
    allMembers: null,
    exclusionary: partyIndex % 7 === 0,
    shares:
      partyIndex === 0
        ? [{ type: 'default' }]
        : [{ type: 'user', partyId: `u${partyIndex}`, partyName: `User ${partyIndex}` }],
  })),
).flat();

let draftCellCount = 0;
await using benchPage = await BenchWebviewPage.open<ToMatrix>('ruleMatrix', (received, host) => {
  const message = received as FromMatrix;
  if (message.type === 'ready') {
    host.post({ type: 'data', title: 'Large', kind: 'extract', rules });
  } else if (message.type === 'draft') {
    draftCellCount = message.draft.cells.length;
  }
});
const { page } = benchPage;
await page.getByRole('gridcell').first().click();

/** The median and the slowest time of a step, minus the cost of the measurement itself. */
async function measure(
  name: string,
  repeats: number,
  step: (repeatIndex: number) => Promise<unknown>,
): Promise<void> {
  const workTimes: number[] = [];
  const idleTimes: number[] = [];
  for (let repeatIndex = 0; repeatIndex < repeats; repeatIndex += 1) {
    const idleStart = await benchPage.getTaskDurationMs();
    const idleEnd = await benchPage.getTaskDurationMs();
    await step(repeatIndex);
    const workEnd = await benchPage.getTaskDurationMs();
    idleTimes.push(idleEnd - idleStart);
    workTimes.push(workEnd - idleEnd);
  }
  const milliseconds = getMedian(workTimes) - getMedian(idleTimes);
  printFigure({
    bench: `matrix of ${partyCount} parties × ${columnCount} columns: ${name}, main thread of the page`,
    baseline: 'one frame at 60 Hz (16 ms)',
    ratio: roundTo(milliseconds / frameMs),
    milliseconds: roundTo(milliseconds, 1),
    slowest: roundTo(Math.max(...workTimes), 1),
  });
}

await measure('an arrow key', repeatCount, (repeatIndex) =>
  page.keyboard.press(repeatIndex % 2 === 0 ? 'ArrowDown' : 'ArrowRight'),
);
await measure('a page down', 8, () => page.keyboard.press('PageDown'));
await page.keyboard.press('Control+Home');
await page.keyboard.press('F2');
await measure('a letter typed into a cell', repeatCount, (repeatIndex) =>
  page.keyboard.type(String.fromCharCode(97 + (repeatIndex % 26))),
);
await page.keyboard.press('Enter');
await measure('a cell toggled', repeatCount, () => page.keyboard.press(' '));
await page.mouse.move(700, 400);
await measure('a turn of the wheel', repeatCount, (repeatIndex) =>
  page.mouse.wheel(repeatIndex % 2 === 0 ? 0 : 120, 120),
);
await page.keyboard.press('Control+a');
await measure('all 8,000 cells filled or cleared', 6, (repeatIndex) =>
  page.keyboard.press(repeatIndex % 2 === 0 ? ' ' : 'Control+z'),
);
await page.keyboard.press('Delete');
await page.getByText('Apply 8000 Changes…').waitFor();
const renderedCellCount = await page.getByRole('gridcell').count();
if (renderedCellCount > 600 || draftCellCount === 0) {
  throw new Error(
    `${renderedCellCount} cells were rendered, and ${draftCellCount} changes were in the draft`,
  );
}
