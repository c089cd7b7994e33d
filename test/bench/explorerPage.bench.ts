import { launchChromium } from '../../src/launcher/browser.ts';
import {
  openRow,
  pageSize,
  pageViewpoints,
  rowIsThere,
  viewpoints,
} from '../editor/support/largeDatamodel.ts';
import { mainThreadTasks } from '../editor/support/mainThread.ts';
import { openSession } from '../editor/support/openStudio.ts';
import { openSandbox } from '../editor/support/sandbox.ts';
import { report, round } from './report.ts';

/**
 * The longest task of the page's main thread while the large datamodel expands and 5,000 viewpoints are paged, beside
 * the 50 ms that a person feels as freezing (design.md, section 12), and beside what VS Code's own Explorer takes for a
 * folder with as many rows as a page. In a whole editor, which is to be alone on the machine.
 */
const freezeMs = 50;

await using sandbox = await openSandbox({ seed: 'large' });
const browser = await launchChromium();
try {
  const files = Array.from({ length: pageSize }, (_, index) => [`folder/file ${index}.txt`, ''] as const);
  await using session = await openSession(browser, 'explorerPage', {
    env: sandbox.env,
    settings: { 'datamodelStudio.explorer.pageSize': pageSize, 'explorer.compactFolders': false },
    workspace: Object.fromEntries([...files, ['other.txt', '']]),
  });
  const { studio } = session;
  const tasks = (step: () => Promise<void>): Promise<readonly number[]> =>
    mainThreadTasks(browser, studio.page, step);

  const folder = studio.page.locator('.part.sidebar .monaco-list-row', { hasText: /^folder/ }).first();
  const own = await tasks(async () => {
    await folder.click();
    await rowIsThere(studio, /^file 0.txt/);
  });

  await studio.openView();
  await studio.treeItem(['Sandbox', 'Datamodels', 'Enterprise']);
  const expanding = await tasks(async () => {
    await openRow(studio, /^Enterprise/);
    await openRow(studio, /^Source.2/);
    await rowIsThere(studio, /^Table.051/);
  });
  await studio.tree.collapse(['Sandbox', 'Datamodels', 'Enterprise']);
  const paging = await tasks(() => pageViewpoints(studio, viewpoints));
  await studio.treeItem([
    'Sandbox',
    'Viewpoints',
    `${viewpoints - 2 * pageSize + 1} to ${viewpoints - pageSize}`,
  ]);

  for (const [step, [longest = 0]] of Object.entries({ expanding, paging })) {
    report({
      bench: `explorer: the longest task of the page while ${step}`,
      beside: 'what is felt as freezing (50 ms)',
      ratio: round(longest / freezeMs),
      milliseconds: round(longest, 1),
      besideVsCodesExplorer: round(longest / (own[0] ?? Number.NaN)),
    });
  }
} finally {
  await browser.close();
}
