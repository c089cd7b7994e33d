import { journey } from '../support/journey.ts';
import { openSandbox } from '../support/sandbox.ts';

journey('a pinned datamodel and table stand on top, after a reload too', async ({ openStudio }) => {
  await using sandbox = await openSandbox();
  const studio = await openStudio({ env: sandbox.env });
  await studio.openView();
  await studio.contextMenu(['Sandbox', 'Datamodels', 'Retail'], 'Pin');
  await studio.treeItem(['Pinned', 'Retail']);
  await studio.contextMenu(['Sandbox', 'Datamodels', 'Retail', 'Sales', 'Orders'], 'Pin');
  await studio.treeItem(['Pinned', 'Orders', 'Order Date']);
  await studio.screenshot('explorer-pins');
  // The view comes back by itself.
  await studio.reload();
  await studio.treeItem(['Pinned', 'Retail', 'Sales', 'Orders', 'Order Date']);
  await studio.treeItem(['Pinned', 'Orders', 'Order Date']);
  await studio.contextMenu(['Pinned', 'Retail'], 'Unpin');
  await studio.contextMenu(['Pinned', 'Orders'], 'Unpin');
  const pinned = studio.page.locator('.part.sidebar .label-name', { hasText: 'Pinned' });
  await pinned.waitFor({ state: 'hidden' });
});
