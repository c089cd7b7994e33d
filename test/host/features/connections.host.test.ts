import assert from 'node:assert/strict';
import { startServer } from '../../integration/connections/servers.ts';
import {
  addConnection,
  answerConnectionPrompts,
  connectionGone,
  removeConnections,
} from '../support/connections.ts';
import type { HostStudio } from '../support/studio.ts';
import { describeOnSandbox, describeWithUnconnectedSandbox } from '../support/suite.ts';
import { waitFor } from '../support/waiting.ts';

/** The tokens in the secret storage. */
async function readTokens({ stored }: HostStudio): Promise<readonly (string | undefined)[]> {
  return Promise.all((await stored.secrets.keys()).map((key) => stored.secrets.get(key)));
}

/** All state that is not secret, as text. */
const readState = ({ stored: { globalState, workspaceState } }: HostStudio): string =>
  JSON.stringify(
    [globalState, workspaceState].flatMap((memento) => memento.keys().map((key) => memento.get(key))),
  );

describeWithUnconnectedSandbox('connections', (test) => {
  test('commands on a connection say that there is none yet', async ({ studio }) => {
    assert.deepEqual(await studio.tree.children(), []);
    for (const title of [
      'Edit Connection…',
      'Remove Connection…',
      'Sign In…',
      'Sign Out',
      'Lock Connection',
    ]) {
      await studio.runCommand(`Datamodel Studio: ${title}`);
      const message = await studio.notification(
        'No connections found. Add a connection or start the sandbox.',
      );
      message.answer(undefined);
    }
  });

  test('a connection is added, edited, signed out, signed in and removed', async ({ studio, sandbox }) => {
    const token = sandbox.adminToken;
    await studio.runCommand('Datamodel Studio: Add Connection…');
    await studio.inputBox('not an address');
    await studio.quickInput.message(/Enter a valid address/);
    await answerConnectionPrompts(studio, { url: sandbox.url, token, name: 'Analytics' });
    await studio.notification('Analytics works: the server accepted the token.');
    await studio.treeItem(['Analytics', 'Datamodels', 'Retail']);
    assert.deepEqual(await readTokens(studio), [token]);

    // There is one connection, so there is nothing to choose.
    await studio.runCommand('Datamodel Studio: Edit Connection…');
    await answerConnectionPrompts(studio, {
      url: sandbox.url,
      token: '',
      role: 'staging',
      name: 'Analytics EU',
    });
    await studio.notification('Analytics EU works: the server accepted the token.');
    await studio.tree.itemShows('Analytics EU', /staging/);
    assert.deepEqual(await readTokens(studio), [token]);

    const getSessionLabels = async () =>
      (await studio.contextMenuLabels('Analytics EU')).filter((label) => label.startsWith('Sign'));
    assert.deepEqual(await getSessionLabels(), ['Sign Out']);
    await studio.contextMenu('Analytics EU', 'Sign Out');
    await studio.treeItem(['Analytics EU', 'Datamodels', 'Signed out']);
    assert.deepEqual(await getSessionLabels(), ['Sign In…']);
    assert.deepEqual(await readTokens(studio), []);

    await studio.runCommand('Datamodel Studio: Sign In…');
    await studio.quickInput.title('Sign In to Analytics EU');
    await studio.inputBox('wrong-token');
    await studio.notificationAction(
      "Analytics EU was saved but doesn't work yet: Checking the token failed: the server rejected the token (401): The token is not known. Sign in again.",
      'Sign In…',
    );
    await studio.inputBox(token);
    await studio.notification('Analytics EU works: the server accepted the token.');
    await studio.treeItem(['Analytics EU', 'Datamodels', 'Retail']);
    assert.deepEqual(await readTokens(studio), [token]);
    assert.match(readState(studio), /Analytics EU/);
    assert.ok(!readState(studio).includes(token), 'the token is in no state');

    await studio.runCommand('Datamodel Studio: Remove Connection…');
    const question = await studio.messages.findQuestion();
    assert.equal(question.text, 'Remove the connection Analytics EU?');
    assert.match(question.detail, /Its token, pins, and history on this machine will be deleted/);
    await studio.dialogAction('Cancel');
    await studio.treeItem(['Analytics EU', 'Datamodels', 'Retail']);
    await studio.runCommand('Datamodel Studio: Remove Connection…');
    await studio.dialogAction('Remove');
    await connectionGone(studio, 'Analytics EU');
    assert.deepEqual(await readTokens(studio), []);
    assert.doesNotMatch(readState(studio), /Analytics EU/);
  });

  test('each answer is refused with a reason until it can be used', async ({ studio, sandbox }) => {
    const refuse = async (text: string, reason: string): Promise<void> => {
      await studio.inputBox(text);
      await studio.quickInput.message(reason);
    };
    await studio.runCommand('Datamodel Studio: Add Connection…');
    await studio.quickInput.message('Address of the instance');
    await refuse('  ', 'Enter the address of the instance.');
    await refuse('ftp://files.example', 'The address must start with https:// or http://.');
    await refuse('https://anna:pass@bi.example', 'Remove the user name and password from the address');
    await refuse('https://bi.example/?tab=1', 'Remove everything after ? or # from the address.');
    await studio.inputBox(sandbox.url);
    await studio.quickInput.message("API token (stored only in the editor's secret storage)");
    assert.equal(studio.quickInput.current?.isPassword, true);
    await refuse(' ', 'Enter the API token.');
    await refuse('two words', "A token can't contain spaces or special characters.");
    // What is wrong is also said while typing; an empty box is not wrong yet.
    await studio.quickInput.fill('pässe');
    await studio.quickInput.message("A token can't contain spaces or special characters.");
    await studio.quickInput.fill('');
    await studio.quickInput.message('API token');
    await studio.inputBox(sandbox.adminToken);
    await studio.quickPick('development');
    await refuse(' ', 'Enter a name.');
    await studio.inputBox('Refused Before');
    await refuse('two words', "A tenant ID can't contain spaces or special characters.");
    await studio.inputBox('');
    await studio.notification('Refused Before works: the server accepted the token.');
  });

  test('Back returns to each answer, and Escape at any step adds nothing', async ({ studio, sandbox }) => {
    const answers: readonly (() => Promise<void>)[] = [
      () => studio.inputBox(sandbox.url),
      () => studio.inputBox('some-token'),
      () => studio.quickPick('read-only'),
      () => studio.inputBox('Given Up'),
    ];
    const prompts = ['Address', 'API token', 'Select the role of the instance', 'Name of the', 'Tenant'];
    const before = await studio.tree.children();
    for (const count of prompts.keys()) {
      await studio.runCommand('Datamodel Studio: Add Connection…');
      for (const answer of answers.slice(0, count)) {
        await answer();
      }
      await studio.quickInput.message(prompts[count] ?? '');
      await studio.quickInput.cancel();
    }
    assert.deepEqual(await studio.tree.children(), before);

    await studio.runCommand('Datamodel Studio: Add Connection…');
    for (const answer of answers) {
      await answer();
    }
    await studio.quickInput.message('Tenant');
    await studio.quickInput.back();
    await studio.quickInput.message('Name of the connection');
    assert.equal(
      studio.quickInput.current?.value(),
      '127.0.0.1' + sandbox.url.slice(sandbox.url.lastIndexOf(':')),
    );
    await studio.quickInput.back();
    await studio.quickInput.active('development');
    await studio.quickInput.back();
    await studio.quickInput.message('API token');
    await studio.quickInput.back();
    await studio.quickInput.message('Address of the instance');
    assert.deepEqual(studio.quickInput.current?.buttons(), []);
    assert.equal(studio.quickInput.current?.value(), '');
  });

  test('an address has one connection per tenant, and one role', async ({ studio, sandbox }) => {
    const { url, adminToken: token } = sandbox;
    await addConnection(studio, { name: 'Shop', url, token, role: 'production' });
    await studio.runCommand('Datamodel Studio: Add Connection…');
    await studio.inputBox(`${url}/`);
    await studio.quickInput.message(
      'Already added as Shop. To add it for another tenant, enter the tenant ID.',
    );
    await studio.inputBox('');
    await studio.quickInput.message('Already added as Shop.');
    await studio.quickInput.back();
    // The address was a mistake: another one is asked for its role.
    await studio.inputBox(`${url}/other`);
    await studio.inputBox(token);
    await studio.quickInput.message('Select the role of the instance');
    await studio.quickInput.active('development');
    await studio.quickInput.cancel();

    await addConnection(studio, { name: 'Acme', url, token, tenantId: 'acme', isKnownAddress: true });
    await studio.tree.itemShows('Acme', /production, locked/);
    await studio.runCommand('Datamodel Studio: Add Connection…');
    await studio.inputBox(url);
    await studio.quickInput.message('Already added as Shop, Acme.');
    await studio.inputBox('acme');
    await studio.quickInput.message('Already added as Acme.');
    await studio.quickInput.cancel();

    const editRole = async (name: string, role: string, tenantId: string): Promise<void> => {
      await studio.contextMenu(name, 'Edit Connection…');
      await studio.inputBox(url);
      await studio.inputBox('');
      await studio.quickPick(role);
      await studio.inputBox(name);
      await studio.quickInput.message(/^Tenant/);
      await studio.inputBox(tenantId);
    };
    await editRole('Acme', 'staging', '');
    await studio.quickInput.message('Already added as Shop.');
    await studio.inputBox('acme');
    await studio.tree.itemShows('Acme', /staging/);
    await studio.tree.itemShows('Shop', /staging/);
    await removeConnections(studio, ['Acme', 'Shop']);
  });

  test('a token is sent only to the server that it was entered for', async ({ studio, sandbox }) => {
    await using elsewhere = await startServer((_request, response) => {
      response.writeHead(401, { 'content-type': 'application/json' }).end('{"isauthenticated":false}');
    });
    await addConnection(studio, { name: 'Moved', url: sandbox.url, token: sandbox.adminToken });
    const tokens = await readTokens(studio);
    await studio.contextMenu('Moved', 'Edit Connection…');
    await studio.quickInput.message('Address of the instance');
    assert.equal(studio.quickInput.current?.value(), sandbox.url);
    await studio.inputBox(sandbox.url);
    await studio.quickInput.message('API token (leave empty to keep the stored token)');
    await studio.quickInput.cancel();

    await studio.contextMenu('Moved', 'Edit Connection…');
    await studio.inputBox(`http://127.0.0.1:${elsewhere.port}/bi/`);
    await studio.quickInput.message('API token (leave empty to sign in later)');
    await studio.inputBox('');
    await studio.quickPick('development');
    await studio.inputBox('Moved');
    await studio.inputBox('tenant-7');
    await studio.treeItem(['Moved', 'Datamodels', 'Signed out']);
    assert.equal((await readTokens(studio)).length, tokens.length - 1);
    assert.deepEqual(elsewhere.tokens, []);
    assert.match(
      readState(studio),
      new RegExp(
        `"url":"http://127.0.0.1:${elsewhere.port}/bi","role":"development","name":"Moved","tenantId":"tenant-7"`,
      ),
    );
  });

  test('a connection with single sign-on names the page for a token', async ({ studio }) => {
    const page = 'https://login.example/start?next=/app';
    const signedOutBody = { isauthenticated: false, ssoEnabled: true, loginUrl: page };
    await using server = await startServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(signedOutBody));
    });
    await studio.runCommand('Datamodel Studio: Add Connection…');
    await answerConnectionPrompts(studio, { url: `http://127.0.0.1:${server.port}`, name: 'With SSO' });
    await studio.notification(
      "With SSO was saved but doesn't work yet: the server rejected the token. It uses single sign-on: sign in at https://login.example and create an API token",
    );
    await studio.notificationAction(/^With SSO was saved/, 'Test Connection…');
    await studio.quickInput.title('Connection Test: With SSO');
    await studio.quickInput.shows(/Token\nFailed: the server rejected it/);
  });

  test('signing in can be canceled and keeps the connection as it was', async ({ studio, sandbox }) => {
    await addConnection(studio, { name: 'Kept Out', url: sandbox.url, token: 'wrong-token' });
    await studio.tree.click(['Kept Out', 'Datamodels', 'Token rejected (401)']);
    await studio.quickInput.message(
      /^API token for 127\.0\.0\.1:\d+ \(stored only in the editor's secret storage/,
    );
    await studio.inputBox('');
    await studio.quickInput.message('Enter the API token.');
    await studio.quickInput.cancel();
    await studio.treeItem(['Kept Out', 'Datamodels', 'Token rejected (401)']);
    assert.ok((await readTokens(studio)).includes('wrong-token'));
  });

  test('a change of another window is adopted when this one gets the focus', async ({ studio, sandbox }) => {
    await addConnection(studio, { name: 'Shared', url: sandbox.url, token: sandbox.adminToken });
    const { globalState } = studio.stored;
    const stored = globalState.get<readonly { readonly name: string }[]>('connections') ?? [];
    await globalState.update(
      'connections',
      stored.map((each) => (each.name === 'Shared' ? { ...each, role: 'read-only' } : each)),
    );
    assert.equal((await studio.treeItem('Shared')).description, 'development');
    studio.focusWindow();
    await studio.tree.itemShows('Shared', /read-only/);
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
      isKnownAddress: true,
    });
    await studio.runCommand('Datamodel Studio: Sign Out');
    await studio.quickInput.message('Select the connection to sign out of');
    const items = studio.quickInput.current?.items() ?? [];
    assert.deepEqual(
      items.map(({ label, description, detail }) => [label, description, detail]),
      [
        ['Sandbox', 'development, current', sandbox.url],
        ['Mine', 'development', sandbox.url],
      ],
    );
    await studio.quickInput.cancel();
    await studio.runCommand('Datamodel Studio: Sign Out');
    await studio.quickPick('Mine');
    await studio.treeItem(['Mine', 'Datamodels', 'Signed out']);
    await studio.treeItem(['Sandbox', 'Datamodels', 'Retail']);
  });

  test('the embedded sandbox can only be renamed', async ({ studio }) => {
    await studio.runCommand('Datamodel Studio: Start Sandbox');
    const local = /^Sandbox$/;
    await waitFor(
      async () => (await studio.tree.children()).filter((label) => label === 'Sandbox').length === 2,
      () => 'The embedded sandbox is not listed',
    );
    await studio.runCommand('Datamodel Studio: Edit Connection…');
    const item = await studio.quickInput.shows('Sandbox on this machine');
    assert.match(item.label, local);
    studio.quickInput.current?.choose([item]);
    await studio.quickInput.message('Name of the connection');
    await studio.inputBox('  ');
    await studio.quickInput.message('Enter a name.');
    await studio.inputBox(' Playground ');
    await studio.tree.itemShows('Playground', /local/);
    await studio.contextMenu('Playground', 'Edit Connection…');
    await studio.quickInput.message('Name of the connection');
    await studio.quickInput.cancel();
    await studio.treeItem(['Playground', 'Datamodels', 'Retail']);
    for (const title of ['Sign In…', 'Sign Out']) {
      await studio.runCommand(`Datamodel Studio: ${title}`);
      await studio.quickPick('Playground');
      (await studio.notification("The sandbox doesn't require a token.")).answer(undefined);
    }
    await studio.contextMenu('Playground', 'Remove Connection…');
    await studio.dialogAction('Remove');
    await connectionGone(studio, 'Playground');
  });
});
