import assert from 'node:assert/strict';
import { addConnection } from '../support/connectionForm.ts';
import { journey } from '../support/journey.ts';
import { openSandbox } from '../support/sandbox.ts';
import type { Studio } from '../support/studio.ts';
import type { ThemeName } from '../support/themes.ts';

const allThemes: readonly ThemeName[] = ['dark', 'hc', 'light'];

/** The status bar item of the current connection, by what screen readers say. */
const itemOf = (studio: Studio) => studio.page.getByRole('button', { name: /^Datamodel connection / });

journey('the current connection is shown, switched and remembered', async ({ openStudio }) => {
  await using sandbox = await openSandbox();
  const studio = await openStudio();
  await studio.openView();
  assert.equal(await itemOf(studio).count(), 0, 'nothing is shown without a connection');
  const token = sandbox.adminToken;
  await addConnection(studio, { name: 'Dev', url: sandbox.url, token });
  await studio.statusBar('Dev (development)');
  await addConnection(studio, { name: 'Audit', url: sandbox.url, token, role: 'read-only' });
  await addConnection(studio, { name: 'Prod', url: sandbox.url, token, role: 'production' });
  await studio.statusBar('Dev (development)');

  const item = await studio.statusBar('Dev (development)');
  await item.click();
  await studio.quickInput.shows(/Devdevelopment, current/);
  await studio.screenshot('switch-connection');
  await studio.quickPick(/Audit/);
  await studio.statusBar('Audit (read-only)');

  const { keyboard } = studio.page;
  await keyboard.press('F1');
  await keyboard.type('Switch Connection');
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

journey('the current connection follows its lock, its name and its end', async ({ openStudio }) => {
  await using sandbox = await openSandbox();
  const studio = await openStudio();
  await addConnection(studio, {
    name: 'Prod',
    url: sandbox.url,
    token: sandbox.adminToken,
    role: 'production',
  });
  await studio.statusBar('Prod (production, locked)');
  await studio.runCommand('Datamodel Studio: Unlock for Writing…');
  await studio.quickPick('15 minutes');
  await studio.inputBox('Prod');
  const item = await studio.statusBar('Prod (production, unlocked)');
  await item.hover();
  // The editor sets a tooltip's text with blanks that do not break.
  await studio.page.getByText(/Unlocked\s+for\s+writing\s+until/).waitFor();
  await studio.screenshot('current-connection-unlocked');
  await studio.runCommand('Datamodel Studio: Lock');
  await studio.statusBar('Prod (production, locked)');
  await studio.runCommand('Datamodel Studio: Remove Connection…');
  await studio.dialogAction('Remove');
  await itemOf(studio).waitFor({ state: 'detached' });
});
