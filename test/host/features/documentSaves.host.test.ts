import assert from 'node:assert/strict';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { getExpressionText } from '../../../src/contract/table.ts';
import type { Dataset } from '../../../src/contract/datamodel.ts';
import type { ToPlanPage } from '../../../src/webviews/protocol/planPage.ts';
import type { JourneySandbox } from '../../editor/support/journeySandbox.ts';
import { fetchDatamodel, fetchTable } from '../../editor/support/demo.ts';
import { findFilesContaining } from '../../editor/support/findFiles.ts';
import { setFaults } from '../../editor/support/faults.ts';
import { startRecordingProxy } from '../../editor/support/recordingProxy.ts';
import { fetchViewpoint, getTextWithDescription } from '../../editor/support/viewpointDocument.ts';
import { TestFiles } from '../support/files.ts';
import {
  documentSettings,
  openNewViewpoint,
  save,
  expectSaveRefused,
  waitForSaved,
} from '../support/documents.ts';
import type { HostStudio } from '../support/studio.ts';
import { describeStudio, startHostSandbox } from '../support/suite.ts';
import { waitFor } from '../support/waiting.ts';

const mask = '••••••••';

/**
 * A dataset of the demo. Each test uses another dataset, since an editor may still show the document that another test
 * has saved.
 */
type DatasetName = readonly [datamodel: string, dataset: string];

/** The path of a dataset, and its document. */
async function getDataset(
  sandbox: JourneySandbox,
  [title, dataset]: DatasetName,
): Promise<{ path: string; dataset: Dataset }> {
  const datamodel = await fetchDatamodel(sandbox, title);
  const { oid } = datamodel.datasets?.find(({ name }) => name === dataset) ?? {};
  const path = `/api/v2/datamodels/${datamodel.oid}/datasets/${oid}`;
  return { path, dataset: (await sandbox.request('GET', path)) as Dataset };
}

/** Stores secrets in a dataset and opens it; `edit` changes the name of the file in its text. */
async function openDatasetWithSecrets(
  studio: HostStudio,
  sandbox: JourneySandbox,
  {
    datasetName,
    secrets,
  }: { readonly datasetName: DatasetName; readonly secrets: Readonly<Record<string, string>> },
): Promise<{ readonly document: vscode.TextDocument; readonly edit: (fileName: string) => Promise<void> }> {
  const { path } = await getDataset(sandbox, datasetName);
  const connection = {
    provider: 'CSV',
    fileName: 'orders.csv',
    parameters: { files: ['orders.csv'], ...secrets },
  };
  await sandbox.request('PATCH', path, { connection });
  await studio.chooseFromContextMenu(['Sandbox', 'Datamodels', datasetName[0]], 'Refresh');
  await studio.chooseFromContextMenu(['Sandbox', 'Datamodels', ...datasetName], 'Open as JSON');
  await studio.waitForEditor(`${datasetName[1]}.dataset.json`);
  const { document } = await studio.waitForEditorText(mask);
  return {
    document,
    edit: async (fileName) => {
      // The tables of a dataset have their own documents.
      const { schema: _tables, ...shown } = (await getDataset(sandbox, datasetName)).dataset;
      const masked = Object.fromEntries(Object.keys(secrets).map((key) => [key, mask]));
      const parameters = { ...(shown.connection?.parameters as object), ...masked };
      await studio.replaceText(
        JSON.stringify({ ...shown, connection: { ...shown.connection, fileName, parameters } }),
      );
    },
  };
}

const prepare = async (
  disposables: AsyncDisposableStack,
  settings: Readonly<Record<string, unknown>> = {},
) => {
  const sandbox = disposables.use(await startHostSandbox());
  const recorder = disposables.use(await startRecordingProxy(sandbox));
  return {
    sandbox,
    recorder,
    options: { env: recorder.env, settings: { ...documentSettings, ...settings } },
  };
};

