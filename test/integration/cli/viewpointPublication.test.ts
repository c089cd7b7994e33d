import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import { runCli } from '../../support/cliInProcess.ts';
import { isWrite } from '../../support/interceptingProxy.ts';
import { ProjectFixture } from '../../support/projectFixture.ts';

const name = 'Units Sold by Week';
const path = `viewpoints/${name}.viewpoint.json`;
const shared: JsonObject = { apps: ['teams'], groups: ['Sales'], users: [] };
const contradiction = '"enabled" is true, but "visibility.enabled" is false. Set both to the same value.';

describe.each(['guide', 'contract'] as const)(
  'the publication of a viewpoint on an instance of the profile %s',
  (profile) => {
    const fixture = new ProjectFixture({ profile });

    const readStates = (viewpoint: string): Promise<readonly unknown[]> =>
      fixture.runAsOtherUser(async ({ viewpoints }) => {
        const listed = (await viewpoints.list({ limit: 1000, with: ['visibility'] })).value.viewpoints;
        const found = listed.find((other) => other.name === viewpoint);
        return [found?.enabled, found?.visibility?.enabled];
      });

    /** Replaces the properties that determine who sees a viewpoint, in its file. */
    const setSharing = async (sharing: JsonObject, toPath = path, newName = name): Promise<void> => {
      const { enabled: _enabled, visibility: _visibility, ...others } = await fixture.readJson(path);
      await fixture.write(toPath, { ...others, name: newName, ...sharing });
    };

    /** Expects that the project and the instance are the same for all commands, and that none changes anything. */
    const expectSettled = async (): Promise<void> => {
      fixture.proxy.takeRequests();
      expect((await fixture.expectExit(0, 'plan')).stdout).toContain('Nothing to change');
      await fixture.expectExit(0, 'apply', '--execute');
      expect(fixture.proxy.takeRequests().filter(isWrite)).toEqual([]);
      await fixture.expectExit(0, 'drift');
      const text = await fixture.read(path);
      const { stdout } = await fixture.expectExit(0, 'pull', '--project', fixture.project);
      expect(stdout).not.toContain(name);
      expect(await fixture.read(path)).toBe(text);
    };

    const publish = async (isPublished: boolean): Promise<void> => {
      await setSharing({ enabled: isPublished, visibility: { ...shared, enabled: isPublished } });
      await fixture.run('apply', '--execute');
      expect(await readStates(name)).toEqual([isPublished, isPublished]);
    };

    test('is refused if "enabled" and "visibility.enabled" contradict each other', async () => {
      await publish(true);
      await setSharing({ enabled: true, visibility: { ...shared, enabled: false } });
      fixture.proxy.takeRequests();
      expect(await runCli(['validate', '--project', fixture.project])).toMatchObject({
        code: 1,
        stdout: expect.stringContaining(contradiction),
      });
      for (const args of [['plan'], ['apply', '--execute']] as const) {
        const { stdout, stderr } = await fixture.expectExit(4, ...args);
        expect(`${stdout}${stderr}`).toContain(contradiction);
      }
      expect((await fixture.run('drift')).code).toBe(2);
      expect(fixture.proxy.takeRequests().filter(isWrite)).toEqual([]);
    });

    test('changes if both properties are changed', async () => {
      await publish(true);
      await publish(false);
      await expectSettled();
    });

    const withoutState = [
      ['lists of apps, groups, and users', { visibility: shared }],
      ['only apps and groups', { visibility: { apps: ['teams'], groups: ['Sales'] } }],
      ['null', { visibility: { ...shared, enabled: null } }],
      ['an empty visibility', { visibility: {} }],
      ['no visibility', {}],
    ] as const;

    test.each(withoutState)('of a new viewpoint is off if the file has %s', async (_title, sharing) => {
      const newPath = 'viewpoints/New.viewpoint.json';
      await setSharing(sharing, newPath, 'New');
      expect((await runCli(['validate', '--project', fixture.project])).code).toBe(0);
      await fixture.expectExit(0, 'apply', '--execute');
      expect(await readStates('New')).toEqual([false, false]);
      const text = await fixture.read(newPath);
      await expectSettled();
      expect(await fixture.read(newPath)).toBe(text);
    });

    test.each(withoutState)('stays as it is if the file has %s', async (_title, sharing) => {
      for (const isPublished of [true, false]) {
        await publish(isPublished);
        await setSharing(sharing);
        const { stdout } = await fixture.run('plan');
        expect(stdout).not.toContain('visibility/enabled');
        await fixture.expectExit(0, 'apply', '--execute');
        expect(await readStates(name)).toEqual([isPublished, isPublished]);
        await expectSettled();
      }
    });

    test('of an existing viewpoint changes if the file has only "enabled"', async () => {
      await publish(false);
      await setSharing({ enabled: true });
      await fixture.expectExit(0, 'apply', '--execute');
      expect(await readStates(name)).toEqual([true, true]);
      await expectSettled();
    });

    test.each([
      ['"enabled" without "visibility.enabled"', { enabled: true, visibility: shared }],
      ['"visibility.enabled" without "enabled"', { visibility: { ...shared, enabled: true } }],
      ['"enabled" without "visibility"', { enabled: true }],
    ])('of a new viewpoint is on if the file has %s', async (_title, sharing) => {
      const newPath = 'viewpoints/New.viewpoint.json';
      await setSharing(sharing, newPath, 'New');
      await fixture.expectExit(0, 'apply', '--execute');
      expect(await readStates('New')).toEqual([true, true]);
      await expectSettled();
    });
  },
);
