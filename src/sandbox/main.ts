import { resolve } from 'node:path';
import { systemClock } from '../base/clock.ts';
import { stringify } from '../base/json.ts';
import type { Log, LogFacts } from '../base/log.ts';
import { parseArguments, type SandboxArguments, usage, UsageError } from './arguments.ts';
import { claim } from './attach.ts';
import { DataFolder } from './dataFolder.ts';
import { createBuildEngine } from './engine/engine.ts';
import { profileOf } from './profiles/profiles.ts';
import { seeds } from './seeds/seeds.ts';
import { type Sandbox, type SandboxAccess, startSandbox } from './server.ts';

/** The worker lies beside this file, in the sources as in the bundle. */
const worker = new URL(
  import.meta.url.endsWith('.ts') ? './engine/buildWorker.ts' : './buildWorker.js',
  import.meta.url,
);

const writeError = (line: string): void => {
  process.stderr.write(`${line}\n`);
};

/** Warnings and errors go to standard error; standard output belongs to the one line of the seam. */
const stderrLog: Log = {
  debug() {},
  info() {},
  warn: (tag, message, facts) => writeError(logLine('warning', tag, message, facts)),
  error: (tag, message, facts) => writeError(logLine('error', tag, message, facts)),
};

const logLine = (level: string, tag: string, message: string, facts: LogFacts = {}): string =>
  `${level} [${tag}] ${message} ${stringify(facts)}`;

/** Prints how to reach the sandbox: the first line of standard output (design.md, section 13). */
const print = (access: SandboxAccess): void => {
  process.stdout.write(`${stringify(access)}\n`);
};

/** Starts the sandbox, or finds the one that runs in the folder. Answers the exit code when nothing is left to do. */
async function main(args: readonly string[]): Promise<number | undefined> {
  let parsed: SandboxArguments;
  try {
    parsed = parseArguments(args);
  } catch (error) {
    if (error instanceof UsageError) {
      writeError(`${error.message}; ${usage}`);
      return 2;
    }
    throw error;
  }
  // State and built data hold what the user's sources hold: nobody else may read them.
  process.umask(0o077);
  const folder = new DataFolder(resolve(parsed.data));
  const claimed = await claim(folder, systemClock);
  if ('running' in claimed) {
    print(claimed.running);
    return 0;
  }
  const sandbox = await startSandbox({
    folder,
    lock: claimed.lock,
    seed: seeds[parsed.seed],
    profile: profileOf(parsed.profile, parsed.sameShares),
    engine: createBuildEngine({ worker }),
    port: parsed.port,
    buildDelayMs: parsed.buildDelayMs,
    faults: parsed.faults,
    clock: systemClock,
    log: stderrLog,
  });
  endWith(sandbox, parsed);
  print(sandbox.access);
  return undefined;
}

/** Ends the sandbox on a signal, and when whoever started it is gone, however it went (design.md, section 5). */
function endWith(sandbox: Sandbox, { stdinLifeline }: SandboxArguments): void {
  const end = (): void => {
    sandbox.stop().then(
      () => process.exit(0),
      (error: unknown) => {
        writeError(logLine('error', 'sandbox', 'The sandbox did not stop cleanly', { error: String(error) }));
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', end);
  process.on('SIGINT', end);
  process.on('SIGHUP', end);
  process.stdout.on('error', end);
  process.on('disconnect', end);
  // `send` is there in a forked process; its parent may have gone while we were starting.
  if (process.send !== undefined && !process.connected) {
    end();
  }
  if (stdinLifeline) {
    process.stdin.on('end', end);
    process.stdin.on('error', end);
    process.stdin.resume();
  }
}

// One broken request must not end the sandbox for all others; the state is SQLite's and stays whole.
process.on('uncaughtException', (error) => {
  stderrLog.error('sandbox', 'An error was not handled', { message: error.message });
});

try {
  const code = await main(process.argv.slice(2));
  if (code !== undefined) {
    process.exitCode = code;
    // A forked process would be kept alive by its channel.
    process.disconnect?.();
  }
} catch (error) {
  writeError(`The sandbox cannot start: ${error instanceof Error ? error.message : String(error)}`);
  process.exit(1);
}
