import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { hostileName } from '../../editor/support/hostileName.ts';
import { createHostileResources } from '../../editor/support/hostileResources.ts';
import { buildsView } from '../support/builds.ts';
import { fetchTable } from '../../editor/support/demo.ts';
import { documentSettings, openNewViewpoint } from '../support/documents.ts';
import type { TreeRow } from '../support/tree.ts';
import { describeStudio, startHostSandbox } from '../support/suite.ts';
import { waitFor } from '../support/waiting.ts';

const datamodel = ['Sandbox', 'Datamodels', hostileName] as const;
const hostileNamePattern = /__proto__/;

/** Checks a text in which the editor could render links and icons: it contains the name, but none of these. */
function assertPlain(text: string): void {
  assert.match(text, hostileNamePattern);
  assert.doesNotMatch(text, /\]\(|\$\(bug\)/);
}

/** Checks Markdown, in which the editor could also render HTML. Links to commands of the extension are allowed. */
function assertPlainMarkdown(tooltip: TreeRow['item']['tooltip']): void {
  assert.ok(tooltip instanceof vscode.MarkdownString, 'It is Markdown');
  assert.match(tooltip.value, /&#60;img.*proto/);
  assert.doesNotMatch(tooltip.value, /<|\]\((?!command:datamodelStudio\.)|\$\(bug\)/);
  assert.notEqual(tooltip.supportHtml, true);
}

describeStudio(
  'hostile names',
  async (disposables) => {
    const sandbox = disposables.use(await startHostSandbox());
    await createHostileResources(sandbox);
    return { sandbox, options: { env: sandbox.env, settings: documentSettings } };
  },
  (test) => {
    test('tooltips of the Connections view escape the names', async ({ studio }) => {
      for (const path of [
        datamodel,
        ['Sandbox', 'Datamodels', 'Retail', 'Sales', hostileName],
        ['Sandbox', 'Viewpoints', hostileName],
      ]) {
        const row = await studio.findTreeItem(path);
        // Tooltips are created when the pointer rests on a row.
        await studio.tree.getRowTooltip(row);
        assertPlainMarkdown(row.item.tooltip);
      }
    });

    test('documents and pages of items with these names open', async ({ studio }) => {
      await studio.chooseFromContextMenu(
        ['Sandbox', 'Datamodels', 'Retail', 'Sales', hostileName],
        'Open as JSON',
      );
      const { document } = await studio.waitForEditorText(/onerror/);
      assert.equal(JSON.parse(document.getText()).name, hostileName);
      for (const command of ['Show Effective Access…', 'Edit Rules in Grid…']) {
        await studio.chooseFromContextMenu(datamodel, 'Data Security', command);
        const page = await studio.findPage(
          command.startsWith('Show') ? 'datamodelStudio.access' : 'datamodelStudio.ruleMatrix',
        );
        await page.waitForMessage('data');
        assert.match(page.title, hostileNamePattern);
        assert.doesNotMatch(page.html, /<img/);
      }
    });

    test('the progress of a check shows the name of its connection as text', async ({ studio, sandbox }) => {
      const { globalState } = studio.storedState;
      const connection = { kind: 'remote', id: 'hostile', name: hostileName, url: sandbox.url };
      await globalState.update('connections', [{ ...connection, role: 'development' }]);
      studio.focusWindow();
      await studio.chooseFromContextMenu(hostileName, 'Check All Viewpoints and Rules');
      // Without a token, the check fails at once; that message names no connection.
      const progress = await waitFor(
        () => studio.messages.history.find((text) => text.startsWith('Checking')),
        () => studio.messages.history.join(),
      );
      assertPlain(progress);
    });

    test('an error of a save shows the message of the server as text', async ({ studio, sandbox }) => {
      const document = await openNewViewpoint(studio, sandbox, 'Renamed to a hostile name');
      await studio.replaceText(
        document.getText().replace('"Renamed to a hostile name"', () => JSON.stringify(hostileName)),
      );
      await studio.runCommand('File: Save');
      assertPlain(await studio.waitForSaveError(/already exists/));
    });

    test('a list of columns shows the names as text', async ({ studio, sandbox }) => {
      const { path, table } = await fetchTable(sandbox, 'Retail', 'Stores');
      const columns = table.columns?.map((column) =>
        column.name === 'City' ? { ...column, name: hostileName } : column,
      );
      await sandbox.request('PATCH', path, { columns });
      await studio.chooseFromContextMenu('Sandbox', 'Refresh');
      await studio.chooseFromContextMenu(
        ['Sandbox', 'Datamodels', 'Retail', 'Master Data', 'Stores'],
        'Edit',
        'Build Settings…',
      );
      await studio.selectQuickPick('Incremental…');
      await studio.quickInput.waitForRow(hostileNamePattern);
      for (const label of (await studio.quickInput.getLabels()).filter((text) =>
        hostileNamePattern.test(text),
      )) {
        assertPlain(label);
      }
    });

    test('messages, prompts, the status bar and the Builds view show the names as text', async ({
      studio,
    }) => {
      await studio.runCommand('Datamodel Studio: Build Datamodel…');
      await studio.quickInput.waitForRow(hostileNamePattern);
      for (const label of (await studio.quickInput.getLabels()).filter((text) =>
        hostileNamePattern.test(text),
      )) {
        assertPlain(label);
      }
      await studio.quickInput.cancel();
      await studio.chooseFromContextMenu(datamodel, 'Build', 'More Options…');
      await studio.selectQuickPick('Replace All');
      assertPlain((await studio.waitForNotification(hostileNamePattern)).text);
      await studio.waitForStatusBarItem(hostileNamePattern);
      const item = studio.status.getItem(hostileNamePattern);
      assertPlain(item.text);
      assertPlainMarkdown(item.tooltip);
      const row = await studio.tree.findRowInView(buildsView, hostileNamePattern);
      await studio.tree.getRowTooltip(row);
      assertPlainMarkdown(row.item.tooltip);
      await studio.chooseFromContextMenu(datamodel, 'Delete…');
      const plan = await studio.findPage('datamodelStudio.plan');
      await plan.waitForMessage('plan');
      assert.doesNotMatch(plan.html, /<img/);
      plan.post({ type: 'cancel' });
      for (const text of studio.messages.history) {
        assertPlain(text);
      }
    });
  },
);
