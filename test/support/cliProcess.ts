import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Readable } from 'node:stream';
import { expect } from 'vitest';
import { cliEnv, runCli } from './cliInProcess.ts';

/** The command-line tool as shipped. */
export const cliScript = join(import.meta.dirname, '../../dist/cli.js');

export interface CliExit {
  readonly code: number | null;
  /** The signal that ended the process, if it did not handle the signal. */
  readonly signal: NodeJS.Signals | null;
  /** The data that the command prints. */
  readonly stdout: string;
  /** The messages for the user. */
  readonly stderr: string;
}

export interface CliRun {
  readonly ended: Promise<CliExit>;
  /** Resolves when the messages match the pattern; rejects if the process ends before that. */
  waitForMessage(pattern: RegExp): Promise<RegExpMatchArray>;
  kill(signal: NodeJS.Signals): void;
}

export interface CliOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
  readonly cwd?: string;
}

/** Starts the command-line tool in its own process, without a terminal. */
export function startCli(args: readonly string[], { env = {}, input = '', cwd }: CliOptions = {}): CliRun {
  const child = spawn(process.execPath, [cliScript, ...args], {
    cwd,
    env: { ...cliEnv, ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  const messages = new MessageReader(child.stderr);
  const waitForExit = async (): Promise<CliExit> => {
    const [stdout, [code, signal]] = await Promise.all([
      text(child.stdout),
      once(child, 'close') as Promise<[number | null, NodeJS.Signals | null]>,
    ]);
    return { code, signal, stdout, stderr: messages.text };
  };
  return {
    ended: waitForExit(),
    waitForMessage: (pattern) => messages.waitFor(pattern),
    kill: (signal) => void child.kill(signal),
  };
}

/** Reads the messages of a process while it runs. */
class MessageReader {
  readonly #stream: Readable;
  text = '';

  constructor(stream: Readable) {
    this.#stream = stream;
    stream.setEncoding('utf8');
    stream.on('data', (chunk: string) => {
      this.text += chunk;
    });
  }

  waitFor(pattern: RegExp): Promise<RegExpMatchArray> {
    return new Promise((resolve, reject) => {
      const check = (): void => {
        const match = this.text.match(pattern);
        if (match !== null) {
          this.#stream.off('data', check);
          resolve(match);
        }
      };
      this.#stream.on('data', check);
      this.#stream.once('end', () => reject(new Error(`No message matches ${pattern}: ${this.text}`)));
      check();
    });
  }
}

/** Runs the command-line tool on an instance. Checks after each run that the output doesn't contain the token. */
export class CliRunner {
  readonly #url: string;
  readonly #token: string;
  readonly #stateFolder: string;

  constructor(instance: { readonly url: string; readonly token: string; readonly stateFolder: string }) {
    this.#url = instance.url;
    this.#token = instance.token;
    this.#stateFolder = instance.stateFolder;
  }

  /** Starts a command in its own process. */
  start(...args: readonly string[]): CliRun {
    const run = startCli(this.#addOptions(args), { env: { STUDIO_TOKEN: this.#token } });
    return { ...run, ended: run.ended.then((exit) => this.#assertNoToken(exit)) };
  }

  /** Runs a command within this process. */
  async run(...args: readonly string[]): Promise<CliExit> {
    return this.#assertNoToken(await runCli(this.#addOptions(args), { env: { STUDIO_TOKEN: this.#token } }));
  }

  #addOptions(args: readonly string[]): readonly string[] {
    const isWriting = /^(rules import|resume|roll-back)/.test(args.join(' '));
    const target = ['--url', this.#url, '--token-env', 'STUDIO_TOKEN'];
    return [...args, ...target, ...(isWriting ? ['--state', this.#stateFolder] : [])];
  }

  #assertNoToken(exit: CliExit): CliExit {
    expect(`${exit.stdout}${exit.stderr}`).not.toContain(this.#token);
    return exit;
  }
}
