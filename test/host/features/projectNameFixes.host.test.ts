import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { formatFile, paths, validFiles } from '../../support/projectFiles.ts';
import { addConnection } from '../support/connections.ts';
import { changeFiles, createFileProject, waitForCompletion } from '../support/fileProjects.ts';
import { applyFix, findCaret, getCodeActions } from '../support/language.ts';
import { describeStudio, startHostSandbox } from '../support/suite.ts';
import { waitFor } from '../support/waiting.ts';

const itemsPath = 'datamodels/Retail/tables/Items.table.json';
const environmentPath = 'environments/prod.json';

const listProblems = (uri: vscode.Uri): readonly string[] =>
  vscode.languages.getDiagnostics(uri).map(({ code }) => (typeof code === 'string' ? code : 'other'));

const waitForProblems = (uri: vscode.Uri, ...expected: readonly string[]): Promise<unknown> =>
  waitFor(
    () => JSON.stringify(listProblems(uri)) === JSON.stringify(expected),
    () => `The problems are ${listProblems(uri).join(', ')}`,
  );

/** The fixes at a caret, as titles; the preferred one has a `!`. */
const listFixes = async (editor: vscode.TextEditor, markedText: string): Promise<readonly string[]> =>
  (await getCodeActions(editor, findCaret(editor, markedText)))
    .filter(({ kind }) => kind?.contains(vscode.CodeActionKind.QuickFix) === true)
    .map(({ title, isPreferred }) => `${isPreferred === true ? '!' : ''}${title}`)
    .filter((title) => title.includes('Change to'));

