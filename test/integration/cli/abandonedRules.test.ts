import { expect, test } from 'vitest';
import { isWrite } from '../../support/interceptingProxy.ts';
import { ProjectFixture } from '../../support/projectFixture.ts';

// This server deletes rules one by one.
const fixture = new ProjectFixture({ profile: 'contract' });

test('rules that an abandoned apply has deleted in part were not changed by others, so the next apply deletes the rest', async () => {
  await fixture.remove('datamodels/Retail/rules/Employees.Job Title.rules.json');
  const prune = ['--prune', 'rules'] as const;
  const item = '- rules/Retail/Employees/Job Title';
  let count = 0;
  fixture.proxy.intercept((request) => {
    count += isWrite(request) ? 1 : 0;
    return isWrite(request) && count >= 2 ? 403 : 'forward';
  });
  const { stderr } = await fixture.expectExit(1, 'apply', ...prune, '--execute');
  fixture.proxy.intercept();
  const journal = /Journal: (\S+)/.exec(stderr)?.[1] ?? '';
  expect((await fixture.expectExit(2, 'plan', ...prune)).stdout).toContain(
    `${item} (changed on the server, possibly by the interrupted change)\n`,
  );
  await fixture.expectExit(0, 'abandon', journal, '--execute', '--project', fixture.project);
  expect((await fixture.expectExit(2, 'plan', ...prune)).stdout).toContain(`${item}\n`);
  fixture.proxy.takeRequests();
  await fixture.expectExit(0, 'apply', ...prune, '--execute');
  expect(fixture.proxy.takeRequests().filter(isWrite)).toHaveLength(1);
});
