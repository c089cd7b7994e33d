import { journey } from '../support/journey.ts';
import { packageFile } from '../support/packagedExtension.ts';

journey('the packaged extension does the main job in a clean VS Code', async ({ openStudio }) => {
  const studio = await openStudio({ vsix: packageFile });
  await studio.openView();
  await studio.screenshot('welcome');
  await studio.welcomeAction('Start Sandbox');
  await studio.treeItem(['Sandbox', 'Datamodels', 'Retail', 'Sales', 'Orders', 'Order Date']);
  await studio.contextMenu('Retail', 'Build…');
  await studio.quickPick('Full');
  await studio.statusBar(/Building Retail/);
  await studio.statusBar(/Retail built in/);
  await studio.screenshot('built');
});
