import assert from 'node:assert/strict';
import { addConnection } from '../support/connections.ts';
import { describeWithUnconnectedSandbox } from '../support/suite.ts';

const unlockCommand = 'Datamodel Studio: Unlock for Writing…';
const lockCommand = 'Datamodel Studio: Lock Connection';

describeWithUnconnectedSandbox('roles and locks of connections', (test) => {
  test('connections show their roles, and only a production connection has a lock', async ({
    studio,
    sandbox,
  }) => {
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
    await studio.waitForNotification(
      'No connections can be unlocked. Only production connections are locked.',
    );
    await addConnection(studio, {
      name: 'The production one',
      url: sandbox.url,
      token: sandbox.adminToken,
      role: 'production',
    });
    const getBadges = async (name: string): Promise<readonly (string | undefined)[]> => {
      const { item, description } = await studio.findTreeItem(name);
      return [description, item.resourceUri?.authority];
    };
    assert.deepEqual(await getBadges('The staging one'), ['staging', 'role-staging']);
    assert.deepEqual(await getBadges('The read-only one'), ['read-only', 'role-read-only']);
    assert.deepEqual(await getBadges('The production one'), ['production, locked', 'role-production']);
    assert.ok(!(await studio.getContextMenuLabels('The staging one')).includes('Unlock for Writing…'));

    await studio.runCommand(lockCommand);
    await studio.waitForNotification('No connections are unlocked.');
    // Only one of the three has a lock, so there is nothing to choose.
    await studio.runCommand(unlockCommand);
    await studio.quickInput.waitForTitle('Unlock The production one for Writing');
    assert.deepEqual(await studio.quickInput.getLabels(), ['5 minutes', '15 minutes', '60 minutes']);
    await studio.quickInput.waitForActiveRow('15 minutes');
    await studio.selectQuickPick('15 minutes');
    await studio.quickInput.waitForMessage(
      'This is a production instance. Type The production one to confirm.',
    );
    await studio.submitInputBox('The production one');
    await studio.tree.waitForItemText('The production one', /production, unlocked/);
    assert.deepEqual(await getBadges('The production one'), ['production, unlocked', 'role-unlocked']);
    assert.ok(!(await studio.getContextMenuLabels('The production one')).includes('Unlock for Writing…'));
    await studio.chooseFromContextMenu('The production one', 'Lock Connection');
    await studio.tree.waitForItemText('The production one', /production, locked/);
  });

  test('the lock and unlock commands report that a connection has no lock', async ({ studio, sandbox }) => {
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
      await studio.waitForNotification(message);
    }
  });

  test('a production connection is unlocked only after its name was typed', async ({ studio, sandbox }) => {
    await addConnection(studio, {
      name: 'Prod',
      url: sandbox.url,
      token: sandbox.adminToken,
      role: 'production',
    });
    await studio.runCommand(unlockCommand);
    await studio.selectQuickPick('15 minutes');
    await studio.submitInputBox('Production');
    await studio.quickInput.waitForMessage('Type the name of the connection.');
    await studio.quickInput.pressBack();
    await studio.selectQuickPick('5 minutes');
    await studio.submitInputBox('Prod');
    await studio.tree.waitForItemText('Prod', /production, unlocked/);
  });

  test('the status bar leads to unlocking, which can be canceled at each step', async ({
    studio,
    sandbox,
  }) => {
    const name = 'Guarded';
    await addConnection(studio, { name, url: sandbox.url, token: sandbox.adminToken, role: 'production' });
    await studio.runCommand('Datamodel Studio: Switch Connection…');
    await studio.selectQuickPick(name);
    await studio.status.click('Guarded (production, locked)');
    await studio.selectQuickPick('Unlock Guarded for Writing…');
    await studio.quickInput.waitForMessage('Select how long to unlock');
    await studio.quickInput.cancel();
    await studio.chooseFromContextMenu(name, 'Unlock for Writing…');
    await studio.selectQuickPick('60 minutes');
    await studio.quickInput.waitForMessage(/Type Guarded to confirm/);
    await studio.quickInput.cancel();
    await studio.waitForStatusBarItem('Guarded (production, locked)');
    await studio.chooseFromContextMenu(name, 'Unlock for Writing…');
    await studio.selectQuickPick('60 minutes');
    await studio.submitInputBox(name);
    await studio.waitForStatusBarItem('Guarded (production, unlocked, 60 min left)');
    // With another address, it may be another instance, so it is locked again.
    await studio.chooseFromContextMenu(name, 'Edit Connection…');
    await studio.submitInputBox(`${sandbox.url}/other`);
    await studio.submitInputBox('');
    await studio.selectQuickPick('production');
    await studio.submitInputBox(name);
    await studio.submitInputBox('');
    await studio.waitForStatusBarItem('Guarded (production, locked)');
  });
});

/**
 * Returns the argument that a context menu passes to a command, even if the menu of the connection lacks the command.
 */
const getTarget = async (
  studio: { findTreeItem(name: string): Promise<{ readonly element: unknown }> },
  name: string,
): Promise<unknown> => (await studio.findTreeItem(name)).element;
