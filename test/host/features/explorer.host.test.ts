import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { fetchDatamodel, fetchTable } from '../../editor/support/demo.ts';
import { demoViewpointName, fetchViewpoint } from '../../editor/support/viewpointDocument.ts';
import { createTestDatamodel } from '../support/testDatamodel.ts';
import type { ToAccess } from '../../../src/webviews/protocol/access.ts';
import { useFaults } from '../support/faults.ts';
import { applyPlan } from '../support/plans.ts';
import type { HostStudio } from '../support/studio.ts';
import { describeOnSandbox } from '../support/suite.ts';
import { groups } from '../../../src/sandbox/seeds/people.ts';
import { backUpRules, retailRulesPath } from '../support/rules.ts';
import { waitFor } from '../support/waiting.ts';

const retail = ['Sandbox', 'Datamodels', 'Retail'] as const;
const orders = [...retail, 'Sales', 'Orders'] as const;

/** The kind of the decoration of a row, which dims it or adds a badge. */
const getDecoration = async (studio: HostStudio, path: readonly string[]): Promise<string | undefined> =>
  (await studio.findTreeItem(path)).item.resourceUri?.authority;

/** Returns the text that a step copies. */
async function readCopiedText(step: () => Promise<unknown>): Promise<string> {
  await vscode.env.clipboard.writeText('');
  await step();
  return waitFor(
    async () => (await vscode.env.clipboard.readText()) || undefined,
    () => 'Nothing was copied',
  );
}

const getSelection = (studio: HostStudio): readonly unknown[] =>
  studio.tree
    .getView('datamodelStudio.explorer')
    .selection.map((element) => Reflect.get(Object(element), 'name'));

