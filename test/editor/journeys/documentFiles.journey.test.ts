import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { Dataset } from '../../../src/contract/datamodel.ts';
import { fetchDatamodel } from '../support/demo.ts';
import { answerFileDialog } from '../support/fileDialog.ts';
import { journey } from '../support/journey.ts';
import { type JourneySandbox, startJourneySandbox, sandboxTokens } from '../support/journeySandbox.ts';
import { waitForDirtyState, replaceEditorText, pressSave } from '../support/editorState.ts';
import {
  openViewpointAsText,
  textEditorSettings,
  fetchViewpoint,
  getDescribedText,
} from '../support/viewpointDocument.ts';

/** The dataset Sales of the demo: its path and its document. */
async function getSales(sandbox: JourneySandbox): Promise<{ path: string; dataset: Dataset }> {
  const retail = await fetchDatamodel(sandbox, 'Retail');
  const { oid } = retail.datasets?.find(({ name }) => name === 'Sales') ?? {};
  assert.ok(oid, 'The demo has Sales');
  const path = `/api/v2/datamodels/${retail.oid}/datasets/${oid}`;
  return { path, dataset: (await sandbox.request('GET', path)) as Dataset };
}

journey(
  'a password is asked for and shown nowhere; a copy of a document goes to the workspace and back',
  async ({ openStudio }) => {
    await using sandbox = await startJourneySandbox();
    const [stored, typed] = ['stored-hunter2', 'typed-correct-horse'];
    // Neither may be left in any file or in the browser.
    sandboxTokens.add(stored).add(typed);
    const { path } = await getSales(sandbox);
    const connection = {
      provider: 'CSV',
      fileName: 'orders.csv',
      parameters: { files: ['orders.csv'], Password: stored },
    };
    await sandbox.request('PATCH', path, { connection });
    const studio = await openStudio({ env: sandbox.env, settings: textEditorSettings });
    await studio.openView();
    await studio.contextMenu(['Sandbox', 'Datamodels', 'Retail', 'Sales'], 'Open as JSON');
    await studio.openedEditor('Sales.dataset.json');
    const lines = await studio.editorShows('••••••••');
    assert.doesNotMatch(await lines.innerText(), /hunter2/);

    // The tables of a dataset have their own documents.
    const { schema: _tables, ...shown } = (await getSales(sandbox)).dataset;
    const parameters = { ...(shown.connection?.parameters as object), Password: '••••••••' };
    const changed = { ...shown, connection: { ...shown.connection, fileName: 'sales.csv', parameters } };
    await replaceEditorText(studio, JSON.stringify(changed));
    await waitForDirtyState(studio, true);
    await pressSave(studio);
    await studio.page.locator('.quick-input-widget:visible input[type=password]').waitFor();
    await studio.screenshot('document-secret');
    await studio.inputBox(typed);
    await waitForDirtyState(studio, false);
    const saved = (await getSales(sandbox)).dataset.connection;
    assert.equal(saved?.fileName, 'sales.csv');
    assert.deepEqual(saved.parameters, { files: ['orders.csv'], Password: typed });
    assert.doesNotMatch(await (await studio.editorShows('••••••••')).innerText(), /correct-horse/);

    const before = (await fetchViewpoint(sandbox)).description;
    await openViewpointAsText(studio);
    await studio.runCommand('Datamodel Studio: Save a Copy into the Workspace…');
    await answerFileDialog(studio.page, join(studio.workspace, 'mine.viewpoint.json'));
    await studio.openedEditor('mine.viewpoint.json');
    await replaceEditorText(studio, await getDescribedText(sandbox, 'From a file'));
    await waitForDirtyState(studio, true);
    await pressSave(studio);
    await waitForDirtyState(studio, false);
    assert.equal((await fetchViewpoint(sandbox)).description, before);

    await studio.runCommand('Datamodel Studio: Compare with Server');
    await studio.openedEditor(/on the server ↔ yours/);
    await studio.editorShows(/From.a.file/);
    await studio.screenshot('file-compared');
    await studio.page.keyboard.press('Control+w');
    await studio.openedEditor('mine.viewpoint.json');
    await studio.runCommand('Datamodel Studio: Send to Server…');
    await studio.notification(/Nothing has been sent yet/);
    await studio.openedEditor(/on the server ↔ yours/);
    await waitForDirtyState(studio, true);
    assert.equal((await fetchViewpoint(sandbox)).description, before);
    await pressSave(studio);
    await waitForDirtyState(studio, false);
    assert.equal((await fetchViewpoint(sandbox)).description, 'From a file');
  },
);
