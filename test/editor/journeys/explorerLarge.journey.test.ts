import assert from 'node:assert/strict';
import { journey } from '../support/journey.ts';
import { mainThreadTasks } from '../support/mainThread.ts';
import { openSandbox } from '../support/sandbox.ts';
import type { Studio } from '../support/studio.ts';

/** What a person feels as freezing, in milliseconds of work in one go (design.md, section 12). */
const freezeMs = 50;
const pageSize = 250;
const viewpoints = 5000;

async function openFilter(studio: Studio): Promise<void> {
  await studio.runCommand('Datamodel Studio: Filter…');
  await studio.page.getByPlaceholder('Words of the name').waitFor();
}

const row = (studio: Studio, text: RegExp) =>
  studio.page.locator('.part.sidebar .monaco-list-row', { hasText: text }).first();

/** A number as the row shows it, whatever stands between its thousands. */
const grouped = (value: number): string => String(value).replace(/(\d)(?=(\d{3})+$)/g, '$1\\D?');

const inMs = (tasks: readonly number[]): string =>
  tasks
    .slice(0, 5)
    .map((task) => task.toFixed(0))
    .join(', ');

journey(
  'the 500-table model expands, and 5,000 viewpoints page, without freezing',
  async ({ openStudio, browser }) => {
    await using sandbox = await openSandbox({ seed: 'large' });
    const studio = await openStudio({
      env: sandbox.env,
      settings: { 'datamodelStudio.explorer.pageSize': pageSize },
    });
    await studio.openView();
    await studio.treeItem(['Sandbox', 'Datamodels', 'Enterprise']);
    const expanding = await mainThreadTasks(browser, studio.page, async () => {
      await row(studio, /^Enterprise/)
        .locator('.monaco-tl-twistie')
        .click();
      await row(studio, /^Source.2/)
        .locator('.monaco-tl-twistie')
        .click();
      await row(studio, /^Table.051/).waitFor();
    });
    await studio.treeItem(['Enterprise', 'Source 10', 'Table 451', 'Column 40']);
    await studio.screenshot('explorer-large');
    await studio.tree.collapse(['Sandbox', 'Datamodels', 'Enterprise']);

    const paging = await mainThreadTasks(browser, studio.page, async () => {
      await row(studio, /^Viewpoints/)
        .locator('.monaco-tl-twistie')
        .click();
      for (let shown = pageSize; shown < viewpoints; shown += pageSize) {
        const more = await studio.treeItem(['Sandbox', 'Viewpoints', 'Load more']);
        assert.match((await more.innerText()).replace(/[,.\s]/g, ''), new RegExp(`${shown}of5000shown`));
        await more.locator('.monaco-icon-label-container').first().click();
        // The row stays or goes: either way it no longer tells what it told.
        await row(studio, new RegExp(`${grouped(shown)}.of`)).waitFor({ state: 'hidden' });
      }
      await studio.treeItem([
        'Sandbox',
        'Viewpoints',
        `${viewpoints - 2 * pageSize + 1} to ${viewpoints - pageSize}`,
      ]);
    });
    await studio.screenshot('explorer-large-viewpoints');
    await studio.expand(['Viewpoints', '501 to 750']);
    process.stderr.write(`tasks of the page: expanding ${inMs(expanding)} ms; paging ${inMs(paging)} ms\n`);
    assert.ok((expanding[0] ?? 0) <= freezeMs, `a task of expanding took ${inMs(expanding)} ms`);
    assert.ok((paging[0] ?? 0) <= freezeMs, `a task of paging took ${inMs(paging)} ms`);

    await openFilter(studio);
    await studio.page.keyboard.type('table 499');
    await studio.page.keyboard.press('Enter');
    await studio.treeItem(['Sandbox', 'Datamodels', 'Enterprise', 'Source 10', 'Table 499']);
    await studio.screenshot('explorer-large-filtered');
  },
  { timeout: 400_000 },
);
