import { describe, expect, test } from 'vitest';
import { resumeOutputSchema } from '../../../src/cli/outputs.ts';
import type { CliExit } from '../../support/cliProcess.ts';
import { type Fate, type ProxiedRequest, isWrite } from '../../support/interceptingProxy.ts';
import { largeEditPrune, makeLargeEdit } from '../../support/largeEdit.ts';
import { ProjectFixture } from '../../support/projectFixture.ts';
import { isSoak } from '../../support/soak.ts';

const isOfRules = ({ path }: ProxiedRequest): boolean => path.includes('/datasecurity');
const applyArgs = ['apply', ...largeEditPrune, '--execute'] as const;

describe.each(['guide', 'contract'] as const)('an apply of many writes, profile %s', (profile) => {
  const fixture = new ProjectFixture({ profile });
  const takeWrites = () => fixture.proxy.takeRequests().filter(isWrite);

  /** Decides what happens to one of the writes, counted from 1. Resolves when it is held. */
  const interceptWrite = (
    number: number,
    fate: Fate | (() => Promise<Fate>),
    isCounted = isWrite,
  ): Promise<void> =>
    new Promise((resolve) => {
      let count = 0;
      fixture.proxy.intercept(async (request) => {
        count += isCounted(request) ? 1 : 0;
        if (!isCounted(request) || count !== number) {
          return 'forward';
        }
        return typeof fate === 'function' ? fate() : fate;
      }, resolve);
    });
  const getJournal = ({ stderr }: Pick<CliExit, 'stderr'>): string =>
    /Journal: (\S+)/.exec(stderr)?.[1] ?? '';
  const resume = (journal: string) => fixture.expectExit(0, 'resume', journal, '--execute');
  const rollBack = (journal: string) => fixture.expectExit(0, 'roll-back', journal, '--execute');

  const startOver = async (): Promise<void> => {
    await fixture.useNewInstance();
    await makeLargeEdit(fixture);
  };

  /** What the instance has before and after the apply. */
  let states: Promise<{ readonly former: State; readonly planned: State; readonly writeCount: number }>;
  type State = ReadonlyMap<string, string>;
  const loadStates = () =>
    (states ??= (async () => {
      await fixture.useNewInstance();
      const former = await fixture.readInstance();
      await makeLargeEdit(fixture);
      takeWrites();
      await fixture.expectExit(0, ...applyArgs);
      const writeCount = takeWrites().length;
      const planned = await fixture.readInstance();
      await fixture.useNewInstance();
      await fixture.useNewProject();
      return { former, planned, writeCount };
    })());

  test('has at least 30 writes', async () => {
    const { former, planned, writeCount } = await loadStates();
    expect(writeCount).toBeGreaterThanOrEqual(30);
    expect(planned).not.toEqual(former);
  });

  /** Numbers of writes in different phases; in a soak, all. */
  const killedAt = isSoak ? Array.from({ length: 41 }, (_, index) => index + 1) : [4, 11, 33];

  test.each(killedAt)('that is killed at write %i is finished, or rolled back', async (number) => {
    const { former, planned, writeCount } = await loadStates();
    await startOver();
    // Before it arrives, or after it took effect.
    const held = interceptWrite(number, number % 4 < 2 ? 'hold-answer' : 'hold');
    const run = fixture.start(...applyArgs);
    await held;
    const [, journal = ''] = await run.waitForMessage(/Journal: (\S+)/);
    run.kill('SIGKILL');
    expect((await run.ended).signal).toBe('SIGKILL');
    fixture.proxy.intercept();

    const next = await fixture.run(...applyArgs);
    // Rules are deleted at the same time, so after one of the last writes nothing may be left to do.
    expect(next).toMatchObject(
      number >= writeCount - 3 && next.code === 0
        ? { stderr: 'Nothing to change: the instance is in the state of the project.\n' }
        : { code: 4, stderr: expect.stringContaining(`resume ${journal}`) },
    );
    const pulled = await fixture.run('pull', '--project', fixture.project, '--state', fixture.stateFolder);
    expect(pulled).toMatchObject({ code: 4, stderr: expect.stringContaining(`resume ${journal}`) });
    await (number % 2 === 0 ? resume : rollBack)(journal);
    expect(await fixture.readInstance()).toEqual(number % 2 === 0 ? planned : former);
    expect((await fixture.run('resume')).stdout).toBe('');
  });

  test('that stops at one error after the other says why each time, and is finished', async () => {
    const { planned, writeCount } = await loadStates();
    await startOver();
    const stops: readonly (readonly [number: number, status: number])[] = [
      [8, 500],
      [2, 401],
      [4, 413],
      [6, 403],
      [5, 400],
      [3, 429],
      [3, 404],
    ];
    let args: readonly string[] = applyArgs;
    let journal = '';
    for (const [number, status] of stops) {
      // Requests for rules are sent again after some of the errors.
      void interceptWrite(number, status, (request) => isWrite(request) && !isOfRules(request));
      const exit = await fixture.run(...args);
      fixture.proxy.intercept();
      journal ||= getJournal(exit);
      args = ['resume', journal, '--execute'];
      expect(exit.stderr).toMatch(
        new RegExp(`^Stopped after \\d+ of 36 steps\\. \\S.* failed: .+ \\(${status}\\)`, 'm'),
      );
      expect(exit.stderr).toContain(`Finish:    datamodel-studio resume ${journal} --execute`);
      expect(exit.code).toBe(1);
    }
    takeWrites();
    await resume(journal);
    expect(takeWrites().length).toBeLessThan(writeCount);
    expect(await fixture.readInstance()).toEqual(planned);
  });

  test('waits for a busy server, and finds out what became of requests whose answers were lost', async () => {
    const { planned } = await loadStates();
    await startOver();
    const counts = { rules: 0, others: 0 };
    fixture.proxy.intercept((request) => {
      if (!isWrite(request)) {
        return 'forward';
      }
      const kind = isOfRules(request) ? 'rules' : 'others';
      counts[kind] += 1;
      if (kind === 'rules') {
        return counts.rules === 1 ? 429 : counts.rules === 3 ? 'lose' : 'forward';
      }
      return counts.others % 7 === 6 ? 'lose' : 'forward';
    });
    await fixture.expectExit(0, ...applyArgs);
    fixture.proxy.intercept();
    expect(await fixture.readInstance()).toEqual(planned);
  });

  test.each(['SIGINT', 'SIGTERM'] as const)(
    'that gets a %s prints the ID of its journal, and is rolled back',
    async (signal) => {
      const { former } = await loadStates();
      await startOver();
      const held = interceptWrite(12, 'hold-answer');
      const run = fixture.start(...applyArgs);
      await held;
      run.kill(signal);
      const exit = await run.ended;
      fixture.proxy.intercept();
      const journal = getJournal(exit);
      // It is up to chance whether the outcome of the request in progress is known.
      expect(exit.signal).toBe(null);
      expect([1, 3]).toContain(exit.code);
      expect(exit.stderr).toMatch(/^Interrupted after \d+ of \d+ steps\./m);
      expect(exit.stderr).toContain(`Roll back: datamodel-studio roll-back ${journal} --execute`);
      const listed = await fixture.run('resume', '--format', 'json');
      expect(resumeOutputSchema.parse(JSON.parse(listed.stdout)).interrupted).toMatchObject([{ journal }]);
      await rollBack(journal);
      expect(await fixture.readInstance()).toEqual(former);
    },
  );

  test('keeps a second one out, which writes nothing', async () => {
    const { planned } = await loadStates();
    await startOver();
    const release = Promise.withResolvers<Fate>();
    const arrived = Promise.withResolvers<void>();
    void interceptWrite(5, () => {
      arrived.resolve();
      return release.promise;
    });
    const first = fixture.start(...applyArgs);
    await arrived.promise;
    takeWrites();
    const second = await fixture.run(...applyArgs);
    expect(second.code).toBe(4);
    expect(second.stderr).toContain('Another process is working on this change.');
    expect(takeWrites()).toEqual([]);
    release.resolve('forward');
    expect((await first.ended).code).toBe(0);
    expect(await fixture.readInstance()).toEqual(planned);
  });

  test('that another user interferes with stops, and is rolled back around that', async () => {
    const { former } = await loadStates();
    await startOver();
    void interceptWrite(5, async () => {
      await fixture.asOtherUser(async ({ viewpoints }) => {
        const [found] = (await viewpoints.list({ search: { name: 'Units Sold by Week' } })).value.viewpoints;
        await viewpoints.delete({ viewpointId: found?.id ?? '' });
      });
      return 'forward';
    });
    const exit = await fixture.run(...applyArgs);
    expect(exit.code).toBe(1);
    expect(exit.stderr).toContain('Changing the viewpoint failed: not found on the server (404)');
    await rollBack(getJournal(exit));
    const left = new Map(former);
    left.delete('viewpoints/Units Sold by Week.viewpoint.json');
    expect(await fixture.readInstance()).toEqual(left);
  });
});
