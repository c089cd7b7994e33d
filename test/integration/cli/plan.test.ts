import { describe, expect, test } from 'vitest';
import { planOutputSchema } from '../../../src/cli/outputs.ts';
import { isWrite } from '../../support/interceptingProxy.ts';
import { ProjectFixture } from '../../support/projectFixture.ts';

describe.each(['guide', 'contract'] as const)('an instance of the profile %s', (profile) => {
  const fixture = new ProjectFixture({ profile });
  const plan = async (...args: readonly string[]) => {
    const exit = await fixture.run('plan', '--format', 'json', ...args);
    return { ...exit, view: planOutputSchema.parse(JSON.parse(exit.stdout)) };
  };

  test('that is in the state of the project', async () => {
    const exit = await fixture.expectExit(0, 'plan');
    expect(exit.stdout).toBe('');
    expect(exit.stderr).toBe('Nothing to change: the instance is in the state of the project.\n');
    const requests = fixture.proxy.takeRequests();
    expect(requests.length).toBeGreaterThan(0);
    expect(requests.filter(isWrite)).toEqual([]);
    const { view } = await plan();
    expect(view).toMatchObject({ state: 'same', counts: { create: 0, update: 0, delete: 0, requests: 0 } });
  });
});
