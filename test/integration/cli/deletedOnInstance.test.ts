import { describe, expect, test } from 'vitest';
import { ProjectFixture } from '../../support/projectFixture.ts';

const name = 'Profit by Week';
const item = `viewpoint/${name}`;

describe.each(['guide', 'contract'] as const)('an item that others delete (profile %s)', (profile) => {
  const fixture = new ProjectFixture({ profile });

  test('is created again by an apply once a pull that keeps the files has seen the deletion', async () => {
    await fixture.runAsOtherUser(async ({ viewpoints }) => {
      const [found] = (await viewpoints.list({ search: { name } })).value.viewpoints;
      await viewpoints.delete({ viewpointId: found?.id ?? '' });
    });
    const project = ['--project', fixture.project] as const;
    await fixture.expectExit(0, 'pull', ...project);
    const refused = await fixture.expectExit(4, 'apply', '--execute');
    expect(refused.stderr).toContain(`1 item was deleted on the instance since the last pull: ${item}.`);
    expect(refused.stderr).toContain(
      'Pull, and create again what was deleted: datamodel-studio pull --conflicts ours ',
    );
    const pulled = await fixture.expectExit(0, 'pull', '--conflicts', 'ours', ...project);
    expect(pulled.stderr).toContain(`No longer on the instance: viewpoints/${name}.viewpoint.json.`);
    expect((await fixture.expectExit(2, 'plan')).stdout).toContain(`+ ${item}\n`);
    await fixture.expectExit(0, 'apply', '--execute');
    await fixture.expectExit(0, 'plan');
  });
});
