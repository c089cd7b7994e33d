import assert from 'node:assert/strict';
import { startJourneySandbox } from '../support/journeySandbox.ts';
import { createSharedStudio } from '../support/sharedStudio.ts';

const journey = createSharedStudio(async (owned) => {
  const sandbox = owned.use(await startJourneySandbox());
  const env = { ...sandbox.env, DATAMODEL_STUDIO_SANDBOX_TOKEN: 'wrong-token-of-mine' };
  return { options: { env, settings: { 'datamodelStudio.history.maxAge': 12 } } };
});

journey('a rejected token leads to signing in', async ({ studio }) => {
  await studio.openView();
  await studio.treeItem(['Sandbox', 'Datamodels', 'Token not accepted (401)']);
  for (const theme of ['light', 'dark', 'hc'] as const) {
    await studio.setTheme(theme);
    await studio.screenshot(`explorer-token-refused-${theme}`);
  }
  await studio.tree.click(['Sandbox', 'Datamodels', 'Token not accepted (401)']);
  await studio.quickInput.message(/API token for 127\.0\.0\.1/);
  await studio.screenshot('explorer-unauthorized');
});

journey('an issue report is shown first, and contains nothing of the instance', async ({ studio }) => {
  await studio.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await studio.openView();
  await studio.treeItem(['Sandbox', 'Datamodels', 'Token not accepted (401)']);
  await studio.runCommand('Datamodel Studio: Report an Issue…');
  await studio.editorShows(/What\sI\sdid/);
  await studio.notification(/This is all that a report would hold/);
  await studio.screenshot('report-issue');
  await studio.notificationAction(/This is all that a report would hold/, 'Copy');
  await studio.page.waitForFunction(() => document.hasFocus());
  const report = await studio.page.evaluate(async () => {
    const deadline = performance.now() + 20_000;
    for (;;) {
      const text = await navigator.clipboard.readText();
      if (text.includes('Last problems') || performance.now() > deadline) {
        return text;
      }
      await new Promise(requestAnimationFrame);
    }
  });
  assert.match(report, /\[http\] answered, datamodels\.list, 401/);
  assert.match(report, /`datamodelStudio\.history\.maxAge`/);
  assert.match(report, /1 × remote, development|1 × sandbox, development/);
  assert.doesNotMatch(report, /wrong-token|127\.0\.0\.1|Sandbox/);
});
