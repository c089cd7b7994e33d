import assert from 'node:assert/strict';
import { journey } from '../support/journey.ts';
import { record } from '../support/recorder.ts';
import { openSandbox } from '../support/sandbox.ts';

journey('Cancel All says so where the server does not tell the datamodel', async ({ openStudio }) => {
  await using sandbox = await openSandbox();
  await using recorder = await record(sandbox);
  const studio = await openStudio({ env: recorder.env });
  recorder.answer = (method, path) => {
    if (method === 'DELETE') {
      return { status: 204, body: '' };
    }
    return path.endsWith('/builds')
      ? { status: 200, body: '[{"oid":"foreign-task","status":"building"}]' }
      : undefined;
  };
  await studio.openView();
  await studio.treeItem(['Sandbox', 'Builds', 'foreign-task']);
  await studio.statusBar(/Building foreign-task/);
  await studio.runCommand('Datamodel Studio: Cancel All Builds of Datamodel');
  await studio.quickPick('foreign-task');
  await studio.notification(/does not tell which datamodel the build foreign-task is of/);
  await studio.screenshot('cancel-all-unknown');
  assert.deepEqual(
    recorder.take().filter((line) => line.startsWith('DELETE')),
    [],
  );
  await studio.notificationAction(/foreign-task/, 'Cancel This Build');
  while (!(await recorder.asked(1)).some((line) => line === 'DELETE /api/v2/builds/foreign-task')) {
    // Looks at the builds come in between.
  }
});
