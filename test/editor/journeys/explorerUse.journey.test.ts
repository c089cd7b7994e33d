import assert from 'node:assert/strict';
import { startJourneySandbox } from '../support/journeySandbox.ts';
import { createSharedStudio } from '../support/sharedStudio.ts';
import type { Studio } from '../support/studio.ts';
import { demoViewpointName, fetchViewpoint } from '../support/viewpointDocument.ts';

const journey = createSharedStudio(async (owned) => {
  const sandbox = owned.use(await startJourneySandbox());
  return { sandbox, options: { env: sandbox.env } };
});

/** Waits until the row with the label has the focus. */
async function focused(studio: Studio, label: RegExp): Promise<void> {
  await studio.page
    .locator('.part.sidebar .monaco-list-row.focused .label-name', { hasText: label })
    .waitFor({ timeout: 20_000 });
}

/** Moves down the open menu to an entry and chooses it. */
async function chooseByArrows(studio: Studio, label: string): Promise<void> {
  const entry = studio.page.locator('.monaco-menu .action-item.focused .action-label');
  for (let step = 0; step < 20 && (await entry.allInnerTexts()).join('') !== label; step += 1) {
    await studio.page.keyboard.press('ArrowDown');
  }
  await studio.page.keyboard.press('Enter');
}

/** Returns the text that a step copies. */
async function copied({ page }: Studio, step: () => Promise<void>): Promise<string> {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.evaluate(() => navigator.clipboard.writeText(''));
  await step();
  return page.evaluate(async () => {
    const deadline = performance.now() + 20_000;
    for (;;) {
      const text = await navigator.clipboard.readText();
      if (text !== '') {
        return text;
      }
      if (performance.now() > deadline) {
        throw new Error('Nothing was copied');
      }
      await new Promise(requestAnimationFrame);
    }
  });
}

/** Types a name into a list of names and accepts the first proposal. */
async function pickName(studio: Studio, title: string, typed: string): Promise<void> {
  const list = studio.page.locator('.quick-input-widget:visible', { hasText: title });
  await list.locator('input').first().fill(typed);
  await list.locator('.monaco-list-row', { hasText: typed }).first().click();
  await list.waitFor({ state: 'hidden' });
}

journey('the explorer can be used with the keyboard alone', async ({ studio }) => {
  const { keyboard } = studio.page;
  await studio.runCommand('View: Show Datamodel Studio');
  await studio.treeItem(['Sandbox', 'Datamodels', 'Retail']);
  await studio.runCommand('Datamodel Studio: Focus on Connections View');
  await keyboard.press('Home');
  await focused(studio, /^Sandbox$/);
  await keyboard.type('Retail');
  await focused(studio, /^Retail$/);
  await keyboard.press('ArrowRight');
  await studio.treeItem(['Retail', 'Sales']);
  await keyboard.press('ArrowRight');
  await focused(studio, /^Master Data$/);
  await keyboard.press('ArrowDown');
  await focused(studio, /^Sales$/);
  await keyboard.press('Enter');
  await studio.treeItem(['Sales', 'Orders']);
  await keyboard.press('ArrowDown');
  await focused(studio, /^Order Items$/);
  await keyboard.press('ArrowDown');
  await focused(studio, /^Orders$/);
  await keyboard.press('ArrowRight');
  await studio.treeItem(['Orders', 'Order Date']);
  await keyboard.press('ArrowDown');
  await focused(studio, /^Order Id$/);
  await keyboard.press('Enter');
  await studio.openedEditor('Orders.table.json');

  await studio.runCommand('Datamodel Studio: Focus on Connections View');
  await focused(studio, /^Order Id$/);
  await keyboard.press('ArrowLeft');
  await focused(studio, /^Orders$/);
  await keyboard.press('Shift+F10');
  await studio.page.locator('.monaco-menu .action-label', { hasText: 'Pin' }).first().waitFor();
  await studio.screenshot('explorer-keyboard-menu');
  await chooseByArrows(studio, 'Pin');
  await studio.treeItem(['Pinned', 'Orders']);
  await studio.contextMenu(['Pinned', 'Orders'], 'Unpin');
  await studio.page.locator('.part.sidebar .label-name', { hasText: 'Pinned' }).waitFor({ state: 'hidden' });
});

