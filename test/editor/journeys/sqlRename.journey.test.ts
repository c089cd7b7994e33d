import { journey } from '../support/journey.ts';
import { openSandbox } from '../support/sandbox.ts';
import { TextEditor } from '../support/textEditor.ts';

journey('a name that would be captured is refused, a table is renamed everywhere', async ({ openStudio }) => {
  await using sandbox = await openSandbox();
  const text =
    'SELECT o.[Status] FROM [Orders] o\nWHERE EXISTS (SELECT 1 FROM [Stores] s WHERE s.[Store Id] = o.[Store Id])\n';
  const studio = await openStudio({ env: sandbox.env, workspace: { 'own.datamodel.sql': text } });
  const editor = new TextEditor(studio);
  await editor.open('own.datamodel.sql');
  await (await studio.statusBar('Pick Datamodel')).click();
  await studio.quickPick('Retail');
  await studio.statusBar('Retail');
  await editor.goTo(1, 33);
  await editor.rename('s');
  await studio.notification(
    /Not renamed to "s": "o" in line 2 stands for the alias "o" of line 1 and would stand for the alias "s" of line 2/,
  );
  await studio.screenshot('sql-rename-refused');
  await editor.shows(text);
  await editor.rename('ord');
  const renamed = text.replaceAll('o.[', 'ord.[').replace('] o\n', '] ord\n');
  await editor.shows(renamed);

  // A table belongs to the datamodel: who goes by its name is shown before anything is sent.
  await editor.goTo(1, 28);
  await editor.rename('Sales Orders');
  await studio.quickInput.shows('Customer Value');
  await studio.screenshot('sql-rename-everywhere');
  await studio.quickInput.pickMany([]);
  await studio.statusBar('Orders is now called Sales Orders');
  await editor.shows(renamed.replace('[Orders]', '[Sales Orders]'));
  await editor.errors.first().waitFor({ state: 'detached' });
});
