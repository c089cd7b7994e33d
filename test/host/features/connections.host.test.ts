import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { startServer } from '../../integration/connections/servers.ts';
import {
  addConnection,
  answerConnectionPrompts,
  waitForConnectionGone,
  removeConnections,
} from '../support/connections.ts';
import type { HostStudio } from '../support/studio.ts';
import { describeOnSandbox, describeWithUnconnectedSandbox } from '../support/suite.ts';
import { waitFor } from '../support/waiting.ts';

/** The tokens in the secret storage. */
async function readTokens({ storedState: stored }: HostStudio): Promise<readonly (string | undefined)[]> {
  return Promise.all((await stored.secrets.keys()).map((key) => stored.secrets.get(key)));
}

/** All state that is not secret, as text. */
const readState = ({ storedState: { globalState, workspaceState } }: HostStudio): string =>
  JSON.stringify(
    [globalState, workspaceState].flatMap((memento) => memento.keys().map((key) => memento.get(key))),
  );

describeWithUnconnectedSandbox('connections', (test) => {
  test('without connections, the commands for connections report that there are none', async ({ studio }) => {
    assert.deepEqual(await studio.tree.getChildLabels(), []);
    for (const title of [
      'Edit Connection…',
      'Remove Connection…',
      'Sign In…',
      'Sign Out',
      'Lock Connection',
    ]) {
      await studio.runCommand(`Datamodel Studio: ${title}`);
      const message = await studio.waitForNotification(
        'No connections found. Add a connection or start the sandbox.',
      );
      message.answer(undefined);
    }
  });

  test('a connection is added, edited, signed out, signed in and removed', async ({ studio, sandbox }) => {
    const token = sandbox.adminToken;
    await studio.runCommand('Datamodel Studio: Add Connection…');
    await studio.submitInputBox('not an address');
    await studio.quickInput.waitForMessage(/Enter a valid address/);
    await answerConnectionPrompts(studio, { url: sandbox.url, token, name: 'Analytics' });
    await studio.waitForNotification('Analytics works: the server accepted the token.');
    await studio.findTreeItem(['Analytics', 'Datamodels', 'Retail']);
    assert.deepEqual(await readTokens(studio), [token]);

    // There is one connection, so there is nothing to choose.
    await studio.runCommand('Datamodel Studio: Edit Connection…');
    await answerConnectionPrompts(studio, {
      url: sandbox.url,
      token: '',
      role: 'staging',
      name: 'Analytics EU',
    });
    await studio.waitForNotification('Analytics EU works: the server accepted the token.');
    await studio.tree.waitForItemText('Analytics EU', /staging/);
    assert.deepEqual(await readTokens(studio), [token]);

    const getSessionLabels = async () =>
      (await studio.getContextMenuLabels('Analytics EU')).filter((label) => label.startsWith('Sign'));
    assert.deepEqual(await getSessionLabels(), ['Sign Out']);
    await studio.chooseFromContextMenu('Analytics EU', 'Sign Out');
    await studio.findTreeItem(['Analytics EU', 'Datamodels', 'Signed out']);
    assert.deepEqual(await getSessionLabels(), ['Sign In…']);
    assert.deepEqual(await readTokens(studio), []);

    await studio.runCommand('Datamodel Studio: Sign In…');
    await studio.quickInput.waitForTitle('Sign In to Analytics EU');
    await studio.submitInputBox('wrong-token');
    await studio.clickNotificationAction(
      "Analytics EU doesn't work yet. Checking the token failed: the server rejected the token (401): Invalid token. Sign in again.",
      'Sign In…',
    );
    await studio.submitInputBox(token);
    await studio.waitForNotification('Analytics EU works: the server accepted the token.');
    await studio.findTreeItem(['Analytics EU', 'Datamodels', 'Retail']);
    assert.deepEqual(await readTokens(studio), [token]);
    assert.match(readState(studio), /Analytics EU/);
    assert.ok(!readState(studio).includes(token), 'the token is in no state');

    await studio.runCommand('Datamodel Studio: Remove Connection…');
    const question = await studio.messages.findQuestion();
    assert.equal(question.text, 'Remove the connection Analytics EU?');
    assert.match(question.detail, /Its token, pins, and history on this machine will be deleted/);
    await studio.clickDialogAction('Cancel');
    await studio.findTreeItem(['Analytics EU', 'Datamodels', 'Retail']);
    await studio.runCommand('Datamodel Studio: Remove Connection…');
    await studio.clickDialogAction('Remove');
    await waitForConnectionGone(studio, 'Analytics EU');
    assert.deepEqual(await readTokens(studio), []);
    assert.doesNotMatch(readState(studio), /Analytics EU/);
  });

  test('each prompt refuses an invalid input with the reason', async ({ studio, sandbox }) => {
    const refuse = async (text: string, reason: string): Promise<void> => {
      await studio.submitInputBox(text);
      await studio.quickInput.waitForMessage(reason);
    };
    await studio.runCommand('Datamodel Studio: Add Connection…');
    await studio.quickInput.waitForMessage('Address of the instance');
    await refuse('  ', 'Enter the address of the instance.');
    await refuse('ftp://files.example', 'The address must start with https:// or http://.');
    await refuse(sandbox.adminToken, 'This looks like an API token, which is entered separately.');
    assert.doesNotMatch(studio.quickInput.current?.getMessage() ?? '', new RegExp(sandbox.adminToken));
    await refuse('https://anna:pass@bi.example', 'Remove the user name and password from the address');
    await refuse('https://bi.example/?tab=1', 'Remove ? or # and everything after it from the address.');
    await studio.submitInputBox(sandbox.url);
    await studio.quickInput.waitForMessage(
      `API token for ${new URL(sandbox.url).host} (stored only in VS Code's secret storage)`,
    );
    assert.equal(studio.quickInput.current?.isPassword, true);
    await refuse(' ', 'Enter the API token.');
    await refuse('two words', "A token can't contain spaces or special characters.");
    // The reason is also shown while typing, but not for an empty box.
    await studio.quickInput.fill('pässe');
    await studio.quickInput.waitForMessage("A token can't contain spaces or special characters.");
    await studio.quickInput.fill('');
    await studio.quickInput.waitForMessage('API token');
    await studio.submitInputBox(sandbox.adminToken);
    await studio.selectQuickPick('development');
    await refuse(' ', 'Enter a name.');
    await studio.submitInputBox('Refused Before');
    await refuse('two words', "A tenant ID can't contain spaces or special characters.");
    await studio.submitInputBox('');
    await studio.waitForNotification('Refused Before works: the server accepted the token.');
  });

  test('Back returns to the previous prompt, and Escape at any prompt adds no connection', async ({
    studio,
    sandbox,
  }) => {
    const promptAnswers: readonly (() => Promise<void>)[] = [
      () => studio.submitInputBox(sandbox.url),
      () => studio.submitInputBox('some-token'),
      () => studio.selectQuickPick('read-only'),
      () => studio.submitInputBox('Given Up'),
    ];
    const prompts = ['Address', 'API token', 'Select the role of the instance', 'Name of the', 'Tenant'];
    const before = await studio.tree.getChildLabels();
    for (const count of prompts.keys()) {
      await studio.runCommand('Datamodel Studio: Add Connection…');
      for (const answer of promptAnswers.slice(0, count)) {
        await answer();
      }
      await studio.quickInput.waitForMessage(prompts[count] ?? '');
      await studio.quickInput.cancel();
    }
    assert.deepEqual(await studio.tree.getChildLabels(), before);

    await studio.runCommand('Datamodel Studio: Add Connection…');
    for (const answer of promptAnswers) {
      await answer();
    }
    await studio.quickInput.waitForMessage('Tenant');
    await studio.quickInput.pressBack();
    await studio.quickInput.waitForMessage('Name of the connection');
    assert.equal(
      studio.quickInput.current?.getValue(),
      '127.0.0.1' + sandbox.url.slice(sandbox.url.lastIndexOf(':')),
    );
    await studio.quickInput.pressBack();
    await studio.quickInput.waitForActiveRow('development');
    await studio.quickInput.pressBack();
    await studio.quickInput.waitForMessage('API token');
    await studio.quickInput.pressBack();
    await studio.quickInput.waitForMessage('Address of the instance');
    assert.deepEqual(studio.quickInput.current?.getButtons(), []);
    assert.equal(studio.quickInput.current?.getValue(), '');
  });

  test('an address has one connection per tenant, and one role', async ({ studio, sandbox }) => {
    const { url, adminToken: token } = sandbox;
    await addConnection(studio, { name: 'Shop', url, token, role: 'production' });
    await studio.runCommand('Datamodel Studio: Add Connection…');
    await studio.submitInputBox(`${url}/`);
    await studio.quickInput.waitForMessage(
      'Already added as Shop. To add it for another tenant, enter the tenant ID.',
    );
    await studio.submitInputBox('');
    await studio.quickInput.waitForMessage('Already added as Shop.');
    await studio.quickInput.pressBack();
    // The user goes back to correct the address: a new address needs a role.
    await studio.submitInputBox(`${url}/other`);
    await studio.submitInputBox(token);
    await studio.quickInput.waitForMessage('Select the role of the instance');
    await studio.quickInput.waitForActiveRow('development');
    await studio.quickInput.waitForRow(/^read-only\nwrites not allowed/);
    await studio.quickInput.cancel();

    await addConnection(studio, { name: 'Acme', url, token, tenantId: 'acme', hasSavedAddress: true });
    await studio.tree.waitForItemText('Acme', /production, locked/);
    await studio.runCommand('Datamodel Studio: Add Connection…');
    await studio.submitInputBox(url);
    await studio.quickInput.waitForMessage('Already added as Shop, Acme.');
    await studio.submitInputBox('acme');
    await studio.quickInput.waitForMessage('Already added as Acme.');
    await studio.quickInput.cancel();

    const editRole = async (name: string, role: string, tenantId: string): Promise<void> => {
      await studio.chooseFromContextMenu(name, 'Edit Connection…');
      await studio.submitInputBox(url);
      await studio.submitInputBox('');
      await studio.selectQuickPick(role);
      await studio.submitInputBox(name);
      await studio.quickInput.waitForMessage(/^Tenant/);
      await studio.submitInputBox(tenantId);
    };
    await editRole('Acme', 'staging', '');
    await studio.quickInput.waitForMessage('Already added as Shop.');
    await studio.submitInputBox('acme');
    await studio.tree.waitForItemText('Acme', /staging/);
    await studio.tree.waitForItemText('Shop', /staging/);
    await removeConnections(studio, ['Acme', 'Shop']);
  });

  test('the values that a file suggests for a connection are only the initial values of the prompts', async ({
    studio,
    sandbox,
  }) => {
    const { url, adminToken: token } = sandbox;
    await addConnection(studio, { name: 'Shop', url, token, role: 'production' });
    const add = (suggestion: object): void => {
      void vscode.commands.executeCommand('datamodelStudio.connections.add', suggestion);
    };
    const source = 'environments/live.json';
    add({ url: `${url}/bi`, role: 'read-only', name: 'live', tenantId: 'acme', source });
    await studio.quickInput.waitForMessage(/^Address of the instance, from environments\/live\.json\. /);
    await studio.submitInputBox(studio.quickInput.current?.getValue() ?? '');
    await studio.quickInput.waitForMessage(/^API token for 127\.0\.0\.1:\d+ \(stored only in/);
    await studio.submitInputBox(token);
    await studio.quickInput.waitForActiveRow('read-only');
    await studio.quickInput.pick('read-only');
    await studio.quickInput.waitForMessage('Name of the connection');
    assert.equal(studio.quickInput.current?.getValue(), 'live');
    await studio.submitInputBox('live');
    await studio.quickInput.waitForMessage(/^Tenant/);
    assert.equal(studio.quickInput.current?.getValue(), 'acme');
    await studio.quickInput.cancel();

    // A known address has the role of its connection, and needs another tenant.
    add({ url, role: 'development', name: 'live', tenantId: 'acme', source });
    await studio.quickInput.waitForMessage(/^Address of the instance, from /);
    await studio.submitInputBox(url);
    await studio.quickInput.waitForMessage(/^Already added as Shop\./);
    assert.equal(studio.quickInput.current?.getValue(), 'acme');
    await studio.submitInputBox('acme');
    await studio.quickInput.waitForMessage(/^API token/);
    await studio.submitInputBox(token);
    await studio.quickInput.waitForMessage('Name of the connection');
    await studio.submitInputBox('live');
    await studio.tree.waitForItemText('live', /production, locked/);

    // The menu of a view passes an argument that is no suggestion.
    add({ id: 'row' });
    await studio.quickInput.waitForMessage(/^Address of the instance$/);
    assert.equal(studio.quickInput.current?.getValue(), '');
    await studio.quickInput.cancel();
    await removeConnections(studio, ['live', 'Shop']);
  });

  test('a token is sent only to the server that it was entered for', async ({ studio, sandbox }) => {
    await using elsewhere = await startServer((_request, response) => {
      response.writeHead(401, { 'content-type': 'application/json' }).end('{"isauthenticated":false}');
    });
    await addConnection(studio, { name: 'Moved', url: sandbox.url, token: sandbox.adminToken });
    const tokens = await readTokens(studio);
    await studio.chooseFromContextMenu('Moved', 'Edit Connection…');
    await studio.quickInput.waitForMessage('Address of the instance');
    assert.equal(studio.quickInput.current?.getValue(), sandbox.url);
    await studio.submitInputBox(sandbox.url);
    await studio.quickInput.waitForMessage('API token (leave empty to keep the stored token)');
    await studio.quickInput.cancel();

    await studio.chooseFromContextMenu('Moved', 'Edit Connection…');
    await studio.submitInputBox(`http://127.0.0.1:${elsewhere.port}/bi/`);
    await studio.quickInput.waitForMessage('API token (leave empty to sign in later)');
    await studio.submitInputBox('');
    await studio.selectQuickPick('development');
    await studio.submitInputBox('Moved');
    await studio.submitInputBox('tenant-7');
    await studio.findTreeItem(['Moved', 'Datamodels', 'Signed out']);
    assert.equal((await readTokens(studio)).length, tokens.length - 1);
    assert.deepEqual(elsewhere.authorizationHeaders, []);
    assert.match(
      readState(studio),
      new RegExp(
        `"url":"http://127.0.0.1:${elsewhere.port}/bi","role":"development","name":"Moved","tenantId":"tenant-7"`,
      ),
    );
  });

  test('a rejected token of an instance with single sign-on is reported with the page to sign in', async ({
    studio,
  }) => {
    const page = 'https://login.example/start?next=/app';
    const signedOutBody = { isauthenticated: false, ssoEnabled: true, loginUrl: page };
    await using server = await startServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(signedOutBody));
    });
    await studio.runCommand('Datamodel Studio: Add Connection…');
    await answerConnectionPrompts(studio, { url: `http://127.0.0.1:${server.port}`, name: 'With SSO' });
    await studio.waitForNotification(
      "With SSO doesn't work yet. The server rejected the token. The server uses single sign-on. Sign in at https://login.example and create an API token.",
    );
    await studio.clickNotificationAction(/^With SSO doesn't work yet/, 'Test Connection…');
    await studio.quickInput.waitForTitle('Connection Test: With SSO');
    await studio.quickInput.waitForRow(/Token\nFailed: the server rejected it/);
  });

  test('signing in can be canceled and keeps the connection as it was', async ({ studio, sandbox }) => {
    await addConnection(studio, { name: 'Kept Out', url: sandbox.url, token: 'wrong-token' });
    await studio.tree.click(['Kept Out', 'Datamodels', 'Token rejected (401)']);
    await studio.quickInput.waitForMessage(
      /^API token for 127\.0\.0\.1:\d+ \(stored only in VS Code's secret storage/,
    );
    await studio.submitInputBox('');
    await studio.quickInput.waitForMessage('Enter the API token.');
    await studio.quickInput.cancel();
    await studio.findTreeItem(['Kept Out', 'Datamodels', 'Token rejected (401)']);
    assert.ok((await readTokens(studio)).includes('wrong-token'));
  });

  test('a connection that another window has changed is updated when this window gets the focus', async ({
    studio,
    sandbox,
  }) => {
    await addConnection(studio, { name: 'Shared', url: sandbox.url, token: sandbox.adminToken });
    const { globalState } = studio.storedState;
    const stored = globalState.get<readonly { readonly name: string }[]>('connections') ?? [];
    await globalState.update(
      'connections',
      stored.map((each) => (each.name === 'Shared' ? { ...each, role: 'read-only' } : each)),
    );
    assert.equal((await studio.findTreeItem('Shared')).description, 'development');
    studio.focusWindow();
    await studio.tree.waitForItemText('Shared', /read-only/);
  });

  test('editing web links keeps what another window has changed in the meantime', async ({
    studio,
    sandbox,
  }) => {
    await addConnection(studio, { name: 'Linked', url: sandbox.url, token: sandbox.adminToken });
    await studio.chooseFromContextMenu('Linked', 'Edit Web Links…');
    await studio.submitInputBox('{url}/models/{id}');
    const { globalState } = studio.storedState;
    const read = () =>
      globalState.get<
        readonly { readonly name: string; readonly role: string; readonly webLinks?: object }[]
      >('connections') ?? [];
    await globalState.update(
      'connections',
      read().map((each) => (each.name === 'Linked' ? { ...each, role: 'read-only' } : each)),
    );
    studio.focusWindow();
    await studio.tree.waitForItemText('Linked', /read-only/);
    await studio.submitInputBox('');
    const saved = await waitFor(
      () => read().find(({ name, webLinks }) => name === 'Linked' && webLinks !== undefined),
      () => JSON.stringify(read()),
    );
    assert.equal(saved.role, 'read-only');
  });
});

