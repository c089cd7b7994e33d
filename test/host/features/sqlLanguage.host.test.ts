import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { prepareSandboxAndFiles } from '../support/files.ts';
import {
  acceptProposal,
  applyFix,
  complete,
  findCaret,
  findDefinitions,
  getCompletionLabel,
  getProblems,
  waitForProblems,
  readHover,
  prepareRename,
  requestRename,
} from '../support/language.ts';
import type { HostStudio } from '../support/studio.ts';
import { describeStudio } from '../support/suite.ts';
import { waitFor } from '../support/waiting.ts';

const salesQuery = `WITH sales AS (
  SELECT o.[Store Id] AS store, SUM(i.[Revenue]) AS revenue
  FROM [Orders] o
  JOIN [Order Items] i ON i.[Order Id] = o.[Order Id]
  GROUP BY o.[Store Id]
)
SELECT s.[Store], m.revenue
FROM sales m
JOIN [Stores] s ON s.[Store Id] = m.store
ORDER BY m.revenue
`;
const existsQuery = `SELECT o.[Status] FROM [Orders] o
WHERE EXISTS (SELECT 1 FROM [Stores] s WHERE s.[Store Id] = o.[Store Id])
`;

/** Picks the datamodel Retail for the active file, even if it is picked already: a choice applies to the whole folder. */
async function pickRetail(studio: HostStudio): Promise<void> {
  await studio.runCommand('Datamodel Studio: Select Datamodel for SQL File…');
  await studio.selectQuickPick('Retail');
  await studio.waitForStatusBarItem('Retail');
}

/** Types at the end of the text, and accepts a proposal there. */
async function typeAndAccept(editor: vscode.TextEditor, typed: string, label: string): Promise<void> {
  const append = (text: string): Thenable<boolean> =>
    editor.edit((edit) => edit.insert(editor.document.positionAt(editor.document.getText().length), text));
  await append(typed);
  await acceptProposal(editor, editor.document.positionAt(editor.document.getText().length), label);
}

