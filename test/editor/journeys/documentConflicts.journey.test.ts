import assert from 'node:assert/strict';
import { type TestSandbox, openSandbox } from '../support/sandbox.ts';
import { isDirty, isPutBy, replaceText, save } from '../support/savedState.ts';
import { sharedStudio } from '../support/sharedStudio.ts';
import type { Studio } from '../support/studio.ts';
import {
  describe,
  openViewpoint,
  settings,
  viewpointOf,
  withDescription,
} from '../support/viewpointDocument.ts';

const isTold = /changed on the server since you opened it/;

const journey = sharedStudio(async (owned) => {
  const sandbox = owned.use(await openSandbox());
  return { sandbox, options: { env: sandbox.env, settings } };
});

/**
 * Opens a viewpoint as it was before anybody changes it. Each journey has its own: for a moment after a save a document
 * is opened as it was saved, without asking.
 */
async function openFirst(studio: Studio, sandbox: TestSandbox, called: string): Promise<void> {
  await describe(sandbox, 'First', called);
  await openViewpoint(studio, called);
  await studio.editorShows(/"description":.?"First"/);
}

journey(
  'somebody changed it meanwhile: the editor asks, or we do, and nothing is lost',
  async ({ studio, sandbox }) => {
    const called = 'Revenue by Region';
    await openFirst(studio, sandbox, called);

    await replaceText(studio, await withDescription(sandbox, 'Mine', called));
    await isDirty(studio, true);
    await describe(sandbox, 'Somebody else was here', called);
    await save(studio);
    await studio.notification(/content of the file is newer/);
    assert.equal((await viewpointOf(sandbox, called)).description, 'Somebody else was here');
    await studio.notificationAction(/content of the file is newer/, 'Compare');
    await studio.editorShows(/Somebody.else.was.here/);
    await studio.screenshot('conflict-editor-compare');
    await studio.page.keyboard.press('Control+w');
    await studio.openedEditor(`${called}.viewpoint.json`);
    await save(studio);
    await studio.notificationAction(/content of the file is newer/, 'Overwrite');
    await isDirty(studio, false);
    assert.equal((await viewpointOf(sandbox, called)).description, 'Mine');
  },
);

journey('what both changed is merged', async ({ studio, sandbox }) => {
  const called = 'Revenue by Store';
  await openFirst(studio, sandbox, called);
  const before = await viewpointOf(sandbox, called);
  const details = before.details ?? {};
  const columns = (details.columns ?? []).map((column, index) =>
    index === 0 ? { ...column, title: 'Area!!' } : column,
  );
  await replaceText(studio, JSON.stringify({ ...before, details: { ...details, columns } }));
  await describe(sandbox, 'Other', called);
  await save(studio);
  await studio.notificationAction(isTold, 'Merge');
  await studio.notification(/has the changes of both/);
  await studio.editorShows(/Other/);
  await save(studio);
  await isDirty(studio, false);
  const after = await viewpointOf(sandbox, called);
  assert.equal(after.description, 'Other');
  assert.equal(after.details?.columns?.[0]?.title, 'Area!!');
});

journey(
  'a conflict that the editor does not see is told, over a restart too; what cannot be saved stays and says why',
  async ({ studio, sandbox }) => {
    const called = 'Revenue by Brand';
    await openFirst(studio, sandbox, called);
    await replaceText(studio, await withDescription(sandbox, 'Mine', called));
    await isDirty(studio, true);
    // Of the same length as what was opened: the editor's own question does not come.
    await describe(sandbox, 'Other', called);
    await save(studio);
    await studio.notification(isTold);
    assert.equal((await viewpointOf(sandbox, called)).description, 'Other');
    for (const theme of ['light', 'dark', 'hc'] as const) {
      await studio.setTheme(theme);
      // Told again: what was told before is out of sight by now.
      await save(studio);
      await studio.notification(isTold);
      await studio.screenshot(`conflict-${theme}`);
    }

    await isPutBy(studio, 'Mine');
    await studio.reload();
    await studio.openedEditor(`${called}.viewpoint.json`);
    await isDirty(studio, true);
    await studio.editorShows(/Mine/);
    await save(studio);
    await studio.notificationAction(isTold, 'Overwrite');
    await isDirty(studio, false);
    assert.equal((await viewpointOf(sandbox, called)).description, 'Mine');

    await replaceText(studio, await withDescription(sandbox, 'Saved by hand', called));
    await isDirty(studio, true);
    await save(studio);
    await isDirty(studio, false);
    assert.equal((await viewpointOf(sandbox, called)).description, 'Saved by hand');

    await replaceText(studio, '{ "name": ');
    await save(studio);
    await studio.notification(/not valid JSON/);
    await isDirty(studio, true);
    assert.equal((await viewpointOf(sandbox, called)).description, 'Saved by hand');
    await studio.screenshot('document-refused');

    // The comment stays, and the server does not get it.
    await replaceText(studio, `/* mine */ ${await withDescription(sandbox, 'With a comment', called)}`);
    await save(studio);
    await studio.notification(/keeps no comments/);
    await isDirty(studio, false);
    await studio.editorShows(/mine/);
    assert.equal((await viewpointOf(sandbox, called)).description, 'With a comment');
  },
);
