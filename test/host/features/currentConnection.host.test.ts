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
  async (disposables) => ({ sandbox: disposables.use(await startHostSandbox()), options: {} }),
  (test) => {
    test('the current connection is shown, switched and remembered', async ({ studio, sandbox }) => {
      assert.equal(getConnectionItemText(studio), undefined, 'nothing is shown without a connection');
      const { url, adminToken: token } = sandbox;
      await addConnection(studio, { name: 'Dev', url, token });
      await studio.waitForStatusBarItem('Dev (development)');
      await addConnection(studio, { name: 'Audit', url: `${url}/audit`, token, role: 'read-only' });
      await addConnection(studio, { name: 'Prod', url: `${url}/prod`, token, role: 'production' });
      assert.equal(getConnectionItemText(studio), '$(server-environment) Dev (development)');

      await studio.status.click('Dev (development)');
      await studio.quickInput.waitForTitle('Switch Connection');
      const { description, detail } = await studio.quickInput.waitForRow(/^ Dev\n/);
      assert.equal(description, 'development, current');
      assert.equal(detail?.replace(/\/$/, ''), url);
      assert.deepEqual(
        (await studio.quickInput.getLabels()).map((label) => label.replace(/^\$\([\w-]+\) /, '')),
        ['Dev', 'Audit', 'Prod', '', 'Add Connection…'],
      );
      await studio.selectQuickPick('Audit');
      await studio.waitForStatusBarItem('$(eye) Audit (read-only)');
      assert.match(studio.status.getTooltip('Audit'), /\n\nRead\S+only/);

      await studio.runCommand('Switch Connection…');
      await studio.quickInput.waitForRow(/^ Audit\nread-only, current/);
      await studio.quickInput.cancel();
      assert.equal(getConnectionItemText(studio), '$(eye) Audit (read-only)');
      await studio.runCommand('Switch Connection…');
      await studio.selectQuickPick('Prod');
      await studio.waitForStatusBarItem('$(lock) Prod (production, locked)');
      assert.equal(
        (studio.status.getItem('Prod').backgroundColor as vscode.ThemeColor & { id: string }).id,
        'statusBarItem.warningBackground',
      );
      assert.equal(
        studio.status.getItem('Prod').accessibilityInformation?.label,
        'Datamodel connection Prod (production, locked)',
      );

      await studio.reloadWindow();
      await studio.waitForStatusBarItem('Prod (production, locked)');
      await studio.runCommand('Switch Connection…');
      await studio.selectQuickPick('Dev');
      await studio.waitForStatusBarItem('Dev (development)');
      assert.equal(studio.status.getItem('Dev').backgroundColor, undefined);
      await studio.runCommand('Switch Connection…');
      await studio.selectQuickPick('Add Connection…');
      await studio.quickInput.waitForMessage('Address of the instance');
      await studio.quickInput.cancel();
      await removeConnections(studio, ['Dev', 'Audit', 'Prod']);
    });

    test('the status bar item of the current connection is updated when the connection is locked, edited or removed', async ({
      studio,
      sandbox,
    }) => {
      const { url, adminToken: token } = sandbox;
      await addConnection(studio, { name: 'Live', url, token, role: 'production' });
      await studio.waitForStatusBarItem('Live (production, locked)');
      assert.match(studio.status.getTooltip('Live'), /Locked/);
      await studio.runCommand('Datamodel Studio: Unlock for Writing…');
      await studio.selectQuickPick('15 minutes');
      await studio.submitInputBox('Live');
      await studio.waitForStatusBarItem('$(unlock) Live (production, unlocked, 15 min left)');
      assert.match(
        studio.status.getTooltip('Live').replaceAll(/&nbsp;|&#160;/g, ' '),
        /Unlocked for writing until/,
      );
      await studio.runCommand('Datamodel Studio: Lock Connection');
      await studio.waitForStatusBarItem('$(lock) Live (production, locked)');
      // Users may click the item to unlock.
      await studio.status.click('Live');
      await studio.selectQuickPick('Unlock Live for Writing…');
      await studio.selectQuickPick('15 minutes');
      await studio.submitInputBox('Live');
      await studio.waitForStatusBarItem('Live (production, unlocked, 15 min left)');
      await studio.status.click('Live');
      await studio.selectQuickPick('Lock Live');
      await studio.waitForStatusBarItem('$(lock) Live (production, locked)');
      await studio.runCommand('Datamodel Studio: Edit Connection…');
      await studio.quickInput.waitForMessage('Address of the instance');
      await studio.submitInputBox(url);
      await studio.quickInput.waitForMessage(/^API token/);
      await studio.submitInputBox('');
      await studio.selectQuickPick('staging');
      await studio.quickInput.waitForMessage('Name of the connection');
      await studio.submitInputBox('Stage');
      await studio.quickInput.waitForMessage(/^Tenant/);
      await studio.submitInputBox('');
      await studio.waitForStatusBarItem('$(server-environment) Stage (staging)');
      await studio.runCommand('Datamodel Studio: Remove Connection…');
      await studio.clickDialogAction('Remove');
      await studio.status.waitForTextGone('Stage (staging)');
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
        await studio.chooseFromContextMenu(name, 'Unlock for Writing…');
        await studio.selectQuickPick(duration);
        await studio.submitInputBox(name);
      };
      await unlock('Shop', '15 minutes');
      await studio.waitForStatusBarItem('$(unlock) Shop unlocked, 15 min left');
      await studio.waitForStatusBarItem('Dev (development)');
      assert.equal(
        (studio.status.getItem('Shop unlocked').backgroundColor as vscode.ThemeColor & { id: string }).id,
        'statusBarItem.warningBackground',
      );
      await unlock('Store', '60 minutes');
      await studio.waitForStatusBarItem('2 connections unlocked, up to 60 min left');
      assert.match(
        studio.status.getTooltip('2 connections unlocked').replaceAll(/&nbsp;|&#160;/g, ' '),
        /Shop is unlocked .*15 min left.*\n\nStore is unlocked .*60 min left/,
      );
      await studio.status.click('2 connections unlocked');
      assert.deepEqual(await studio.quickInput.getLabels(), ['Shop', 'Store']);
      await studio.selectQuickPick('Shop');
      await studio.waitForStatusBarItem('Store unlocked, 60 min left');
      // An unlocked connection that is the current one is not shown twice.
      await studio.runCommand('Switch Connection…');
      await studio.selectQuickPick('Store');
      await studio.waitForStatusBarItem('Store (production, unlocked, 60 min left)');
      await studio.status.waitForTextGone('Store unlocked');
      await studio.runCommand('Switch Connection…');
      await studio.selectQuickPick('Dev');
      await studio.status.click('Store unlocked, 60 min left');
      await studio.status.waitForTextGone('Store unlocked');
      await studio.tree.waitForItemText('Store', /production, locked/);
    });

    test('the connection of the active document is shown', async ({ studio, sandbox }) => {
      const { url, adminToken: token } = sandbox;
      await addConnection(studio, { name: 'Elsewhere', url: `${url}/elsewhere`, token });
      await addConnection(studio, { name: 'Shop', url, token, role: 'production' });
      await studio.waitForStatusBarItem('Elsewhere (development)');
      await studio.chooseFromContextMenu(['Shop', 'Datamodels', 'Retail'], 'Open as JSON');
      await studio.waitForStatusBarItem('Shop (production, locked)');
      await studio.status.click('Shop (production, locked)');
      await studio.quickInput.waitForRow('Unlock Shop for Writing…');
      await studio.quickInput.cancel();
      await studio.runCommand('View: Close Editor');
      await studio.waitForStatusBarItem('Elsewhere (development)');
    });

    test('commands that ask for a connection list the current connection first', async ({
      studio,
      sandbox,
    }) => {
      const { url, adminToken: token } = sandbox;
      await addConnection(studio, { name: 'Alpha', url, token });
      await addConnection(studio, { name: 'Beta', url, token, tenantId: 'beta', hasSavedAddress: true });
      await studio.runCommand('Datamodel Studio: Switch Connection…');
      await studio.selectQuickPick('Beta');
      await studio.waitForStatusBarItem('Beta (development)');
      for (const [command, title] of [
        ['Test Connection…', /Connection Test: Beta/],
        ['Search Viewpoints…', /Search Viewpoints of Beta/],
        ['Add Cube Set…', /Add Cube Set to Beta/],
        ['Edit Connection…', /Edit Connection/],
      ] as const) {
        await studio.runCommand(`Datamodel Studio: ${command}`);
        await studio.quickInput.waitForRow(/^Beta\ndevelopment, current/);
        assert.deepEqual(await studio.quickInput.getLabels(), ['Beta', 'Alpha']);
        await studio.quickInput.current?.accept();
        await studio.quickInput.waitForTitle(title);
        await studio.quickInput.cancel();
      }
      await studio.runCommand('Datamodel Studio: Build Datamodel…');
      await studio.quickInput.waitForRow('Retail');
      assert.deepEqual(
        studio.quickInput.current
          ?.getItems()
          .filter(({ kind }) => kind === vscode.QuickPickItemKind.Separator)
          .map(({ label }) => label),
        ['Beta', 'Alpha'],
      );
      await studio.quickInput.cancel();
      // Both connections have the datamodel: the tab title includes the connection.
      await studio.chooseFromContextMenu(
        ['Beta', 'Datamodels', 'Retail'],
        'Data Security',
        'Edit Rules in Grid…',
      );
      await studio.waitForEditor('Rules: Retail (Beta)');
      await studio.chooseFromContextMenu(
        ['Alpha', 'Datamodels', 'Retail'],
        'Data Security',
        'Show Effective Access…',
      );
      await studio.waitForEditor('Effective Access: Retail (Alpha)');
      // The connection of the active editor is shown, although another one is the current one.
      await studio.waitForStatusBarItem('Alpha (development)');
      assert.match(
        studio.status.getTooltip('Alpha (development)').replaceAll(/&nbsp;|&#160;/g, ' '),
        /Connection of the active editor.* The workspace uses Beta/,
      );
      const page = await studio.findPage('datamodelStudio.access');
      await page.waitForMessage('data');
      await removeConnections(studio, ['Alpha']);
      page.post({ type: 'reload' });
      await page.waitForMessage<{ type: string; message: string }>(
        'failed',
        ({ message }) => message === 'The connection was removed.',
      );
      await studio.runCommand('View: Close Editor');
      await studio.waitForEditor('Rules: Retail');
      await removeConnections(studio, ['Beta']);
      await studio.status.waitForTextGone('Beta');
    });
  },
);
