import assert from 'node:assert/strict';
import { journey } from '../support/journey.ts';
import { openSandbox } from '../support/sandbox.ts';
import { isDirty, replaceText, save } from '../support/savedState.ts';
import {
  describe,
  name,
  openViewpoint,
  settings,
  viewpointOf,
  withDescription,
} from '../support/viewpointDocument.ts';

journey(
  'somebody changed it meanwhile: the editor asks, or we do, and nothing is lost',
  async ({ openStudio }) => {
    await using sandbox = await openSandbox();
    const studio = await openStudio({ env: sandbox.env, settings });
    await describe(sandbox, 'First');
    await openViewpoint(studio);

    await replaceText(studio, await withDescription(sandbox, 'Mine'));
    await describe(sandbox, 'Somebody else was here');
    await save(studio);
    await studio.notification(/content of the file is newer/);
    assert.equal((await viewpointOf(sandbox)).description, 'Somebody else was here');
    await studio.notificationAction(/content of the file is newer/, 'Compare');
    await studio.editorShows(/Somebody.else.was.here/);
    await studio.screenshot('conflict-editor-compare');
    await studio.page.keyboard.press('Control+w');
    await studio.openedEditor(`${name}.viewpoint.json`);
    await save(studio);
    await studio.notificationAction(/content of the file is newer/, 'Overwrite');
    await isDirty(studio, false);
    assert.equal((await viewpointOf(sandbox)).description, 'Mine');
  },
);

journey('what both changed is merged', async ({ openStudio }) => {
  await using sandbox = await openSandbox();
  const studio = await openStudio({ env: sandbox.env, settings });
  await describe(sandbox, 'First');
  await openViewpoint(studio);
  const before = await viewpointOf(sandbox);
  const details = before.details ?? {};
  const columns = (details.columns ?? []).map((column, index) =>
    index === 0 ? { ...column, title: 'Area!!' } : column,
  );
  await replaceText(studio, JSON.stringify({ ...before, details: { ...details, columns } }));
  await describe(sandbox, 'Other');
  await save(studio);
  await studio.notificationAction(/changed on the server since you opened it/, 'Merge');
  await studio.notification(/has the changes of both/);
  await studio.editorShows(/Other/);
  await save(studio);
  await isDirty(studio, false);
  const after = await viewpointOf(sandbox);
  assert.equal(after.description, 'Other');
  assert.equal(after.details?.columns?.[0]?.title, 'Area!!');
});
