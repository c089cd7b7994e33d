import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { journey } from '../support/journey.ts';
import { startJourneySandbox } from '../support/journeySandbox.ts';

journey(
  'a folder that is not trusted builds no set, and reports none of its sets as built',
  async ({ openStudio }) => {
    await using sandbox = await startJourneySandbox();
    const studio = await openStudio({ env: sandbox.env });
    await studio.openView();
    await studio.treeItem(['Sandbox', 'Datamodels', 'Retail']);
    await studio.runCommand('Build Several Datamodels…');
    await studio.quickInput.pickMany(['Retail', 'Support Desk']);
    await studio.quickPick(/Build in This Order/);
    await studio.quickPick('Full');
    await studio.quickPick('One after the other');
    await studio.page.locator('.monaco-dialog-box', { hasText: /Do you trust the authors/ }).waitFor();
    await studio.dialogAction('Cancel');
    await studio.runCommand('Notifications: Show Notifications');
    await studio.page.locator('.notifications-center').waitFor();
    const reported = studio.page.locator('.notification-list-item', { hasText: 'The set is being built' });
    assert.equal(await reported.count(), 0);
    assert.deepEqual(await sandbox.request('GET', '/api/v2/builds'), []);
  },
);

journey(
  'a set of builds runs as a task with an exit code, and in the chosen order',
  async ({ openStudio }) => {
    await using sandbox = await startJourneySandbox();
    const tasks = {
      version: '2.0.0',
      tasks: [
        {
          label: 'nightly',
          type: 'datamodel-build',
          connection: 'Sandbox',
          datamodels: ['Retail', 'Support Desk'],
          problemMatcher: ['$datamodel-build'],
        },
        {
          label: 'after',
          type: 'shell',
          command: 'echo all built',
          dependsOn: 'nightly',
          problemMatcher: [],
        },
        { label: 'wrong', type: 'datamodel-build', connection: 'Sandbox', datamodels: ['Nothing'] },
      ],
    };
    const studio = await openStudio({
      env: sandbox.env,
      workspace: { '.vscode/tasks.json': JSON.stringify(tasks) },
      // The terminal renders into the DOM, so that its text can be read.
      settings: { 'terminal.integrated.gpuAcceleration': 'off' },
    });
    // An untrusted folder builds nothing.
    await studio.runCommand('Tasks: Run Task');
    await studio.page.locator('.monaco-dialog-box', { hasText: /trust/i }).waitFor();
    await studio.screenshot('build-task-untrusted');
    await studio.dialogAction('Cancel');
    await studio.trustWorkspace();
    const terminal = studio.page.locator('.terminal-wrapper.active .xterm-rows');
    await studio.runCommand('Tasks: Run Task');
    await studio.quickPick('after');
    await terminal.getByText('all built', { exact: true }).first().waitFor({ timeout: 60_000 });
    await studio.screenshot('build-task');
    await studio.runCommand('Tasks: Run Task');
    await studio.quickPick('wrong');
    await terminal
      .getByText(/There is no datamodel Nothing/)
      .first()
      .waitFor({ timeout: 30_000 });
    // Another user creates it: the next run of the task builds it.
    await sandbox.request('POST', '/api/v2/datamodels', { title: 'Nothing' });
    await studio.runCommand('Tasks: Run Task');
    await studio.quickPick('wrong');
    await terminal
      .getByText(/Nothing: started \(full\)/)
      .first()
      .waitFor({ timeout: 30_000 });

    await studio.openView();
    await studio.runCommand('Build Several Datamodels…');
    await studio.quickInput.pickMany(['Retail', 'Support Desk']);
    await studio.quickPick('2. Support Desk');
    await studio.quickPick('1. Support Desk');
    await studio.screenshot('build-order');
    await studio.quickPick(/Build in This Order/);
    await studio.quickPick('Full');
    await studio.quickPick('One after the other');
    await terminal
      .getByText(/Support Desk: started \(publish\)/)
      .first()
      .waitFor({ timeout: 30_000 });
    await studio.notificationAction(/The set is being built/, 'Keep as Task');
    await studio.runCommand('Tasks: Run Task');
    await studio.quickPick(/build Support Desk, Retail on Sandbox/);
    const kept = await readFile(join(studio.workspace, '.vscode', 'tasks.json'), 'utf8');
    assert.match(kept, /nightly[^]*after[^]*wrong[^]*build Support Desk, Retail on Sandbox/);
  },
);
