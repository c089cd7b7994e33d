import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { ToPlanPage } from '../../../src/webviews/protocol/planPage.ts';
import { fetchTable } from '../../editor/support/demo.ts';
import { findCaret, requestRename } from '../support/language.ts';
import { useFaults } from '../support/faults.ts';
import { Patches } from '../support/patches.ts';
import { waitForPlan } from '../support/plans.ts';
import type { TestProject } from '../support/projects.ts';
import {
  customers,
  customersPath,
  editOrdersDescription,
  label,
  orders,
  ordersPath,
  preparePulledProjects,
} from '../support/pulledProjects.ts';
import type { HostStudio } from '../support/studio.ts';
import { describeStudio } from '../support/suite.ts';
import { waitFor } from '../support/waiting.ts';
import { silenceWatchers } from '../support/workspace.ts';

const rulesPath = 'datamodels/Retail/rules/Orders.Status.rules.json';
const regionRulesPath = 'datamodels/Retail/rules/Regions.Region.rules.json';
const copyLabel = 'copy';

/** Selects an environment of the sandbox that was never pulled. */
async function selectCopy(studio: HostStudio, project: TestProject, url: string): Promise<void> {
  await project.write('environments/copy.json', JSON.stringify({ url, role: 'development' }));
  await studio.runCommand('Datamodel Studio: Select Project Environment…');
  await studio.selectQuickPick('copy');
}

/** Events after which the extension reads the files again, since watchers may not have reported all changes. */
class RecheckTriggers implements Disposable {
  readonly #terminal = new vscode.EventEmitter<unknown>();
  readonly #gitIndex = new vscode.EventEmitter<unknown>();

