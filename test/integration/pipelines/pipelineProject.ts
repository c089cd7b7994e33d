import { execFileSync } from 'node:child_process';
import { copyFile, cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect } from 'vitest';
import type { PlatformClient } from '../../../src/client/platformClient.ts';
import { findExecutable } from '../../../src/launcher/executables.ts';
import { createCliManifest } from '../../../src/packaging/cli/manifest.ts';
import { projectRoot } from '../../../src/launcher/projectRoot.ts';
import { runCli } from '../../support/cliInProcess.ts';
import { type CliExit, cliScript } from '../../support/cliProcess.ts';
import { createRealWriter } from '../../support/createRealWriter.ts';
import { readTableDescription, updateTableDescription } from '../../support/demoTables.ts';
import { type TemporarySandbox, startTemporarySandbox } from '../../support/temporarySandbox.ts';

/** The names of the environments of the project, each with its own instance. */
export const environments = ['test', 'prod'] as const;
export type EnvironmentName = (typeof environments)[number];

/** A project in a Git repository with a remote, as the documented pipelines expect it, and its two instances. */
export class PipelineProject {
  readonly #sandboxes = new Map<EnvironmentName, TemporarySandbox>();
  #root = '';

  /** @param files the files of the pipeline, by their path in the repository, with the path of their source */
  constructor(files: Readonly<Record<string, string>>) {
    beforeAll(async () => {
      this.#root = await mkdtemp(join(tmpdir(), 'datamodel-studio-pipeline-'));
      const [test, prod] = await Promise.all([startTemporarySandbox('demo'), startTemporarySandbox('demo')]);
      this.#sandboxes.set('test', test).set('prod', prod);
      await this.#createProject(files);
    });
    afterAll(async () => {
      await Promise.all([...this.#sandboxes.values()].map((sandbox) => sandbox.stop()));
      await rm(this.#root, { recursive: true, force: true });
    });
  }

  /** The address of the remote repository. */
  get origin(): string {
    return pathToFileURL(join(this.#root, 'origin.git')).href;
  }

  getToken(environment: EnvironmentName): string {
    return this.#getSandbox(environment).adminToken;
  }

  /** Creates an empty folder for one job of a pipeline. */
  createFolder(): Promise<string> {
    return mkdtemp(join(this.#root, 'job-'));
  }

  /** Runs Git in the working copy of a developer. */
  git(...args: readonly string[]): string {
    return execFileSync('git', args, { cwd: this.#workingCopy, env: this.#gitEnv, encoding: 'utf8' }).trim();
  }

  /**
   * Commits a description of two tables.
   * @param isBroken whether the file of Orders can't be read
   */
  async commitDescription(description: string, isBroken = false): Promise<string> {
    for (const name of ['Categories', 'Orders']) {
      const path = join(this.#workingCopy, `datamodels/Retail/tables/${name}.table.json`);
      const table = JSON.parse((await readFile(path, 'utf8')).replace(/^broken /, '')) as object;
      const text = JSON.stringify({ ...table, description }, undefined, 2);
      await writeFile(path, `${isBroken && name === 'Orders' ? 'broken ' : ''}${text}\n`);
    }
    this.git('commit', '--quiet', '--all', '--message', description);
    return this.git('rev-parse', 'HEAD');
  }

  /** Returns the description of the table Orders on an instance. */
  readDescription(environment: EnvironmentName): Promise<unknown> {
    return this.#runAsOtherUser(environment, (client) => readTableDescription(client, 'Orders'));
  }

  /** Changes the description of the table Orders on an instance, without the pipeline. */
  setDescription(environment: EnvironmentName, description: string): Promise<void> {
    return this.#runAsOtherUser(environment, (client) =>
      updateTableDescription(client, 'Orders', description),
    );
  }

  /** Runs a command on an instance, as a developer does on their own machine. */
  runCli(environment: EnvironmentName, ...args: readonly string[]): Promise<CliExit> {
    const { url, adminToken } = this.#getSandbox(environment);
    return runCli([...args, '--url', url, '--token-env', 'TOKEN'], { env: { TOKEN: adminToken } });
  }

  /** Makes an instance refuse every second change of a table, or accept all of them again. */
  refuseSecondWrite(environment: EnvironmentName, refuses: boolean): Promise<void> {
    return this.#getSandbox(environment).setFaults(
      refuses ? [{ kind: 'status', status: 403, methods: ['PATCH'], every: 2 }] : [],
    );
  }

  /** Returns the variables that every job has, apart from those of the CI server. */
  createJobEnv(folder: string): Record<string, string> {
    const prefix = join(folder, 'npm');
    return {
      PATH: [join(prefix, 'bin'), dirname(process.execPath), process.env['PATH'] ?? ''].join(':'),
      HOME: join(folder, 'home'),
      GIT_CONFIG_NOSYSTEM: '1',
      npm_config_prefix: prefix,
      npm_config_offline: 'true',
      npm_config_audit: 'false',
      npm_config_fund: 'false',
    };
  }

  get #workingCopy(): string {
    return join(this.#root, 'work');
  }

  get #gitEnv(): Record<string, string> {
    return {
      PATH: process.env['PATH'] ?? '',
      HOME: this.#root,
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_AUTHOR_NAME: 'Dev',
      GIT_AUTHOR_EMAIL: 'dev@example.com',
      GIT_COMMITTER_NAME: 'Dev',
      GIT_COMMITTER_EMAIL: 'dev@example.com',
    };
  }

  async #createProject(files: Readonly<Record<string, string>>): Promise<void> {
    await mkdir(join(this.#workingCopy, 'environments'), { recursive: true });
    await mkdir(join(this.#workingCopy, 'ci'));
    const roles = { test: 'staging', prod: 'production' };
    for (const name of environments) {
      const { url, adminToken } = this.#getSandbox(name);
      await writeFile(
        join(this.#workingCopy, `environments/${name}.json`),
        JSON.stringify({ url, role: roles[name] }),
      );
      const args = ['pull', '--project', this.#workingCopy, '--environment', name, '--token-env', 'TOKEN'];
      const { code, stderr } = await runCli(args, { env: { TOKEN: adminToken } });
      expect(code, stderr).toBe(0);
    }
    await copyFile(await this.#packCli(), join(this.#workingCopy, 'ci/datamodel-studio-cli.tgz'));
    for (const [path, source] of Object.entries(files)) {
      await mkdir(dirname(join(this.#workingCopy, path)), { recursive: true });
      await copyFile(join(projectRoot, source), join(this.#workingCopy, path));
    }
    const origin = join(this.#root, 'origin.git');
    this.git('init', '--quiet', '--bare', '--initial-branch', 'main', origin);
    for (const setting of ['uploadpack.allowAnySHA1InWant', 'receive.advertisePushOptions']) {
      this.git('--git-dir', origin, 'config', setting, 'true');
    }
    this.git('init', '--quiet', '--initial-branch', 'main');
    this.git('remote', 'add', 'origin', this.origin);
    this.git('add', '--all');
    this.git('commit', '--quiet', '--message', 'Pull the instances');
    this.git('push', '--quiet', 'origin', 'main');
  }

  /** Packs the command line as `npm run package` does. */
  async #packCli(): Promise<string> {
    const folder = join(this.#root, 'cli');
    await mkdir(folder);
    await cp(cliScript, join(folder, 'cli.js'));
    const manifest = createCliManifest(
      JSON.parse(await readFile(join(projectRoot, 'package.json'), 'utf8')) as Parameters<
        typeof createCliManifest
      >[0],
    );
    await writeFile(join(folder, 'package.json'), JSON.stringify(manifest));
    const name = execFileSync(findExecutable('npm') ?? 'npm', ['pack', '--silent'], {
      cwd: folder,
      encoding: 'utf8',
    }).trim();
    return join(folder, name);
  }

  async #runAsOtherUser<T>(
    environment: EnvironmentName,
    use: (client: PlatformClient) => Promise<T>,
  ): Promise<T> {
    const { url, adminToken: token } = this.#getSandbox(environment);
    const { client } = createRealWriter({ url, token, folder: join(this.#root, 'other-history') });
    try {
      return await use(client);
    } finally {
      client.dispose();
    }
  }

  #getSandbox(environment: EnvironmentName): TemporarySandbox {
    const sandbox = this.#sandboxes.get(environment);
    if (sandbox === undefined) {
      throw new Error('The instances are there only while tests run');
    }
    return sandbox;
  }
}
