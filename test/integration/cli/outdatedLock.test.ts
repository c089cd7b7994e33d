import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isWrite } from '../../support/interceptingProxy.ts';
import { ProjectFixture } from '../../support/projectFixture.ts';

const lockPath = 'environments/default.lock.json';

describe('if the lock file cannot be written after a change', () => {
  const fixture = new ProjectFixture({ profile: 'guide' });
  const project = () => ['--project', fixture.project] as const;

  /** Changes the lock file with each request, like another command, so that it isn't overwritten. */
  const changeLock = (): void => {
    const path = join(fixture.project, lockPath);
    let count = 0;
    fixture.proxy.intercept(() => {
      count += 1;
      const entry = `"items": {"viewpoint/Other ${count}": {"parts": {}},`;
      writeFileSync(path, readFileSync(path, 'utf8').replace('"items": {', entry));
      return 'forward';
    });
  };
  const edit = () =>
    fixture.changeJson('datamodels/Retail/tables/Stores.table.json', { description: 'Changed' });
  const stop = async (): Promise<string> => {
    await edit();
    await fixture.changeJson('viewpoints/Profit by Week.viewpoint.json', { description: 'The last write' });
    fixture.proxy.intercept((request) =>
      isWrite(request) && request.body.includes('The last write') ? 500 : 'forward',
    );
    const { stderr } = await fixture.expectExit(1, 'apply', '--execute');
    fixture.proxy.intercept();
    return /Journal: (\S+)/.exec(stderr)?.[1] ?? '';
  };

  test('an apply says that it is done, and its exit code is 1', async () => {
    await edit();
    changeLock();
    const { stderr } = await fixture.expectExit(1, 'apply', '--execute');
    expect(stderr).toContain("The lock file couldn't be updated. ");
    expect(stderr).toContain('To update it: datamodel-studio pull ');
    expect(stderr).toContain('Done. The instance matches the project.');
  });

  test.each([
    ['resume', 'Done. The change was finished.'],
    ['roll-back', "The lock file couldn't be updated. "],
  ])('%s ends with exit code 1', async (command, text) => {
    const journal = await stop();
    changeLock();
    const { stderr } = await fixture.expectExit(1, command, journal, '--execute', ...project());
    expect(stderr).toContain("The lock file couldn't be updated. ");
    expect(stderr).toContain(text);
  });
});
