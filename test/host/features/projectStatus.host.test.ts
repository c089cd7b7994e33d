import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { fetchTable } from '../../editor/support/demo.ts';
import { addConnection } from '../support/connections.ts';
import { Patches } from '../support/patching.ts';
import { TestProject } from '../support/projects.ts';
import { SourceControls } from '../support/sourceControls.ts';
import type { HostStudio } from '../support/studio.ts';
import { describeStudio, startHostSandbox } from '../support/suite.ts';
import { waitFor } from '../support/waiting.ts';

const ordersPath = 'datamodels/Retail/tables/Orders.table.json';
const customersPath = 'datamodels/Retail/tables/Customers.table.json';
const label = 'Datamodel Studio (test)';
const [orders, customers] = [`analytics/${ordersPath}`, `analytics/${customersPath}`];

describeStudio(
  'the status of a project',
  async (owned) => {
    const sandbox = owned.use(await startHostSandbox());
    const sourceControls = owned.use(new SourceControls());
    /** Pulls the datamodel Retail into a project in the workspace. */
    const pullRetail = async (studio: HostStudio): Promise<TestProject> => {
      // That of the test before is of a folder with the same name.
      await waitFor(
        () => sourceControls.labels.length === 0,
        () => `Still shown: ${sourceControls.labels.join(', ')}`,
      );
      await addConnection(studio, { name: 'Shop', url: sandbox.url, token: sandbox.adminToken });
      const project = await TestProject.createInWorkspace('analytics');
      await studio.runCommand('Datamodel Studio: Pull into Folder…');
      await studio.quickPick('analytics');
      await studio.inputBox('test');
      (await studio.notification(/^Pulled Shop into analytics: /)).answer(undefined);
      await sourceControls.find(label);
      return project;
    };
    /** Describes the table Orders on the instance; returns how to take that back. */
    const describeOrders = async (description: string): Promise<AsyncDisposable> => {
      const { path, table } = await fetchTable(sandbox, 'Retail', 'Orders');
      await sandbox.request('PATCH', path, { description });
      return {
        [Symbol.asyncDispose]: async () => {
          await sandbox.request('PATCH', path, { description: table.description ?? '' });
        },
      };
    };
    return {
      sandbox,
      sourceControls,
      pullRetail,
      describeOrders,
      options: { settings: { 'files.autoSave': 'off' } },
    };
  },
  (test) => {
    test('changes here show at once, and those of the server after a refresh', async ({
      studio,
      sourceControls,
      pullRetail,
      describeOrders,
    }) => {
      await using project = await pullRetail(studio);
      await studio.statusBar('test');
      await sourceControls.show(label, {});
      await project.edit(customersPath, '"hidden": false', '"hidden": true');
      await sourceControls.show(label, { 'Changed Here': [customers] });
      const row = sourceControls.getRow(label, customers);
      assert.equal(row.decorations?.tooltip, 'Changed here');

      await using _description = await describeOrders('Theirs');
      await studio.runCommand('Datamodel Studio: Refresh Project Status');
      await sourceControls.show(label, {
        'Changed Here': [customers],
        'Changed on the Server': [orders],
      });
      await project.edit(ordersPath, /"One row per order[^"]*"/, '"Mine"');
      await sourceControls.show(label, { Both: [orders], 'Changed Here': [customers] });
      assert.equal(
        sourceControls.getRow(label, orders).decorations?.tooltip,
        'Changed here · Changed on the server. Conflict: both sides have changed the same place.',
      );
    });

    test('the gutter compares with what was last seen, and with the server once that was read', async ({
      studio,
      sourceControls,
      pullRetail,
      describeOrders,
    }) => {
      await using project = await pullRetail(studio);
      const { quickDiffProvider } = await sourceControls.find(label);
      const find = async (path: string) =>
        (await quickDiffProvider?.provideOriginalResource?.(
          project.uri(path),
          new vscode.CancellationTokenSource().token,
        )) ?? undefined;
      assert.equal(await find('datamodel-studio.json'), undefined);
      const uri = await find(ordersPath);
      assert.ok(uri);
      const before = await project.read(ordersPath);
      const original = await vscode.workspace.openTextDocument(uri);
      assert.equal(original.getText(), before);
      await project.edit(ordersPath, /"One row per order[^"]*"/, '"Mine"');
      await sourceControls.show(label, { 'Changed Here': [orders] });
      assert.equal(original.getText(), before);

      await using _description = await describeOrders('Theirs');
      await studio.runCommand('Datamodel Studio: Refresh Project Status');
      await waitFor(
        () => original.getText() === before.replace(/"One row per order[^"]*"/, '"Theirs"'),
        () => `The original is ${original.getText()}`,
      );
    });

    test('one file is compared in a diff editor, and several together', async ({
      studio,
      sourceControls,
      pullRetail,
    }) => {
      await using project = await pullRetail(studio);
      await project.edit(ordersPath, /"One row per order[^"]*"/, '"Mine"');
      await sourceControls.show(label, { 'Changed Here': [orders] });
      const [row] = [sourceControls.getRow(label, orders)];
      assert.ok(row.command);
      await vscode.commands.executeCommand(row.command.command, ...(row.command.arguments ?? []));
      const { input } = await studio.openedEditor('Orders.table.json: test ↔ Yours');
      assert.ok(input instanceof vscode.TabInputTextDiff);
      assert.equal(String(input.modified), String(project.uri(ordersPath)));
      const left = await vscode.workspace.openTextDocument(input.original);
      assert.match(left.getText(), /"One row per order/);

      await rm(join(project.folder, customersPath));
      await sourceControls.show(label, { 'Changed Here': [customers, orders] });
      await studio.runCommand('Datamodel Studio: Compare Project Files with Server');
      await studio.openedEditor('Differences from test');
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

    test('a folder that Git deletes and restores loses nothing', async ({
      studio,
      sourceControls,
      pullRetail,
    }) => {
      await using project = await pullRetail(studio);
      const document = await vscode.workspace.openTextDocument(project.uri(ordersPath));
      await vscode.window.showTextDocument(document);
      await studio.replaceText(document.getText().replace(/"One row per order[^"]*"/, '"Mine"'));
      assert.equal(document.isDirty, true);
      const moved = join(project.folder, 'moved');
      await vscode.workspace.fs.rename(project.uri('datamodels/Retail/tables'), vscode.Uri.file(moved));
      await waitFor(
        () => (sourceControls.getRows(label)['Changed Here'] ?? []).includes(customers),
        () => `Shown: ${JSON.stringify(sourceControls.getRows(label))}`,
      );
      await vscode.workspace.fs.rename(vscode.Uri.file(moved), project.uri('datamodels/Retail/tables'));
      await sourceControls.show(label, {});
      const shown = await vscode.workspace.openTextDocument(project.uri(ordersPath));
      await shown.save();
      await sourceControls.show(label, { 'Changed Here': [orders] });
      assert.match(await project.read(ordersPath), /"Mine"/);
    });

    test('another environment is selected; production is visible as such', async ({
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
      await studio.quickPick('live');
      await studio.statusBar('live (production)');
      await sourceControls.find('Datamodel Studio (live, production)');
      assert.deepEqual(sourceControls.labels, ['Datamodel Studio (live, production)']);
      // Nothing was pulled from it, so nothing is known of it.
      await sourceControls.show('Datamodel Studio (live, production)', {});
      await studio.runCommand('Datamodel Studio: Refresh Project Status');
      await studio.notification(/^There is no connection to https:\/\/live\.example\.com/);
      await studio.runCommand('Datamodel Studio: Select Project Environment…');
      await studio.quickPick('test');
      await sourceControls.find(label);
    });

    test('several projects have source controls of their own', async ({
      studio,
      sourceControls,
      pullRetail,
    }) => {
      await using project = await pullRetail(studio);
      await using other = await TestProject.createInWorkspace('other');
      await other.write('environments/second.json', '{"url": "https://second.example.com"}');
      await sourceControls.find('Datamodel Studio (second)');
      assert.deepEqual(sourceControls.labels.toSorted(), ['Datamodel Studio (second)', label]);
      const document = await vscode.workspace.openTextDocument(project.uri(ordersPath));
      await vscode.window.showTextDocument(document);
      await studio.statusBar('test');
      await rm(other.folder, { recursive: true });
      await waitFor(
        () => sourceControls.labels.length === 1,
        () => 'The source control of the deleted project is shown',
      );
    });

    test('a broken lock file and broken files are named', async ({ studio, sourceControls, pullRetail }) => {
      await using project = await pullRetail(studio);
      const text = await project.read(ordersPath);
      await project.write(ordersPath, '{');
      await sourceControls.show(label, { "Can't Be Read": [orders] });
      await project.write(ordersPath, text);
      await sourceControls.show(label, {});
      const lock = await project.read('environments/test.lock.json');
      await project.write('environments/test.lock.json', '<<<<<<< HEAD');
      await sourceControls.show(label, { "Can't Be Read": ['analytics/environments/test.lock.json'] });
      await project.write('environments/test.lock.json', lock);
      await sourceControls.show(label, {});
    });

    test('in Restricted Mode, changes are shown and nothing is sent', async ({
      studio,
      sourceControls,
      pullRetail,
    }) => {
      await using project = await pullRetail(studio);
      using patches = new Patches();
      patches.replace(vscode.workspace, 'isTrusted', () => false);
      await project.edit(ordersPath, /"One row per order[^"]*"/, '"Mine"');
      await sourceControls.show(label, { 'Changed Here': [orders] });
      await studio.runCommand('Datamodel Studio: Refresh Project Status');
      await studio.notification(/^This workspace is in Restricted Mode/);
    });
  },
);
