import assert from 'node:assert/strict';
import { getExpressionText } from '../../../src/contract/table.ts';
import { fetchTable } from '../support/demo.ts';
import { pressSave, waitForUnsavedState } from '../support/activeEditor.ts';
import { journey } from '../support/journey.ts';
import { startJourneySandbox } from '../support/journeySandbox.ts';

const retail = ['Sandbox', 'Datamodels', 'Retail'] as const;

journey(
  'on a platform that follows the published contract, a datamodel is browsed and built, and a change of SQL is saved and undone',
  async ({ openStudio }) => {
    await using sandbox = await startJourneySandbox({ profile: 'contract' });
    const studio = await openStudio({ env: sandbox.env, settings: { 'files.autoSave': 'off' } });
    const fetchExpression = async (): Promise<string> =>
      getExpressionText((await fetchTable(sandbox, 'Retail', 'Customer Value')).table.expression) ?? '';
    const before = await fetchExpression();
    await studio.openView();
    await studio.findTreeItem([...retail, 'Relations', /Orders.*Customers|Customers.*Orders/]);
    await studio.chooseFromContextMenu(retail, 'Build', 'More Options…');
    await studio.selectQuickPick('Replace All');
    await studio.waitForStatusBarItem(/Retail built in/, 60_000);

    await studio.chooseFromContextMenu([...retail, 'Custom Tables', 'Customer Value'], 'Open SQL');
    await studio.waitForEditor('Customer Value.datamodel.sql');
    await (await studio.waitForEditorText(/SELECT/i)).click();
    await studio.page.keyboard.press('Control+End');
    await studio.page.keyboard.insertText('\n-- looked at');
    await waitForUnsavedState(studio, true);
    await pressSave(studio);
    await waitForUnsavedState(studio, false);
    assert.match(await fetchExpression(), /-- looked at/);
    await studio.runCommand('Datamodel Studio: Undo Last Change');
    await studio.getWebview().getByRole('button', { name: 'Undo', exact: true }).click();
    await studio.waitForStatusBarItem(/Undone: /);
    assert.equal(await fetchExpression(), before);
  },
);
