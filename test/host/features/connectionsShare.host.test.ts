import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { createTemporaryFolder } from '../../editor/support/temporaryFolder.ts';
import { addConnection, waitForConnectionGone } from '../support/connections.ts';
import { describeStudio, describeWithUnconnectedSandbox, startHostSandbox } from '../support/suite.ts';

const exportCommand = 'Datamodel Studio: Export Connections…';
const importCommand = 'Datamodel Studio: Import Connections…';

describeStudio(
  'sharing connections when there are none',
  async (disposables) => ({ options: {}, folder: disposables.use(await createTemporaryFolder()).path }),
  (test) => {
    test('the export reports that there are no connections', async ({ studio }) => {
      await studio.runCommand(exportCommand);
      await studio.waitForNotification("No connections to export. The sandbox can't be shared.");
    });

    test("a file that isn't a valid list of connections is refused with the reason", async ({
      studio,
      folder,
    }) => {
      const path = join(folder, 'bad.json');
      const refused: readonly (readonly [content: string | Buffer, reason: RegExp])[] = [
        [
          '{"connections":[{"name":"X","url":"https://x.test","token":"t"}]}',
          /Can't import bad\.json\. connections\.0: .*token/,
        ],
        [
          '{"connections":[{"name":"X","url":"https://x.test","role":"live"}]}',
          /connections\.0\.role: Expected: development, staging, production, read-only\.$/,
        ],
        ['{"connections":[]}', /Can't import bad\.json\. connections: /],
        ['not JSON', /Can't import bad\.json\. \S/],
        [
          '{"connections":[{"name":"X","url":"https://anna:pass@x.test"}]}',
          /connections\.0\.url: Remove the user name and password from the address\. The token is entered separately\./,
        ],
        [Buffer.from([0x22, 0xff, 0x22]), /Can't import bad\.json\. The file isn't valid UTF-8/],
      ];
      for (const [content, reason] of refused) {
        await writeFile(path, content);
        studio.answerOpenDialog([vscode.Uri.file(path)]);
        await studio.runCommand(importCommand);
        const message = await studio.waitForNotification(reason);
        assert.equal(message.severity, 'error');
        message.answer(undefined);
      }
      studio.answerOpenDialog([vscode.Uri.file(join(folder, 'none.json'))]);
      await studio.runCommand(importCommand);
      await studio.waitForNotification(/none\.json/);
      assert.deepEqual(await studio.tree.getChildLabels(), []);
    });

    test('connections without a role are imported as production, the safest one', async ({
      studio,
      folder,
    }) => {
      const path = join(folder, 'old.json');
      await writeFile(path, '{"connections":[{"name":"Old","url":"https://x.test/"}]}');
      studio.answerOpenDialog([vscode.Uri.file(path)]);
      await studio.runCommand(importCommand);
      await studio.waitForNotification(
        'Connections added: 1, already present: 0. Sign in to each one with your own token.',
      );
      await studio.tree.waitForItemText('Old', /production, locked/);

      studio.answerOpenDialog([vscode.Uri.file(path)]);
      await studio.runCommand(importCommand);
      await studio.waitForNotification('All connections in the file are already present.');

      // A file cannot loosen the role of an address that is known here.
      await writeFile(
        path,
        '{"connections":[{"name":"Loose","url":"https://x.test","role":"development","tenantId":"acme"}]}',
      );
      studio.answerOpenDialog([vscode.Uri.file(path)]);
      await studio.runCommand(importCommand);
      await studio.tree.waitForItemText('Loose', /production, locked/);
      await studio.tree.waitForItemText('Old', /production, locked/);
    });
  },
);

describeWithUnconnectedSandbox('sharing connections', (test) => {
  test('connections are shared in a file without tokens', async ({ studio, sandbox }) => {
    await using folder = await createTemporaryFolder();
    const file = vscode.Uri.file(join(folder.path, 'team.json'));
    const token = sandbox.adminToken;
    await addConnection(studio, { name: 'Analytics', url: sandbox.url, token, role: 'staging' });
    await addConnection(studio, {
      name: 'Audit',
      url: `${sandbox.url}/audit`,
      token,
      role: 'read-only',
      tenantId: 'tenant-7',
    });
    await studio.runCommand(exportCommand);
    await studio.quickInput.waitForMessage('Select the connections to export');
    await studio.quickInput.pickMany([]);
    await studio.waitForNotification('Nothing was exported. Select at least one connection.');
    studio.answerSaveDialog(file);
    await studio.runCommand(exportCommand);
    await studio.quickInput.pickMany(['Audit']);
    await studio.waitForNotification('Connections exported: 1. The file contains no tokens.');
    assert.match(studio.proposedFile?.path ?? '', /\/connections\.json$/);
    assert.doesNotMatch(await readFile(file.fsPath, 'utf8'), /Analytics/);
    studio.answerSaveDialog(undefined);
    await studio.runCommand(exportCommand);
    await studio.quickInput.accept();
    studio.answerSaveDialog(file);
    await studio.runCommand(exportCommand);
    // All connections are selected at first.
    await studio.quickInput.accept();
    await studio.waitForNotification('Connections exported: 2. The file contains no tokens.');
    const text = await readFile(file.fsPath, 'utf8');
    assert.ok(!text.includes(token));
    assert.deepEqual(JSON.parse(text), {
      connections: [
        { name: 'Analytics', url: sandbox.url, role: 'staging' },
        { name: 'Audit', url: `${sandbox.url}/audit`, role: 'read-only', tenantId: 'tenant-7' },
      ],
    });

    await studio.chooseFromContextMenu('Analytics', 'Remove Connection…');
    await studio.clickDialogAction('Remove');
    await waitForConnectionGone(studio, 'Analytics');
    studio.answerOpenDialog(undefined);
    await studio.runCommand(importCommand);
    studio.answerOpenDialog([file]);
    await studio.runCommand(importCommand);
    await studio.waitForNotification(
      'Connections added: 1, already present: 1. Sign in to each one with your own token.',
    );
    assert.deepEqual(await studio.tree.getChildLabels(), ['Analytics', 'Audit']);

    // The connection was imported without a token: it is shown as signed out, with a way to sign in.
    const row = await studio.tree.findItem(['Analytics', 'Datamodels', 'Signed out']);
    assert.equal(row.item.description, 'Sign In…');
    studio.tree.runRowCommand(row);
    await studio.submitInputBox(token);
    await studio.waitForNotification('Analytics works: the server accepted the token.');
    await studio.findTreeItem(['Analytics', 'Datamodels', 'Retail']);
    await studio.tree.waitForItemText('Analytics', /staging/);
  });
});

describeStudio(
  'a sandbox that was started by npm start',
  async (disposables) => {
    const sandbox = disposables.use(await startHostSandbox());
    return { options: { env: sandbox.env } };
  },
  (test) => {
    test('is not exported', async ({ studio }) => {
      await studio.findTreeItem('Sandbox');
      await studio.runCommand(exportCommand);
      await studio.waitForNotification(/^No connections to export/);
    });
  },
);
