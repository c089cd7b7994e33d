import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { fetchTable } from '../../editor/support/demo.ts';
import { acceptProposal, applyFix, requestRename } from '../support/language.ts';
import type { HostStudio } from '../support/studio.ts';
import { describeOnSandbox } from '../support/suite.ts';
import { waitFor } from '../support/waiting.ts';

const retail = ['Sandbox', 'Datamodels', 'Retail'] as const;

/** The position after the first occurrence of a text. */
function findPositionAfter({ document }: vscode.TextEditor, text: string): vscode.Position {
  const index = document.getText().indexOf(text);
  assert.ok(index >= 0, `${text} is there`);
  return document.positionAt(index + text.length);
}

async function openAsJson(studio: HostStudio, table: string): Promise<vscode.TextEditor> {
  await studio.chooseFromContextMenu([...retail, 'Sales', table], 'Open as JSON');
  await studio.waitForEditor(`${table}.table.json`);
  return studio.waitForEditorText('"columns"');
}

describeOnSandbox('the JSON of a table', (test) => {
  test('a column is renamed by F2 and by a save, with all references', async ({ studio, sandbox }) => {
    const editor = await openAsJson(studio, 'Orders');
    const { document } = editor;
    const position = findPositionAfter(editor, '"name": "Status').translate(0, -2);
    const renamed = vscode.commands.executeCommand<vscode.WorkspaceEdit>(
      'vscode.executeDocumentRenameProvider',
      document.uri,
      position,
      'State',
    );
    await studio.quickInput.waitForRow('Monthly Store Sales');
    await studio.quickInput.current?.accept();
    await renamed;
    const plan = await studio.findPage('datamodelStudio.plan', 'Review Changes: Rename Status');
    await plan.waitForMessage('plan');
    plan.post({ type: 'apply' });
    await studio.waitForStatusBarItem('Renamed Status to State');
    await studio.waitForEditorText(/"name": "State"/);
    await studio.waitForEditorText(/WHEN \[State\] = 'Canceled'/);
    const sales = (await fetchTable(sandbox, 'Retail', 'Monthly Store Sales')).table;
    assert.match(JSON.stringify(sales.expression), /\[State\]/);

    // When the name is edited in the text, the save offers to update the other references.
    const reopened = vscode.window.activeTextEditor;
    assert.equal(reopened?.document, document);
    await reopened?.edit((edit) => {
      const end = findPositionAfter(reopened, '"name": "State');
      edit.replace(new vscode.Range(end.translate(0, -2), end), 'ge');
    });
    const saved = document.save();
    await studio.quickInput.waitForRow('Monthly Store Sales');
    await studio.quickInput.current?.accept();
    await saved;
    await waitFor(
      () => !document.isDirty,
      () => 'The document stays unsaved',
    );
    await studio.waitForEditorText(/WHEN \[Stage\] = 'Canceled'/);
    const { table } = await fetchTable(sandbox, 'Retail', 'Orders');
    assert.ok(table.columns?.some(({ name }) => name === 'Stage'));
  });

  test('a name is not renamed on the server while its document has unsaved changes', async ({ studio }) => {
    const editor = await openAsJson(studio, 'Orders');
    const position = findPositionAfter(editor, '"name": "Orders').translate(0, -2);
    await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), '\n'));
    await assert.rejects(
      async () => requestRename(editor, position.translate(1), 'Purchases'),
      /Save this document first\. Renaming changes it on the server\./,
    );
    assert.equal(studio.quickInput.current, undefined);
  });

  test('SQL inside the JSON is completed, saved, built, checked and fixed', async ({ studio, sandbox }) => {
    const editor = await openAsJson(studio, 'Order Items');
    const { document } = editor;
    const insert = (precedingText: string, text: string): Thenable<boolean> =>
      editor.edit((edit) => edit.insert(findPositionAfter(editor, precedingText), text));
    await insert('[Quantity] * [Unit Price]', ' * [Dis');
    await acceptProposal(editor, findPositionAfter(editor, '* [Dis'), 'Discount');
    assert.ok(await document.save());
    const { table } = await fetchTable(sandbox, 'Retail', 'Order Items');
    assert.match(JSON.stringify(table), /"\[Quantity\] \* \[Unit Price\] \* \[Discount\]"/);
    await studio.chooseFromContextMenu(retail, 'Build', 'More Options…');
    await studio.selectQuickPick('Replace All');
    await studio.waitForStatusBarItem(/Retail built in/);

    await insert(
      '[Unit Price] * [Discount]',
      ' + Lookup([Products], [Lst Price], [Product Id], [Product Id])',
    );
    const [problem] = await studio.waitForProblemsWithText(
      document.uri,
      'Products has no column "Lst Price"',
    );
    assert.ok(problem);
    await applyFix(editor, problem.range.start, 'Change to [List Price]');
    await studio.waitForEditorText('Lookup([Products], [List Price]');
    await waitFor(
      () => !vscode.languages.getDiagnostics(document.uri).some(({ message }) => message.includes('Lst')),
      () => 'The problem stays',
    );
  });

  test('the SQL of a custom column or table opens from the JSON', async ({ studio }) => {
    const openSql = async (editor: vscode.TextEditor, caret: vscode.Position): Promise<void> => {
      await vscode.window.showTextDocument(editor.document, { preview: false });
      const shown = await studio.waitForEditorText('"columns"');
      shown.selection = new vscode.Selection(caret, caret);
      await studio.runCommand('Open SQL');
    };
    const orders = await openAsJson(studio, 'Orders');
    const lenses = await vscode.commands.executeCommand<readonly vscode.CodeLens[]>(
      'vscode.executeCodeLensProvider',
      orders.document.uri,
    );
    const [lens] = lenses.filter(({ range }) =>
      orders.document.lineAt(range.start).text.includes('[Order Date]'),
    );
    assert.equal(lens?.command?.title, 'Open SQL');
    await vscode.commands.executeCommand(lens.command.command, ...(lens.command.arguments ?? []));
    await studio.waitForEditor('Order Day.datamodel.sql');
    assert.equal(vscode.window.activeTextEditor?.document.languageId, 'datamodel-document-sql');

    await openSql(orders, findPositionAfter(orders, '"name": "Order Day'));
    await studio.waitForEditor('Order Day.datamodel.sql');
    // Elsewhere, several columns could be meant.
    await openSql(orders, new vscode.Position(0, 0));
    await studio.waitForNotification('Place the cursor in a custom column to open its SQL.');

    await studio.chooseFromContextMenu([...retail, 'Custom Tables', 'Customer Value'], 'Open as JSON');
    await studio.waitForEditor('Customer Value.table.json');
    const customerValue = await studio.waitForEditorText('"columns"');
    await openSql(customerValue, new vscode.Position(0, 0));
    await studio.waitForEditor('Customer Value.datamodel.sql');
    const { uri } = vscode.window.activeTextEditor?.document ?? {};
    // The same document opens from the Connections view.
    await studio.chooseFromContextMenu([...retail, 'Custom Tables', 'Customer Value'], 'Open SQL');
    await studio.waitForEditor('Customer Value.datamodel.sql');
    assert.equal(vscode.window.activeTextEditor?.document.uri.toString(), uri?.toString());

    const returns = await openAsJson(studio, 'Returns');
    await openSql(returns, new vscode.Position(0, 0));
    await studio.waitForNotification(/^No SQL found/);
  });

  test('a mistake in SQL is reported once, even if two editors show it', async ({ studio }) => {
    const path = [...retail, 'Custom Tables', 'Customer Value'];
    await studio.chooseFromContextMenu(path, 'Open as JSON');
    await studio.waitForEditor('Customer Value.table.json');
    const json = await studio.waitForEditorText('"columns"');
    const misspell = (editor: vscode.TextEditor): Thenable<boolean> =>
      editor.edit((edit) =>
        edit.insert(findPositionAfter(editor, 'GROUP BY c.[Customer Id').translate(0, -1), 'i'),
      );
    const message = 'Customers (c) has no column "Customer Iid"';
    const isReportedIn = ({ document }: vscode.TextEditor): boolean =>
      vscode.languages.getDiagnostics(document.uri).some((problem) => problem.message === message);

    await misspell(json);
    await studio.waitForProblemsWithText(json.document.uri, message);

    await studio.chooseFromContextMenu(path, 'Open SQL');
    await studio.waitForEditor('Customer Value.datamodel.sql');
    const sql = await studio.waitForEditorText('GROUP BY c.[Customer Id]');
    assert.ok(isReportedIn(json), 'the SQL editor does not show the mistake');

    await misspell(sql);
    await waitFor(
      () => isReportedIn(sql) && !isReportedIn(json),
      () => `In SQL: ${isReportedIn(sql)}, in JSON: ${isReportedIn(json)}`,
    );

    const jsonEditor = await vscode.window.showTextDocument(json.document);
    await jsonEditor.edit((edit) =>
      edit.insert(findPositionAfter(jsonEditor, 'GROUP BY c.[Customer Iid], c.[Full '), 'x'),
    );
    await studio.waitForProblemsWithText(json.document.uri, 'Customers (c) has no column "Full xName"');
    assert.ok(!isReportedIn(json));
  });
});
