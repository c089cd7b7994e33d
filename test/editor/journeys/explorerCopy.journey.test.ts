import assert from 'node:assert/strict';
import { journey } from '../support/journey.ts';
import { openSandbox } from '../support/sandbox.ts';
import type { Studio } from '../support/studio.ts';

/** What a step copies. */
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

journey(
  'names, identifiers, paths and references are copied, of several nodes at once',
  async ({ openStudio }) => {
    await using sandbox = await openSandbox();
    const studio = await openStudio({ env: sandbox.env });
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
