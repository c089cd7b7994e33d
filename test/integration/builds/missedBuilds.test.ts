import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BuildHistory } from '../../../src/builds/buildHistory.ts';
import { groupHistory } from '../../../src/builds/historyGroups.ts';
import { openHistoryFile } from '../../../src/builds/historyFile.ts';
import { silentLog } from '../../../src/base/log.ts';
import { profileNames } from '../../../src/sandbox/profiles/profile.ts';
import { expectDefined } from '../../support/expectations.ts';
import { type TemporarySandbox, startTemporarySandbox } from '../../support/temporarySandbox.ts';
import { type WindowServices, openWindow } from '../soak/windowServices.ts';

describe.each(profileNames)('on an instance of the profile %s', (profile) => {
  let folder: string;
  let sandbox: TemporarySandbox;
  let services: WindowServices;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'datamodel-studio-builds-'));
    sandbox = await startTemporarySandbox('empty', { profile });
    services = await openWindow(sandbox, folder);
  });
  afterAll(async () => {
    services.dispose();
    await sandbox.stop();
    await rm(folder, { recursive: true, force: true });
  });

  test("a colleague's failed build is listed and counted in the history, even if a successful one followed it between two polls", async () => {
    const { watch, sessions } = services;
    const { client } = await sessions.get('home');
    const { oid: datamodelId } = expectDefined((await client.datamodels.create({ title: 'Retail' })).value);
    const request = { datamodelId, buildType: 'full' } as const;
    const ends: string[] = [];
    watch.onDidEnd(({ build, shouldNotify }) => ends.push(`${build.phase} ${shouldNotify}`));
    await watch.start({ ...request, connectionId: 'home', datamodelTitle: 'Retail' });
    await expect.poll(() => ends).toEqual(['done true']);

    const buildElsewhere = async (status: string): Promise<void> => {
      const { value: task } = await client.builds.start(request);
      const getStatus = async () =>
        (await client.builds.list()).value.find(({ oid }) => oid === task.oid)?.status;
      await expect.poll(getStatus).toBe(status);
    };
    await sandbox.setFaults([{ kind: 'failingBuilds', message: 'no disk' }]);
    await buildElsewhere('failed');
    await sandbox.setFaults([]);
    await buildElsewhere('done');
    expect(watch.builds).toHaveLength(1);
    watch.refresh('home');

    await expect.poll(() => ends).toEqual(['done true', 'failed false', 'done false']);
    expect(watch.builds.map(({ phase }) => phase)).toEqual(['done', 'failed', 'done']);
    const history = new BuildHistory(openHistoryFile(join(folder, 'builds')), silentLog);
    const [group] = groupHistory(await history.readAndTrim());
    expect([group?.count, group?.failedCount]).toEqual([3, 1]);
  });
});
