import assert from 'node:assert/strict';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { fetchTable } from '../../editor/support/demo.ts';
import { createTemporaryFolder } from '../../editor/support/temporaryFolder.ts';
import { addConnection } from '../support/connections.ts';
import { useFaults } from '../support/faults.ts';
import { Patches } from '../support/patches.ts';
import { TestProject } from '../support/projects.ts';
import { acceptInstanceVersion, waitForMergeResult } from '../support/mergeResults.ts';
import type { HostStudio } from '../support/studio.ts';
import { describeStudio, startHostSandbox } from '../support/suite.ts';
import { waitFor } from '../support/waiting.ts';
import { getWorkspaceFolder } from '../support/workspace.ts';

const retail = ['Shop', 'Datamodels', 'Retail'] as const;
const ordersPath = 'datamodels/Retail/tables/Orders.table.json';
const customersPath = 'datamodels/Retail/tables/Customers.table.json';

/** Pulls into the folder of a project from a row of the Connections view. */
async function pull(
  studio: HostStudio,
  project: TestProject,
  [first, ...others]: readonly [string, ...string[]] = retail,
): Promise<void> {
  studio.answerOpenDialog([project.getUri()]);
  await studio.chooseFromContextMenu(
    [first, ...others],
    ...(others.length === 0 ? [] : ['Copy']),
    'Pull into Folder…',
  );
  await studio.selectQuickPick('Browse…');
}

/** Pulls the datamodel Retail for the first time. */
async function pullRetail(studio: HostStudio, project: TestProject): Promise<void> {
  await pull(studio, project);
  await studio.submitInputBox('prod');
  (await studio.waitForNotification(/^Pulled Shop into .*\. Files: \d+ created/)).answer(undefined);
}

