import { describe, expect, test } from 'vitest';
import { importOutputSchema, outputSchemas } from '../../../src/cli/outputSchemas.ts';
import { groups, people } from '../../../src/sandbox/seeds/people.ts';
import { resumeOutputSchema } from '../../../src/cli/recoveryOutputSchemas.ts';
import { CliSandboxFixture, ruleTableHeading, retailOptions } from '../../support/cliSandboxFixture.ts';
import { isSoak } from '../../support/soak.ts';

describe.each(['guide', 'contract'] as const)('an instance of the profile %s', (profile) => {
  const cli = new CliSandboxFixture({ profile });

  test('changes rules only with --execute, and warns about parties that the instance does not report', async () => {
    const before = await cli.readRules();
    const file = await cli.writeRuleTable('change.csv', [
      ruleTableHeading,
      'Orders,Channel,only,Web,group,Support',
      'Orders,Channel,only,Web,user,ffffffffffffffffffffffff',
      'Orders,Channel,nothing,,default,',
    ]);
    const args = ['rules', 'import', file, ...retailOptions, '--mode', 'replace-columns'];
    const preview = await cli.run(...args);
    expect(preview.code).toBe(0);
    const lines = preview.stdout.trim().split('\n');
    expect(lines.filter((line) => !line.startsWith('! ')).sort()).toEqual(
      [
        '+ Orders.Channel  user ffffffffffffffffffffffff: only "Web"',
        '~ Orders.Channel  everyone else: all values → no values',
        '~ Orders.Channel  group Support: all but "Partner" → only "Web"',
      ].sort(),
    );
    expect(preview.stderr).toContain('Warning: ');
    expect(preview.stderr).toContain('ffffffffffffffffffffffff');
    expect(preview.stderr).toContain('Rules: 3 to create, 2 to delete, 17 unchanged.');
    expect(preview.stderr).toContain('Add --execute to write.');
    expect(await cli.readRules()).toEqual(before);

    const executed = await cli.run(...args, '--execute', '--format', 'json');
    expect(executed.code).toBe(0);
    const output = importOutputSchema.parse(JSON.parse(executed.stdout));
    expect(output).toMatchObject({
      state: 'executed',
      mode: 'replace-columns',
      rules: { create: 3, delete: 2, unchanged: 17 },
      counts: { add: 1, change: 2, delete: 0 },
      result: { state: 'done' },
    });
    expect(executed.stderr).toContain(`Journal: ${output.result?.journal}`);
    const repeated = await cli.run(...args, '--execute');
    expect(repeated).toMatchObject({ code: 0, stdout: '', stderr: 'Nothing to change.\n' });
    expect(await cli.readRules()).not.toEqual(before);
    const restoringFile = await cli.writeRuleTable('back.csv', [
      ruleTableHeading,
      'Orders,Channel,except,Partner,group,Support',
      'Orders,Channel,everything,,default,',
    ]);
    expect(
      (
        await cli.run(
          'rules',
          'import',
          restoringFile,
          ...retailOptions,
          '--mode',
          'replace-columns',
          '--execute',
        )
      ).code,
    ).toBe(0);
    expect(await cli.readRules()).toEqual(before);
    expect(await cli.readJournals()).not.toContain(cli.sandbox.adminToken);
    expect(await cli.findFilesReadableByOthers()).toEqual([]);
  });

  test('refuses an ID with the name of another group, and shows the name of a group that is given by ID', async () => {
    const importRow = async (row: string, ...args: readonly string[]) => {
      const file = await cli.writeRuleTable('parties.csv', [`${ruleTableHeading},party name`, row]);
      return cli.run('rules', 'import', file, ...retailOptions, '--mode', 'add', ...args);
    };
    const before = await cli.readRules();
    const { _id: id } = groups.marketing;
    const refused = await importRow(`Orders,Status,everything,,group,${id},Finance`, '--execute');
    expect(refused.code).toBe(4);
    expect(refused.stderr).toContain('Row 2: ');
    expect(refused.stderr).toContain('Finance');
    expect(refused.stderr).toContain('Nothing was written. Fix the errors first.');
    expect(await cli.readRules()).toEqual(before);
    const named = await importRow(`Orders,Status,everything,,group,${id},Marketing`);
    expect(named.code).toBe(0);
    expect(named.stdout).toMatch(/^\+ Orders\.Status {2}group Marketing: all values$/m);
    const json = await importRow(`Orders,Status,everything,,group,${id},Marketing`, '--format', 'json');
    expect(importOutputSchema.parse(JSON.parse(json.stdout)).changes).toMatchObject([
      { party: { type: 'group', id, name: 'Marketing' } },
    ]);
  });

  test('says who gains access and which linked tables are affected, in the preview and with --execute', async () => {
    const file = await cli.writeRuleTable('gains.csv', [
      ruleTableHeading,
      'Regions,Region,only,Alps,group,Sales North',
      'Regions,Region,everything,,default,',
    ]);
    const args = ['rules', 'import', file, ...retailOptions, '--mode', 'replace-columns'];
    const { code, stdout, stderr } = await cli.run(...args);
    expect(code, stderr).toBe(0);
    const effects = stdout.split('\n').flatMap((line) => (line.startsWith('! ') ? [line.slice(2)] : []));
    expect(effects[0]).toBe(
      'Everyone else gains access: Regions.Region: no values → all values · also affects linked tables: Orders, Order Items, and 9 more tables',
    );
    expect(effects.some((effect) => effect.startsWith('Group Sales North sees different data: '))).toBe(true);
    expect(stderr).toContain('Everyone else gains all values of Regions.Region (now: no values).');
    const json = await cli.run(...args, '--execute', '--format', 'json');
    const { access } = importOutputSchema.parse(JSON.parse(json.stdout));
    expect(access?.rows[0]).toMatchObject({ effect: 'gains', party: 'Everyone else' });
    expect(access?.rows.length).toBe(effects.length);
    expect((await cli.run('rules', 'import', cli.initialRulesPath, ...args.slice(3), '--execute')).code).toBe(
      0,
    );
  });

  test('says who gains access to a live datamodel', async () => {
    const { userName } = people.liam;
    const file = await cli.writeRuleTable('live.csv', [
      ruleTableHeading,
      'Agents,Team,everything,,default,',
      `Agents,Team,everything,,user,${userName}`,
    ]);
    const args = ['--datamodel', 'Support Desk', '--mode', 'replace-columns'];
    const { stdout } = await cli.run('rules', 'import', file, ...args);
    expect(stdout).toMatch(
      new RegExp(`^! User ${userName} gains access: Agents\\.Team: only "First Line" → all values`, 'm'),
    );
  });

  describe('an interrupted change', () => {
    /**
     * Changes most rules of a column, so that several have to be deleted, and makes the server hang at one of the
     * deletions.
     */
    async function interrupt(signal: 'SIGTERM' | 'SIGINT' | 'SIGKILL', region: string) {
      const initialImport = await cli.run(
        'rules',
        'import',
        cli.initialRulesPath,
        ...retailOptions,
        '--mode',
        'replace-all',
        '--execute',
      );
      expect(initialImport.code, initialImport.stderr).toBe(0);
      const before = await cli.readRules();
      const file = await cli.writeRuleTable(`${signal}.csv`, [
        ruleTableHeading,
        `Regions,Region,only,${region},group,Sales`,
        'Regions,Region,nothing,,default,',
      ]);
      const args = ['rules', 'import', file, ...retailOptions, '--mode', 'replace-columns', '--execute'];
      await cli.sandbox.setFaults([{ kind: 'hang', methods: ['DELETE'], every: 3, pathPrefix: '/api' }]);
      const run = cli.start(...args);
      // Wait until some rules are deleted; every third deletion gets no response.
      const old = new Set(before);
      await expect
        .poll(async () => (await cli.readRules()).filter((rule) => old.has(rule)).length, { timeout: 30_000 })
        .toBeLessThan(before.length);
      run.kill(signal);
      const end = await run.ended;
      await cli.sandbox.setFaults([]);
      const [, journal = ''] = /Journal: (\S+)/.exec(end.stderr) ?? [];
      return { before, args, end, journal };
    }

    test.each(['SIGTERM', 'SIGINT'] as const)(
      '%s: its journal ID is printed, and resume finishes it',
      async (signal) => {
        const { args, end, journal } = await interrupt(signal, signal === 'SIGTERM' ? 'North' : 'South');
        // A request with an unknown outcome may be in progress at the signal, depending on the timing.
        expect(end.signal).toBe(null);
        expect([1, 3]).toContain(end.code);
        expect(end.stderr).toContain('Interrupted after');
        expect(end.stderr).toContain(`resume ${journal} --execute`);
        const listed = resumeOutputSchema.parse(
          JSON.parse((await cli.run('resume', '--format', 'json')).stdout),
        );
        expect(listed.interrupted.map((each) => each.journal)).toEqual([journal]);
        const halfway = await cli.readRules();
        expect((await cli.run('resume', journal)).code).toBe(0);
        expect(await cli.readRules()).toEqual(halfway);
        expect(await cli.run('resume', journal, '--execute')).toMatchObject({ code: 0 });
        expect(await cli.run(...args)).toMatchObject({ code: 0, stderr: 'Nothing to change.\n' });
        expect((await cli.run('resume')).stdout).toBe('');
        expect((await cli.run('resume', journal, '--execute')).code).toBe(4);
        expect(await cli.readJournals()).not.toContain(cli.sandbox.adminToken);
      },
    );

    test('SIGKILL: it is listed by the ID of its journal, and can be rolled back', async () => {
      const { before, args, end, journal } = await interrupt('SIGKILL', 'West');
      expect(end).toMatchObject({ code: null, signal: 'SIGKILL' });
      expect((await cli.run('resume')).stdout).toContain(journal);
      const blocked = await cli.run(...args);
      expect(blocked.code).toBe(4);
      for (const command of ['resume', 'roll-back', 'abandon']) {
        expect(blocked.stderr).toContain(`${command} ${journal}`);
      }
      expect((await cli.run('roll-back', journal)).code).toBe(0);
      const rolledBack = await cli.run('roll-back', journal, '--execute', '--format', 'json');
      expect(rolledBack.code).toBe(0);
      expect(outputSchemas['roll-back'].parse(JSON.parse(rolledBack.stdout)).result).toMatchObject({
        state: 'done',
        journal,
      });
      expect(await cli.readRules()).toEqual(before);
      expect((await cli.run('roll-back', journal, '--execute')).code).toBe(4);
    });
  });

  const manyRules = isSoak ? 10_000 : 500;

  test(`imports ${manyRules} rules`, async () => {
    const createUserId = (index: number): string => `${'c'.repeat(16)}${index.toString(16).padStart(8, '0')}`;
    const rows = Array.from({ length: manyRules }, (_row, index) =>
      index % 2 === 0
        ? `Customers,Segment,only,Value ${index % 7},user,${createUserId(index)}`
        : `Orders,Status,except,Value ${index % 5},user,${createUserId(index)}`,
    );
    const file = await cli.writeRuleTable('many.csv', [ruleTableHeading, ...rows]);
    const { code, stdout, stderr } = await cli.run(
      'rules',
      'import',
      file,
      ...retailOptions,
      '--mode',
      'replace-columns',
      '--execute',
      '--format',
      'json',
    );
    expect(code, stderr).toBe(0);
    expect(importOutputSchema.parse(JSON.parse(stdout))).toMatchObject({
      rules: { create: manyRules },
      result: { state: 'done' },
    });
    const exported = await cli.run('rules', 'export', ...retailOptions);
    expect(exported.stdout.split(/,c{16}/).length - 1).toBe(manyRules);
  });
});
