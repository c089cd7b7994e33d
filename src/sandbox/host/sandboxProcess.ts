import { type ChildProcess, fork } from 'node:child_process';
import { createInterface } from 'node:readline';
import * as z from 'zod';

/** The first line that a sandbox prints (decisions.md, "Stable interfaces"). */
const readyLineSchema = z.object({ url: z.string(), adminToken: z.string(), userToken: z.string() });
export type SandboxProcessAccess = z.infer<typeof readyLineSchema>;

export interface RunningSandbox extends SandboxProcessAccess {
  /** Asks the process to end and kills it after a time limit. Resolves when it has ended. */
  stop(): Promise<void>;
  /**
   * Resolves with the exit code when the process has ended; null after a signal. Code 0 without a call of `stop` means
   * that another sandbox already runs on this data folder, and `url` is its address.
   */
  readonly exited: Promise<number | null>;
}

/** The sandbox did not start. `output` is what it printed, usually to standard error. */
export class SandboxStartError extends Error {
  override readonly name = 'SandboxStartError';
  readonly output: string;

  constructor(output: string) {
    super(`The sandbox didn't start: ${output.trim() || 'it ended without output'}`);
    this.output = output;
  }
}

export interface SandboxProcessOptions {
  /** Path of the bundled sandbox program. */
  readonly script: string;
  /** Path of the data folder, which is created if it is missing. */
  readonly folder: string;
  readonly seed: 'demo' | 'empty' | 'large';
  /** The profile of the platform; `guide` by default (decisions.md, "Two kinds of server"). */
  readonly profile?: 'guide' | 'contract';
  /** What a POST of a rule does if another rule has the same shares; if absent, the profile decides. */
  readonly sameShares?: 'add' | 'overwrite' | 'overwrite-new-id';
  readonly port?: number;
  readonly buildDelayMs?: number;
  /** How long `stop` waits before it kills the process, in milliseconds. */
  readonly stopTimeoutMs?: number;
}

/** Slightly more than a sandbox may take to shut down, in milliseconds (`shutdownTimeoutMs` in sandbox/main.ts). */
const defaultStopTimeoutMs = 2500;

/**
 * Starts the sandbox in a separate process, which ends with this one. In desktop VS Code the executable is Electron,
 * which runs as Node because of `ELECTRON_RUN_AS_NODE` (decisions.md, "Sandbox").
 * @throws SandboxStartError when it ends before it is ready, or when its first line is not the expected one
 */
export async function startSandboxProcess(options: SandboxProcessOptions): Promise<RunningSandbox> {
  const child = fork(options.script, createArguments(options), {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    execArgv: [],
    env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
  });
  const exited = new Promise<number | null>((resolve) => {
    // Unlike 'exit', 'close' is emitted after all output was read.
    child.once('close', (code) => resolve(code));
    child.once('error', () => resolve(null));
  });
  const access = await readAccess(child, exited);
  return {
    ...access,
    exited,
    async stop() {
      const killTimer = setTimeout(
        () => child.kill('SIGKILL'),
        options.stopTimeoutMs ?? defaultStopTimeoutMs,
      );
      child.kill('SIGTERM');
      await exited;
      clearTimeout(killTimer);
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

async function readAccess(child: ChildProcess, exited: Promise<unknown>): Promise<SandboxProcessAccess> {
  let errorOutput = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    errorOutput = (errorOutput + chunk.toString()).slice(-4000);
  });
  if (child.stdout === null) {
    throw new SandboxStartError("its output can't be read");
  }
  const lineReader = createInterface({ input: child.stdout });
  const firstLine = new Promise<string>((resolve) => lineReader.once('line', resolve));
  const line = await Promise.race([firstLine, exited.then(() => undefined)]);
  const result = readyLineSchema.safeParse(line === undefined ? undefined : parseJsonLine(line));
  if (!result.success) {
    child.kill();
    throw new SandboxStartError(errorOutput || (line ?? ''));
  }
  return result.data;
}

function parseJsonLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    // The caller reports the unexpected line.
    return undefined;
  }
}