  /** @param patches must be disposed before the watchers are restored */
  constructor(patches: Patches) {
    patches.replace(
      vscode.workspace,
      'createFileSystemWatcher',
      (createSilent) => (pattern: vscode.GlobPattern) => ({
        ...createSilent(pattern),
        ...(pattern === '**/.git/index' ? { onDidChange: this.#gitIndex.event } : {}),
      }),
    );
    patches.replace(vscode.window, 'onDidEndTerminalShellExecution', () => this.#terminal.event);
  }

  endTerminalCommand(): void {
    this.#terminal.fire(undefined);
  }

  changeGitIndex(): void {
    this.#gitIndex.fire(undefined);
  }

  [Symbol.dispose](): void {
    this.#terminal.dispose();
    this.#gitIndex.dispose();
  }
}

describeStudio(
  'the differences of a project',
  (disposables) => preparePulledProjects(disposables),
  (test) => {
    test('after a partly failed read, the files that were not compared are shown and named, with the reason', async ({
      studio,
      sandbox,
      sourceControls,
      pullRetail,
    }) => {
      await using project = await pullRetail(studio);
      await studio.runCommand('Datamodel Studio: Refresh Project Status');
      await sourceControls.waitForRows(label, {});
      const getServerGroup = () =>
        sourceControls.getGroups(label).find((group) => group.startsWith('Changed on the Server'));
      assert.match(getServerGroup() ?? '', /^Changed on the Server, [^(]+: 0$/);
      const compare = (path: string) =>
        vscode.commands.executeCommand('datamodelStudio.menus.projects.compare', project.getUri(path));
      {
        await using _faults = await useFaults(sandbox, {
          kind: 'status',
          status: 503,
          methods: ['GET'],
          pathPrefix: '/api/elasticubes',
        });
        await studio.runCommand('Datamodel Studio: Refresh Project Status');
        (await studio.waitForNotification(/^Some items can't be read, so their status is unknown/)).answer(
          undefined,
        );
        const rules = (await vscode.workspace.findFiles('**/*.rules.json'))
          .map((uri) => vscode.workspace.asRelativePath(uri, false))
          .toSorted();
        assert.ok(rules.includes(`analytics/${regionRulesPath}`), rules.join('\n'));
        await sourceControls.waitForRows(label, { 'Status Unknown': rules });
        assert.match(getServerGroup() ?? '', /^Changed on the Server, .+ \(some items unknown\): 0$/);
        assert.match(
          sourceControls.getRow(label, regionRulesPath).decorations?.tooltip ?? '',
          /^Unchanged here\. Its state on the server is unknown because it couldn't be read\. The rules of Retail: .*503/,
        );
        assert.equal((await sourceControls.find(label)).count, 0);

        const uncompared = "Some files aren't compared because their state on test is unknown: ";
        void compare(regionRulesPath);
        (await studio.waitForNotification(`${uncompared}${regionRulesPath}`)).answer(undefined);
        void compare(ordersPath);
        (await studio.waitForNotification('No differences from test.')).answer(undefined);
        void compare('datamodels/Retail');
        const named = await studio.waitForNotification(/aren't compared/);
        const prefix = `No differences in the files that could be compared. ${uncompared}datamodels/Retail/rules/`;
        assert.ok(named.text.startsWith(prefix), named.text);
        named.answer(undefined);
        // The server may have rules that no file has.
        void compare('datamodels/Retail/tables');
        (
          await studio.waitForNotification(
            /^No differences in the files that could be compared\. Some items can't be read, so their status is unknown\. The rules of Retail: /,
          )
        ).answer(undefined);

        await project.saveEdit(regionRulesPath, /"Alps"/, '"West"');
        await sourceControls.waitForRows(label, {
          'Changed Here': [`analytics/${regionRulesPath}`],
          'Status Unknown': rules.filter((path) => path !== `analytics/${regionRulesPath}`),
        });
        void compare(regionRulesPath);
        await studio.waitForEditor('Regions.Region.rules.json: test at the last pull ↔ Yours');
        (await studio.waitForNotification(`${uncompared}${regionRulesPath}`)).answer(undefined);
      }
      await studio.runCommand('Datamodel Studio: Refresh Project Status');
      await sourceControls.waitForRows(label, { 'Changed Here': [`analytics/${regionRulesPath}`] });
      assert.match(getServerGroup() ?? '', /^Changed on the Server, [^(]+: 0$/);
    });

    test('a rename is shown as one row for each file, also after a pull, and compared with the version that has the former name', async ({
      studio,
      sourceControls,
      pullRetail,
    }) => {
      await using project = await pullRetail(studio);
      const editor = await vscode.window.showTextDocument(project.getUri(ordersPath));
      const edit = await requestRename(editor, findCaret(editor, '"name": "Sta|tus"'), 'Order Status');
      assert.ok(await vscode.workspace.applyEdit(edit, { isRefactoring: true }));
      await vscode.workspace.saveAll();
      const rows = {
        'Changed Here': edit.entries().map(([uri]) => vscode.workspace.asRelativePath(uri, false)),
      };
      rows['Changed Here'].sort();
      assert.ok(rows['Changed Here'].includes(`analytics/${rulesPath}`));
      await sourceControls.waitForRows(label, rows);
      assert.equal(sourceControls.getRow(label, rulesPath).decorations?.tooltip, 'Changed here');

      await studio.runCommand('Datamodel Studio: Refresh Project Status');
      await sourceControls.waitForRows(label, rows);
      const { command } = sourceControls.getRow(label, rulesPath);
      assert.ok(command);
      await vscode.commands.executeCommand(command.command, ...(command.arguments ?? []));
      const { input } = await studio.waitForEditor('Orders.Status.rules.json: test ↔ Yours');
      assert.ok(input instanceof vscode.TabInputTextDiff);
      const server = (await vscode.workspace.openTextDocument(input.original)).getText();
      assert.match(server, /"column": "Status"/);
      assert.equal(await project.read(rulesPath), server.replaceAll('"Status"', '"Order Status"'));

      void studio.runCommand('Datamodel Studio: Pull Project');
      (await studio.waitForNotification('Pulled Shop into analytics (test): no files changed.')).answer(
        undefined,
      );
      await sourceControls.waitForRows(label, rows);
    });

    test('the row of a renamed table says what the table is called on the server', async ({
      studio,
      sourceControls,
      pullRetail,
    }) => {
      await using project = await pullRetail(studio);
      await project.saveEdit(ordersPath, '"name": "Orders"', '"name": "Sales", "renamedFrom": "Orders"');
      await waitFor(
        () => sourceControls.getRows(label)['Changed Here']?.includes(orders),
        () => JSON.stringify(sourceControls.getRows(label)),
      );
      const { decorations } = sourceControls.getRow(label, orders);
      assert.deepEqual(
        [decorations?.tooltip, decorations?.strikeThrough],
        ['Renamed here from Orders', false],
      );
    });

    test('a click on the row of a renamed table in conflict asks which version to keep', async ({
      studio,
      sourceControls,
      pullRetail,
      setOrdersDescription,
    }) => {
      await using project = await pullRetail(studio);
      await project.saveEdit(ordersPath, '"name": "Orders"', '"name": "Sales", "renamedFrom": "Orders"');
      await using _description = await setOrdersDescription('Theirs');
      await studio.runCommand('Datamodel Studio: Refresh Project Status');
      await waitFor(
        () => sourceControls.getRows(label)['Changed on Both Sides']?.join() === orders,
        () => JSON.stringify(sourceControls.getRows(label)),
      );
      const { command } = sourceControls.getRow(label, orders);
      assert.equal(command?.command, 'datamodelStudio.projects.resolveConflicts');
      void vscode.commands.executeCommand(command.command, ...(command.arguments ?? []));
      (await studio.waitForNotification(/^Orders \(Table in Retail\) is in conflict: /)).answer('Keep Yours');
      (await studio.waitForNotification('All conflicts are resolved.')).answer(undefined);
      assert.match(await project.read(ordersPath), /"name": "Sales"/);
      await waitFor(
        () => sourceControls.getRows(label)['Changed Here']?.includes(orders),
        () => JSON.stringify(sourceControls.getRows(label)),
      );
    });

    test('an environment that was never pulled is shown as not compared, and after a comparison its differences are no conflicts', async ({
      studio,
      sandbox,
      sourceControls,
      pullRetail,
      setOrdersDescription,
    }) => {
      await using project = await pullRetail(studio);
      await editOrdersDescription(project);
      await using _description = await setOrdersDescription('Theirs');
      await selectCopy(studio, project, sandbox.url);
      await sourceControls.find(copyLabel);
      const environmentPath = 'analytics/environments/copy.json';
      await sourceControls.waitForRows(copyLabel, { 'Not Compared Yet': [environmentPath] });
      assert.deepEqual(sourceControls.getGroups(copyLabel), ['Not Compared Yet: 1']);
      assert.equal((await sourceControls.find(copyLabel)).count, 0, 'the row is not counted as a change');
      const { command } = sourceControls.getRow(copyLabel, environmentPath);
      assert.equal(command?.title, 'Compare with copy');
      await vscode.commands.executeCommand(command.command, ...(command.arguments ?? []));
      await sourceControls.waitForRows(copyLabel, { 'Different, Never Pulled': [orders] });
      const row = sourceControls.getRow(copyLabel, orders);
      assert.equal(row.contextValue, 'differs');
      assert.equal(
        row.decorations?.tooltip,
        "Differs from the server. It was never pulled, so it's unknown which side has changed.",
      );
      assert.equal(row.command?.command, 'datamodelStudio.projects.compare');

      // A plan says what it would overwrite, and a pull overwrites nothing.
      await vscode.commands.executeCommand('datamodelStudio.menus.projects.plan', row);
      const { plan } = await waitForPlan(studio, 'Plan: analytics (Retail) to Shop');
      const { sections } = plan.view;
      assert.deepEqual(
        sections.find(({ title }) => title === 'Never pulled, and will be overwritten or deleted')?.items,
        [{ icon: 'warning', text: 'Orders', detail: 'Table in Retail · description' }],
      );
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
      void vscode.commands.executeCommand('datamodelStudio.menus.projects.update', row);
      (await studio.waitForNotification(/1 conflict was left unresolved/)).answer(undefined);
      assert.match(await project.read(ordersPath), /"description": "Mine"/);
      assert.equal((await fetchTable(sandbox, 'Retail', 'Orders')).table.description, 'Theirs');
      // The pull has seen everything else, but still not Orders.
      await sourceControls.waitForRows(copyLabel, { 'Different, Never Pulled': [orders] });
      await project.saveEdit(customersPath, '"hidden": false', '"hidden": true');
      await sourceControls.waitForRows(copyLabel, {
        'Changed Here': [customers],
        'Different, Never Pulled': [orders],
      });
    });

    test('changes that no watcher reports are found when the window gets the focus, and after commands in a terminal or of Git', async ({
      studio,
      sourceControls,
      pullRetail,
    }) => {
      using _watchers = silenceWatchers();
      using patches = new Patches();
      using signals = new RecheckTriggers(patches);
      await using project = await pullRetail(studio);
      await sourceControls.waitForRows(label, {});
      const rules = await project.read(rulesPath);
      await project.write(rulesPath, rules.replaceAll('"Status"', '"Nope"'));
      studio.focusWindow();
      await sourceControls.waitForRows(label, { 'Changed Here': [`analytics/${rulesPath}`] });
      await waitFor(
        () =>
          vscode.languages
            .getDiagnostics(project.getUri(rulesPath))
            .some(({ message }) => message.includes('Nope')),
        () => 'The problem is not reported',
      );
      await project.write(rulesPath, rules);
      signals.endTerminalCommand();
      await sourceControls.waitForRows(label, {});
      await project.edit(ordersPath, '"hidden": false', '"hidden": true');
      signals.changeGitIndex();
      await sourceControls.waitForRows(label, { 'Changed Here': [orders] });

      // The environment gets its role, which the label has.
      const lock = await project.read('environments/test.lock.json');
      await project.write('environments/live.json', '{ "url": "https://live.example.com" }');
      await project.write('environments/live.lock.json', lock);
      await studio.runCommand('Datamodel Studio: Select Project Environment…');
      await studio.selectQuickPick('live');
      await sourceControls.find('live');
      await sourceControls.waitForRows('live', {
        'Changed Here': [orders],
        'Not Compared Yet': ['analytics/environments/live.json'],
      });
      await project.write(
        'environments/live.json',
        '{ "url": "https://live.example.com", "role": "production" }',
      );
      studio.focusWindow();
      await sourceControls.find('live (production)');
    });
  },
);

describeStudio(
  'a project of an instance that generates columns at once',
  (disposables) => preparePulledProjects(disposables, 'contract'),
  (test) => {
    test('has no changes after an apply of SQL, even if the window is reloaded', async ({
      studio,
      sourceControls,
      pullRetail,
    }) => {
      await using project = await pullRetail(studio);
      const sqlPath = 'datamodels/Retail/tables/Customer Value.datamodel.sql';
      await project.saveEdit(sqlPath, /\n$/, '\n-- Changed\n');
      await sourceControls.waitForRows(label, { 'Changed Here': [`analytics/${sqlPath}`] });
      const applying = studio.runCommand('Datamodel Studio: Apply Project…');
      const { page } = await waitForPlan(studio, 'Apply analytics to Shop');
      page.post({ type: 'apply' });
      await page.waitForMessage<Extract<ToPlanPage, { type: 'plan' }>>(
        'plan',
        (message) => message.view.isResult === true,
      );
      await applying;
      await sourceControls.waitForRows(label, {});
      assert.match(await project.read('environments/test.lock.json'), /"appliedFile"/);
      await studio.reloadWindow();
      await sourceControls.find(label);
      await project.saveEdit(customersPath, '"hidden": false', '"hidden": true');
      await sourceControls.waitForRows(label, {
        'Changed Here': [customers],
        'Not Compared Yet': ['analytics/environments/test.json'],
      });
    });
  },
);
