import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { errorOutputSchema } from '../../../src/cli/outputSchemas.ts';
import { runCli } from '../../support/cliInProcess.ts';
import { CliSandboxFixture } from '../../support/cliSandboxFixture.ts';
import { startTestServer } from '../../support/testServer.ts';

const parse = (stdout: string) => errorOutputSchema.parse(JSON.parse(stdout));

describe('a command that ends without a result prints why', () => {
  const cli = new CliSandboxFixture({ profile: 'guide' });
  let folder = '';
  beforeEach(async () => {
    folder = await mkdtemp(join(cli.folder, 'errors-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  test.each([
    [['rules', 'export', '--datamodel', 'Retial'], 'rules export', 'Datamodel not found: Retial.'],
    [['build', 'Retail', '--row-limit', 'x'], 'build', 'Invalid --row-limit.'],
    [['pull', '--prune', 'everything'], 'pull', 'Unknown kind in --prune: "everything".'],
    [['resume', '0'], 'resume', "The --state folder doesn't exist."],
  ])('as JSON if it is refused: %j', async (args, command, message) => {
    const { code, stdout, stderr } = await cli.run(...args, '--format', 'json');
    expect(code).toBe(4);
    expect(parse(stdout)).toEqual({
      version: 1,
      command,
      error: { state: 'refused', message: expect.stringContaining(message) },
    });
    expect(stderr).toContain(message);
  });

  test.each([
    [
      'markdown',
      /^### `drift --environment <b>` was refused\n\n`environments: Invalid environment name.*`\n$/,
    ],
    [
      'junit',
      /tests="1" failures="0" errors="1"[^]*<testcase classname="drift" name="&lt;b&gt;"[^]*<error type="refused"/,
    ],
  ])('as a report with --format %s', async (format, report) => {
    const args = ['--project', folder, '--environment', '<b>', '--token-env', 'TOKEN', '--format', format];
    const { code, stdout, stderr } = await runCli(['drift', ...args], { env: { TOKEN: 'any' } });
    expect({ code, stdout }).toEqual({ code: 4, stdout: expect.stringMatching(report) });
    expect(stderr).toContain('Invalid environment name');
  });

  test('as an annotation with --format github', async () => {
    const args = ['validate', '--project', folder, '--format', 'github'];
    const { code, stdout, stderr } = await runCli(args);
    expect({ code, stdout }).toEqual({
      code: 4,
      stdout: expect.stringMatching(/^::error title=validate was refused::The folder isn't a project.*\n$/),
    });
    expect(stderr).toMatch(/^The folder isn't a project/);
  });

  describe.each([
    ['credentials', 'https://me:s3cret-word@bi.example.com/app', 'contains a user name or password'],
    ['credentials without a scheme', 'me:s3cret-word@bi.example.com', 'contains a user name or password'],
    ['credentials and a space', 'https://me:s3cret-word@bi example.com', 'https://HOST[:PORT]'],
    ['a token and a path', 's3cretc2VjcmV0LXRva2VuLTEyMw/tenant-1', 'looks like a token'],
  ])('without repeating an address that contains %s', (_what, url, message) => {
    test.each(['text', 'json', 'markdown', 'junit'])('with --format %s', async (format) => {
      const run = (...args: readonly string[]) =>
        runCli([...args, '--token-env', 'TOKEN', '--format', format], { env: { TOKEN: 'any' } });
      await mkdir(join(folder, 'environments'));
      await writeFile(join(folder, 'environments/staging.json'), JSON.stringify({ url }));
      for (const { code, stdout, stderr } of [
        await run('drift', '--project', folder, '--url', url),
        await run('drift', '--project', folder, '--environment', 'staging'),
      ]) {
        expect(code).toBe(4);
        expect(stderr).toContain(message);
        expect(`${stdout}${stderr}`).not.toContain('s3cret');
      }
    });
  });

  test('as JSON if the connection to the instance is lost', async () => {
    await cli.sandbox.setFaults([{ kind: 'drop' }]);
    const { code, stdout } = await cli.run('pull', '--project', folder, '--format', 'json');
    expect(code).toBe(3);
    expect(parse(stdout)).toMatchObject({ command: 'pull', error: { state: 'unknown' } });
  });

  test('as JSON if it is interrupted', async () => {
    const requested = Promise.withResolvers<void>();
    // This server never answers.
    const server = await startTestServer(createServer(() => requested.resolve()));
    try {
      const run = cli
        .createRunner({ url: server.url, token: 'any' })
        .start('pull', '--project', folder, '--format', 'json');
      await requested.promise;
      run.kill('SIGINT');
      const { code, stdout } = await run.ended;
      expect(code).toBe(1);
      expect(parse(stdout)).toMatchObject({
        error: { state: 'failed', message: 'Canceled. Nothing was written.' },
      });
    } finally {
      await server.close();
    }
  });
});

test.each([
  [
    ['validate', '--format=json', '--nope'],
    { command: 'validate', message: 'Unknown option --nope for validate.' },
  ],
  [['validat', '--format', 'json'], { message: 'Unknown command. Did you mean validate?' }],
])('an invalid command line is reported as JSON: %j', async (args, { message, ...rest }) => {
  const { code, stdout, stderr } = await runCli(args);
  expect(code).toBe(4);
  expect(parse(stdout)).toEqual({ version: 1, ...rest, error: { state: 'refused', message } });
  expect(stderr).toContain(message);
});

test('an unknown command is reported without the help, which would be long', async () => {
  const { code, stdout, stderr } = await runCli(['pulll']);
  expect([code, stdout]).toEqual([4, '']);
  expect(stderr).toBe('Unknown command. Did you mean pull?\ndatamodel-studio help lists the commands.\n');
});

test('the schema of errors is printed', async () => {
  const { code, stdout } = await runCli(['schema', 'error']);
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ required: ['version', 'error'] });
});
