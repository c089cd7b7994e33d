import { readFile, stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import { describe, expect, test } from 'vitest';
import { buildOutputSchema } from '../../../src/cli/outputSchemas.ts';
import { CliSandboxFixture } from '../../support/cliSandboxFixture.ts';
import { cliScript, startCli } from '../../support/cliProcess.ts';
import { startTestServer } from '../../support/testServer.ts';

const idPattern = /Build ID: (\S+)/;

describe.each(['guide', 'contract'] as const)('a build on an instance of the profile %s', (profile) => {
  const cli = new CliSandboxFixture({ profile });

  const sendRequest = async (method: string, path: string): Promise<Response> =>
    fetch(`${cli.sandbox.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${cli.sandbox.adminToken}` },
    });

  test('is started only with --execute', async () => {
    const { code, stdout, stderr } = await cli.run('build', 'Retail');
    expect([code, stdout, stderr]).toEqual([
      0,
      'Retail (extract): full build: not started\n',
      'Nothing was started. Add --execute to build.\n',
    ]);
  });

  test('succeeds', async () => {
    const { code, stdout } = await cli.run('build', 'Retail', '--execute', '--format', 'json');
    expect(code).toBe(0);
    expect(buildOutputSchema.parse(JSON.parse(stdout))).toMatchObject({
      datamodel: { title: 'Retail', type: 'extract' },
      type: 'full',
      state: 'done',
    });
  });

  test('fails with the reason of the server', async () => {
    await cli.sandbox.setFaults([{ kind: 'failingBuilds', message: 'disk <full>' }]);
    const { code, stdout, stderr } = await cli.run('build', 'Retail', '--execute', '--format', 'junit');
    expect(code).toBe(1);
    expect(stdout).toContain('<failure type="failed"');
    // Build tasks of the vendor's contract have no error text.
    expect(stderr).toContain(profile === 'guide' ? 'disk <full>' : 'the server reported no reason');
  });

  test('ends with exit code 2 if it is canceled elsewhere', async () => {
    await cli.sandbox.setFaults([{ kind: 'slowBuilds', ms: 60_000 }]);
    const run = cli.start('build', 'Retail', '--execute');
    const [, id] = await run.waitForMessage(idPattern);
    expect((await sendRequest('DELETE', `/api/v2/builds/${id}`)).ok).toBe(true);
    const { code, stdout, stderr } = await run.ended;
    expect([code, stdout]).toEqual([2, expect.stringContaining('canceled')]);
    expect(stderr).toContain('The build was canceled.');
  });

  test('continues after Ctrl+C and after --timeout, and its ID is printed', async () => {
    await cli.sandbox.setFaults([{ kind: 'slowBuilds', ms: 60_000 }]);
    const run = cli.start('build', 'Retail', '--execute');
    const [, id] = await run.waitForMessage(idPattern);
    run.kill('SIGINT');
    const interrupted = await run.ended;
    expect(interrupted.code).toBe(3);
    expect(interrupted.stderr).toContain(
      `Stopped waiting. The build continues on the server. Build ID: ${id}`,
    );
    expect((await sendRequest('DELETE', `/api/v2/builds/${id}`)).ok).toBe(true);
    const timedOut = await cli.run('build', 'Retail', '--execute', '--timeout', '1s', '--format', 'json');
    expect(timedOut.code).toBe(3);
    const { build, unknownBecause } = buildOutputSchema.parse(JSON.parse(timedOut.stdout));
    expect(unknownBecause).toBe('timeout');
    expect((await sendRequest('DELETE', `/api/v2/builds/${build}`)).ok).toBe(true);
    const reported = await cli.run('build', 'Retail', '--execute', '--timeout', '1s', '--format', 'junit');
    const [, seconds, reportedId] =
      /<testcase [^>]*time="([\d.]+)"[\s\S]*Build ID: (\S+?)"/.exec(reported.stdout) ?? [];
    expect([reported.code, Number(seconds) >= 1]).toEqual([3, true]);
    expect((await sendRequest('DELETE', `/api/v2/builds/${reportedId}`)).ok).toBe(true);
  });

  test('has an unknown outcome if the token expires', async () => {
    await cli.sandbox.setFaults([
      { kind: 'status', status: 401, pathPrefix: '/api/v2/builds', methods: ['GET'] },
    ]);
    const { code, stderr } = await cli.run('build', 'Retail', '--execute');
    expect(code).toBe(3);
    expect(stderr).toContain('its outcome is unknown');
    expect(stderr).toContain('Check the API token.');
  });

  test('has an unknown outcome if the response to its start is lost', async () => {
    await cli.sandbox.setFaults([
      { kind: 'drop', pathPrefix: '/api/v2/builds', methods: ['POST'], when: 'after' },
    ]);
    const { code, stdout } = await cli.run('build', 'Retail', '--execute', '--format', 'json');
    expect(code).toBe(3);
    expect(buildOutputSchema.parse(JSON.parse(stdout))).toMatchObject({ unknownBecause: 'no-answer' });
  });

  test('is refused if an argument is invalid, or no datamodel has that title', async () => {
    const refused = [
      await cli.run('build', '--execute'),
      await cli.run('build', 'retail', '--execute'),
      await cli.run('build', 'Retail', '--type', 'publish', '--execute'),
      await cli.run('build', 'Retail', '--row-limit', '0', '--execute'),
      await cli.run('build', 'Retail', '--timeout', '5', '--execute'),
      await cli.run('build', 'Retail', '--no-wait', '--timeout', '5s', '--execute'),
    ];
    expect(refused.map(({ code }) => code)).toEqual(refused.map(() => 4));
  });
});

test('the command-line tool is one file of at most 1.2 MB', async () => {
  expect((await stat(cliScript)).size).toBeLessThanOrEqual(1_200_000);
  expect(await readFile(cliScript, 'utf8')).not.toMatch(/(?:from|import\()"\.\.?\//);
});

test('the bundled tool can connect through a proxy, although it contains only parts of undici', async () => {
  const targets: (string | undefined)[] = [];
  const server = createServer();
  server.on('connect', ({ url }, socket) => {
    targets.push(url);
    socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
  });
  const proxy = await startTestServer(server);
  try {
    const { code, stderr } = await startCli(
      ['rules', 'export', '--url', 'https://host.invalid', '--datamodel', 'x', '--token-stdin'],
      { input: 'any-token', env: { HTTPS_PROXY: proxy.url } },
    ).ended;
    expect([code, targets]).toEqual([3, ['host.invalid:443']]);
    expect(stderr).toContain('proxy');
  } finally {
    await proxy.close();
  }
});

test('help names the exit codes', async () => {
  const { code, stdout } = await startCli(['build', '--help']).ended;
  expect([code, stdout]).toEqual([0, expect.stringContaining('2 canceled; 3 outcome unknown')]);
});
