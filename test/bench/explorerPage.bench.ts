import { launchChromium } from '../../src/launcher/browser.ts';
import {
  expandRow,
  maxPageSize,
  loadViewpointPages,
  waitForRow,
  viewpointCount,
} from '../editor/support/largeDatamodel.ts';
import { recordMainThreadTasks } from '../editor/support/mainThread.ts';
import { openSession } from '../editor/support/studioSession.ts';
import { startJourneySandbox } from '../editor/support/journeySandbox.ts';
import { compare } from './harness/bench.ts';

/**
 * The longest task on the page's main thread while the large datamodel expands and 5,000 viewpoints are loaded, compared
 * with the 50 ms above which a user notices freezing (decisions.md, "Activation and quality") and with the time VS Code's
 * own Explorer needs for a folder with as many rows as a page. Runs in a whole editor and needs the machine for itself.
 */
const freezeMs = 50;

await using sandbox = await startJourneySandbox({ seed: 'large' });
const browser = await launchChromium();
try {
  const files = Array.from({ length: maxPageSize }, (_, index) => [`folder/file ${index}.txt`, ''] as const);
  await using session = await openSession(browser, 'explorerPage', {
    env: sandbox.env,
    settings: { 'datamodelStudio.explorer.pageSize': maxPageSize, 'explorer.compactFolders': false },
    workspace: Object.fromEntries([...files, ['other.txt', '']]),
  });
  const { studio } = session;
  const recordLongestTask = async (step: () => Promise<void>): Promise<number> => {
    const [longestMs = 0] = await recordMainThreadTasks(browser, studio.page, step);
    return longestMs;
  };

  const folder = studio.page.locator('.part.sidebar .monaco-list-row', { hasText: /^folder/ }).first();
  const vscodeMs = await recordLongestTask(async () => {
    await folder.click();
    await waitForRow(studio, /^file 0.txt/);
  });

  await studio.openView();
  await studio.findTreeItem(['Sandbox', 'Datamodels', 'Enterprise']);
  const steps = {
    expand: {
      what: 'expands',
      run: async () => {
        await expandRow(studio, /^Enterprise/);
        await expandRow(studio, /^Source.2/);
        await waitForRow(studio, /^Table.051/);
      },
      reset: () => studio.tree.collapse(['Sandbox', 'Datamodels', 'Enterprise']),
    },
    page: {
      what: 'loads 5,000 viewpoints',
      run: () => loadViewpointPages(studio, viewpointCount),
      reset: () =>
        studio.findTreeItem([
          'Sandbox',
          'Viewpoints',
          `${viewpointCount - 2 * maxPageSize + 1} to ${viewpointCount - maxPageSize}`,
        ]),
    },
  };
  for (const [name, { what, run, reset }] of Object.entries(steps)) {
    await compare(
      {
        name,
        what: `The longest task of the page while the Connections view ${what}`,
        baseline: '50 ms, which a person notices',
        limit: 1,
        // Rows that are loaded already aren't loaded again, so only one measurement is possible.
        minPairs: 1,
        maxPairs: 1,
        warmups: 0,
        details: { vscodeExplorerMs: Math.round(vscodeMs) },
      },
      {
        subject: async () => {
          const longestMs = await recordLongestTask(run);
          await reset();
          return longestMs;
        },
        base: freezeMs,
      },
    );
  }
} finally {
  await browser.close();
}
