import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { JourneySandbox } from '../../editor/support/journeySandbox.ts';
import { startRecordingProxy } from '../../editor/support/recordingProxy.ts';
import type { HostStudio } from '../support/studio.ts';
import { describeStudio, startHostSandbox } from '../support/suite.ts';
import { waitFor } from '../support/waiting.ts';

const viewpoints = ['Sandbox', 'Viewpoints'] as const;
const groupSetting = 'datamodelStudio.explorer.groupViewpoints';

/** Waits until the Viewpoints node has exactly these children. */
async function waitForChildren(studio: HostStudio, labels: readonly string[]): Promise<void> {
  let childLabels: readonly string[] = [];
  await waitFor(
    async () => {
      childLabels = await studio.tree.getChildLabels(viewpoints);
      return childLabels.join() === labels.join();
    },
    () => `The viewpoints show ${childLabels.join(', ')}`,
  );
}

const createViewpoint = (sandbox: JourneySandbox, name: string, datasource: unknown): Promise<unknown> =>
  sandbox.request('POST', '/api/v1/infusion/viewpoints', {
    name,
    description: '',
    details: { ...(datasource === undefined ? {} : { datasource }), columns: [] },
  });

const getSelectedName = (studio: HostStudio): unknown =>
  Reflect.get(Object(studio.tree.getView('datamodelStudio.explorer').selection[0]), 'name');

describeStudio(
  'viewpoints by datamodel',
  async (disposables) => {
    const sandbox = disposables.use(await startHostSandbox());
    const recorder = disposables.use(await startRecordingProxy(sandbox));
    for (const name of ['Open tickets', 'Tickets by agent']) {
      await createViewpoint(sandbox, name, { title: 'Support Desk', fullname: 'live:Support Desk' });
    }
    // Both settings are set before the activation, because each change of the second setting loads the list again.
    const settings = { 'datamodelStudio.explorer.pageSize': 250, [groupSetting]: false };
    return { sandbox, recorder, options: { env: recorder.env, settings } };
  },
  (test) => {
    test('the list is grouped with one request for details, and ungrouped without a request', async ({
      studio,
      recorder,
    }) => {
      const flatLabels = await studio.tree.getChildLabels(viewpoints);
      assert.ok(flatLabels.includes('Revenue by Region'));
      // The list without details may be read in the background at any time.
      const takeDetailRequests = (): readonly string[] =>
        recorder
          .takeRequests()
          .filter((line) => line.includes('/infusion/viewpoints'))
          .flatMap((line) => new URLSearchParams(line.split('?')[1]).get('with') ?? [])
          .filter((included) => included.includes('details'));
      takeDetailRequests();
      assert.ok(!(await studio.getContextMenuLabels(viewpoints)).includes('Show Viewpoints as List'));
      await studio.chooseFromContextMenu(viewpoints, 'Group Viewpoints by Datamodel');
      await waitForChildren(studio, ['Retail', 'Support Desk']);
      assert.deepEqual(takeDetailRequests(), ['visibility,details']);
      const grouped = await Promise.all(
        ['Retail', 'Support Desk'].map((title) => studio.tree.getChildLabels([...viewpoints, title])),
      );
      assert.deepEqual(grouped.flat().toSorted(), flatLabels.toSorted());
      assert.match(
        await studio.tree.getTooltip([...viewpoints, 'Retail']),
        /Full name: LocalHost\/Retail.*Loaded viewpoints: \d+/s,
      );
      assert.deepEqual(takeDetailRequests(), []);

      await studio.runCommand('Show Viewpoints as List');
      await waitForChildren(studio, flatLabels);
      assert.deepEqual(takeDetailRequests(), []);
    });

    test('a viewpoint in a group can be opened and filtered', async ({ studio }) => {
      await studio.changeSetting(groupSetting, true);
      await studio.tree.click([...viewpoints, 'Retail', 'Revenue by Region']);
      await studio.waitForEditor('Revenue by Region.viewpoint.json');
      await studio.openExplorer();
      await studio.chooseFromContextMenu(['Sandbox', 'Datamodels', 'Retail'], 'Pin');
      await studio.findTreeItem(['Pinned', 'Retail']);
      await studio.chooseFromContextMenu(['Pinned', 'Retail'], 'Unpin');

      await studio.runCommand('Filter Connections…');
      await studio.submitInputBox('revenue by reg');
      await waitFor(
        async () =>
          (await studio.tree.getChildLabels([...viewpoints, 'Retail'])).join() === 'Revenue by Region',
        () => 'The group is not filtered',
      );
      // The title of a datamodel matches all of its viewpoints.
      await studio.runCommand('Filter Connections…');
      await studio.submitInputBox('support desk');
      await waitFor(
        async () => (await studio.tree.getChildLabels(viewpoints))[0] === 'Support Desk',
        () => 'The groups are not filtered',
      );
      assert.ok((await studio.tree.getChildLabels([...viewpoints, 'Support Desk'])).length === 2);
      await studio.runCommand('Clear Connections Filter');
    });

    test('groups of viewpoints say whether their datamodel is unknown, ambiguous, or missing', async ({
      studio,
      sandbox,
    }) => {
      await studio.changeSetting(groupSetting, true);
      await createViewpoint(sandbox, 'Of nothing', undefined);
      await createViewpoint(sandbox, 'Of a removed one', {
        title: 'Gone',
        fullname: 'LocalHost/Gone',
        modelType: 'external',
      });
      await createViewpoint(sandbox, 'Of a live one', {
        title: 'Retail',
        fullname: 'live:Retail',
        modelType: 'live',
      });
      await createViewpoint(sandbox, 'Of either', { title: 'Retail' });
      await studio.findTreeItem(['Sandbox', 'Datamodels', 'Retail']);
      await studio.chooseFromContextMenu(viewpoints, 'Refresh');
      await waitForChildren(studio, [
        'Gone',
        'Retail',
        'Retail',
        'Retail',
        'Support Desk',
        'No datamodel specified',
      ]);
      assert.deepEqual(await studio.tree.getChildLabels([...viewpoints, 'No datamodel specified']), [
        'Of nothing',
      ]);
      const goneDatamodel = await studio.findTreeItem([...viewpoints, 'Gone']);
      assert.equal(goneDatamodel.description, 'datamodel not listed');
      for (const [name, text] of [
        ['Of either', 'one of several datamodels'],
        ['Of a live one', 'live:Retail'],
        ['Revenue by Region', 'LocalHost/Retail'],
      ] as const) {
        const { element } = await studio.findTreeItem([...viewpoints, 'Retail', name]);
        const group: unknown = Reflect.get(Object(element), 'parent');
        const item = Reflect.get(Object(group), 'getTreeItem').call(group);
        assert.equal(item.description, text, name);
      }
    });
  },
);

