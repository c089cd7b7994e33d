import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { viewpointColumnLines, viewpointFileText } from '../../editor/support/viewpointFile.ts';
import type { ToForm } from '../../../src/webviews/protocol/documentForm.ts';
import type { ViewpointQuestion } from '../../../src/webviews/protocol/formQuestions.ts';
import { readViewpoint } from '../../../src/viewpoints/form/readViewpoint.ts';
import type { ViewpointEdit } from '../../../src/viewpoints/form/viewpointEdit.ts';
import { useFaults } from '../support/faults.ts';
import { prepareSandboxAndFiles } from '../support/files.ts';
import { HostedForm } from '../support/hostedForm.ts';
import type { HostStudio } from '../support/studio.ts';
import { describeStudio } from '../support/suite.ts';
import { waitFor } from '../support/waiting.ts';

const viewType = 'datamodelStudio.viewpointForm';
type Received<Type extends ToForm['type']> = Extract<ToForm, { type: Type }>;

/** A fault: the user may not read datamodels. */
const noDatamodels = { kind: 'status', status: 403, pathPrefix: '/api/v2/datamodels' };

const openForm = (
  studio: HostStudio,
  editor: vscode.TextEditor,
): Promise<HostedForm<ViewpointEdit, ViewpointQuestion>> => HostedForm.open(studio, viewType, editor);

/** Waits until the columns in the text of the form are these. */
async function waitForColumns(
  { document }: { readonly document: vscode.TextDocument },
  ...names: readonly string[]
): Promise<void> {
  const read = (): readonly string[] =>
    [...document.getText().matchAll(/"column": "([^"]*)"/g)].map(([, name]) => name ?? '');
  await waitFor(
    () => JSON.stringify(read()) === JSON.stringify(names),
    () => `The columns are ${read().join(', ')}`,
  );
}

/** The apps, groups and users that a viewpoint is shared with, read from its text. */
const readSharing = (document: vscode.TextDocument) => {
  const { apps, groups, users } = readViewpoint(JSON.parse(document.getText().replaceAll(/\/\/.*/g, '')));
  return { apps: apps.values, groups: groups.values, users: users.values };
};

