import { join } from 'node:path';
import { projectRoot } from '../../../src/launcher/projectRoot.ts';
import { journey } from '../support/journey.ts';

journey('the packaged extension does the main job in a clean VS Code', async ({ openStudio }) => {
  const studio = await openStudio({ vsix: join(projectRoot, 'dist', 'datamodel-studio.vsix') });
  await studio.openView();
  await studio.welcomeAction('Start Sandbox');
  await studio.treeItem(['Sandbox', 'Datamodels', 'Retail', 'Sales', 'Orders', 'Order Date']);
  await studio.contextMenu('Retail', 'Build…');
  await studio.quickPick('Full');
  await studio.statusBar(/Retail built in/);
});
