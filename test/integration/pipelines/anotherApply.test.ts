import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { cliScript } from '../../support/cliProcess.ts';
import { ProjectFixture } from '../../support/projectFixture.ts';
import { readWorkflow } from './githubHost.ts';
import { readPipeline } from './gitlabHost.ts';
import { type BashExit, runBash } from './runBash.ts';

const findApply = (scripts: readonly string[]): string => {
  const found = scripts.filter((script) => script.includes('datamodel-studio apply'));
  expect(found).toHaveLength(1);
  return found[0] ?? '';
};

/** For each CI server, the script of an apply, and how its message names a new plan. */
const servers = [
  [
    'GitHub',
    () => findApply(readWorkflow('apply.yml').jobs['test']?.steps.map(({ run }) => run ?? '') ?? []),
    'Then run Plan on main, read it, and run Apply with the ID of that run.',
  ],
  [
    'GitLab',
    // Later lines of the same script exit with this code.
    () => `${findApply(readPipeline().jobs['apply-test']?.script ?? [])}\nexit "$code"`,
    'Then run a pipeline manually, read its plan, and apply that.',
  ],
] as const;

const applyAgain = /^Apply again before you build: /m;
const buildFirst = /^Build Retail, and then apply again\.$/m;

const retail = 'datamodels/Retail';

describe.each([
  ['guide', { needsBuild: true }],
  ['contract', { needsBuild: false }],
] as const)(
  'if the merge adds a custom table to an instance of the profile %s',
  (profile, { needsBuild }) => {
    const fixture = new ProjectFixture({ profile });

    async function addCustomTable(): Promise<void> {
      const name = 'Value Copy';
      await fixture.write(`${retail}/tables/${name}.table.json`, {
        ...(await fixture.readJson(`${retail}/tables/Customer Value.table.json`)),
        name,
        expression: { $file: `${name}.datamodel.sql` },
      });
      await fixture.write(
        `${retail}/tables/${name}.datamodel.sql`,
        await fixture.read(`${retail}/tables/Customer Value.datamodel.sql`),
      );
      await fixture.write(`${retail}/relations/${name}.relation.json`, {
        columns: [
          { table: 'Customers', column: 'Customer Id' },
          { table: name, column: 'Customer Id' },
        ],
      });
    }

    /** Plans the project, and runs the script of the apply in its folder. */
    async function planAndApply(script: string): Promise<BashExit> {
      const bin = join(fixture.project, 'bin');
      const command = join(bin, 'datamodel-studio');
      await mkdir(bin, { recursive: true });
      await mkdir(join(fixture.project, 'plan'), { recursive: true });
      await writeFile(command, `#!/bin/sh\nexec "${process.execPath}" "${cliScript}" "$@"\n`);
      await chmod(command, 0o755);
      await fixture.run(
        'plan',
        '--environment',
        'test',
        '--out',
        join(fixture.project, 'plan/test.plan.json'),
      );
      return runBash(script, {
        flags: ['-eo', 'pipefail'],
        cwd: fixture.project,
        env: {
          PATH: `${bin}:${process.env['PATH'] ?? ''}`,
          HOME: fixture.project,
          RUNNER_TEMP: fixture.stateFolder,
          ENVIRONMENT: 'test',
          STUDIO_TOKEN: fixture.proxy.token,
        },
      });
    }

    test.each(servers)(
      'the job on %s says to do what its log says next, and that finishes the change',
      async (_server, getScript, newPlan) => {
        await fixture.addEnvironment('test');
        await addCustomTable();
        const first = await planAndApply(getScript());
        expect(first.code, first.log).toBe(2);
        expect(buildFirst.test(first.log), first.log).toBe(needsBuild);
        expect(applyAgain.test(first.log), first.log).toBe(!needsBuild);
        const advice =
          /Another apply is needed\. Follow .*: if .* to apply again before you build, don't build yet; if .* what to build, build that first\. (.*?)"?$/m;
        expect(advice.exec(first.log)?.[1]).toBe(newPlan);

        if (needsBuild) {
          await fixture.expectExit(0, 'build', 'Retail', '--execute');
        }
        const second = await planAndApply(getScript());
        expect(second.code, second.log).toBe(0);
        expect(second.log).not.toContain('Another apply is needed');
      },
    );
  },
);
