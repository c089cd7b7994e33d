import { type ChildProcess, fork } from 'node:child_process';
import { createInterface } from 'node:readline';
import * as z from 'zod';

/** The first line that the sandbox prints (design.md, section 13). */
const readyLineSchema = z.object({ url: z.string(), adminToken: z.string(), userToken: z.string() });
export type SandboxProcessAddress = z.infer<typeof readyLineSchema>;

export interface RunningSandbox extends SandboxProcessAddress {
  /** Ends the process, killing it when it does not end by itself; resolves when it is gone. */
  stop(): Promise<void>;
  /**
   * Resolves with the exit code when the process ended, null after a signal. Code 0 without being asked means that
   * another sandbox runs on this data folder already and `url` is that one's.
   */
  readonly exited: Promise<number | null>;
}

/** The sandbox did not start; `output` is what it said. */
export class SandboxStartError extends Error {
  override readonly name = 'SandboxStartError';
  readonly output: string;

  constructor(output: string) {
    super(`The sandbox did not start: ${output.trim() || 'it ended without a word'}`);
    this.output = output;
  }
}

export interface SandboxProcessOptions {
  /** The sandbox's bundled program. */
  readonly script: string;
  /** The data folder; it is made when it is missing. */
  readonly folder: string;
  readonly seed: 'demo' | 'empty' | 'large';
  /** Which opinion of the platform it follows; `guide` where nothing is said (design.md, section 14). */
  readonly profile?: 'guide' | 'contract';
  /** What a POST does with a rule whose shares are exactly those of another; else as the profile has it. */
  readonly sameShares?: 'add' | 'overwrite' | 'overwrite-new-id';
  readonly port?: number;
  readonly buildDelayMs?: number;
  /** How long it has to end by itself when it is stopped, in milliseconds. */
  readonly stopMs?: number;
}

/** A sandbox ends within two seconds by itself (sandbox/main.ts). */
const stopTimeoutMs = 2500;

/**
 * Starts the sandbox in a process of its own, which ends with this one. In the desktop editor the host's executable
 * is Electron, so it is told to run as Node (design.md, section 5).
 * @throws SandboxStartError when it ends before it is ready or says something else
 */
export async function startSandboxProcess(options: SandboxProcessOptions): Promise<RunningSandbox> {
  const child = fork(options.script, createArguments(options), {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    execArgv: [],
    env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
  });
  const exited = new Promise<number | null>((resolve) => {
    // Not 'exit': by 'close' all that it printed has been read.
    child.once('close', (code) => resolve(code));
    child.once('error', () => resolve(null));
  });
  const address = await readProcessAddress(child, exited);
  return {
    ...address,
    exited,
    async stop() {
      const kill = setTimeout(() => child.kill('SIGKILL'), options.stopMs ?? stopTimeoutMs);
      child.kill('SIGTERM');
      await exited;
      clearTimeout(kill);
    },
  };
}

function createArguments(options: SandboxProcessOptions): string[] {
  const { folder, seed, port = 0, profile, sameShares, buildDelayMs } = options;
  return [
    '--port',
    String(port),
    '--data',
    folder,
    '--seed',
    seed,
    ...(profile === undefined ? [] : ['--profile', profile]),
    ...(sameShares === undefined ? [] : ['--same-shares', sameShares]),
    ...(buildDelayMs === undefined ? [] : ['--build-delay', String(buildDelayMs)]),
  ];
}

async function readProcessAddress(
  child: ChildProcess,
  exited: Promise<unknown>,
): Promise<SandboxProcessAddress> {
  let errors = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    errors = (errors + chunk.toString()).slice(-4000);
  });
  if (child.stdout === null) {
    throw new SandboxStartError('its output cannot be read');
  }
  const lines = createInterface({ input: child.stdout });
  const firstLine = new Promise<string>((resolve) => lines.once('line', resolve));
  const line = await Promise.race([firstLine, exited.then(() => undefined)]);
  const address = readyLineSchema.safeParse(line === undefined ? undefined : parseJsonLine(line));
  if (!address.success) {
    child.kill();
    throw new SandboxStartError(errors || (line ?? ''));
  }
  return address.data;
}

function parseJsonLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    // Not the line that was promised: the caller tells what came instead.
    return undefined;
  }
}
