import assert from 'node:assert/strict';
import { dirname, join } from 'node:path';
import * as vscode from 'vscode';
import { createDatamodel, fetchTasks, showBuilds, waitForTask } from '../support/builds.ts';
import { useFaults } from '../support/faults.ts';
import { describeOnSandbox } from '../support/suite.ts';
import { waitFor } from '../support/waiting.ts';
import { deleteFolder, getWorkspaceFolder } from '../support/workspace.ts';

const slowBuilds = { kind: 'slowBuilds', ms: 600_000 };

const getTasksFile = (): vscode.Uri => vscode.Uri.file(join(getWorkspaceFolder(), '.vscode', 'tasks.json'));

/** Writes the tasks of the folder until the end of the block. */
async function useTasks(...tasks: readonly object[]): Promise<AsyncDisposable> {
  const text = JSON.stringify({ version: '2.0.0', tasks });
  await vscode.workspace.fs.writeFile(getTasksFile(), new TextEncoder().encode(text));
  return { [Symbol.asyncDispose]: () => deleteFolder(dirname(getTasksFile().fsPath)) };
}

const readTasksFile = async (): Promise<string> =>
  new TextDecoder().decode(await vscode.workspace.fs.readFile(getTasksFile()));

describeOnSandbox('build tasks', (test) => {
  test('a task builds its datamodels in order, and tasks that depend on it run afterward', async ({
    studio,
    sandbox,
  }) => {
    await using _ = await useTasks(
      {
        label: 'nightly',
        type: 'datamodel-build',
        connection: 'Sandbox',
        datamodels: ['Retail', 'Support Desk'],
        problemMatcher: ['$datamodel-build'],
      },
      { label: 'after', type: 'shell', command: 'echo all built', dependsOn: 'nightly', problemMatcher: [] },
    );
    const ends: string[] = [];
    const listener = vscode.tasks.onDidEndTaskProcess(({ execution, exitCode }) => {
      ends.push(`${execution.task.name}: ${exitCode}`);
    });
    assert.equal(await studio.tasks.run(await studio.tasks.find('after')), 0);
    listener.dispose();
    assert.deepEqual(ends, ['nightly: 0', 'after: 0']);
    assert.match(
      studio.tasks.output,
      /^datamodel-build: begin\r\nRetail: started \(Replace All\)\r\nRetail: done in [\d.]+ s\r\nSupport Desk: started \(Publish\)\r\nSupport Desk: done in [\d.]+ s\r\ndatamodel-build: end \(0\)\r\n$/,
    );
    assert.equal((await fetchTasks(sandbox, 'Retail')).at(-1)?.status, 'done');
    assert.equal((await fetchTasks(sandbox, 'Support Desk')).at(-1)?.buildType, 'publish');
  });

  test('the options of a task are sent to the server', async ({ studio, sandbox }) => {
    await createDatamodel(sandbox, 'Optional');
    await using _ = await useTasks({
      label: 'options',
      type: 'datamodel-build',
      connection: 'Sandbox',
      datamodels: 'Optional',
      buildType: 'by_table',
      rowLimit: 5,
    });
    assert.equal(await studio.tasks.run(await studio.tasks.find('options')), 0);
    const [task] = await fetchTasks(sandbox, 'Optional');
    assert.deepEqual([task?.buildType, task?.rowLimit, task?.schemaOrigin], ['by_table', 5, 'latest']);
  });

  test('a task that cannot run prints the reason and exits with code 1', async ({ studio, sandbox }) => {
    await using _ = await useTasks(
      { label: 'missing', type: 'datamodel-build', connection: 'Sandbox', datamodels: ['Nothing', 'Retail'] },
      { label: 'typo', type: 'datamodel-build', connection: 'Sandbox', datamodels: ['Retial', 'Retail'] },
      { label: 'elsewhere', type: 'datamodel-build', connection: 'Nowhere', datamodels: ['Retail'] },
      { label: 'near', type: 'datamodel-build', connection: 'sandbx', datamodels: ['Retail'] },
      {
        label: 'wrong',
        type: 'datamodel-build',
        connection: 'Sandbox',
        datamodels: ['Retail'],
        buildType: 'ful',
        schemaOrigin: 'yesterday',
        atOnce: 99,
      },
    );
    const before = (await fetchTasks(sandbox, 'Retail')).length;
    for (const [label, reason] of [
      ['missing', /Datamodel not found: Nothing\.\r\nNothing was built\./],
      ['typo', /Datamodel not found: Retial\. Did you mean Retail\?\r\nNothing was built\./],
      ['elsewhere', /Connection not found: Nowhere\. Add the connection first\./],
      ['near', /Connection not found: sandbx\. Did you mean Sandbox\?/],
      [
        'wrong',
        /buildType: Unknown value "ful"\. Did you mean full\?\r\nschemaOrigin: Unknown value "yesterday"\. Expected: latest, running\.\r\natOnce: Enter a whole number from 1 to 20\.\r\nNothing was built\./,
      ],
    ] as const) {
      assert.equal(await studio.tasks.run(await studio.tasks.find(label)), 1);
      // A terminal that ends with an error within half a second is reported as one that failed to launch.
      assert.ok(
        studio.tasks.durationMs > 500,
        `The terminal of ${label} ends after ${studio.tasks.durationMs} ms`,
      );
      assert.match(studio.tasks.output, reason);
      assert.match(studio.tasks.output, /datamodel-build: end \(1\)\r\n$/);
    }
    assert.equal((await fetchTasks(sandbox, 'Retail')).length, before);
    // Another user creates the missing datamodel: the next run of the task builds it.
    await createDatamodel(sandbox, 'Nothing');
    assert.equal(await studio.tasks.run(await studio.tasks.find('missing')), 0);
    assert.match(studio.tasks.output, /Nothing: started \(Replace All\)/);
  });

  test('a failed build stops the remaining builds of a set, unless stopAtFirstFailure is false', async ({
    studio,
    sandbox,
  }) => {
    const set = { type: 'datamodel-build', connection: 'Sandbox', datamodels: ['Breaking', 'Behind'] };
    await createDatamodel(sandbox, 'Breaking');
    await createDatamodel(sandbox, 'Behind');
    await using _ = await useTasks(
      { label: 'stops', ...set },
      { label: 'goes on', ...set, stopAtFirstFailure: false },
    );
    const failing = { kind: 'failingBuilds', message: 'out\u001b[31m of disk', count: 1 };
    await using _faults = await useFaults(sandbox, failing);
    assert.equal(await studio.tasks.run(await studio.tasks.find('stops')), 1);
    // Control characters in texts from the server are replaced.
    assert.match(studio.tasks.output, /Breaking: failed: out \[31m of disk\r\nBehind: not started\r\n/);
    assert.deepEqual(await fetchTasks(sandbox, 'Behind'), []);
    await using _again = await useFaults(sandbox, failing);
    assert.equal(await studio.tasks.run(await studio.tasks.find('goes on')), 1);
    assert.match(
      studio.tasks.output,
      /Breaking: failed: .*\r\nBehind: started \(Replace All\)\r\nBehind: done in/,
    );
  });

  test('the exit code of a task differs for a refused build and for a build whose response was lost', async ({
    studio,
    sandbox,
  }) => {
    await createDatamodel(sandbox, 'Forbidden');
    await using _ = await useTasks({
      label: 'forbidden',
      type: 'datamodel-build',
      connection: 'Sandbox',
      datamodels: ['Forbidden'],
    });
    const posts = { methods: ['POST'], pathPrefix: '/api/v2/builds' };
    await using _refuse = await useFaults(sandbox, { kind: 'status', status: 403, ...posts });
    assert.equal(await studio.tasks.run(await studio.tasks.find('forbidden')), 1);
    assert.match(studio.tasks.output, /Forbidden: rejected\. .*403/);
    await using _drop = await useFaults(sandbox, { kind: 'drop', when: 'after', ...posts });
    assert.equal(await studio.tasks.run(await studio.tasks.find('forbidden')), 3);
    assert.match(studio.tasks.output, /Forbidden: might have been accepted\. /);
    // The server had accepted the build.
    await waitForTask(sandbox, 'Forbidden', 'done');
  });

  test('a task fails if the server refuses to list its datamodels', async ({ studio, sandbox }) => {
    await using _ = await useTasks({
      label: 'unreachable',
      type: 'datamodel-build',
      connection: 'Sandbox',
      datamodels: ['Retail'],
    });
    await using _faults = await useFaults(sandbox, {
      kind: 'status',
      status: 403,
      pathPrefix: '/api/v2/datamodels',
    });
    assert.equal(await studio.tasks.run(await studio.tasks.find('unreachable')), 1);
    assert.match(studio.tasks.output, /^datamodel-build: begin\r\n.*403.*\r\ndatamodel-build: end \(1\)/);
  });

  test('pressing Ctrl+C in the terminal of a task, or terminating the task, cancels its builds', async ({
    studio,
    sandbox,
  }) => {
    // The status bar shows failed builds, which an earlier test may have left, before canceled ones.
    await showBuilds(studio);
    await createDatamodel(sandbox, 'Interrupted');
    await using _ = await useTasks({
      label: 'long',
      type: 'datamodel-build',
      connection: 'Sandbox',
      datamodels: ['Interrupted', 'Retail'],
    });
    await using _faults = await useFaults(sandbox, slowBuilds);
    const task = await studio.tasks.find('long');
    const end = studio.tasks.run(task);
    await studio.tasks.waitForOutput(/Interrupted: started \(Replace All\)/);
    studio.tasks.type('x');
    await waitForTask(sandbox, 'Interrupted', 'building');
    studio.tasks.type('\u0003');
    assert.equal(await end, 2);
    assert.match(studio.tasks.output, /Interrupted: canceled\r\nRetail: not started\r\n/);
    await waitForTask(sandbox, 'Interrupted', 'cancelled');
    await studio.waitForStatusBarItem('Build of Interrupted canceled');

    const execution = await vscode.tasks.executeTask(task);
    await waitFor(
      async () => (await fetchTasks(sandbox, 'Interrupted')).length === 2,
      () => 'The second build does not start',
    );
    await waitForTask(sandbox, 'Interrupted', 'building');
    await waitFor(
      () => !studio.status.texts.some((text) => text.includes('canceled')),
      () => 'The status bar shows the first build',
    );
    execution.terminate();
    await waitForTask(sandbox, 'Interrupted', 'cancelled');
    // The editor offers tasks for the datamodels that are known, which are read again after each build.
    await studio.waitForStatusBarItem('Build of Interrupted canceled');
  });

  test('the editor offers a task for each datamodel that is known', async ({ studio, sandbox }) => {
    await studio.findTreeItem(['Sandbox', 'Datamodels', 'Support Desk']);
    const task = await studio.tasks.find('build Support Desk on Sandbox');
    assert.deepEqual(task.definition, {
      type: 'datamodel-build',
      connection: 'Sandbox',
      datamodels: ['Support Desk'],
    });
    const before = (await fetchTasks(sandbox, 'Support Desk')).length;
    assert.equal(await studio.tasks.run(task), 0);
    assert.equal((await fetchTasks(sandbox, 'Support Desk')).length, before + 1);
  });

  test('several datamodels are built in the selected order, and saved as a task', async ({
    studio,
    sandbox,
  }) => {
    await using _ = await useTasks({ label: 'mine', type: 'shell', command: 'echo mine' });
    await studio.tasks.find('mine');
    await studio.runCommand('Build Several Datamodels…');
    await studio.quickInput.pickMany(['Retail', 'Support Desk']);
    await studio.quickInput.waitForMessage(
      'Use the arrows to change the order, or select a datamodel to move it to the top',
    );
    assert.deepEqual(
      (await studio.quickInput.getLabels()).map((label) => label.replace(/^\$\(\w+\) /, '')),
      ['Build in This Order', '1. Retail', '2. Support Desk'],
    );
    await studio.selectQuickPick('2. Support Desk');
    await studio.selectQuickPick('2. Retail');
    await studio.selectQuickPick('2. Support Desk');
    await studio.selectQuickPick('Build in This Order');
    await studio.quickInput.waitForMessage('Select a build type (live datamodels are always published)');
    await studio.selectQuickPick('Row Limit…');
    await studio.quickInput.waitForTitle('Build Several Datamodels: Row Limit');
    await studio.submitInputBox('6');
    await studio.quickInput.waitForMessage('Select a build type (live datamodels are always published)');
    await studio.selectQuickPick('By Table');
    await studio.quickInput.waitForMessage('Select how many datamodels to build at a time');
    const end = studio.tasks.waitForEnd('build Support Desk, Retail on Sandbox');
    await studio.quickInput.pickByText(/^2 at a time\ncontinue after a failure/);
    await studio.clickDialogAction('Publish');
    await studio.clickNotificationAction(/^Builds started/, 'Save as Task');
    assert.equal(await end, 0);
    assert.match(studio.tasks.output, /Support Desk: started \(Publish\)[^]*Retail: done in/);
    assert.match(studio.tasks.output, /Retail: started \(By Table\)/);
    const tasksText = await waitFor(
      async () => {
        const text = await readTasksFile();
        return text.includes('Retail') ? text : undefined;
      },
      () => 'The task is not saved',
    );
    assert.deepEqual(JSON.parse(tasksText), {
      version: '2.0.0',
      tasks: [
        { label: 'mine', type: 'shell', command: 'echo mine' },
        {
          label: 'build Support Desk, Retail on Sandbox',
          type: 'datamodel-build',
          connection: 'Sandbox',
          datamodels: ['Support Desk', 'Retail'],
          buildType: 'by_table',
          rowLimit: 6,
          atOnce: 2,
          stopAtFirstFailure: false,
          problemMatcher: ['$datamodel-build'],
        },
      ],
    });
    const retailTask = (await fetchTasks(sandbox, 'Retail')).at(-1);
    assert.deepEqual([retailTask?.buildType, retailTask?.rowLimit], ['by_table', 6]);
    assert.equal((await fetchTasks(sandbox, 'Support Desk')).at(-1)?.rowLimit, null);
  });

  test('a set of builds is saved as a task only on request', async ({ studio }) => {
    await studio.runCommand('Build Several Datamodels…');
    await studio.quickInput.pickMany(['Support Desk']);
    // With a single datamodel, there is no question about the order.
    await studio.selectQuickPick('Replace All');
    const end = studio.tasks.waitForEnd('build Support Desk on Sandbox');
    await studio.selectQuickPick('One at a time');
    await studio.clickDialogAction('Publish');
    const offer = await studio.waitForNotification(/^Builds started/);
    assert.equal(await end, 0);
    offer.answer(undefined);
    await assert.rejects(readTasksFile());
  });

  test('nothing is built when a question about a set of builds is dismissed', async ({ studio, sandbox }) => {
    const before = await sandbox.request('GET', '/api/v2/builds');
    const steps = [
      () => studio.quickInput.pickMany(['Retail', 'Support Desk']),
      () => studio.selectQuickPick('Build in This Order'),
      () => studio.selectQuickPick('Replace All'),
    ];
    const prompts = [
      'Select the datamodels to build',
      /^Use the arrows/,
      /^Select a build type/,
      'Select how many datamodels to build at a time',
    ] as const;
    for (const [count, prompt] of prompts.entries()) {
      await studio.runCommand('Build Several Datamodels…');
      for (const step of steps.slice(0, count)) {
        await step();
      }
      await studio.quickInput.waitForMessage(prompt);
      await studio.quickInput.cancel();
      await waitFor(
        () => studio.quickInput.current === undefined,
        () => 'A prompt stays',
      );
    }
    await studio.runCommand('Build Several Datamodels…');
    await studio.quickInput.pickMany([]);
    await studio.waitForNotification('Nothing was built. Select at least one datamodel.');
    assert.deepEqual(await sandbox.request('GET', '/api/v2/builds'), before);
  });
});
