import { journey } from '../support/journey.ts';
import { openSandbox } from '../support/sandbox.ts';
import type { ThemeName } from '../support/themes.ts';

const allThemes: readonly ThemeName[] = ['dark', 'hc', 'light'];

journey('the explorer and a running build show in every theme', async ({ openStudio }) => {
  await using sandbox = await openSandbox({ buildDelayMs: 120_000 });
  const studio = await openStudio({ env: sandbox.env, theme: 'light' });
  await studio.openView();
  await studio.expand(['Sandbox', 'Datamodels', 'Retail', 'Custom Tables', 'Customer Value']);
  await studio.expand(['Retail', 'Relations']);
  await studio.expand(['Retail', 'Data Security']);
  await studio.contextMenu('Retail', 'Build…');
  await studio.quickPick('Full');
  await studio.statusBar(/Building Retail/);
  for (const theme of allThemes) {
    await studio.setTheme(theme);
    await studio.screenshot(`explorer-${theme}`);
  }
});

journey('viewpoints come page by page', async ({ openStudio }) => {
  await using sandbox = await openSandbox();
  const studio = await openStudio({ env: sandbox.env });
  await studio.openView();
  await studio.expand(['Sandbox', 'Viewpoints']);
  await studio.tree.click(['Viewpoints', 'Load more']);
  await studio.screenshot('viewpoints');
});
