import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import { resumeOutputSchema } from '../../../src/cli/recoveryOutputSchemas.ts';
import { getText } from '../../../src/changes/model/jsonMembers.ts';
import type { PlatformClient } from '../../../src/client/platformClient.ts';
import { isWrite, type ProxiedRequest } from '../../support/interceptingProxy.ts';
import { ProjectFixture } from '../../support/projectFixture.ts';

const retail = 'datamodels/Retail';
const subject = { server: 'LocalHost', elasticube: 'Retail' };

const changedText =
  "The rules on Retail › Employees › Job Title were changed on the server in the meantime. The change can't be finished";
/** Without these rules, nothing would restrict the new name. */
const missingText =
  "Someone else has changed or deleted data security rules on Retail › Employees › Role. Without them, the change would make hidden values visible. Restore these rules. The change can't be finished before you have restored these rules";

describe.each(['guide', 'contract'] as const)(
  'a resume that is refused because others have changed rules, on an instance of the profile %s',
  (profile) => {
    const fixture = new ProjectFixture({ profile });
    const project = () => ['--project', fixture.project] as const;

    const replace = async (path: string, from: string, to: string): Promise<void> => {
      const text = await fixture.read(path);
      expect(text).toContain(from);
      await fixture.write(path, text.replaceAll(from, to));
    };

    /** Applies the project with an instance that refuses some requests; returns the ID of the journal. */
    const stop = async (steps: string, isRefused: (request: ProxiedRequest) => boolean): Promise<string> => {
      fixture.proxy.intercept((request) => (isWrite(request) && isRefused(request) ? 500 : 'forward'));
      const { stderr } = await fixture.expectExit(1, 'apply', '--execute');
      fixture.proxy.intercept();
      expect(stderr).toContain(`Stopped after ${steps}.`);
      return /Journal: (\S+)/.exec(stderr)?.[1] ?? '';
    };

    /** Changes two rules on two columns, of which only the first is changed. */
    const stopBetweenRules = async (): Promise<string> => {
      await replace(`${retail}/rules/Employees.Job Title.rules.json`, '"Assistant Manager"', '"Manager"');
      await replace(`${retail}/rules/Orders.Channel.rules.json`, '"Partner"', '"Web"');
      return stop('1 of 2 steps', ({ body }) => body.includes('"Web"'));
    };

    /** Renames a column with rules, and stops before the rename: only the rules on its new name are there. */
    const stopBeforeRename = async (): Promise<string> => {
      await replace(
        `${retail}/tables/Employees.table.json`,
        '"name": "Job Title"',
        '"name": "Role", "renamedFrom": "Job Title"',
      );
      await replace(`${retail}/rules/Employees.Job Title.rules.json`, '"Job Title"', '"Role"');
      return stop('1 of 3 steps', ({ method }) => method === 'PATCH');
    };

    /** Changes the rules on a column that have values, as another user. */
    const changeRules = (
      column: string,
      change: (client: PlatformClient, rule: JsonObject) => Promise<unknown>,
    ): Promise<void> =>
      fixture.runAsOtherUser(async (client) => {
        const rules = (await client.extractRules.list(subject)).value.filter(
          (rule) => rule.table === 'Employees' && rule.column === column && rule.members?.length !== 0,
        );
        expect(rules).not.toEqual([]);
        for (const rule of rules) {
          await change(client, rule as JsonObject);
        }
      });
    const restrict = (client: PlatformClient, rule: JsonObject) =>
      client.extractRules.update({ ruleId: getText(rule['_id']) }, { ...rule, members: ['Sales Associate'] });
    const remove = (client: PlatformClient, rule: JsonObject) =>
      client.extractRules.delete({ ruleId: getText(rule['_id']) });

    const readSteps = async (
      journal: string,
    ): Promise<readonly (readonly [state: string, name: string])[]> => {
      const { stdout } = await fixture.expectExit(0, 'resume', journal, '--format', 'json');
      return resumeOutputSchema
        .parse(JSON.parse(stdout))
        .interrupted.flatMap(({ steps }) =>
          steps.map(({ state, documents }) => [state, documents.map(({ name }) => name).join()] as const),
        );
    };

    test.each([
      ['changed', 'Job Title', stopBetweenRules, restrict, changedText],
      ['deleted', 'Job Title', stopBetweenRules, remove, changedText],
      ['changed', 'Role', stopBeforeRename, restrict, missingText],
    ] as const)(
      'leaves the journal unchanged, names the rules that were %s on %s, and offers only what is possible',
      async (_verb, column, stopApply, change, text) => {
        const journal = await stopApply();
        await changeRules(column, change);
        const steps = await readSteps(journal);
        const journals = await fixture.readJournals();
        const shown = await fixture.expectExit(0, 'resume', journal, ...project());
        fixture.proxy.takeRequests();
        const { stdout, stderr } = await fixture.expectExit(4, 'resume', journal, '--execute', ...project());
        // The refusal was announced. What follows the line of the change is the refusal.
        const refusal = stderr.slice(stderr.indexOf('\n') + 1);
        expect(shown.stderr).toContain(refusal);
        expect(shown.stderr).not.toContain('Add --execute');
        expect(stdout).toBe('');
        expect(stderr).toContain(`${text}, and it can't be rolled back either. Nothing was written.`);
        expect(stderr).toContain(
          `To finish the change, first restore what others have changed. Otherwise, keep what is on the instance: datamodel-studio abandon ${journal} `,
        );
        expect(stderr).not.toContain('roll-back');
        expect(fixture.proxy.takeRequests().filter(isWrite)).toEqual([]);
        expect(await fixture.readJournals()).toBe(journals);
        expect(await readSteps(journal)).toEqual(steps);

        const refused = await fixture.expectExit(4, 'roll-back', journal, '--execute', ...project());
        expect(refused.stderr).toContain(`The rules on Retail › Employees › ${column} were changed`);
        expect(refused.stderr).toContain("The change can't be rolled back, and it can't be finished either.");
        expect(refused.stderr).not.toContain('Finish:');
        await fixture.expectExit(0, 'abandon', journal, '--execute', ...project());
        await fixture.expectExit(2, 'plan');
      },
    );

    /** Stops an apply after the first of two datasets whose connections need an environment variable. */
    const stopWithVariable = async () => {
      const createConnection = (name: string) => ({
        provider: 'PostgreSQL',
        name,
        schema: 'public',
        parameters: { Server: 'db.example.com', UserName: 'reader', Password: { $env: 'SOURCE_PASSWORD' } },
      });
      const names = ['Archive', 'Warehouse'];
      for (const name of names) {
        await fixture.write(`${retail}/datasets/${name}.dataset.json`, {
          name,
          type: 'extract',
          connection: { provider: 'PostgreSQL', parameters: { Server: 'elsewhere.example.com' } },
        });
      }
      const connections = Object.fromEntries(names.map((name) => [name, createConnection(name)]));
      await fixture.addEnvironment('test', { connections: { Retail: connections } });
      fixture.proxy.intercept((request) =>
        isWrite(request) && request.body.includes('Warehouse') ? 500 : 'forward',
      );
      const inTest = ['--environment', 'test', ...project()] as const;
      const { stderr: stopped } = await fixture.expectExit(1, 'apply', '--execute', ...inTest);
      fixture.proxy.intercept();
      expect(stopped).toContain('Stopped after 1 of 2 steps.');
      const journal = /Journal: (\S+)/.exec(stopped)?.[1] ?? '';
      return { journal, inTest };
    };

    test('names the change on the server even if a variable is missing that finishing requires', async () => {
      const { journal, inTest } = await stopWithVariable();
      await fixture.runAsOtherUser(async (client) => {
        const model = (await client.datamodels.list()).value.find(({ title }) => title === 'Retail');
        const datamodelId = model?.oid ?? '';
        const datasets = (await client.datasets.list({ datamodelId })).value;
        const datasetId = datasets.find(({ name }) => name === 'Archive')?.oid ?? '';
        await client.tables.create({ datamodelId, datasetId }, { id: 'theirs', name: 'Theirs', columns: [] });
      });
      await replace('environments/test.json', 'SOURCE_PASSWORD', 'NOT_SET');
      const { stderr } = await fixture.expectExit(4, 'roll-back', journal, '--execute', ...inTest);
      expect(stderr).toContain(
        "in the meantime. The change can't be rolled back. Nothing was written. Finishing the change requires the environment variable NOT_SET, because journals contain no secrets. Not set: NOT_SET.\nFinish: ",
      );
      await replace('environments/test.json', 'NOT_SET', 'SOURCE_PASSWORD');
      const resumed = await fixture.run('resume', journal, '--execute', ...inTest);
      expect(resumed.stdout).toContain(`${journal}  finished: 2 of 2 steps done`);
    });

    test('is rolled back without a variable that finishing requires, and the lock file is updated', async () => {
      const { journal, inTest } = await stopWithVariable();
      await replace('environments/test.json', 'SOURCE_PASSWORD', 'NOT_SET');
      const { stderr } = await fixture.expectExit(0, 'roll-back', journal, '--execute', ...inTest);
      expect(stderr).not.toContain('NOT_SET');
      expect(stderr).not.toContain('lock file');
    });

    test('is rolled back with exit code 1 if the named folder is not the project', async () => {
      await fixture.changeJson(`${retail}/tables/Orders.table.json`, { description: 'Ours' });
      await fixture.changeJson(`${retail}/tables/Returns.table.json`, { description: 'Ours' });
      const stop = async (): Promise<string> => {
        let writeCount = 0;
        fixture.proxy.intercept((request) => {
          writeCount += isWrite(request) ? 1 : 0;
          return isWrite(request) && writeCount === 2 ? 403 : 'forward';
        });
        const { stderr } = await fixture.expectExit(1, 'apply', '--execute');
        fixture.proxy.intercept();
        return /Journal: (\S+)/.exec(stderr)?.[1] ?? '';
      };
      const other = await fixture.createFolder(`other-${profile}`);
      for (const [code, options] of [
        [1, ['--project', other]],
        // Without the option, the lock file isn't meant to be updated.
        [0, []],
      ] as const) {
        const { stderr } = await fixture.expectExit(code, 'roll-back', await stop(), '--execute', ...options);
        expect(stderr).toContain("The project's lock file wasn't updated.");
      }
    });

    test('offers neither resume nor roll-back if others have changed the table of the failed write', async () => {
      await fixture.changeJson(`${retail}/tables/Orders.table.json`, { description: 'Ours' });
      await fixture.changeJson(`${retail}/tables/Returns.table.json`, { description: 'Ours' });
      let writeCount = 0;
      const journal = await stop('1 of 2 steps', () => (writeCount += 1) > 1);
      const steps = await readSteps(journal);
      const [, open = ''] = steps.find(([state]) => state !== 'done') ?? [];
      await fixture.setTableDescription(open, 'Theirs');
      const refused = await fixture.expectExit(4, 'roll-back', journal, '--execute', ...project());
      expect(refused.stderr).toContain("The change can't be rolled back, and it can't be finished either.");
      const refusedAgain = await fixture.expectExit(4, 'resume', journal, '--execute', ...project());
      expect(refusedAgain.stderr).toContain(
        "The change can't be finished, and it can't be rolled back either. Nothing was written.",
      );
      for (const { stderr } of [refused, refusedAgain]) {
        expect(stderr).not.toMatch(/Finish:|Roll back:/);
        expect(stderr).toContain(
          `To finish the change, first restore what others have changed. Otherwise, keep what is on the instance: datamodel-studio abandon ${journal} `,
        );
      }
    });

    test('offers a rollback that succeeds if others have deleted all rules that it would delete', async () => {
      const journal = await stopBeforeRename();
      await fixture.runAsOtherUser(async (client) => {
        for (const rule of (await client.extractRules.list(subject)).value) {
          if (rule.column === 'Role') {
            await remove(client, rule as JsonObject);
          }
        }
      });
      const { stderr } = await fixture.expectExit(4, 'resume', journal, '--execute', ...project());
      expect(stderr).toContain(`${missingText}. Nothing was written.`);
      expect(stderr).toContain(`Finish:    datamodel-studio resume ${journal} --execute`);
      expect(stderr).toContain(`Roll back: datamodel-studio roll-back ${journal} --execute`);
      await fixture.expectExit(0, 'roll-back', journal, '--execute', ...project());
    });
  },
);
