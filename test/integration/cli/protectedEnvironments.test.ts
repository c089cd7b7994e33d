import { rename, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { runCli } from '../../support/cliInProcess.ts';
import { retailOptions, ruleTableHeading } from '../../support/cliSandboxFixture.ts';
import { isWrite } from '../../support/interceptingProxy.ts';
import { ProjectFixture } from '../../support/projectFixture.ts';
import { readFolderTexts } from '../../support/readFolderTexts.ts';

describe.each(['guide', 'contract'] as const)('a production instance of the profile %s', (profile) => {
  const fixture = new ProjectFixture({ profile });
  const takeWrites = () => fixture.proxy.takeRequests().filter(isWrite);
  /** The folder in the project in which commands run. */
  let cwd = '.';
  /** Runs a command, and expects its exit code. */
  const run = async (code: number, ...args: readonly string[]) => {
    process.chdir(join(fixture.project, cwd));
    const exit = await runCli([...args, '--token-env', 'TOKEN'], { env: { TOKEN: fixture.proxy.token } });
    expect(exit.code, `${exit.stdout}\n${exit.stderr}`).toBe(code);
    return exit;
  };
  const initialFolder = process.cwd();
  // The folder of the project is deleted after the test.
  afterEach(() => process.chdir(initialFolder));
  const journal = '0mxk3f9q2-3b241101-e2bb-4255-8caf-4136c566a962';
  const importRules = ['rules', 'import', 'rules.csv', ...retailOptions, '--mode', 'replace-columns'];

  test('is not written to with --url in the folder of its project', async () => {
    await fixture.addEnvironment('prod', { role: 'production' });
    await fixture.write('rules.csv', `${ruleTableHeading}\nOrders,Channel,nothing,,default,\n`);
    const url = ['--url', fixture.proxy.url];
    const refusal =
      '--url is the address of the environment prod, whose role is production. Use --environment prod instead.\n';
    for (const command of [
      importRules,
      ['build', 'Retail'],
      ['resume', journal],
      ['roll-back', journal],
      ['abandon', journal],
    ]) {
      for (const options of [
        ['--execute', '--confirm', 'prod'],
        ['--project', '.'],
      ]) {
        const { stdout, stderr } = await run(4, ...command, ...url, ...options);
        expect({ stdout, stderr }).toEqual({ stdout: '', stderr: refusal });
      }
    }
    expect(takeWrites()).toEqual([]);
    // Reading is allowed.
    expect((await run(0, 'rules', 'export', ...retailOptions, ...url)).stdout).toContain('Orders,Channel,');
    // The settings of the project don't matter, only its environments do.
    await fixture.write('datamodel-studio.json', '{');
    expect((await run(4, 'build', 'Retail', ...url)).stderr).toBe(refusal);
    await fixture.addEnvironment('prod', { role: 'staging' });
    await run(0, 'build', 'Retail', ...url);
    // Without the file, nothing shows that the instance is in production.
    await fixture.remove('environments/prod.json');
    const missing =
      'environments/prod.json: The file is missing, but environments/prod.lock.json exists. Restore it from version control, because its role might protect the instance from changes. Otherwise, delete the lock file, too.\n';
    expect((await run(4, 'build', 'Retail', ...url)).stderr).toBe(
      "--url might be the address of the environment prod, whose file is missing or can't be read. Its role might protect the instance from changes. Restore or fix environments/prod.json, or delete it and its lock file.\n",
    );
    await fixture.write('datamodel-studio.json', { version: 1, manage: { datamodels: ['*'] } });
    expect((await run(4, 'apply', '--environment', 'prod', '--execute')).stderr).toBe(missing);
    await fixture.remove('environments/prod.lock.json');
    await run(0, 'build', 'Retail', ...url);
  });

  test('is not written to with --url and a folder in its project', async () => {
    await fixture.addEnvironment('prod', { role: 'production' });
    await fixture.write('rules.csv', `${ruleTableHeading}\nOrders,Channel,nothing,,default,\n`);
    const outside = await fixture.createFolder(`links-${profile}`);
    await symlink(join(fixture.project, 'datamodels'), join(outside, 'to-project'));
    await symlink(outside, join(fixture.project, 'from-project'));
    const rulesFile = join(fixture.project, 'rules.csv');
    const commands = [
      ['rules', 'import', rulesFile, ...importRules.slice(3)],
      ['build', 'Retail'],
      ['resume', journal],
      ['roll-back', journal],
      ['abandon', journal],
    ];
    const expectRefusals = async (project: string, ...options: readonly string[]) => {
      for (const command of commands) {
        const exit = await run(4, ...command, '--url', fixture.proxy.url, ...options, '--execute');
        expect(exit).toMatchObject({
          stdout: '',
          stderr: `--url is the address of the environment prod, whose role is production. Use --project ${project} --environment prod instead.\n`,
        });
      }
    };
    for (const folder of ['datamodels', 'datamodels/', './datamodels/Retail/../Retail', 'from-project']) {
      await expectRefusals('.', '--project', folder);
    }
    await expectRefusals('.', '--project', join(outside, 'to-project'));
    cwd = 'datamodels';
    await expectRefusals('..');
    await expectRefusals('..', '--project', '.');
    await expectRefusals('..', '--project', join(fixture.project, cwd));
    cwd = '.';
    expect(takeWrites()).toEqual([]);
  });

  test('is not written to with --url by leaving out its tenant, from elsewhere, or from a project within its project', async () => {
    await fixture.addEnvironment('prod', { role: 'production', tenant: '6f0e1d2c3b4a' });
    const build = (...args: readonly string[]) =>
      run(4, 'build', 'Retail', '--url', fixture.proxy.url, ...args, '--execute');
    const refusal = '--url is the address of the environment prod, whose role is production. Use';
    for (const tenant of [[], ['--tenant', '6f0e1d2c3b4a'], ['--tenant', 'another']]) {
      expect((await build(...tenant)).stderr).toContain(`${refusal} --environment prod instead.`);
    }
    const elsewhere = await fixture.createFolder(`elsewhere-${profile}`);
    expect((await build('--project', elsewhere)).stderr).toContain(
      `${refusal} --project . --environment prod instead.`,
    );
    await fixture.write('datamodels/environments/dev.json', { url: 'https://dev.example.com' });
    cwd = 'datamodels';
    expect((await build()).stderr).toContain(`${refusal} --project .. --environment prod instead.`);
    cwd = '.';
    // An environment file that can't be read might protect the instance.
    await fixture.write('environments/prod.json', `{ "url": "${fixture.proxy.url}"`);
    for (const tenant of [[], ['--tenant', 'another']]) {
      expect((await build(...tenant)).stderr).toContain(
        '--url might be the address of the environment prod, ',
      );
    }
    // The lock file can't show the address of the environment either, since the tenant is unknown.
    await run(0, 'pull', '--url', fixture.proxy.url, '--tenant', '6f0e1d2c3b4a', '--project', elsewhere);
    await rename(
      join(elsewhere, 'environments/default.lock.json'),
      join(fixture.project, 'environments/prod.lock.json'),
    );
    await fixture.remove('environments/prod.json');
    cwd = 'datamodels';
    expect((await build()).stderr).toContain(
      'Its role might protect the instance from changes. Restore or fix ../environments/prod.json, or delete it',
    );
    cwd = '.';
    expect(takeWrites()).toEqual([]);
  });

  test('is not written to by another environment with its address without a confirmation', async () => {
    await fixture.addEnvironment('prod', { role: 'production' });
    await fixture.addEnvironment('b', { tenant: '6f0e1d2c3b4a' });
    await fixture.write('rules.csv', `${ruleTableHeading}\nOrders,Channel,nothing,,default,\n`);
    const environment = ['--environment', 'b', '--execute'];
    for (const command of [importRules, ['build', 'Retail'], ['apply']]) {
      expect((await run(4, ...command, ...environment)).stderr).toBe(
        'The environment b is a production instance, because the environment prod has the same address. To write to it, add --confirm b.\n',
      );
    }
    await run(0, 'build', 'Retail', '--environment', 'b');
    expect((await run(4, 'build', 'Retail', '--url', fixture.proxy.url)).stderr).toContain(
      '--url is the address of the environment prod, whose role is production.',
    );
    await fixture.addEnvironment('prod', { role: 'read-only' });
    expect((await run(4, 'build', 'Retail', ...environment, '--confirm', 'b')).stderr).toBe(
      'The environment b is read-only, because the environment prod has the same address.\n',
    );
    expect(takeWrites()).toEqual([]);
    await fixture.addEnvironment('prod', { role: 'production' });
    await run(0, 'build', 'Retail', ...environment, '--confirm', 'b', '--no-wait');
  });

  test('gets no second lock file by a pull or an apply with --url', async () => {
    await fixture.addEnvironment('test');
    const pull = ['pull', '--url', fixture.proxy.url, '--project', '.'];
    // The lock file of --url exists already.
    await run(0, ...pull);
    await fixture.remove('environments/default.lock.json');
    const before = await readFolderTexts(fixture.project);
    expect((await run(4, ...pull)).stderr).toBe(
      '--url is the address of the environment test. Use --environment test instead, so that the instance has only one lock file.\n',
    );
    const apply = ['apply', ...pull.slice(1), '--state', fixture.stateFolder, '--execute'];
    expect((await run(4, ...apply)).stderr).toContain('Use --environment test instead, so that');
    expect(takeWrites()).toEqual([]);
    expect(await readFolderTexts(fixture.project)).toEqual(before);
    await run(0, 'pull', '--environment', 'test');
    // Another instance may still be pulled.
    await fixture.remove('environments/test.lock.json');
    await fixture.write('environments/test.json', { url: 'https://other.example.com' });
    await run(0, ...pull);
  });

  test('requires a confirmation to import rules, but not to export them', async () => {
    await fixture.addEnvironment('prod', { role: 'production' });
    const environment = ['--environment', 'prod'];
    const exported = await run(0, 'rules', 'export', ...retailOptions, ...environment);
    expect(exported.stdout).toContain('Orders,Channel,');
    const environmentText = await fixture.read('environments/prod.json');
    for (const command of [['rules', 'export', ...retailOptions], ['plan']]) {
      const refused = await run(4, ...command, ...environment, '--out', 'environments/prod.json');
      expect(refused.stderr).toBe('The --out file belongs to a project. Use another file.\n');
    }
    expect(await fixture.read('environments/prod.json')).toBe(environmentText);
    await fixture.write('rules.csv', `${ruleTableHeading}\nOrders,Channel,nothing,,default,\n`);
    const state = ['--state', fixture.stateFolder];
    const runImport = (code: number, ...args: readonly string[]) =>
      run(code, ...importRules, ...state, ...args);
    expect((await runImport(0, ...environment)).stdout).toContain('Orders.Channel');
    const unconfirmed = await runImport(4, ...environment, '--execute');
    expect(unconfirmed.stderr).toContain('To write to it, add --confirm prod.');
    await fixture.addEnvironment('readonly', { role: 'read-only' });
    const readOnly = await runImport(4, '--environment', 'readonly', '--execute');
    expect(readOnly.stderr).toBe('The environment readonly is read-only.\n');
    const readOnlyPreview = await runImport(0, '--environment', 'readonly');
    expect(readOnlyPreview.stderr).toContain('Nothing was written. The environment readonly is read-only.\n');
    const unstarted = await run(0, 'build', 'Retail', '--environment', 'readonly');
    expect(unstarted.stderr).toBe('Nothing was started. The environment readonly is read-only.\n');
    await fixture.remove('environments/readonly.json');
    await fixture.remove('environments/readonly.lock.json');
    // A confirmation of another environment is a mistake, even if none is needed.
    await fixture.addEnvironment('prod');
    await fixture.addEnvironment('test');
    const mistaken = ['--environment', 'test', '--execute', '--confirm', 'prod'];
    for (const command of [
      [...importRules, ...state],
      ['build', 'Retail'],
      ['apply', ...state],
    ]) {
      expect((await run(4, ...command, ...mistaken)).stderr).toBe(
        '--confirm specifies a different environment. The environment to write to is test.\n',
      );
    }
    expect(takeWrites()).toEqual([]);
    await fixture.addEnvironment('prod', { role: 'production' });
    const imported = await runImport(0, ...environment, '--execute', '--confirm', 'prod');
    expect(imported.stderr).toContain('Done. The rules on the server match the file.');
    expect(takeWrites()).not.toEqual([]);
    const missing = await run(
      4,
      'rules',
      'import',
      join('missing', 'rules.csv'),
      ...importRules.slice(3),
      ...environment,
    );
    expect(missing.stderr).toBe(
      "Can't read the file to import. The file or its folder doesn't exist (ENOENT).\n",
    );
  });
});
