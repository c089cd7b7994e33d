import { symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isWrite } from '../../support/interceptingProxy.ts';
import { ProjectFixture } from '../../support/projectFixture.ts';

const fixture = new ProjectFixture({ profile: 'guide' });

test('a change is refused if the folder of journals cannot be used; the message names the folder and the remedy', async () => {
  await fixture.changeJson('datamodels/Retail/tables/Orders.table.json', { description: 'Mine' });
  const file = join(fixture.project, 'not-a-folder');
  await writeFile(file, '');
  const { stderr } = await fixture.expectExit(4, 'apply', '--execute', '--state', join(file, 'state'));
  expect(stderr).toContain(`Can't use ${join(file, 'state')}`);
  expect(stderr).toContain('Part of its path is a file, not a folder (ENOTDIR).');
  expect(stderr).toContain('To use a different journal folder, use --state DIR.');
  // This folder has no journals yet, and none can be created in it.
  const link = join(fixture.project, 'link');
  await symlink(join(fixture.project, 'missing', 'folder'), link);
  const uncreated = await fixture.expectExit(4, 'apply', '--execute', '--state', link);
  expect(uncreated.stderr).toContain(`Can't use ${link}`);
  expect(uncreated.stderr).toContain('To use a different journal folder, use --state DIR.');
  expect(fixture.proxy.takeRequests().filter(isWrite)).toEqual([]);
});

test.each(['resume', 'roll-back', 'abandon'])(
  '%s is refused if the folder of journals cannot be used',
  async (command) => {
    const state = await fixture.createFolder(`unusable-${command}`);
    await writeFile(join(state, 'history'), '');
    const { stderr } = await fixture.expectExit(
      4,
      command,
      '000000000-00000000-0000-0000-0000-000000000000',
      '--execute',
      '--state',
      state,
    );
    expect(stderr).toContain(`Can't use ${join(state, 'history')}`);
    expect(stderr).toContain('Part of its path is a file, not a folder (ENOTDIR).');
    expect(stderr).toContain('To use a different journal folder, use --state DIR.');
  },
);
