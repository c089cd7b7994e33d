import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { hostileName } from '../../editor/support/hostileName.ts';
import { createHostileResources } from '../../editor/support/hostileResources.ts';
import { buildsView } from '../support/builds.ts';
import { documentSettings } from '../support/documents.ts';
import type { TreeRow } from '../support/tree.ts';
import { describeStudio, startHostSandbox } from '../support/suite.ts';

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
  async (owned) => {
    const sandbox = owned.use(await startHostSandbox());
    await createHostileResources(sandbox);
    return { sandbox, options: { env: sandbox.env, settings: documentSettings } };
  },
  (test) => {
    test('tooltips of the explorer escape the names', async ({ studio }) => {
      for (const path of [
        datamodel,
        ['Sandbox', 'Datamodels', 'Retail', 'Sales', hostileName],
        ['Sandbox', 'Viewpoints', hostileName],
      ]) {
        const row = await studio.treeItem(path);
        // Tooltips are created when the pointer rests on a row.
        await studio.tree.rowTooltip(row);
        assertPlainMarkdown(row.item.tooltip);
      }
    });

    test('documents and pages open under such names', async ({ studio }) => {
      await studio.contextMenu(['Sandbox', 'Datamodels', 'Retail', 'Sales', hostileName], 'Open as JSON');
      const { document } = await studio.editorShows(/onerror/);
      assert.equal(JSON.parse(document.getText()).name, hostileName);
      for (const command of ['Show Effective Access…', 'Edit Rules in Grid…']) {
        await studio.contextMenu(datamodel, 'Data Security', command);
        const page = await studio.page(
          command.startsWith('Show') ? 'datamodelStudio.access' : 'datamodelStudio.ruleMatrix',
        );
        await page.receives('data');
        assert.match(page.title, hostileNamePattern);
        assert.doesNotMatch(page.html, /<img/);
      }
    });

    test('messages, prompts, the status bar and the Builds view show the names as text', async ({
      studio,
    }) => {
      await studio.runCommand('Datamodel Studio: Build Datamodel…');
      await studio.quickInput.shows(hostileNamePattern);
      for (const label of (await studio.quickInput.labels()).filter((text) =>
        hostileNamePattern.test(text),
      )) {
        assertPlain(label);
      }
      await studio.quickInput.cancel();
      await studio.contextMenu(datamodel, 'Build', 'More Options…');
      await studio.quickPick('Replace All');
      assertPlain((await studio.notification(hostileNamePattern)).text);
      await studio.statusBar(hostileNamePattern);
      const item = studio.status.item(hostileNamePattern);
      assertPlain(item.text);
      assertPlainMarkdown(item.tooltip);
      const row = await studio.tree.find(buildsView, hostileNamePattern);
      await studio.tree.rowTooltip(row);
      assertPlainMarkdown(row.item.tooltip);
      await studio.contextMenu(datamodel, 'Delete…');
      const plan = await studio.page('datamodelStudio.plan');
      await plan.receives('plan');
      assert.doesNotMatch(plan.html, /<img/);
      plan.post({ type: 'cancel' });
      for (const text of studio.messages.history) {
        assertPlain(text);
      }
    });
  },
);
