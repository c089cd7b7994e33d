import assert from 'node:assert/strict';
import { journey } from '../support/journey.ts';
import { openSandbox } from '../support/sandbox.ts';
import { isDirty, isPutBy, replaceText, save } from '../support/savedState.ts';
import {
  describe,
  name,
  openViewpoint,
  settings,
  viewpointOf,
  withDescription,
} from '../support/viewpointDocument.ts';

const isTold = /changed on the server since you opened it/;

journey(
  'a conflict that the editor does not see is told, over a restart too; what cannot be saved stays and says why',
  async ({ openStudio }) => {
    await using sandbox = await openSandbox();
    const studio = await openStudio({ env: sandbox.env, settings });
    await describe(sandbox, 'First');
    await openViewpoint(studio);
    await replaceText(studio, await withDescription(sandbox, 'Mine'));
    await isDirty(studio, true);
    // Of the same length as what was opened: the editor's own question does not come.
    await describe(sandbox, 'Other');
    await save(studio);
    await studio.notification(isTold);
    assert.equal((await viewpointOf(sandbox)).description, 'Other');
    for (const theme of ['light', 'dark', 'hc'] as const) {
      await studio.setTheme(theme);
      // Told again: what was told before is out of sight by now.
      await save(studio);
      await studio.notification(isTold);
      await studio.screenshot(`conflict-${theme}`);
    }

    await isPutBy(studio, 'Mine');
    await studio.reload();
    await studio.openedEditor(`${name}.viewpoint.json`);
    await isDirty(studio, true);
    await studio.editorShows(/Mine/);
    await save(studio);
    await studio.notificationAction(isTold, 'Overwrite');
    await isDirty(studio, false);
    assert.equal((await viewpointOf(sandbox)).description, 'Mine');

    await replaceText(studio, await withDescription(sandbox, 'Saved by hand'));
    await isDirty(studio, true);
    await save(studio);
    await isDirty(studio, false);
    assert.equal((await viewpointOf(sandbox)).description, 'Saved by hand');

    await replaceText(studio, '{ "name": ');
    await save(studio);
    await studio.notification(/not valid JSON/);
    await isDirty(studio, true);
    assert.equal((await viewpointOf(sandbox)).description, 'Saved by hand');
    await studio.screenshot('document-refused');

    // The comment stays, and the server does not get it.
    await replaceText(studio, `/* mine */ ${await withDescription(sandbox, 'With a comment')}`);
    await save(studio);
    await studio.notification(/keeps no comments/);
    await isDirty(studio, false);
    await studio.editorShows(/mine/);
    assert.equal((await viewpointOf(sandbox)).description, 'With a comment');
  },
);
