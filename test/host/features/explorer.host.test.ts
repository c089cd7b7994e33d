import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { fetchDatamodel, fetchTable } from '../../editor/support/demo.ts';
import { demoViewpointName, fetchViewpoint } from '../../editor/support/viewpointDocument.ts';
import { createOwnDatamodel } from '../support/ownDatamodel.ts';
import type { ToAccess } from '../../../src/webviews/protocol/access.ts';
import { useFaults } from '../support/faults.ts';
import type { HostStudio } from '../support/studio.ts';
import { describeOnSandbox } from '../support/suite.ts';
import { groups } from '../../../src/sandbox/seeds/people.ts';
import { backUpRules, retailRulesPath } from '../support/rules.ts';
import { waitFor } from '../support/waiting.ts';

const retail = ['Sandbox', 'Datamodels', 'Retail'] as const;
const orders = [...retail, 'Sales', 'Orders'] as const;

/** The kind of the decoration of a row, which dims it or adds a badge. */
const getDecoration = async (studio: HostStudio, path: readonly string[]): Promise<string | undefined> =>
  (await studio.treeItem(path)).item.resourceUri?.authority;

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
    .view('datamodelStudio.explorer')
    .selection.map((element) => Reflect.get(Object(element), 'name'));

describeOnSandbox('the explorer', (test) => {
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
      assert.equal((await studio.treeItem(path)).description, description, path.join(' › '));
    }
    assert.equal(await getDecoration(studio, [...orders, 'Customer Id']), 'hidden');
    assert.equal(await getDecoration(studio, [...orders, 'Order Id']), undefined);

    const tooltips: readonly (readonly [path: readonly (string | RegExp)[], text: RegExp])[] = [
      [['Sandbox'], /Role: development/],
      [['Retail', 'Sales'], /Type: extract.*Provider: CSV.*Tables: 3/s],
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
      assert.match(await studio.tree.tooltip(path), text, path.join(' › '));
    }
  });

  test('the values of a rule are quoted where they must be, and an empty value is not no values', async ({
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
    await studio.contextMenu('Sandbox', 'Refresh');
    const security = [...retail, 'Data Security'];
    const describe = async (column: string): Promise<unknown> =>
      (await studio.treeItem([...security, column, 'Sales'])).description;
    assert.equal(await describe('Categories.Category'), 'only ""');
    assert.equal(await describe('Categories.Department'), 'only Bikes, Helmets; "A; B"');
  });

  test('a dragged table or column gives its name in SQL, and other nodes give no text', async ({
    studio,
  }) => {
    assert.equal(
      await studio.tree.getDragText([orders, [...orders, 'Order Date']]),
      '[Orders], [Orders].[Order Date]',
    );
    assert.equal(await studio.tree.getDragText([retail]), undefined);
  });

  test('names, IDs, paths and references are copied, also those of several nodes at once', async ({
    studio,
    sandbox,
  }) => {
    const fromMenu = (path: readonly string[], label: string): Promise<string> =>
      readCopiedText(() => studio.contextMenu(path, 'Copy', label));
    assert.equal(await fromMenu([...orders, 'Order Date'], '[Table.Column]'), '[Orders.Order Date]');
    assert.equal(await fromMenu(orders, '[Table.Column]'), '[Orders]');
    const { path } = await fetchTable(sandbox, 'Retail', 'Orders');
    assert.equal(await fromMenu(orders, 'API Path'), path.replace('/schema', ''));
    assert.equal(await fromMenu(orders, 'ID'), path.split('/').at(-1));
    assert.equal(await fromMenu(retail, 'Name'), 'Retail');

    const columns = ['Channel', 'Status', 'Ship Date'].map((name) => [...orders, name]);
    assert.equal(
      await readCopiedText(() => studio.tree.contextMenuOfMany(columns, 'Copy', 'Name')),
      'Channel\nStatus\nShip Date',
    );
    // The keybinding passes no node: it copies what is selected.
    await studio.openView();
    await studio.tree.select([[...orders, 'Status']]);
    assert.equal(
      await readCopiedText(async () => vscode.commands.executeCommand('datamodelStudio.explorer.copyName')),
      'Status',
    );
  });

  test('several tables are opened as JSON at once, and a custom table as SQL', async ({ studio }) => {
    await studio.tree.contextMenuOfMany([orders, [...retail, 'Sales', 'Returns']], 'Open as JSON');
    await studio.openedEditor('Returns.table.json');
    const labels = vscode.window.tabGroups.activeTabGroup.tabs.map(({ label }) => label);
    assert.ok(labels.includes('Orders.table.json'), labels.join(', '));
    await studio.contextMenu([...retail, 'Custom Tables', 'Customer Value'], 'Open SQL');
    await studio.openedEditor('Customer Value.datamodel.sql');
    await studio.tree.click(orders);
    await studio.tree.click([...orders, 'Channel']);
    await studio.openedEditor('Orders.table.json');
  });

  test('a pinned datamodel and table are listed at the top, after a reload too', async ({ studio }) => {
    await studio.contextMenu(retail, 'Pin');
    await studio.treeItem(['Pinned', 'Retail']);
    await studio.contextMenu(orders, 'Pin');
    await studio.treeItem(['Pinned', 'Orders', 'Order Date']);
    assert.equal((await studio.treeItem(['Pinned', 'Retail'])).description, 'extract · Sandbox');
    assert.match(await studio.tree.tooltip(['Pinned', 'Orders']), /Datamodel: Retail.*Connection: Sandbox/s);
    assert.ok(!(await studio.contextMenuLabels(retail)).includes('Pin'));

    await studio.reloadWindow();
    await studio.treeItem(['Pinned', 'Retail', 'Sales', 'Orders', 'Order Date']);
    await studio.treeItem(['Pinned', 'Orders', 'Order Date']);
    assert.equal((await studio.tree.children())[0], 'Pinned');

    await studio.tree.contextMenuOfMany(
      [
        ['Pinned', 'Retail'],
        ['Pinned', 'Orders'],
      ],
      'Unpin',
    );
    await waitFor(
      async () => !(await studio.tree.children()).includes('Pinned'),
      () => 'The pins stay',
    );
  });

  test('menus of a pinned table know its datamodel, and fit its type', async ({ studio, sandbox }) => {
    await studio.contextMenu(orders, 'Pin');
    await studio.contextMenu(['Pinned', 'Orders'], 'Edit', 'Description…');
    // Nothing is asked but the description.
    await studio.quickInput.title(/Description/);
    assert.equal(studio.quickInput.current?.kind, 'box');
    await studio.quickInput.cancel();
    await studio.contextMenu(['Pinned', 'Orders'], 'Show Diagram');
    await studio.openedEditor('Diagram: Retail');
    await studio.contextMenu(['Pinned', 'Orders'], 'Unpin');

    const getEditLabels = async (path: readonly string[]) => {
      const { item } = await studio.treeItem(path);
      return studio.manifest.labels('datamodelStudio.edit', {
        view: 'datamodelStudio.explorer',
        viewItem: item.contextValue,
      });
    };
    const { datasets } = await fetchDatamodel(sandbox, 'Support Desk');
    const [dataset] = datasets ?? [];
    const liveTable = dataset?.schema?.tables?.[0]?.name ?? '';
    assert.ok((await getEditLabels(orders)).includes('Build Settings…'));
    await studio.expand(['Sandbox', 'Datamodels', 'Support Desk']);
    const [datasetLabel = ''] = await studio.tree.children(['Sandbox', 'Datamodels', 'Support Desk']);
    const live = await getEditLabels(['Support Desk', datasetLabel, liveTable]);
    assert.ok(live.length > 0 && !live.includes('Build Settings…'), live.join());
  });

  test('a pinned table follows its new name, and is marked if the server no longer has it', async ({
    studio,
    sandbox,
  }) => {
    await studio.contextMenu([...retail, 'Time', 'Calendar'], 'Pin');
    await studio.treeItem(['Pinned', 'Calendar', 'Year']);
    const { path, table } = await fetchTable(sandbox, 'Retail', 'Calendar');
    await sandbox.request('PATCH', path, { name: 'Days' });
    await studio.contextMenu(['Pinned', 'Calendar'], 'Refresh');
    // The pin takes the name from its columns, which are read when it is expanded.
    await studio.treeItem([/^(Pinned)$/, /^(Calendar|Days)$/, 'Year']);
    await studio.treeItem(['Pinned', 'Days', 'Year']);
    await sandbox.request('PATCH', path, { name: 'Calendar' });

    const { oid: _oid, ...copy } = table;
    const lost = (await sandbox.request('POST', path.slice(0, path.lastIndexOf('/')), {
      ...copy,
      columns: copy.columns?.map(({ oid: _columnOid, ...column }) => column),
      name: 'Short Lived',
    })) as { readonly oid: string };
    await studio.contextMenu(['Pinned', 'Days'], 'Unpin');
    await studio.contextMenu('Sandbox', 'Refresh');
    await studio.contextMenu([...retail, 'Time', 'Short Lived'], 'Pin');
    await studio.treeItem(['Pinned', 'Short Lived']);
    await sandbox.request('DELETE', `${path.slice(0, path.lastIndexOf('/'))}/${lost.oid}`);
    await studio.contextMenu(['Pinned', 'Short Lived'], 'Refresh');
    await studio.treeItem(['Pinned', 'Short Lived', 'This table no longer exists on the server']);
    await studio.contextMenu(['Pinned', 'Short Lived'], 'Unpin');
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
      await studio.treeItem(['Sandbox', 'Cube Sets', 'No cube sets yet: add them by name']),
    );
    await studio.quickInput.title('Add Cube Set to Sandbox');
    await studio.inputBox(' ');
    await studio.quickInput.message('Enter a name.');
    await studio.quickInput.cancel();
    await studio.treeItem(['Sandbox', 'Cube Sets', 'No cube sets yet: add them by name']);

    // Adding it twice changes nothing.
    for (const _time of [1, 2]) {
      await studio.contextMenu(['Sandbox', 'Cube Sets'], 'Add Cube Set…');
      await studio.inputBox('Europe');
      await studio.inputBox('set');
      await studio.treeItem(['Cube Sets', 'Europe', 'Customers.Country', 'Everyone else']);
    }
    assert.deepEqual(await studio.tree.children(['Sandbox', 'Cube Sets']), ['Europe']);
    assert.match(await studio.tree.tooltip(['Cube Sets', 'Europe']), /Term for the server: set/);
    await studio.contextMenu(['Cube Sets', 'Europe'], 'Remove Cube Set from List');
    await studio.treeItem(['Cube Sets', 'No cube sets yet: add them by name']);
    const remainingRules = await sandbox.request('GET', '/api/elasticubes/set/Europe/datasecurity');
    assert.equal((remainingRules as readonly unknown[]).length, 1, 'the server keeps the rules');
  });

  test('a cube set that the server has no rules for is not confirmed, wherever it is shown', async ({
    studio,
  }) => {
    await studio.contextMenu(['Sandbox', 'Cube Sets'], 'Add Cube Set…');
    await studio.inputBox('Evrope');
    await studio.inputBox('set');
    await studio.notification(/^The server has no rules for a cube set named Evrope\./);
    const cubeSet = ['Sandbox', 'Cube Sets', 'Evrope'];
    await studio.treeItem([...cubeSet, 'No rules found. Check the name (case-sensitive).']);
    await studio.contextMenu(cubeSet, 'Data Security', 'Show Effective Access…');
    const page = await studio.page('datamodelStudio.access', 'Effective Access: Evrope');
    const data = await page.receives<Extract<ToAccess, { type: 'data' }>>('data');
    assert.deepEqual([data.isCubeSet, data.rules], [true, []]);
    const tables = data.catalog?.tables.map(({ name }) => name) ?? [];
    assert.ok(
      ['Orders', 'Leads'].every((name) => tables.includes(name)),
      'of Retail and Marketing',
    );
    await studio.contextMenu(cubeSet, 'Remove Cube Set from List');
  });

  test('an empty dataset is listed beside others, but matches no filter', async ({ studio, sandbox }) => {
    const { oid } = await createOwnDatamodel(sandbox, 'Half Empty', { Facts: { Id: 'integer' } });
    await sandbox.request('POST', `/api/v2/datamodels/${oid}/schema/datasets`, {
      name: 'Nothing Yet',
      type: 'custom',
    });
    await studio.contextMenu('Sandbox', 'Refresh');
    const path = ['Sandbox', 'Datamodels', 'Half Empty'] as const;
    await studio.treeItem([...path, 'Nothing Yet', 'No tables yet']);
    await studio.runCommand('Filter Explorer…');
    await studio.inputBox('Facts');
    await studio.treeItemGone([...path, 'Nothing Yet']);
    await studio.treeItem([...path, 'Source', 'Facts']);
    await studio.runCommand('Clear Explorer Filter');
    await studio.treeItem([...path, 'Nothing Yet']);
  });

  test('viewpoints are loaded page by page', async ({ studio }) => {
    const viewpointsPath = ['Sandbox', 'Viewpoints'] as const;
    const before = (await studio.tree.children(viewpointsPath)).length;
    const { description } = await studio.treeItem([...viewpointsPath, 'Load more']);
    assert.match(description, /^100 of \d+ shown$/);
    studio.tree.runRowCommand(await studio.treeItem([...viewpointsPath, 'Load more']));
    await studio.treeItemGone([...viewpointsPath, 'Load more']);
    assert.equal(
      (await studio.tree.children(viewpointsPath)).length,
      Number(/of (\d+)/.exec(description)?.[1]),
    );
    assert.equal(before, 101);
  });

  test('a viewpoint is renamed, published and shared, and its open form follows', async ({
    studio,
    sandbox,
  }) => {
    const path = ['Sandbox', 'Viewpoints', demoViewpointName] as const;
    const row = await studio.treeItem(path);
    studio.tree.runRowCommand(row);
    const form = await studio.page('datamodelStudio.viewpointForm');
    await form.receives('document');
    for (const [name, newName] of [
      [demoViewpointName, 'Revenue by Area'],
      ['Revenue by Area', demoViewpointName],
    ] as const) {
      await studio.contextMenu(['Sandbox', 'Viewpoints', name], 'Rename…');
      await studio.inputBox(newName);
      await form.receives('changes', (message) => JSON.stringify(message).includes(newName));
    }
    await studio.contextMenu(path, 'Publish');
    await waitFor(
      async () => !(await studio.treeItem(path)).description.includes('unpublished'),
      () => 'The viewpoint stays unpublished',
    );
    assert.equal((await fetchViewpoint(sandbox)).enabled, true);

    // Canceled at each step, nothing is shared.
    await studio.contextMenu(path, 'Share…');
    await studio.quickInput.title('Share Viewpoint');
    await studio.quickInput.cancel();
    await studio.contextMenu(path, 'Share…');
    await studio.quickPick('Group…');
    await studio.quickInput.title('Share with App');
    await studio.quickInput.cancel();
    assert.deepEqual((await fetchViewpoint(sandbox)).visibility?.apps ?? [], []);

    await studio.contextMenu(path, 'Share…');
    await studio.quickPick('Group…');
    await studio.quickInput.title('Share with App');
    await studio.quickPick('slack');
    await studio.quickInput.title('Share with Group');
    await studio.quickPick('Sales');
    await studio.tree.itemShows(path, /shared/);
    await form.receives('changes', (message) => JSON.stringify(message).includes('slack'));
    const { apps, groups } = (await fetchViewpoint(sandbox)).visibility ?? {};
    assert.deepEqual([apps, groups], [['slack'], ['Sales']]);

    await studio.contextMenu(path, 'Unpublish');
    await studio.tree.itemShows(path, /shared, unpublished/);
    await form.receives('changes', (message) => JSON.stringify(message).includes('"enabled"'));
    assert.equal((await fetchViewpoint(sandbox)).enabled, false);
  });

  test('a datamodel that cannot be read says so below its row, and a click reads it again', async ({
    studio,
    sandbox,
  }) => {
    // No other test has read this datamodel, so it is not cached.
    await createOwnDatamodel(sandbox, 'Unreadable', { Items: { Id: 'integer' } });
    const unreadable = ['Sandbox', 'Datamodels', 'Unreadable'] as const;
    await studio.openView();
    await studio.contextMenu('Sandbox', 'Refresh');
    await studio.treeItem(unreadable);
    const faults = await useFaults(sandbox, {
      kind: 'status',
      status: 500,
      pathPrefix: '/api/v2/datamodels/',
    });
    await studio.tree.setExpandedInEditor(unreadable, true);
    const error = [...unreadable, 'Server error (500)'];
    await studio.tree.shownByEditor(error);
    const row = await studio.treeItem(error);
    assert.deepEqual([row.item.contextValue, row.description], ['error.error', 'Retry']);
    await faults[Symbol.asyncDispose]();
    assert.ok(studio.tree.isShownByEditor(error), 'nothing tries again by itself');
    studio.tree.runRowCommand(row);
    await studio.tree.shownByEditor([...unreadable, 'Relations']);
  });

  test('a resource is revealed in the tree, also by its title when it is gone', async ({ studio }) => {
    await studio.openView();
    const { element } = await studio.treeItem([...orders, 'Channel']);
    const { connectionId, resource, name } = Object(element);
    const target = { connectionId, resource, name, within: [] };
    await studio.tree.select([retail]);
    await vscode.commands.executeCommand('datamodelStudio.explorer.reveal', target);
    assert.deepEqual(getSelection(studio), ['Channel']);
    // The command completes although its message is still open.
    await vscode.commands.executeCommand('datamodelStudio.explorer.reveal', {
      ...target,
      resource: { ...resource, columnId: 'gone' },
    });
    await studio.notification("Can't find Channel in the explorer.");
  });

  test('a filter hides what does not match, of every kind, and counts it', async ({ studio }) => {
    const relations = [...retail, 'Relations'];
    const lists = [
      relations,
      [...retail, 'Data Security'],
      ['Sandbox', 'Viewpoints'],
      ['Sandbox', 'Custom Data'],
    ];
    const all = await Promise.all(lists.map((path) => studio.tree.children(path)));
    const setFilter = async (text: string): Promise<void> => {
      await studio.runCommand('Filter Explorer…');
      await studio.quickInput.fill(text);
      await studio.quickInput.current?.accept();
    };

    await setFilter('order');
    for (const [index, path] of lists.entries()) {
      const items = (all[index] ?? []).filter((label) => label !== 'Load more');
      const matches = items.filter((label) => /order/i.test(label));
      const note = `${items.length - matches.length} items are hidden by the filter`;
      const shown = await studio.tree.children(path);
      assert.deepEqual(
        shown.filter((label) => label !== 'Load more'),
        [...matches, note],
        path.join(' › '),
      );
      assert.equal(shown.includes('Load more'), all[index]?.includes('Load more'));
    }
    assert.ok((await studio.tree.children(relations)).includes('Order Items – Orders'));

    // A relation matches by the names of its columns, and by the name of its datamodel.
    await setFilter('store id');
    assert.deepEqual(await studio.tree.children(relations), [
      'Monthly Store Sales – Stores',
      'Orders – Stores',
      'Stores – Regions',
      '8 items are hidden by the filter',
    ]);
    await setFilter('retail');
    assert.deepEqual(await studio.tree.children(relations), all[0]);
    await studio.runCommand('Clear Explorer Filter');
    assert.deepEqual(await studio.tree.children(['Sandbox', 'Custom Data']), all[3]);
  });
});