describeStudio(
  'misspelled names in the files of a project',
  () => Promise.resolve({ options: { settings: { 'files.autoSave': 'off' } } }),
  (test) => {
    test('in relations, tables, references, and viewpoints have fixes, also in unsaved text', async () => {
      await using files = await createFileProject();
      const cases = [
        [paths.relation, '"table": "Items"', '"table": "Itmes"', 'reference/unknown-table', 'Items'],
        [paths.relation, '"column": "Order"', '"column": "Ordr"', 'reference/unknown-column', 'Order'],
        [paths.orders, '"dataset": "Sales"', '"dataset": "Slaes"', 'reference/unknown-dataset', 'Sales'],
        [paths.orders, '"description"', '"descripton"', 'project/schema', 'description'],
        [paths.orders, 'Orders/Label.', 'Orders/Labl.', 'project/missing-sql', 'Orders/Label.datamodel.sql'],
        [itemsPath, '"table": "Items"', '"table": "Item"', 'reference/unknown-table', 'Items'],
        [paths.viewpoint, '"title": "Retail"', '"title": "Retial"', 'viewpoint/unknown-datamodel', 'Retail'],
        [paths.rules, '"table": "Orders"', '"table": "Order"', 'project/invalid-content', 'Orders'],
      ] as const;
      for (const [path, right, wrong, code, name] of cases) {
        const editor = await files.show(path);
        const text = editor.document.getText();
        // With one more line, the fix has to be where the name is in the unsaved text.
        await files.edit(editor, right, wrong);
        await changeFiles((edit) => edit.insert(editor.document.uri, new vscode.Position(0, 0), '\n'));
        // The fix is where the problem is shown, which is the whole name.
        const { range } = await waitFor(
          () =>
            vscode.languages
              .getDiagnostics(editor.document.uri)
              .find(
                (problem) =>
                  problem.code === code && /^"[^"]+"$/.test(editor.document.getText(problem.range)),
              ),
          () => `${path}: ${listProblems(editor.document.uri).join(', ')}`,
        );
        await applyFix(editor, range.start, `Change to "${name}"`);
        await waitFor(
          () => !listProblems(editor.document.uri).includes(code),
          () => `${path}: ${listProblems(editor.document.uri).join(', ')}`,
        );
        assert.equal(editor.document.getText(), `\n${text}`);
        await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
      }
    });

    test('have fixes that are not preferred in rules and relations, where a fix changes who sees what', async () => {
      const rule = { cubeSet: 'All', table: 'Order', column: 'Status', datatype: 'text', members: [] };
      await using files = await createFileProject({
        [paths.cubeSet]: [{ ...rule, allMembers: true, shares: [{ type: 'default' }] }],
        [itemsPath]: {
          ...(validFiles[itemsPath] as object),
          columns: ['Order', 'Status', 'Statue', 'State', 'Static'].map((name) => ({ name, type: 18 })),
        },
        [paths.relation]: formatFile(validFiles[paths.relation])
          .replace('"Order"', '"Statu"')
          .replace('"Orders"', '"Ordres"'),
      });
      const relation = await files.show(paths.relation);
      await waitForProblems(relation.document.uri, 'reference/unknown-column', 'reference/unknown-table');
      assert.deepEqual(await listFixes(relation, '"Ordr|es"'), ['Change to "Orders"']);
      assert.deepEqual(await listFixes(relation, '"Sta|tu"'), [
        'Change to "Status"',
        'Change to "Statue"',
        'Change to "State"',
      ]);
      const cubeSet = await files.show(paths.cubeSet);
      await waitFor(
        () => listProblems(cubeSet.document.uri).includes('rules/unknown-table'),
        () => listProblems(cubeSet.document.uri).join(', '),
      );
      // The code for rules is loaded with the first file of rules.
      const fixes = await waitFor(
        async () => {
          const found = await listFixes(cubeSet, '"table": "Or|der"');
          return found.length === 0 ? undefined : found;
        },
        () => 'The table has no fix',
      );
      assert.deepEqual(fixes, ['Change to "Orders"']);
    });

    test('in rules and viewpoints have fixes, even if the file of another table cannot be read', async () => {
      await using files = await createFileProject({
        [itemsPath]: '{',
        [paths.rules]: formatFile(validFiles[paths.rules]).replaceAll('"Status"', '"Statsu"'),
        [paths.viewpoint]: formatFile(validFiles[paths.viewpoint]).replaceAll(/"Status"|Status\]/g, (name) =>
          name.replace('us', 'su'),
        ),
      });
      for (const [path, code, caret] of [
        [paths.rules, 'rules/unknown-column', '"column": "Stat|su"'],
        [paths.viewpoint, 'viewpoint/unknown-column', '"column": "Stat|su"'],
      ] as const) {
        const editor = await files.show(path);
        await waitFor(
          () => listProblems(editor.document.uri).includes(code),
          () => listProblems(editor.document.uri).join(', '),
        );
        await applyFix(editor, findCaret(editor, caret), 'Change to "Status"');
        assert.match(editor.document.getText(), /"column": "Status"/);
      }
    });

    test('in environments and settings have fixes', async () => {
      await using files = await createFileProject({
        [environmentPath]: {
          url: 'https://analytics.example.com',
          role: 'staging',
          connections: { Retail: { Slaes: {} } },
        },
        'environments/test.json': { url: 'https://test.example.com', connections: { Retial: {} } },
      });
      const other = files.project.getUri('environments/test.json');
      await waitForProblems(other, 'settings/unknown-datamodel');
      const otherEnvironment = await files.show('environments/test.json');
      await applyFix(otherEnvironment, findCaret(otherEnvironment, '"Ret|ial"'), 'Change to "Retail"');
      const environment = await files.show(environmentPath);
      const { uri } = environment.document;
      await waitForProblems(uri, 'settings/unknown-dataset');
      assert.deepEqual(await listFixes(environment, '"Sla|es"'), ['!Change to "Sales"']);
      // The findings are those of the file on disk, but the fix is made for the text.
      await changeFiles((edit) => edit.insert(uri, new vscode.Position(0, 0), '\n'));
      await applyFix(environment, findCaret(environment, '"Sla|es"'), 'Change to "Sales"');
      await vscode.workspace.saveAll();
      await waitForProblems(uri);
      await waitForProblems(other);

      const settings = await files.show('datamodel-studio.json');
      await files.edit(settings, '"version": 1', '"version": 1, "manage": {"datamodels": ["Retial"]}');
      assert.ok(await settings.document.save());
      await waitForProblems(settings.document.uri, 'settings/unmatched-pattern');
      await applyFix(settings, findCaret(settings, '"Ret|ial"'), 'Change to "Retail"');
      assert.ok(await settings.document.save());
      await waitForProblems(settings.document.uri);
    });

    test('are avoided in the types of columns, which completion offers by name', async () => {
      await using files = await createFileProject();
      const table = await files.show(paths.orders);
      await files.edit(table, '"type": 8', '"type": ');
      const caret = '"name": "Id",\n      "type": |';
      await waitForCompletion(table, caret, 'Integer (8)');
      await waitForCompletion(table, caret, 'Text (18)');
    });
  },
);

describeStudio(
  'misspelled users and groups in the files of a project',
  async (disposables) => {
    const sandbox = disposables.use(await startHostSandbox());
    return { sandbox, options: { settings: { 'files.autoSave': 'off' } } };
  },
  (test) => {
    test('have fixes once the users and groups of the instance are known', async ({ studio, sandbox }) => {
      await addConnection(studio, { name: 'Shop', url: sandbox.url, token: sandbox.adminToken });
      await using files = await createFileProject({
        'environments/test.json': { url: sandbox.url, role: 'development' },
        [paths.rules]: formatFile(validFiles[paths.rules]).replace('"Sales"', '"Slaes"'),
      });
      const rules = await files.showRules();
      assert.deepEqual(await listFixes(rules, '"Sla|es"'), []);
      await studio.runCommand('Datamodel Studio: Show Effective Access from Files…');
      await studio.findPage('datamodelStudio.access', 'Effective Access: Retail (files)');
      await files.show(paths.rules);
      // The fix changes who sees what, so it's never preferred.
      await waitFor(
        async () => (await listFixes(rules, '"Sla|es"')).join() === 'Change to "Sales"',
        () => 'The group has no fix',
      );
      await applyFix(rules, findCaret(rules, '"Sla|es"'), 'Change to "Sales"');
      assert.equal(rules.document.getText(), formatFile(validFiles[paths.rules]));
    });
  },
);
