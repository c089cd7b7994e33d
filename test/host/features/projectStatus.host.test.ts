import assert from 'node:assert/strict';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { ToPlanPage } from '../../../src/webviews/protocol/planPage.ts';
import { fetchTable } from '../../editor/support/demo.ts';
import { startRecordingProxy } from '../../editor/support/recordingProxy.ts';
import { createTemporaryFolder } from '../../editor/support/temporaryFolder.ts';
import { useFaults } from '../support/faults.ts';
import { advanceClock } from '../support/clock.ts';
import { removeConnections } from '../support/connections.ts';
import { History } from '../../../src/changes/journal/history.ts';
import { Patches } from '../support/patches.ts';
import { endInterruptedChange, getSectionTexts, waitForClosed, waitForPlan } from '../support/plans.ts';
import { TestProject } from '../support/projects.ts';
import {
  customers,
  customersPath,
  editOrdersDescription,
  label,
  orders,
  ordersPath,
  preparePulledProjects,
  replaceDescription,
} from '../support/pulledProjects.ts';
import { acceptInstanceVersion, waitForMergeResult } from '../support/mergeResults.ts';
import { SourceControls } from '../support/sourceControls.ts';
import { describeStudio } from '../support/suite.ts';
import { waitFor } from '../support/waiting.ts';
import { getWorkspaceFolder, silenceWatchers } from '../support/workspace.ts';

const lockPath = 'environments/test.lock.json';
const environment = 'analytics/environments/test.json';

/** Waits until the rules on the column Segment of the table Customers say that they're on an unknown column. */
async function waitForUnknownColumn(project: TestProject): Promise<void> {
  const uri = project.getUri('datamodels/Retail/rules/Customers.Segment.rules.json');
  await waitFor(
    () => vscode.languages.getDiagnostics(uri).some(({ code }) => code === 'rules/unknown-column'),
    () => `${uri.path} doesn't have the problem`,
  );
}

