import assert from 'node:assert/strict';
import { fetchViewpoint } from '../../editor/support/viewpointDocument.ts';
import { documentSettings, save } from '../support/documents.ts';
import { useFaults } from '../support/faults.ts';
import { undoLastChange } from '../support/plans.ts';
import type { HostStudio } from '../support/studio.ts';
import { describeStudio, startHostSandbox } from '../support/suite.ts';
import { waitFor } from '../support/waiting.ts';

const viewpoints = ['Sandbox', 'Viewpoints'];

/** Shows the viewpoints of a tenant; an empty ID stands for the tenant of the connection. */
async function selectTenant(studio: HostStudio, tenantId: string): Promise<void> {
  await studio.chooseFromContextMenu(viewpoints, 'Select Tenant…');
  await studio.quickInput.waitForTitle('Tenant for Viewpoints on Sandbox');
  if (tenantId === '') {
    await studio.selectQuickPick('Connection default');
    await studio.tree.waitForItemText(viewpoints, /^(?!.*(?:acme|other))/);
    return;
  }
  await studio.quickInput.fill(tenantId);
  await studio.selectQuickPick(new RegExp(`^(?:Tenant )?${tenantId}$`));
  await studio.tree.waitForItemText(viewpoints, new RegExp(tenantId));
}

/** Creates a viewpoint of the selected tenant, from the menu of its viewpoints. */
async function createTenantViewpoint(studio: HostStudio, name: string): Promise<void> {
  await studio.chooseFromContextMenu(viewpoints, 'New Viewpoint…');
  await studio.selectQuickPick('Retail');
  await studio.submitInputBox(name);
  await studio.submitInputBox('First');
  await studio.waitForEditor(`${name}.viewpoint.json`);
}

for (const profile of ['guide', 'contract'] as const) {
  describeStudio(
    `viewpoints of another tenant (${profile})`,
    async (disposables) => {
      const sandbox = disposables.use(await startHostSandbox({ profile }));
      return { sandbox, options: { env: sandbox.env, settings: documentSettings } };
    },
    (test) => {
      test('the viewpoints of the selected tenant are listed, created, changed and undone', async ({
        studio,
        sandbox,
      }) => {
        await studio.findTreeItem([...viewpoints, 'Revenue by Region']);
        await selectTenant(studio, 'acme');
        await studio.findTreeItem([...viewpoints, 'No viewpoints yet']);
        await createTenantViewpoint(studio, 'Of Acme');
        await studio.findTreeItem([...viewpoints, 'Of Acme']);
        assert.equal((await fetchViewpoint(sandbox, 'Of Acme')).tenantId, 'acme');
        const { document } = await studio.waitForEditorText(/"description": "First"/);
        assert.match(document.uri.path, /Sandbox \(acme\)/);
        assert.match(document.uri.query, /acme/);

        // The document still belongs to its tenant: for another one, the server does not find it.
        await selectTenant(studio, 'other');
        await studio.findTreeItem([...viewpoints, 'No viewpoints yet']);
        await studio.replaceText(document.getText().replace('"First"', '"Second"'));
        await save(document);
        assert.equal((await fetchViewpoint(sandbox, 'Of Acme')).description, 'Second');

        await undoLastChange(studio);
        await studio.waitForStatusBarItem(/Undone: Changed Of Acme/);
        assert.equal((await fetchViewpoint(sandbox, 'Of Acme')).description, 'First');

        await selectTenant(studio, '');
        await studio.findTreeItem([...viewpoints, 'Of Acme']);
        await studio.findTreeItem([...viewpoints, 'Revenue by Region']);
      });

      test('the selected tenant is kept when the window is reloaded, and its viewpoints are refreshed with the connection', async ({
        studio,
        sandbox,
      }) => {
        await selectTenant(studio, 'kept');
        await studio.findTreeItem([...viewpoints, 'No viewpoints yet']);
        await studio.reloadWindow();
        await studio.tree.waitForItemText(viewpoints, /kept/);
        await createTenantViewpoint(studio, 'Of Kept');
        const { id } = await fetchViewpoint(sandbox, 'Of Kept');
        await sandbox.request('PUT', `/api/v1/infusion/viewpoints/${id}`, { name: 'Renamed for Kept' });
        await studio.chooseFromContextMenu('Sandbox', 'Refresh');
        await studio.findTreeItem([...viewpoints, 'Renamed for Kept']);
        await selectTenant(studio, '');
      });

      test('a message above the tree names an instance that cannot be reached for the viewpoints of a tenant', async ({
        studio,
        sandbox,
      }) => {
        const waitForViewMessage = (message: string): Promise<unknown> =>
          waitFor(
            () => (studio.tree.getView('datamodelStudio.explorer').message ?? '') === message,
            () => `The view says ${studio.tree.getView('datamodelStudio.explorer').message}`,
          );
        await selectTenant(studio, 'remote');
        await studio.findTreeItem([...viewpoints, 'No viewpoints yet']);
        {
          await using _faults = await useFaults(sandbox, { kind: 'drop', pathPrefix: '/api/v1/infusion' });
          await studio.chooseFromContextMenu(viewpoints, 'Refresh');
          await studio.findTreeItem([...viewpoints, /^(Connection lost|Network error)$/]);
          await waitForViewMessage("Can't reach Sandbox.");
        }
        await studio.chooseFromContextMenu(viewpoints, 'Refresh');
        await studio.findTreeItem([...viewpoints, 'No viewpoints yet']);
        await waitForViewMessage('');
        await selectTenant(studio, '');
      });

      test('a viewpoint service that is not ready is marked, and says why', async ({ studio, sandbox }) => {
        await studio.findTreeItem([...viewpoints, 'Revenue by Region']);
        assert.match(await studio.tree.getTooltip(viewpoints), /Service: status: ok, enabled: true/);
        {
          await using _faults = await useFaults(sandbox, {
            kind: 'status',
            status: 503,
            pathPrefix: '/api/v1/infusion',
          });
          await studio.chooseFromContextMenu(viewpoints, 'Refresh');
          await studio.tree.waitForItemText(viewpoints, /service not ready/);
          assert.match(await studio.tree.getTooltip(viewpoints), /Service not ready: HTTP 503/);
        }
        await studio.chooseFromContextMenu(viewpoints, 'Refresh');
        await studio.tree.waitForItemText(viewpoints, /^(?!.*not ready)/);
        await studio.findTreeItem([...viewpoints, 'Revenue by Region']);
      });
    },
  );
}
