import assert from 'node:assert/strict';
import type { DatamodelTarget } from '../../../src/contributions.ts';
import { addConnection } from '../support/connections.ts';
import { useFaults } from '../support/faults.ts';
import { describeWithUnconnectedSandbox } from '../support/suite.ts';
import { waitFor } from '../support/waiting.ts';

const buildCommand = 'Datamodel Studio: Build Datamodel…';

describeWithUnconnectedSandbox('choosing a datamodel', (test) => {
  test('a connection whose token is rejected offers to sign in from the list of datamodels', async ({
    studio,
    sandbox,
  }) => {
    const { url, adminToken: token } = sandbox;
    await addConnection(studio, { name: 'Shop', url, token });
    await addConnection(studio, {
      name: 'Acme',
      url,
      token: 'wrong-token',
      tenantId: 'acme',
      hasSavedAddress: true,
    });
    await studio.runCommand(buildCommand);
    const failure = await studio.quickInput.waitForRow(/the server rejected the token/);
    assert.equal(failure.detail, 'Sign In…');
    studio.quickInput.current?.choose([failure]);
    await studio.quickInput.waitForTitle('Sign In to Acme');
    await studio.quickInput.cancel();
    // The list is shown again, whether the user signs in or not.
    const sameFailure = await studio.quickInput.waitForRow(/the server rejected the token/);
    studio.quickInput.current?.choose([sameFailure]);
    await studio.quickInput.waitForTitle('Sign In to Acme');
    await studio.submitInputBox(token);
    await waitFor(
      () => studio.quickInput.current?.getItems().filter(({ label }) => label === 'Retail').length === 2,
      () => 'The datamodels of Acme are not listed',
    );
    await studio.selectQuickPick('Retail');
    await studio.quickInput.waitForTitle('Build Retail');
  });

  test('the list of datamodels has buttons to refresh it and to add a connection', async ({
    studio,
    sandbox,
  }) => {
    await addConnection(studio, { name: 'Shop', url: sandbox.url, token: sandbox.adminToken });
    await studio.runCommand(buildCommand);
    await studio.quickInput.waitForRow('Retail');
    await sandbox.request('POST', '/api/v2/datamodels', { title: 'Brand New', type: 'extract' });
    assert.ok(!(await studio.quickInput.getLabels()).includes('Brand New'));
    await studio.quickInput.pressButton('Refresh');
    await studio.quickInput.waitForRow('Brand New');
    await studio.quickInput.pressButton('Add Connection…');
    await studio.quickInput.waitForMessage('Address of the instance');
    await studio.quickInput.cancel();
    await studio.quickInput.waitForTitle('Build');
    await studio.quickInput.waitForRow('Brand New');
    await studio.quickInput.cancel();
    assert.equal(studio.quickInput.current, undefined);
  });

  test('the datamodel of what is selected in the Connections view is listed first', async ({
    studio,
    sandbox,
  }) => {
    await addConnection(studio, { name: 'Shop', url: sandbox.url, token: sandbox.adminToken });
    await studio.tree.select([['Shop', 'Datamodels', 'Support Desk', 'Relations']]);
    for (const command of [buildCommand, 'Datamodel Studio: Show Diagram']) {
      await studio.runCommand(command);
      await studio.quickInput.waitForRow('Retail');
      assert.deepEqual((await studio.quickInput.getLabels()).slice(0, 3), [
        'Selected in Connections View',
        'Support Desk',
        'Shop',
      ]);
      await studio.quickInput.cancel();
    }
  });

  test('the datamodel that is selected in the Connections view is listed first while the tree is loading', async ({
    studio,
    sandbox,
  }) => {
    await addConnection(studio, { name: 'Shop', url: sandbox.url, token: sandbox.adminToken });
    await studio.tree.select([['Shop', 'Datamodels', 'Support Desk']]);
    await using _slowServer = await useFaults(sandbox, { kind: 'latency', ms: 500 });
    await studio.runCommand('Datamodel Studio: Refresh Connections');
    await studio.runCommand(buildCommand);
    await studio.quickInput.waitForRow('Selected in Connections View');
    await studio.quickInput.waitForRow('Support Desk');
    await studio.quickInput.cancel();
  });

  test('a datamodel is revealed in the Connections view instead of being chosen', async ({
    studio,
    sandbox,
  }) => {
    await addConnection(studio, { name: 'Shop', url: sandbox.url, token: sandbox.adminToken });
    await studio.runCommand(buildCommand);
    const item = await studio.quickInput.waitForRow('Support Desk');
    assert.deepEqual(
      item.buttons?.map(({ tooltip }) => tooltip),
      ['Reveal in Connections View'],
    );
    await studio.quickInput.pressItemButton('Support Desk');
    const [target] = (await waitFor(
      () => studio.getCommandRuns('datamodelStudio.explorer.reveal')[0],
      () => 'Nothing is revealed',
    )) as readonly (DatamodelTarget & { readonly name: string })[];
    assert.equal(target?.name, 'Support Desk');
    assert.equal(studio.quickInput.current, undefined);
  });
});
