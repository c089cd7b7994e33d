import { journey } from '../support/journey.ts';
import { pageSize, pageViewpoints } from '../support/largeDatamodel.ts';
import { openSandbox } from '../support/sandbox.ts';

journey(
  'the 500-table model expands, viewpoints page, and a filter finds what is deep',
  async ({ openStudio }) => {
    await using sandbox = await openSandbox({ seed: 'large' });
    const studio = await openStudio({
      env: sandbox.env,
      settings: { 'datamodelStudio.explorer.pageSize': pageSize },
    });
    await studio.openView();
    await studio.treeItem(['Sandbox', 'Datamodels', 'Enterprise', 'Source 10', 'Table 451', 'Column 40']);
    await studio.screenshot('explorer-large');
    await studio.tree.collapse(['Sandbox', 'Datamodels', 'Enterprise']);

    await pageViewpoints(studio, 3 * pageSize);
    await studio.treeItem(['Sandbox', 'Viewpoints', `${pageSize + 1} to ${2 * pageSize}`]);
    await studio.screenshot('explorer-large-viewpoints');
    await studio.expand(['Viewpoints', `${pageSize + 1} to ${2 * pageSize}`]);

    await studio.runCommand('Datamodel Studio: Filter…');
    await studio.page.getByPlaceholder('Words of the name').waitFor();
    await studio.page.keyboard.type('table 499');
    await studio.page.keyboard.press('Enter');
    await studio.treeItem(['Sandbox', 'Datamodels', 'Enterprise', 'Source 10', 'Table 499']);
    await studio.screenshot('explorer-large-filtered');
  },
);
