import { journey } from '../support/journey.ts';
import { record } from '../support/recorder.ts';
import { openSandbox } from '../support/sandbox.ts';

journey('a collection is shown as JSON, follows changes and tells failures', async ({ openStudio }) => {
  await using sandbox = await openSandbox();
  await using recorder = await record(sandbox);
  const studio = await openStudio({ env: recorder.env });
  await studio.openView();
  await studio.contextMenu(['Sandbox', 'Custom Data'], 'Open as JSON');
  await studio.openedEditor('Custom Data.custom-data.json');
  await studio.editorShows(/status-tags/);

  let size = '12345678901234567890';
  recorder.answer = (_method, path) =>
    path.endsWith('/datasecurity')
      ? { status: 200, body: `[{"_id":"r","table":"T","column":"C","rate":1.0,"size":${size}}]` }
      : undefined;
  await studio.contextMenu(['Sandbox', 'Datamodels', 'Retail', 'Data Security'], 'Open as JSON');
  await studio.openedEditor('Data Security.rules.json');
  await studio.editorShows('12345678901234567890');
  await studio.editorShows('1.0');

  size = '5';
  await studio.contextMenu(['Sandbox', 'Datamodels', 'Retail', 'Data Security'], 'Refresh');
  await studio.editorShows(/"size":.5/);

  recorder.answer = () => ({ status: 404, body: '{"title":"Gone","detail":"No such cube"}' });
  await studio.contextMenu(['Sandbox', 'Datamodels', 'Retail', 'Data Security'], 'Open as JSON');
  await studio.editorShows(/no.longer.has.it/);
  await studio.screenshot('json-view-failed');
});
