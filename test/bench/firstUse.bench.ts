import { setTimeout } from 'node:timers/promises';
import { launchChromium } from '../../src/launcher/browser.ts';
import { getTableBox } from '../editor/support/diagramPage.ts';
import { startJourneySandbox } from '../editor/support/journeySandbox.ts';
import { expandRow, waitForRow } from '../editor/support/largeDatamodel.ts';
import type { Studio } from '../editor/support/studio.ts';
import { openSession } from '../editor/support/studioSession.ts';
import { TextEditor } from '../editor/support/textEditor.ts';
import { openWorkspaceFile, viewpointFileText } from '../editor/support/viewpointFile.ts';
import { compare, measureMs } from './harness/bench.ts';

/**
 * The first expansion, completion, form, and diagram after activation, compared with the second of each in the same
 * window: a user must not notice code that is loaded on first use (decisions.md, "Activation and quality").
 */
/** The time in which a person reads the tree before the first click. */
const readingMs = 5000;

const names = ['expansion', 'diagram', 'completion', 'form'] as const;
type Times = Readonly<Record<(typeof names)[number], { readonly first: number; readonly second: number }>>;

const browser = await launchChromium();

/** Opens a window, and measures each use twice. */
async function measureWindow(): Promise<Times> {
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
  // In the first webview of a window, the editor also loads code that all webviews share.
  await openWorkspaceFile(studio, 'note.md');
  await studio.runCommand('Open Preview');
  await studio.getWebview().getByText('A page of the editor').waitFor();
  await setTimeout(readingMs);
  return {
    expansion: {
      first: await measureExpansion(studio, /^Support Desk/, /^(Service.Desk|Tickets)/),
      second: await measureExpansion(studio, /^Marketing/, /^Campaigns/),
    },
    diagram: {
      first: await measureDiagram(studio, 'Marketing', 'Campaigns'),
      second: await measureDiagram(studio, 'Support Desk', 'Tickets'),
    },
    completion: {
      first: await measureCompletion(studio, 'first.datamodel.sql'),
      second: await measureCompletion(studio, 'second.datamodel.sql'),
    },
    form: {
      first: await measureForm(studio, 'First.viewpoint.json'),
      second: await measureForm(studio, 'Second.viewpoint.json'),
    },
  };
}

function measureExpansion(studio: Studio, parent: RegExp, child: RegExp): Promise<number> {
  return measureMs(async () => {
    await expandRow(studio, parent);
    await waitForRow(studio, child);
  });
}

/** Measures from the click on the menu item, without the time to open the menu. */
async function measureDiagram(studio: Studio, datamodel: string, table: string): Promise<number> {
  await studio.chooseFromContextMenu(['Sandbox', 'Datamodels', datamodel], 'Show Diagram');
  return measureMs(() => getTableBox(studio, table).waitFor());
}

async function measureCompletion(studio: Studio, file: string): Promise<number> {
  const editor = new TextEditor(studio);
  await editor.open(file);
  await editor.type('s');
  return measureMs(async () => {
    await studio.page.keyboard.type('e');
    await editor.proposals.filter({ hasText: 'SELECT' }).first().waitFor();
  });
}

async function measureForm(studio: Studio, file: string): Promise<number> {
  await openWorkspaceFile(studio, file);
  const button = studio.page.getByRole('button', { name: 'Open Form' }).first();
  await button.waitFor();
  return measureMs(async () => {
    await button.click();
    await studio.getWebview().getByRole('grid', { name: 'Columns' }).waitFor();
  });
}

/** The times measured in the window of each pair; all comparisons use them. */
const timesByPair = new Map<number, Times>();
const readTimes = async (pair: number): Promise<Times> => {
  const times = timesByPair.get(pair) ?? (await measureWindow());
  timesByPair.set(pair, times);
  return times;
};

for (const name of names) {
  await compare(
    {
      name,
      what: `The first ${name} in a window, 5 s after the tree is shown`,
      baseline: `the second ${name}`,
      maxPairs: 10,
      warmups: 0,
    },
    {
      subject: async (pair) => (await readTimes(pair))[name].first,
      base: async (pair) => (await readTimes(pair))[name].second,
    },
  );
}
await browser.close();
