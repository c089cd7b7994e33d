import assert from 'node:assert/strict';
import { addConnectionInStudio, removeConnectionsInStudio } from '../support/connectionForm.ts';
import { startJourneySandbox } from '../support/journeySandbox.ts';
import { createSharedStudio } from '../support/sharedStudio.ts';
import type { Studio } from '../support/studio.ts';
import type { ThemeName } from '../support/themes.ts';
import { waitForTooltip } from '../support/tooltip.ts';

const allThemes: readonly ThemeName[] = ['dark', 'hc', 'light'];

const journey = createSharedStudio(async (owned) => ({
  sandbox: owned.use(await startJourneySandbox()),
  options: {},
}));

/** The status bar item of the current connection, found by its accessible name. */
const getItem = (studio: Studio) => studio.page.getByRole('button', { name: /^Datamodel connection / });

journey('choosing a connection offers the current one first', async ({ studio, sandbox }) => {
  for (const name of ['Alpha', 'Beta']) {
    await addConnectionInStudio(studio, { name, url: sandbox.url, token: sandbox.adminToken });
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
    // Unused rows stay in the DOM, hidden.
    (await groups.filter({ visible: true }).allInnerTexts()).map((text) => text.trim()),
    ['Beta', 'Alpha'],
  );
  await studio.quickInput.cancel();
  await studio.openView();
  // Both connections have the datamodel: the tab title includes the connection.
  await studio.contextMenu(['Beta', 'Datamodels', 'Retail'], 'Edit Rules as a Matrix…');
  await studio.openedEditor('Rules: Retail (Beta)');
  await studio.contextMenu(['Alpha', 'Datamodels', 'Retail'], 'Show Who Sees What…');
  await studio.openedEditor('Who Sees What: Retail (Alpha)');
  await studio.webview().getByText('Columns with rules').waitFor();
  await removeConnectionsInStudio(studio, ['Alpha']);
  await studio.webview().getByRole('button', { name: 'Try Again' }).click();
  await studio.webview().getByText('The connection was removed.').waitFor();
  await studio.page.keyboard.press('Control+w');
  await studio.openedEditor('Rules: Retail');
  await removeConnectionsInStudio(studio, ['Beta']);
  await getItem(studio).waitFor({ state: 'detached' });
});

journey('the current connection follows a lock, a rename and a removal', async ({ studio, sandbox }) => {
  await addConnectionInStudio(studio, {
    name: 'Prod',
    url: sandbox.url,
    token: sandbox.adminToken,
    role: 'production',
  });
  await studio.statusBar('Prod (production, locked)');
  await studio.runCommand('Datamodel Studio: Unlock for Writing…');
  await studio.quickPick('15 minutes');
  await studio.inputBox('Prod');
  // The editor renders tooltip text with non-breaking spaces.
  const until = /Unlocked\s+for\s+writing\s+until/;
  await waitForTooltip(studio.page, () => studio.statusBar('Prod (production, unlocked)'), until);
  await studio.screenshot('current-connection-unlocked');
  await studio.runCommand('Datamodel Studio: Lock');
  await studio.statusBar('Prod (production, locked)');
  await studio.runCommand('Datamodel Studio: Remove Connection…');
  await studio.dialogAction('Remove');
  await getItem(studio).waitFor({ state: 'detached' });
});

journey('the current connection is shown, switched and remembered', async ({ studio, sandbox }) => {
  await studio.openView();
  assert.equal(await getItem(studio).count(), 0, 'nothing is shown without a connection');
  const token = sandbox.adminToken;
  await addConnectionInStudio(studio, { name: 'Dev', url: sandbox.url, token });
  await studio.statusBar('Dev (development)');
  await addConnectionInStudio(studio, { name: 'Audit', url: sandbox.url, token, role: 'read-only' });
  await addConnectionInStudio(studio, { name: 'Prod', url: sandbox.url, token, role: 'production' });
  await studio.statusBar('Dev (development)');

  const item = await studio.statusBar('Dev (development)');
  await item.click();
  await studio.quickInput.shows(/Devdevelopment, current/);
  await studio.screenshot('switch-connection');
  await studio.quickPick(/Audit/);
  await studio.statusBar('Audit (read-only)');

  const { keyboard } = studio.page;
  await studio.quickInput.typeCommand('Switch Connection');
  await studio.quickInput.shows(/Switch Connection…/);
  await keyboard.press('Enter');
  await studio.quickInput.shows(/Auditread-only, current/);
  await keyboard.type('Prod');
  await studio.quickInput.shows(/Prod/);
  await keyboard.press('Enter');
  await studio.statusBar('Prod (production, locked)');
  for (const theme of allThemes) {
    await studio.setTheme(theme);
    await studio.screenshot(`current-connection-${theme}`);
  }
  assert.match(
    (await (await studio.statusBar('Prod (production, locked)')).getAttribute('class')) ?? '',
    /warning-kind/,
  );

  await studio.reload();
  await studio.statusBar('Prod (production, locked)');
});