describeStudio(
  'document saves',
  (disposables) => prepare(disposables),
  (test) => {
    test('a document that cannot be saved stays unsaved, with the reason and the marked location of its problem', async ({
      studio,
      sandbox,
    }) => {
      const document = await openNewViewpoint(studio, sandbox, 'Refused');
      const stored = await fetchViewpoint(sandbox, 'Refused');
      const getProblems = (): readonly (readonly [string, string])[] =>
        vscode.languages
          .getDiagnostics(document.uri)
          .filter(({ source }) => source === 'Datamodel Studio')
          .map(({ code, range }) => [typeof code === 'object' ? '' : `${code}`, document.getText(range)]);
      const cases: readonly (readonly [text: string, error: string, code: string, marked: RegExp])[] = [
        [
          '{ "name": ',
          'Invalid JSON. Nothing was sent. The problems are marked in the editor.',
          'not-json',
          /^/,
        ],
        [
          '{ "name": "a", "name": "b" }',
          'Duplicate key "name": one of its values would be lost. Nothing was sent.',
          'not-json',
          /name/,
        ],
        ['[]', "The document doesn't have the expected structure. Nothing was sent.", 'wrong-shape', /\[\]/],
        [
          JSON.stringify({ ...stored, id: 'other' }),
          "The platform doesn't allow changes to id. Restore the previous value and save again.",
          'not-editable',
          /other/,
        ],
      ];
      for (const [text, error, code, marked] of cases) {
        await studio.replaceText(text);
        assert.deepEqual(getProblems(), [], 'An edit clears the mark');
        await expectSaveRefused(document);
        const message = await studio.waitForNotification(error);
        assert.equal(message.severity, 'warning');
        message.answer(undefined);
        assert.deepEqual(
          studio.fileWrites.errors,
          [],
          'VS Code shows no error, which would have the ID of the document',
        );
        const [problem] = await waitFor(
          () => (getProblems().length > 0 ? getProblems() : undefined),
          () => `No problem is marked for ${text}`,
        );
        assert.equal(problem?.[0], code);
        assert.match(problem[1], marked);
      }
      assert.deepEqual(await fetchViewpoint(sandbox, 'Refused'), stored);
      await studio.replaceText(JSON.stringify({ ...stored, description: 'Accepted' }));
      await save(document);
      assert.deepEqual(getProblems(), []);
      assert.equal((await fetchViewpoint(sandbox, 'Refused')).description, 'Accepted');
    });

    test('comments stay in the text and are not sent, which is reported once', async ({
      studio,
      sandbox,
    }) => {
      const document = await openNewViewpoint(studio, sandbox, 'Commented');
      for (const description of ['With a comment', 'With the comment']) {
        await studio.replaceText(
          `/* mine */ ${await getTextWithDescription(sandbox, description, 'Commented')}`,
        );
        await save(document);
        assert.equal((await fetchViewpoint(sandbox, 'Commented')).description, description);
        assert.match(document.getText(), /^\/\* mine \*\//);
      }
      assert.deepEqual(studio.messages.history, [
        "Saved. The server doesn't store comments. Comments in Commented are kept only in the editor, until the resource changes.",
      ]);
    });

    test('a text in another encoding is not sent', async ({ studio, sandbox }) => {
      const document = await openNewViewpoint(studio, sandbox, 'Encoded');
      const latin1 = Uint8Array.from([0x7b, 0x22, 0xe9, 0x22, 0x3a, 0x31, 0x7d]);
      await assert.rejects(
        async () => vscode.workspace.fs.writeFile(document.uri, latin1),
        /in an encoding other than UTF-8, so characters would be lost/,
      );
      assert.equal((await fetchViewpoint(sandbox, 'Encoded')).description, 'First');
    });

    test('a save whose response is lost is verified on the server, and counts as done', async ({
      studio,
      sandbox,
    }) => {
      const document = await openNewViewpoint(studio, sandbox, 'Answer lost');
      await studio.replaceText(await getTextWithDescription(sandbox, 'Arrived', 'Answer lost'));
      await setFaults(sandbox, { kind: 'drop', methods: ['PUT'], when: 'after', count: 1 });
      await save(document);
      assert.ok(
        studio.messages.history.includes('Saving Answer lost: no response received. Checking the server…'),
      );
      await studio.waitForNotificationGone(/no response received/);
      assert.equal((await fetchViewpoint(sandbox, 'Answer lost')).description, 'Arrived');
      await setFaults(sandbox);
    });

    test('a save that the server accepts but does not perform is reported', async ({
      studio,
      sandbox,
      recorder,
    }) => {
      const document = await openNewViewpoint(studio, sandbox, 'Ignored');
      const stored = JSON.stringify(await fetchViewpoint(sandbox, 'Ignored'));
      await studio.replaceText(await getTextWithDescription(sandbox, 'Never stored', 'Ignored'));
      recorder.getInterceptedResponse = (method) =>
        method === 'PUT' ? { status: 200, body: stored } : undefined;
      await expectSaveRefused(document);
      recorder.getInterceptedResponse = undefined;
      await studio.waitForSaveError(
        "The server reported success but didn't apply the change. Check the changed values, and then save again.",
      );
    });

    test('a refusal of the server is reported with its status', async ({ studio, sandbox }) => {
      const document = await openNewViewpoint(studio, sandbox, 'Forbidden');
      await studio.replaceText(await getTextWithDescription(sandbox, 'Mine', 'Forbidden'));
      await setFaults(sandbox, { kind: 'status', status: 403, methods: ['PUT'] });
      await expectSaveRefused(document);
      await studio.waitForSaveError(/403/);
      await setFaults(sandbox);
      assert.equal((await fetchViewpoint(sandbox, 'Forbidden')).description, 'First');
      await save(document);
    });

    test('a document that another user deleted is not saved, and not created again', async ({
      studio,
      sandbox,
    }) => {
      const document = await openNewViewpoint(studio, sandbox, 'Deleted meanwhile');
      const { id } = await fetchViewpoint(sandbox, 'Deleted meanwhile');
      await studio.replaceText(await getTextWithDescription(sandbox, 'Mine', 'Deleted meanwhile'));
      await sandbox.request('DELETE', `/api/v1/infusion/viewpoints/${id}`);
      await expectSaveRefused(document);
      await assert.rejects(fetchViewpoint(sandbox, 'Deleted meanwhile'));
    });

    test('a password is asked for and shown nowhere', async ({ studio, sandbox }) => {
      const datasetName = ['Retail', 'Sales'] as const;
      const { document, edit } = await openDatasetWithSecrets(studio, sandbox, {
        datasetName,
        secrets: { Password: 'stored-hunter2' },
      });
      assert.doesNotMatch(document.getText(), /hunter2/);
      await edit('sales.csv');
      await expectSaveRefused(document);
      await studio.quickInput.waitForTitle('Secrets of Sales');
      await studio.quickInput.waitForMessage(
        /connection\.parameters\.Password is sent to the server and never stored/,
      );
      await studio.submitInputBox('typed-correct-horse');
      await waitForSaved(document);
      const saved = (await getDataset(sandbox, datasetName)).dataset.connection;
      assert.equal(saved?.fileName, 'sales.csv');
      assert.deepEqual(saved.parameters, { files: ['orders.csv'], Password: 'typed-correct-horse' });
      await studio.waitForEditorText(mask);
      assert.doesNotMatch(document.getText(), /correct-horse/);
      // The folder of the editor's user data: its backups and its state, and the extension's storage.
      const userFolder = join(studio.storageFolder.fsPath, '..', '..', '..');
      for (const secret of ['stored-hunter2', 'typed-correct-horse']) {
        assert.deepEqual(await findFilesContaining(userFolder, secret), []);
      }
    });

    test('Back returns to the previous secret, and an empty answer keeps the stored secret', async ({
      studio,
      sandbox,
    }) => {
      const datasetName = ['Retail', 'Master Data'] as const;
      const { document, edit } = await openDatasetWithSecrets(studio, sandbox, {
        datasetName,
        secrets: {
          Password: 'first-stored',
          AccessToken: 'second-stored',
        },
      });
      await edit('two.csv');
      await expectSaveRefused(document);
      await studio.quickInput.waitForMessage(/Password/);
      await studio.submitInputBox('mistyped');
      await studio.quickInput.waitForMessage(/AccessToken/);
      await studio.quickInput.pressBack();
      await studio.quickInput.waitForMessage(/Password/);
      await studio.submitInputBox('first-typed');
      await studio.quickInput.waitForMessage(/AccessToken/);
      await studio.submitInputBox('');
      await waitForSaved(document);
      assert.deepEqual((await getDataset(sandbox, datasetName)).dataset.connection?.parameters, {
        files: ['orders.csv'],
        Password: 'first-typed',
        AccessToken: 'second-stored',
      });
    });

    test('without an answer to the question for a secret, nothing is sent', async ({ studio, sandbox }) => {
      const datasetName = ['Marketing', 'Campaigns'] as const;
      const { document, edit } = await openDatasetWithSecrets(studio, sandbox, {
        datasetName,
        secrets: { Password: 'stays' },
      });
      await edit('never.csv');
      await expectSaveRefused(document);
      await studio.quickInput.waitForMessage(/Password/);
      await studio.quickInput.cancel();
      await waitFor(
        () => studio.quickInput.current === undefined,
        () => 'The question stays',
      );
      // The next save asks for the secret again.
      await expectSaveRefused(document);
      await studio.quickInput.waitForMessage(/Password/);
      assert.equal((await getDataset(sandbox, datasetName)).dataset.connection?.fileName, 'orders.csv');
    });

    test('the plan of a save closes and the conflict is reported if another user has changed the document meanwhile', async ({
      studio,
      sandbox,
    }) => {
      await studio.chooseFromContextMenu(
        ['Sandbox', 'Datamodels', 'Marketing', 'Campaigns', 'Leads'],
        'Open as JSON',
      );
      await studio.waitForEditor('Leads.table.json');
      const { document } = await studio.waitForEditorText(/"Lead Id"/);
      const { table, path } = await fetchTable(sandbox, 'Marketing', 'Leads');
      const columns = table.columns ?? [];
      await studio.replaceText(
        JSON.stringify({ ...table, columns: columns.filter(({ name }) => name !== 'Segment') }),
      );
      await expectSaveRefused(document);
      const plan = await studio.findPage('datamodelStudio.plan', 'Review Changes: Save Leads');
      await plan.waitForMessage('plan');
      await sandbox.request('PATCH', path, { description: 'Somebody else was here' });
      plan.post({ type: 'apply' });
      await studio.waitForNotification(/changed on the server/);
      await waitFor(
        () => studio.pages.open.length === 0,
        () => 'The outdated plan stays open',
      );
      const { table: kept } = await fetchTable(sandbox, 'Marketing', 'Leads');
      assert.equal(kept.columns?.length, columns.length);
      assert.equal(document.isDirty, true);
      await studio.runCommand('File: Revert File');
    });

    test('the plan of a save names the added columns, which become visible', async ({ studio, sandbox }) => {
      await studio.chooseFromContextMenu(
        ['Sandbox', 'Datamodels', 'Marketing', 'Campaigns', 'Leads'],
        'Open as JSON',
      );
      await studio.waitForEditor('Leads.table.json');
      const { document } = await studio.waitForEditorText(/"Lead Id"/);
      const { table } = await fetchTable(sandbox, 'Marketing', 'Leads');
      const columns = (table.columns ?? []).filter(({ name }) => name !== 'Segment');
      const score = { id: 'Score', name: 'Score', type: 8 };
      await studio.replaceText(JSON.stringify({ ...table, columns: [...columns, score] }));
      await expectSaveRefused(document);
      const plan = await studio.findPage('datamodelStudio.plan', 'Review Changes: Save Leads');
      const { view } = await plan.waitForMessage<Extract<ToPlanPage, { type: 'plan' }>>('plan');
      assert.match(
        view.summary,
        /^Newly visible in the rows that rules allow: Leads\.Score\. Access to everything else that isn't deleted stays the same\./,
      );
      plan.post({ type: 'cancel' });
      await waitFor(
        () => studio.pages.open.length === 0,
        () => 'The plan stays open',
      );
      await studio.runCommand('File: Revert File');
    });

    test('a save that deletes a column is sent only when its plan is applied', async ({
      studio,
      sandbox,
    }) => {
      const getColumns = async (): Promise<readonly unknown[]> =>
        ((await fetchTable(sandbox, 'Marketing', 'Leads')).table.columns ?? []).map(({ name }) => name);
      const before = await getColumns();
      await studio.chooseFromContextMenu(
        ['Sandbox', 'Datamodels', 'Marketing', 'Campaigns', 'Leads'],
        'Open as JSON',
      );
      await studio.waitForEditor('Leads.table.json');
      const { document } = await studio.waitForEditorText(/"Lead Id"/);
      const { table } = await fetchTable(sandbox, 'Marketing', 'Leads');
      const columns = (table.columns ?? []).filter(({ name }) => name !== 'Segment');
      assert.equal(columns.length, before.length - 1);
      await studio.replaceText(JSON.stringify({ ...table, columns }));

      await expectSaveRefused(document);
      assert.deepEqual(studio.fileWrites.errors, [], 'The plan alone is shown');
      (await studio.findPage('datamodelStudio.plan', 'Review Changes: Save Leads')).post({ type: 'cancel' });
      await waitFor(
        () => studio.pages.open.length === 0,
        () => 'The plan stays open',
      );
      assert.deepEqual(await getColumns(), before);
      assert.equal(document.isDirty, true);

      await expectSaveRefused(document);
      (await studio.findPage('datamodelStudio.plan', 'Review Changes: Save Leads')).post({ type: 'apply' });
      await waitForSaved(document);
      await studio.waitForStatusBarItem('Done: Save Leads');
      assert.deepEqual(
        await getColumns(),
        before.filter((name) => name !== 'Segment'),
      );
    });
  },
);

describeStudio(
  'saves of SQL',
  (disposables) => prepare(disposables),
  (test) => {
    test('a save that drops a column of a relation shows the plan and nothing else', async ({
      studio,
      sandbox,
    }) => {
      const getSql = async (): Promise<string> =>
        getExpressionText((await fetchTable(sandbox, 'Retail', 'Customer Value')).table.expression) ?? '';
      const before = await getSql();
      const path = ['Sandbox', 'Datamodels', 'Retail', 'Custom Tables', 'Customer Value'];
      await studio.chooseFromContextMenu(path, 'Open SQL');
      await studio.waitForEditor('Customer Value.datamodel.sql');
      const { document } = await studio.waitForEditorText(/SELECT/);
      const sqlWithoutColumn = 'SELECT o.[Order Id] FROM [Orders] o';
      await studio.replaceText(sqlWithoutColumn);

      await expectSaveRefused(document);
      const plan = await studio.findPage('datamodelStudio.plan', /Customer Value/);
      assert.deepEqual(studio.fileWrites.errors, []);
      assert.deepEqual(studio.messages.history, []);
      plan.post({ type: 'cancel' });
      await waitFor(
        () => studio.pages.open.length === 0,
        () => 'The plan stays open',
      );
      assert.equal(document.isDirty, true);
      assert.equal(document.getText(), sqlWithoutColumn);
      assert.equal(await getSql(), before);
      // Undo restores the original text, although the text was touched to keep it unsaved.
      await vscode.window.showTextDocument(document);
      await vscode.commands.executeCommand('undo');
      await vscode.commands.executeCommand('undo');
      assert.equal(document.getText(), before);
      assert.equal(document.isDirty, false);
    });
  },
);

describeStudio(
  'saves of documents with errors',
  (disposables) => prepare(disposables),
  (test) => {
    test('SQL with an error is saved only after confirmation', async ({ studio, sandbox }) => {
      const getSql = async (): Promise<string> =>
        getExpressionText((await fetchTable(sandbox, 'Retail', 'Customer Value')).table.expression) ?? '';
      const before = await getSql();
      const path = ['Sandbox', 'Datamodels', 'Retail', 'Custom Tables', 'Customer Value'];
      await studio.chooseFromContextMenu(path, 'Open SQL');
      await studio.waitForEditor('Customer Value.datamodel.sql');
      const { document } = await studio.waitForEditorText(/SELECT/);
      const mistyped = before.replace('o.[Order Day]', 'o.[Order Dai]');
      await studio.replaceText(mistyped);
      // The save itself checks the text, so it asks for confirmation even before the editor shows the error.
      await expectSaveRefused(document);
      await studio.clickDialogAction('Cancel');
      assert.deepEqual(studio.fileWrites.errors, []);
      assert.equal(document.getText(), mistyped);
      assert.equal(await getSql(), before);

      await expectSaveRefused(document);
      assert.deepEqual(studio.messages.history.slice(-1), ['1 error in Customer Value. Save anyway?']);
      await studio.clickDialogAction('Save Anyway');
      await waitForSaved(document);
      assert.equal(await getSql(), mistyped);
    });
  },
);

describeStudio(
  'documents while Auto Save is on',
  async (disposables) => {
    const prepared = await prepare(disposables, {
      'files.autoSave': 'afterDelay',
      'files.autoSaveDelay': 100,
    });
    return { ...prepared, files: await TestFiles.create(disposables) };
  },
  (test) => {
    test('are not saved by Auto Save, without an error, but by every manual save', async ({
      studio,
      sandbox,
      files,
    }) => {
      const { document: file } = await files.open('notes.json', '{}');
      const document = await openNewViewpoint(studio, sandbox, 'Typed slowly');
      for (const mode of ['afterDelay', 'onFocusChange']) {
        await studio.changeSetting('files.autoSave', mode);
        await vscode.window.showTextDocument(document, { preview: false });
        await studio.replaceText(await getTextWithDescription(sandbox, mode, 'Typed slowly'));
        // Auto Save does save a file on disk that is changed after the document.
        const other = await vscode.window.showTextDocument(file, { preview: false });
        await other.edit((edit) => edit.insert(new vscode.Position(0, 0), ' '));
        await vscode.window.showTextDocument(document, { preview: false });
        await waitForSaved(file);
        assert.equal(document.isDirty, true, mode);
        assert.equal(studio.fileWrites.writeCount, 0, mode);
      }
      await studio.runCommand('File: Save without Formatting');
      await waitForSaved(document);
      await studio.replaceText(await getTextWithDescription(sandbox, 'By hand', 'Typed slowly'));
      await save(document);
      assert.equal((await fetchViewpoint(sandbox, 'Typed slowly')).description, 'By hand');
    });
  },
);

/** Waits until the editor has handled the end of a save: it runs these commands after all earlier messages. */
async function waitForSaveHandling(): Promise<void> {
  for (const _ of ['the end of the write', 'what follows from it']) {
    await vscode.commands.executeCommand('workbench.action.focusActiveEditorGroup');
  }
}

const autoSavedDocuments = {
  '[datamodel-document-json]': { 'files.autoSave': 'afterDelay' },
  'files.autoSaveDelay': 100,
};

describeStudio(
  'documents for whose language the user has turned on Auto Save',
  (disposables) => prepare(disposables, autoSavedDocuments),
  (test) => {
    const unknownSaveMessage = /Auto Save is on, so it's unclear whether you saved/;
    test('are not saved by Auto Save, but by a manual save', async ({ studio, sandbox }) => {
      const document = await openNewViewpoint(studio, sandbox, 'By hand');
      await studio.replaceText(await getTextWithDescription(sandbox, 'By itself', 'By hand'));
      await studio.waitForSaveError(
        "Auto Save doesn't apply to server documents. Save to send your changes.",
      );
      assert.equal(document.isDirty, true);
      assert.equal((await fetchViewpoint(sandbox, 'By hand')).description, 'First');
      await save(document);
      assert.equal((await fetchViewpoint(sandbox, 'By hand')).description, 'By itself');
    });

    test('are saved only after confirmation if it is unclear whether the save was manual', async ({
      studio,
      sandbox,
    }) => {
      const document = await openNewViewpoint(studio, sandbox, 'Not announced');
      await studio.replaceText(await getTextWithDescription(sandbox, 'Wanted', 'Not announced'));
      // A save that is requested while Auto Save is running would be treated as part of it.
      await studio.waitForSaveError(/Auto Save doesn't apply/);
      await waitForSaveHandling();
      for (const answer of [undefined, 'Save to Server']) {
        await studio.runCommand('File: Save without Formatting');
        const question = await studio.waitForNotification(unknownSaveMessage);
        await studio.waitForSaveError(
          "Auto Save is on, so it's unclear whether you saved this document yourself. Your changes remain unsaved.",
        );
        assert.equal((await fetchViewpoint(sandbox, 'Not announced')).description, 'First');
        question.answer(answer);
        await waitForSaveHandling();
      }
      await waitForSaved(document);
      assert.equal((await fetchViewpoint(sandbox, 'Not announced')).description, 'Wanted');
    });
  },
);
