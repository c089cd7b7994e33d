import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { setCustomTableExpression } from '../../editor/support/demo.ts';
import { addConnection } from '../support/connections.ts';
import type { HostStudio } from '../support/studio.ts';
import { describeWithUnconnectedSandbox, startHostSandbox } from '../support/suite.ts';

/** Waits for a diff editor with the title, and returns the texts of its sides. */
async function readDiff(studio: HostStudio, title: string): Promise<readonly [string, string]> {
  const { input } = await studio.waitForEditor(title);
  assert.ok(input instanceof vscode.TabInputTextDiff);
  const [left, right] = await Promise.all(
    [input.original, input.modified].map((uri) => vscode.workspace.openTextDocument(uri)),
  );
  assert.ok(left && right);
  for (const { uri } of [left, right]) {
    assert.equal(vscode.workspace.fs.isWritableFileSystem(uri.scheme) ?? false, false);
    assert.deepEqual(vscode.languages.getDiagnostics(uri), []);
  }
  return [left.getText(), right.getText()];
}

describeWithUnconnectedSandbox('comparisons', (test) => {
  test('resources are compared with those of the same name of another connection', async ({
    studio,
    sandbox,
  }) => {
    await using other = await startHostSandbox();
    await addConnection(studio, { name: 'Shop', url: sandbox.url, token: sandbox.adminToken });
    await addConnection(studio, { name: 'Branch', url: other.url, token: 'wrong-token' });
    await setCustomTableExpression(other, 'Retail', 'Customer Value', 'SELECT 1 AS [One]\nFROM [Orders]');

    // A signed-out connection offers to sign in. Afterwards, resources with the same name are listed first.
    await studio.chooseFromContextMenu(['Shop', 'Datamodels', 'Retail'], 'Compare With…');
    await studio.quickInput.waitForTitle('Compare Retail With');
    const failure = await studio.quickInput.waitForRow(/the server rejected the token/);
    assert.ok(!(await studio.quickInput.getLabels()).includes('Retail'));
    studio.quickInput.current?.choose([failure]);
    await studio.quickInput.waitForTitle('Sign In to Branch');
    await studio.submitInputBox(other.adminToken);
    await studio.quickInput.waitForRow('Retail');
    const [separator, firstItem] = studio.quickInput.current?.getItems() ?? [];
    assert.deepEqual([separator?.label, firstItem?.label], ['Same Name', 'Retail']);
    assert.match(String(firstItem?.description), /^Branch · /);
    await studio.selectQuickPick('Retail');
    const [left, right] = await readDiff(studio, 'Shop › Retail ↔ Branch › Retail');
    const changedLine = '"SELECT 1 AS [One]"';
    assert.deepEqual([left.includes(changedLine), right.includes(changedLine)], [false, true]);
    const unchangedPart = left.slice(0, left.indexOf('Customer Value'));
    assert.ok(unchangedPart.length > 100);
    assert.ok(right.startsWith(unchangedPart), 'what was not changed is the same');

    // A table with the same name needs no further question; its SQL is compared from its editor.
    await studio.chooseFromContextMenu(
      ['Shop', 'Datamodels', 'Retail', 'Custom Tables', 'Customer Value'],
      'Open SQL',
    );
    await studio.waitForEditor('Customer Value.datamodel.sql');
    await studio.runCommand('Datamodel Studio: Compare Resource With…');
    await studio.quickInput.waitForTitle('Compare Customer Value With');
    await studio.quickInput.waitForRow('Same Name');
    const [, sameName] = studio.quickInput.current?.getItems() ?? [];
    assert.match(String(sameName?.description), /^Branch · /);
    studio.quickInput.current?.choose(sameName === undefined ? [] : [sameName]);
    const [, sql] = await readDiff(
      studio,
      'Shop › Retail › Customer Value ↔ Branch › Retail › Customer Value',
    );
    assert.equal(sql, 'SELECT 1 AS [One]\nFROM [Orders]\n');
  });

  test('tables of one datamodel, rules, and viewpoints are compared', async ({ studio, sandbox }) => {
    await addConnection(studio, { name: 'Shop', url: sandbox.url, token: sandbox.adminToken });
    await studio.chooseFromContextMenu(
      ['Shop', 'Datamodels', 'Retail', 'Master Data', 'Regions'],
      'Compare With…',
    );
    await studio.selectQuickPick('Retail');
    await studio.quickInput.waitForRow('Stores');
    assert.ok(!(await studio.quickInput.getLabels()).includes('Regions'));
    await studio.selectQuickPick('Stores');
    const [regions, stores] = await readDiff(studio, 'Shop › Retail › Regions ↔ Shop › Retail › Stores');
    assert.deepEqual([JSON.parse(regions).name, JSON.parse(stores).name], ['Regions', 'Stores']);

    await studio.chooseFromContextMenu(['Shop', 'Datamodels', 'Retail', 'Data Security'], 'Compare With…');
    await studio.quickInput.waitForRow('Support Desk');
    assert.ok(!(await studio.quickInput.getLabels()).includes('Retail'));
    await studio.selectQuickPick('Support Desk');
    const [rules] = await readDiff(
      studio,
      'Shop › Retail › Data Security ↔ Shop › Support Desk › Data Security',
    );
    assert.ok(JSON.parse(rules).length > 0);

    const viewpoints = await studio.tree.getChildLabels(['Shop', 'Viewpoints']);
    const [viewpointName, otherViewpointName] = viewpoints;
    assert.ok(viewpointName !== undefined && otherViewpointName !== undefined);
    await studio.chooseFromContextMenu(['Shop', 'Viewpoints', viewpointName], 'Compare With…');
    await studio.quickInput.waitForRow(otherViewpointName);
    assert.ok(!(await studio.quickInput.getLabels()).includes(viewpointName));
    await studio.selectQuickPick(otherViewpointName);
    const [viewpoint] = await readDiff(studio, `Shop › ${viewpointName} ↔ Shop › ${otherViewpointName}`);
    assert.equal(JSON.parse(viewpoint).name, viewpointName);
  });

  test('without a selection, the command asks the user to select something', async ({ studio }) => {
    await studio.runCommand('Datamodel Studio: Compare Resource With…');
    await studio.waitForNotification(
      'In the Connections view, select a datamodel, table, viewpoint, or rules to compare.',
    );
  });
});
