import { describe, expect, test } from 'vitest';
import { abandonOutputSchema, resumeOutputSchema } from '../../../src/cli/recoveryOutputSchemas.ts';
import { readTableDescription } from '../../support/demoTables.ts';
import { isWrite } from '../../support/interceptingProxy.ts';
import { ProjectFixture } from '../../support/projectFixture.ts';

const getTablePath = (name: string): string => `datamodels/Retail/tables/${name}.table.json`;
const tableNames = ['Order Items', 'Orders', 'Products', 'Stores'];

describe.each(['guide', 'contract'] as const)(
  'on an instance of the profile %s, a killed apply whose items others have changed since',
  (profile) => {
    const fixture = new ProjectFixture({ profile });
    const takeWrites = () => fixture.proxy.takeRequests().filter(isWrite);
    const readDescription = (name: string) =>
      fixture.runAsOtherUser((client) => readTableDescription(client, name));

    /** Kills an apply that changes four tables when the third was sent; others change the first and the last. */
    const interruptAndChange = async (...args: readonly string[]): Promise<string> => {
      const journal = await interrupt(...args);
      await fixture.setTableDescription('Order Items', 'Theirs');
      await fixture.setTableDescription('Stores', 'Theirs');
      takeWrites();
      return journal;
    };

    /** Kills an apply that changes four tables when the third was sent. */
    const interrupt = async (...args: readonly string[]): Promise<string> => {
      for (const name of tableNames) {
        await fixture.changeJson(getTablePath(name), { description: 'Mine' });
      }
      const held = new Promise<void>((resolve) => {
        let count = 0;
        fixture.proxy.intercept((request) => {
          count += isWrite(request) ? 1 : 0;
          return isWrite(request) && count === 3 ? 'hold' : 'forward';
        }, resolve);
      });
      const run = fixture.start('apply', '--execute', ...args);
      await held;
      const [, journal = ''] = await run.waitForMessage(/Journal: (\S+)/);
      run.kill('SIGKILL');
      await run.ended;
      fixture.proxy.intercept();
      return journal;
    };

    test('can be abandoned, and what it has written stays and is listed', async () => {
      const journal = await interruptAndChange();
      for (const command of ['resume', 'roll-back']) {
        const refused = await fixture.expectExit(4, command, journal, '--execute');
        expect(refused.stderr).toContain(
          `keep what is on the instance: datamodel-studio abandon ${journal} --url`,
        );
        expect(refused.stderr).toMatch(/The table (Order Items|Stores) was changed on the server/);
      }
      const shown = await fixture.expectExit(0, 'abandon', journal);
      expect(shown.stdout).toMatch(
        /2 of 4 steps done\n {4}changed table Order Items of Retail\n {4}changed table Orders of Retail\n {4}might have changed table Products of Retail\n$/,
      );
      expect(shown.stderr).toContain(
        "; 1 step wasn't completed, and 1 might not have been. You could then no longer finish",
      );
      expect(shown.stderr).toContain('Nothing was abandoned. Add --execute');
      await fixture.expectExit(4, 'apply', '--execute');

      const execute = ['abandon', journal, '--execute', '--project', fixture.project];
      const { stdout, stderr } = await fixture.expectExit(0, ...execute, '--format', 'json');
      // The third write has turned out not to have happened, but might still.
      expect(stderr).toContain("; 1 step wasn't completed, and 1 might not have been.");
      const table = { action: 'update', kind: 'table', datamodel: 'Retail', state: 'written' } as const;
      expect(abandonOutputSchema.parse(JSON.parse(stdout))).toMatchObject({
        interrupted: [{ journal }],
        documents: [
          { ...table, name: 'Order Items' },
          { ...table, name: 'Orders' },
          { ...table, name: 'Products', state: 'unknown' },
        ],
        deniesAccess: false,
        abandoned: true,
      });
      expect(stderr).toContain(
        'A request that has shown no effect so far might still take effect: change table Products of Retail.',
      );
      expect(takeWrites()).toEqual([]);
      expect(await readDescription('Order Items')).toBe('Theirs');

      const listed = await fixture.expectExit(0, 'resume', '--format', 'json');
      expect(resumeOutputSchema.parse(JSON.parse(listed.stdout)).interrupted).toEqual([]);
      for (const command of ['resume', 'roll-back', 'abandon']) {
        const again = await fixture.expectExit(4, command, journal, '--execute');
        expect(again.stderr).toContain('The change was abandoned.');
      }
      // Changes by others still count as theirs, so they are overwritten only by applying a plan file that shows them.
      const refused = await fixture.expectExit(4, 'apply', '--execute');
      expect(refused.stderr).toContain('2 items have changed on the server since the last pull');
      expect(takeWrites()).toEqual([]);
      await fixture.expectExit(2, 'plan', '--out', `${fixture.project}/plan.json`);
      await fixture.expectExit(0, 'apply', `${fixture.project}/plan.json`, '--execute');
      for (const name of tableNames) {
        expect(await readDescription(name)).toBe('Mine');
      }
    });

    test('lists what its requests might still do, as the preview does', async () => {
      const journal = await interrupt();
      const lines = [
        '    changed table Order Items of Retail',
        '    changed table Orders of Retail',
        '    might have changed table Products of Retail',
      ];
      const shown = await fixture.expectExit(0, 'abandon', journal);
      const { stdout } = await fixture.expectExit(0, 'abandon', journal, '--execute');
      for (const output of [shown.stdout, stdout]) {
        expect(output.split('\n').filter((line) => line.startsWith(' '))).toEqual(lines);
      }
    });

    test('without a project, the pull that updates its lock file reports what others have changed', async () => {
      const journal = await interruptAndChange();
      const { stderr } = await fixture.expectExit(0, 'abandon', journal, '--execute');
      expect(stderr).toContain('In the project folder, run: datamodel-studio pull --url ');
    });

    test('is abandoned on a production instance only with a confirmation', async () => {
      await fixture.addEnvironment('prod', { role: 'production' });
      const environment = ['--environment', 'prod', '--project', fixture.project];
      const journal = await interruptAndChange(...environment, '--confirm', 'prod');
      const refused = await fixture.expectExit(4, 'abandon', journal, ...environment, '--execute');
      expect(refused.stderr).toContain('To write to it, add --confirm prod.');
      expect((await fixture.expectExit(0, 'resume', ...environment)).stdout).toContain(journal);
      const confirmed = ['abandon', journal, ...environment, '--execute', '--confirm', 'prod'];
      const abandoned = await fixture.expectExit(0, ...confirmed);
      expect(abandoned.stderr).toContain('Abandoned. Everything written so far stays on the instance');
      // The editor doesn't read this folder of journals.
      expect(abandoned.stderr).not.toContain('History view of the editor');
      expect(abandoned.stderr).toContain('To see what differs from the project: datamodel-studio plan ');
      expect((await fixture.expectExit(0, 'resume', ...environment)).stdout).toBe('');
    });

    test('counts as stopped, not as refused, if its resume has first rolled back its undo', async () => {
      const journal = await interrupt();
      let count = 0;
      fixture.proxy.intercept((request) => {
        count += isWrite(request) ? 1 : 0;
        return isWrite(request) && count === 2 ? 403 : 'forward';
      });
      await fixture.expectExit(1, 'roll-back', journal, '--execute');
      fixture.proxy.intercept();
      await fixture.setTableDescription('Stores', 'Theirs');
      takeWrites();
      const { stderr } = await fixture.expectExit(1, 'resume', journal, '--execute');
      expect(takeWrites()).toHaveLength(1);
      expect(stderr).toContain(
        'Stopped after 2 of 4 steps. The table Stores was changed on the server in the meantime.',
      );
      expect(stderr).not.toContain('Nothing was written');
      expect(stderr).toContain(`keep what is on the instance: datamodel-studio abandon ${journal} `);
      await fixture.expectExit(0, 'abandon', journal, '--execute');
      await fixture.expectExit(4, 'apply', '--execute');
    });

    test('stays unfinished if the instance cannot be read', async () => {
      const journal = await interruptAndChange();
      await fixture.sandbox.setFaults([{ kind: 'status', status: 500 }]);
      await fixture.expectExit(3, 'abandon', journal, '--execute');
      await fixture.sandbox.setFaults([]);
      expect((await fixture.expectExit(0, 'resume')).stdout).toContain(journal);
      await fixture.expectExit(0, 'abandon', journal, '--execute');
    });
  },
);
