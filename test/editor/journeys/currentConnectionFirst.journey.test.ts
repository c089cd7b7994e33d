import assert from 'node:assert/strict';
import { addConnection } from '../support/connectionForm.ts';
import { journey } from '../support/journey.ts';
import { openSandbox } from '../support/sandbox.ts';

journey('what is asked of one connection offers the current one first', async ({ openStudio }) => {
  await using sandbox = await openSandbox();
  const studio = await openStudio();
  for (const name of ['Alpha', 'Beta']) {
    await addConnection(studio, { name, url: sandbox.url, token: sandbox.adminToken });
  }
  await studio.runCommand('Datamodel Studio: Switch Connection…');
  await studio.quickPick('Beta');
  await studio.statusBar('Beta (development)');
  const { keyboard } = studio.page;
  for (const [command, answer] of [
    ['Test Connection…', /Connection Test: Beta/],
    ['Search Viewpoints…', /Search Viewpoints of Beta/],
    ['Add Cube Set…', /Add Cube Set to Beta/],
    ['Edit Connection…', /Edit Connection/],
  ] as const) {
    await studio.runCommand(`Datamodel Studio: ${command}`);
    await studio.quickInput.shows(/Betadevelopment, current/);
    await keyboard.press('Enter');
    await studio.page.locator('.quick-input-title:visible', { hasText: answer }).waitFor();
    await studio.quickInput.cancel();
  }
  await studio.runCommand('Datamodel Studio: Build…');
  const groups = studio.page.locator('.quick-input-widget:visible .quick-input-list-separator');
  await groups.filter({ hasText: 'Beta' }).first().waitFor();
  assert.deepEqual(
    // Rows that are out of use stay in the page, unseen.
    (await groups.filter({ visible: true }).allInnerTexts()).map((text) => text.trim()),
    ['Beta', 'Alpha'],
  );
  await studio.quickInput.cancel();
});
