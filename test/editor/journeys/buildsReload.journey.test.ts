import assert from 'node:assert/strict';
import { journey } from '../support/journey.ts';
import { startJourneySandbox } from '../support/journeySandbox.ts';

journey('a reload in the middle of a build loses nothing', async ({ openStudio }) => {
  await using sandbox = await startJourneySandbox({ buildDelayMs: 40_000 });
  const studio = await openStudio({ env: sandbox.env });
  await studio.openView();
  await studio.contextMenu(['Sandbox', 'Datamodels', 'Retail'], 'Build…');
  await studio.quickPick('Full');
  await studio.statusBar(/Building Retail/);
  await studio.reload();
  await studio.statusBar(/Building Retail/);
  await studio.notification('Building Retail');
  await studio.screenshot('build-after-reload');
  await studio.statusBar(/Retail built in/, 120_000);
  await studio.runCommand('Show Build History');
  const page = studio.page.frameLocator('iframe.webview.ready').frameLocator('#active-frame');
  await page.getByText(/1 build, 0 failed; usually \d:\d\d/).waitFor();
  assert.equal(await page.getByRole('img', { name: /1 build/ }).count(), 1);
  await studio.screenshot('build-history');
});
