import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { addConnection, removeConnections } from '../support/connections.ts';
import type { HostStudio } from '../support/studio.ts';
import { describeStudio, startHostSandbox } from '../support/suite.ts';

/** The text of the status bar item of the current connection, with its icon; `undefined` if it is hidden. */
const getConnectionItemText = ({ status }: HostStudio): string | undefined =>
  status.texts.find((text) => /\((development|staging|production|read-only)/.test(text));

describeStudio(
  'current connection',
  async (owned) => ({ sandbox: owned.use(await startHostSandbox()), options: {} }),
  (test) => {
    test('the current connection is shown, switched and remembered', async ({ studio, sandbox }) => {
      assert.equal(getConnectionItemText(studio), undefined, 'nothing is shown without a connection');
      const { url, adminToken: token } = sandbox;
      await addConnection(studio, { name: 'Dev', url, token });
      await studio.statusBar('Dev (development)');
      await addConnection(studio, { name: 'Audit', url: `${url}/audit`, token, role: 'read-only' });
      await addConnection(studio, { name: 'Prod', url: `${url}/prod`, token, role: 'production' });
      assert.equal(getConnectionItemText(studio), '$(server-environment) Dev (development)');

      await studio.status.click('Dev (development)');
      await studio.quickInput.title('Switch Connection');
      const { description, detail } = await studio.quickInput.shows(/^ Dev\n/);
      assert.equal(description, 'development, current');
      assert.equal(detail?.replace(/\/$/, ''), url);
      assert.deepEqual(
        (await studio.quickInput.labels()).map((label) => label.replace(/^\$\([\w-]+\) /, '')),
        ['Dev', 'Audit', 'Prod', '', 'Add Connection…'],
      );
      await studio.quickPick('Audit');
      await studio.statusBar('$(eye) Audit (read-only)');
      assert.match(studio.status.tooltip('Audit'), /\n\nRead\S+only/);

      await studio.runCommand('Switch Connection…');
      await studio.quickInput.shows(/^ Audit\nread-only, current/);
      await studio.quickInput.cancel();
      assert.equal(getConnectionItemText(studio), '$(eye) Audit (read-only)');
      await studio.runCommand('Switch Connection…');
      await studio.quickPick('Prod');
      await studio.statusBar('$(lock) Prod (production, locked)');
      assert.equal(
        (studio.status.item('Prod').backgroundColor as vscode.ThemeColor & { id: string }).id,
        'statusBarItem.warningBackground',
      );
      assert.equal(
        studio.status.item('Prod').accessibilityInformation?.label,
        'Datamodel connection Prod (production, locked)',
      );

      await studio.reloadWindow();
      await studio.statusBar('Prod (production, locked)');
      await studio.runCommand('Switch Connection…');
      await studio.quickPick('Dev');
      await studio.statusBar('Dev (development)');
      assert.equal(studio.status.item('Dev').backgroundColor, undefined);
      await studio.runCommand('Switch Connection…');
      await studio.quickPick('Add Connection…');
      await studio.quickInput.message('Address of the instance');
      await studio.quickInput.cancel();
      await removeConnections(studio, ['Dev', 'Audit', 'Prod']);
    });

    test('the current connection follows a lock, a rename and a removal', async ({ studio, sandbox }) => {
      const { url, adminToken: token } = sandbox;
      await addConnection(studio, { name: 'Live', url, token, role: 'production' });
      await studio.statusBar('Live (production, locked)');
      assert.match(studio.status.tooltip('Live'), /Locked/);
      await studio.runCommand('Datamodel Studio: Unlock for Writing…');
      await studio.quickPick('15 minutes');
      await studio.inputBox('Live');
      await studio.statusBar('$(unlock) Live (production, unlocked, 15 min)');
      assert.match(
        studio.status.tooltip('Live').replaceAll(/&nbsp;|&#160;/g, ' '),
        /Unlocked for writing until/,
      );
      await studio.runCommand('Datamodel Studio: Lock Connection');
      await studio.statusBar('$(lock) Live (production, locked)');
      // Users may click the item to unlock.
      await studio.status.click('Live');
      await studio.quickPick('Unlock Live for Writing…');
      await studio.quickPick('15 minutes');
      await studio.inputBox('Live');
      await studio.statusBar('Live (production, unlocked, 15 min)');
      await studio.status.click('Live');
      await studio.quickPick('Lock Live');
      await studio.statusBar('$(lock) Live (production, locked)');
      await studio.runCommand('Datamodel Studio: Edit Connection…');
      await studio.quickInput.message('Address of the instance');
      await studio.inputBox(url);
      await studio.quickInput.message(/^API token/);
      await studio.inputBox('');
      await studio.quickPick('staging');
      await studio.quickInput.message('Name of the connection');
      await studio.inputBox('Stage');
      await studio.quickInput.message(/^Tenant/);
      await studio.inputBox('');
      await studio.statusBar('$(server-environment) Stage (staging)');
      await studio.runCommand('Datamodel Studio: Remove Connection…');
      await studio.dialogAction('Remove');
      await studio.status.gone('Stage (staging)');
      assert.equal(getConnectionItemText(studio), undefined);
    });

    test('an unlocked connection is shown with the time left, even if another connection is the current one', async ({
      studio,
      sandbox,
    }) => {
      const { url, adminToken: token } = sandbox;
      await addConnection(studio, { name: 'Dev', url, token });
      for (const name of ['Shop', 'Store']) {
        await addConnection(studio, { name, url: `${url}/${name}`, token, role: 'production' });
      }
      const unlock = async (name: string, duration: string): Promise<void> => {
        await studio.contextMenu(name, 'Unlock for Writing…');
        await studio.quickPick(duration);
        await studio.inputBox(name);
      };
      await unlock('Shop', '15 minutes');
      await studio.statusBar('$(unlock) Shop unlocked, 15 min');
      await studio.statusBar('Dev (development)');
      assert.equal(
        (studio.status.item('Shop unlocked').backgroundColor as vscode.ThemeColor & { id: string }).id,
        'statusBarItem.warningBackground',
      );
      await unlock('Store', '60 minutes');
      await studio.statusBar('2 connections unlocked, 60 min');
      assert.match(
        studio.status.tooltip('2 connections unlocked').replaceAll(/&nbsp;|&#160;/g, ' '),
        /Shop is unlocked for 15 min.*\n\nStore is unlocked for 60 min/,
      );
      await studio.status.click('2 connections unlocked');
      assert.deepEqual(await studio.quickInput.labels(), ['Shop', 'Store']);
      await studio.quickPick('Shop');
      await studio.statusBar('Store unlocked, 60 min');
      // It is not shown twice.
      await studio.runCommand('Switch Connection…');
      await studio.quickPick('Store');
      await studio.statusBar('Store (production, unlocked, 60 min)');
      await studio.status.gone('Store unlocked');
      await studio.runCommand('Switch Connection…');
      await studio.quickPick('Dev');
      await studio.status.click('Store unlocked, 60 min');
      await studio.status.gone('Store unlocked');
      await studio.tree.itemShows('Store', /production, locked/);
    });

    test('the connection of the active document is shown', async ({ studio, sandbox }) => {
      const { url, adminToken: token } = sandbox;
      await addConnection(studio, { name: 'Elsewhere', url: `${url}/elsewhere`, token });
      await addConnection(studio, { name: 'Shop', url, token, role: 'production' });
      await studio.statusBar('Elsewhere (development)');
      await studio.contextMenu(['Shop', 'Datamodels', 'Retail'], 'Open as JSON');
      await studio.statusBar('Shop (production, locked)');
      await studio.status.click('Shop (production, locked)');
      await studio.quickInput.shows('Unlock Shop for Writing…');
      await studio.quickInput.cancel();
      await studio.runCommand('View: Close Editor');
      await studio.statusBar('Elsewhere (development)');
    });

    test('choosing a connection offers the current one first', async ({ studio, sandbox }) => {
      const { url, adminToken: token } = sandbox;
      await addConnection(studio, { name: 'Alpha', url, token });
      await addConnection(studio, { name: 'Beta', url, token, tenantId: 'beta', isKnownAddress: true });
      await studio.runCommand('Datamodel Studio: Switch Connection…');
      await studio.quickPick('Beta');
      await studio.statusBar('Beta (development)');
      for (const [command, title] of [
        ['Test Connection…', /Connection Test: Beta/],
        ['Search Viewpoints…', /Search Viewpoints of Beta/],
        ['Add Cube Set…', /Add Cube Set to Beta/],
        ['Edit Connection…', /Edit Connection/],
      ] as const) {
        await studio.runCommand(`Datamodel Studio: ${command}`);
        await studio.quickInput.shows(/^Beta\ndevelopment, current/);
        assert.deepEqual(await studio.quickInput.labels(), ['Beta', 'Alpha']);
        await studio.quickInput.current?.accept();
        await studio.quickInput.title(title);
        await studio.quickInput.cancel();
      }
      await studio.runCommand('Datamodel Studio: Build Datamodel…');
      await studio.quickInput.shows('Retail');
      assert.deepEqual(
        studio.quickInput.current
          ?.items()
          .filter(({ kind }) => kind === vscode.QuickPickItemKind.Separator)
          .map(({ label }) => label),
        ['Beta', 'Alpha'],
      );
      await studio.quickInput.cancel();
      // Both connections have the datamodel: the tab title includes the connection.
      await studio.contextMenu(['Beta', 'Datamodels', 'Retail'], 'Data Security', 'Edit Rules in Grid…');
      await studio.openedEditor('Rules: Retail (Beta)');
      await studio.contextMenu(['Alpha', 'Datamodels', 'Retail'], 'Data Security', 'Show Effective Access…');
      await studio.openedEditor('Effective Access: Retail (Alpha)');
      // The connection of the active editor is shown, although another one is the current one.
      await studio.statusBar('Alpha (development)');
      assert.match(
        studio.status.tooltip('Alpha (development)').replaceAll(/&nbsp;|&#160;/g, ' '),
        /Connection of the active editor.* The workspace uses Beta/,
      );
      const page = await studio.page('datamodelStudio.access');
      await page.receives('data');
      await removeConnections(studio, ['Alpha']);
      page.post({ type: 'reload' });
      await page.receives<{ type: string; message: string }>(
        'failed',
        ({ message }) => message === 'The connection was removed.',
      );
      await studio.runCommand('View: Close Editor');
      await studio.openedEditor('Rules: Retail');
      await removeConnections(studio, ['Beta']);
      await studio.status.gone('Beta');
    });
  },
);