describeStudio(
  'projects',
  async (disposables) => {
    const sandbox = disposables.use(await startHostSandbox());
    const createProject = async () => new TestProject(disposables.use(await createTemporaryFolder()).path);
    const connect = (studio: HostStudio) =>
      addConnection(studio, { name: 'Shop', url: sandbox.url, token: sandbox.adminToken });
    const setOrdersDescription = async (description: string) => {
      const { path, table } = await fetchTable(sandbox, 'Retail', 'Orders');
      await sandbox.request('PATCH', path, { description });
      return table.description ?? '';
    };
    return {
      sandbox,
      createProject,
      connect,
      setOrdersDescription,
      options: { settings: { 'files.autoSave': 'off' } },
    };
  },
  (test) => {
    test('a datamodel is pulled into a folder, which becomes a project', async ({
      studio,
      sandbox,
      createProject,
      connect,
    }) => {
      await connect(studio);
      const project = await createProject();
      await pull(studio, project);
      await studio.quickInput.waitForMessage(/^Name of the environment for Shop/);
      assert.equal(studio.quickInput.current?.getValue(), 'shop');
      await studio.submitInputBox('a b');
      assert.match(studio.quickInput.current?.getMessage() ?? '', /^Use letters, digits/);
      await studio.submitInputBox('prod');
      const message = await studio.waitForNotification(
        /^Pulled Shop into .*\. Files: \d+ created, 0 changed, 0 deleted\.$/,
      );
      assert.equal(message.severity, 'information');
      assert.deepEqual((await readdir(project.folder)).toSorted(), [
        'datamodel-studio.json',
        'datamodels',
        'environments',
      ]);
      assert.deepEqual(JSON.parse(await project.read('environments/prod.json')), {
        url: sandbox.url,
        role: 'development',
      });
      assert.deepEqual(await readdir(join(project.folder, 'datamodels')), ['Retail']);
      message.answer('Show Report');
      await studio.waitForEditorText('# Pull of Shop');
      const { document } = await studio.waitForEditorText(
        /- datamodels\/Retail\/tables\/Orders\.table\.json/,
      );
      // The report doesn't have to be saved, and its tab has a title.
      assert.deepEqual(
        [document.isUntitled, document.uri.scheme, document.languageId],
        [false, 'datamodel-project', 'markdown'],
      );
      await studio.waitForEditor('Pull of Shop.md');

      // The project has an environment by now, so there is no prompt for its name.
      const before = await project.read('environments/prod.lock.json');
      await pull(studio, project);
      await studio.waitForNotification(/: no files changed\.$/);
      assert.equal(await project.read('environments/prod.lock.json'), before);
    });

    test('a single viewpoint, and a whole instance, can be pulled', async ({
      studio,
      createProject,
      connect,
    }) => {
      await connect(studio);
      const project = await createProject();
      await pull(studio, project, ['Shop', 'Viewpoints', 'Revenue by Region']);
      await studio.submitInputBox('prod');
      (await studio.waitForNotification(/Files: 1 created/)).answer(undefined);
      assert.deepEqual(await readdir(join(project.folder, 'viewpoints')), [
        'Revenue by Region.viewpoint.json',
      ]);
      await pull(studio, project, ['Shop']);
      (await studio.waitForNotification(/^Pulled Shop into .*\. Files: \d\d+ created/)).answer(undefined);
      assert.ok((await readdir(join(project.folder, 'viewpoints'))).length > 50);
    });

    test('a pull warns if rules no longer restrict a column that was renamed on the instance', async ({
      studio,
      sandbox,
      createProject,
      connect,
    }) => {
      await connect(studio);
      const project = await createProject();
      await pullRetail(studio, project);
      const { path, table } = await fetchTable(sandbox, 'Retail', 'Regions');
      const { columns } = table as { readonly columns?: readonly { readonly name: string }[] };
      const rename = (from: string, to: string) =>
        sandbox.request('PATCH', path, {
          columns: columns?.map((column) => ({ ...column, name: column.name === from ? to : column.name })),
        });
      await rename('Region', 'Area');
      try {
        await pull(studio, project);
        const message = await studio.waitForNotification(/^Pulled Shop into /);
        message.answer(undefined);
        assert.equal(message.severity, 'warning');
        assert.match(
          message.text,
          / Rules no longer restrict what was renamed on the instance: Regions\.Area\. For details, see the report\./,
        );
      } finally {
        await rename('Region', 'Region');
      }
    });

    test('a conflict is resolved in the merge editor, and is not reported again', async ({
      studio,
      createProject,
      connect,
      setOrdersDescription,
    }) => {
      await connect(studio);
      const project = await createProject();
      await pullRetail(studio, project);
      await project.edit(ordersPath, /"One row per order[^"]*"/, '"Mine"');
      const mine = await project.read(ordersPath);
      const description = await setOrdersDescription('Theirs');
      const waitForMergeEditors = (count: number) => {
        const countMergeEditors = () =>
          vscode.window.tabGroups.all
            .flatMap(({ tabs }) => tabs)
            .filter(({ label }) => label === 'Merging: Orders.table.json').length;
        return waitFor(
          () => countMergeEditors() === count,
          () => `There are ${countMergeEditors()} merge editors`,
        );
      };
      const openMergeEditor = async (keptText?: string): Promise<vscode.TextDocument> => {
        await pull(studio, project);
        const message = await studio.waitForNotification(/1 conflict was left unresolved\.$/);
        assert.equal(message.severity, 'warning');
        message.answer('Resolve Conflicts…');
        await studio.selectQuickPick('Orders.table.json');
        await studio.waitForEditor('Merging: Orders.table.json');
        const document = await waitForMergeResult();
        if (keptText === undefined) {
          // The place in conflict is marked.
          const marked = /\n\/\/ <<<<<<< Conflict: .*\n/;
          assert.equal(document.getText().replace(marked, '\n'), mine);
          assert.match(document.getText(), marked);
        } else {
          assert.equal(document.getText(), keptText);
        }
        return document;
      };
      const replaceText = async (document: vscode.TextDocument, text: string): Promise<void> => {
        const edit = new vscode.WorkspaceEdit();
        const end = document.positionAt(document.getText().length);
        edit.replace(document.uri, new vscode.Range(new vscode.Position(0, 0), end), text);
        assert.ok(await vscode.workspace.applyEdit(edit));
      };
      const theirs = mine.replace('"Mine"', '"Theirs"');
      const discarded = await openMergeEditor();
      await acceptInstanceVersion(discarded, () => discarded.getText() === theirs);
      assert.equal(await project.read(ordersPath), mine);
      await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
      await waitForMergeEditors(0);
      assert.equal(await project.read(ordersPath), mine);

      const interrupted = await openMergeEditor();
      const partial = interrupted.getText().replace('"Mine"', '"Between"');
      await replaceText(interrupted, partial);
      // Auto Save may save the result before the user has finished the merge.
      assert.ok(await interrupted.save());
      assert.equal(await project.read(ordersPath), mine);
      await studio.reloadWindow();
      // A restored merge editor has nothing to show, but its result is kept.
      await waitForMergeEditors(0);
      await studio.waitForNotification(/^The merge of .*Orders\.table\.json isn't complete\./);
      assert.equal(await project.read(ordersPath), mine);

      const document = await openMergeEditor(partial);
      const lock = await project.read('environments/prod.lock.json');
      await replaceText(document, mine.replace('"description"', '"description": "Theirs", "description"'));
      assert.equal(await document.save(), false);
      assert.equal(await project.read(ordersPath), mine);
      assert.equal(await project.read('environments/prod.lock.json'), lock);
      await replaceText(document, theirs);
      assert.ok(await document.save());
      assert.equal(await project.read(ordersPath), theirs);
      assert.notEqual(await project.read('environments/prod.lock.json'), lock);
      // Later saves are written, too, unless another program has changed the file.
      await replaceText(document, mine.replace('"Mine"', '"Later"'));
      assert.ok(await document.save());
      await project.edit(ordersPath, '"Later"', '"Elsewhere"');
      await replaceText(document, theirs);
      assert.equal(await document.save(), false);
      await project.edit(ordersPath, '"Elsewhere"', '"Later"');
      assert.ok(await document.save());
      await vscode.commands.executeCommand('datamodelStudio.projects.completeMerge');
      await studio.waitForNotification('All conflicts are resolved.');
      assert.equal(await project.read(ordersPath), theirs);
      await pull(studio, project);
      await studio.waitForNotification(/: no files changed\.$/);
      await setOrdersDescription(description);
    });

    test('a table and its SQL are merged one after the other, and only then is the conflict resolved', async ({
      studio,
      sandbox,
      createProject,
      connect,
    }) => {
      const [tablePath, sqlPath] = ['table.json', 'datamodel.sql'].map(
        (extension) => `datamodels/Retail/tables/Store Ranking.${extension}`,
      ) as [string, string];
      const lockPath = 'environments/prod.lock.json';
      await connect(studio);
      const project = await createProject();
      await pullRetail(studio, project);
      await project.edit(tablePath, /"The best months[^"]*"/, '"Mine"');
      await project.edit(sqlPath, /^/, '-- Mine\n');
      const { path, table } = await fetchTable(sandbox, 'Retail', 'Store Ranking');
      const { description = '', expression = '' } = table as { description?: string; expression?: string };
      await sandbox.request('PATCH', path, {
        description: 'Theirs',
        expression: `-- Theirs\n${expression}`,
      });
      const lock = await project.read(lockPath);
      await pull(studio, project);
      await studio.clickNotificationAction(/2 conflicts were left unresolved\.$/, 'Resolve Conflicts…');
      await studio.selectQuickPick('Store Ranking.table.json');
      await studio.waitForEditor('Merging: Store Ranking.table.json');
      const mergedTable = await waitForMergeResult();
      await acceptInstanceVersion(mergedTable, () => mergedTable.getText().includes('"Theirs"'));
      assert.ok(await mergedTable.save());
      assert.match(await project.read(tablePath), /"Theirs"/);
      await vscode.commands.executeCommand('datamodelStudio.projects.completeMerge');
      await studio.waitForEditor('Merging: Store Ranking.datamodel.sql');
      // The SQL is still in conflict.
      assert.equal(await project.read(lockPath), lock);
      assert.match(await project.read(sqlPath), /^-- Mine\n/);
      const mergedSql = await waitForMergeResult();
      await acceptInstanceVersion(mergedSql, () => !mergedSql.getText().includes('Mine'));
      assert.ok(await mergedSql.save());
      await vscode.commands.executeCommand('datamodelStudio.projects.completeMerge');
      await studio.waitForNotification('All conflicts are resolved.');
      assert.match(await project.read(sqlPath), /^-- Theirs\n/);
      assert.notEqual(await project.read(lockPath), lock);
      await sandbox.request('PATCH', path, { description, expression });
    });

    test('all conflicts are resolved with the version of the instance', async ({
      studio,
      createProject,
      connect,
      setOrdersDescription,
    }) => {
      await connect(studio);
      const project = await createProject();
      await pullRetail(studio, project);
      await project.edit(ordersPath, /"One row per order[^"]*"/, '"Mine"');
      const description = await setOrdersDescription('Theirs');
      await pull(studio, project);
      await studio.clickNotificationAction(/1 conflict was left unresolved\.$/, 'Resolve Conflicts…');
      await studio.selectQuickPick("Use the Server's Version");
      await studio.waitForNotification('All conflicts are resolved.');
      assert.match(await project.read(ordersPath), /"description": "Theirs"/);
      await setOrdersDescription(description);
    });

    test('a file with unsaved changes is not written', async ({
      studio,
      createProject,
      connect,
      setOrdersDescription,
    }) => {
      await connect(studio);
      const project = await createProject();
      await pullRetail(studio, project);
      const document = await vscode.workspace.openTextDocument(project.getUri(ordersPath));
      await vscode.window.showTextDocument(document);
      const before = document.getText();
      await studio.replaceText(before.replace('"Orders"', '"Orders" '));
      assert.equal(document.isDirty, true);
      const description = await setOrdersDescription('Theirs');
      await pull(studio, project);
      await studio.clickNotificationAction(/1 file with unsaved changes was skipped\.$/, 'Show Report');
      await studio.waitForEditorText(
        /## Skipped because of unsaved changes\n\n- datamodels\/Retail\/tables\/Orders/,
      );
      assert.equal(await project.read(ordersPath), before);
      assert.equal(document.isDirty, true);
      await setOrdersDescription(description);
    });

    test('a pull that is canceled, or whose connection is lost, writes nothing', async ({
      studio,
      sandbox,
      createProject,
      connect,
    }) => {
      await connect(studio);
      const project = await createProject();
      await pullRetail(studio, project);
      await project.edit(customersPath, '"Customers"', '"Customers" ');
      const before = await project.read('environments/prod.lock.json');
      {
        await using _faults = await useFaults(sandbox, {
          kind: 'hang',
          pathPrefix: '/api/v1/users',
        });
        await pull(studio, project);
        await studio.clickNotificationAction(/^Pull Retail into Folder/, 'Cancel');
        await studio.waitForNotificationGone(/^Pull Retail into Folder/);
      }
      {
        await using _faults = await useFaults(sandbox, { kind: 'drop' });
        await pull(studio, project);
        const { severity } = await studio.waitForNotification(/failed/);
        assert.equal(severity, 'error');
      }
      assert.equal(await project.read('environments/prod.lock.json'), before);
      assert.deepEqual(await readdir(join(project.folder, 'environments')), ['prod.json', 'prod.lock.json']);
    });

    test('a project in the workspace is offered first, without a dialog', async ({ studio, connect }) => {
      await connect(studio);
      await using project = await TestProject.createInWorkspace(
        'analytics',
        '{"version": 1, "manage": {"datamodels": ["Retail"]}}',
      );
      await studio.runCommand('Datamodel Studio: Pull into Folder…');
      await studio.quickInput.waitForRow('analytics');
      assert.deepEqual(await studio.quickInput.getLabels(), [
        '$(folder-library) analytics',
        '$(folder) workspace',
        '$(folder-opened) Browse…',
      ]);
      await studio.selectQuickPick('analytics');
      await studio.submitInputBox('test');
      (await studio.waitForNotification(/^Pulled Shop into analytics \(test\)\. /)).answer('Show Files');
      await waitFor(
        () => studio.getCommandRuns('revealInExplorer').length === 1,
        () => 'The files are not shown',
      );
      assert.deepEqual(await readdir(join(project.folder, 'datamodels')), ['Retail']);

      // The editor knows the settings, and reports problems in them.
      const settings = project.getUri('datamodel-studio.json');
      await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(settings));
      await studio.replaceText('{"version": 1, "manage": {"datamodel": []}}');
      await studio.waitForProblemsWithText(settings, /Property datamodel is not allowed/);
    });

    test('the first question for a new project has a title that names the connection', async ({
      studio,
      connect,
    }) => {
      await connect(studio);
      await studio.runCommand('Datamodel Studio: Create Project from Connection…');
      await studio.quickInput.waitForTitle('Create Project from Shop');
      await studio.quickInput.cancel();
    });

    test('a repository is offered only for a new project in the workspace that is not in a repository', async ({
      studio,
      connect,
    }) => {
      await connect(studio);
      using patches = new Patches();
      const available = await vscode.commands.getCommands();
      let hasGit = true;
      patches.replace(vscode.commands, 'getCommands', () => async () => [
        ...available.filter((command) => command !== 'git.init'),
        ...(hasGit ? ['git.init'] : []),
      ]);
      const createProject = async (name: string) => {
        const project = new TestProject(join(getWorkspaceFolder(), name));
        await mkdir(project.folder, { recursive: true });
        studio.answerOpenDialog([project.getUri()]);
        await studio.runCommand('Datamodel Studio: Create Project from Connection…');
        await studio.selectQuickPick('Browse…');
        return project;
      };
      const waitForActions = async () => {
        const message = await studio.waitForNotification(/^Pulled Shop into /);
        return { message, actions: message.actions };
      };
      await using _project = await createProject('new');
      await studio.submitInputBox('test');
      const created = await waitForActions();
      assert.deepEqual(created.actions, ['Show Files', 'Show Report', 'Initialize Repository']);
      created.message.answer('Initialize Repository');
      await waitFor(
        () => studio.getCommandRuns('git.init').length === 1,
        () => 'No repository is created',
      );
      // The folder is only a part of the workspace, so the editor asks which one is meant.
      assert.deepEqual(studio.getCommandRuns('git.init'), [[false]]);

      // Another pull doesn't offer a repository again.
      await createProject('new');
      const again = await waitForActions();
      assert.deepEqual(again.actions, ['Show Files', 'Show Report']);
      again.message.answer(undefined);

      await using repository = new TestProject(join(getWorkspaceFolder(), 'repository'));
      await mkdir(repository.getUri('.git').fsPath, { recursive: true });
      await createProject('repository/analytics');
      await studio.submitInputBox('test');
      const inRepository = await waitForActions();
      assert.deepEqual(inRepository.actions, ['Show Files', 'Show Report']);
      inRepository.message.answer(undefined);

      hasGit = false;
      await using _withoutGit = await createProject('without-git');
      await studio.submitInputBox('test');
      const notOffered = await waitForActions();
      assert.deepEqual(notOffered.actions, ['Show Files', 'Show Report']);
      notOffered.message.answer(undefined);
    });

    test('a pull is refused if the project does not manage the datamodel, or has invalid settings', async ({
      studio,
      createProject,
      connect,
    }) => {
      await connect(studio);
      const project = await createProject();
      await pullRetail(studio, project);
      const settings = project.getUri('datamodel-studio.json').fsPath;
      await writeFile(settings, '{"version": 1, "manage": {"datamodels": ["Sales*"]}}');
      // The files of items that are no longer managed are not read.
      for (const path of [undefined, ['Shop', 'Datamodels', 'Marketing']] as const) {
        await pull(studio, project, path);
        await studio.waitForNotification(/^The project doesn't manage this datamodel\./);
      }
      await writeFile(settings, '{"version": 1,');
      await pull(studio, project);
      await studio.waitForNotification(/^datamodel-studio\.json:1: Invalid JSON/);
      await waitFor(
        () => studio.quickInput.current === undefined,
        () => 'A prompt is open',
      );
    });
  },
);
