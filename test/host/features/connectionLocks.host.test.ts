import assert from 'node:assert/strict';
import { addConnection } from '../support/connections.ts';
import { describeWithUnconnectedSandbox } from '../support/suite.ts';

const unlockCommand = 'Datamodel Studio: Unlock for Writing…';
const lockCommand = 'Datamodel Studio: Lock Connection';

describeWithUnconnectedSandbox('roles and locks of connections', (test) => {
  test('connections show their roles, and only a production one has a lock', async ({ studio, sandbox }) => {
    const roles = ['staging', 'read-only'] as const;
    for (const role of roles) {
      await addConnection(studio, {
        name: `The ${role} one`,
        // All connections to an address have the same role.
        url: `${sandbox.url}/${role}`,
        token: sandbox.adminToken,
        role,
      });
    }
    await studio.runCommand(unlockCommand);
    await studio.notification('No connections can be unlocked. Only production connections are locked.');
    await addConnection(studio, {
      name: 'The production one',
      url: sandbox.url,
      token: sandbox.adminToken,
      role: 'production',
    });
    const getBadges = async (name: string): Promise<readonly (string | undefined)[]> => {
      const { item, description } = await studio.treeItem(name);
      return [description, item.resourceUri?.authority];
    };
    assert.deepEqual(await getBadges('The staging one'), ['staging', 'role-staging']);
    assert.deepEqual(await getBadges('The read-only one'), ['read-only', 'role-read-only']);
    assert.deepEqual(await getBadges('The production one'), ['production, locked', 'role-production']);
    assert.ok(!(await studio.contextMenuLabels('The staging one')).includes('Unlock for Writing…'));

    await studio.runCommand(lockCommand);
    await studio.notification('No connections are unlocked.');
    // Only one of the three has a lock, so there is nothing to choose.
    await studio.runCommand(unlockCommand);
    await studio.quickInput.title('Unlock The production one for Writing');
    assert.deepEqual(await studio.quickInput.labels(), ['5 minutes', '15 minutes', '60 minutes']);
    await studio.quickInput.active('15 minutes');
    await studio.quickPick('15 minutes');
    await studio.quickInput.message('This is a production instance. Type The production one to confirm.');
    await studio.inputBox('The production one');
    await studio.tree.itemShows('The production one', /production, unlocked/);
    assert.deepEqual(await getBadges('The production one'), ['production, unlocked', 'role-unlocked']);
    assert.ok(!(await studio.contextMenuLabels('The production one')).includes('Unlock for Writing…'));
    await studio.contextMenu('The production one', 'Lock Connection');
    await studio.tree.itemShows('The production one', /production, locked/);
  });

  test('a command on a connection without a lock says so', async ({ studio, sandbox }) => {
    await addConnection(studio, { name: 'Open', url: sandbox.url, token: sandbox.adminToken });
    await addConnection(studio, {
      name: 'Reader',
      url: `${sandbox.url}/reader`,
      token: sandbox.adminToken,
      role: 'read-only',
    });
    for (const [name, message] of [
      ['Open', "Open isn't locked."],
      ['Reader', 'Reader is read-only. To make changes, edit the connection and change its role.'],
    ] as const) {
      await studio.runCommand(unlockCommand, await getTarget(studio, name));
      await studio.notification(message);
    }
  });

  test('a production connection is unlocked only by its own name', async ({ studio, sandbox }) => {
    await addConnection(studio, {
      name: 'Prod',
      url: sandbox.url,
      token: sandbox.adminToken,
      role: 'production',
    });
    await studio.runCommand(unlockCommand);
    await studio.quickPick('15 minutes');
    await studio.inputBox('Production');
    await studio.quickInput.message('Type the name of the connection.');
    await studio.quickInput.back();
    await studio.quickPick('5 minutes');
    await studio.inputBox('Prod');
    await studio.tree.itemShows('Prod', /production, unlocked/);
  });

  test('the status bar leads to unlocking, which can be canceled at each step', async ({
    studio,
    sandbox,
  }) => {
    const name = 'Guarded';
    await addConnection(studio, { name, url: sandbox.url, token: sandbox.adminToken, role: 'production' });
    await studio.runCommand('Datamodel Studio: Switch Connection…');
    await studio.quickPick(name);
    await studio.status.click('Guarded (production, locked)');
    await studio.quickPick('Unlock Guarded for Writing…');
    await studio.quickInput.message('Select how long to unlock');
    await studio.quickInput.cancel();
    await studio.contextMenu(name, 'Unlock for Writing…');
    await studio.quickPick('60 minutes');
    await studio.quickInput.message(/Type Guarded to confirm/);
    await studio.quickInput.cancel();
    await studio.statusBar('Guarded (production, locked)');
    await studio.contextMenu(name, 'Unlock for Writing…');
    await studio.quickPick('60 minutes');
    await studio.inputBox(name);
    await studio.statusBar('Guarded (production, unlocked, 60 min)');
    // With another address, it may be another instance: it is locked again.
    await studio.contextMenu(name, 'Edit Connection…');
    await studio.inputBox(`${sandbox.url}/other`);
    await studio.inputBox('');
    await studio.quickPick('production');
    await studio.inputBox(name);
    await studio.inputBox('');
    await studio.statusBar('Guarded (production, locked)');
  });
});

/** What a menu passes to a command, for a connection whose menu does not offer it. */
const getTarget = async (
  studio: { treeItem(name: string): Promise<{ readonly element: unknown }> },
  name: string,
): Promise<unknown> => (await studio.treeItem(name)).element;
