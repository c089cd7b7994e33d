import assert from 'node:assert/strict';
import { getExpressionText } from '../../../src/contract/table.ts';
import { fetchTable } from '../support/demo.ts';
import { pressSave, waitForDirtyState } from '../support/editorState.ts';
import { journey } from '../support/journey.ts';
import { startJourneySandbox } from '../support/journeySandbox.ts';

const retail = ['Sandbox', 'Datamodels', 'Retail'] as const;

journey(
  'a platform that follows the published contract is browsed, built, written to and undone',
  async ({ openStudio }) => {
    await using sandbox = await startJourneySandbox({ profile: 'contract' });
    const studio = await openStudio({ env: sandbox.env, settings: { 'files.autoSave': 'off' } });
    const fetchExpression = async (): Promise<string> =>
      getExpressionText((await fetchTable(sandbox, 'Retail', 'Customer Value')).table.expression) ?? '';
    const before = await fetchExpression();
    await studio.openView();
    await studio.treeItem([...retail, 'Relations', /Orders.*Customers|Customers.*Orders/]);
    await studio.contextMenu(retail, 'Build', 'More Options…');
    await studio.quickPick('Replace All');
    await studio.statusBar(/Retail built in/, 60_000);

    await studio.contextMenu([...retail, 'Custom Tables', 'Customer Value'], 'Open SQL');
    await studio.openedEditor('Customer Value.datamodel.sql');
    await (await studio.editorShows(/SELECT/i)).click();
    await studio.page.keyboard.press('Control+End');
    await studio.page.keyboard.insertText('\n-- looked at');
    await waitForDirtyState(studio, true);
    await pressSave(studio);
    await waitForDirtyState(studio, false);
    assert.match(await fetchExpression(), /-- looked at/);
    await studio.runCommand('Datamodel Studio: Undo Last Change');
    await studio.webview().getByRole('button', { name: 'Undo', exact: true }).click();
    await studio.statusBar(/Undone: /);
    assert.equal(await fetchExpression(), before);
  },
);
