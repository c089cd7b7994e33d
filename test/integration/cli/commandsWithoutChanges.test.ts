import { chmod, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { doctorOutputSchema, exportOutputSchema, outputSchemas } from '../../../src/cli/outputSchemas.ts';
import { createPortableProjectSchemas } from '../../../src/packaging/schemas/projectDocuments.ts';
import { CliSandboxFixture, ruleTableHeading, retailOptions } from '../../support/cliSandboxFixture.ts';
import { startCli } from '../../support/cliProcess.ts';

describe.each(['guide', 'contract'] as const)('an instance of the profile %s', (profile) => {
  const cli = new CliSandboxFixture({ profile });

  describe('doctor', () => {
    test('succeeds for an instance without problems', async () => {
      const { code, stdout, stderr } = await cli.run('doctor');
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(stdout).toContain('OK: Token: the server accepted it');
      const json = await cli.run('doctor', '--format', 'json');
      const diagnosis = doctorOutputSchema.parse(JSON.parse(json.stdout));
      expect(diagnosis).toMatchObject({
        verdict: 'ok',
        instance: { url: cli.sandbox.url, role: 'development' },
      });
      expect(diagnosis.steps.map(({ step }) => step)).toContain('isauth');
    });

    test('fails if the server rejects the token, or nothing listens at the address', async () => {
      const userWithWrongToken = cli.createRunner({ token: 'not-a-token-of-this-server' });
      const refused = await userWithWrongToken.run('doctor');
      expect(refused.code).toBe(1);
      expect(refused.stdout).toContain('Failed: Token');
      const userOfClosedPort = cli.createRunner({ url: 'http://127.0.0.1:1', token: 'any-token' });
      const json = await userOfClosedPort.run('doctor', '--format', 'json');
      expect(json.code).toBe(1);
      expect(doctorOutputSchema.parse(JSON.parse(json.stdout)).verdict).toBe('failed');
    });
  });

  describe('the token', () => {
    const secret = 'a-token-that-no-one-may-see';

    test.each([
      ['--token', secret],
      [`--token=${secret}`],
      [`--api-token=${secret}`],
      ['-t', secret],
      [secret],
      ['--token-env', secret],
      ['--token-file', secret],
      ['--url', `https://x:${secret}@host`],
      ['--url', `https://host/?token=${secret}`],
      [`--${secret}`],
    ])('is refused as an argument, and not printed (%s)', async (...args) => {
      const { code, stdout, stderr } = await startCli(['doctor', '--url', cli.sandbox.url, ...args]).ended;
      expect(code).toBe(4);
      expect(stdout).toBe('');
      expect(stderr).not.toBe('');
      expect(stderr).not.toContain(secret);
    });

    test('comes from a file or from standard input', async () => {
      const file = await cli.writeRuleTable('token', [cli.sandbox.adminToken, '']);
      const fromFile = await startCli(['doctor', '--url', cli.sandbox.url, '--token-file', file]).ended;
      const input = `${cli.sandbox.adminToken}\n`;
      const piped = await startCli(['doctor', '--url', cli.sandbox.url, '--token-stdin'], { input }).ended;
      expect([fromFile.code, piped.code]).toEqual([0, 0]);
    });

    test.each([[[]], [['--token-env', 'EMPTY']], [['--token-stdin', '--token-env', 'EMPTY']]])(
      'is refused if missing, empty or given twice (%j)',
      async (args) => {
        const { code, stderr } = await startCli(['doctor', '--url', cli.sandbox.url, ...args]).ended;
        expect(code).toBe(4);
        expect(stderr).toContain('--token-');
      },
    );

    test('is refused if its variable is not set, or has no token', async () => {
      const run = (env: Readonly<Record<string, string>>) =>
        startCli(['doctor', '--url', cli.sandbox.url, '--token-env', 'STUDIO_TOKEN'], { env }).ended;
      expect((await run({})).stderr).toBe(
        "The environment variable STUDIO_TOKEN of --token-env isn't set.\n",
      );
      // A token in place of the name of its variable isn't repeated.
      for (const token of ['eyJhbGciOiJIUzI1NiJ9.e30.c2ln', 'A1B2C3D4E5F6', '0123456789', 'my_token']) {
        const { stderr } = await startCli(['doctor', '--url', cli.sandbox.url, '--token-env', token]).ended;
        expect(stderr).toBe("The environment variable of --token-env isn't set.\n");
      }
      expect((await run({ STUDIO_TOKEN: ' ' })).stderr).toBe('--token-env contains no API token.\n');
    });
  });

  describe('rules', () => {
    test('that were exported change nothing when they are imported', async () => {
      const path = join(cli.folder, 'same.csv');
      const exported = await cli.run('rules', 'export', ...retailOptions, '--out', path);
      expect(exported).toMatchObject({ code: 0, stdout: '', stderr: '19 rules exported.\n' });
      const onStdout = await cli.run('rules', 'export', ...retailOptions);
      // Decoding the stream as text removes the byte-order mark.
      expect(`\u{feff}${onStdout.stdout}`).toBe(await readFile(path, 'utf8'));
      for (const mode of ['replace-columns', 'replace-all', 'add']) {
        const repeatedImport = await cli.run(
          'rules',
          'import',
          path,
          ...retailOptions,
          '--mode',
          mode,
          '--execute',
        );
        expect(repeatedImport).toMatchObject({ code: 0, stdout: '', stderr: 'Nothing to change.\n' });
      }
    });

    test('are exported as JSON without loss', async () => {
      const { code, stdout } = await cli.run('rules', 'export', ...retailOptions, '--format', 'json');
      expect(code).toBe(0);
      const output = exportOutputSchema.parse(JSON.parse(stdout));
      expect(output.datamodel).toEqual({ title: 'Retail', type: 'extract' });
      expect(output.rules).toHaveLength(19);
      expect(output.rules[0]).toMatchObject({ _id: expect.any(String), shares: expect.any(Array) });
    });

    test.each([
      ['an unknown group', 'Orders,Channel,only,Web,group,No Such Group', 'No Such Group'],
      ['a user by a name that no rule has', 'Orders,Channel,only,Web,user,somebody', 'somebody'],
      ['a column that does not exist', 'Orders,Chanel,only,Web,default,', 'Chanel'],
      ['an unknown word', 'Orders,Channel,maybe,Web,default,', 'maybe'],
      ['a party without its type', 'Orders,Channel,only,Web,,x', 'user, group, or default'],
    ])('with %s are refused on import, and nothing is written', async (_problem, row, reported) => {
      const before = await cli.readRules();
      const file = await cli.writeRuleTable('refused.csv', [ruleTableHeading, row]);
      const { code, stderr } = await cli.run(
        'rules',
        'import',
        file,
        ...retailOptions,
        '--mode',
        'add',
        '--execute',
      );
      expect(code).toBe(4);
      expect(stderr).toContain(reported);
      expect(stderr).toContain('Nothing was written.');
      expect(await cli.readRules()).toEqual(before);
    });

    test('are not replaced by a file without rules', async () => {
      const before = await cli.readRules();
      const file = await cli.writeRuleTable('empty.csv', [ruleTableHeading]);
      const run = (mode: string) =>
        cli.run('rules', 'import', file, ...retailOptions, '--mode', mode, '--execute');
      expect(await run('replace-all')).toMatchObject({
        code: 4,
        stderr: expect.stringContaining('contains no rules'),
      });
      expect(await run('replace-columns')).toMatchObject({ code: 0, stderr: 'Nothing to change.\n' });
      expect(await cli.readRules()).toEqual(before);
    });

    test.each([
      ['an empty file', [], 'The table is empty.'],
      ['a page', ['<!doctype html>', '<html><body>Sign in</body></html>'], 'Missing columns: '],
    ])('are not listed as deleted if the table is %s', async (_text, lines, problem) => {
      const file = await cli.writeRuleTable('unreadable.csv', lines);
      const result = await cli.run('rules', 'import', file, ...retailOptions, '--mode', 'replace-all');
      expect(result).toMatchObject({ code: 4, stdout: '' });
      expect(result.stderr).toMatch(/^Error: .*\nNothing was written\. Fix the errors first\.\n$/);
      expect(result.stderr).toContain(problem);
    });

    test.runIf(process.platform !== 'win32')(
      'are not changed if other users can write to the journal folder',
      async () => {
        const folder = join(cli.folder, 'shared');
        await mkdir(join(folder, 'history'), { recursive: true });
        await chmod(join(folder, 'history'), 0o777);
        const { code, stderr } = await startCli(
          ['resume', '--url', cli.sandbox.url, '--token-stdin', '--state', folder],
          { input: cli.sandbox.adminToken },
        ).ended;
        expect([code, stderr]).toEqual([
          4,
          'Other users can write to the journal folder. Use your own folder with --state, or restrict access with chmod or chown.\n',
        ]);
      },
    );

    test('are shown with the name of a party that the file gives by name', async () => {
      const file = await cli.writeRuleTable('named.csv', [
        ruleTableHeading,
        'Orders,Status,only,Open,group,Support',
      ]);
      const { code, stdout } = await cli.run('rules', 'import', file, ...retailOptions, '--mode', 'add');
      expect([code, stdout.split('\n')[0]]).toEqual([0, '+ Orders.Status  group Support: only "Open"']);
    });

    test('for the same parties are refused, with and without --execute', async () => {
      const rows = ['West', 'East'].map((value) => `${value},Orders,Channel,only,${value},group,Sales`);
      const file = await cli.writeRuleTable('twice.csv', [`rule,${ruleTableHeading}`, ...rows]);
      const run = (...more: string[]) =>
        cli.run('rules', 'import', file, ...retailOptions, '--mode', 'add', ...more);
      const [shown, executed] = [await run(), await run('--execute')];
      expect([shown.code, executed.code]).toEqual([4, 4]);
      expect(shown.stderr).toContain('would have two rules for the same users and groups');
    });

    test('cannot be resumed from a --state folder that does not exist', async () => {
      const { code, stderr } = await startCli(
        ['resume', '--url', cli.sandbox.url, '--token-stdin', '--state', join(cli.folder, 'not-there')],
        { input: cli.sandbox.adminToken },
      ).ended;
      expect([code, stderr]).toEqual([4, "The --state folder doesn't exist.\n"]);
    });

    test('are neither exported nor imported with an invalid command line (exit code 4), or if the server cannot be read (exit code 3)', async () => {
      const file = await cli.writeRuleTable('any.csv', [
        ruleTableHeading,
        'Orders,Channel,nothing,,default,',
      ]);
      const mode = ['--mode', 'add'];
      const refused = [
        await cli.run('rules', 'import', file, ...retailOptions),
        await cli.run('rules', 'import', file, ...retailOptions, '--mode', 'replace'),
        await cli.run('rules', 'import', ...retailOptions, ...mode),
        await cli.run('rules', 'import', `${file}.not`, ...retailOptions, ...mode),
        await cli.run('rules', 'import', cli.folder, ...retailOptions, ...mode),
        await cli.run('rules', 'import', file, '--datamodel', 'retail', ...mode),
        await cli.run('rules', 'import', file, ...retailOptions, ...mode, '--execute=true'),
        await cli.run('rules', 'import', file, ...retailOptions, ...mode, '--force'),
        await cli.run('rules', 'export', ...retailOptions, '--out', cli.folder),
        await cli.run('rules', 'delete', ...retailOptions),
        await cli.run('resume', '000000000-00000000-0000-0000-0000-000000000000'),
        await cli.run('roll-back'),
      ];
      expect(refused.map(({ code }) => code)).toEqual(refused.map(() => 4));
      expect(refused.every(({ stderr }) => stderr.length > 0)).toBe(true);
      expect(refused[5]?.stderr).toContain('Did you mean Retail?');

      const userWithWrongToken = cli.createRunner({ token: 'not-a-token-of-this-server' });
      const userOfClosedPort = cli.createRunner({ url: 'http://127.0.0.1:1', token: 'any-token' });
      for (const user of [userWithWrongToken, userOfClosedPort]) {
        expect((await user.run('rules', 'export', ...retailOptions)).code).toBe(3);
        expect((await user.run('rules', 'import', file, ...retailOptions, ...mode, '--execute')).code).toBe(
          3,
        );
      }
      await cli.sandbox.setFaults([{ kind: 'html', pathPrefix: '/api' }]);
      expect(await cli.run('rules', 'export', ...retailOptions)).toMatchObject({ code: 3, stdout: '' });
    });

    test('are not changed by a user without permission to write', async () => {
      const before = await cli.readRules();
      const user = cli.createRunner({ token: cli.sandbox.userToken });
      const file = await cli.writeRuleTable('user.csv', [
        ruleTableHeading,
        'Orders,Channel,nothing,,default,',
      ]);
      const { code } = await user.run(
        'rules',
        'import',
        file,
        ...retailOptions,
        '--mode',
        'replace-columns',
        '--execute',
      );
      expect([1, 3]).toContain(code);
      expect(await cli.readRules()).toEqual(before);
    });
  });
});

test('the schema of each output is printed', async () => {
  for (const command of Object.keys(outputSchemas)) {
    const { code, stdout } = await startCli(['schema', ...command.split(' ')]).ended;
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      type: 'object',
      properties: { version: { const: 1 }, command: { const: command } },
    });
    z.fromJSONSchema(JSON.parse(stdout));
  }
  expect((await startCli(['schema', 'rules export']).ended).code).toBe(0);
  expect((await startCli(['schema', 'nothing']).ended).code).toBe(4);
});

test('the schema of each kind of file is printed', async () => {
  const schemas = createPortableProjectSchemas();
  expect(Object.keys(schemas)).toContain('rules');
  for (const [kind, schema] of Object.entries(schemas)) {
    const { code, stdout, stderr } = await startCli(['schema', 'file', kind]).ended;
    expect({ code, stderr, schema: JSON.parse(stdout) }).toEqual({ code: 0, stderr: '', schema });
  }
  expect((await startCli(['schema', 'file', 'nothing']).ended).code).toBe(4);
});
