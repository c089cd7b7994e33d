import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { fetchTable } from '../../editor/support/demo.ts';
import { findCaret, requestRename } from '../support/language.ts';
import { TestProject } from '../support/projects.ts';
import { applyPlan, getSectionTexts, waitForPlan } from '../support/plans.ts';
import type { HostStudio } from '../support/studio.ts';
import { describeStudio, startHostSandbox } from '../support/suite.ts';
import { waitFor } from '../support/waiting.ts';
import { deleteFolder, getWorkspaceFolder } from '../support/workspace.ts';

/** A folder in the opened workspace, with files that are removed after the test. */
async function createFolder(name: string, texts: Readonly<Record<string, string>>) {
  const path = join(getWorkspaceFolder(), name);
  await mkdir(path);
  await Promise.all(Object.entries(texts).map(([file, text]) => writeFile(join(path, file), text)));
  const getUri = (file: string): vscode.Uri => vscode.Uri.file(join(path, file));
  return {
    getUri,
    open: async (file: string): Promise<vscode.TextEditor> =>
      vscode.window.showTextDocument(await vscode.workspace.openTextDocument(getUri(file)), {
        preview: false,
      }),
    read: (file: string): Promise<string> => readFile(join(path, file), 'utf8'),
    [Symbol.asyncDispose]: () => deleteFolder(path),
  };
}

async function pickDatamodel(studio: HostStudio, title: string): Promise<void> {
  await studio.runCommand('Datamodel Studio: Select Datamodel for SQL File…');
  await studio.selectQuickPick(title);
  await studio.waitForStatusBarItem(title);
}

/** Where the symbol at a position is used in files, as `file:line`. */
async function findFileReferences(
  { document }: vscode.TextEditor,
  position: vscode.Position,
): Promise<readonly string[]> {
  const locations = await vscode.commands.executeCommand<readonly vscode.Location[]>(
    'vscode.executeReferenceProvider',
    document.uri,
    position,
  );
  return locations
    .filter(({ uri }) => uri.scheme === 'file')
    .map(({ uri, range }) => `${uri.path.split('/').at(-1)}:${range.start.line + 1}`)
    .toSorted();
}

const withoutStores = 'SELECT [Status] FROM [Orders]\n';

