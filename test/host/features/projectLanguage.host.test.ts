import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import type { RuleSetFormEdit } from '../../../src/security/form/ruleEdit.ts';
import type { ViewpointEdit } from '../../../src/viewpoints/form/viewpointEdit.ts';
import type { RuleQuestion, ViewpointQuestion } from '../../../src/webviews/protocol/formQuestions.ts';
import type { ToDiagram } from '../../../src/webviews/protocol/diagram.ts';
import { formatFile, paths, validFiles } from '../../support/projectFiles.ts';
import {
  applyFix,
  complete,
  findCaret,
  findDefinitions,
  getCompletionLabel,
  readHover,
  prepareRename,
  requestRename,
} from '../support/language.ts';
import { addConnection } from '../support/connections.ts';
import { Patches } from '../support/patches.ts';
import { changeFiles, createFileProject, waitForCompletion } from '../support/fileProjects.ts';
import { HostedForm } from '../support/hostedForm.ts';
import { TestProject } from '../support/projects.ts';
import { describeStudio, startHostSandbox } from '../support/suite.ts';
import { waitFor } from '../support/waiting.ts';

type DiagramData = Extract<ToDiagram, { type: 'data' }>;

/** A viewpoint on a datamodel that the project doesn't have. */
const otherViewpoint = {
  name: 'Other',
  details: {
    datasource: { title: 'Other' },
    columns: [
      { title: 'City', dim: '[Customers.City]', table: 'Customers', column: 'City', datatype: 'text' },
    ],
  },
};

/** The problems of a document, as `line:column code`. */
const describeProblems = ({ document }: vscode.TextEditor): readonly string[] =>
  vscode.languages
    .getDiagnostics(document.uri)
    .map(
      ({ range, code }) =>
        `${range.start.line + 1}:${range.start.character + 1} ${typeof code === 'string' ? code : ''}`,
    );

const waitForProblems = (editor: vscode.TextEditor, ...expected: readonly string[]): Promise<unknown> =>
  waitFor(
    () => JSON.stringify(describeProblems(editor)) === JSON.stringify(expected),
    () => `The problems are ${describeProblems(editor).join(', ')}`,
  );

const itemsPath = 'datamodels/Retail/tables/Items.table.json';