describeStudio('SQL language', prepareSandboxAndFiles, (test) => {
  test('mistakes are reported and fixed once a datamodel is chosen', async ({ studio, files }) => {
    const text = 'SELECT o.[Statsu], [Order Id] FROM Orders o, [Order Items] i\n';
    const editor = await files.open('typo.datamodel.sql', text);
    await studio.waitForStatusBarItem(/Select Datamodel|Retail/);
    await pickRetail(studio);
    await waitForProblems(
      editor,
      'Orders (o) has no column "Statsu"',
      'Ambiguous column "Order Id": found in Orders (o), Order Items (i)',
    );
    await applyFix(editor, findCaret(editor, '[St|atsu]'), 'Change to [Status]');
    await applyFix(editor, findCaret(editor, ', [Or|der Id]'), 'Change to o.[Order Id]');
    assert.equal(
      editor.document.getText(),
      'SELECT o.[Status], o.[Order Id] FROM Orders o, [Order Items] i\n',
    );
    await waitForProblems(editor);
  });

  test('the engine of the sandbox checks an expression, and its problem disappears when the text changes', async ({
    studio,
    files,
  }) => {
    const editor = await files.open('bad.datamodel.sql', 'SELECT MADE_UP(o.[Status]) FROM Orders o');
    await pickRetail(studio);
    await studio.waitForStatusBarItem('Retail');
    // A function that the extension does not know may still exist.
    await waitForProblems(editor);
    await waitFor(
      () => studio.contextKeys['datamodelStudio.sql.onSandbox'] === true,
      () => 'Checking is not offered',
    );
    await studio.runCommand('Datamodel Studio: Check Expression');
    const [problem] = await studio.waitForProblemsWithText(editor.document.uri, 'no such function: MADE_UP');
    assert.equal(problem?.source, 'sandbox engine');
    assert.equal(editor.document.getText(problem.range), 'MADE_UP');
    await editor.edit((edit) => edit.insert(new vscode.Position(0, 40), ' '));
    await waitForProblems(editor);
    await studio.runCommand('View: Close All Editors');
    void vscode.commands.executeCommand('datamodelStudio.sql.checkExpression');
    await studio.waitForNotification('To check an expression, open the SQL of a sandbox datamodel.');
  });

  test('SQL is formatted, unless it is too long', async ({ studio, files }) => {
    const editor = await files.open(
      'wild.datamodel.sql',
      'SELECT o.[Status],COUNT(*) AS n FROM [Orders] o GROUP BY o.[Status]',
    );
    await studio.runCommand('Format Document');
    const formatted = 'SELECT\n  o.[Status],\n  COUNT(*) AS n\nFROM\n  [Orders] o\nGROUP BY\n  o.[Status]';
    await studio.waitForEditorText(formatted);
    assert.equal(editor.document.getText(), formatted);
    const long = `SELECT ${'1 + '.repeat(200_000)}1`;
    const { document } = await files.open('long.datamodel.sql', long);
    await studio.runCommand('Format Document');
    await studio.waitForNotification("Can't format the SQL: it's too long or nested too deeply.");
    assert.equal(document.getText(), long);
  });

  test('a query is written with proposals for keywords, tables, joins and columns', async ({
    studio,
    files,
  }) => {
    const editor = await files.open('new.datamodel.sql', '');
    await pickRetail(studio);
    await typeAndAccept(editor, 'se', 'SELECT');
    await typeAndAccept(editor, ' * fr', 'FROM');
    await typeAndAccept(editor, ' ', 'Orders');
    await typeAndAccept(editor, ' o jo', 'JOIN');
    await typeAndAccept(editor, ' ', 'Order Items');
    await typeAndAccept(editor, ' i o', 'ON');
    await typeAndAccept(editor, ' ', 'o.[Order Id] = i.[Order Id]');
    // Keywords are completed in the letter case of the typed text: here, in lower case.
    assert.equal(
      editor.document.getText(),
      'select * from Orders o join [Order Items] i on o.[Order Id] = i.[Order Id]',
    );
    // Proposals are offered inside brackets, but not in a string.
    await editor.edit((edit) => edit.replace(new vscode.Range(0, 7, 0, 8), 'i.[un]'));
    const items = await complete(editor, findCaret(editor, '[un|]'));
    const unitPrice = items.find((item) => getCompletionLabel(item) === 'Unit Price');
    assert.ok(unitPrice?.range instanceof vscode.Range);
    assert.equal(editor.document.getText(unitPrice.range), '[un]');
    assert.equal(unitPrice.insertText, '[Unit Price]');
    await editor.edit((edit) => edit.insert(new vscode.Position(0, 200), " WHERE o.[Status] = 'or -- or'"));
    const proposalsInString = await complete(editor, findCaret(editor, "-- or|'"));
    assert.deepEqual(
      proposalsInString.filter(({ kind }) => kind !== vscode.CompletionItemKind.Text),
      [],
    );
  });

  test('names are renamed within a query, and their definitions and references are found', async ({
    studio,
    files,
  }) => {
    const editor = await files.open('report.datamodel.sql', salesQuery);
    await pickRetail(studio);
    await vscode.workspace.applyEdit(await requestRename(editor, findCaret(editor, 'SELECT s|.'), 'shop'));
    const renamed = salesQuery
      .replace('s.[Store], ', 'shop.[Store], ')
      .replace('[Stores] s ON s.', '[Stores] shop ON shop.');
    assert.equal(editor.document.getText(), renamed);
    await vscode.workspace.applyEdit(
      await requestRename(editor, findCaret(editor, 'BY m.rev|enue'), 'total sales'),
    );
    assert.equal(
      editor.document.getText(),
      renamed.replace('AS revenue', 'AS [total sales]').replaceAll('m.revenue', 'm.[total sales]'),
    );
    // The box and its range without brackets match.
    assert.deepEqual(await prepareRename(editor, findCaret(editor, 'BY m.[total| sales]')), [
      'total sales',
      'total sales',
    ]);
    await waitForProblems(editor);
    const [column] = await findDefinitions(editor, findCaret(editor, 'BY m.[to|tal'));
    assert.ok(column instanceof vscode.Location);
    assert.deepEqual(column.range.start, new vscode.Position(1, 52));
    const [table] = await findDefinitions(editor, findCaret(editor, 'FROM [Or|ders]'));
    assert.ok(table instanceof vscode.Location);
    assert.match(table.uri.path, /\/Orders\.table\.json$/);
    const references: vscode.Location[] = await vscode.commands.executeCommand(
      'vscode.executeReferenceProvider',
      editor.document.uri,
      findCaret(editor, 'sales m|'),
    );
    assert.deepEqual(
      references.map(({ range }) => range.start.line),
      [6, 7, 8, 9],
    );
  });

  test('hovering describes names and functions, and the SQL has an outline', async ({ studio, files }) => {
    const editor = await files.open('hover.datamodel.sql', salesQuery);
    await pickRetail(studio);
    const hover = (markedText: string): Promise<string> => readHover(editor, findCaret(editor, markedText));
    assert.match(await hover('FROM [Or|ders]'), /Orders[^]*table · \d+ columns/);
    assert.match(await hover('o.[Store| Id] AS'), /Store Id[^]*column/);
    assert.match(await hover('S|UM('), /SUM[^]*function/);
    const help: vscode.SignatureHelp = await vscode.commands.executeCommand(
      'vscode.executeSignatureHelpProvider',
      editor.document.uri,
      findCaret(editor, 'SUM(|'),
      '(',
    );
    const [signature] = help.signatures;
    assert.ok(signature !== undefined);
    assert.match(signature.label, /^SUM\(/i);
    const range = signature.parameters[0]?.label;
    assert.ok(Array.isArray(range));
    assert.equal(signature.label.slice(...range), 'x');
    assert.equal(help.activeParameter, 0);
    const symbols: vscode.DocumentSymbol[] = await vscode.commands.executeCommand(
      'vscode.executeDocumentSymbolProvider',
      editor.document.uri,
    );
    assert.equal(symbols[0]?.name, 'sales');
    const folds: vscode.FoldingRange[] = await vscode.commands.executeCommand(
      'vscode.executeFoldingRangeProvider',
      editor.document.uri,
    );
    assert.equal(
      folds.some(({ start }) => start === 0),
      true,
    );
    const tokens: vscode.SemanticTokens = await vscode.commands.executeCommand(
      'vscode.provideDocumentSemanticTokens',
      editor.document.uri,
    );
    assert.ok(tokens.data.length > 0 && tokens.data.length % 5 === 0);
  });

  test('the SQL of custom tables and columns opens from the Connections view and is checked', async ({
    studio,
  }) => {
    await studio.chooseFromContextMenu(
      ['Sandbox', 'Datamodels', 'Retail', 'Custom Tables', 'Customer Value'],
      'Open SQL',
    );
    await studio.waitForEditor('Customer Value.datamodel.sql');
    await studio.waitForStatusBarItem('Retail');
    const waitForCheckOffered = () =>
      waitFor(
        () => studio.contextKeys['datamodelStudio.sql.onSandbox'] === true,
        () => 'Checking is not offered',
      );
    await waitForCheckOffered();
    await studio.runCommand('Datamodel Studio: Check Expression');
    await studio.waitForNotification(/accepted the query. Columns: Customer Id, Customer, Orders/);
    await studio.chooseFromContextMenu(
      ['Sandbox', 'Datamodels', 'Retail', 'Sales', 'Orders', 'Order Month'],
      'Open SQL',
    );
    await studio.waitForEditor('Order Month.datamodel.sql');
    const editor = await studio.waitForEditorText(
      'CREATEDATE(GETYEAR([Order Date]), GETMONTH([Order Date]), 01)',
    );
    await waitForCheckOffered();
    await studio.runCommand('Datamodel Studio: Check Expression');
    await studio.waitForNotification(/accepted the expression/);
    assert.deepEqual(getProblems(editor), []);
  });

  test('a rename that would change the meaning of a name is refused, and a table is renamed everywhere', async ({
    studio,
    files,
  }) => {
    const editor = await files.open('own.datamodel.sql', existsQuery);
    await pickRetail(studio);
    await assert.rejects(
      async () => requestRename(editor, findCaret(editor, '[Orders] o|'), 's'),
      /Can't rename to "s": "o" on line 2 refers to the alias "o" on line 1 and would refer to the alias "s" on line 2/,
    );
    await assert.rejects(
      async () => requestRename(editor, findCaret(editor, '[Orders] o|'), ' '),
      /Enter a name/,
    );
    assert.equal(editor.document.getText(), existsQuery);
    await vscode.workspace.applyEdit(await requestRename(editor, findCaret(editor, '[Orders] o|'), 'ord'));
    const renamed = existsQuery.replaceAll('o.[', 'ord.[').replace('] o\n', '] ord\n');
    assert.equal(editor.document.getText(), renamed);
    // A table belongs to the datamodel: its references are shown before anything is sent.
    await requestRename(editor, findCaret(editor, '[Or|ders]'), 'Sales Orders');
    await studio.quickInput.waitForRow('Customer Value');
    const references = studio.quickInput.current?.getItems() ?? [];
    studio.quickInput.current?.choose(
      references.filter(({ kind }) => kind !== vscode.QuickPickItemKind.Separator),
    );
    const plan = await studio.findPage('datamodelStudio.plan', 'Review Changes: Rename Orders');
    await plan.waitForMessage('plan');
    plan.post({ type: 'apply' });
    await studio.waitForStatusBarItem('Renamed Orders to Sales Orders');
    await studio.waitForEditorText(renamed.replace('[Orders]', '[Sales Orders]'));
    await waitForProblems(editor);
  });
});
