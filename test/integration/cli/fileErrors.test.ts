import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ProjectFixture } from '../../support/projectFixture.ts';

const fixture = new ProjectFixture({ profile: 'guide' });

test('a folder of journals that cannot be used is named, with what to do instead', async () => {
  await fixture.changeJson('datamodels/Retail/tables/Orders.table.json', { description: 'Mine' });
  const file = join(fixture.project, 'not-a-folder');
  await writeFile(file, '');
  const { stderr } = await fixture.expectExit(1, 'apply', '--execute', '--state', join(file, 'state'));
  expect(stderr).toContain(`Can't use ${join(file, 'state')}`);
  expect(stderr).toContain('Part of its path is a file, not a folder (ENOTDIR).');
  expect(stderr).toContain('To use a different journal folder, use --state DIR.');
});
