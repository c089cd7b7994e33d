import { describe, expect, test } from 'vitest';
import { isWrite } from '../../support/interceptingProxy.ts';
import { ProjectFixture } from '../../support/projectFixture.ts';

const build = 'Build Marketing afterward: what was restored has no data before that';

describe.each([
  ['guide', false],
  ['contract', true],
] as const)('the rollback of a deleted datamodel on an instance of the profile %s', (profile, needsBuild) => {
  const fixture = new ProjectFixture({ profile });

  test('says what to build, and warns as long as the datamodel has no rules', async () => {
    await fixture.remove('datamodels/Marketing');
    const viewpoint = 'viewpoints/Profit by Week.viewpoint.json';
    await fixture.changeJson(viewpoint, { description: 'The write after the deletion' });
    const held = Promise.withResolvers<void>();
    let isDeleted = false;
    fixture.proxy.intercept((request) => {
      isDeleted ||= request.method === 'DELETE' && request.path.includes('/datamodels/');
      return isDeleted && request.method !== 'DELETE' && isWrite(request) ? 'hold' : 'forward';
    }, held.resolve);
    const run = fixture.start('apply', '--prune', 'datamodels', '--execute');
    await held.promise;
    const [, journal = ''] = await run.waitForMessage(/Journal: (\S+)/);
    run.kill('SIGKILL');
    await run.ended;
    fixture.proxy.intercept();

    // A plan says that an apply would be refused.
    const plan = await fixture.expectExit(2, 'plan', '--prune', 'datamodels');
    expect(plan.stderr).toMatch(/interrupted.*Until then, an apply is refused\.$/m);
    expect(plan.stderr).toContain(`roll-back ${journal} --execute`);

    // The steps are shown before anything is written.
    const shown = await fixture.expectExit(0, 'roll-back', journal);
    expect(shown.stdout).toContain(
      '\n    deleted datamodel Marketing\n    may have changed viewpoint Profit by Week\n',
    );

    const project = ['--project', fixture.project] as const;
    const first = await fixture.expectExit(needsBuild ? 1 : 0, 'roll-back', journal, '--execute', ...project);
    const warning = 'Marketing: restored without data security rules.';
    expect(first.stderr.includes(warning)).toBe(needsBuild);
    expect(first.stderr).not.toContain('Check the name');
    if (needsBuild) {
      expect(first.stderr).not.toContain(build);
      await fixture.expectExit(0, 'build', 'Marketing', '--execute');
      const second = await fixture.expectExit(0, 'roll-back', journal, '--execute', ...project);
      expect(second.stderr).not.toContain(warning);
      expect(second.stderr).toContain(build);
    } else {
      expect(first.stderr).toContain(build);
    }
  });
});