describeOnSandbox('the connection of a sandbox', (test) => {
  test('the connection to work on is chosen from a list, the current one first', async ({
    studio,
    sandbox,
  }) => {
    await addConnection(studio, {
      name: 'Mine',
      url: sandbox.url,
      token: sandbox.adminToken,
      tenantId: 'mine',
      hasSavedAddress: true,
    });
    await studio.runCommand('Datamodel Studio: Sign Out');
    await studio.quickInput.waitForMessage('Select the connection to sign out of');
    const items = studio.quickInput.current?.getItems() ?? [];
    assert.deepEqual(
      items.map(({ label, description, detail }) => [label, description, detail]),
      [
        ['Sandbox', 'development, current', sandbox.url],
        ['Mine', 'development', sandbox.url],
      ],
    );
    await studio.quickInput.cancel();
    await studio.runCommand('Datamodel Studio: Sign Out');
    await studio.selectQuickPick('Mine');
    await studio.findTreeItem(['Mine', 'Datamodels', 'Signed out']);
    await studio.findTreeItem(['Sandbox', 'Datamodels', 'Retail']);
  });

  test('the embedded sandbox can only be renamed', async ({ studio }) => {
    await studio.runCommand('Datamodel Studio: Start Sandbox');
    const exactLabel = /^Sandbox$/;
    await waitFor(
      async () => (await studio.tree.getChildLabels()).filter((label) => label === 'Sandbox').length === 2,
      () => 'The embedded sandbox is not listed',
    );
    await studio.runCommand('Datamodel Studio: Edit Connection…');
    const item = await studio.quickInput.waitForRow('Sandbox on this machine');
    assert.match(item.label, exactLabel);
    studio.quickInput.current?.choose([item]);
    await studio.quickInput.waitForMessage('Name of the connection');
    await studio.submitInputBox('  ');
    await studio.quickInput.waitForMessage('Enter a name.');
    await studio.submitInputBox(' Playground ');
    await studio.tree.waitForItemText('Playground', /local/);
    await studio.chooseFromContextMenu('Playground', 'Edit Connection…');
    await studio.quickInput.waitForMessage('Name of the connection');
    await studio.quickInput.cancel();
    await studio.findTreeItem(['Playground', 'Datamodels', 'Retail']);
    for (const title of ['Sign In…', 'Sign Out']) {
      await studio.runCommand(`Datamodel Studio: ${title}`);
      await studio.selectQuickPick('Playground');
      (await studio.waitForNotification("The sandbox doesn't require a token.")).answer(undefined);
    }
    await studio.chooseFromContextMenu('Playground', 'Remove Connection…');
    await studio.clickDialogAction('Remove');
    await waitForConnectionGone(studio, 'Playground');
  });
});
