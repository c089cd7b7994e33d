import assert from 'node:assert/strict';
import { journey } from '../support/journey.ts';
import { startRecordingProxy } from '../support/recordingProxy.ts';
import { startJourneySandbox } from '../support/journeySandbox.ts';
import { Studio } from '../support/studio.ts';

/** Polling interval of one window in this journey; two independent windows would poll twice as often. */
const pollSeconds = 2;
/** A build younger than this is polled more often. */
const youngMs = 16_000;

journey('two windows poll no more than one, and one takes over from the other', async ({ openStudio }) => {
  await using sandbox = await startJourneySandbox({ buildDelayMs: 50_000 });
  await using recorder = await startRecordingProxy(sandbox);
  const looks: number[] = [];
  recorder.answer = (method, path) => {
    if (method === 'GET' && path === '/api/v2/builds') {
      looks.push(performance.now());
    }
    return undefined;
  };
  const first = await openStudio({
    env: recorder.env,
    settings: { 'datamodelStudio.builds.pollInterval': pollSeconds },
  });
  await first.openView();
  await first.contextMenu(['Sandbox', 'Datamodels', 'Retail'], 'Build…');
  await first.quickPick('Full');
  await first.statusBar(/Building Retail/);
  const started = performance.now();

  const page = await first.page.context().newPage();
  await page.goto(first.page.url());
  const second = new Studio(page, first.workspace, 'Datamodel Studio');
  await second.ready();
  await second.statusBar(/Building Retail/, 60_000);
  const together = Math.max(performance.now(), started + youngMs);
  const steady = (): readonly number[] => looks.filter((time) => time > together);
  while (steady().length < 6) {
    recorder.takeRequests();
    await recorder.waitForRequests(1);
  }
  await second.screenshot('builds-second-window');
  const mean = ((steady().at(-1) ?? 0) - (steady()[0] ?? 0)) / (steady().length - 1);
  assert.ok(mean >= pollSeconds * 950, `Two windows asked every ${Math.round(mean)} ms`);

  await first.page.close({ runBeforeUnload: true });
  const closed = looks.length;
  await second.statusBar(/Retail built in/, 150_000);
  assert.ok(looks.length > closed, 'The second window goes on');
  const pauses = looks.slice(closed - 1).map((time, index) => time - (looks[closed - 2 + index] ?? time));
  assert.ok(Math.max(...pauses) < 15_000, `It took over after ${Math.round(Math.max(...pauses))} ms`);
});