describeOnSandbox('the Connections view', (test) => {
  test('every node has its label and shows details in its tooltip', async ({ studio }) => {
    const descriptions: readonly (readonly [path: readonly (string | RegExp)[], description: string])[] = [
      [['Sandbox'], 'development'],
      [['Sandbox', 'Datamodels', 'Support Desk'], 'live'],
      [['Retail', 'Sales'], 'CSV'],
      [['Retail', 'Custom Tables'], 'custom'],
      [['Retail', 'Custom Tables', 'Customer Value'], 'custom'],
      [['Retail', 'Sales', 'Orders', 'Order Date'], 'Timestamp'],
      [['Retail', 'Sales', 'Orders', 'Customer Id'], 'Integer, hidden'],
      [['Retail', 'Sales', 'Orders', 'Order Day'], 'Date, custom'],
      [['Retail', 'Relations', /Orders – Customers|Customers – Orders/], 'Customer Id'],
      [['Retail', 'Data Security', 'Orders.Status'], '2'],
      [['Orders.Status', 'Everyone else'], 'all values'],
      [['Orders.Status', 'liam.doyle@sandbox.local'], 'no values'],
      [['Regions.Region', 'farid.haddad@sandbox.local'], 'all but Iberia'],
      [['Customers.Segment', 'Marketing'], 'only Club'],
      [['Sandbox', 'Custom Data', /^app: status-tags, model: Retail/], ''],
      [['Sandbox', 'Builds'], ''],
    ];
    await studio.expand([...retail, 'Data Security']);
    for (const [path, description] of descriptions) {
      assert.equal((await studio.findTreeItem(path)).description, description, path.join(' › '));
    }
    assert.equal(await getDecoration(studio, [...orders, 'Customer Id']), 'hidden');
    assert.equal(await getDecoration(studio, [...orders, 'Order Id']), undefined);

    const tooltips: readonly (readonly [path: readonly (string | RegExp)[], text: RegExp])[] = [
      [['Sandbox'], /Role: development/],
      [['Retail', 'Sales'], /Type: extract.*Connector: CSV.*Tables: 3/s],
      [['Retail', 'Sales', 'Orders'], /One row per order/],
      [['Retail', 'Sales', 'Orders', 'Status'], /Type: Text\s.*Size: 200/s],
      [['Retail', 'Custom Tables', 'Customer Value'], /SELECT/i],
      [['Retail', 'Relations', /Orders – Customers|Customers – Orders/], /Orders\\?\.Customer Id/],
      [['Retail', 'Data Security', 'Orders.Status'], /Rules: 2/],
      [['Customers.Segment', 'Marketing'], /Sees: only Club/],
      [['Sandbox', 'Custom Data', /^app: status-tags, model: Retail/], /"icon": "verified"/],
      [['Sandbox', 'Viewpoints', /Revenue by/], /State: (un)?published/],
    ];
    for (const [path, text] of tooltips) {
      assert.match(await studio.tree.getTooltip(path), text, path.join(' › '));
    }
  });

  test('the values of a rule are quoted where necessary, and an empty value differs from no values', async ({
    studio,
    sandbox,
  }) => {
    await using _rules = await backUpRules(sandbox);
    const createRule = (column: string, members: readonly string[]) =>
      sandbox.request('POST', retailRulesPath, [
        {
          table: 'Categories',
          column,
          datatype: 'text',
          members,
          allMembers: null,
          exclusionary: false,
          shares: [{ type: 'group', party: groups.sales._id }],
        },
      ]);
    await createRule('Category', ['']);
    await createRule('Department', ['Bikes, Helmets', 'A; B']);
    await studio.chooseFromContextMenu('Sandbox', 'Refresh');
    const security = [...retail, 'Data Security'];
    const getDescription = async (column: string): Promise<unknown> =>
      (await studio.findTreeItem([...security, column, 'Sales'])).description;
    assert.equal(await getDescription('Categories.Category'), 'only ""');
    assert.equal(await getDescription('Categories.Department'), 'only Bikes, Helmets; "A; B"');
  });

  test('a dragged table or column is dropped as its name in SQL, and other nodes as no text', async ({
    studio,
  }) => {
    assert.equal(
      await studio.tree.getDragText([orders, [...orders, 'Order Date']]),
      '[Orders], [Orders].[Order Date]',
    );
    assert.equal(await studio.tree.getDragText([retail]), undefined);
  });

  test('names, IDs, paths and references are copied, including those of several nodes at once', async ({
    studio,
    sandbox,
  }) => {
    const fromMenu = (path: readonly string[], label: string): Promise<string> =>
      readCopiedText(() => studio.chooseFromContextMenu(path, 'Copy', label));
    assert.equal(await fromMenu([...orders, 'Order Date'], '[Table.Column]'), '[Orders.Order Date]');
    assert.equal(await fromMenu(orders, '[Table.Column]'), '[Orders]');
    const { path } = await fetchTable(sandbox, 'Retail', 'Orders');
    assert.equal(await fromMenu(orders, 'API Path'), path.replace('/schema', ''));
    assert.equal(await fromMenu(orders, 'ID'), path.split('/').at(-1));
    assert.equal(await fromMenu(retail, 'Name'), 'Retail');

    const columns = ['Channel', 'Status', 'Ship Date'].map((name) => [...orders, name]);
    assert.equal(
      await readCopiedText(() => studio.tree.chooseFromContextMenuOfSelection(columns, 'Copy', 'Name')),
      'Channel\nStatus\nShip Date',
    );
    // The keybinding passes no node, so the selected rows are copied.
    await studio.openExplorer();
    await studio.tree.select([[...orders, 'Status']]);
    assert.equal(
      await readCopiedText(async () => vscode.commands.executeCommand('datamodelStudio.explorer.copyName')),
      'Status',
    );
  });

  test('several tables are opened as JSON at once, and a custom table as SQL', async ({ studio }) => {
    await studio.tree.chooseFromContextMenuOfSelection(
      [orders, [...retail, 'Sales', 'Returns']],
      'Open as JSON',
    );
    await studio.waitForEditor('Returns.table.json');
    const labels = vscode.window.tabGroups.activeTabGroup.tabs.map(({ label }) => label);
    assert.ok(labels.includes('Orders.table.json'), labels.join(', '));
    await studio.chooseFromContextMenu([...retail, 'Custom Tables', 'Customer Value'], 'Open SQL');
    await studio.waitForEditor('Customer Value.datamodel.sql');
    await studio.tree.click(orders);
    await studio.tree.click([...orders, 'Channel']);
    await studio.waitForEditor('Orders.table.json');
  });

  test('a pinned datamodel and table are listed at the top, after a reload too', async ({ studio }) => {
    await studio.chooseFromContextMenu(retail, 'Pin');
    await studio.findTreeItem(['Pinned', 'Retail']);
    await studio.chooseFromContextMenu(orders, 'Pin');
    await studio.findTreeItem(['Pinned', 'Orders', 'Order Date']);
    assert.equal((await studio.findTreeItem(['Pinned', 'Retail'])).description, 'extract · Sandbox');
    assert.match(
      await studio.tree.getTooltip(['Pinned', 'Orders']),
      /Datamodel: Retail.*Connection: Sandbox/s,
    );
    assert.ok(!(await studio.getContextMenuLabels(retail)).includes('Pin'));

    await studio.reloadWindow();
    await studio.findTreeItem(['Pinned', 'Retail', 'Sales', 'Orders', 'Order Date']);
    await studio.findTreeItem(['Pinned', 'Orders', 'Order Date']);
    assert.equal((await studio.tree.getChildLabels())[0], 'Pinned');

    await studio.tree.chooseFromContextMenuOfSelection(
      [
        ['Pinned', 'Retail'],
        ['Pinned', 'Orders'],
      ],
      'Unpin',
    );
    await waitFor(
      async () => !(await studio.tree.getChildLabels()).includes('Pinned'),
      () => 'The pins stay',
    );
  });

  test('a table that is selected twice, once as a pin, is deleted once', async ({ studio, sandbox }) => {
    await createTestDatamodel(sandbox, 'Twice', { First: { Id: 'integer' }, Second: { Id: 'integer' } });
    await studio.chooseFromContextMenu('Sandbox', 'Refresh');
    const tables = ['Sandbox', 'Datamodels', 'Twice', 'Source'] as const;
    await studio.chooseFromContextMenu([...tables, 'First'], 'Pin');
    await studio.tree.chooseFromContextMenuOfSelection(
      [
        [...tables, 'First'],
        ['Pinned', 'First'],
        [...tables, 'Second'],
      ],
      'Delete…',
    );
    await applyPlan(studio, 'Review Changes: Delete First');
    await applyPlan(studio, 'Review Changes: Delete Second');
    await studio.waitForTreeItemGone([...tables, 'Second']);
    await studio.chooseFromContextMenu(['Pinned', 'First'], 'Unpin');
  });

  test('the menu of a pinned table has the commands for its type, which apply to its datamodel', async ({
    studio,
    sandbox,
  }) => {
    await studio.chooseFromContextMenu(orders, 'Pin');
    await studio.chooseFromContextMenu(['Pinned', 'Orders'], 'Edit', 'Description…');
    // The only prompt is the one for the description.
    await studio.quickInput.waitForTitle(/Description/);
    assert.equal(studio.quickInput.current?.kind, 'box');
    await studio.quickInput.cancel();
    await studio.chooseFromContextMenu(['Pinned', 'Orders'], 'Show Diagram');
    await studio.waitForEditor('Diagram: Retail');
    await studio.chooseFromContextMenu(['Pinned', 'Orders'], 'Unpin');

    const getEditLabels = async (path: readonly string[]) => {
      const { item } = await studio.findTreeItem(path);
      return studio.manifest.getMenuLabels('datamodelStudio.edit', {
        view: 'datamodelStudio.explorer',
        viewItem: item.contextValue,
      });
    };
    const { datasets } = await fetchDatamodel(sandbox, 'Support Desk');
    const [dataset] = datasets ?? [];
    const liveTable = dataset?.schema?.tables?.[0]?.name ?? '';
    assert.ok((await getEditLabels(orders)).includes('Build Settings…'));
    await studio.expand(['Sandbox', 'Datamodels', 'Support Desk']);
    const [datasetLabel = ''] = await studio.tree.getChildLabels(['Sandbox', 'Datamodels', 'Support Desk']);
    const liveLabels = await getEditLabels(['Support Desk', datasetLabel, liveTable]);
    assert.ok(liveLabels.length > 0 && !liveLabels.includes('Build Settings…'), liveLabels.join());
  });

  test('a pinned table is shown with its new name, and is marked if the server no longer has it', async ({
    studio,
    sandbox,
  }) => {
    await studio.chooseFromContextMenu([...retail, 'Time', 'Calendar'], 'Pin');
    await studio.findTreeItem(['Pinned', 'Calendar', 'Year']);
    const { path, table } = await fetchTable(sandbox, 'Retail', 'Calendar');
    await sandbox.request('PATCH', path, { name: 'Days' });
    await studio.chooseFromContextMenu(['Pinned', 'Calendar'], 'Refresh');
    // Expanding the pinned row reads the table with its columns, which also updates the name of the row.
    await studio.findTreeItem([/^(Pinned)$/, /^(Calendar|Days)$/, 'Year']);
    await studio.findTreeItem(['Pinned', 'Days', 'Year']);
    await sandbox.request('PATCH', path, { name: 'Calendar' });

    const { oid: _oid, ...copy } = table;
    const createdTable = (await sandbox.request('POST', path.slice(0, path.lastIndexOf('/')), {
      ...copy,
      columns: copy.columns?.map(({ oid: _columnOid, ...column }) => column),
      name: 'Short Lived',
    })) as { readonly oid: string };
    await studio.chooseFromContextMenu(['Pinned', 'Days'], 'Unpin');
    await studio.chooseFromContextMenu('Sandbox', 'Refresh');
    await studio.chooseFromContextMenu([...retail, 'Time', 'Short Lived'], 'Pin');
    await studio.findTreeItem(['Pinned', 'Short Lived']);
    await sandbox.request('DELETE', `${path.slice(0, path.lastIndexOf('/'))}/${createdTable.oid}`);
    await studio.chooseFromContextMenu(['Pinned', 'Short Lived'], 'Refresh');
    await studio.findTreeItem(['Pinned', 'Short Lived', 'This table no longer exists on the server']);
    await studio.chooseFromContextMenu(['Pinned', 'Short Lived'], 'Unpin');
  });

  test('a cube set is added by its name, shows its rules and is removed', async ({ studio, sandbox }) => {
    const rule = {
      server: 'set',
      elasticube: 'Europe',
      table: 'Customers',
      column: 'Country',
      datatype: 'text',
      members: ['France'],
      allMembers: null,
      exclusionary: false,
      shares: [{ type: 'default' }],
    };
    await sandbox.request('POST', '/api/elasticubes/set/Europe/datasecurity', [rule]);
    studio.tree.runRowCommand(
      await studio.findTreeItem(['Sandbox', 'Cube Sets', 'No cube sets yet: add them by name']),
    );
    await studio.quickInput.waitForTitle('Add Cube Set to Sandbox');
    await studio.submitInputBox(' ');
    await studio.quickInput.waitForMessage('Enter a name.');
    await studio.quickInput.cancel();
    await studio.findTreeItem(['Sandbox', 'Cube Sets', 'No cube sets yet: add them by name']);

    // Adding the cube set a second time changes nothing.
    for (const _time of [1, 2]) {
      await studio.chooseFromContextMenu(['Sandbox', 'Cube Sets'], 'Add Cube Set…');
      await studio.submitInputBox('Europe');
      await studio.submitInputBox('set');
      await studio.findTreeItem(['Cube Sets', 'Europe', 'Customers.Country', 'Everyone else']);
    }
    assert.deepEqual(await studio.tree.getChildLabels(['Sandbox', 'Cube Sets']), ['Europe']);
    assert.match(await studio.tree.getTooltip(['Cube Sets', 'Europe']), /Server name: set/);
    await studio.chooseFromContextMenu(['Cube Sets', 'Europe'], 'Remove Cube Set from List');
    await studio.findTreeItem(['Cube Sets', 'No cube sets yet: add them by name']);
    const remainingRules = await sandbox.request('GET', '/api/elasticubes/set/Europe/datasecurity');
    assert.equal((remainingRules as readonly unknown[]).length, 1, 'the server keeps the rules');
  });

  test('a cube set that the server has no rules for is reported, and its access shows the tables of all extract datamodels', async ({
    studio,
  }) => {
    await studio.chooseFromContextMenu(['Sandbox', 'Cube Sets'], 'Add Cube Set…');
    await studio.submitInputBox('Evrope');
    await studio.submitInputBox('set');
    await studio.waitForNotification(/^The server has no rules for a cube set named Evrope\./);
    const cubeSet = ['Sandbox', 'Cube Sets', 'Evrope'];
    await studio.findTreeItem([...cubeSet, 'No rules found. Check the spelling. Names are case-sensitive.']);
    await studio.chooseFromContextMenu(cubeSet, 'Data Security', 'Show Effective Access…');
    const page = await studio.findPage('datamodelStudio.access', 'Effective Access: Evrope');
    const data = await page.waitForMessage<Extract<ToAccess, { type: 'data' }>>('data');
    assert.deepEqual([data.isCubeSet, data.rules], [true, []]);
    const tables = data.catalog?.tables.map(({ name }) => name) ?? [];
    assert.ok(
      ['Orders', 'Leads'].every((name) => tables.includes(name)),
      'of Retail and Marketing',
    );
    await studio.chooseFromContextMenu(cubeSet, 'Remove Cube Set from List');
  });

  test('an empty dataset is listed, but hidden by any filter', async ({ studio, sandbox }) => {
    const { oid } = await createTestDatamodel(sandbox, 'Half Empty', { Facts: { Id: 'integer' } });
    await sandbox.request('POST', `/api/v2/datamodels/${oid}/schema/datasets`, {
      name: 'Nothing Yet',
      type: 'custom',
    });
    await studio.chooseFromContextMenu('Sandbox', 'Refresh');
    const path = ['Sandbox', 'Datamodels', 'Half Empty'] as const;
    await studio.findTreeItem([...path, 'Nothing Yet', 'No tables yet']);
    await studio.runCommand('Filter Connections…');
    await studio.submitInputBox('Facts');
    await studio.waitForTreeItemGone([...path, 'Nothing Yet']);
    await studio.findTreeItem([...path, 'Source', 'Facts']);
    await studio.runCommand('Clear Connections Filter');
    await studio.findTreeItem([...path, 'Nothing Yet']);
  });

  test('viewpoints are loaded page by page', async ({ studio }) => {
    const viewpointsPath = ['Sandbox', 'Viewpoints'] as const;
    const before = (await studio.tree.getChildLabels(viewpointsPath)).length;
    const { description } = await studio.findTreeItem([...viewpointsPath, 'Load more']);
    assert.match(description, /^100 of \d+ shown$/);
    studio.tree.runRowCommand(await studio.findTreeItem([...viewpointsPath, 'Load more']));
    await studio.waitForTreeItemGone([...viewpointsPath, 'Load more']);
    assert.equal(
      (await studio.tree.getChildLabels(viewpointsPath)).length,
      Number(/of (\d+)/.exec(description)?.[1]),
    );
    assert.equal(before, 101);
  });

  test('a viewpoint is renamed, published and shared, and its open form is updated', async ({
    studio,
    sandbox,
  }) => {
    const path = ['Sandbox', 'Viewpoints', demoViewpointName] as const;
    const row = await studio.findTreeItem(path);
    studio.tree.runRowCommand(row);
    const form = await studio.findPage('datamodelStudio.viewpointForm');
    await form.waitForMessage('document');
    for (const [name, newName] of [
      [demoViewpointName, 'Revenue by Area'],
      ['Revenue by Area', demoViewpointName],
    ] as const) {
      await studio.chooseFromContextMenu(['Sandbox', 'Viewpoints', name], 'Rename…');
      await studio.submitInputBox(newName);
      await form.waitForMessage('changes', (message) => JSON.stringify(message).includes(newName));
    }
    await studio.chooseFromContextMenu(path, 'Publish');
    await waitFor(
      async () => !(await studio.findTreeItem(path)).description.includes('unpublished'),
      () => 'The viewpoint stays unpublished',
    );
    assert.equal((await fetchViewpoint(sandbox)).enabled, true);

    // If a step is canceled, nothing is shared.
    await studio.chooseFromContextMenu(path, 'Share…');
    await studio.quickInput.waitForTitle('Share Viewpoint');
    await studio.quickInput.cancel();
    await studio.chooseFromContextMenu(path, 'Share…');
    await studio.selectQuickPick('Group…');
    await studio.quickInput.waitForTitle('Share with App');
    await studio.quickInput.cancel();
    assert.deepEqual((await fetchViewpoint(sandbox)).visibility?.apps ?? [], []);

    await studio.chooseFromContextMenu(path, 'Share…');
    await studio.selectQuickPick('Group…');
    await studio.quickInput.waitForTitle('Share with App');
    await studio.selectQuickPick('slack');
    await studio.quickInput.waitForTitle('Share with Group');
    await studio.selectQuickPick('Sales');
    await studio.tree.waitForItemText(path, /shared/);
    await form.waitForMessage('changes', (message) => JSON.stringify(message).includes('slack'));
    const { apps, groups } = (await fetchViewpoint(sandbox)).visibility ?? {};
    assert.deepEqual([apps, groups], [['slack'], ['Sales']]);

    await studio.chooseFromContextMenu(path, 'Unpublish');
    await studio.tree.waitForItemText(path, /shared, unpublished/);
    await form.waitForMessage('changes', (message) => JSON.stringify(message).includes('"enabled"'));
    assert.equal((await fetchViewpoint(sandbox)).enabled, false);
  });

  test('the error of a datamodel that cannot be read is shown below its row, and a click reads it again', async ({
    studio,
    sandbox,
  }) => {
    // No other test has read this datamodel, so it is not cached.
    await createTestDatamodel(sandbox, 'Unreadable', { Items: { Id: 'integer' } });
    const unreadable = ['Sandbox', 'Datamodels', 'Unreadable'] as const;
    await studio.openExplorer();
    await studio.chooseFromContextMenu('Sandbox', 'Refresh');
    await studio.findTreeItem(unreadable);
    const faults = await useFaults(sandbox, {
      kind: 'status',
      status: 500,
      pathPrefix: '/api/v2/datamodels/',
    });
    await studio.tree.setExpandedInView(unreadable, true);
    const error = [...unreadable, 'Server error (500)'];
    await studio.tree.waitForVisibleRow(error);
    const row = await studio.findTreeItem(error);
    assert.deepEqual([row.item.contextValue, row.description], ['error.error', 'Retry']);
    await faults[Symbol.asyncDispose]();
    assert.ok(studio.tree.isRowVisible(error), 'nothing tries again by itself');
    studio.tree.runRowCommand(row);
    await studio.tree.waitForVisibleRow([...unreadable, 'Relations']);
  });

  test('a resource is revealed in the tree, and a message names it if it is not there', async ({
    studio,
  }) => {
    await studio.openExplorer();
    const { element } = await studio.findTreeItem([...orders, 'Channel']);
    const { connectionId, resource, name } = Object(element);
    const target = { connectionId, resource, name, within: [] };
    await studio.tree.select([retail]);
    await vscode.commands.executeCommand('datamodelStudio.explorer.reveal', target);
    await waitFor(
      () => getSelection(studio).join() === 'Channel',
      () => `Selected is ${getSelection(studio).join()}`,
    );
    // The command completes although its message is still open.
    await vscode.commands.executeCommand('datamodelStudio.explorer.reveal', {
      ...target,
      resource: { ...resource, columnId: 'gone' },
    });
    await studio.waitForNotification("Can't find Channel in the Connections view.");
  });

  test('a filter hides items of every kind that do not match, and shows how many', async ({ studio }) => {
    const relations = [...retail, 'Relations'];
    const lists = [
      relations,
      [...retail, 'Data Security'],
      ['Sandbox', 'Viewpoints'],
      ['Sandbox', 'Custom Data'],
    ];
    const all = await Promise.all(lists.map((path) => studio.tree.getChildLabels(path)));
    const setFilter = async (text: string): Promise<void> => {
      await studio.runCommand('Filter Connections…');
      await studio.quickInput.fill(text);
      await studio.quickInput.current?.accept();
    };

    await setFilter('order');
    for (const [index, path] of lists.entries()) {
      const items = (all[index] ?? []).filter((label) => label !== 'Load more');
      const matches = items.filter((label) => /order/i.test(label));
      const note = `${items.length - matches.length} items are hidden by the filter`;
      const shown = await studio.tree.getChildLabels(path);
      assert.deepEqual(
        shown.filter((label) => label !== 'Load more'),
        [...matches, note],
        path.join(' › '),
      );
      assert.equal(shown.includes('Load more'), all[index]?.includes('Load more'));
    }
    assert.ok((await studio.tree.getChildLabels(relations)).includes('Order Items – Orders'));

    // A relation matches by the names of its columns, and by the name of its datamodel.
    await setFilter('store id');
    assert.deepEqual(await studio.tree.getChildLabels(relations), [
      'Monthly Store Sales – Stores',
      'Orders – Stores',
      'Stores – Regions',
      '8 items are hidden by the filter',
    ]);
    await setFilter('retail');
    assert.deepEqual(await studio.tree.getChildLabels(relations), all[0]);
    // The name of the list of rules is a label, not a name on the instance.
    await setFilter('it');
    const rules = (all[1] ?? []).filter((label) => /it/i.test(label));
    assert.deepEqual(await studio.tree.getChildLabels([...retail, 'Data Security']), [
      ...rules,
      `${(all[1]?.length ?? 0) - rules.length} items are hidden by the filter`,
    ]);
    await studio.runCommand('Clear Connections Filter');
    assert.deepEqual(await studio.tree.getChildLabels(['Sandbox', 'Custom Data']), all[3]);
  });
});
