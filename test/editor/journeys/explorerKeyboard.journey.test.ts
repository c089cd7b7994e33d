import { journey } from '../support/journey.ts';
import { openSandbox } from '../support/sandbox.ts';
import type { Studio } from '../support/studio.ts';

/** Waits until the row with the focus has the label. */
async function focused(studio: Studio, label: RegExp): Promise<void> {
  await studio.page
    .locator('.part.sidebar .monaco-list-row.focused .label-name', { hasText: label })
    .waitFor({ timeout: 20_000 });
}

/** Goes down the open menu to an entry and chooses it. */
async function chooseByArrows(studio: Studio, label: string): Promise<void> {
  const entry = studio.page.locator('.monaco-menu .action-item.focused .action-label');
  for (let step = 0; step < 20 && (await entry.allInnerTexts()).join('') !== label; step += 1) {
    await studio.page.keyboard.press('ArrowDown');
  }
  await studio.page.keyboard.press('Enter');
}

journey('the explorer is used by the keyboard alone', async ({ openStudio }) => {
  await using sandbox = await openSandbox();
  const studio = await openStudio({ env: sandbox.env });
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
});
