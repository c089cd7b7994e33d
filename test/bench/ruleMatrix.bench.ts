import type { MatrixPageMessage, MatrixHostMessage } from '../../src/webviews/protocol/ruleMatrix.ts';
import { compare } from './harness/bench.ts';
import { BenchWebviewPage } from './webviewPage.ts';

/** The matrix of 200 parties × 40 columns: main-thread work for a key press, a scroll and a fill. */
const partyCount = 200;
const columnCount = 40;
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
await using benchPage = await BenchWebviewPage.open<MatrixHostMessage>('ruleMatrix', (received, host) => {
  const message = received as MatrixPageMessage;
  if (message.type === 'ready') {
    host.post({ type: 'data', title: 'Large', kind: 'extract', rules });
  } else if (message.type === 'draft') {
    draftCellCount = message.draft.cells.length;
  }
});
const { page } = benchPage;
await page.getByRole('gridcell').first().click();

/** Compares the time of a step with a frame. */
const compareWithFrame = (
  name: string,
  step: { readonly what: string; readonly pairs: number; readonly run: (pair: number) => Promise<unknown> },
): Promise<void> =>
  compare(
    {
      name,
      what: `A grid of ${partyCount} parties × ${columnCount} columns: ${step.what}`,
      baseline: 'a frame of 16 ms',
      minPairs: step.pairs,
      maxPairs: step.pairs,
    },
    { subject: (pair) => benchPage.measureTaskMs(() => step.run(pair)), base: frameMs },
  );

await compareWithFrame('arrow', {
  what: 'an arrow key',
  pairs: 40,
  run: (pair) => page.keyboard.press(pair % 2 === 0 ? 'ArrowDown' : 'ArrowRight'),
});
await compareWithFrame('pageDown', {
  what: 'Page Down',
  pairs: 10,
  run: () => page.keyboard.press('PageDown'),
});
await page.keyboard.press('Control+Home');
await page.keyboard.press('F2');
await compareWithFrame('letter', {
  what: 'a letter typed',
  pairs: 40,
  run: (pair) => page.keyboard.type(String.fromCharCode(97 + ((pair + 26) % 26))),
});
await page.keyboard.press('Enter');
await compareWithFrame('toggle', { what: 'a cell toggled', pairs: 40, run: () => page.keyboard.press(' ') });
await page.mouse.move(700, 400);
await compareWithFrame('wheel', {
  what: 'one step of the wheel',
  pairs: 40,
  run: (pair) => page.mouse.wheel(pair % 2 === 0 ? 0 : 120, 120),
});
await page.keyboard.press('Control+a');
await compareWithFrame('fill', {
  what: 'all 8,000 cells filled, or that undone',
  pairs: 10,
  run: (pair) => page.keyboard.press(pair % 2 === 0 ? ' ' : 'Control+z'),
});
await page.keyboard.press('Delete');
await page.getByText('Apply 8000 Changes…').waitFor();
const renderedCellCount = await page.getByRole('gridcell').count();
if (renderedCellCount > 600 || draftCellCount === 0) {
  throw new Error(
    `${renderedCellCount} cells were rendered, and ${draftCellCount} changes were in the draft`,
  );
}
