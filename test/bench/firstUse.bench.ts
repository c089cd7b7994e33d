import { setTimeout } from 'node:timers/promises';
import { launchChromium } from '../../src/launcher/browser.ts';
import { getTableBox } from '../editor/support/diagramPage.ts';
import { startJourneySandbox } from '../editor/support/journeySandbox.ts';
import { expandRow, waitForRow } from '../editor/support/largeDatamodel.ts';
import type { Studio } from '../editor/support/studio.ts';
import { openSession } from '../editor/support/studioSession.ts';
import { TextEditor } from '../editor/support/textEditor.ts';
import { openWorkspaceFile, viewpointFileText } from '../editor/support/viewpointFile.ts';
import { getMedian, printFigure, roundTo } from './report.ts';

/**
 * The first expansion, completion, form, and diagram after activation, compared with the second of each in the same
 * window: what loads late must not be felt (decisions.md, "Activation and quality").
 */
const runs = 3;
/** The time in which a person reads the tree before the first click. */
const readingMs = 5000;

interface Pair {
  readonly first: number;
  readonly second: number;
}
const pairs = new Map<string, Pair[]>();

const browser = await launchChromium();
for (let run = 0; run < runs; run += 1) {
  await using sandbox = await startJourneySandbox();
  await using session = await openSession(browser, 'firstUse', {
    env: sandbox.env,
    workspace: {
      'first.datamodel.sql': '',
      'second.datamodel.sql': '',
      'First.viewpoint.json': viewpointFileText,
      'Second.viewpoint.json': viewpointFileText,
      'note.md': '# A page of the editor',
    },
  });
  const { studio } = session;
  await studio.openView();
  await studio.findTreeItem(['Sandbox', 'Datamodels', 'Retail']);
  // The first webview of a window also pays for what the editor itself loads for all of them.
  await openWorkspaceFile(studio, 'note.md');
  await studio.runCommand('Open Preview');
  await studio.getWebview().getByText('A page of the editor').waitFor();
  await setTimeout(readingMs);
  record('expansion', {
    first: await measureExpansion(studio, /^Support Desk/, /^(Service.Desk|Tickets)/),
    second: await measureExpansion(studio, /^Marketing/, /^Campaigns/),
  });
  record('diagram', {
    first: await measureDiagram(studio, 'Marketing', 'Campaigns'),
    second: await measureDiagram(studio, 'Support Desk', 'Tickets'),
  });
  record('completion', {
    first: await measureCompletion(studio, 'first.datamodel.sql'),
    second: await measureCompletion(studio, 'second.datamodel.sql'),
  });
  record('form', {
    first: await measureForm(studio, 'First.viewpoint.json'),
    second: await measureForm(studio, 'Second.viewpoint.json'),
  });
}
await browser.close();

function record(name: string, pair: Pair): void {
  pairs.set(name, [...(pairs.get(name) ?? []), pair]);
}

async function measure(run: () => Promise<void>): Promise<number> {
  const startTime = performance.now();
  await run();
  return performance.now() - startTime;
}

function measureExpansion(studio: Studio, parent: RegExp, child: RegExp): Promise<number> {
  return measure(async () => {
    await expandRow(studio, parent);
    await waitForRow(studio, child);
  });
}

/** The menu is not part of what is measured. */
async function measureDiagram(studio: Studio, datamodel: string, table: string): Promise<number> {
  await studio.chooseFromContextMenu(['Sandbox', 'Datamodels', datamodel], 'Show Diagram');
  return measure(() => getTableBox(studio, table).waitFor());
}

async function measureCompletion(studio: Studio, file: string): Promise<number> {
  const editor = new TextEditor(studio);
  await editor.open(file);
  await editor.type('s');
  return measure(async () => {
    await studio.page.keyboard.type('e');
    await editor.proposals.filter({ hasText: 'SELECT' }).first().waitFor();
  });
}

async function measureForm(studio: Studio, file: string): Promise<number> {
  await openWorkspaceFile(studio, file);
  const button = studio.page.getByRole('button', { name: 'Open Form' }).first();
  await button.waitFor();
  return measure(async () => {
    await button.click();
    await studio.getWebview().getByRole('grid', { name: 'Columns' }).waitFor();
  });
}

for (const [name, measured] of pairs) {
  const ratios = measured.map(({ first, second }) => first / second);
  printFigure({
    bench: `the first ${name}`,
    baseline: `the second ${name}`,
    ratio: roundTo(getMedian(ratios)),
    lowest: roundTo(Math.min(...ratios)),
    highest: roundTo(Math.max(...ratios)),
    ms: roundTo(getMedian(measured.map(({ first }) => first)), 0),
    baselineMs: roundTo(getMedian(measured.map(({ second }) => second)), 0),
    runs,
  });
}
