import { mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { type CliExit, type CliRun, CliRunner } from './cliProcess.ts';
import { createRealWriter } from './createRealWriter.ts';
import { type SandboxBehavior, type TemporarySandbox, startTemporarySandbox } from './temporarySandbox.ts';

const subject = { kind: 'extract', server: 'LocalHost', elasticube: 'Retail' } as const;

/** The options that select the datamodel of the tests. */
export const retailOptions = ['--datamodel', 'Retail'] as const;

export const ruleTableHeading = 'table,column,access,value,party type,party';

/** A demo sandbox, and the command-line tool that is run on it as an administrator, for all tests of a suite. */
export class CliSandboxFixture {
  #sandbox: TemporarySandbox | undefined;
  #folder = '';

  constructor(behavior: SandboxBehavior) {
    beforeAll(async () => {
      this.#sandbox = await startTemporarySandbox('demo', behavior);
      this.#folder = await mkdtemp(join(tmpdir(), 'datamodel-studio-cli-'));
      const { code, stderr } = await this.run(
        'rules',
        'export',
        ...retailOptions,
        '--out',
        this.initialRulesPath,
      );
      expect(code, stderr).toBe(0);
    });
    afterEach(() => this.sandbox.setFaults([]));
    afterAll(async () => {
      await this.sandbox.stop();
      await rm(this.#folder, { recursive: true, force: true });
    });
  }

  get sandbox(): TemporarySandbox {
    if (this.#sandbox === undefined) {
      throw new Error('The sandbox is there only while tests run');
    }
    return this.#sandbox;
  }

  /** A temporary folder for the files of the tests. */
  get folder(): string {
    return this.#folder;
  }

  /** The path of a file with the initial rules. */
  get initialRulesPath(): string {
    return join(this.#folder, 'original.csv');
  }

  /** Creates a runner for another user or instance that shares the journal folder. */
  createRunner(user: { readonly url?: string; readonly token: string }): CliRunner {
    return new CliRunner({ url: this.sandbox.url, stateFolder: this.#stateFolder, ...user });
  }

  start(...args: readonly string[]): CliRun {
    return this.createRunner({ token: this.sandbox.adminToken }).start(...args);
  }

  run(...args: readonly string[]): Promise<CliExit> {
    return this.start(...args).ended;
  }

  async writeRuleTable(name: string, lines: readonly string[]): Promise<string> {
    const path = join(this.#folder, name);
    await writeFile(path, lines.join('\n'));
    return path;
  }

  /** Reads the current rules from the server, as sorted texts without IDs. */
  async readRules(): Promise<readonly string[]> {
    const { url, adminToken: token } = this.sandbox;
    const { client } = createRealWriter({ url, token, folder: this.#stateFolder });
    try {
      const { value } = await client.extractRules.list(subject);
      return value
        .map(({ table, column, members, allMembers, exclusionary, shares }) =>
          JSON.stringify([
            table,
            column,
            members,
            allMembers,
            exclusionary,
            shares?.map(({ type, party }) => [type, party]),
          ]),
        )
        .sort();
    } finally {
      client.dispose();
    }
  }

  /** Reads the contents of all files in the journal folder, concatenated. */
  async readJournals(): Promise<string> {
    const entries = await readdir(this.#stateFolder, { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile());
    const texts = files.map((entry) => readFile(join(entry.parentPath, entry.name), 'utf8'));
    return (await Promise.all(texts)).join('');
  }

  /** Returns the files in the journal folder that another user of the machine could open. */
  async findFilesReadableByOthers(): Promise<readonly string[]> {
    const names = await readdir(this.#stateFolder, { recursive: true });
    const paths = [this.#stateFolder, ...names.map((name) => join(this.#stateFolder, name))];
    const modes = await Promise.all(paths.map(async (path) => (await stat(path)).mode));
    return process.platform === 'win32'
      ? []
      : paths.filter((_, index) => ((modes[index] ?? 0) & 0o077) !== 0);
  }

  get #stateFolder(): string {
    return join(this.#folder, 'state');
  }
}