/** The only definition at a place, as `path:line`. */
async function findDefinition(editor: vscode.TextEditor, markedText: string): Promise<string> {
  const definitions = await findDefinitions(editor, findCaret(editor, markedText));
  return definitions
    .map((definition) =>
      'targetUri' in definition
        ? `${definition.targetUri.path}:${definition.targetRange.start.line + 1}`
        : `${definition.uri.path}:${definition.range.start.line + 1}`,
    )
    .join()
    .replace(/^.*\/files-[^/]*\//, '');
}

describeStudio(
  'files of a project without a connection',
  () => Promise.resolve({ options: { settings: { 'files.autoSave': 'off' } } }),
  (test) => {
    test('SQL has completions, hovers, and problems from the files, including unsaved changes of its tables', async ({
      studio,
    }) => {
      await using files = await createFileProject();
      const sql = await files.show(paths.label);
      await studio.waitForStatusBarItem('Retail');
      await waitForCompletion(sql, '[|Status]', 'Status');
      assert.match(await readHover(sql, findCaret(sql, '[Sta|tus]')), /Status.*\n?.*column/s);
      assert.equal(await findDefinition(sql, '[Sta|tus]'), `${paths.orders}:11`);
      await waitForProblems(sql);

      const table = await files.show(paths.orders);
      await files.edit(table, '"name": "Status"', '"name": "State"');
      await waitForProblems(sql, '1:7 sql/unknown-column');
      await waitForCompletion(sql, '[|Status]', 'State');
      // Nothing was saved.
      assert.match(await files.project.read(paths.orders), /"Status"/);
      await vscode.commands.executeCommand('workbench.action.files.revert');
      await waitForProblems(sql);
    });

    test('rules and viewpoints have completions and hovers from the files, and the problems that validate finds', async () => {
      await using files = await createFileProject({
        [paths.viewpoint]: {
          name: 'Sales',
          details: {
            datasource: { title: 'Retail' },
            columns: [
              { title: 'A', dim: '[Orders.Statu]', table: 'Orders', column: 'Statu', datatype: 'text' },
            ],
          },
        },
      });
      const rules = await files.show(paths.rules);
      await waitForCompletion(rules, '"column": "|Status"', 'Label');
      await waitForCompletion(rules, '"party": "|Sales"', 'Sales');
      await waitForCompletion(rules, '"|Open"', 'Open');
      assert.match(
        await readHover(rules, findCaret(rules, '"Sta|tus"')),
        /\[Orders\.Status\].*Open or done/s,
      );
      assert.equal(await findDefinition(rules, '"table": "Ord|ers"'), `${paths.orders}:2`);
      await waitForProblems(rules);

      const viewpoint = await files.show(paths.viewpoint);
      await waitForProblems(viewpoint, '12:9 viewpoint/unknown-column');
      await applyFix(viewpoint, findCaret(viewpoint, '"column": "Sta|tu"'), 'Change to "Status"');
      await waitForProblems(viewpoint);
    });

    test('the form of a viewpoint offers the tables and names of the files', async ({ studio }) => {
      await using files = await createFileProject();
      const editor = await files.show(paths.viewpoint);
      const form = await HostedForm.open<ViewpointEdit, ViewpointQuestion>(
        studio,
        'datamodelStudio.viewpointForm',
        editor,
      );
      const { model } = await form.waitForMessage('model', (message) => message.model.state === 'ready');
      assert.ok(model.state === 'ready' && model.complete);
      const page = await studio.findPage('datamodelStudio.viewpointForm');
      const countModels = (): number => page.messages.filter(({ type }) => type === 'model').length;
      const countBefore = countModels();
      assert.deepEqual(
        model.tables.map(({ name }) => name),
        ['Items', 'Orders', 'Totals'],
      );
      form.ask({ kind: 'columns', insertIndex: 1 });
      await studio.quickInput.pickMany(['Number']);
      await waitFor(
        () => /"dim": "\[Totals\.Number\]"/.test(editor.document.getText()),
        () => editor.document.getText(),
      );
      form.ask({ kind: 'share', list: 'groups' });
      await studio.selectQuickPick('Sales');
      await waitFor(
        () => /"groups": \[\s*"Sales"\s*\]/.test(editor.document.getText()),
        () => editor.document.getText(),
      );
      form.ask({ kind: 'datamodel' });
      await studio.selectQuickPick('Retail');
      await waitFor(
        () => /"title": "Retail",\s*"modelType": "external"/.test(editor.document.getText()),
        () => editor.document.getText(),
      );
      assert.doesNotMatch(editor.document.getText(), /fullname/);
      // The edits have not changed the datamodel, so the page didn't get it again.
      assert.equal(countModels(), countBefore);
      // Nothing was written: neither the file nor an instance.
      assert.doesNotMatch(await files.project.read(paths.viewpoint), /Totals/);
    });

    test('the form of rules offers the tables, values and names of the files', async ({ studio }) => {
      await using files = await createFileProject({
        [paths.rules]: formatFile(validFiles[paths.rules]).replace(
          '"party": "Sales"',
          '"party": {"bound": 1}',
        ),
      });
      const editor = await files.show(paths.rules);
      const form = await HostedForm.open<RuleSetFormEdit, RuleQuestion>(
        studio,
        'datamodelStudio.ruleSetForm',
        editor,
      );
      await form.waitForTables();
      const { columns } = await form.waitForMessage('values');
      assert.deepEqual(columns, [{ table: 'Orders', column: 'Status', values: ['Open'] }]);
      await form.waitForMessage('problems', ({ problems }) => problems.length === 0);
    });

    test('the form of rules takes names of groups, and keeps all rules of a file on its column', async ({
      studio,
    }) => {
      await using files = await createFileProject({
        [paths.rules]: formatFile(validFiles[paths.rules]).replace(
          '"party": "Sales"',
          '"party": "Sales North"',
        ),
      });
      const editor = await files.show(paths.rules);
      const form = await HostedForm.open<RuleSetFormEdit, RuleQuestion>(
        studio,
        'datamodelStudio.ruleSetForm',
        editor,
      );
      await form.waitForTables();
      await form.waitForMessage('problems', ({ problems }) => problems.length === 0);
      // Commands for the active file take that of the form, too.
      await studio.runCommand('Datamodel Studio: Show Diagram from Files');
      await studio.waitForEditor('Diagram: Retail (files)');
      await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
      await studio.runCommand('Datamodel Studio: Show Effective Access from Files…');
      await studio.findPage('datamodelStudio.access', 'Effective Access: Retail (files)');
      await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
      form.ask({ kind: 'newRule' });
      await studio.selectQuickPick('User…');
      await studio.quickInput.pickTyped('anna@example.com', 'Add "anna@example.com"');
      await waitFor(
        () => form.document.getText().includes('anna@example.com'),
        () => form.document.getText(),
      );
      const rules = JSON.parse(form.document.getText()) as readonly { readonly column: string }[];
      assert.deepEqual(
        rules.map(({ column }) => column),
        ['Status', 'Status', 'Status'],
      );
      await form.waitForMessage('problems', ({ problems }) =>
        problems.every(({ code }) => code !== 'party-not-id'),
      );
      form.ask({ kind: 'column', rule: 0 });
      await studio.waitForNotification(/^All rules in this file must be on the same column\./);
    });

    test('the diagram of files is updated when they change, opens them, and is read-only', async ({
      studio,
    }) => {
      await using files = await createFileProject();
      const table = await files.show(paths.orders);
      await studio.runCommand('Datamodel Studio: Show Diagram from Files');
      const page = await studio.findPage('datamodelStudio.diagram', 'Diagram: Retail (files)');
      await studio.waitForEditor('Diagram: Retail (files)');
      void vscode.commands.executeCommand('datamodelStudio.diagram.relate');
      await studio.waitForNotification(
        'This diagram comes from files and is read-only. To add the relation, create a file for it.',
      );
      const waitForData = (check: (data: DiagramData) => boolean): Promise<DiagramData> =>
        page.waitForMessage<DiagramData>('data', check);
      const { model, note, subject } = await waitForData(() => true);
      assert.deepEqual(
        model.tables.map(({ name, dataset }) => `${dataset}.${name}`),
        ['Sales.Items', 'Sales.Orders', 'Sales.Totals'],
      );
      assert.deepEqual({ note, subject }, { note: undefined, subject: undefined });
      const [relation] = model.relations;
      assert.equal(relation?.ends.length, 2);
      const columns = model.tables.flatMap(({ columns: tableColumns }) => tableColumns);
      assert.deepEqual(
        columns.filter(({ isSecured }) => isSecured).map(({ name }) => name),
        ['Status'],
      );
      assert.ok(columns.every(({ canRelate }) => !canRelate));

      await files.edit(table, '"name": "Label"', '"name": "Title"');
      await waitForData((data) =>
        data.model.tables.some((candidate) => candidate.columns.some(({ name }) => name === 'Title')),
      );
      const countData = (): number => page.messages.filter(({ type }) => type === 'data').length;
      const countBefore = countData();
      const viewpoint = await files.show(paths.viewpoint);
      await files.edit(viewpoint, '"column": "Status"', '"column": "Title"');
      await waitForProblems(viewpoint, '10:9 viewpoint/dim-mismatch');
      await files.edit(table, '"name": "Title"', '"name": "Name"');
      await waitForData((data) =>
        data.model.tables.some((candidate) => candidate.columns.some(({ name }) => name === 'Name')),
      );
      // The viewpoint isn't in the diagram.
      assert.equal(countData(), countBefore + 1);
      page.post({ type: 'openRelation', relation: relation?.id ?? '' });
      await files.waitForActive(paths.relation);
      page.post({ type: 'open', table: 'Items' });
      await files.waitForActive(itemsPath);
      page.post({ type: 'relate', ends: [{ table: 'Items' }] });
      (await studio.waitForNotification(/^This diagram comes from files and is read-only\./)).answer(
        undefined,
      );

      await changeFiles((edit) =>
        edit.deleteFile(files.project.getUri('datamodels/Retail/Retail.datamodel.json')),
      );
      await page.waitForMessage<Extract<ToDiagram, { type: 'failed' }>>('failed', ({ message }) =>
        message.startsWith('The project has no datamodel'),
      );
    });

    test('diagrams and forms are updated again after their project was removed and restored', async ({
      studio,
    }) => {
      await using files = await createFileProject();
      const settings = files.project.getUri('datamodel-studio.json');
      const form = await HostedForm.open<ViewpointEdit, ViewpointQuestion>(
        studio,
        'datamodelStudio.viewpointForm',
        await files.show(paths.viewpoint),
      );
      await form.waitForTables();
      const table = await files.show(paths.orders);
      await studio.runCommand('Datamodel Studio: Show Diagram from Files');
      const page = await studio.findPage('datamodelStudio.diagram', 'Diagram: Retail (files)');
      await page.waitForMessage<DiagramData>('data');

      await changeFiles((edit) => edit.deleteFile(settings));
      await page.waitForMessage<Extract<ToDiagram, { type: 'failed' }>>(
        'failed',
        ({ message }) => message === 'The project is no longer in the workspace.',
      );
      await form.waitForMessage('model', ({ model }) => model.state === 'none');
      await changeFiles((edit) =>
        edit.createFile(settings, { contents: Buffer.from(formatFile({ version: 1 })) }),
      );
      await form.waitForTables();

      await files.edit(table, '"name": "Label"', '"name": "Title"');
      const hasTitle = (tables: readonly { readonly columns: readonly { readonly name: string }[] }[]) =>
        tables.some(({ columns }) => columns.some(({ name }) => name === 'Title'));
      await page.waitForMessage<DiagramData>('data', ({ model }) => hasTitle(model.tables));
      await form.waitForMessage('model', ({ model }) => model.state === 'ready' && hasTitle(model.tables));
      page.post({ type: 'open', table: 'Items' });
      await files.waitForActive(itemsPath);
    });

    test('a form that was opened without its project is updated once the project exists, also by values in its rules', async ({
      studio,
    }) => {
      await using files = await createFileProject({ 'datamodel-studio.json': undefined });
      const settings = files.project.getUri('datamodel-studio.json');
      await changeFiles((edit) => edit.deleteFile(settings));
      const rules = await files.show(paths.rules);
      const form = await HostedForm.open<RuleSetFormEdit, RuleQuestion>(
        studio,
        'datamodelStudio.ruleSetForm',
        rules,
      );
      await form.waitForMessage('model', ({ model }) => model.state === 'none');
      await changeFiles((edit) =>
        edit.createFile(settings, { contents: Buffer.from(formatFile({ version: 1 })) }),
      );
      await form.waitForTables();
      const waitForValues = (...values: readonly string[]): Promise<unknown> =>
        form.waitForMessage('values', ({ columns }) =>
          columns.some(({ values: posted }) => JSON.stringify(posted) === JSON.stringify(values)),
        );
      await waitForValues('Open');
      await files.edit(rules, '"members": []', '"members": ["Done"]');
      await waitForValues('Open', 'Done');
    });

    test('a relation and a table have completions and hovers from the files, and problems of the unsaved text instead of the file', async () => {
      await using files = await createFileProject();
      const relation = await files.show(paths.relation);
      // Once names are proposed, the files of the project were read.
      await waitForCompletion(relation, '"table": "|Items"', 'Orders');
      await waitForProblems(relation);
      assert.equal(await findDefinition(relation, '"column": "I|d"'), `${paths.orders}:7`);
      assert.match(await readHover(relation, findCaret(relation, '"column": "I|d"')), /\[Orders\.Id\]/);
      await waitForCompletion(relation, '"column": "|Id"', 'Status');
      await files.edit(relation, '"Id"', '"Nope"');
      await waitForProblems(relation, '9:17 reference/unknown-column');
      const [problem] = vscode.languages.getDiagnostics(relation.document.uri);
      assert.equal(problem?.message, 'The table "Orders" has no column "Nope".');
      const table = await files.show(paths.orders);
      await waitForCompletion(table, '"dataset": "|Sales"', 'Sales');
      await files.edit(table, '"dataset": "Sales"', '"dataset": "Sale"');
      await waitForProblems(table, '3:14 reference/unknown-dataset');
    });

    test('F2 proposes a name without its quotes, so that a selected name is replaced as a whole', async () => {
      await using files = await createFileProject();
      const rules = await files.showRules();
      assert.deepEqual(await prepareRename(rules, findCaret(rules, '"column": "Sta|tus"')), [
        'Status',
        'Status',
      ]);
      assert.deepEqual(await prepareRename(rules, findCaret(rules, '"column": "Status|"')), [
        'Status',
        'Status',
      ]);
    });

    test('a rename changes all files in one step', async () => {
      await using files = await createFileProject();
      const rules = await files.showRules();
      const edit = await requestRename(rules, findCaret(rules, '"column": "Sta|tus"'), 'State');
      assert.deepEqual(
        edit
          .entries()
          .map(([uri]) => uri.path.replace(/^.*\/files-[^/]*\//, ''))
          .toSorted(),
        [paths.orders, paths.label, paths.rules, paths.totalsSql, paths.viewpoint].toSorted(),
      );
      assert.ok(await vscode.workspace.applyEdit(edit, { isRefactoring: true }));
      const table = await files.show(paths.orders);
      assert.match(table.document.getText(), /"name": "State",(?:\n.*){2,3}"renamedFrom": "Status"/);
      const sql = await files.show(paths.totalsSql);
      assert.match(sql.document.getText(), /^SELECT o\.State AS Status, /);
      await vscode.workspace.saveAll();
      await waitForProblems(rules);
      await waitForProblems(sql);
      await waitForProblems(table);
      const references = await vscode.commands.executeCommand<readonly vscode.Location[]>(
        'vscode.executeReferenceProvider',
        sql.document.uri,
        findCaret(sql, 'o.Sta|te'),
      );
      assert.equal(references.length, 8);
      assert.equal(
        new Set(
          references.map(({ uri, range }) => `${String(uri)} ${range.start.line}:${range.start.character}`),
        ).size,
        8,
      );
    });

    test('after a rename, hovers and completions have the new name in each kind of file', async () => {
      await using files = await createFileProject();
      const rules = await files.showRules();
      for (const [name, newName] of [
        ['"column": "Sta|tus"', 'State'],
        ['"table": "Ord|ers"', 'Sales Orders'],
      ] as const) {
        const edit = await requestRename(rules, findCaret(rules, name), newName);
        assert.ok(await vscode.workspace.applyEdit(edit, { isRefactoring: true }));
      }
      const relation = await files.show(paths.relation);
      const viewpoint = await files.show(paths.viewpoint);
      const sql = await files.show(paths.label);
      for (const [editor, name, hover] of [
        [rules, '"column": "Sta|te"', /\[Sales Orders\.State\].*Open or done/s],
        [relation, '"table": "Sales| Orders"', /\[Sales Orders\] — table, 3 columns/],
        [relation, '"column": "I|d"', /\[Sales Orders\.Id\] — Integer/],
        [viewpoint, '"column": "Sta|te"', /\[Sales Orders\.State\].*Open or done/s],
        [sql, '[Sta|te]', /State/],
      ] as const) {
        await waitFor(
          async () => hover.test(await readHover(editor, findCaret(editor, name))),
          () => `${name} has no such hover`,
        );
      }
      for (const [editor, caret, label, formerLabel] of [
        [rules, '"column": "|State"', 'State', 'Status'],
        [relation, '"table": "|Sales Orders"', 'Sales Orders', 'Orders'],
        [relation, '"column": "|Id"', 'State', 'Status'],
        [viewpoint, '"column": "|State"', 'State', 'Status'],
        [sql, '[|State]', 'State', 'Status'],
      ] as const) {
        await waitForCompletion(editor, caret, label);
        const labels = (await complete(editor, findCaret(editor, caret))).map(getCompletionLabel);
        assert.ok(!labels.includes(formerLabel), labels.join(', '));
      }
    });

    test('a viewpoint on an unknown datamodel has completions of the datamodels, groups, and apps of the files', async () => {
      await using files = await createFileProject();
      await files.project.write(
        'viewpoints/Other.viewpoint.json',
        formatFile({ ...otherViewpoint, visibility: { apps: ['chat'], groups: [''], users: [] } }),
      );
      const viewpoint = await files.show('viewpoints/Other.viewpoint.json');
      await waitForProblems(viewpoint, '5:16 viewpoint/unknown-datamodel');
      await waitForCompletion(viewpoint, '"title": "|Other"', 'Retail');
      await waitForCompletion(viewpoint, '"groups": [\n      "|', 'Sales');
      await waitForCompletion(viewpoint, '"apps": [\n      "|chat', 'chat');
    });

    test('completions and problems are updated by saved, new, and deleted files', async () => {
      await using files = await createFileProject();
      const items = await files.show(itemsPath);
      await files.edit(items, '"name": "Order"', '"name": "Order Id"');
      assert.ok(await items.document.save());
      await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
      const relation = await files.show(paths.relation);
      await waitForProblems(relation, '5:17 reference/unknown-column');
      const rules = await files.show(paths.rules);
      await changeFiles((edit) =>
        edit.createFile(files.project.getUri('datamodels/Retail/tables/Stores.table.json'), {
          contents: Buffer.from(
            formatFile({
              name: 'Stores',
              dataset: 'Sales',
              type: 'base',
              columns: [{ name: 'City', type: 18 }],
            }),
          ),
        }),
      );
      await waitForCompletion(rules, '"table": "|Orders"', 'Stores');
      await changeFiles((edit) => edit.deleteFile(files.project.getUri(itemsPath)));
      await waitForProblems(relation, '4:16 reference/unknown-table');
      // Without the file of the datamodel, its other items are unknown, so problems that might be due to this aren't
      // reported.
      await changeFiles((edit) =>
        edit.deleteFile(files.project.getUri('datamodels/Retail/Retail.datamodel.json')),
      );
      await waitForProblems(relation);
    });

    test('unsaved changes of files that a project does not read change nothing', async () => {
      const hiddenPath = 'datamodels/Retail/tables/.Stores.table.json';
      await using files = await createFileProject({ [hiddenPath]: validFiles[itemsPath] });
      const hidden = await files.show(hiddenPath);
      await files.edit(hidden, '"name": "Items"', '"name": "Stores"');
      const relation = await files.show(paths.relation);
      await files.edit(relation, '"Items"', '"Stores"');
      await waitForProblems(relation, '4:16 reference/unknown-table');
    });

    test('a viewpoint on a datamodel that its project does not have gets no definitions', async () => {
      await using files = await createFileProject();
      await files.project.write('viewpoints/Other.viewpoint.json', formatFile(otherViewpoint));
      const viewpoint = await files.show('viewpoints/Other.viewpoint.json');
      await waitForProblems(viewpoint, '5:16 viewpoint/unknown-datamodel');
      assert.deepEqual(await findDefinitions(viewpoint, findCaret(viewpoint, '"Cust|omers"')), []);
    });

    test('the projects in a folder that was moved into the workspace are found, although watchers report only the folder', async () => {
      // The projects of the workspace have been found when this one has help.
      await using files = await createFileProject();
      await waitForCompletion(await files.show(paths.label), '[|Status]', 'Status');
      const other = {
        'datamodel-studio.json': formatFile({ version: 1 }),
        'viewpoints/Other.viewpoint.json': formatFile(otherViewpoint),
      };
      await using moved = await TestProject.moveIntoWorkspace(`moved-${randomUUID()}`, {
        '': other,
        'repositories/shop': other,
      });
      for (const folder of ['', 'repositories/shop/']) {
        const uri = moved.getUri(`${folder}viewpoints/Other.viewpoint.json`);
        const viewpoint = await vscode.window.showTextDocument(uri, { preview: false });
        await waitForProblems(viewpoint, '5:16 viewpoint/unknown-datamodel');
      }
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    });

    test('a rename in SQL changes the files of the project, or for an alias only the text', async () => {
      await using files = await createFileProject({
        [paths.totals]: {
          ...(validFiles[paths.totals] as object),
          columns: [{ name: 'Number', type: 8 }],
        },
      });
      const sql = await files.show(paths.totalsSql);
      const alias = await requestRename(sql, findCaret(sql, 'Orders o|'), 'x');
      assert.deepEqual(
        alias.entries().map(([uri, edits]) => [String(uri), edits.length]),
        [[String(sql.document.uri), 4]],
      );
      const output = await requestRename(sql, findCaret(sql, 'AS Num|ber'), 'Count');
      assert.ok(output.has(sql.document.uri));
      assert.ok(output.has(files.project.getUri(paths.totals)));
      const table = await requestRename(sql, findCaret(sql, 'FROM Ord|ers'), 'Sales');
      assert.ok(table.has(files.project.getUri(paths.orders)));
      await assert.rejects(
        Promise.resolve(requestRename(sql, findCaret(sql, 'FROM Ord|ers'), 'items')),
        /The datamodel already has a table "items"\./,
      );
    });
  },
);

describeStudio(
  'a project without a datamodel',
  async (disposables) => {
    const sandbox = disposables.use(await startHostSandbox());
    return { sandbox, options: {} };
  },
  (test) => {
    test('has its names from the connection of the environment, unless the workspace is in Restricted Mode', async ({
      studio,
      sandbox,
    }) => {
      await addConnection(studio, { name: 'Shop', url: sandbox.url, token: sandbox.adminToken });
      await using files = await createFileProject({
        'environments/test.json': { url: sandbox.url, role: 'development' },
        ...Object.fromEntries(Object.keys(validFiles).map((path) => [path, undefined])),
        'viewpoints/Other.viewpoint.json': {
          ...otherViewpoint,
          details: { ...otherViewpoint.details, datasource: { title: 'Retail' } },
        },
      });
      using patches = new Patches();
      patches.replace(vscode.workspace, 'isTrusted', () => false);
      const viewpoint = await files.show('viewpoints/Other.viewpoint.json');
      await waitForProblems(viewpoint, '5:16 viewpoint/unknown-datamodel');
      const getProposals = async (): Promise<readonly string[]> =>
        (await complete(viewpoint, findCaret(viewpoint, '"table": "|Customers"'))).map(getCompletionLabel);
      assert.ok(!(await getProposals()).includes('Orders'));
      patches[Symbol.dispose]();
      await waitForCompletion(viewpoint, '"table": "|Customers"', 'Orders');
      await waitForCompletion(viewpoint, '"title": "|Retail"', 'Support Desk');
      // Files refer to users and groups by name, also to those of the connection.
      await changeFiles((edit) =>
        edit.insert(
          viewpoint.document.uri,
          new vscode.Position(1, 0),
          '"visibility": {"apps": [], "groups": [""], "users": []},\n',
        ),
      );
      await waitForCompletion(viewpoint, '"groups": ["|', 'Sales');
      const proposals = await complete(viewpoint, findCaret(viewpoint, '"groups": ["|'));
      assert.equal(
        proposals.find((item) => getCompletionLabel(item) === 'Sales')?.insertText,
        JSON.stringify('Sales'),
      );
      await vscode.commands.executeCommand('workbench.action.files.revert');
      // The problems are still found with the names in the files only.
      await waitForProblems(viewpoint, '5:16 viewpoint/unknown-datamodel');
    });

    test('a file outside of the folders for items is not treated as part of the project', async ({
      studio,
      sandbox,
    }) => {
      await addConnection(studio, { name: 'Shop', url: sandbox.url, token: sandbox.adminToken });
      await using files = await createFileProject({
        'Sales.viewpoint.json': {
          name: 'Sales',
          details: {
            datasource: { title: 'Retail', fullname: 'LocalHost/Retail' },
            columns: [
              { title: 'A', dim: '[Orders.Statu]', table: 'Orders', column: 'Statu', datatype: 'text' },
            ],
          },
        },
      });
      const copy = await files.show('Sales.viewpoint.json');
      await waitFor(
        () => describeProblems(copy).includes('13:9 unknown-column'),
        () => `The problems are ${describeProblems(copy).join(', ')}`,
      );
      const form = await HostedForm.open<ViewpointEdit, ViewpointQuestion>(
        studio,
        'datamodelStudio.viewpointForm',
        copy,
      );
      form.ask({ kind: 'datamodel' });
      await studio.selectQuickPick('Support Desk');
      await waitFor(
        () => copy.document.getText().includes('"fullname": "live:Support Desk"'),
        () => copy.document.getText(),
      );
    });
  },
);