describeStudio('viewpoint form', prepareSandboxAndFiles, (test) => {
  test('columns are added, moved, titled and undone, and the text keeps its layout', async ({
    studio,
    files,
  }) => {
    const editor = await files.open('Columns.viewpoint.json', viewpointFileText);
    const form = await openForm(studio, editor);
    await form.waitForTables();
    form.ask({ kind: 'columns', insertIndex: 2 });
    assert.match((await studio.quickInput.waitForRow('Unit Price')).description ?? '', /in use/);
    await studio.quickInput.pickMany(['Order Date', 'Status', 'Quantity']);
    await waitForColumns(form, 'Order Id', 'Unit Price', 'Order Date', 'Status', 'Quantity', 'City');
    await form.edit({ kind: 'moveColumns', columns: [5], insertIndex: 4 });
    await form.edit({ kind: 'columnText', columns: [1], key: 'title', value: 'Price paid' });
    await form.edit({ kind: 'columnText', columns: [1], key: 'title', value: 'Price paidX' });
    // An edit of the form is one step for undo.
    await studio.runCommand('Undo');
    await waitFor(
      () => form.document.getText().includes('"title": "Price paid"'),
      () => 'The last edit is not undone',
    );
    await form.edit({ kind: 'published', value: true });
    await studio.runCommand('File: Save');
    await waitFor(
      () => !form.document.isDirty,
      () => 'The file is not saved',
    );
    const text = new TextDecoder().decode(await vscode.workspace.fs.readFile(form.document.uri));
    const lines = text.split('\n');
    const price = viewpointColumnLines[2]?.replace('"title": "Price"', '"title": "Price paid"');
    assert.equal(lines[1], '  // Reviewed every Monday.');
    assert.deepEqual(lines.slice(7, 10), [viewpointColumnLines[0], viewpointColumnLines[1], price]);
    assert.match(lines[10] ?? '', /"dim": "\[Orders\.Order Date \(Calendar\)\]", "datatype": "datetime"/);
    assert.equal(lines[12], `${viewpointColumnLines[3]},`, 'moved as it was typed');
    assert.match(text, /"users": \[\], "enabled": true \},\n {2}"enabled": true\n/);
  });

  test('columns cannot be added before a datamodel is known, and closing the list adds none', async ({
    studio,
    files,
  }) => {
    const none = await files.open('None.viewpoint.json', '{ "name": "None" }');
    const form = await openForm(studio, none);
    assert.deepEqual((await form.waitForMessage('model')).model, { state: 'none', title: '' });
    form.ask({ kind: 'columns', insertIndex: 0 });
    await studio.waitForNotification(/tables and columns aren't available/);
    form.ask({ kind: 'datamodel' });
    await studio.quickInput.waitForTitle('Select Datamodel');
    await studio.quickInput.cancel();
    form.ask({ kind: 'datamodel' });
    await studio.selectQuickPick('Retail');
    await form.waitForTables();
    form.ask({ kind: 'columns', insertIndex: 0 });
    await studio.quickInput.waitForRow('City');
    await studio.quickInput.cancel();
    form.ask({ kind: 'columns', insertIndex: 9 });
    await studio.quickInput.pickMany([]);
    form.ask({ kind: 'columns', insertIndex: 9 });
    await studio.quickInput.pickMany(['City']);
    await waitForColumns(form, 'City');
    const { details } = JSON.parse(form.document.getText());
    assert.equal(details.datasource.title, 'Retail');
    assert.equal(details.datasource.fullname, 'LocalHost/Retail');
  });

  test('the form says when its datamodel cannot be read or is unknown', async ({
    studio,
    sandbox,
    files,
  }) => {
    await studio.chooseFromContextMenu('Sandbox', 'Refresh');
    let form: Awaited<ReturnType<typeof openForm>>;
    {
      await using _faults = await useFaults(sandbox, noDatamodels);
      form = await openForm(studio, await files.open('Failed.viewpoint.json', viewpointFileText));
      const { model } = await form.waitForMessage('model', (message) => message.model.state === 'failed');
      assert.match(model.state === 'failed' ? model.message : '', /\(403\)/);
    }
    form.post({ type: 'reloadModel' });
    await form.waitForTables();
    await form.edit({ kind: 'datasource', value: { title: 'Nowhere', fullname: 'LocalHost/Nowhere' } });
    await form.waitForMessage('model', (message) => message.model.state === 'none');
  });

  test('the tables are loaded once the connection works again', async ({ studio, sandbox, files }) => {
    const editor = await files.open('Recovered.viewpoint.json', viewpointFileText);
    let form: Awaited<ReturnType<typeof openForm>>;
    {
      await using _faults = await useFaults(sandbox, noDatamodels);
      await studio.chooseFromContextMenu('Sandbox', 'Refresh');
      form = await openForm(studio, editor);
      await form.waitForMessage('model', ({ model }) => model.state === 'failed');
    }
    await studio.chooseFromContextMenu('Sandbox', 'Refresh');
    await form.waitForTables();
  });

  test('a list of datamodels that cannot be read is reported', async ({ studio, sandbox, files }) => {
    const form = await openForm(studio, await files.open('Unlisted.viewpoint.json', '{ "name": "None" }'));
    await using _faults = await useFaults(sandbox, noDatamodels);
    await studio.chooseFromContextMenu('Sandbox', 'Refresh');
    form.ask({ kind: 'datamodel' });
    assert.equal((await studio.waitForNotification(/\(403\)/)).severity, 'error');
  });

  test('a viewpoint is shared with apps, groups and users', async ({ studio, files }) => {
    const form = await openForm(studio, await files.open('Shared.viewpoint.json', viewpointFileText));
    await form.waitForTables();
    form.ask({ kind: 'share', list: 'apps' });
    await studio.quickInput.waitForTitle('Share with App');
    await studio.quickInput.pickTyped('Bot', 'Add "Bot"');
    await waitFor(
      () => readSharing(form.document).apps.length === 2,
      () => 'The app is not added',
    );
    form.ask({ kind: 'share', list: 'groups' });
    await studio.quickInput.waitForTitle('Share with Group');
    await studio.quickInput.pickTyped('Nobodys', 'Look up group "Nobodys"');
    await studio.quickInput.waitForTitle(/^Group not found: Nobodys\./);
    await studio.quickInput.fill('');
    const [group = ''] = await studio.quickInput.getLabels();
    await studio.selectQuickPick(group);
    await waitFor(
      () => readSharing(form.document).groups.length === 2,
      () => 'The group is not added',
    );
    form.ask({ kind: 'share', list: 'users' });
    await studio.quickInput.waitForTitle('Share with User');
    await studio.quickInput.cancel();
    form.ask({ kind: 'share', list: 'users' });
    await studio.quickInput.waitForTitle('Share with User');
    const [user = ''] = await studio.quickInput.getLabels();
    await studio.selectQuickPick(user);
    await waitFor(
      () => readSharing(form.document).users.length === 1,
      () => 'The user is not added',
    );
    const { apps, groups, users } = readSharing(form.document);
    assert.deepEqual(apps, ['Slack', 'Bot']);
    assert.deepEqual(groups, ['Sales', group]);
    // The text contains the ID of the user, for which the page shows the name.
    const { names } = await form.waitForMessage('names', (message) => (users[0] ?? '') in message.names);
    assert.equal(names[users[0] ?? ''], user);
  });

  test('the form cannot edit an invalid text, and is updated once the text is valid', async ({
    studio,
    files,
  }) => {
    const editor = await files.open('Invalid.viewpoint.json', viewpointFileText);
    const { document } = editor;
    const form = await openForm(studio, editor);
    form.post({ type: 'showText' });
    await studio.waitForEditorText(/Reviewed every Monday/);
    // The editor reports the group of a new text editor only after the editor itself.
    const textEditor = await waitFor(
      () =>
        vscode.window.visibleTextEditors.find(
          (shown) => shown.document === document && shown.viewColumn === vscode.ViewColumn.Two,
        ),
      () => 'The text is not in the second group',
    );
    await form.edit({ kind: 'text', key: 'name', value: 'Cities' });
    await studio.waitForEditorText('"name": "Cities"');
    await textEditor.edit((edit) => edit.insert(new vscode.Position(0, 0), 'x'));
    assert.deepEqual((await form.waitForMessage('invalid')).error, { line: 1, column: 1 });
    const text = document.getText();
    form.post({ type: 'edit', number: 2, epoch: 1, edit: { kind: 'text', key: 'name', value: 'Lost' } });
    await form.waitForMessage('changes', ({ lastProcessedEdit }) => lastProcessedEdit === 2);
    assert.equal(document.getText(), text, 'an invalid text is left alone');
    await textEditor.edit((edit) => edit.delete(new vscode.Range(0, 0, 0, 1)));
    const { value } = await form.waitForMessage('document', ({ epoch }) => epoch === 2);
    assert.equal(readViewpoint(value).name.value, 'Cities');
  });

  test('an unsaved text keeps its changes when its form opens', async ({ studio, files }) => {
    const editor = await files.open('Unsaved.viewpoint.json', viewpointFileText);
    await editor.edit((edit) => edit.insert(new vscode.Position(1, 0), '  // Unsaved.\n'));
    await waitFor(
      () => vscode.window.tabGroups.activeTabGroup.activeTab?.isDirty,
      () => 'The text is not dirty',
    );
    const form = await openForm(studio, editor);
    await form.waitForTables();
    await form.edit({ kind: 'text', key: 'name', value: 'Unsaved' });
    assert.match(form.document.getText(), /^\{\n {2}\/\/ Unsaved\.\n[^]*"name": "Unsaved"/);
    assert.deepEqual(
      vscode.window.tabGroups.activeTabGroup.tabs.map(({ input }) => input instanceof vscode.TabInputText),
      [true, false],
    );
  });

  test('the location of a problem is shown in the text', async ({ studio, files }) => {
    const problem = viewpointFileText.replace(
      '"title": "City"',
      '"title": "City", "infusion": { "uid": true }',
    );
    const form = await openForm(studio, await files.open('Problem.viewpoint.json', problem));
    await form.waitForTables();
    const isError = ({ severity }: { readonly severity: string }): boolean => severity === 'error';
    const { problems } = await form.waitForMessage('problems', (message) => message.problems.some(isError));
    const [error, ...others] = problems.filter(isError);
    assert.deepEqual(others, []);
    assert.match(error?.message ?? '', /unique ID.*requires a/);
    assert.deepEqual(error?.path.slice(0, 3), ['details', 'columns', 2]);
    form.post({ type: 'showText', path: error.path });
    const line = problem.split('\n').findIndex((text) => text.includes('City"'));
    await waitFor(
      () => vscode.window.activeTextEditor?.selection.start.line === line,
      () => `The caret is in line ${vscode.window.activeTextEditor?.selection.start.line}, not ${line}`,
    );
    await form.edit({ kind: 'flag', columns: [2], flag: 'uid', value: false });
    await form.waitForMessage('problems', (message) => !message.problems.some(isError));
  });

  test('a selection in a quick pick is not written if the text has become invalid in the meantime', async ({
    studio,
    files,
  }) => {
    const editor = await files.open('Outdated.viewpoint.json', viewpointFileText);
    const form = await openForm(studio, editor);
    await form.waitForTables();
    form.post({ type: 'ask', epoch: 99, question: { kind: 'columns', insertIndex: 0 } });
    await studio.waitForNotification(/The item you were editing was changed or removed in the meantime/);
    form.ask({ kind: 'share', list: 'apps' });
    await studio.quickInput.fill('Bot');
    const edit = new vscode.WorkspaceEdit();
    edit.insert(form.document.uri, new vscode.Position(0, 0), 'x');
    await vscode.workspace.applyEdit(edit);
    await studio.selectQuickPick('Add "Bot"');
    await studio.waitForNotification(
      "Nothing was changed. The document isn't valid JSON or can't be edited.",
    );
    assert.equal(form.document.getText(), `x${viewpointFileText}`);
  });

  test('columns and tables of the Connections view are added to the open viewpoint', async ({
    studio,
    files,
  }) => {
    const customers = ['Sandbox', 'Datamodels', 'Retail', 'Master Data', 'Customers'];
    await studio.chooseFromContextMenu([...customers, 'Segment'], 'Add to Open Viewpoint');
    await studio.waitForNotification('No viewpoint is open. Open a viewpoint to add the columns to it.');
    const editor = await files.open('Explorer.viewpoint.json', viewpointFileText);
    const form = await openForm(studio, editor);
    await studio.chooseFromContextMenu([...customers, 'Segment'], 'Add to Open Viewpoint');
    await waitForColumns(form, 'Order Id', 'Unit Price', 'City', 'Segment');
    await studio.chooseFromContextMenu(
      ['Sandbox', 'Datamodels', 'Retail', 'Master Data', 'Regions'],
      'Add to Open Viewpoint',
    );
    await waitFor(
      () => /"table": "Regions", "column": "Region Id"/.test(form.document.getText()),
      () => `The table is not added: ${form.document.getText()}`,
    );
    // A viewpoint that is open as invalid text is not changed.
    await studio.reset();
    const text = await files.open('Text.viewpoint.json', '{');
    await studio.chooseFromContextMenu([...customers, 'Segment'], 'Add to Open Viewpoint');
    await studio.waitForNotification("The open viewpoint isn't valid JSON. Fix the errors first.");
    assert.equal(text.document.getText(), '{');
  });

  test('adding columns to a viewpoint that cannot be edited only shows a message', async ({ studio }) => {
    const scheme = 'read-only-test';
    const provider = vscode.workspace.registerTextDocumentContentProvider(scheme, {
      provideTextDocumentContent: () => viewpointFileText,
    });
    try {
      await vscode.window.showTextDocument(vscode.Uri.from({ scheme, path: '/Old.viewpoint.json' }));
      await studio.chooseFromContextMenu(
        ['Sandbox', 'Datamodels', 'Retail', 'Master Data', 'Regions'],
        'Add to Open Viewpoint',
      );
      await studio.waitForNotification(
        "Nothing was changed. The document isn't valid JSON or can't be edited.",
      );
    } finally {
      provider.dispose();
    }
  });

  test('a viewpoint of the server opens as a form, and is compared with the server', async ({ studio }) => {
    await studio.tree.click(['Sandbox', 'Viewpoints', 'Revenue by Region']);
    await studio.waitForEditor('Revenue by Region.viewpoint.json');
    const page = await studio.findPage(viewType);
    const { value, isReadOnly } = await page.waitForMessage<Received<'document'>>('document');
    assert.equal(readViewpoint(value).name.value, 'Revenue by Region');
    assert.equal(isReadOnly, false);
    // A click opens a preview, which the comparison would replace.
    await vscode.commands.executeCommand('workbench.action.keepEditor');
    await studio.runCommand('Datamodel Studio: Compare with Server');
    await studio.waitForEditor(/Server ↔ Yours/);
    await studio.runCommand('View: Close Editor');
    await studio.waitForEditor('Revenue by Region.viewpoint.json');
    void vscode.commands.executeCommand('datamodelStudio.forms.openText');
    await studio.waitForEditorText('"name": "Revenue by Region"');
    // The form is shown again, and not opened twice.
    await studio.runCommand('Datamodel Studio: Open Form');
    await waitFor(
      () => vscode.window.tabGroups.activeTabGroup.viewColumn === vscode.ViewColumn.One,
      () => 'The form is not in front',
    );
    assert.equal(studio.pages.open.filter((open) => open.viewType === viewType).length, 1);
  });
});