describeStudio(
  'SQL files in the workspace',
  async (disposables) => {
    const sandbox = disposables.use(await startHostSandbox());
    return { sandbox, options: { env: sandbox.env, settings: { 'files.autoSave': 'off' } } };
  },
  (test) => {
    test('references and renames include the files of a datamodel, whether they are open or not', async ({
      studio,
      sandbox,
    }) => {
      await using folder = await createFolder('rename', {
        'open.datamodel.sql': 'SELECT s.[Store Id] FROM [Stores] s\n',
        'closed.datamodel.sql': '-- two lines\r\nSELECT COUNT(*) FROM Stores\r\n',
        'unsaved.datamodel.sql': withoutStores,
        'other.datamodel.sql': 'SELECT 1 FROM [Stores]\n',
        'unrelated.sql': 'SELECT 1 FROM [Stores]\n',
      });
      // The SQL that a table of a project refers to belongs to the datamodel in its files; other SQL doesn't.
      await using project = await TestProject.createInWorkspace('project');
      await project.write(
        'datamodels/Retail/Retail.datamodel.json',
        '{"title": "Retail", "type": "extract"}',
      );
      await project.write(
        'datamodels/Retail/tables/Project.table.json',
        '{"name": "Project", "dataset": "A", "type": "custom", "expression": {"$file": "Project.datamodel.sql"}, "columns": []}',
      );
      await project.write('datamodels/Retail/tables/Project.datamodel.sql', 'SELECT 1 FROM [Stores]\n');
      await project.write('datamodels/Retail/tables/loose.datamodel.sql', 'SELECT 2 FROM [Stores]\n');
      await project.write('copy.datamodel.sql', 'SELECT 3 FROM [Stores]\n');
      await folder.open('other.datamodel.sql');
      await pickDatamodel(studio, 'Support Desk');
      const unsaved = await folder.open('unsaved.datamodel.sql');
      await pickDatamodel(studio, 'Retail');
      await unsaved.edit((edit) => edit.insert(new vscode.Position(0, 0), 'SELECT 1 FROM [Stores] UNION\n'));
      const editor = await folder.open('open.datamodel.sql');
      const table = findCaret(editor, '[Sto|res]');
      let references: readonly string[] = [];
      await waitFor(
        async () => {
          references = await findFileReferences(editor, table);
          return (
            references.join() ===
            'closed.datamodel.sql:2,copy.datamodel.sql:1,loose.datamodel.sql:1,open.datamodel.sql:1,unsaved.datamodel.sql:1'
          );
        },
        () => `The references are ${references.join()}`,
      );

      // A plan that is canceled changes nothing.
      const requestNewName = async (): Promise<void> => {
        await requestRename(editor, table, 'Shops');
        await studio.quickInput.waitForRow(/closed\.datamodel\.sql/);
        const items = studio.quickInput.current?.getItems() ?? [];
        studio.quickInput.current?.choose(
          items.filter(({ kind, picked }) => kind !== vscode.QuickPickItemKind.Separator && picked === true),
        );
      };
      await requestNewName();
      const { page, plan } = await waitForPlan(studio, 'Review Changes: Rename Stores');
      assert.deepEqual(getSectionTexts(plan, 'Will be changed in workspace files').toSorted(), [
        'project/copy.datamodel.sql',
        'project/datamodels/Retail/tables/loose.datamodel.sql',
        'rename/closed.datamodel.sql',
        'rename/open.datamodel.sql',
        'rename/unsaved.datamodel.sql',
      ]);
      page.post({ type: 'cancel' });
      await waitFor(
        () => !studio.pages.open.includes(page),
        () => 'The plan stays open',
      );
      await fetchTable(sandbox, 'Retail', 'Stores');
      assert.match(editor.document.getText(), /\[Stores\]/);
      assert.match(await folder.read('closed.datamodel.sql'), /Stores/);

      await requestNewName();
      await applyPlan(studio, 'Review Changes: Rename Stores');
      await studio.waitForStatusBarItem('Renamed Stores to Shops');
      await fetchTable(sandbox, 'Retail', 'Shops');
      const readText = async (file: string): Promise<string> =>
        (await vscode.workspace.openTextDocument(folder.getUri(file))).getText();
      assert.equal(await readText('open.datamodel.sql'), 'SELECT s.[Store Id] FROM [Shops] s\n');
      assert.equal(await readText('closed.datamodel.sql'), '-- two lines\r\nSELECT COUNT(*) FROM Shops\r\n');
      assert.equal(await readText('unsaved.datamodel.sql'), `SELECT 1 FROM [Shops] UNION\n${withoutStores}`);
      for (const [path, name] of [
        ['copy.datamodel.sql', 'Shops'],
        ['datamodels/Retail/tables/loose.datamodel.sql', 'Shops'],
        ['datamodels/Retail/tables/Project.datamodel.sql', 'Stores'],
      ] as const) {
        const document = await vscode.workspace.openTextDocument(project.getUri(path));
        assert.match(document.getText(), new RegExp(`^SELECT \\d FROM \\[${name}\\]`), path);
      }
      assert.match(await readText('other.datamodel.sql'), /Stores/);
      assert.match(await readText('unrelated.sql'), /Stores/);
      await vscode.workspace.saveAll();

      // The undo changes only the server, and its plan says that the files are not changed.
      await studio.runCommand('Datamodel Studio: Undo Last Change');
      const undo = await waitForPlan(studio, 'Undo: ');
      assert.deepEqual(undo.plan.view.footnotes, [
        "References in SQL files in the workspace aren't updated.",
      ]);
      undo.page.post({ type: 'apply' });
      await studio.waitForStatusBarItem(/Undone: /);
      await fetchTable(sandbox, 'Retail', 'Stores');
      assert.match(await folder.read('closed.datamodel.sql'), /Shops/);
    });

    test('other versions of a file have no problems', async () => {
      await using folder = await createFolder('versions', { 'own.datamodel.sql': 'SELECT\n' });
      // The scheme is like that of versions from source control, and of the original that the gutter compares a file
      // with.
      const scheme = 'version-of-file';
      const provider = vscode.workspace.registerTextDocumentContentProvider(scheme, {
        provideTextDocumentContent: () => 'UPPER([Status])\n',
      });
      try {
        const own = folder.getUri('own.datamodel.sql');
        const version = await vscode.workspace.openTextDocument(own.with({ scheme }));
        assert.equal(version.languageId, 'datamodel-sql');
        await folder.open('own.datamodel.sql');
        const content = 'SELECT';
        const untitled = await vscode.workspace.openTextDocument({ language: 'datamodel-sql', content });
        for (const uri of [own, untitled.uri]) {
          await waitFor(
            () => vscode.languages.getDiagnostics(uri).length > 0,
            () => `${String(uri)} has no problem`,
          );
        }
        assert.deepEqual(vscode.languages.getDiagnostics(version.uri), []);
      } finally {
        provider.dispose();
      }
    });

    test('in a workspace with very many SQL files, only files with a selected datamodel are read', async ({
      studio,
    }) => {
      const names = Array.from({ length: 600 }, (_value, index) => `many${index}.datamodel.sql`);
      await using folder = await createFolder('many', {
        ...Object.fromEntries(names.map((name) => [name, 'SELECT 1 FROM [Regions]\n'])),
        'a.datamodel.sql': 'SELECT 1 FROM [Regions]\n',
        'b.datamodel.sql': 'SELECT 1 FROM [Regions]\n',
      });
      await folder.open('a.datamodel.sql');
      await pickDatamodel(studio, 'Retail');
      const editor = await folder.open('b.datamodel.sql');
      let references: readonly string[] = [];
      await waitFor(
        async () => {
          references = await findFileReferences(editor, findCaret(editor, '[Reg|ions]'));
          return references.join() === 'a.datamodel.sql:1,b.datamodel.sql:1';
        },
        () => `The references are ${references.join()}`,
      );
      await requestRename(editor, findCaret(editor, '[Reg|ions]'), 'Areas');
      await studio.quickInput.waitForRow(/a\.datamodel\.sql/);
      const items = studio.quickInput.current?.getItems() ?? [];
      studio.quickInput.current?.choose(
        items.filter(({ kind }) => kind !== vscode.QuickPickItemKind.Separator),
      );
      const { page, plan } = await waitForPlan(studio, 'Review Changes: Rename Regions');
      assert.ok(getSectionTexts(plan, 'Will be changed in workspace files').includes('Other SQL files'));
      page.post({ type: 'cancel' });
    });
  },
);
