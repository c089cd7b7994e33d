import { describe, expect, test } from 'vitest';
import { applyOutputSchema } from '../../../src/cli/outputSchemas.ts';
import { resumeOutputSchema } from '../../../src/cli/recoveryOutputSchemas.ts';
import { type ProxiedRequest, isWrite } from '../../support/interceptingProxy.ts';
import { ProjectFixture } from '../../support/projectFixture.ts';

const tablePath = 'datamodels/Retail/tables/Orders.table.json';
const viewpointPath = 'viewpoints/Profit by Week.viewpoint.json';

/** Returns whether a request reads rules of the datamodel Retail. */
const isRuleRead = (request: ProxiedRequest): boolean =>
  !isWrite(request) && /\/Retail\/datasecurity/.test(request.path);

describe.each(['guide', 'contract'] as const)(
  'if rules of an instance of the profile %s can no longer be read after an apply',
  (profile) => {
    const fixture = new ProjectFixture({ profile });

    /** Makes the instance refuse to list rules from the first write on. */
    const refuseRulesAfterWrite = (): void => {
      let isRefused = false;
      fixture.proxy.intercept((request) => {
        isRefused ||= isWrite(request);
        return isRefused && isRuleRead(request) ? 403 : 'forward';
      });
    };

    const problem =
      /^All writes succeeded, but not everything could be compared with the project afterward\. Can't read the rules of Retail: /;

    /** Expects that the lock file is complete: nothing differs once the rules can be read again. */
    const expectMatch = async (): Promise<void> => {
      fixture.proxy.intercept();
      const { stdout } = await fixture.expectExit(0, 'plan');
      expect(stdout).toContain('Nothing to change: the instance matches the project.\n');
      expect((await fixture.expectExit(0, 'pull', '--project', fixture.project)).stdout).toBe('');
    };

    test('the result is unknown, and the output names what could not be compared', async () => {
      await fixture.changeJson(tablePath, { description: 'New' });
      refuseRulesAfterWrite();
      const { stdout, stderr } = await fixture.expectExit(3, 'apply', '--execute', '--format', 'json');
      const { result } = applyOutputSchema.parse(JSON.parse(stdout));
      expect(result).toMatchObject({
        state: 'unknown',
        steps: { done: 1, total: 1 },
        problem: expect.stringMatching(problem),
      });
      expect(stderr).toContain(`${result?.problem}\n`);
      expect(stderr).not.toMatch(/Done|matches/);
      await expectMatch();
    });

    test('the items that need another apply are still named', async () => {
      const tables = 'datamodels/Retail/tables';
      await fixture.write(`${tables}/Value Copy.table.json`, {
        ...(await fixture.readJson(`${tables}/Customer Value.table.json`)),
        name: 'Value Copy',
        expression: { $file: 'Value Copy.datamodel.sql' },
      });
      await fixture.write(
        `${tables}/Value Copy.datamodel.sql`,
        await fixture.read(`${tables}/Customer Value.datamodel.sql`),
      );
      await fixture.write('datamodels/Retail/relations/Value Copy.relation.json', {
        columns: [
          { table: 'Customers', column: 'Customer Id' },
          { table: 'Value Copy', column: 'Customer Id' },
        ],
      });
      refuseRulesAfterWrite();
      const { stdout, stderr } = await fixture.expectExit(3, 'apply', '--execute');
      expect(stdout).toContain('Not in this apply: relation');
      expect(stderr).toMatch(/^All writes succeeded, but not everything could be compared /m);
      expect(stderr).toMatch(/^1 item needs another apply: see "Not in this apply"\./m);
    });

    test('the result of a resume is unknown, too', async () => {
      await fixture.changeJson(tablePath, { description: 'New' });
      await fixture.changeJson(viewpointPath, { description: 'The last write' });
      fixture.proxy.intercept((request) =>
        isWrite(request) && request.body.includes('The last write') ? 500 : 'forward',
      );
      const stopped = await fixture.expectExit(1, 'apply', '--execute');
      const journal = /Journal: (\S+)/.exec(stopped.stderr)?.[1] ?? '';
      refuseRulesAfterWrite();
      const args = [
        'resume',
        journal,
        '--execute',
        '--project',
        fixture.project,
        '--format',
        'json',
      ] as const;
      const { stdout, stderr } = await fixture.expectExit(3, ...args);
      const { result } = resumeOutputSchema.parse(JSON.parse(stdout));
      expect(result).toMatchObject({ state: 'unknown', problem: expect.stringMatching(problem) });
      expect(stderr).toContain(`${result?.problem}\n`);
      expect(stderr).not.toMatch(/Done|matches/);
      await expectMatch();
    });
  },
);

describe('the result of a resumed apply that was limited to a datamodel', () => {
  const fixture = new ProjectFixture({ profile: 'guide' });

  /** Stops an apply at its second write, and resumes it while the instance refuses some reads. */
  const resumeApply = async (isRefused: (request: ProxiedRequest) => boolean) => {
    await fixture.changeJson(tablePath, { description: 'New' });
    await fixture.changeJson('datamodels/Retail/tables/Stores.table.json', { description: 'The last write' });
    fixture.proxy.intercept((request) =>
      isWrite(request) && request.body.includes('The last write') ? 500 : 'forward',
    );
    const stopped = await fixture.expectExit(1, 'apply', '--datamodel', 'Retail', '--execute');
    const journal = /Journal: (\S+)/.exec(stopped.stderr)?.[1] ?? '';
    fixture.proxy.intercept((request) => (isRefused(request) ? 403 : 'forward'));
    const run = await fixture.run('resume', journal, '--execute', '--project', fixture.project);
    return { ...run, journal };
  };

  test('is unknown if rules of the datamodel can no longer be read', async () => {
    const { code, stdout, stderr, journal } = await resumeApply(isRuleRead);
    expect(code).toBe(3);
    expect(stdout).toBe(`${journal}  finished: 2 of 2 steps done\n`);
    expect(stderr).toContain("Can't read the rules of Retail: ");
    expect(stderr).not.toContain('Done.');
  });

  test('is known if only rules of other datamodels can no longer be read, and says that these were not compared', async () => {
    const { code, stdout, stderr, journal } = await resumeApply(
      (request) => !isWrite(request) && request.path.includes('datasecurity') && !isRuleRead(request),
    );
    expect(code).toBe(0);
    expect(stdout).toBe(`${journal}  finished: 2 of 2 steps done\n`);
    expect(stderr).toContain('Done. The change was finished.\n');
    expect(stderr).toMatch(
      /Not everything that the change didn't include could be compared with the project\. Can't read the rules of \w+: /,
    );
    expect(stderr).not.toMatch(/matches|rules of Retail/);
  });
});
