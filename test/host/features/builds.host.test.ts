import assert from 'node:assert/strict';
import {
  buildsView,
  confirmTableSettings,
  createDatamodel,
  fetchTasks,
  publish,
  showBuilds,
  startBuildElsewhere,
  waitForTask,
} from '../support/builds.ts';
import { useFaults } from '../support/faults.ts';
import { describeOnSandbox, describeStudio } from '../support/suite.ts';
import { waitFor } from '../support/waiting.ts';

/** Builds that last longer than any test. */
const slowBuilds = { kind: 'slowBuilds', ms: 600_000 };
const datamodels = ['Sandbox', 'Datamodels'];

describeOnSandbox('builds', (test) => {
  test('each build type is sent to the server as selected', async ({ studio, sandbox }) => {
    await createDatamodel(sandbox, 'Ways');
    await studio.chooseFromContextMenu('Sandbox', 'Refresh');
    const cases = [
      [/import all data again$/m, 'full', 'latest'],
      [/use the build settings of each table$/m, 'by_table', 'latest'],
      [/build only what has changed$/m, 'schema_changes', 'latest'],
      [/import all data again · last built schema/, 'full', 'running'],
      [/use the build settings of each table · last built schema/, 'by_table', 'running'],
      [/build only what has changed · last built schema/, 'schema_changes', 'running'],
    ] as const;
    for (const [index, [description, buildType, schemaOrigin]] of cases.entries()) {
      await studio.chooseFromContextMenu([...datamodels, 'Ways'], 'Build', 'More Options…');
      await studio.quickInput.waitForTitle('Build Ways');
      const { label } = await studio.quickInput.waitForRow(description);
      assert.ok(['Replace All', 'By Table', 'Changes Only'].includes(label));
      await studio.quickInput.pickByText(description);
      if (buildType === 'by_table') {
        await confirmTableSettings(studio, 'Ways');
      }
      await studio.waitForStatusBarItem(/Ways built in/);
      const tasks = await fetchTasks(sandbox, 'Ways');
      assert.equal(tasks.length, index + 1);
      assert.deepEqual(
        [tasks.at(-1)?.buildType, tasks.at(-1)?.schemaOrigin, tasks.at(-1)?.rowLimit],
        [buildType, schemaOrigin, null],
      );
      await showBuilds(studio);
    }
  });

  test('a sample is built with the number of rows that was entered', async ({ studio, sandbox }) => {
    await studio.chooseFromContextMenu([...datamodels, 'Retail'], 'Build', 'More Options…');
    await studio.selectQuickPick('Sample…');
    await studio.quickInput.waitForTitle('Sample Build of Retail');
    for (const refused of ['0', '-1', '1.5', 'many', '']) {
      await studio.submitInputBox(refused);
      await studio.quickInput.waitForMessage('Enter a whole number of rows, 1 or more.');
    }
    await studio.submitInputBox(' 10 ');
    await studio.waitForStatusBarItem(/Retail built in/);
    const [task] = await fetchTasks(sandbox, 'Retail');
    assert.deepEqual([task?.buildType, task?.rowLimit], ['full', 10]);
  });

  test('a row limit can be combined with every build type', async ({ studio, sandbox }) => {
    await createDatamodel(sandbox, 'Limited');
    await studio.chooseFromContextMenu('Sandbox', 'Refresh');
    const cases = [
      ['By Table', 'by_table', 7],
      ['Changes Only', 'schema_changes', 8],
      ['Replace All', 'full', 9],
    ] as const;
    for (const [index, [label, buildType, rowLimit]] of cases.entries()) {
      await studio.chooseFromContextMenu([...datamodels, 'Limited'], 'Build', 'More Options…');
      await studio.quickInput.waitForTitle('Build Limited');
      await studio.selectQuickPick('Row Limit…');
      await studio.quickInput.waitForTitle('Limited: Row Limit');
      await studio.submitInputBox('0');
      await studio.quickInput.waitForMessage('Enter a whole number of rows, 1 or more.');
      await studio.submitInputBox(String(rowLimit));
      await studio.quickInput.waitForTitle('Build Limited');
      await studio.quickInput.waitForRow(new RegExp(`^Row Limit…\nfirst ${rowLimit} rows from each source`));
      assert.ok(!(await studio.quickInput.getLabels()).includes('Sample…'));
      await studio.selectQuickPick(label);
      if (buildType === 'by_table') {
        await studio.quickInput.waitForRow(/^Build\n\d+ tables? · first 7 rows from each source/);
        await confirmTableSettings(studio, 'Limited');
      }
      await studio.waitForStatusBarItem(/Limited built in/);
      const tasks = await fetchTasks(sandbox, 'Limited');
      assert.equal(tasks.length, index + 1);
      assert.deepEqual([tasks.at(-1)?.buildType, tasks.at(-1)?.rowLimit], [buildType, rowLimit]);
      await showBuilds(studio);
    }
    await studio.chooseFromContextMenu([...datamodels, 'Limited'], 'Build', 'More Options…');
    await studio.selectQuickPick('Row Limit…');
    await studio.submitInputBox('5');
    await studio.quickInput.waitForTitle('Build Limited');
    await studio.selectQuickPick('Row Limit…');
    await studio.submitInputBox('');
    await studio.quickInput.waitForRow(/^Row Limit…\nnone/);
    await studio.selectQuickPick('By Table');
    await confirmTableSettings(studio, 'Limited');
    await studio.waitForStatusBarItem(/Limited built in/);
    assert.equal((await fetchTasks(sandbox, 'Limited')).at(-1)?.rowLimit, null);
  });

  test('a live datamodel is published only after confirmation', async ({ studio, sandbox }) => {
    const row = [...datamodels, 'Support Desk'];
    const labels = await studio.getContextMenuLabels(row);
    assert.ok(labels.includes('Publish…') && !labels.includes('Build'), labels.join(', '));
    await studio.chooseFromContextMenu(row, 'Publish…');
    await studio.clickDialogAction('Cancel');
    await studio.runCommand('Datamodel Studio: Build Datamodel…');
    await studio.selectQuickPick('Support Desk');
    await studio.clickDialogAction('Cancel');
    assert.deepEqual(await fetchTasks(sandbox, 'Support Desk'), []);
    assert.deepEqual(studio.messages.history.at(-1)?.split('\n'), ['Publish Support Desk on Sandbox?']);
    await publish(studio, 'Support Desk');
    await studio.waitForStatusBarItem(/Support Desk published/);
    const tasks = await fetchTasks(sandbox, 'Support Desk');
    assert.deepEqual(
      tasks.map(({ buildType, status }) => [buildType, status]),
      [['publish', 'done']],
    );
  });

  test('nothing is built when a question is dismissed', async ({ studio, sandbox }) => {
    await studio.runCommand('Datamodel Studio: Build Datamodel…');
    await studio.quickInput.waitForTitle('Build');
    await studio.quickInput.cancel();
    await studio.runCommand('Datamodel Studio: Build Datamodel…');
    await studio.selectQuickPick('Marketing');
    await studio.quickInput.waitForTitle('Build Marketing');
    await studio.quickInput.cancel();
    await studio.runCommand('Datamodel Studio: Build Datamodel…');
    await studio.selectQuickPick('Marketing');
    await studio.selectQuickPick('Sample…');
    await studio.quickInput.waitForTitle('Sample Build of Marketing');
    await studio.quickInput.cancel();
    assert.equal(studio.quickInput.current, undefined);
    assert.deepEqual(await fetchTasks(sandbox, 'Marketing'), []);
    await studio.runCommand('Datamodel Studio: Build Datamodel…');
    await studio.selectQuickPick('Marketing');
    await studio.selectQuickPick('Replace All');
    await studio.waitForStatusBarItem(/Marketing built in/);
  });

  test('running builds are listed, counted in the badge and canceled from their row', async ({
    studio,
    sandbox,
  }) => {
    await createDatamodel(sandbox, 'Counted');
    await using _ = await useFaults(sandbox, slowBuilds);
    await studio.chooseFromContextMenu('Sandbox', 'Refresh');
    assert.equal(studio.tree.getBadge('datamodelStudio.explorer'), undefined);
    await studio.chooseFromContextMenu([...datamodels, 'Counted'], 'Build', 'More Options…');
    await studio.selectQuickPick('Replace All');
    await studio.waitForStatusBarItem(/Building Counted \d+:\d\d/);
    await studio.tree.waitForItemText(['Sandbox', 'Builds'], /1 running/);
    assert.deepEqual(studio.tree.getBadge('datamodelStudio.explorer'), {
      value: 1,
      tooltip: '1 build is running',
    });
    await studio.tree.waitForItemText(['Sandbox', 'Builds', 'Counted'], /building/);
    await studio.tree.waitForItemText([...datamodels, 'Counted'], /building/);
    assert.match(studio.status.getTooltip(/Building Counted/), /\*\*Counted\*\* .*\[Cancel\]\(command:/);
    await studio.chooseFromContextMenu(['Sandbox', 'Builds', 'Counted'], 'Cancel Build');
    await studio.tree.waitForItemText(['Sandbox', 'Builds', 'Counted'], /canceled/);
    await studio.waitForStatusBarItem('Build of Counted canceled');
    assert.equal(studio.tree.getBadge('datamodelStudio.explorer'), undefined);
    assert.equal((await fetchTasks(sandbox, 'Counted')).at(-1)?.status, 'cancelled');
  });

  test('a build is canceled from its notification', async ({ studio, sandbox }) => {
    await createDatamodel(sandbox, 'Noted');
    await using _ = await useFaults(sandbox, slowBuilds);
    await studio.chooseFromContextMenu('Sandbox', 'Refresh');
    await studio.chooseFromContextMenu([...datamodels, 'Noted'], 'Build', 'More Options…');
    await studio.selectQuickPick('Changes Only');
    await studio.clickNotificationAction('Building Noted', 'Cancel');
    await studio.waitForStatusBarItem('Build of Noted canceled');
    await studio.waitForNotificationGone('Building Noted');
    const [task] = await fetchTasks(sandbox, 'Noted');
    assert.deepEqual([task?.buildType, task?.status], ['schema_changes', 'cancelled']);
  });

  test('a cancellation that the server refuses is reported, and the build goes on', async ({
    studio,
    sandbox,
  }) => {
    await createDatamodel(sandbox, 'Stubborn');
    await using _ = await useFaults(sandbox, slowBuilds, {
      kind: 'status',
      status: 403,
      methods: ['DELETE'],
      pathPrefix: '/api/v2/builds',
    });
    await studio.chooseFromContextMenu('Sandbox', 'Refresh');
    await studio.chooseFromContextMenu([...datamodels, 'Stubborn'], 'Build', 'More Options…');
    await studio.selectQuickPick('Replace All');
    await studio.clickNotificationAction('Building Stubborn', 'Cancel');
    await studio.waitForNotification(/^Can't cancel the build of Stubborn\. .*403/);
    await studio.waitForStatusBarItem(/Building Stubborn/);
    assert.equal((await waitForTask(sandbox, 'Stubborn', 'building')).buildType, 'full');
    await sandbox.request('PUT', '/sandbox/faults', { faults: [] });
    await studio.chooseFromContextMenu(['Sandbox', 'Builds', 'Stubborn'], 'Cancel Build');
    await studio.waitForStatusBarItem('Build of Stubborn canceled');
  });

  test('a build that the server refuses is reported and not listed', async ({ studio, sandbox }) => {
    await createDatamodel(sandbox, 'Refused');
    await studio.chooseFromContextMenu('Sandbox', 'Refresh');
    await using _ = await useFaults(sandbox, {
      kind: 'status',
      status: 403,
      methods: ['POST'],
      pathPrefix: '/api/v2/builds',
    });
    await studio.chooseFromContextMenu([...datamodels, 'Refused'], 'Build', 'More Options…');
    await studio.selectQuickPick('Replace All');
    const { severity } = await studio.waitForNotification(/403/);
    assert.equal(severity, 'error');
    assert.deepEqual(await fetchTasks(sandbox, 'Refused'), []);
    assert.deepEqual(
      studio.status.texts.filter((text) => text.includes('Refused')),
      [],
    );
  });

  test('all builds of a datamodel are canceled, including those of a colleague', async ({
    studio,
    sandbox,
  }) => {
    await createDatamodel(sandbox, 'Everything');
    await using _ = await useFaults(sandbox, slowBuilds);
    await startBuildElsewhere(sandbox, 'Everything');
    await studio.chooseFromContextMenu('Sandbox', 'Refresh');
    await studio.findTreeItem(['Sandbox', 'Builds', 'Everything']);
    await studio.chooseFromContextMenu([...datamodels, 'Everything'], 'Build', 'More Options…');
    await studio.selectQuickPick('Replace All');
    await studio.waitForStatusBarItem(/2 builds \d+:\d\d/);
    await studio.tree.waitForItemText([...datamodels, 'Everything'], /building/);
    await studio.chooseFromContextMenu([...datamodels, 'Everything'], 'Cancel All Builds of Datamodel');
    await studio.waitForStatusBarItem('Build of Everything canceled');
    const tasks = await fetchTasks(sandbox, 'Everything');
    assert.deepEqual(
      tasks.map(({ status }) => status),
      ['cancelled', 'cancelled'],
    );
  });

  test('the build to cancel is chosen from the running builds', async ({ studio, sandbox }) => {
    await studio.runCommand('Datamodel Studio: Cancel Build');
    await studio.waitForNotification('No builds are running.');
    await studio.runCommand('Datamodel Studio: Cancel All Builds of Datamodel');
    await studio.waitForNotification('No builds are running.');
    await createDatamodel(sandbox, 'First');
    await createDatamodel(sandbox, 'Second');
    await using _ = await useFaults(sandbox, slowBuilds);
    await studio.chooseFromContextMenu('Sandbox', 'Refresh');
    for (const title of ['First', 'Second']) {
      await studio.chooseFromContextMenu([...datamodels, title], 'Build', 'More Options…');
      await studio.selectQuickPick('Replace All');
      await studio.findTreeItem(['Sandbox', 'Builds', title]);
    }
    await studio.waitForStatusBarItem(/2 builds \d+:\d\d/);
    await studio.runCommand('Datamodel Studio: Cancel Build');
    await studio.quickInput.waitForRow(/^First\n.* for \d+:\d\d\nSandbox$/);
    await studio.quickInput.cancel();
    await studio.runCommand('Datamodel Studio: Cancel Build');
    await studio.selectQuickPick('Second');
    await waitForTask(sandbox, 'Second', 'cancelled');
    assert.equal((await fetchTasks(sandbox, 'First')).at(-1)?.status, 'building');
    await studio.runCommand('Datamodel Studio: Cancel All Builds of Datamodel');
    await studio.quickInput.waitForMessage('Select a build to cancel all builds of its datamodel');
    await studio.selectQuickPick('First');
    await waitForTask(sandbox, 'First', 'cancelled');
  });

  test('a running build is still shown after a reload of the window', async ({ studio, sandbox }) => {
    await createDatamodel(sandbox, 'Reloaded');
    await using _ = await useFaults(sandbox, slowBuilds);
    await studio.chooseFromContextMenu('Sandbox', 'Refresh');
    await studio.chooseFromContextMenu([...datamodels, 'Reloaded'], 'Build', 'More Options…');
    await studio.selectQuickPick('Replace All');
    // Wait until the server has listed the build: before that, a reloaded window shows it only in the Connections view.
    await studio.tree.findRowInView(buildsView, /Reloaded building for/);
    await studio.reloadWindow();
    await studio.findTreeItem([...datamodels, 'Reloaded']);
    await studio.waitForStatusBarItem(/Building Reloaded/);
    await studio.waitForNotification('Building Reloaded');
    const [task, ...others] = await fetchTasks(sandbox, 'Reloaded');
    assert.deepEqual(others, []);
    // The end of the build is shown, too, when a colleague cancels it.
    await sandbox.request('DELETE', `/api/v2/builds/${task?.oid}`);
    await studio.waitForStatusBarItem('Build of Reloaded canceled');
    await studio.waitForNotificationGone('Building Reloaded');
  });
});

describeStudio(
  'builds without a connection',
  async () => ({ options: {} }),
  (test) => {
    test('every build command reports that a connection is missing', async ({ studio }) => {
      await studio.runCommand('Datamodel Studio: Build Datamodel…');
      await studio.waitForNotification('No connections found. Add a connection or start the sandbox.');
      studio.messages.reset();
      await studio.runCommand('Build Several Datamodels…');
      await studio.waitForNotification('No connections found. Add a connection or start the sandbox.');
      await studio.runCommand('Refresh Builds');
      await studio.waitForNotification('No connection is in use. Expand one in the Connections view first.');
      await studio.runCommand('Show Builds');
      await waitFor(
        () => studio.tree.getView(buildsView).visible,
        () => 'The view stays hidden',
      );
      await studio.runCommand('Export Build History…');
      await studio.waitForNotification('No builds to export.');
      assert.deepEqual(studio.status.texts, []);
      assert.equal(studio.quickInput.current, undefined);
    });
  },
);
