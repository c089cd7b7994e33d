import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { JourneySandbox } from '../../editor/support/journeySandbox.ts';
import { fetchViewpoint } from '../../editor/support/viewpointDocument.ts';
import type { HostStudio } from '../support/studio.ts';
import { describeOnSandbox } from '../support/suite.ts';
import { waitFor } from '../support/waiting.ts';

/** A viewpoint of the demo that is shared with nobody. */
async function findUnsharedViewpoint(studio: HostStudio, sandbox: JourneySandbox): Promise<string> {
  for (const name of await studio.tree.getChildLabels(['Sandbox', 'Viewpoints'])) {
    const { visibility } = await fetchViewpoint(sandbox, name);
    if ([visibility?.apps, visibility?.groups, visibility?.users].flat().length === 0) {
      return name;
    }
  }
  throw new Error('Every viewpoint is shared');
}

describeOnSandbox('viewpoint actions', (test) => {
  test('a viewpoint is unpublished and published from the Connections view', async ({ studio, sandbox }) => {
    const row = ['Sandbox', 'Viewpoints', 'Revenue by Region'];
    const isPublished = async () => (await fetchViewpoint(sandbox)).enabled;
    const [firstAction, secondAction] =
      (await isPublished()) === true ? ['Unpublish', 'Publish'] : ['Publish', 'Unpublish'];
    const before = await isPublished();
    await studio.chooseFromContextMenu(row, firstAction);
    await waitFor(
      async () => (await isPublished()) !== before,
      () => `${firstAction} changed nothing`,
    );
    await waitFor(
      async () => (await studio.getContextMenuLabels(row)).includes(secondAction),
      () => `The menu does not offer ${secondAction}`,
    );
    await studio.chooseFromContextMenu(row, secondAction);
    await waitFor(
      async () => (await isPublished()) === before,
      () => `${secondAction} changed nothing`,
    );
  });

  test('a viewpoint is shared from the Connections view, step by step', async ({ studio, sandbox }) => {
    const name = await findUnsharedViewpoint(studio, sandbox);
    const row = ['Sandbox', 'Viewpoints', name];
    const share = (): Promise<void> => studio.chooseFromContextMenu(row, 'Share…');
    const readVisibility = async () => (await fetchViewpoint(sandbox, name)).visibility;
    const before = await readVisibility();
    await share();
    await studio.quickInput.waitForMessage(
      "Select who to share with. If you select a user or group, you'll select an app next.",
    );
    await studio.quickInput.cancel();
    await share();
    await studio.selectQuickPick('Group…');
    await studio.quickInput.waitForTitle('Share with App');
    await studio.quickInput.cancel();
    await share();
    await studio.selectQuickPick('User…');
    await studio.quickInput.waitForTitle('Share with App');
    await studio.quickInput.pickTyped('Bot', 'Add "Bot"');
    await studio.quickInput.waitForTitle('Share with User');
    await studio.quickInput.cancel();
    assert.deepEqual(await readVisibility(), before, 'nothing is shared before all steps are answered');

    await share();
    await studio.selectQuickPick('Group…');
    await studio.quickInput.waitForTitle('Share with App');
    await studio.quickInput.pickTyped('Bot', 'Add "Bot"');
    await studio.quickInput.waitForTitle('Share with Group');
    const [group = ''] = await studio.quickInput.getLabels();
    await studio.selectQuickPick(group);
    await waitFor(
      async () => (await readVisibility())?.apps?.length === 1,
      () => `Not shared; messages: ${studio.messages.history.join(' | ')}`,
    );
    assert.deepEqual((await readVisibility())?.apps, ['Bot']);
    assert.equal((await readVisibility())?.groups?.length, 1);
    // Users and groups that it is already shared with are not offered again.
    await share();
    await studio.selectQuickPick('Group…');
    await studio.quickInput.waitForTitle('Share with Group');
    assert.ok(!(await studio.quickInput.getLabels()).includes(group), group);
    await studio.quickInput.cancel();
    // For another app, the parties need not be chosen again.
    await share();
    await studio.quickInput.waitForMessage('Select a user, group, or app to share with');
    await studio.selectQuickPick('App…');
    await studio.quickInput.waitForTitle('Share with App');
    await studio.quickInput.pickTyped('Mail', 'Add "Mail"');
    await waitFor(
      async () => (await readVisibility())?.apps?.length === 2,
      () => 'The second app is not added',
    );
    void vscode.commands.executeCommand('datamodelStudio.viewpoints.share');
    await studio.waitForNotification('In the Connections view, select a viewpoint to share.');
  });
});
