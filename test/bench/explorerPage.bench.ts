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
import { printFigure, roundTo } from './report.ts';

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
  const recordTasks = (step: () => Promise<void>): Promise<readonly number[]> =>
    recordMainThreadTasks(browser, studio.page, step);

  const folder = studio.page.locator('.part.sidebar .monaco-list-row', { hasText: /^folder/ }).first();
  const vscodeExplorer = await recordTasks(async () => {
    await folder.click();
    await waitForRow(studio, /^file 0.txt/);
  });

  await studio.openView();
  await studio.findTreeItem(['Sandbox', 'Datamodels', 'Enterprise']);
  const expanding = await recordTasks(async () => {
    await expandRow(studio, /^Enterprise/);
    await expandRow(studio, /^Source.2/);
    await waitForRow(studio, /^Table.051/);
  });
  await studio.tree.collapse(['Sandbox', 'Datamodels', 'Enterprise']);
  const paging = await recordTasks(() => loadViewpointPages(studio, viewpointCount));
  await studio.findTreeItem([
    'Sandbox',
    'Viewpoints',
    `${viewpointCount - 2 * maxPageSize + 1} to ${viewpointCount - maxPageSize}`,
  ]);

  for (const [step, [longest = 0]] of Object.entries({ expanding, paging })) {
    printFigure({
      bench: `explorer: the longest task of the page while ${step}`,
      baseline: 'the limit of noticeable freezing (50 ms)',
      ratio: roundTo(longest / freezeMs),
      milliseconds: roundTo(longest, 1),
      ratioToVscodeExplorer: roundTo(longest / (vscodeExplorer[0] ?? Number.NaN)),
    });
  }
} finally {
  await browser.close();
}
