import assert from 'node:assert/strict';
import { startJourneySandbox } from '../support/journeySandbox.ts';
import { createSharedStudio } from '../support/sharedStudio.ts';
import type { Studio } from '../support/studio.ts';
import { TextEditor } from '../support/textEditor.ts';

const report = `WITH sales AS (
  SELECT o.[Store Id] AS store, SUM(i.[Revenue]) AS revenue
  FROM [Orders] o
  JOIN [Order Items] i ON i.[Order Id] = o.[Order Id]
  GROUP BY o.[Store Id]
)
SELECT s.[Store], m.revenue
FROM sales m
JOIN [Stores] s ON s.[Store Id] = m.store
ORDER BY m.revenue
`;

const own = `SELECT o.[Status] FROM [Orders] o
WHERE EXISTS (SELECT 1 FROM [Stores] s WHERE s.[Store Id] = o.[Store Id])
`;

const journey = createSharedStudio(async (owned) => {
  const sandbox = owned.use(await startJourneySandbox());
  const workspace = {
    'new.datamodel.sql': '',
    'typo.datamodel.sql': 'SELECT o.[Statsu], [Order Id] FROM Orders o, [Order Items] i\n',
    'bad.datamodel.sql': 'SELECT MADE_UP(o.[Status]) FROM Orders o',
    'wild.datamodel.sql': 'SELECT o.[Status],COUNT(*) AS n FROM [Orders] o GROUP BY o.[Status]',
    'report.datamodel.sql': report,
    'own.datamodel.sql': own,
  };
  return { options: { env: sandbox.env, workspace } };
});

/** The datamodel selected by an earlier journey applies to the whole folder, and can be selected again. */
async function pickRetail(studio: Studio): Promise<void> {
  await (await studio.statusBar(/Pick Datamodel|Retail/)).click();
  await studio.quickPick('Retail');
  await studio.statusBar('Retail');
}

journey('mistakes are underlined and fixed, a text is checked and formatted', async ({ studio }) => {
  const editor = new TextEditor(studio);
  await editor.open('typo.datamodel.sql');
  await studio.statusBar('Pick Datamodel');
  // Without a datamodel no names are known, so none are reported as errors.
  assert.equal(await editor.errors.count(), 0);
  await pickRetail(studio);
  await editor.errors.first().waitFor();
  await editor.nextProblem(/"o" has no column "Statsu"/);
  for (const theme of ['light', 'dark', 'hc'] as const) {
    await studio.setTheme(theme);
    await studio.screenshot(`sql-typo-${theme}`);
  }
  await editor.goTo(1, 12);
  await editor.fix('Change to [Status]');
  await editor.shows('SELECT o.[Status], [Order Id] FROM Orders o, [Order Items] i\n');
  await editor.goTo(1, 22);
  await editor.fix('Write o.[Order Id]');
  await editor.shows('SELECT o.[Status], o.[Order Id] FROM Orders o, [Order Items] i\n');
  await editor.errors.first().waitFor({ state: 'detached' });

  await editor.open('bad.datamodel.sql');
  // The datamodel selected for one file applies to the next in the folder.
  await studio.statusBar('Retail');
  // A function unknown to the extension may still exist.
  assert.equal(await editor.errors.count(), 0);
  await studio.runCommand('Datamodel Studio: Check Expression');
  await editor.errors.first().waitFor();
  await editor.nextProblem(/no such function: MADE_UP/);
  await editor.press('Control+End');
  await editor.type(' ');
  await editor.errors.first().waitFor({ state: 'detached' });

  await editor.open('wild.datamodel.sql');
  await studio.statusBar('Retail');
  await studio.runCommand('Format Document');
  await editor.shows('SELECT\n  o.[Status],\n  COUNT(*) AS n\nFROM\n  [Orders] o\nGROUP BY\n  o.[Status]');
});