describeStudio(
  'many viewpoints by datamodel',
  async (disposables) => {
    const sandbox = disposables.use(await startHostSandbox({ seed: 'large' }));
    const recorder = disposables.use(await startRecordingProxy(sandbox));
    return { sandbox, recorder, options: { env: recorder.env, settings: { [groupSetting]: true } } };
  },
  (test) => {
    test('are loaded page by page, and revealing a viewpoint loads only the pages up to the viewpoint', async ({
      studio,
      sandbox,
      recorder,
    }) => {
      const row = await studio.findTreeItem([...viewpoints, 'Load more']);
      assert.match(row.description, /^100 of 5,?000 shown$/);
      const [title = '', ...otherLabels] = await studio.tree.getChildLabels(viewpoints);
      assert.deepEqual(otherLabels, ['Load more']);
      const group = [...viewpoints, title];
      assert.equal((await studio.tree.getChildLabels(group)).length, 100);

      studio.tree.runRowCommand(row);
      await waitFor(
        async () => (await studio.tree.getChildLabels(group)).length === 200,
        () => 'The next page is not in the group',
      );
      const {
        viewpoints: [target],
      } = (await sandbox.request('GET', '/api/v1/infusion/viewpoints?offset=1400&limit=1')) as {
        readonly viewpoints: readonly { readonly id: string; readonly name: string }[];
      };
      assert.ok(target !== undefined);
      recorder.takeRequests();
      await studio.openExplorer();
      await vscode.commands.executeCommand('datamodelStudio.explorer.reveal', {
        connectionId: 'handed-over',
        resource: { kind: 'viewpoint', viewpointId: target.id },
        name: target.name,
        within: [],
      });
      await waitFor(
        () => getSelectedName(studio) === target.name,
        () => `${String(getSelectedName(studio))} is selected`,
      );
      // The viewpoint is on the third of the larger pages; the rest is not loaded.
      // The filter leaves out the smaller pages that the view already shows, which may be read again.
      const lists = recorder
        .takeRequests()
        .filter((line) => line.includes('/infusion/viewpoints') && line.includes('limit=500'));
      assert.equal(lists.length, 3, lists.join('\n'));
    });
  },
);
