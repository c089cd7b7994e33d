import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';

const superviseScript = fileURLToPath(new URL('./supervise.ts', import.meta.url));
/** The number of the latest output lines that are kept, for a pattern that is waited for later. */
const maxOutputLines = 200;

export interface SupervisedOptions {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly cwd?: string;
  /** Receives every line of stdout and stderr. */
  readonly onLine?: (line: string) => void;
}

/** A running command with its child processes. They end when this process ends, even if it is killed. */
export interface SupervisedProcess {
  /** Settles with the exit code when the command and its process group have ended; `undefined` when killed. */
  readonly ended: Promise<number | undefined>;
  /** Waits for the first output line that matches. Rejects if the command ends before, or after the timeout. */
  waitForLine(pattern: RegExp, timeoutMs: number): Promise<RegExpExecArray>;
  stop(): Promise<void>;
}

interface LineWaiter {
  readonly pattern: RegExp;
  readonly onMatch: (match: RegExpExecArray) => void;
}

/** Starts a command under `supervise.ts`. */
export function startSupervised(options: SupervisedOptions): SupervisedProcess {
  const lines: string[] = [];
  const waiters = new Set<LineWaiter>();
  const child = spawn(process.execPath, [superviseScript, options.command, ...options.args], {
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
    env: options.env,
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
  });
  const ended = new Promise<number | undefined>((resolve) => {
    child.once('error', () => resolve(undefined));
    child.once('close', (code) => resolve(code ?? undefined));
  });

  function handleLine(line: string): void {
    lines.push(line);
    if (lines.length > maxOutputLines) {
      lines.shift();
    }
    options.onLine?.(line);
    for (const waiter of waiters) {
      const match = waiter.pattern.exec(line);
      if (match !== null) {
        waiters.delete(waiter);
        waiter.onMatch(match);
      }
    }
  }
  const readLines = (stream: Readable): void => {
    createInterface({ input: stream }).on('line', handleLine);
  };
  readLines(child.stdout);
  readLines(child.stderr);
  // Ignore that the supervisor may have ended before its stdin is closed.
  child.stdin.on('error', () => undefined);

  return {
    ended,
    async waitForLine(pattern, timeoutMs) {
      for (const line of lines) {
        const match = pattern.exec(line);
        if (match !== null) {
          return match;
        }
      }
      return new Promise((resolve, reject) => {
        const waiter: LineWaiter = {
          pattern,
          onMatch(match) {
            clearTimeout(timer);
            resolve(match);
          },
        };
        const fail = (reason: string): void => {
          if (waiters.delete(waiter)) {
            clearTimeout(timer);
            const tail = lines.slice(-20).join('\n');
            reject(new Error(`${options.command} ${reason} before it printed ${String(pattern)}\n${tail}`));
          }
        };
        const timer = setTimeout(() => fail(`wasn't ready within ${timeoutMs} ms`), timeoutMs);
        waiters.add(waiter);
        void ended.then(() => fail('ended'));
      });
    },
    async stop() {
      child.stdin.end();
      await ended;
    },
  };
}
