import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import { ProjectFixture } from '../../support/projectFixture.ts';

const fixture = new ProjectFixture({ profile: 'guide' });
const viewpointPath = 'viewpoints/Profit by Week.viewpoint.json';
const ordersPath = 'datamodels/Retail/tables/Orders.table.json';

test('a file that cannot be read prevents only an apply that may change its item', async () => {
  await fixture.changeJson(ordersPath, { description: 'Mine' });
  await fixture.write(viewpointPath, '{');
  const refused = await fixture.expectExit(3, 'apply', '--execute');
  expect(refused.stderr).toContain(`Nothing was written. Can't read ${viewpointPath}:1:`);
  expect((await fixture.expectExit(3, 'apply', '--viewpoint', '*', '--execute')).stderr).toContain(
    'Nothing was written.',
  );
  const markdown = await fixture.expectExit(2, 'plan', '--datamodel', 'Retail', '--format', 'markdown');
  expect(markdown.stdout).toMatch(/Not compared[^]*viewpoints\/Profit by Week\.viewpoint\.json:1:/);
  const limited = await fixture.expectExit(0, 'apply', '--datamodel', 'Retail', '--execute');
  expect(limited.stdout).toContain(`Not compared: ${viewpointPath}:1:`);
});

test('a file of a datamodel that cannot be read prevents an apply of this datamodel only', async () => {
  await fixture.changeJson(ordersPath, { description: 'Mine' });
  await fixture.write('datamodels/Marketing/tables/Leads.table.json', '{');
  await fixture.expectExit(3, 'apply', '--datamodel', '*', '--execute');
  await fixture.expectExit(0, 'apply', '--datamodel', 'Retail', '--execute');
  await fixture.changeJson(ordersPath, { description: 'Mine, too' });
  await fixture.write('datamodels/Retail/tables/Leads.table.json', '{');
  await fixture.expectExit(4, 'apply', '--datamodel', 'Retail', '--prune', 'tables', '--execute');
});

test('two files of one item prevent only an apply that includes the item', async () => {
  await fixture.changeJson(ordersPath, { description: 'Mine' });
  await fixture.write('viewpoints/Copy.viewpoint.json', await fixture.read(viewpointPath));
  const refused = await fixture.expectExit(3, 'apply', '--execute');
  expect(refused.stderr).not.toContain('The files to be applied have');
  expect(refused.stderr).toContain("Nothing was written. Can't read viewpoints/Copy.viewpoint.json:1:1: ");
  await fixture.expectExit(0, 'apply', '--datamodel', 'Retail', '--execute');
});

test('if a new file cannot be read, the plan does not say who gains access, in any format', async () => {
  const rules = 'datamodels/Marketing/rules/Leads.Region.rules.json';
  const current = JSON.parse(await fixture.read(rules)) as readonly JsonObject[];
  const denied = current.map((rule) => ({ ...rule, members: [], allMembers: false }));
  await fixture.write(rules, denied);
  const text = 'Not all rules and viewpoints could be compared.';
  expect((await fixture.expectExit(2, 'plan')).stdout).toContain('No one gains access.');
  for (const path of ['viewpoints/Open Orders.viewpoint.json', 'viewpoints/Open Orders.json']) {
    await fixture.write(path, '{ "name": ');
    for (const format of ['text', 'json', 'markdown', 'github']) {
      const { stdout: output } = await fixture.expectExit(3, 'plan', '--format', format);
      expect(output, format).toContain(text);
      expect(output, format).not.toContain('No one gains');
    }
    await fixture.remove(path);
  }
});
