import { describe, expect, test } from 'vitest';
import { rollBackOutputSchema } from '../../../src/cli/recoveryOutputSchemas.ts';
import { isWrite, type ProxiedRequest } from '../../support/interceptingProxy.ts';
import { ProjectFixture } from '../../support/projectFixture.ts';

const returnsPath = 'datamodels/Retail/tables/Returns.table.json';
const viewpointPath = 'viewpoints/Profit by Week.viewpoint.json';

describe.each(['guide', 'contract'] as const)('a rollback on an instance of the profile %s', (profile) => {
  const fixture = new ProjectFixture({ profile });

  /** Applies the project until the instance refuses a request; returns the ID of the journal. */
  const stop = async (
    isRefused: (request: ProxiedRequest) => boolean,
    ...options: readonly string[]
  ): Promise<string> => {
    fixture.proxy.intercept((request) => (isWrite(request) && isRefused(request) ? 400 : 'forward'));
    const { stderr } = await fixture.expectExit(1, 'apply', '--execute', ...options);
    fixture.proxy.intercept();
    expect(stderr).toContain('Stopped after 1 of 2 steps.');
    return /Journal: (\S+)/.exec(stderr)?.[1] ?? '';
  };

  const readDifferences = async (...args: readonly string[]) => {
    const { stdout } = await fixture.expectExit(0, 'roll-back', ...args, '--format', 'json');
    const { newIds, lostBookmarks, notRestored } = rollBackOutputSchema.parse(JSON.parse(stdout));
    return { newIds, lostBookmarks, notRestored };
  };

  test('says that a deleted viewpoint gets a new ID, and loses its bookmarks', async () => {
    await fixture.remove(viewpointPath);
    await fixture.remove('viewpoints/Revenue by Region.viewpoint.json');
    let deletionCount = 0;
    const journal = await stop(() => (deletionCount += 1) === 2, '--prune', 'viewpoints');
    const preview = await fixture.expectExit(0, 'roll-back', journal);
    expect(preview.stderr).toContain(
      'Will get new IDs: Profit by Week.\nWill be lost: any bookmarks of the viewpoint Profit by Week.\n',
    );
    const differences = {
      newIds: ['Profit by Week'],
      lostBookmarks: ['Profit by Week'],
      notRestored: undefined,
    };
    expect(await readDifferences(journal)).toEqual(differences);
    const { stderr } = await fixture.expectExit(0, 'roll-back', journal, '--execute');
    expect(stderr).toContain(
      'Done. The change was rolled back.\nHave new IDs: Profit by Week.\nLost: any bookmarks of the viewpoint Profit by Week.\n',
    );
  });

  test('says that a viewpoint that the change has created is deleted with its bookmarks', async () => {
    for (const name of ['First', 'Second']) {
      await fixture.write(`viewpoints/${name}.viewpoint.json`, {
        ...(await fixture.readJson(viewpointPath)),
        name,
      });
    }
    const journal = await stop(({ body }) => body.includes('"Second"'));
    const preview = await fixture.expectExit(0, 'roll-back', journal);
    expect(preview.stderr).toContain('Will be lost: any bookmarks of the viewpoint First.\n');
    expect(preview.stderr).not.toContain('new ID');
    expect(await readDifferences(journal)).toEqual({
      newIds: undefined,
      lostBookmarks: ['First'],
      notRestored: undefined,
    });
    expect(await readDifferences(journal, '--execute')).toMatchObject({ lostBookmarks: ['First'] });
  });

  test('says nothing about bookmarks if it only restores a description', async () => {
    await fixture.changeJson(returnsPath, { description: 'Mine' });
    await fixture.changeJson(viewpointPath, { description: 'Mine' });
    const journal = await stop(({ method }) => method === 'PUT');
    expect((await fixture.expectExit(0, 'roll-back', journal)).stderr).not.toContain('bookmarks');
    expect(await readDifferences(journal, '--execute')).toEqual({
      newIds: undefined,
      lostBookmarks: undefined,
      notRestored: undefined,
    });
  });
});
