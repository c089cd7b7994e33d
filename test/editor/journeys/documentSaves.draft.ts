import assert from 'node:assert/strict';
import { journey } from '../support/journey.ts';
import { openSandbox } from '../support/sandbox.ts';
import { isDirty, replaceText, save } from '../support/savedState.ts';
import { openViewpoint, settings, viewpointOf, withDescription } from '../support/viewpointDocument.ts';

journey(
  'a document is changed and saved; what cannot be saved stays and says why',
  async ({ openStudio }) => {
    await using sandbox = await openSandbox();
    const studio = await openStudio({ env: sandbox.env, settings });
    await openViewpoint(studio);
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