journey('a query is written with completion, repaired by a quick fix, and formatted', async ({ studio }) => {
  const editor = new TextEditor(studio);
  await editor.open('new.datamodel.sql');
  await pickRetail(studio);

  await editor.type('se');
  await editor.accept('SELECT');
  // Type as fast as possible: the blank before it has requested proposals too, and their response is on its way.
  await studio.page.keyboard.type(' * fr');
  await editor.proposals.filter({ hasText: 'FROM' }).first().waitFor();
  await editor.accept('FROM');
  await editor.type(' ');
  await editor.accept('Orders');
  await editor.type(' o jo');
  await editor.accept('JOIN');
  await editor.type(' ');
  await editor.proposals.first().waitFor();
  await studio.screenshot('sql-completion-tables');
  await editor.accept('Order Items');
  await editor.type(' i o');
  await editor.accept('ON');
  await editor.type(' ');
  await editor.proposals.first().waitFor();
  await studio.screenshot('sql-completion-join');
  await editor.accept('o.[Order Id] = i.[Order Id]');
  // Keywords are completed in the case they are begun in: lower case.
  await editor.shows('select * from Orders o join [Order Items] i on o.[Order Id] = i.[Order Id]');

  // Inside a bracket that the editor closes automatically, and not in a string or comment.
  await editor.goTo(1, 8);
  await editor.press('Delete');
  await editor.type('i.[un');
  await editor.accept('Unit Price');
  await editor.shows(
    'select i.[Unit Price] from Orders o join [Order Items] i on o.[Order Id] = i.[Order Id]',
  );
  await editor.press('Control+End');
  await editor.type(" WHERE o.[Status] = 'or -- or");
  await studio.statusBar(/Col \d+/);
  assert.equal(await editor.proposals.count(), 0);
  await editor.press('Control+z');
});

journey('renames aliases and columns of a WITH query and finds definitions', async ({ studio }) => {
  const editor = new TextEditor(studio);
  await editor.open('report.datamodel.sql');
  await pickRetail(studio);
  await editor.goTo(7, 8);
  await editor.rename('shop');
  const renamed = report
    .replace('s.[Store], ', 'shop.[Store], ')
    .replace('[Stores] s ON s.', '[Stores] shop ON shop.');
  await editor.shows(renamed);
  await editor.goTo(10, 13);
  await editor.rename('total sales');
  const again = renamed.replace('AS revenue', 'AS [total sales]').replaceAll('m.revenue', 'm.[total sales]');
  await editor.shows(again);
  assert.equal(await editor.errors.count(), 0);

  await editor.goTo(10, 13);
  await editor.press('F12');
  await studio.statusBar('Ln 2, Col 53');
  for (const theme of ['light', 'dark', 'hc'] as const) {
    await studio.setTheme(theme);
    await studio.screenshot(`sql-report-${theme}`);
  }
  await editor.goTo(3, 10);
  await editor.press('F12');
  await studio.openedEditor('Orders.table.json');
});

journey('the SQL of custom tables and columns opens from the explorer and is checked', async ({ studio }) => {
  const editor = new TextEditor(studio);
  await studio.openView();
  await studio.contextMenu(
    ['Sandbox', 'Datamodels', 'Retail', 'Custom Tables', 'Customer Value'],
    'Open SQL Expression',
  );
  await studio.openedEditor('Customer Value.datamodel.sql');
  await studio.statusBar('Retail');
  await editor.errors.first().waitFor({ state: 'detached' });
  await studio.runCommand('Datamodel Studio: Check Expression');
  await studio.notification(/accepts this query. Its columns: Customer Id, Customer, Orders/);
  await studio.screenshot('sql-check');
  await studio.contextMenu(['Retail', 'Sales', 'Orders', 'Order Month'], 'Open SQL Expression');
  await studio.openedEditor('Order Month.datamodel.sql');
  await editor.shows('CREATEDATE(GETYEAR([Order Date]), GETMONTH([Order Date]), 01)');
  assert.equal(await editor.errors.count(), 0);
  await studio.runCommand('Datamodel Studio: Check Expression');
  await studio.notification(/accepts this expression/);
});

journey('a rename that captures a name is refused, a table is renamed everywhere', async ({ studio }) => {
  const editor = new TextEditor(studio);
  await editor.open('own.datamodel.sql');
  await pickRetail(studio);
  await editor.goTo(1, 33);
  await editor.rename('s');
  await studio.notification(
    /Not renamed to "s": "o" in line 2 stands for the alias "o" of line 1 and would stand for the alias "s" of line 2/,
  );
  await studio.screenshot('sql-rename-refused');
  await editor.shows(own);
  await editor.rename('ord');
  const renamed = own.replaceAll('o.[', 'ord.[').replace('] o\n', '] ord\n');
  await editor.shows(renamed);

  // A table belongs to the datamodel: its references are shown before anything is sent.
  await editor.goTo(1, 28);
  await editor.rename('Sales Orders');
  await studio.quickInput.shows('Customer Value');
  await studio.screenshot('sql-rename-everywhere');
  await studio.quickInput.pickMany([]);
  await studio.statusBar('Orders is now called Sales Orders');
  await editor.shows(renamed.replace('[Orders]', '[Sales Orders]'));
  await editor.errors.first().waitFor({ state: 'detached' });
});
