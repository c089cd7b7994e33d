import assert from 'node:assert/strict';
import { journey } from '../support/journey.ts';
import { startRecordingProxy } from '../support/recordingProxy.ts';
import { startJourneySandbox } from '../support/journeySandbox.ts';
import { Studio } from '../support/studio.ts';

/** The polling interval. Two windows that did not coordinate would together poll twice in each interval. */
const pollSeconds = 2;
/** A build younger than this is polled more often. */
const youngBuildMs = 16_000;

journey(
  'two windows together poll as often as one; the second continues when the first is closed',
  async ({ openStudio }) => {
    await using sandbox = await startJourneySandbox();
    // The build ends when the test cancels it, however long the windows take to start.
    await sandbox.request('PUT', '/sandbox/faults', { faults: [{ kind: 'slowBuilds', ms: 600_000 }] });
    await using recorder = await startRecordingProxy(sandbox);
    const pollTimes: number[] = [];
    recorder.getInterceptedResponse = (method, path) => {
      if (method === 'GET' && path === '/api/v2/builds') {
        pollTimes.push(performance.now());
      }
      return undefined;
    };
    const firstStudio = await openStudio({
      env: recorder.env,
      settings: { 'datamodelStudio.builds.pollInterval': pollSeconds },
    });
    await firstStudio.openView();
    await firstStudio.chooseFromContextMenu(['Sandbox', 'Datamodels', 'Retail'], 'Build', 'More Options…');
    await firstStudio.selectQuickPick('Replace All');
    await firstStudio.waitForStatusBarItem(/Building Retail/);
    const buildStart = performance.now();

    const page = await firstStudio.page.context().newPage();
    await page.goto(firstStudio.page.url());
    const secondStudio = new Studio(page, firstStudio.workspace, 'Datamodel Studio');
    await secondStudio.waitUntilReady();
    await secondStudio.waitForStatusBarItem(/Building Retail/, 60_000);
    const steadyStart = Math.max(performance.now(), buildStart + youngBuildMs);
    const getSteadyPollTimes = (): readonly number[] => pollTimes.filter((time) => time > steadyStart);
    while (getSteadyPollTimes().length < 6) {
      recorder.takeRequests();
      await recorder.waitForRequests(1);
    }
    await secondStudio.screenshot('builds-second-window');
    const meanIntervalMs =
      ((getSteadyPollTimes().at(-1) ?? 0) - (getSteadyPollTimes()[0] ?? 0)) /
      (getSteadyPollTimes().length - 1);
    assert.ok(
      meanIntervalMs >= pollSeconds * 950,
      `Two windows asked every ${Math.round(meanIntervalMs)} ms`,
    );

    await firstStudio.page.close({ runBeforeUnload: true });
    const pollCountAtClose = pollTimes.length;
    // The second window continues to poll: each wait fails after 20 seconds.
    while (pollTimes.length < pollCountAtClose + 2) {
      recorder.takeRequests();
      await recorder.waitForRequests(1);
    }
    const [task] = (await sandbox.request('GET', '/api/v2/builds')) as readonly { readonly oid: string }[];
    await sandbox.request('DELETE', `/api/v2/builds/${task?.oid}`);
    await secondStudio.waitForStatusBarItem('Build of Retail canceled');
  },
);