journey('a pinned datamodel and table are listed at the top, after a reload too', async ({ studio }) => {
  await studio.openView();
  await studio.contextMenu(['Sandbox', 'Datamodels', 'Retail'], 'Pin');
  await studio.treeItem(['Pinned', 'Retail']);
  await studio.contextMenu(['Sandbox', 'Datamodels', 'Retail', 'Sales', 'Orders'], 'Pin');
  await studio.treeItem(['Pinned', 'Orders', 'Order Date']);
  await studio.screenshot('explorer-pins');
  // The view is restored without being opened.
  await studio.reload();
  await studio.treeItem(['Pinned', 'Retail', 'Sales', 'Orders', 'Order Date']);
  await studio.treeItem(['Pinned', 'Orders', 'Order Date']);
  await studio.contextMenu(['Pinned', 'Retail'], 'Unpin');
  await studio.contextMenu(['Pinned', 'Orders'], 'Unpin');
  const pinned = studio.page.locator('.part.sidebar .label-name', { hasText: 'Pinned' });
  await pinned.waitFor({ state: 'hidden' });
});

journey(
  'names, IDs, paths and references are copied, also those of several nodes at once',
  async ({ studio }) => {
    await studio.openView();
    const orders = ['Sandbox', 'Datamodels', 'Retail', 'Sales', 'Orders'] as const;
    await studio.treeItem([...orders, 'Channel']);
    const fromMenu = (path: readonly string[], label: string): Promise<string> =>
      copied(studio, () => studio.contextMenu(path, label));
    assert.equal(await fromMenu([...orders, 'Order Date'], 'Copy [Table.Column]'), '[Orders.Order Date]');
    const path = await fromMenu(orders, 'Copy API Path');
    assert.match(path, /^\/api\/v2\/datamodels\/[\w-]{36}\/datasets\/[\w-]{36}\/tables\/[\w-]{36}$/);
    assert.ok(path.endsWith(await fromMenu(orders, 'Copy Identifier')));

    await studio.tree.click([...orders, 'Channel']);
    await studio.openedEditor('Orders.table.json');
    const last = await studio.treeItem([...orders, 'Ship Date']);
    await last.locator('.label-name').click({ modifiers: ['Shift'] });
    const three = 'Channel\nStatus\nShip Date';
    assert.equal(await fromMenu([...orders, 'Status'], 'Copy Name'), three);
    assert.equal(await copied(studio, () => studio.page.keyboard.press('Control+C')), three);
  },
);

journey('viewpoints are loaded page by page', async ({ studio }) => {
  await studio.openView();
  await studio.expand(['Sandbox', 'Viewpoints']);
  await studio.tree.click(['Viewpoints', 'Load more']);
  await studio.treeItemGone(['Viewpoints', 'Load more']);
  await studio.screenshot('viewpoints');
});

journey('a viewpoint is published and shared, and the changes are undone', async ({ studio, sandbox }) => {
  await studio.openView();
  const path = ['Sandbox', 'Viewpoints', demoViewpointName] as const;
  await studio.tree.click(path);
  const form = studio.webview();
  await form.getByText('Not shared with anybody').waitFor();
  await studio.runCommand('Datamodel Studio: Focus on Connections View');
  await studio.page.keyboard.press('F2');
  await studio.notification(/The name of a viewpoint is changed in its form/);
  await studio.contextMenu(path, 'Publish');
  const row = await studio.treeItem(path);
  await row.filter({ hasNotText: 'unpublished' }).waitFor();
  assert.equal((await fetchViewpoint(sandbox)).enabled, true);

  await studio.contextMenu(path, 'Share…');
  await studio.quickPick(/Group…/);
  await pickName(studio, 'Share with App', 'slack');
  await pickName(studio, 'Share with Group', 'Sales');
  await row.filter({ hasText: 'shared' }).waitFor();
  // The open form shows it, too.
  await form.getByText('Shared with 1 app, 1 group', { exact: true }).waitFor();
  await studio.screenshot('viewpoint-shared');
  const { apps, groups } = (await fetchViewpoint(sandbox)).visibility ?? {};
  assert.deepEqual([apps, groups], [['slack'], ['Sales']]);

  await studio.contextMenu(path, 'Unpublish');
  await row.filter({ hasText: 'shared, unpublished' }).waitFor();
  await form.getByText(/unseen until it is published/).waitFor();
  assert.equal((await fetchViewpoint(sandbox)).enabled, false);
  await studio.screenshot('viewpoint-shared-unpublished');
});
