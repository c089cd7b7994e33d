import { journey } from '../support/journey.ts';
import { startRecordingProxy } from '../support/recordingProxy.ts';
import { startJourneySandbox } from '../support/journeySandbox.ts';

const problem = (title: string): string => JSON.stringify({ title, detail: title });

journey(
  'the explorer distinguishes its states: offline, no license, no permission, failed, empty',
  async ({ openStudio }) => {
    await using sandbox = await startJourneySandbox({ seed: 'empty' });
    await using recorder = await startRecordingProxy(sandbox);
    const studio = await openStudio({
      env: recorder.env,
      settings: { 'datamodelStudio.network.requestTimeout': 5 },
    });
    recorder.answer = (_method, path) => {
      if (path.includes('/infusion/')) {
        return { status: 404, body: '' };
      }
      if (path.includes('/custom_data')) {
        return { status: 403, body: problem('Not for you') };
      }
      return path.includes('/builds') ? { status: 500, body: problem('Out of memory') } : undefined;
    };
    await studio.openView();
    await studio.treeItem(['Sandbox', 'Datamodels', 'No datamodels yet']);
    await studio.treeItem(['Sandbox', 'Cube Sets', /None yet/]);
    await studio.treeItem(['Sandbox', 'Viewpoints', 'Needs L2023.11, assistant-apps']);
    await studio.treeItem(['Sandbox', 'Custom Data', 'No permission (403)']);
    await studio.treeItem(['Sandbox', 'Builds', 'Server error (500)']);
    for (const theme of ['light', 'dark', 'hc'] as const) {
      await studio.setTheme(theme);
      await studio.screenshot(`explorer-states-${theme}`);
    }

    recorder.answer = undefined;
    await studio.tree.click(['Sandbox', 'Custom Data', /403/]);
    await studio.treeItem(['Sandbox', 'Custom Data', 'No custom data yet']);
    await studio.tree.click(['Sandbox', 'Viewpoints', /Needs L2023/]);
    await studio.treeItem(['Sandbox', 'Viewpoints', 'No viewpoints yet']);
    await studio.tree.click(['Sandbox', 'Builds', /500/]);
    await studio.treeItem(['Sandbox', 'Builds', /No build is running/]);

    recorder.isOffline = true;
    await studio.contextMenu('Sandbox', 'Refresh');
    await studio.treeItem(['Sandbox', 'Datamodels', /Connection broke|Network failed/]);
    await studio.page.locator('.part.sidebar .message', { hasText: 'Not reached: Sandbox.' }).waitFor();
    await studio.screenshot('explorer-offline');
    recorder.isOffline = false;
    await studio.tree.click(['Sandbox', 'Datamodels', /Connection broke|Network failed/]);
    await studio.treeItem(['Sandbox', 'Datamodels', 'No datamodels yet']);
    await studio.page
      .locator('.part.sidebar .message', { hasText: 'Not reached' })
      .waitFor({ state: 'hidden' });

    // One item of unexpected shape doesn't hide the others.
    recorder.answer = (_method, path) =>
      path.endsWith('/datamodels')
        ? { status: 200, body: '[{"oid":"a","title":"Good"},{"oid":"b","title":7,"name":"Odd"}]' }
        : undefined;
    await studio.contextMenu('Sandbox', 'Refresh');
    await studio.treeItem(['Sandbox', 'Datamodels', 'Good']);
    const unread = await studio.treeItem(['Sandbox', 'Datamodels', /One could not be read/]);
    await unread.filter({ hasText: '“Odd” (number 2)' }).waitFor();
    for (const theme of ['light', 'dark', 'hc'] as const) {
      await studio.setTheme(theme);
      await studio.screenshot(`explorer-unreadable-${theme}`);
    }
    recorder.answer = undefined;
    await studio.tree.click(['Sandbox', 'Datamodels', /One could not be read/]);
    await studio.treeItem(['Sandbox', 'Datamodels', 'No datamodels yet']);
  },
);
