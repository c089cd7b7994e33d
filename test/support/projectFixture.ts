import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { type JsonObject, isJsonObject } from '../../src/base/json.ts';
import { asObject } from '../../src/changes/model/jsonMembers.ts';
import type { PlatformClient } from '../../src/client/platformClient.ts';
import { parseJsonFile } from '../../src/project/files/jsonFile.ts';
import { runCli } from './cliInProcess.ts';
import { type CliExit, type CliRun, startCli } from './cliProcess.ts';
import { createRealWriter } from './createRealWriter.ts';
import { updateTableDescription } from './demoTables.ts';
import { type InterceptingProxy, startInterceptingProxy } from './interceptingProxy.ts';
import { readFolderTexts } from './readFolderTexts.ts';
import { type SandboxBehavior, type TemporarySandbox, startTemporarySandbox } from './temporarySandbox.ts';

/** Environment variables of each command, in addition to the token. */
const extraEnv = { SOURCE_PASSWORD: 'hunter2-of-the-source' };

/** A demo sandbox behind a proxy, and a project that was pulled from it. Both are reset before each test. */
export class ProjectFixture {
  readonly secret = extraEnv.SOURCE_PASSWORD;
  readonly #behavior: SandboxBehavior;
  #root = '';
  #project = '';
  #sandbox: TemporarySandbox | undefined;
  #proxy: InterceptingProxy | undefined;
  #isChangedByOthers = false;
  #writeCountAtStart = 0;

