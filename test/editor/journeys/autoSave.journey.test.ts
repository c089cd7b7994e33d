import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { vi } from 'vitest';
import { replaceEditorText, waitForUnsavedState } from '../support/activeEditor.ts';
import { journey } from '../support/journey.ts';
import { startJourneySandbox } from '../support/journeySandbox.ts';
import {
  demoViewpointName,
  fetchViewpoint,
  getTextWithDescription,
  openViewpointAsText,
  textEditorSettings,
} from '../support/viewpointDocument.ts';
import { openWorkspaceFile } from '../support/viewpointFile.ts';

const tabTitle = `${demoViewpointName}.viewpoint.json`;

journey(
  'typing in a server document with auto save shows no notification and sends no request',
  async ({ openStudio }) => {
    await using sandbox = await startJourneySandbox();
    const studio = await openStudio({
      env: sandbox.env,
      workspace: { 'notes.json': '{}' },
      settings: { ...textEditorSettings, 'files.autoSave': 'afterDelay', 'files.autoSaveDelay': 100 },
    });
    const { description } = await fetchViewpoint(sandbox);
    await openViewpointAsText(studio);
    await replaceEditorText(studio, await getTextWithDescription(sandbox, 'Mine'));
    await waitForUnsavedState(studio, true);

    // Auto save is active: it saves a file of the workspace that is changed after the document.
    await openWorkspaceFile(studio, 'notes.json');
    await replaceEditorText(studio, '{"saved": true}');
    await studio.page.locator('.part.editor .tab', { hasText: tabTitle }).click();
    await studio.waitForEditor(tabTitle);
    const getSavedText = (): Promise<string> => readFile(join(studio.workspace, 'notes.json'), 'utf8');
    await vi.waitFor(async () => assert.equal(await getSavedText(), '{"saved": true}'), 20_000);

    await studio.page.getByRole('button', { name: 'Open Form' }).first().click();
    await studio.getWebview().getByRole('grid', { name: 'Columns' }).waitFor();
    await waitForUnsavedState(studio, true);
    await studio.screenshot('auto-save');
    assert.equal(await studio.page.locator('.notification-toast').count(), 0);
    assert.equal((await fetchViewpoint(sandbox)).description, description);
  },
);
