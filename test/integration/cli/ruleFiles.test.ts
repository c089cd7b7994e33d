import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import { getText } from '../../../src/changes/model/jsonMembers.ts';
import { runCli } from '../../support/cliInProcess.ts';
import { ProjectFixture } from '../../support/projectFixture.ts';

const path = 'datamodels/Retail/rules/Regions.Region.rules.json';

describe.each(['guide', 'contract'] as const)(
  'rules in a file, on an instance of the profile %s',
  (profile) => {
    const fixture = new ProjectFixture({ profile });

    const validate = async (code: number) => {
      const exit = await runCli(['validate', '--project', fixture.project], { env: {} });
      expect(exit.code, exit.stdout + exit.stderr).toBe(code);
      return exit;
    };

    const readRules = async (): Promise<readonly object[]> =>
      JSON.parse(await fixture.read(path)) as object[];

    test('that list values while they give access to all are an error, and a pull never writes them', async () => {
      const rules = await readRules();
      await fixture.write(
        path,
        rules.map((rule) => ({ ...rule, allMembers: true, members: ['North'] })),
      );
      const { stdout } = await validate(1);
      expect(stdout).toContain(`${path}:`);
      expect(stdout).toContain('"members" and "allMembers": true contradict each other.');
      const refused = await fixture.expectExit(4, 'plan');
      expect(refused.stderr).toContain('"members" and "allMembers": true contradict each other.');

      await fixture.useNewProject();
      await fixture.runAsOtherUser(async (client) => {
        const subject = { server: 'LocalHost', elasticube: 'Retail' };
        const current = (await client.extractRules.list(subject)).value as readonly JsonObject[];
        const rule = current.find(({ table, column }) => table === 'Regions' && column === 'Region');
        await client.extractRules.update(
          { ruleId: getText(rule?.['_id']) },
          { ...rule, ...subject, allMembers: true, members: ['North'] },
        );
      });
      await fixture.expectExit(0, 'pull', '--project', fixture.project);
      expect(await readRules()).toContainEqual(expect.objectContaining({ allMembers: true, members: [] }));
      await validate(0);
      await fixture.expectExit(0, 'plan');
    });

    test('for the same group are named with their line by validate and plan', async () => {
      const rules = await readRules();
      const rule = rules.find((candidate) => JSON.stringify(candidate).includes('"Sales"')) ?? {};
      expect(rule).toMatchObject({ shares: [{ type: 'group', party: 'Sales' }] });
      await fixture.write(path, [...rules, { ...rule, members: ['Iberia'] }]);
      const lines = (await fixture.read(path)).split('\n');
      const line = lines.findLastIndex((text) => text === '  {') + 1;

      const { stdout } = await validate(0);
      expect(stdout).toContain(`${path}:${line}`);
      expect(stdout).toContain(
        `Rule ${rules.indexOf(rule) + 1} in this file is for the same users and groups.`,
      );
      const { stderr } = await fixture.expectExit(4, 'plan');
      expect(stderr).toBe(
        `Nothing was written. Regions.Region would have two rules for the same users and groups, and this server might overwrite one with the other. Combine them into one rule. They are in Retail: ${path}:${line}\n`,
      );
    });
  },
);
