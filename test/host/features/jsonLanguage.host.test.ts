import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { waitForSaved } from '../support/documents.ts';
import { prepareSandboxAndFiles } from '../support/files.ts';
import {
  acceptProposal,
  applyFix,
  complete,
  findCaret,
  findDefinitions,
  getCodeActions,
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

const viewpoint = `// What the shops ask every morning
{
  "name": "Revenue by day",
  "description": "What customers paid, day by day",
  "details": {
    "datasource": { "title": "Retail", "modelType": "external" },
    "columns": [
      {
        "dim": "",
        "title": "Paid" // after discount
      },
      {
        "table": "Customers",
        "column": "Segment",
        "dim": "[Customers.Segment]",
        "datatype": "text",
        "level": "days"
      }
    ]
  }
}
`;
const rule = `{
  "elasticube": "Retail",
  "table": "Cust",
  "column": "Segmnt", // mistyped
  "datatype": "text",
  "members": ["Business"],
  "allMembers": null,
  "shares": [{ "type": "group", "party": "g1" }]
}
`;
const rules = `[
  // Anyone not named below.
  { "elasticube": "Retail", "table": "Customers", "column": "Segment", "datatype": "text", "members": [], "allMembers": false, "shares": [{ "type": "default" }] },
  { "elasticube": "Retail", "table": "Customers", "column": "Seg", "datatype": "text", "members": ["Business"], "allMembers": false, "shares": [{ "type": "group", "party": "g1" }] } // the shops
]
`;

/** Loads the datamodel Retail, as a user does by expanding it in the Connections view. */
async function loadRetail(studio: HostStudio): Promise<void> {
  await studio.expand(['Sandbox', 'Datamodels', 'Retail']);
}

/** Types before a caret that is marked by `|`. Returns where the caret is afterward. */
async function typeAt(editor: vscode.TextEditor, markedText: string, text: string): Promise<vscode.Position> {
  const caret = findCaret(editor, markedText);
  await editor.edit((edit) => edit.insert(caret, text));
  return caret.translate(0, text.length);
}

/** Saves and returns the file. */
async function saveAndRead({ document }: vscode.TextEditor): Promise<string> {
  await document.save();
  await waitForSaved(document);
  return new TextDecoder().decode(await vscode.workspace.fs.readFile(document.uri));
}

describeStudio('JSON language', prepareSandboxAndFiles, (test) => {
  test('a dim is completed with its table, column and data type', async ({ studio, files }) => {
    await loadRetail(studio);
    const editor = await files.open('paid.viewpoint.json', viewpoint);
    const completions = await waitFor(
      async () => {
        const items = await complete(editor, findCaret(editor, '"dim": "|"'), '"');
        return items.some((item) => getCompletionLabel(item) === '[Orders.Order Id]') ? items : undefined;
      },
      () => 'No column is offered',
    );
    assert.ok(completions.length > 20);
    const caret = await typeAt(editor, '"dim": "|"', 'itemsreven');
    await acceptProposal(editor, caret, '[Order Items.Revenue]');
    const text = await saveAndRead(editor);
    assert.match(
      text,
      /\n {8}"table": "Order Items",\n {8}"column": "Revenue",\n {8}"dim": "\[Order Items\.Revenue\]",/,
    );
    assert.match(text, /\n {8}"datatype": "numeric",\n {8}"title": "Paid" \/\/ after discount\n/);
    assert.match(text, /^\/\/ What the shops ask/);
  });

  test('a column, a keyword and a filter are completed from the type of the column in the datamodel', async ({
    studio,
    files,
  }) => {
    await loadRetail(studio);
    const columns = '{ "details": { "datasource": { "title": "Retail" }, "columns": [ ] } }';
    const editor = await files.open('new.viewpoint.json', columns);
    await acceptProposal(editor, findCaret(editor, '[ |]'), 'Orders.Order Date');
    const [added] = JSON.parse(editor.document.getText()).details.columns;
    assert.deepEqual(added, {
      table: 'Orders',
      column: 'Order Date',
      dim: '[Orders.Order Date (Calendar)]',
      datatype: 'datetime',
      title: 'Order Date',
      level: 'days',
    });
    const level = findCaret(editor, '"level": "da|ys"');
    await acceptProposal(editor, level, 'months');
    assert.equal(JSON.parse(editor.document.getText()).details.columns[0].level, 'months');
    await typeAt(editor, '"level": "months"|', ', "filter": ');
    const filters = await complete(editor, findCaret(editor, '"filter": |'));
    assert.ok(filters.some(({ kind }) => kind === vscode.CompletionItemKind.Snippet));
    const titles = (await complete(editor, findCaret(editor, '"title": "|Retail"'))).map(getCompletionLabel);
    assert.ok(titles.includes('Retail'), titles.join(', '));
  });

  test('a problem of a viewpoint is reported and fixed', async ({ studio, files }) => {
    await loadRetail(studio);
    const editor = await files.open(
      'level.viewpoint.json',
      viewpoint.replace('"dim": "",', '"dim": "[Stores.City]",'),
    );
    const [problem] = await studio.waitForProblemsWithText(
      editor.document.uri,
      'Only a date column can have a "level". This one is text.',
    );
    assert.equal(editor.document.getText(problem?.range), '"level": "days"');
    assert.deepEqual([problem?.source, problem?.severity], ['datamodel', vscode.DiagnosticSeverity.Error]);
    await applyFix(editor, findCaret(editor, '"le|vel"'), 'Remove the level');
    assert.match(await saveAndRead(editor), /"datatype": "text"\n/);
    await waitFor(
      () => !getProblems(editor).some((message) => message.includes('"level"')),
      () => `The problem stays: ${getProblems(editor).join(' | ')}`,
    );
  });

  test('in a rule file, a table is completed, and a mistyped column is reported and fixed', async ({
    studio,
    files,
  }) => {
    await loadRetail(studio);
    const editor = await files.open('segments.rule.json', rule);
    await studio.waitForProblemsWithText(
      editor.document.uri,
      'Unknown table "Cust". The rule has no effect.',
    );
    await acceptProposal(editor, findCaret(editor, '"Cust|"'), 'Customers');
    await studio.waitForProblemsWithText(
      editor.document.uri,
      '"Customers" has no column "Segmnt". The rule has no effect.',
    );
    await applyFix(editor, findCaret(editor, '"Seg|mnt"'), 'Change to "Segment"');
    // A single rule needs no rule for everyone else beside it.
    await waitForProblems(editor);
    const text = await saveAndRead(editor);
    assert.match(text, /"table": "Customers",\n {2}"column": "Segment", \/\/ mistyped\n/);
  });

  test('in a rule set file, a column is completed, and a contradiction and a missing default rule are reported and fixed', async ({
    studio,
    files,
  }) => {
    await loadRetail(studio);
    const editor = await files.open('shops.rules.json', rules);
    await acceptProposal(editor, findCaret(editor, '"Seg|"'), 'Segment');
    const message = '"allMembers" must be null, not false, when members are listed.';
    await waitForProblems(editor, message);
    await applyFix(editor, findCaret(editor, '["Business"], "all|Members"'), 'Set "allMembers" to null');
    await waitForProblems(editor);
    const text = await saveAndRead(editor);
    assert.match(text, /"members": \["Business"\], "allMembers": null,.*\/\/ the shops\n/);
    // Without the first rule, there is none for everyone else.
    await editor.edit((edit) => edit.delete(new vscode.Range(2, 0, 3, 0)));
    const [noDefault] = await studio.waitForProblemsWithText(
      editor.document.uri,
      '"Customers.Segment" has no rule for everyone else. What they see is uncertain.',
    );
    assert.ok(noDefault !== undefined);
    // The fix that is preferred, and applied without a choice, gives no access.
    const defaultFixes = (await getCodeActions(editor, noDefault.range.start)).filter(({ title }) =>
      title.startsWith('Add a rule for everyone else: '),
    );
    const nothing = 'Add a rule for everyone else: no values of Customers.Segment';
    assert.equal(defaultFixes.length, 2);
    assert.deepEqual(
      defaultFixes.filter(({ isPreferred }) => isPreferred === true).map(({ title }) => title),
      [nothing],
    );
    await applyFix(editor, noDefault.range.start, nothing);
    await waitForProblems(editor);
  });

  test('a value in another letter case than in the rules on the server is reported, and corrected', async ({
    studio,
    files,
  }) => {
    await loadRetail(studio);
    const text = rule.replace('"Cust"', '"Customers"').replace('"Segmnt"', '"Segment"');
    const editor = await files.open(
      'letters.rule.json',
      text.replace(/"members": \[[^\]]*\]/, '"members": ["club"]'),
    );
    await studio.waitForProblemsWithText(
      editor.document.uri,
      '"club" is spelled "Club" in other rules on this column.',
    );
    await applyFix(editor, findCaret(editor, '"cl|ub"'), 'Change to "Club"');
    await waitForProblems(editor);
    assert.match(await saveAndRead(editor), /"members": \["Club"\]/);
  });

  test('members and parties are completed from other rules', async ({ studio, files }) => {
    await loadRetail(studio);
    const editor = await files.open(
      'region.rule.json',
      '{ "elasticube": "Retail", "table": "Regions", "column": "Region", "members": [""], "shares": [{ "type": "group", "party": "" }] }',
    );
    const waitForProposals = (markedText: string): Promise<readonly vscode.CompletionItem[]> =>
      waitFor(
        async () => {
          const items = await complete(editor, findCaret(editor, markedText), '"');
          return items.length > 0 ? items : undefined;
        },
        () => `Nothing is offered at ${markedText}`,
      );
    const members = (await waitForProposals('["|"]')).map(getCompletionLabel);
    assert.ok(members.length > 0 && !members.includes('Segment'), members.join(', '));
    // A value that is in the list isn't offered again.
    const [first = '', second = ''] = members;
    await acceptProposal(editor, findCaret(editor, '["|"]'), first);
    await editor.edit((edit) => edit.insert(findCaret(editor, `"${first}"|]`), ', ""'));
    assert.deepEqual((await waitForProposals(', "|"]')).map(getCompletionLabel), members.slice(1));
    await acceptProposal(editor, findCaret(editor, ', "|"]'), second);
    const [party] = await waitForProposals('"party": "|"');
    assert.ok(party !== undefined);
    await acceptProposal(editor, findCaret(editor, '"party": "|"'), getCompletionLabel(party));
    // A rule names a group by its ID.
    assert.match(JSON.parse(editor.document.getText()).shares[0].party, /^[0-9a-f]{24}$/);
  });

  test('hovering describes tables and columns, and Go to Definition leads to the table', async ({
    studio,
    files,
  }) => {
    await loadRetail(studio);
    const editor = await files.open('hover.viewpoint.json', viewpoint);
    const hover = (markedText: string): Promise<string> => readHover(editor, findCaret(editor, markedText));
    assert.match(
      await hover('"table": "Cust|omers"'),
      /^\[Customers\] — table, \d+ columns\n[^]*Used by 2 relations, 2 data security rules \(loaded items only\)\./,
    );
    assert.match(await hover('"[Customers.Seg|ment]"'), /^\[Customers\.Segment\] — Text\n/);
    assert.equal((await hover('"Revenue| by day"')).includes('Revenue by day'), false);
    const [target] = await findDefinitions(editor, findCaret(editor, '"table": "Cust|omers"'));
    const uri = target instanceof vscode.Location ? target.uri : target?.targetUri;
    assert.match(uri?.path ?? '', /\/Customers\.table\.json$/);
    assert.deepEqual(await findDefinitions(editor, findCaret(editor, '"Paid|"')), []);

    const rulesEditor = await files.open('hover.rules.json', rules.replace('"Seg"', '"Segment"'));
    assert.match(
      await readHover(rulesEditor, findCaret(rulesEditor, '"column": "Seg|ment"')),
      /^\[Customers\.Segment\] — Text\n/,
    );
    assert.equal(
      await readHover(rulesEditor, findCaret(rulesEditor, '"elasticube": "Ret|ail"')).then((text) =>
        text.includes('table'),
      ),
      false,
    );
  });

  test('names are renamed within a document, which has an outline', async ({ studio, files }) => {
    await loadRetail(studio);
    const editor = await files.open('rename.viewpoint.json', viewpoint);
    // The box of F2 and its range without quotes match.
    assert.deepEqual(await prepareRename(editor, findCaret(editor, '"column": "Seg|ment"')), [
      'Segment',
      'Segment',
    ]);
    await vscode.workspace.applyEdit(
      await requestRename(editor, findCaret(editor, '"column": "Seg|ment"'), 'Kind'),
    );
    assert.match(editor.document.getText(), /"column": "Kind",\n {8}"dim": "\[Customers\.Kind\]"/);
    await vscode.workspace.applyEdit(
      await requestRename(editor, findCaret(editor, '"table": "Cust|omers"'), 'Clients'),
    );
    assert.match(editor.document.getText(), /"table": "Clients",[^}]*"dim": "\[Clients\.Kind\]"/);
    await assert.rejects(
      async () => requestRename(editor, findCaret(editor, '"table": "Cli|ents"'), ' '),
      /Enter a name/,
    );
    await assert.rejects(
      async () => requestRename(editor, findCaret(editor, '"Revenue by| day"'), 'Other'),
      /Only tables and columns can be renamed here/,
    );
    const [outline]: vscode.DocumentSymbol[] = await vscode.commands.executeCommand(
      'vscode.executeDocumentSymbolProvider',
      editor.document.uri,
    );
    assert.equal(outline?.name, 'Revenue by day');
    assert.deepEqual(
      outline.children.map(({ name, detail }) => [name, detail]),
      [
        ['Paid', ''],
        ['Kind', '[Clients.Kind] · days'],
      ],
    );
  });

  test('a datamodel that the connection does not have is no error, but is reported', async ({
    studio,
    files,
  }) => {
    await loadRetail(studio);
    const editor = await files.open(
      'elsewhere.rules.json',
      rules.replaceAll('"Retail"', '"Elsewhere"').replace('"Seg"', '"Segment"').replaceAll('false', 'null'),
    );
    const [problem] = await studio.waitForProblemsWithText(
      editor.document.uri,
      'The current connection has no datamodel "Elsewhere", so tables and columns aren\'t checked.',
    );
    assert.equal(problem?.severity, vscode.DiagnosticSeverity.Information);
    assert.equal(editor.document.getText(problem.range), '"Elsewhere"');
    assert.deepEqual(
      await readHover(editor, findCaret(editor, '"table": "Cust|omers"')).then((text) =>
        text.includes('columns'),
      ),
      false,
    );
  });

  test('a document of the server has the same language features, for the datamodel in its address', async ({
    studio,
  }) => {
    await studio.chooseFromContextMenu(['Sandbox', 'Viewpoints', 'Revenue by Region'], 'Open as JSON');
    const editor = await studio.waitForEditorText('"name": "Revenue by Region"');
    const [column] = JSON.parse(editor.document.getText()).details.columns;
    const marked = `"${column.dim.slice(0, -1)}|]"`;
    await waitFor(
      async () => (await readHover(editor, findCaret(editor, marked))).includes(column.column),
      () => 'The column is not described',
    );
    const dim = column.dim.replace(']', 'x]');
    await editor.edit((edit) => edit.insert(findCaret(editor, marked), 'x'));
    const [problem] = await studio.waitForProblemsWithText(
      editor.document.uri,
      /The "dim" of this column must be/,
    );
    assert.ok(problem !== undefined && editor.document.getText(problem.range).includes(dim));
  });

  test('rules of the server belong to the datamodel in their address, even if their text names another datamodel', async ({
    studio,
  }) => {
    await studio.chooseFromContextMenu(
      ['Sandbox', 'Datamodels', 'Retail', 'Data Security', 'Regions.Region'],
      'Open as JSON',
    );
    await studio.waitForEditorText('"Region"');
    const editor = await studio.waitForEditorText(/"elasticube": "Retail"/);
    await studio.replaceText(editor.document.getText().replaceAll('"Retail"', '"Elsewhere"'));
    await waitFor(
      async () =>
        (await readHover(editor, findCaret(editor, '"column": "Reg|ion"'))).includes('[Regions.Region]'),
      () => 'The column is not described',
    );
  });
});
