import assert from 'node:assert/strict';
import { addConnection } from '../support/connectionForm.ts';
import { journey } from '../support/journey.ts';
import { openSandbox } from '../support/sandbox.ts';

journey('connections carry their roles and locks, in every theme', async ({ openStudio }) => {
  await using sandbox = await openSandbox();
  const token = sandbox.env['DATAMODEL_STUDIO_SANDBOX_TOKEN'] ?? '';
  const studio = await openStudio();
  await studio.openView();
  for (const role of ['production', 'staging', 'read-only'] as const) {
    await addConnection(studio, { name: `The ${role} one`, url: sandbox.url, token, role });
  }
  const production = await studio.treeItem('The production one');
  assert.match(await production.innerText(), /production, locked/);
  await production
    .locator('.monaco-icon-label.monaco-decoration-iconBadge-0, .monaco-icon-label')
    .first()
    .waitFor();
  await studio.contextMenu('The production one', 'Unlock for Writing…');
  await studio.quickPick('15 minutes');
  await studio.inputBox('The production one');
  await studio.page.locator('.part.sidebar .monaco-list-row', { hasText: 'production, unlocked' }).waitFor();
  for (const theme of ['light', 'dark', 'hc'] as const) {
    await studio.setTheme(theme);
    await studio.screenshot(`explorer-roles-${theme}`);
  }
  await studio.tree.inlineAction('The production one', 'Lock');
  await studio.page.locator('.part.sidebar .monaco-list-row', { hasText: 'production, locked' }).waitFor();
});
