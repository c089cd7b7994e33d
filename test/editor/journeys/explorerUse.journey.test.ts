import assert from 'node:assert/strict';
import { readBrowserStorage } from '../support/browserStorage.ts';
import { startJourneySandbox } from '../support/journeySandbox.ts';
import { KeyPresses } from '../support/keyPresses.ts';
import { createSharedStudio } from '../support/sharedStudio.ts';
import type { Studio } from '../support/studio.ts';

const journey = createSharedStudio(async (disposables) => {
  const sandbox = disposables.use(await startJourneySandbox());
  const settings = { 'workbench.editor.empty.hint': 'hidden' };
  return { options: { env: sandbox.env, viewport: { width: 1280, height: 1100 }, settings } };
});

/** Waits until the row with the label has the focus. */
async function waitForFocusedRow(studio: Studio, label: RegExp): Promise<void> {
  await studio.page
    .locator('.part.sidebar .monaco-list-row.focused .label-name', { hasText: label })
    .waitFor({ timeout: 20_000 });
}

/** Waits for a row that the keyboard has revealed; finding the row by its path would expand its parents, too. */
async function waitForRow(studio: Studio, label: RegExp): Promise<void> {
  const row = studio.page.locator('.part.sidebar .monaco-list-row .label-name', { hasText: label });
  await row.first().waitFor({ timeout: 20_000 });
}

/** Moves to an entry of the open menu with the arrow key, and selects it. */
async function chooseByArrows(studio: Studio, label: string): Promise<void> {
  const focusedEntry = studio.page.locator('.monaco-menu .action-item.focused .action-label');
  for (let step = 0; step < 20 && (await focusedEntry.allInnerTexts()).join('') !== label; step += 1) {
    await studio.page.keyboard.press('ArrowDown');
  }
  await studio.page.keyboard.press('Enter');
}

