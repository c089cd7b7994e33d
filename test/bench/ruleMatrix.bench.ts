import type { FromMatrix, ToMatrix } from '../../src/webviews/protocol/ruleMatrix.ts';
import { getMedian, printFigure, roundTo } from './report.ts';
import { BenchWebviewPage } from './webviewPage.ts';

/** The matrix of 200 parties × 40 columns (issue 8): main-thread work for a key press, a scroll and a fill. */
const parties = 200;
const columns = 40;
const turns = 40;
const frameMs = 16;
const rules = Array.from({ length: columns }, (_, column) =>
  Array.from({ length: parties }, (_none, party) => ({
    _id: `${column} ${party}`,
    table: `Table ${column % 8}`,
    column: `Column ${column}`,
    datatype: 'text',
    members: ['North', `Region ${party}`],
    allMembers: null,
    exclusionary: party % 7 === 0,
    shares:
      party === 0
        ? [{ type: 'default' }]
        : [{ type: 'user', partyId: `u${party}`, partyName: `User ${party}` }],
  })),
).flat();

let keptBytes = 0;
await using opened = await BenchWebviewPage.open<ToMatrix>('ruleMatrix', (said, host) => {
  const message = said as FromMatrix;
  if (message.type === 'ready') {
    host.post({ type: 'data', title: 'Large', kind: 'extract', rules });
  } else if (message.type === 'draft') {
    keptBytes = message.draft.cells.length;
  }
});
const { page } = opened;
await page.getByRole('gridcell').first().click();

/** The median and the slowest time of a step, minus the cost of the measurement itself. */
async function measure(name: string, times: number, step: (turn: number) => Promise<unknown>): Promise<void> {
  const work: number[] = [];
  const idle: number[] = [];
  for (let turn = 0; turn < times; turn += 1) {
    const before = await opened.getTaskDurationMs();
    const still = await opened.getTaskDurationMs();
    await step(turn);
    const after = await opened.getTaskDurationMs();
    idle.push(still - before);
    work.push(after - still);
  }
  const milliseconds = getMedian(work) - getMedian(idle);
  printFigure({
    bench: `matrix of ${parties} parties × ${columns} columns: ${name}, main thread of the page`,
    beside: 'one frame at 60 Hz (16 ms)',
    ratio: roundTo(milliseconds / frameMs),
    milliseconds: roundTo(milliseconds, 1),
    slowest: roundTo(Math.max(...work), 1),
  });
}

await measure('an arrow key', turns, (turn) =>
  page.keyboard.press(turn % 2 === 0 ? 'ArrowDown' : 'ArrowRight'),
);
await measure('a page down', 8, () => page.keyboard.press('PageDown'));
await page.keyboard.press('Control+Home');
await page.keyboard.press('F2');
await measure('a letter typed into a cell', turns, (turn) =>
  page.keyboard.type(String.fromCharCode(97 + (turn % 26))),
);
await page.keyboard.press('Enter');
await measure('a cell toggled', turns, () => page.keyboard.press(' '));
await page.mouse.move(700, 400);
await measure('a turn of the wheel', turns, (turn) => page.mouse.wheel(turn % 2 === 0 ? 0 : 120, 120));
await page.keyboard.press('Control+a');
await measure('all 8,000 cells filled or cleared', 6, (turn) =>
  page.keyboard.press(turn % 2 === 0 ? ' ' : 'Control+z'),
);
await page.keyboard.press('Delete');
await page.getByText('Apply 8000 Changes…').waitFor();
const drawn = await page.getByRole('gridcell').count();
if (drawn > 600 || keptBytes === 0) {
  throw new Error(`${drawn} cells were drawn, and ${keptBytes} changes were kept`);
}
