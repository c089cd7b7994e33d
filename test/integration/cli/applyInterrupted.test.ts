import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { resumeOutputSchema } from '../../../src/cli/recoveryOutputSchemas.ts';
import type { CliExit } from '../../support/cliProcess.ts';
import { type ProxyAction, type ProxiedRequest, isWrite } from '../../support/interceptingProxy.ts';
import { largeEditPrune, largeEditWriteCount, makeLargeEdit } from '../../support/largeEdit.ts';
import { ProjectFixture } from '../../support/projectFixture.ts';
import { readFolderTexts } from '../../support/readFolderTexts.ts';
import { isSoak } from '../../support/soak.ts';

const isRuleRequest = ({ path }: ProxiedRequest): boolean => path.includes('/datasecurity');
const applyArgs = ['apply', ...largeEditPrune, '--execute'] as const;

describe.each(['guide', 'contract'] as const)(
  'apply with many writes, on an instance of the profile %s',
  (profile) => {
    const fixture = new ProjectFixture({ profile });
    const takeWrites = () => fixture.proxy.takeRequests().filter(isWrite);

    /** Sets what the proxy does with one of the writes, counted from 1. Resolves when that write is held. */
    const interceptWrite = (
      writeNumber: number,
      action: ProxyAction | (() => Promise<ProxyAction>),
      isCounted = isWrite,
    ): Promise<void> =>
      new Promise((resolve) => {
        let count = 0;
        fixture.proxy.intercept(async (request) => {
          count += isCounted(request) ? 1 : 0;
          if (!isCounted(request) || count !== writeNumber) {
            return 'forward';
          }
          return typeof action === 'function' ? action() : action;
        }, resolve);
      });
    const getJournal = ({ stderr }: Pick<CliExit, 'stderr'>): string =>
      /Journal: (\S+)/.exec(stderr)?.[1] ?? '';
    const resume = (journal: string) => fixture.expectExit(0, 'resume', journal, '--execute');
    const rollBack = (journal: string) => fixture.expectExit(0, 'roll-back', journal, '--execute');

    const prepareLargeEdit = async (): Promise<void> => {
      await fixture.useNewInstance();
      await makeLargeEdit(fixture);
    };

    /** The files of a pull before and after a complete apply, and the number of its writes. */
    let states: Promise<{ readonly original: State; readonly planned: State; readonly writeCount: number }>;
    type State = ReadonlyMap<string, string>;
    const loadStates = () =>
      (states ??= (async () => {
        await fixture.useNewInstance();
        const original = await fixture.readInstance();
        await makeLargeEdit(fixture);
        takeWrites();
        await fixture.expectExit(0, ...applyArgs);
        const writeCount = takeWrites().length;
        const planned = await fixture.readInstance();
        await fixture.useNewInstance();
        await fixture.useNewProject();
        return { original, planned, writeCount };
      })());

    test(`has ${largeEditWriteCount} writes`, async () => {
      const { original, planned, writeCount } = await loadStates();
      expect(writeCount).toBe(largeEditWriteCount);
      expect(planned).not.toEqual(original);
    });

    /** The numbers of the writes at which the process is killed, in different phases; all writes in a soak. */
    const killPoints = isSoak
      ? Array.from({ length: largeEditWriteCount }, (_, index) => index + 1)
      : [4, 11, 33];

    test.each(killPoints)(
      'can be finished or rolled back after it was killed at write %i',
      async (writeNumber) => {
        const { original, planned } = await loadStates();
        await prepareLargeEdit();
        // The write takes effect, but its response is lost; or the write never reaches the instance.
        const held = interceptWrite(writeNumber, writeNumber % 4 < 2 ? 'hold-response' : 'hold');
        const run = fixture.start(...applyArgs);
        await held;
        const [, journal = ''] = await run.waitForMessage(/Journal: (\S+)/);
        run.kill('SIGKILL');
        expect((await run.ended).signal).toBe('SIGKILL');
        fixture.proxy.intercept();

        const next = await fixture.run(...applyArgs);
        // Even if there is nothing to change: the held write may have been the last one.
        expect(next).toMatchObject({ code: 4, stderr: expect.stringContaining(`resume ${journal}`) });
        const pulled = await fixture.run(
          'pull',
          '--project',
          fixture.project,
          '--state',
          fixture.stateFolder,
        );
        expect(pulled).toMatchObject({ code: 4, stderr: expect.stringContaining(`resume ${journal}`) });
        const project = ['--project', fixture.project];
        const isFinished = writeNumber % 2 === 0;
        const ended = await fixture.expectExit(
          0,
          isFinished ? 'resume' : 'roll-back',
          journal,
          '--execute',
          ...project,
        );
        // The output has the result of the resume or rollback, and not how far the apply had come.
        const [, done, total] =
          new RegExp(
            `^${journal}  ${isFinished ? 'finished' : 'rolled back'}: (\\d+) of (\\d+) steps? done\n$`,
          ).exec(ended.stdout) ?? [];
        expect(done, ended.stdout).toBeDefined();
        expect(done).toBe(total);
        expect(await fixture.readInstance()).toEqual(isFinished ? planned : original);
        // The lock file is up to date, so a pull changes nothing.
        const files = await readFolderTexts(fixture.project);
        await fixture.expectExit(0, 'pull', ...project);
        expect(await readFolderTexts(fixture.project)).toEqual(files);
        expect((await fixture.run('resume')).stdout).toBe('');
      },
    );

    test('stops at each of several errors with its reason, and can be resumed each time', async () => {
      const { planned, writeCount } = await loadStates();
      await prepareLargeEdit();
      const errors: readonly (readonly [writeNumber: number, status: number])[] = [
        [8, 500],
        [2, 401],
        [4, 413],
        [6, 403],
        [5, 400],
        [3, 404],
      ];
      let args: readonly string[] = applyArgs;
      let journal = '';
      for (const [writeNumber, status] of errors) {
        // Requests for rules aren't counted, since some of the errors make the client send them again.
        void interceptWrite(writeNumber, status, (request) => isWrite(request) && !isRuleRequest(request));
        const exit = await fixture.run(...args);
        fixture.proxy.intercept();
        journal ||= getJournal(exit);
        args = ['resume', journal, '--execute'];
        expect(exit.stderr).toMatch(
          new RegExp(`^Stopped after \\d+ of 37 steps\\. \\S.* failed: .+ \\(${status}\\)`, 'm'),
        );
        expect(exit.stderr).toContain(`Finish:    datamodel-studio resume ${journal} --execute`);
        expect(exit.code).toBe(1);
      }
      takeWrites();
      const { stderr } = await resume(journal);
      expect(stderr).toContain(
        `The project's lock file wasn't updated. In the project folder, run: datamodel-studio pull --url ${fixture.proxy.url} --token-env STUDIO_TOKEN --state `,
      );
      expect(takeWrites().length).toBeLessThan(writeCount);
      expect(await fixture.readInstance()).toEqual(planned);
    });

    /** The numbers of the writes that fail, one for each status; all writes in a soak. */
    const failurePoints = isSoak
      ? Array.from({ length: largeEditWriteCount }, (_, index) => index + 1)
      : [21, 22, 23];

    test.each(failurePoints)(
      'can be finished or rolled back after write %i has failed',
      async (writeNumber) => {
        const { original, planned } = await loadStates();
        await prepareLargeEdit();
        // An expired token fails all requests from then on, reading included.
        const status = [500, 413, 401][writeNumber % 3] ?? 500;
        let count = 0;
        let failsRules = false;
        fixture.proxy.intercept((request) => {
          count += isWrite(request) ? 1 : 0;
          failsRules ||= count === writeNumber && isRuleRequest(request);
          // With 401, all later requests fail, too.
          return count === writeNumber || (count > writeNumber && status === 401) ? status : 'forward';
        });
        const exit = await fixture.run(...applyArgs);
        fixture.proxy.intercept();
        if (isSoak && exit.code === 0) {
          // The client has sent rules one by one, or again.
          expect(await fixture.readInstance()).toEqual(planned);
          return;
        }
        // After a server error, the outcome of the write is unknown unless its effect can be read. How far a change of
        // rules got always has to be read.
        expect(isSoak && (status === 500 || failsRules) ? [1, 3] : [status === 500 ? 3 : 1]).toContain(
          exit.code,
        );
        expect(exit.stderr).toContain(`(${status})`);
        const isFinished = writeNumber % 2 === 0;
        await (isFinished ? resume : rollBack)(getJournal(exit));
        expect(await fixture.readInstance()).toEqual(isFinished ? planned : original);
      },
    );

    test('waits for a busy server, and finds out whether requests whose responses were lost took effect', async () => {
      const { planned } = await loadStates();
      await prepareLargeEdit();
      const counts = { rules: 0, others: 0 };
      fixture.proxy.intercept((request) => {
        if (!isWrite(request)) {
          return 'forward';
        }
        const kind = isRuleRequest(request) ? 'rules' : 'others';
        counts[kind] += 1;
        if (kind === 'rules') {
          return counts.rules === 1 ? 429 : counts.rules === 3 ? 'lose' : 'forward';
        }
        return counts.others % 7 === 6 ? 'lose' : counts.others % 7 === 3 ? 429 : 'forward';
      });
      await fixture.expectExit(0, ...applyArgs);
      fixture.proxy.intercept();
      expect(await fixture.readInstance()).toEqual(planned);
    });

    test('waits for a busy server, whichever kind of request it refuses', async () => {
      const { planned } = await loadStates();
      await prepareLargeEdit();
      const busyKinds = new Set<string>();
      fixture.proxy.intercept((request) => {
        const kind = `${request.method} ${isRuleRequest(request) ? 'rules' : 'others'}`;
        if (!isWrite(request) || busyKinds.has(kind)) {
          return 'forward';
        }
        busyKinds.add(kind);
        return 429;
      });
      const { stderr } = await fixture.expectExit(0, ...applyArgs);
      expect(stderr).toMatch(/The server is busy\. Trying again in 1 second\.$/m);
      fixture.proxy.intercept();
      expect(await fixture.readInstance()).toEqual(planned);
      expect([...busyKinds].filter((kind) => kind.endsWith('rules')).toSorted()).toEqual([
        'DELETE rules',
        'POST rules',
        'PUT rules',
      ]);
    });

    test.each(['SIGINT', 'SIGTERM'] as const)(
      'prints the ID of its journal on %s, and can be rolled back',
      async (signal) => {
        const { original } = await loadStates();
        await prepareLargeEdit();
        const held = interceptWrite(12, 'hold-response');
        const run = fixture.start(...applyArgs);
        await held;
        run.kill(signal);
        const exit = await run.ended;
        fixture.proxy.intercept();
        const journal = getJournal(exit);
        // Depending on the timing, the outcome of the request in progress is known or unknown.
        expect(exit.signal).toBe(null);
        expect([1, 3]).toContain(exit.code);
        expect(exit.stderr).toMatch(/^Interrupted after \d+ of \d+ steps\./m);
        expect(exit.stderr).toContain(`Roll back: datamodel-studio roll-back ${journal} --execute`);
        const listed = await fixture.run('resume', '--format', 'json');
        expect(resumeOutputSchema.parse(JSON.parse(listed.stdout)).interrupted).toMatchObject([
          { journal, project: { folder: fixture.project, environment: 'default' } },
        ]);
        const { stdout } = await fixture.run('resume');
        expect(stdout).toContain(`  apply of ${fixture.project} to default: `);
        await rollBack(journal);
        expect(await fixture.readInstance()).toEqual(original);
      },
    );

    test('prevents an import of the same rules after it was killed', async () => {
      await prepareLargeEdit();
      const held = interceptWrite(12, 'hold-response');
      const run = fixture.start(...applyArgs);
      await held;
      run.kill('SIGKILL');
      await run.ended;
      fixture.proxy.intercept();
      const rules = await fixture.run('rules', 'export', '--datamodel', 'Retail');
      const file = join(fixture.stateFolder, 'rules.csv');
      await writeFile(file, rules.stdout.split('\n').toSpliced(1, 1).join('\n'));
      const importArgs = ['rules', 'import', file, '--datamodel', 'Retail', '--mode', 'replace-all'];
      const refused = await fixture.run(...importArgs, '--execute', '--state', fixture.stateFolder);
      expect(refused.stderr).toContain('An earlier change to these rules was interrupted.');
      expect(refused.code).toBe(4);
      expect(takeWrites().length).toBe(12);
    });

    test('is refused, and writes nothing, while another apply is running', async () => {
      const { planned } = await loadStates();
      await prepareLargeEdit();
      const release = Promise.withResolvers<ProxyAction>();
      const arrived = Promise.withResolvers<void>();
      void interceptWrite(5, () => {
        arrived.resolve();
        return release.promise;
      });
      const firstRun = fixture.start(...applyArgs);
      await arrived.promise;
      takeWrites();
      const [, journal] = await firstRun.waitForMessage(/Journal: (\S+)/);
      expect(await fixture.run('resume')).toMatchObject({
        code: 0,
        stdout: '',
        stderr: expect.stringMatching(
          new RegExp(`^Change ${journal} is still in progress in process \\d+\\.`),
        ),
      });
      const secondExit = await fixture.run(...applyArgs);
      expect(secondExit.code).toBe(4);
      // The process certainly runs, so the message says nothing about one that has ended.
      expect(secondExit.stderr).toMatch(
        /^Another process is changing the instance\. Wait until it has finished, and run the command again\.$/m,
      );
      expect(takeWrites()).toEqual([]);
      release.resolve('forward');
      expect((await firstRun.ended).code).toBe(0);
      expect(await fixture.readInstance()).toEqual(planned);
    });

    test("stops at another user's change, and is rolled back without undoing that change", async () => {
      const { original } = await loadStates();
      await prepareLargeEdit();
      void interceptWrite(5, async () => {
        await fixture.runAsOtherUser(async ({ viewpoints }) => {
          const [found] = (await viewpoints.list({ search: { name: 'Units Sold by Week' } })).value
            .viewpoints;
          await viewpoints.delete({ viewpointId: found?.id ?? '' });
        });
        return 'forward';
      });
      const exit = await fixture.run(...applyArgs);
      expect(exit.code).toBe(1);
      expect(exit.stderr).toContain('Changing the viewpoint failed: not found on the server (404)');
      await rollBack(getJournal(exit));
      const expected = new Map(original);
      expected.delete('viewpoints/Units Sold by Week.viewpoint.json');
      expect(await fixture.readInstance()).toEqual(expected);
    });
  },
);
