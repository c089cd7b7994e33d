import assert from 'node:assert/strict';
import { replaceEditorText } from '../support/activeEditor.ts';
import { startJourneySandbox } from '../support/journeySandbox.ts';
import { createSharedStudio } from '../support/sharedStudio.ts';
import type { Studio } from '../support/studio.ts';
import { openViewpointAsText, textEditorSettings } from '../support/viewpointDocument.ts';

const journey = createSharedStudio(async (disposables) => {
  const sandbox = disposables.use(await startJourneySandbox());
  return { options: { env: sandbox.env, settings: textEditorSettings } };
});

/** Waits for the breadcrumb of a file name. Returns the breadcrumbs up to the file name, without those of symbols. */
async function getBreadcrumbs(studio: Studio, fileName: string): Promise<readonly string[]> {
  const breadcrumbs = studio.page.locator(
    '.editor-group-container.active .breadcrumbs-control .monaco-breadcrumb-item .monaco-icon-label',
  );
  await breadcrumbs.filter({ hasText: fileName }).waitFor({ timeout: 20_000 });
  // In paths of documents, the name of the connection starts with an invisible character (U+2060).
  const names = (await breadcrumbs.allInnerTexts()).map((name) => name.replace('\u2060', ''));
  return names.slice(0, names.indexOf(fileName) + 1);
}

journey('breadcrumbs and tabs show names of resources and no identifiers', async ({ studio }) => {
  await openViewpointAsText(studio);
  assert.deepEqual(await getBreadcrumbs(studio, 'Revenue by Region.viewpoint.json'), [
    'Sandbox',
    'Revenue by Region.viewpoint.json',
  ]);

  await studio.chooseFromContextMenu(
    ['Sandbox', 'Datamodels', 'Retail', 'Custom Tables', 'Customer Value'],
    'Open SQL',
  );
  const fileName = 'Customer Value.datamodel.sql';
  const names = ['Sandbox', 'Retail', 'Custom Tables', fileName];
  await studio.waitForEditor(fileName);
  assert.deepEqual(await getBreadcrumbs(studio, fileName), names);
  await studio.screenshot('document-names');

  await studio.reloadWindow();
  await studio.waitForEditor(fileName);
  await studio.waitForEditorText(/SELECT/);
  assert.deepEqual(await getBreadcrumbs(studio, fileName), names);
});

// No file of the workspace is open, so nothing but the server document can start VS Code's JSON support.
journey("a document of a server starts the editor's own JSON support", async ({ studio }) => {
  await openViewpointAsText(studio);
  await replaceEditorText(studio, '{ "description": 5 }');
  await studio.runCommand('Problems: Focus on Problems View');
  await studio.page
    .locator('.markers-panel .monaco-list-row', { hasText: '"description" must be a string.' })
    .first()
    .waitFor({ timeout: 20_000 });
});