/** Runs a step, and returns the text that it copies. */
async function getCopiedText({ page }: Studio, step: () => Promise<void>): Promise<string> {
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

journey(
  'the Connections view works by keyboard and pointer: rows are opened, pinned, copied, dragged and filtered',
  async ({ studio }) => {
    const { keyboard } = studio.page;
    await studio.runCommand('View: Show Datamodel Studio');
    await studio.findTreeItem(['Sandbox', 'Datamodels', 'Retail']);
    await studio.runCommand('Datamodel Studio: Focus on Connections View');
    await keyboard.press('Home');
    await waitForFocusedRow(studio, /^Sandbox$/);
    await keyboard.type('Retail');
    await waitForFocusedRow(studio, /^Retail$/);
    await keyboard.press('ArrowRight');
    await waitForRow(studio, /^Sales$/);
    await keyboard.press('ArrowRight');
    await waitForFocusedRow(studio, /^Master Data$/);
    await keyboard.press('ArrowDown');
    await waitForFocusedRow(studio, /^Sales$/);
    await keyboard.press('Enter');
    await waitForRow(studio, /^Orders$/);
    await keyboard.press('ArrowDown');
    await waitForFocusedRow(studio, /^Order Items$/);
    await keyboard.press('ArrowDown');
    await waitForFocusedRow(studio, /^Orders$/);
    await keyboard.press('ArrowRight');
    await waitForRow(studio, /^Order Date$/);
    await keyboard.press('ArrowDown');
    await waitForFocusedRow(studio, /^Order Id$/);
    await keyboard.press('Enter');
    await studio.waitForEditor('Orders.table.json');

    await studio.runCommand('Datamodel Studio: Focus on Connections View');
    await waitForFocusedRow(studio, /^Order Id$/);
    await keyboard.press('ArrowLeft');
    await waitForFocusedRow(studio, /^Orders$/);
    await keyboard.press('Shift+F10');
    await studio.page.locator('.monaco-menu .action-label', { hasText: 'Pin' }).first().waitFor();
    await studio.screenshot('explorer-keyboard-menu');
    await chooseByArrows(studio, 'Pin');
    await studio.findTreeItem(['Pinned', 'Orders']);
    await studio.chooseFromContextMenu(['Pinned', 'Orders'], 'Unpin');
    await studio.page
      .locator('.part.sidebar .label-name', { hasText: 'Pinned' })
      .waitFor({ state: 'hidden' });

    await checkCopyOfSeveralRows(studio);
    await checkDragIntoEditor(studio);
    await checkClicks(studio);
    await checkFilter(studio);
    await checkSelectionAfterReload(studio);
  },
);

const orders = ['Sandbox', 'Datamodels', 'Retail', 'Sales', 'Orders'] as const;

/** Selects a range of rows with Shift, which host tests cannot do. */
async function checkCopyOfSeveralRows(studio: Studio): Promise<void> {
  await studio.tree.click([...orders, 'Channel']);
  await studio.waitForEditor('Orders.table.json');
  const last = await studio.findTreeItem([...orders, 'Ship Date']);
  await last.locator('.label-name').click({ modifiers: ['Shift'] });
  const copiedNames = 'Channel\nStatus\nShip Date';
  assert.equal(
    await getCopiedText(studio, () => studio.chooseFromContextMenu([...orders, 'Status'], 'Copy', 'Name')),
    copiedNames,
  );
  assert.equal(await getCopiedText(studio, () => studio.page.keyboard.press('Control+C')), copiedNames);
}

async function checkDragIntoEditor(studio: Studio): Promise<void> {
  const { page } = studio;
  const [hidden, visible] = await Promise.all(
    ['Customer Id', 'Order Id'].map(async (name) => {
      const label = (await studio.findTreeItem([...orders, name])).locator('.label-name');
      return label.evaluate((element) => getComputedStyle(element).color);
    }),
  );
  assert.notEqual(hidden, visible, 'a hidden column is dimmed');
  await studio.runCommand('File: New Untitled Text File');
  const editor = page.locator('.part.editor .monaco-editor .view-lines');
  const column = await studio.findTreeItem([...orders, 'Order Date']);
  await column.locator('.label-name').dragTo(editor.first(), { targetPosition: { x: 20, y: 8 } });
  await studio.waitForEditorText('[Orders].[Order Date]');
}

/** A click shows a preview and leaves the focus in the tree, as in VS Code's Explorer. Enter and double clicks move it. */
async function checkClicks(studio: Studio): Promise<void> {
  const { page, tree } = studio;
  const keys = new KeyPresses(studio);
  const previewTab = page.locator('.part.editor .tab.active .italic');
  const renameInput = page.locator('.quick-input-box input');
  const viewpoint = ['Sandbox', 'Viewpoints', 'Revenue by Week'] as const;

  await tree.click([...orders, 'Order Date']);
  await studio.waitForEditor('Orders.table.json');
  await page.keyboard.press('F2');
  await renameInput.waitFor();
  await page.keyboard.press('Escape');

  await tree.click(viewpoint);
  await studio.waitForEditor('Revenue by Week.viewpoint.json');
  await studio.getWebview().locator('[role=grid]').first().waitFor();
  await previewTab.waitFor();
  await studio.screenshot('explorer-click');
  await page.keyboard.press('F2');
  await renameInput.waitFor();
  await page.keyboard.press('Escape');
  await keys.waitForFocus('.part.sidebar');
  await page.keyboard.press('Enter');
  await keys.waitForFocusInPage('[role=grid]');
  await previewTab.waitFor({ state: 'detached' });

  const column = await studio.findTreeItem([...orders, 'Ship Date']);
  await column.locator('.label-name').dblclick();
  await studio.waitForEditor('Orders.table.json');
  await keys.waitForFocus('.part.editor .monaco-editor');
}

async function checkFilter(studio: Studio): Promise<void> {
  const { page } = studio;
  const labels = page.locator('.part.sidebar .monaco-list-row .label-name');
  await studio.runCommand('Datamodel Studio: Filter Connections…');
  await page.getByPlaceholder('Filter by name').waitFor();
  await page.keyboard.type('ship dat');
  await labels.filter({ hasText: /^Order Date$/ }).waitFor({ state: 'hidden' });
  await page.keyboard.press('Enter');
  await page.locator('.part.sidebar .message', { hasText: 'Filtered by "ship dat".' }).waitFor();
  await studio.screenshot('explorer-filtered');
  // View actions are visible only while the pointer is over the view.
  await page.locator('.pane-header', { hasText: 'Connections' }).hover();
  await page.getByRole('button', { name: 'Clear Connections Filter' }).click();
  await studio.findTreeItem(['Retail', 'Sales', 'Returns']);
}

/** Waits until the editor has stored the state that it needs after a reload. */
async function waitForStoredState({ page }: Studio, state: RegExp): Promise<void> {
  const deadline = performance.now() + 20_000;
  while (!(await readBrowserStorage(page)).some(({ text }) => state.test(text))) {
    assert.ok(performance.now() < deadline, `${state} was not stored`);
  }
}

/** Host tests check that expanded rows are restored; the selection and Collapse All need a real reload. */
async function checkSelectionAfterReload(studio: Studio): Promise<void> {
  await studio.tree.click([...orders, 'Channel']);
  await studio.waitForEditor('Orders.table.json');
  const id = await getCopiedText(studio, () =>
    studio.chooseFromContextMenu([...orders, 'Channel'], 'Copy', 'ID'),
  );
  await waitForStoredState(studio, new RegExp(`selected[^,]*${id}`));
  await studio.reload();
  const rows = studio.page.locator('.part.sidebar .monaco-list-row');
  const selected = rows.and(studio.page.locator('.selected')).locator('.label-name');
  await selected.filter({ hasText: /^Channel$/ }).waitFor();
  assert.equal(await selected.count(), 1);

  await studio.page.locator('.pane-header', { hasText: 'Connections' }).hover();
  await studio.page.getByRole('button', { name: 'Collapse All' }).first().click();
  await rows.filter({ hasText: /^Datamodels/ }).waitFor({ state: 'hidden' });
  await waitForStoredState(studio, /"[\w-]+\\*",false/);
  await studio.reload();
  await rows.filter({ hasText: 'Sandbox' }).and(studio.page.locator('[aria-expanded="false"]')).waitFor();
}