  constructor(behavior: SandboxBehavior) {
    this.#behavior = behavior;
    beforeAll(async () => {
      this.#root = await mkdtemp(join(tmpdir(), 'datamodel-studio-project-'));
      this.#proxy = await startInterceptingProxy();
      await this.#startInstance();
      const exit = await this.run('pull', '--project', await this.createFolder('pulled'));
      expect(exit.code, exit.stderr).toBe(0);
    });
    beforeEach(async () => {
      await this.useNewInstance();
      await this.useNewProject();
      this.proxy.takeRequests();
    });
    afterEach(async () => {
      this.proxy.intercept();
      await this.sandbox.setFaults([]);
    });
    afterAll(async () => {
      await this.#sandbox?.stop();
      await this.proxy.close();
      await rm(this.#root, { recursive: true, force: true });
    });
  }

  get proxy(): InterceptingProxy {
    return requireStarted(this.#proxy);
  }

  get sandbox(): TemporarySandbox {
    return requireStarted(this.#sandbox);
  }

  /** The folder of the project of the test. */
  get project(): string {
    return this.#project;
  }

  /** The folder of the journals of the test. */
  get stateFolder(): string {
    return `${this.#project}-state`;
  }

  /** Replaces the project by a new copy, as it was pulled, and removes the journals. */
  async useNewProject(): Promise<void> {
    this.#project = await mkdtemp(join(this.#root, 'project-'));
    await cp(join(this.#root, 'pulled'), this.#project, { recursive: true });
  }

  /** Replaces the sandbox by a new one at the same address if it was changed since it started. */
  async useNewInstance(): Promise<void> {
    if (this.#isChangedByOthers || this.proxy.forwardedWriteCount > this.#writeCountAtStart) {
      await this.#sandbox?.stop();
      await this.#startInstance();
    }
  }

  async createFolder(name: string): Promise<string> {
    const folder = join(this.#root, name);
    await mkdir(folder, { recursive: true });
    return folder;
  }

  /** Starts a command on the instance and the project in its own process, with the journal folder of the test. */
  start(...args: readonly string[]): CliRun {
    const run = startCli(this.#addOptions(args), { env: this.#env });
    return { ...run, ended: run.ended.then((exit) => this.#assertNoSecrets(exit)) };
  }

  /** Runs a command on the instance and the project within this process, with the journal folder of the test. */
  async run(...args: readonly string[]): Promise<CliExit> {
    return this.#assertNoSecrets(await runCli(this.#addOptions(args), { env: this.#env }));
  }

  /** Runs a command and expects its exit code; if it differs, the error message contains the output of the command. */
  async expectExit(code: number, ...args: readonly string[]): Promise<CliExit> {
    const exit = await this.run(...args);
    expect(exit.code, `${exit.stdout}\n${exit.stderr}`).toBe(code);
    return exit;
  }

  read(path: string): Promise<string> {
    return readFile(join(this.project, path), 'utf8');
  }

  async readJson(path: string): Promise<JsonObject> {
    const parsed = parseJsonFile(await this.read(path));
    const value = 'value' in parsed ? parsed.value : undefined;
    if (!isJsonObject(value)) {
      throw new Error(`${path} is no object`);
    }
    return value;
  }

  /** Writes a file of the project: a text, or JSON. */
  async write(path: string, content: string | object): Promise<void> {
    const target = join(this.project, path);
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, typeof content === 'string' ? content : JSON.stringify(content, undefined, 2));
  }

  /** Changes members of a JSON file of the project. */
  async changeJson(path: string, members: JsonObject): Promise<void> {
    await this.write(path, { ...(await this.readJson(path)), ...members });
  }

  /** Publishes a viewpoint in its file, where two members say whether it is published. */
  async publishInFile(path: string): Promise<void> {
    const { visibility } = await this.readJson(path);
    await this.changeJson(path, { enabled: true, visibility: { ...asObject(visibility), enabled: true } });
  }

  async remove(path: string): Promise<void> {
    await rm(join(this.project, path), { recursive: true });
  }

  async addEnvironment(name: string, content: object = {}): Promise<void> {
    await this.write(`environments/${name}.json`, { url: this.proxy.url, ...content });
    await cp(
      join(this.project, 'environments/default.lock.json'),
      join(this.project, `environments/${name}.lock.json`),
    );
  }

  /** Pulls the instance into an empty folder. Returns its files, without those of the environment. */
  async readInstance(...options: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const folder = await mkdtemp(join(this.#root, 'instance-'));
    await this.expectExit(0, 'pull', '--project', folder, ...options);
    const files = await readFolderTexts(folder);
    await rm(folder, { recursive: true });
    return new Map([...files].filter(([path]) => !path.startsWith('environments/')));
  }

  /** Calls a function with a client that bypasses the proxy, as another user would. */
  async runAsOtherUser<T>(use: (client: PlatformClient) => Promise<T>): Promise<T> {
    this.#isChangedByOthers = true;
    const { url, adminToken: token } = this.sandbox;
    const { client } = createRealWriter({ url, token, folder: join(this.#root, 'other-history') });
    try {
      return await use(client);
    } finally {
      client.dispose();
    }
  }

  /** Changes the description of a table of Retail on the instance, as another user. */
  setTableDescription(name: string, description: string): Promise<void> {
    return this.runAsOtherUser((client) => updateTableDescription(client, name, description));
  }

  /** Returns the texts of all journals, concatenated. */
  async readJournals(): Promise<string> {
    return [...(await readFolderTexts(this.stateFolder)).values()].join('\n');
  }

  async #startInstance(): Promise<void> {
    this.#sandbox = await startTemporarySandbox('demo', this.#behavior);
    this.proxy.setInstance(this.#sandbox);
    this.#isChangedByOthers = false;
    this.#writeCountAtStart = this.proxy.forwardedWriteCount;
  }

  get #env(): Readonly<Record<string, string>> {
    return { STUDIO_TOKEN: this.proxy.token, ...extraEnv };
  }

  #addOptions(args: readonly string[]): readonly string[] {
    const [command = ''] = args;
    const has = (name: string): boolean => args.includes(name);
    const isOnProject = ['plan', 'apply', 'drift'].includes(command);
    return [
      ...args,
      '--token-env',
      'STUDIO_TOKEN',
      ...(has('--environment') || has('--url') ? [] : ['--url', this.proxy.url]),
      ...(isOnProject && !has('--project') ? ['--project', this.project] : []),
      ...(['plan', 'apply', 'drift', 'build', 'resume', 'roll-back', 'abandon'].includes(command) &&
      !has('--state')
        ? ['--state', this.stateFolder]
        : []),
    ];
  }

  #assertNoSecrets(exit: CliExit): CliExit {
    expect(`${exit.stdout}${exit.stderr}`).not.toContain(this.proxy.token);
    expect(`${exit.stdout}${exit.stderr}`).not.toContain(this.secret);
    return exit;
  }
}

function requireStarted<T>(value: T | undefined): T {
  if (value === undefined) {
    throw new Error('The instance is there only while tests run');
  }
  return value;
}
