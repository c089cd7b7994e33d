import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { describeStudio, startHostSandbox } from '../support/suite.ts';
import { waitFor } from '../support/waiting.ts';

const reportCommand = 'Datamodel Studio: Report Issue…';
const reportMessage = /^Review the report and describe what happened/;
const reportIssue = 'datamodelStudio.start.reportIssue';
const openReporter = 'workbench.action.openIssueReporter';

describeStudio(
  'a rejected token',
  async (disposables) => {
    const sandbox = disposables.use(await startHostSandbox());
    const env = { ...sandbox.env, DATAMODEL_STUDIO_SANDBOX_TOKEN: 'wrong-token-of-mine' };
    return { options: { env, settings: { 'datamodelStudio.history.maxAge': 12 } } };
  },
  (test) => {
    test('is shown with an action to sign in', async ({ studio }) => {
      const path = ['Sandbox', 'Datamodels', 'Token rejected (401)'];
      const { description, tooltip } = await studio.findTreeItem(path);
      assert.equal(description, 'Sign In…');
      assert.match(tooltip, /the server rejected the token \(401\): Invalid token/);
      await studio.tree.click(path);
      await studio.quickInput.waitForTitle('Sign In to Sandbox');
      await studio.quickInput.waitForMessage(/^API token for 127\.0\.0\.1/);
    });

    test('is not in an issue report, which contains no data of the instance either', async ({ studio }) => {
      await studio.findTreeItem(['Sandbox', 'Datamodels', 'Token rejected (401)']);
      await studio.runCommand(reportCommand);
      const { document } = await studio.waitForEditorText(/What I did:/);
      const report = document.getText();
      assert.match(report, /\[http\] answered, datamodels\.list, 401/);
      assert.match(report, /^## Changed settings\n\n- `datamodelStudio\.history\.maxAge`$/m);
      assert.match(report, /^## Connections\n\n- 1 × remote, development$/m);
      assert.match(report, /^- Window: web, remote, (trusted|restricted)$/m);
      assert.doesNotMatch(report, /wrong-token|127\.0\.0\.1|Sandbox/);
    });

    test('a report is copied only on request, as the user has edited it', async ({ studio }) => {
      await vscode.env.clipboard.writeText('before');
      const commandEnd = vscode.commands.executeCommand(reportIssue);
      await studio.waitForEditorText(/What I did:/);
      (await studio.waitForNotification(reportMessage)).answer(undefined);
      // The command ends after it has handled the answer.
      await commandEnd;
      assert.equal(await vscode.env.clipboard.readText(), 'before');
      await studio.runCommand(reportCommand);
      await studio.waitForNotification(reportMessage);
      await studio.replaceText('My own words');
      await studio.clickNotificationAction(reportMessage, 'Copy');
      await waitFor(
        async () => (await vscode.env.clipboard.readText()) === 'My own words',
        () => 'The report is not copied',
      );
      assert.deepEqual(studio.getCommandRuns(openReporter), []);
    });

    test('a report is opened in the issue reporter of the editor', async ({ studio }) => {
      await studio.runCommand(reportCommand);
      await studio.waitForNotification(reportMessage);
      const { document } = await studio.waitForEditorText(/What I did:/);
      await studio.clickNotificationAction(reportMessage, 'Open Issue Reporter');
      await waitFor(
        () => studio.getCommandRuns(openReporter).length === 1,
        () => 'The reporter is not opened',
      );
      assert.deepEqual(studio.getCommandRuns(openReporter), [
        [{ extensionId: 'datamodel-studio.datamodel-studio', issueBody: document.getText() }],
      ]);
    });
  },
);

describeStudio(
  'a window without connections',
  async () => ({ options: {} }),
  (test) => {
    test('shows the first steps from the palette', async ({ studio }) => {
      await studio.runCommand('Datamodel Studio: Get Started');
      await waitFor(
        () => studio.getCommandRuns('workbench.action.openWalkthrough').length === 1,
        () => 'The walkthrough is not opened',
      );
      assert.deepEqual(studio.getCommandRuns('workbench.action.openWalkthrough'), [
        ['datamodel-studio.datamodel-studio#start', false],
      ]);
      await studio.waitForEditor(/^(Walkthrough: Get Started with Datamodel Studio|Welcome)$/);
      // The editor lists the walkthrough by now, so a hidden step of it can be marked as incomplete.
      await vscode.commands.executeCommand(
        'welcome.markStepIncomplete',
        'datamodel-studio.datamodel-studio#start#listed',
      );
    });

    test('has an issue report that says that there are no connections', async ({ studio }) => {
      await studio.runCommand(reportCommand);
      const { document } = await studio.waitForEditorText(/What I did:/);
      assert.match(document.getText(), /^## Connections\n\nNone\.$/m);
      assert.match(document.getText(), /^## Changed settings\n\nNone\.$/m);
    });
  },
);