describeStudio(
  'the status of a project',
  (disposables) => preparePulledProjects(disposables),
  (test) => {
    test('changes of files are shown at once, and changes on the server after a refresh', async ({
      studio,
      sourceControls,
      pullRetail,
      setOrdersDescription,
    }) => {
      await using project = await pullRetail(studio);
      await studio.waitForStatusBarItem('test');
      await sourceControls.waitForRows(label, {});
      await project.saveEdit(customersPath, '"hidden": false', '"hidden": true');
      await sourceControls.waitForRows(label, { 'Changed Here': [customers] });
      const row = sourceControls.getRow(label, customers);
      assert.equal(row.decorations?.tooltip, 'Changed here');

      await using _description = await setOrdersDescription('Theirs');
      await studio.runCommand('Datamodel Studio: Refresh Project Status');
      await sourceControls.waitForRows(label, {
        'Changed Here': [customers],
        'Changed on the Server': [orders],
      });
      await editOrdersDescription(project);
      await sourceControls.waitForRows(label, {
        'Changed on Both Sides': [orders],
        'Changed Here': [customers],
      });
      assert.equal(
        sourceControls.getRow(label, orders).decorations?.tooltip,
        'Changed here · Changed on the server. Conflict: both sides changed the same part.',
      );
    });

    test('changes by other programs are shown in folders that were created in this window', async ({
      studio,
      sourceControls,
      pullRetail,
    }) => {
      await using project = await pullRetail(studio);
      await sourceControls.waitForRows(label, {});
      await project.edit(customersPath, '"name": "Segment"', '"name": "Part"');
      await sourceControls.waitForRows(label, { 'Changed Here': [customers] });
      await waitForUnknownColumn(project);
    });

    test('changes that no watcher reports are shown once a command reads the files', async ({
      studio,
      sourceControls,
      pullRetail,
    }) => {
      using _watchers = silenceWatchers();
      await using project = await pullRetail(studio);
      await sourceControls.waitForRows(label, {});
      await project.edit(customersPath, '"hidden": false', '"hidden": true');
      const planTitle = 'Plan: analytics to Shop';
      void studio.runCommand('Datamodel Studio: Plan Project…');
      const { page, plan } = await waitForPlan(studio, planTitle);
      assert.deepEqual(getSectionTexts(plan, 'Will be changed'), ['Customers']);
      await sourceControls.waitForRows(label, { 'Changed Here': [customers] });

      // Changes that the plan has already read don't make its page out of date, and a comparison finds later changes.
      await project.edit(ordersPath, /"One row per order[^"]*"/, '"Mine"');
      page.post({ type: 'cancel' });
      sourceControls.click(label, customers);
      await studio.waitForEditor('Customers.table.json: test ↔ Yours');
      await sourceControls.waitForRows(label, { 'Changed Here': [customers, orders] });

      // The problems that this causes in other files are shown, too.
      await project.edit(customersPath, '"name": "Segment"', '"name": "Part"');
      await studio.runCommand('Datamodel Studio: Refresh Project Status');
      await waitForUnknownColumn(project);
    });

    test('a project without changes shows when it was compared with the instance, or how to compare it', async ({
      studio,
      sourceControls,
      pullRetail,
    }) => {
      await using _project = await pullRetail(studio);
      await sourceControls.waitForRows(label, {});
      const shown = sourceControls.getGroups(label);
      const now = Date.now();
      // The clock may have moved on since the pull.
      const expected = [now, now - 60_000]
        .map((time) => new Date(time).toLocaleTimeString('en', { timeStyle: 'short' }))
        .map((time) => `Changed Here: 0; Changed on the Server, ${time}: 0`);
      assert.ok(expected.includes(shown.join('; ')), shown.join('; '));
      assert.equal((await sourceControls.find(label)).count, 0);
      {
        using _clock = advanceClock(24 * 60 * 60_000);
        studio.focusWindow();
        await waitFor(
          () => /^Changed on the Server, \w+ \d+, \d+, /.test(sourceControls.getGroups(label)[1] ?? ''),
          () => `Shown: ${sourceControls.getGroups(label).join()}`,
        );
      }
      await studio.reloadWindow();
      await sourceControls.waitForRows(label, { 'Not Compared Yet': [environment] });
      // Before the files were read, it wasn't known that nothing has changed.
      assert.deepEqual(sourceControls.firstGroups.get(label), ['Loading…: 1']);
      assert.deepEqual(sourceControls.getGroups(label), ['Changed Here: 0', 'Not Compared Yet: 1']);
      // The row isn't a change.
      assert.equal((await sourceControls.find(label)).count, 0);
      sourceControls.click(label, environment);
      await sourceControls.waitForRows(label, {});
    });

    test('without a connection, a click on a row shows what is known, and adds the connection of the environment', async ({
      studio,
      sandbox,
      sourceControls,
      pullRetail,
    }) => {
      await using project = await pullRetail(studio);
      await editOrdersDescription(project);
      await sourceControls.waitForRows(label, { 'Changed Here': [orders] });
      await removeConnections(studio, ['Shop']);
      await project.write('environments/test.json', JSON.stringify({ url: sandbox.url, role: 'staging' }));
      await studio.reloadWindow();
      await sourceControls.waitForRows(label, {
        'Changed Here': [orders],
        'Not Compared Yet': [environment],
      });
      // The text that the last pull saw is unknown since the reload.
      sourceControls.click(label, orders);
      const { input } = await studio.waitForEditor('Orders.table.json');
      assert.ok(input instanceof vscode.TabInputText);
      const missing = new RegExp(
        `^No connection to ${sandbox.url}, the instance of the environment test\\.$`,
      );
      (await studio.waitForNotification(missing)).answer(undefined);
      await project.saveEdit(customersPath, '"hidden": false', '"hidden": true');
      await sourceControls.waitForRows(label, {
        'Changed Here': [customers, orders],
        'Not Compared Yet': [environment],
      });
      sourceControls.click(label, customers);
      await studio.waitForEditor('Customers.table.json: test at the last pull ↔ Yours');
      (await studio.waitForNotification(missing)).answer('Add Connection…');
      await studio.quickInput.waitForMessage(
        /^Address of the instance, from environments\/test\.json\. Make sure it's correct: your token is sent to it\.$/,
      );
      assert.equal(studio.quickInput.current?.getValue(), sandbox.url);
      await studio.quickInput.submitText(sandbox.url);
      await studio.quickInput.waitForMessage(/^API token/);
      await studio.quickInput.submitText(sandbox.adminToken);
      await studio.quickInput.waitForMessage('Select the role of the instance');
      await studio.quickInput.waitForActiveRow('staging');
      await studio.quickInput.pick('staging');
      await studio.quickInput.waitForMessage('Name of the connection');
      assert.equal(studio.quickInput.current?.getValue(), 'test');
      await studio.quickInput.submitText('test');
      await studio.quickInput.waitForMessage(/^Tenant/);
      await studio.quickInput.submitText('');
      // The comparison goes on.
      await studio.waitForEditor('Customers.table.json: test ↔ Yours');
      await sourceControls.waitForRows(label, { 'Changed Here': [customers, orders] });
    });

    test('a change to the instance from the same window outdates the status, and a plan updates it', async ({
      studio,
      sandbox,
      sourceControls,
      pullRetail,
    }) => {
      await using _project = await pullRetail(studio);
      const { path, table } = await fetchTable(sandbox, 'Retail', 'Orders');
      await studio.chooseFromContextMenu(['Shop', 'Datamodels', 'Retail', 'Sales', 'Orders'], 'Edit', 'Hide');
      await sourceControls.waitForRows(label, { 'Not Compared Yet': [environment] });
      const { command, decorations } = sourceControls.getRow(label, environment);
      assert.equal(
        decorations?.tooltip,
        'The instance might have changed since it was last read. Click to compare with test.',
      );
      assert.ok(command);
      await vscode.commands.executeCommand(command.command, ...(command.arguments ?? []));
      await sourceControls.waitForRows(label, { 'Changed on the Server': [orders] });
      await sandbox.request('PATCH', path, { hidden: table.hidden ?? false });
      await studio.runCommand('Datamodel Studio: Plan Project…');
      await waitForPlan(studio, 'Plan: analytics to Shop');
      await sourceControls.waitForRows(label, {});
    });

    test('a lock file that has changed since the last comparison outdates the status', async ({
      studio,
      sourceControls,
      pullRetail,
      setOrdersDescription,
    }) => {
      await using project = await pullRetail(studio);
      const [file, lock] = await Promise.all([project.read(ordersPath), project.read(lockPath)]);
      await using _description = await setOrdersDescription('Theirs');
      await studio.runCommand('Datamodel Studio: Pull Project');
      (await studio.waitForNotification(/^Pulled Shop/)).answer(undefined);
      await sourceControls.waitForRows(label, {});
      // As an apply from the command line would, after it has written the previous state to the instance.
      await project.save(ordersPath, file);
      await project.save(lockPath, lock);
      await sourceControls.waitForRows(label, { 'Not Compared Yet': [environment] });
    });

    test('a click on a row in conflict merges its file, and pulls nothing else', async ({
      studio,
      sandbox,
      sourceControls,
      pullRetail,
      setOrdersDescription,
    }) => {
      await using project = await pullRetail(studio);
      await using _description = await setOrdersDescription('Theirs');
      const { path, table } = await fetchTable(sandbox, 'Retail', 'Customers');
      await sandbox.request('PATCH', path, { description: 'New' });
      const customersBefore = await project.read(customersPath);
      await editOrdersDescription(project);
      await studio.runCommand('Datamodel Studio: Refresh Project Status');
      await sourceControls.waitForRows(label, {
        'Changed on Both Sides': [orders],
        'Changed on the Server': [customers],
      });
      const { contextValue, command } = sourceControls.getRow(label, orders);
      assert.equal(contextValue, 'conflict');
      assert.ok(command);
      void vscode.commands.executeCommand(command.command, ...(command.arguments ?? []));
      await studio.waitForEditor('Merging: Orders.table.json');
      const result = await waitForMergeResult();
      await acceptInstanceVersion(
        result,
        () => result.getText().includes('"Theirs"') && !result.getText().includes('"Mine"'),
      );
      // Saving is enough: the conflict is resolved.
      assert.ok(await result.save());
      assert.match(await project.read(ordersPath), /"description": "Theirs"/);
      await sourceControls.waitForRows(label, { 'Changed on the Server': [customers] });
      await vscode.commands.executeCommand('mergeEditor.acceptMerge');
      (await studio.waitForNotification('All conflicts are resolved.')).answer(undefined);
      assert.match(await project.read(ordersPath), /"description": "Theirs"/);
      assert.equal(await project.read(customersPath), customersBefore);
      await sourceControls.waitForRows(label, { 'Changed on the Server': [customers] });
      void studio.runCommand('Datamodel Studio: Resolve Conflicts…');
      (await studio.waitForNotification('No conflicts with test.')).answer(undefined);
      await sandbox.request('PATCH', path, { description: table.description ?? '' });
    });

    test('the gutter compares with the last seen version, and with that of the server after a refresh', async ({
      studio,
      sourceControls,
      pullRetail,
      setOrdersDescription,
    }) => {
      await using project = await pullRetail(studio);
      const { quickDiffProvider } = await sourceControls.find(label);
      const findOriginal = async (path: string) =>
        (await quickDiffProvider?.provideOriginalResource?.(
          project.getUri(path),
          new vscode.CancellationTokenSource().token,
        )) ?? undefined;
      assert.equal(await findOriginal('datamodel-studio.json'), undefined);
      const uri = await findOriginal(ordersPath);
      assert.ok(uri);
      const before = await project.read(ordersPath);
      const original = await vscode.workspace.openTextDocument(uri);
      assert.equal(original.getText(), before);
      await editOrdersDescription(project);
      await sourceControls.waitForRows(label, { 'Changed Here': [orders] });
      assert.equal(original.getText(), before);

      await using _description = await setOrdersDescription('Theirs');
      await studio.runCommand('Datamodel Studio: Refresh Project Status');
      await waitFor(
        () => original.getText() === replaceDescription(before, 'Theirs'),
        () => `The original is ${original.getText()}`,
      );
    });

    test('one file is compared in a diff editor, and several files in a multi-file diff editor', async ({
      studio,
      sourceControls,
      pullRetail,
    }) => {
      await using project = await pullRetail(studio);
      await editOrdersDescription(project);
      await sourceControls.waitForRows(label, { 'Changed Here': [orders] });
      const row = sourceControls.getRow(label, orders);
      assert.ok(row.command);
      await vscode.commands.executeCommand(row.command.command, ...(row.command.arguments ?? []));
      const { input } = await studio.waitForEditor('Orders.table.json: test ↔ Yours');
      assert.ok(input instanceof vscode.TabInputTextDiff);
      assert.equal(String(input.modified), String(project.getUri(ordersPath)));
      const originalDocument = await vscode.workspace.openTextDocument(input.original);
      assert.match(originalDocument.getText(), /"One row per order/);

      assert.equal(row.contextValue, 'here');
      await vscode.commands.executeCommand('datamodelStudio.projects.openFile', row);
      const file = (await studio.waitForEditor('Orders.table.json')).input;
      assert.ok(file instanceof vscode.TabInputText);
      assert.equal(String(file.uri), String(project.getUri(ordersPath)));

      await project.delete(customersPath);
      await sourceControls.waitForRows(label, { 'Changed Here': [customers, orders] });
      assert.equal(sourceControls.getRow(label, customers).contextValue, 'here.noFile');
      await studio.runCommand('Datamodel Studio: Compare Project Files with Server');
      await studio.waitForEditor(/^Differences from test/);
      const [[, changes]] = studio.getCommandRuns('vscode.changes') as unknown as readonly [
        readonly [string, readonly (readonly (vscode.Uri | undefined)[])[]],
      ];
      assert.deepEqual(
        changes.map(([, server, mine]) => [server?.scheme, mine?.scheme]),
        [
          ['datamodel-project', undefined],
          ['datamodel-project', 'file'],
        ],
      );
    });

    test('a folder that is moved away and back while a file in it has unsaved changes loses nothing', async ({
      studio,
      sourceControls,
      pullRetail,
    }) => {
      await using project = await pullRetail(studio);
      const document = await vscode.workspace.openTextDocument(project.getUri(ordersPath));
      await vscode.window.showTextDocument(document);
      await studio.replaceText(replaceDescription(document.getText(), 'Mine'));
      const [tables, moved] = [
        project.getUri('datamodels/Retail/tables').fsPath,
        join(project.folder, 'moved'),
      ];
      await rename(tables, moved);
      await studio.runCommand('Datamodel Studio: Refresh Project Status');
      await waitFor(
        () => (sourceControls.getRows(label)['Changed Here'] ?? []).includes(customers),
        () => `Shown: ${JSON.stringify(sourceControls.getRows(label))}`,
      );
      await rename(moved, tables);
      assert.equal(document.isDirty, true);
      assert.match(document.getText(), /"Mine"/);
      assert.ok(await document.save());
      await studio.runCommand('Datamodel Studio: Refresh Project Status');
      await sourceControls.waitForRows(label, { 'Changed Here': [orders] });
      assert.match(await project.read(ordersPath), /"Mine"/);
    });

    test('another environment can be selected, and an environment in production is marked', async ({
      studio,
      sourceControls,
      pullRetail,
    }) => {
      await using project = await pullRetail(studio);
      await project.write(
        'environments/live.json',
        '{"url": "https://live.example.com", "role": "production"}',
      );
      await studio.runCommand('Datamodel Studio: Select Project Environment…');
      await studio.selectQuickPick('live');
      await studio.waitForStatusBarItem('$(warning) live (production)');
      assert.match(studio.status.getTooltip('live (production)'), /Role: production/);
      await sourceControls.find('live (production)');
      assert.deepEqual(sourceControls.labels, ['live (production)']);
      // Nothing was pulled from this environment, so its status is unknown.
      await sourceControls.waitForRows('live (production)', {
        'Not Compared Yet': ['analytics/environments/live.json'],
      });
      await studio.runCommand('Datamodel Studio: Refresh Project Status');
      await studio.waitForNotification(/^No connection to https:\/\/live\.example\.com/);
      await studio.runCommand('Datamodel Studio: Select Project Environment…');
      await studio.quickInput.waitForTitle('Select Environment');
      await studio.quickInput.waitForActiveRow('live');
      await studio.selectQuickPick('test');
      await sourceControls.find(label);
    });

    test('several projects have source controls of their own', async ({
      studio,
      sourceControls,
      pullRetail,
    }) => {
      await using project = await pullRetail(studio);
      await using other = await TestProject.createInWorkspace('other');
      await other.write(
        'environments/second.json',
        '{"url": "https://second.example.com", "role": "production"}',
      );
      await sourceControls.find('second (production)');
      assert.deepEqual(sourceControls.labels.toSorted(), ['second (production)', label]);
      // Without an active file, an environment in production is shown.
      await studio.waitForStatusBarItem('other: second (production)');
      const document = await vscode.workspace.openTextDocument(project.getUri(ordersPath));
      await vscode.window.showTextDocument(document);
      await studio.waitForStatusBarItem('analytics: test');
      await other.delete('datamodel-studio.json');
      await waitFor(
        () => sourceControls.labels.length === 1,
        () => 'The source control of the deleted project is shown',
      );
    });

    test('a comparison reads the instance again after a while, or says when it was read', async ({
      studio,
      sandbox,
      sourceControls,
      pullRetail,
      setOrdersDescription,
    }) => {
      await using project = await pullRetail(studio);
      await editOrdersDescription(project);
      await sourceControls.waitForRows(label, { 'Changed Here': [orders] });
      const compare = () =>
        vscode.commands.executeCommand('datamodelStudio.menus.projects.compare', project.getUri(ordersPath));
      await compare();
      const { input } = await studio.waitForEditor('Orders.table.json: test ↔ Yours');
      assert.ok(input instanceof vscode.TabInputTextDiff);
      const server = await vscode.workspace.openTextDocument(input.original);
      await using _description = await setOrdersDescription('Theirs');
      {
        using _clock = advanceClock(61_000);
        await compare();
        await waitFor(
          () => server.getText().includes('"Theirs"'),
          () => server.getText(),
        );
      }
      // The editor keeps the title of a comparison that is open.
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
      using _clock = advanceClock(200_000);
      await using _faults = await useFaults(sandbox, { kind: 'status', status: 403 });
      await compare();
      await studio.waitForEditor(/^Orders\.table\.json: test at .* ↔ Yours$/);
    });

    test('the row of a deleted file says that an apply keeps the item, and so does the plan', async ({
      sourceControls,
      pullRetail,
      studio,
    }) => {
      await using project = await pullRetail(studio);
      await project.delete(ordersPath);
      await sourceControls.waitForRows(label, { 'Changed Here': [orders] });
      assert.equal(
        sourceControls.getRow(label, orders).decorations?.tooltip,
        'Deleted here. To delete it on the server, select Include Deletions… in a plan.',
      );
      await studio.runCommand('Datamodel Studio: Plan Project…');
      const { page, plan } = await waitForPlan(studio, 'Plan: analytics to Shop');
      assert.equal(plan.view.summary, 'No changes. Only on the instance, kept: 1 table.');
      assert.deepEqual(getSectionTexts(plan, 'Deleted in the project, kept on the instance'), ['Orders']);
      page.post({ type: 'cancel' });
    });

    test('a broken lock file and broken files have the status unknown, and are opened at the error', async ({
      studio,
      sourceControls,
      pullRetail,
    }) => {
      await using project = await pullRetail(studio);
      const text = await project.read(ordersPath);
      await project.save(ordersPath, '{\n  "name": 1,\n}');
      await sourceControls.waitForRows(label, { 'Status Unknown': [orders] });
      const row = sourceControls.getRow(label, orders);
      assert.match(row.decorations?.tooltip ?? '', /^Line \d+: ./);
      // A click opens the file at the error, and so does the menu.
      await vscode.commands.executeCommand('datamodelStudio.projects.openFile', row);
      await studio.waitForEditor('Orders.table.json');
      assert.ok((vscode.window.activeTextEditor?.selection.active.line ?? 0) > 0);
      await project.save(ordersPath, text);
      await sourceControls.waitForRows(label, {});
      const lock = await project.read('environments/test.lock.json');
      await project.save('environments/test.lock.json', '<<<<<<< HEAD');
      await sourceControls.waitForRows(label, {
        'Status Unknown': ['analytics/environments/test.lock.json'],
      });
      void studio.runCommand('Datamodel Studio: Pull Project');
      const unusable = /lock\.json has an unresolved merge conflict at line 1\./;
      (await studio.waitForNotification(unusable)).answer('Open File');
      await studio.waitForEditor('test.lock.json');
      await project.save('environments/test.lock.json', lock);
      await sourceControls.waitForRows(label, {});
    });

    test('a comparison says that differences are unknown if a file or the lock file cannot be read', async ({
      studio,
      sourceControls,
      pullRetail,
    }) => {
      await using project = await pullRetail(studio);
      const compare = () => studio.runCommand('Datamodel Studio: Compare Project Files with Server');
      await compare();
      (await studio.waitForNotification('No differences from test.')).answer(undefined);
      const text = await project.read(ordersPath);
      await project.save(ordersPath, '{');
      await sourceControls.waitForRows(label, { 'Status Unknown': [orders] });
      await compare();
      const unreadable =
        /^No differences in the files that could be compared\. Some files can't be read, so their differences from test are unknown\. datamodels\/Retail\/tables\/Orders\.table\.json: /;
      (await studio.waitForNotification(unreadable)).answer(undefined);
      await project.save(ordersPath, text);
      await project.save('environments/test.lock.json', '<<<<<<< HEAD');
      await sourceControls.waitForRows(label, {
        'Status Unknown': ['analytics/environments/test.lock.json'],
      });
      await compare();
      const unknownDifferences =
        /^The differences from test are unknown\. .*lock\.json has an unresolved merge conflict at line 1/;
      (await studio.waitForNotification(unknownDifferences)).answer(undefined);
    });

    test('a new file is not compared if it is unknown whether the server has its item', async ({
      studio,
      sandbox,
      sourceControls,
      pullRetail,
    }) => {
      await using project = await pullRetail(studio);
      const addedPath = 'datamodels/Retail/tables/Added.table.json';
      await project.saveEdit(customersPath, '"hidden": false', '"hidden": true');
      await sourceControls.waitForRows(label, { 'Changed Here': [customers] });
      await project.write(addedPath, (await project.read(customersPath)).replace('"Customers"', '"Added"'));
      const { path } = await fetchTable(sandbox, 'Retail', 'Orders');
      const [pathPrefix] = path.split('/schema/');
      await using _faults = await useFaults(sandbox, { kind: 'status', status: 403, pathPrefix });
      await studio.runCommand('Datamodel Studio: Refresh Project Status');
      (await studio.waitForNotification(/^Some items can't be read, so their status is unknown/)).answer(
        undefined,
      );
      assert.equal(
        sourceControls.getRow(label, addedPath).decorations?.tooltip,
        'Not in the last pull: either added here, or different on the server',
      );
      await studio.runCommand('Datamodel Studio: Compare Project Files with Server');
      // What the server has now is unknown, so the title doesn't say that this is it.
      await studio.waitForEditor('Customers.table.json: test at the last pull ↔ Yours');
      const prefix = `Some files aren't compared because their state on test is unknown: ${addedPath}, ${customersPath}, `;
      const notification = await studio.waitForNotification(/aren't compared/);
      assert.ok(notification.text.startsWith(prefix), notification.text);
      notification.answer(undefined);
    });

    test('a plan leads to the review of its apply, after which nothing differs', async ({
      studio,
      sandbox,
      sourceControls,
      pullRetail,
    }) => {
      await using project = await pullRetail(studio);
      await editOrdersDescription(project);
      await sourceControls.waitForRows(label, { 'Changed Here': [orders] });
      const { table } = await fetchTable(sandbox, 'Retail', 'Orders');
      await studio.runCommand('Datamodel Studio: Plan Project…');
      const preview = await waitForPlan(studio, 'Plan: analytics to Shop');
      assert.equal(preview.plan.view.isResult, true);
      assert.deepEqual(getSectionTexts(preview.plan, 'Will be changed'), ['Orders']);
      // The plan leads on to the review of the same apply.
      assert.equal(preview.plan.view.followUp, 'Apply…');
      preview.page.post({ type: 'followUp' });
      const followed = await waitForPlan(studio, 'Apply analytics to Shop');
      assert.deepEqual(getSectionTexts(followed.plan, 'Will be changed'), ['Orders']);
      // The page stays until the next one takes its place.
      assert.equal(preview.page.messages.at(-1)?.type, 'loading');
      await waitForClosed(studio, preview.page);
      followed.page.post({ type: 'cancel' });
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');

      const applying = vscode.commands.executeCommand(
        'datamodelStudio.menus.projects.apply',
        sourceControls.getRow(label, orders),
      );
      const { page, plan } = await waitForPlan(studio, 'Apply analytics (Retail) to Shop');
      assert.equal(plan.view.applyLabel, 'Apply');
      assert.equal((await fetchTable(sandbox, 'Retail', 'Orders')).table.description, table.description);
      page.post({ type: 'apply' });
      const { view } = await page.waitForMessage<Extract<ToPlanPage, { type: 'plan' }>>(
        'plan',
        (message) => message.view.isResult === true,
      );
      assert.match(view.summary, /^Done\. The instance matches the project in Retail\./);
      await applying;
      assert.equal((await fetchTable(sandbox, 'Retail', 'Orders')).table.description, 'Mine');
      // The lock file has what was written, so nothing differs, neither before the instance is read again nor
      // afterward.
      await sourceControls.waitForRows(label, {});
      await studio.runCommand('Datamodel Studio: Refresh Project Status');
      await sourceControls.waitForRows(label, {});
      await sandbox.request('PATCH', (await fetchTable(sandbox, 'Retail', 'Orders')).path, {
        description: table.description ?? '',
      });
    });

    test('a finished apply still says what to build', async ({
      studio,
      sandbox,
      sourceControls,
      pullRetail,
    }) => {
      await using project = await pullRetail(studio);
      const { path, table } = await fetchTable(sandbox, 'Retail', 'Customers');
      const sqlPath = 'datamodels/Retail/tables/Customers/Full Name.datamodel.sql';
      await project.save(sqlPath, `UPPER(${(await project.read(sqlPath)).trim()})\n`);
      await sourceControls.waitForRows(label, { 'Changed Here': [`analytics/${sqlPath}`] });
      const applying = studio.runCommand('Datamodel Studio: Apply Project…');
      const { page, plan } = await waitForPlan(studio, 'Apply analytics to Shop');
      assert.deepEqual(getSectionTexts(plan, 'Next steps'), ['Build Retail']);
      page.post({ type: 'apply' });
      const result = await page.waitForMessage<Extract<ToPlanPage, { type: 'plan' }>>(
        'plan',
        (message) => message.view.isResult === true,
      );
      assert.match(result.view.summary, /^Done\./);
      const [build] = result.view.sections.find((section) => section.title === 'Next steps')?.items ?? [];
      assert.equal(build?.text, 'Build Retail');
      page.post({ type: 'open', link: build?.link ?? -1 });
      await studio.quickInput.waitForTitle('Build Retail');
      await studio.quickInput.waitForRow('Changes Only');
      studio.quickInput.current?.cancel();
      assert.ok(studio.pages.open.includes(page), 'The result stays open');
      await applying;
      await sandbox.request('PATCH', path, table);
    });

    test('a pull brings the changes of the server', async ({
      studio,
      sourceControls,
      pullRetail,
      setOrdersDescription,
    }) => {
      await using project = await pullRetail(studio);
      await using _description = await setOrdersDescription('Theirs');
      await studio.runCommand('Datamodel Studio: Refresh Project Status');
      await sourceControls.waitForRows(label, { 'Changed on the Server': [orders] });
      void vscode.commands.executeCommand(
        'datamodelStudio.menus.projects.update',
        sourceControls.getRow(label, orders),
      );
      (
        await studio.waitForNotification(/^Pulled Shop into analytics \(test\)\. Files: 0 created, 1 changed/)
      ).answer(undefined);
      await sourceControls.waitForRows(label, {});
      assert.match(await project.read(ordersPath), /"description": "Theirs"/);
    });

    test('an apply that stops says how far it got, and prevents another apply and a pull until it is ended', async ({
      studio,
      sandbox,
      sourceControls,
      pullRetail,
    }) => {
      await using project = await pullRetail(studio);
      const tables = [
        await fetchTable(sandbox, 'Retail', 'Customers'),
        await fetchTable(sandbox, 'Retail', 'Orders'),
      ];
      await editOrdersDescription(project);
      await project.saveEdit(customersPath, '"hidden": false', '"hidden": true');
      await sourceControls.waitForRows(label, { 'Changed Here': [customers, orders] });
      const applying = studio.runCommand('Datamodel Studio: Apply Project…');
      const { page } = await waitForPlan(studio, 'Apply analytics to Shop');
      {
        await using _faults = await useFaults(sandbox, {
          kind: 'status',
          status: 403,
          methods: ['PATCH', 'PUT'],
          every: 2,
          count: 1,
        });
        page.post({ type: 'apply' });
        const { view } = await page.waitForMessage<Extract<ToPlanPage, { type: 'plan' }>>(
          'plan',
          (message) => message.view.isResult === true,
        );
        assert.match(view.summary, /^Stopped\. Requests completed: 1 of 2\./);
        assert.equal(view.tone, 'error');
        assert.equal(view.followUp, 'Show History');
        await applying;
      }
      // A plan says that the change was interrupted, and leads to the history.
      await studio.runCommand('Datamodel Studio: Plan Project…');
      const { page: planPage, plan } = await waitForPlan(studio, 'Plan: analytics to Shop');
      assert.deepEqual(getSectionTexts(plan, 'Interrupted change'), [
        'An earlier change to this instance was interrupted. Finish it, roll it back, or abandon it in the History view first.',
      ]);
      assert.match(plan.view.summary, / Nothing can be applied yet: see "Interrupted change"\.$/);
      assert.equal(plan.view.followUp, 'Show History');
      planPage.post({ type: 'followUp' });
      await studio.tree.waitForSelected([/^Applied the project analytics/]);
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
      // An apply is refused before it asks anything.
      void studio.runCommand('Datamodel Studio: Apply Project…');
      (await studio.waitForNotification(/^An earlier change to this instance was interrupted\./)).answer(
        undefined,
      );
      // Until the change is ended, it also prevents a pull.
      void studio.runCommand('Datamodel Studio: Pull Project');
      const refusal = await studio.waitForNotification(
        /^An earlier change to this instance was interrupted\./,
      );
      refusal.answer(undefined);
      await endInterruptedChange(studio, /^Applied the project analytics/, 'Finish');
      await sourceControls.waitForRows(label, {});
      for (const { path, table } of tables) {
        await sandbox.request('PATCH', path, table);
      }
    });

    test('a pull is refused while a change is interrupted', async ({ studio, pullRetail }) => {
      await using project = await pullRetail(studio);
      const before = await project.read('environments/test.lock.json');
      using patches = new Patches();
      // A history entry that a killed process has left behind; no process has this ID.
      const operation = { connectionId: 'c' };
      const entries = async () => [
        { id: 'entry', pid: 2 ** 30, operation, writeStates: [{ state: 'sending' }] },
      ];
      patches.replace(History.prototype, 'readEntriesOfAllTenants', () => entries);
      patches.replace(History.prototype, 'readUnfinishedEntries', () => entries);
      await studio.runCommand('Datamodel Studio: Pull Project');
      await studio.waitForNotification(/^An earlier change to this instance was interrupted\./);
      await studio.reset();
      assert.equal(await project.read('environments/test.lock.json'), before);
    });

    test('an environment with a stricter role than its connection is not written to', async ({
      studio,
      sandbox,
      sourceControls,
      pullRetail,
    }) => {
      const conflict =
        /The role of the environment live is production, but the role of the connection Shop is development\. Give the connection the same role\./;
      await using project = await pullRetail(studio);
      await project.write('environments/live.json', JSON.stringify({ url: sandbox.url, role: 'production' }));
      await studio.runCommand('Datamodel Studio: Select Project Environment…');
      await studio.selectQuickPick('live');
      await sourceControls.find('live (production)');
      void studio.runCommand('Datamodel Studio: Apply Project…');
      await studio.waitForNotification(conflict);

      // The same message is shown before an apply is tried, with an action that resolves the problem.
      await studio.waitForStatusBarItem('live (production)');
      assert.match(studio.status.getTooltip('live (production)'), conflict);
      await editOrdersDescription(project);
      void studio.runCommand('Datamodel Studio: Plan Project…');
      const { page, plan } = await waitForPlan(studio, 'Plan: analytics to Shop');
      assert.match(plan.view.summary, conflict);
      assert.equal(plan.view.followUp, 'Edit Connection…');
      page.post({ type: 'followUp' });
      await studio.submitInputBox(sandbox.url);
      await studio.submitInputBox('');
      await studio.selectQuickPick('production');
      await studio.submitInputBox('Shop');
      await studio.submitInputBox('');
      const planAfter = await waitForPlan(studio, 'Plan: analytics to Shop');
      assert.doesNotMatch(planAfter.plan.view.summary, conflict);
      assert.equal(planAfter.plan.view.followUp, 'Apply…');
      assert.doesNotMatch(studio.status.getTooltip('live (production)'), conflict);
      await studio.chooseFromContextMenu('Shop', 'Edit Connection…');
      await studio.submitInputBox(sandbox.url);
      await studio.submitInputBox('');
      await studio.selectQuickPick('development');
      await studio.submitInputBox('Shop');
      await studio.submitInputBox('');
      await waitFor(
        () => conflict.test(studio.status.getTooltip('live (production)')),
        () => studio.status.getTooltip('live (production)'),
      );

      await studio.runCommand('Datamodel Studio: Select Project Environment…');
      const { detail } = await studio.quickInput.waitForRow('live');
      assert.match(detail ?? '', conflict);
      await studio.quickInput.cancel();
      await studio.chooseFromContextMenu('Shop', 'Pull into Folder…');
      await studio.selectQuickPick('analytics');
      await studio.quickInput.waitForMessage('Select the environment of Shop');
      const { detail: pulledDetail } = await studio.quickInput.waitForRow('live');
      assert.match(pulledDetail ?? '', conflict);
      await studio.quickInput.cancel();
      await studio.runCommand('Datamodel Studio: Select Project Environment…');
      await studio.selectQuickPick('test');
      // The environment test has the same address, so its role is the same, too.
      await sourceControls.find('test (production)');
      await project.write(
        'environments/live.json',
        JSON.stringify({ url: 'https://live.example.com', role: 'production' }),
      );
      await sourceControls.find(label);
    });

    test('in Restricted Mode, changes are shown and nothing is sent', async ({
      studio,
      sandbox,
      sourceControls,
      pullRetail,
    }) => {
      await using recorder = await startRecordingProxy(sandbox);
      await using project = await pullRetail(studio, recorder.url);
      assert.notDeepEqual(recorder.takeRequests(), []);
      using patches = new Patches();
      patches.replace(vscode.workspace, 'isTrusted', () => false);
      await editOrdersDescription(project);
      await sourceControls.waitForRows(label, { 'Changed Here': [orders] });
      const { command } = sourceControls.getRow(label, orders);
      assert.ok(command);
      await vscode.commands.executeCommand(command.command, ...(command.arguments ?? []));
      await studio.waitForEditor('Orders.table.json');
      await studio.runCommand('Datamodel Studio: Refresh Project Status');
      await studio.waitForNotification(/^This workspace is in Restricted Mode/);
      assert.deepEqual(recorder.takeRequests(), []);
    });
  },
);

describeStudio(
  'a project that is moved into the workspace',
  async (disposables) => ({ sourceControls: disposables.use(new SourceControls()), options: {} }),
  (test) => {
    test('is found, although watchers report only its folder', async ({ sourceControls }) => {
      await using folder = await createTemporaryFolder();
      const moved = new TestProject(join(folder.path, 'moved'));
      await moved.write('datamodel-studio.json', '{"version": 1}');
      await moved.write('environments/second.json', '{"url": "https://second.example.com"}');
      await using project = new TestProject(join(getWorkspaceFolder(), 'moved'));
      // Searching twice lets the search end that the extension starts at its activation: it must not find the project.
      assert.deepEqual(await vscode.workspace.findFiles('**/datamodel-studio.json'), []);
      assert.deepEqual(await vscode.workspace.findFiles('**/datamodel-studio.json'), []);
      await rename(moved.folder, project.folder);
      await sourceControls.find('second');
    });
  },
);
