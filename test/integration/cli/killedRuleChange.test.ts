import { readFile, writeFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '../../../src/base/json.ts';
import { abandonOutputSchema } from '../../../src/cli/recoveryOutputSchemas.ts';
import { getObjects } from '../../../src/changes/model/jsonMembers.ts';
import { groups } from '../../../src/sandbox/seeds/people.ts';
import { ruleTableHeading } from '../../support/cliSandboxFixture.ts';
import { expectDefined } from '../../support/expectations.ts';
import { isWrite } from '../../support/interceptingProxy.ts';
import { ProjectFixture } from '../../support/projectFixture.ts';

const cube = { server: 'LocalHost', elasticube: 'Retail' } as const;
const column = { table: 'Regions', column: 'Region' } as const;
const rulesPath = 'datamodels/Retail/rules/Regions.Region.rules.json';

/** Returns the only values that a rule shows. */
const getValues = ({ members, exclusionary }: JsonObject): readonly JsonValue[] =>
  exclusionary !== true && Array.isArray(members) ? members : [];

describe.each(['guide', 'contract'] as const)(
  'a change of three rules that was killed when two of them were changed, on an instance of the profile %s',
  (profile) => {
    const fixture = new ProjectFixture({ profile });

    /** Starts a command that changes three rules, and kills it when two of its requests were answered. */
    const interrupt = async (...command: readonly string[]): Promise<string> => {
      let count = 0;
      fixture.proxy.intercept((request) => {
        count += isWrite(request) ? 1 : 0;
        return isWrite(request) && count === 3 ? 'hold' : 'forward';
      });
      const run = fixture.start(...command, '--execute');
      const [, journal = ''] = await run.waitForMessage(/Journal: (\S+)/);
      await expect
        .poll(async () => (await fixture.readJournals()).split('"state":"done","status":200').length - 1, {
          timeout: 30_000,
        })
        .toBe(2);
      run.kill('SIGKILL');
      await run.ended;
      fixture.proxy.intercept();
      return journal;
    };

    /** Starts an import that shows another region to three groups, and kills it. */
    const interruptImport = async (): Promise<string> => {
      const file = `${fixture.stateFolder}.csv`;
      await fixture.expectExit(0, 'rules', 'export', '--datamodel', 'Retail', '--out', file);
      const lines = (await readFile(file, 'utf8')).split('\n');
      for (const { name } of [groups.sales, groups.salesNorth, groups.salesSouth]) {
        const row = expectDefined(lines.find((line) => line.trim().endsWith(`,${name}`)));
        lines.splice(lines.indexOf(row), 0, row.replace(/,only,[^,]+,/, ',only,Iberia,'));
      }
      await writeFile(file, lines.join('\n'));
      return interrupt(...getImport(file));
    };

    const getImport = (file: string): readonly string[] => {
      const options = ['--datamodel', 'Retail', '--mode', 'replace-columns', '--state', fixture.stateFolder];
      return ['rules', 'import', file, ...options];
    };

    /**
     * Expects that the change is listed as interrupted, and that a pull refuses to take its partial result into the
     * project.
     */
    const expectInterrupted = async (journal: string): Promise<void> => {
      expect((await fixture.expectExit(0, 'resume')).stdout).toContain(journal);
      const pull = ['pull', '--project', fixture.project, '--state', fixture.stateFolder];
      expect((await fixture.expectExit(4, ...pull)).stderr).toContain('An earlier change was interrupted.');
    };

    test('stays interrupted if it is resumed and the instance refuses its requests, and after an import into another column', async () => {
      const journal = await interruptImport();
      fixture.proxy.intercept((request) => (isWrite(request) ? 403 : 'forward'));
      const { stderr } = await fixture.expectExit(1, 'resume', journal, '--execute');
      fixture.proxy.intercept();
      expect(stderr).toContain('Stopped after 0 of 2 steps.');
      expect(stderr).toContain('Some rules were changed.\n');
      expect(stderr).toMatch(/^Might be written in part:\n {4}change rules on /m);
      expect(stderr).not.toMatch(/nothing (?:has|was) changed/i);
      expect(stderr).toContain(`Finish:    datamodel-studio resume ${journal} --execute`);
      await expectInterrupted(journal);

      const file = `${fixture.stateFolder}-other.csv`;
      await writeFile(file, `${ruleTableHeading}\nOrders,Status,everything,,group,Sales`);
      await fixture.expectExit(0, ...getImport(file), '--execute');
      await expectInterrupted(journal);
      await fixture.expectExit(0, 'roll-back', journal, '--execute');
      expect((await fixture.expectExit(0, 'resume')).stdout).toBe('');
    });

    test('is abandoned only after a warning if it has hidden all values, even if nobody has read the rules since', async () => {
      const rules = getObjects(JSON.parse(await fixture.read(rulesPath)));
      const otherRules = rules.map((rule) =>
        getValues(rule).length === 0 ? rule : { ...rule, members: ['Iberia'] },
      );
      await fixture.write(rulesPath, otherRules);
      const journal = await interrupt('apply');
      const { stderr } = await fixture.expectExit(0, 'abandon', journal);
      expect(stderr).toContain(
        'The change might have left temporary deny rules in place. If so, the affected',
      );
      expect(stderr).toContain('Finish the change or roll it back if you can.');
      const { stdout } = await fixture.expectExit(0, 'abandon', journal, '--format', 'json');
      expect(abandonOutputSchema.parse(JSON.parse(stdout)).deniesAccess).toBe(true);
    });

    test('stays interrupted if it is resumed after others have changed the third rule', async () => {
      const rules = getObjects(JSON.parse(await fixture.read(rulesPath)));
      const widenedRules = rules.map((rule) =>
        getValues(rule).length === 0 ? rule : { ...rule, members: [...getValues(rule), 'Iberia'] },
      );
      await fixture.write(rulesPath, widenedRules);
      const journal = await interrupt('apply');
      await fixture.runAsOtherUser(async ({ extractRules }) => {
        const { value } = await extractRules.listByColumn({ ...cube, ...column });
        const rule = expectDefined(
          value.find(({ members }) => members?.length && !members.includes('Iberia')),
        );
        const ruleId = rule._id ?? '';
        await extractRules.update({ ...cube, ruleId }, { ...rule, ...column, members: ['West'] });
      });
      const { stderr } = await fixture.expectExit(4, 'resume', journal, '--execute');
      expect(stderr).toMatch(
        /The rules on \S+ › \S+ › \S+ were changed on the server in the meantime\. The change can't be finished, and it can't be rolled back either\./,
      );
      expect(stderr).not.toMatch(/nothing (?:has|was) changed/i);
      await expectInterrupted(journal);
      // Otherwise, resume would propose roll-back, and roll-back would propose resume.
      expect(stderr).not.toContain('roll-back');
      const refused = await fixture.expectExit(4, 'roll-back', journal, '--execute');
      expect(refused.stderr).toContain(
        "The change can't be rolled back, and it can't be finished either. Nothing was written.\n",
      );
      expect(refused.stderr).not.toContain('Finish:');
      expect(refused.stderr).toContain(`datamodel-studio abandon ${journal} `);
    });
  },
);
