import { journey } from '../support/journey.ts';
import { breakCustomTable } from '../support/demo.ts';
import { openSandbox } from '../support/sandbox.ts';

journey(
  'start the sandbox, browse to a column, build, watch it in the status bar',
  async ({ openStudio }) => {
    const studio = await openStudio();
    await studio.openView();
    await studio.screenshot('welcome');
    await studio.welcomeAction('Start Sandbox');
    await studio.treeItem(['Sandbox', 'Datamodels', 'Retail', 'Sales', 'Orders', 'Order Date']);
    await studio.contextMenu('Retail', 'Build…');
    await studio.quickPick('Full');
    await studio.statusBar(/Building Retail/);
    await studio.statusBar(/Retail built in/);
    await studio.screenshot('built');
  },
);

journey('a build is cancelled from its notification', async ({ openStudio }) => {
  await using sandbox = await openSandbox({ buildDelayMs: 60_000 });
  const studio = await openStudio({ env: sandbox.env });
  await studio.openView();
  await studio.contextMenu(['Sandbox', 'Datamodels', 'Retail'], 'Build…');
  await studio.quickPick('Schema Changes');
  await studio.notification('Building Retail');
  await studio.screenshot('building');
  await studio.notificationAction('Building Retail', 'Cancel');
  await studio.statusBar(/Build of Retail cancelled/);
  await studio.notificationGone('Building Retail');
});

journey(
  'a sample is built, a live datamodel published, what fails is told and tried again',
  async ({ openStudio }) => {
    await using sandbox = await openSandbox();
    const studio = await openStudio({ env: sandbox.env });
    await studio.openView();
    await studio.contextMenu(['Sandbox', 'Datamodels', 'Retail'], 'Build…');
    await studio.quickPick('Sample…');
    await studio.inputBox('10');
    await studio.statusBar(/Retail built in/);
    await studio.contextMenu(['Sandbox', 'Datamodels', 'Support Desk'], 'Build…');
    await studio.statusBar(/Support Desk published/);

    await sandbox.request('PUT', '/sandbox/faults', {
      faults: [{ kind: 'status', status: 500, pathPrefix: '/api/v2/datamodels/' }],
    });
    await studio.expand(['Sandbox', 'Datamodels', 'Marketing']);
    await studio.treeItem(['Marketing', /Server error \(500\)/]);
    await studio.screenshot('explorer-error');
    await sandbox.request('PUT', '/sandbox/faults', { faults: [] });
    await studio.tree.click(['Marketing', /Server error/]);
    await studio.treeItem(['Marketing', 'Relations']);

    await breakCustomTable(sandbox, 'Retail', 'Customer Value', 'SELECT [Revenu] FROM [Order Items]');
    await studio.contextMenu(['Sandbox', 'Datamodels', 'Retail'], 'Build…');
    await studio.quickPick('Full');
    await studio.notification(/Build of Retail failed: table Customer Value: .*no such column: Revenu/);
    await studio.screenshot('build-failed');
    const item = await studio.statusBar('Build of Retail failed');
    await item.click();
    await studio.quickPick(/Retail/);
  },
);
