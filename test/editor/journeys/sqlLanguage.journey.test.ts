import assert from 'node:assert/strict';
import { journey } from '../support/journey.ts';
import { startJourneySandbox } from '../support/journeySandbox.ts';
import { TextEditor } from '../support/textEditor.ts';

journey('a query is typed with completion, and its table is renamed everywhere', async ({ openStudio }) => {
  await using sandbox = await startJourneySandbox();
  const studio = await openStudio({ env: sandbox.env, workspace: { 'new.datamodel.sql': '' } });
  const editor = new TextEditor(studio);
  await editor.open('new.datamodel.sql');
  await (await studio.waitForStatusBarItem('Select Datamodel')).click();
  await studio.selectQuickPick('Retail');
  await studio.waitForStatusBarItem('Retail');

  await editor.type('se');
  await editor.acceptProposal('SELECT');
  // Type as fast as possible, so that the response to the request for proposals after the space is still pending.
  await studio.page.keyboard.type(' * fr');
  await editor.proposals.filter({ hasText: 'FROM' }).first().waitFor();
  await editor.acceptProposal('FROM');
  await editor.type(' ');
  await editor.acceptProposal('Orders');
  await editor.type(' o jo');
  await editor.acceptProposal('JOIN');
  await editor.type(' ');
  await editor.proposals.first().waitFor();
  await studio.screenshot('sql-completion-tables');
  await editor.acceptProposal('Order Items');
  await editor.type(' i o');
  await editor.acceptProposal('ON');
  await editor.type(' ');
  await editor.proposals.first().waitFor();
  await studio.screenshot('sql-completion-join');
  await editor.acceptProposal('o.[Order Id] = i.[Order Id]');
  // Keywords are completed in the letter case in which they were started: lower case.
  await editor.waitForText('select * from Orders o join [Order Items] i on o.[Order Id] = i.[Order Id]');

  // Proposals are shown inside a bracket that the editor closes automatically, but not in a string or comment.
  await editor.goTo(1, 8);
  await editor.press('Delete');
  await editor.type('i.[un');
  await editor.acceptProposal('Unit Price');
  await editor.waitForText(
    'select i.[Unit Price] from Orders o join [Order Items] i on o.[Order Id] = i.[Order Id]',
  );
  await editor.press('Control+End');
  await editor.type(" WHERE o.[Status] = 'or -- or");
  await studio.waitForStatusBarItem(/Col \d+/);
  assert.equal(await editor.proposals.count(), 0);
  await editor.press('Control+z');

  await editor.goTo(1, 30);
  await editor.rename('Sales Orders');
  await studio.quickInput.waitForRow('Customer Value');
  await studio.quickInput.pickMany([]);
  await studio
    .getWebview()
    .getByRole('button', { name: /^Apply/ })
    .click();
  await studio.waitForStatusBarItem('Renamed Orders to Sales Orders');
  await studio.waitForEditorText(/\[Sales.Orders\].o/);
});
