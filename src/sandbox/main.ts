import { Worker } from 'node:worker_threads';
import { stringify } from '../base/json.ts';
import { parseSandboxArguments, type SandboxArguments, usage, UsageError } from './arguments.ts';
import type { ServerMessage, ServerStart } from './serverThread.ts';

/**
 * The program of the sandbox. The server runs in a thread; this one only waits for the end, so that the end comes
 * whatever the server is doing.
 */

/** Time that the server has to end cleanly, in milliseconds. Every acknowledged write is on disk by then. */
const shutdownTimeoutMs = 2000;

/** The thread's file lies beside this one, in the sources as in the bundle. */
const server = new URL(
  import.meta.url.endsWith('.ts') ? './serverThread.ts' : './sandboxServer.js',
  import.meta.url,
);

const writeError = (line: string): void => {
  process.stderr.write(`${line}\n`);
};

/** Returns the arguments; `undefined` after reporting what is wrong with them. */
function readArguments(): SandboxArguments | undefined {
  try {
    return parseSandboxArguments(process.argv.slice(2));
  } catch (error) {
    if (error instanceof UsageError) {
      writeError(`${error.message}; ${usage}`);
      return undefined;
    }
    throw error;
  }
}

/** Nothing in a process survives this signal, not even a thread inside a native call, for which `exit` would wait. */
const killSelf = (): void => {
  process.kill(process.pid, 'SIGKILL');
};

function runServer(parsed: SandboxArguments): void {
  // State and built data contain the data of the user's sources: no other user may read them.
  process.umask(0o077);
  const thread = new Worker(server, { workerData: parsed satisfies ServerStart });
  let isReady = false;
  let isEnding = false;
  const end = (): void => {
    if (!isReady) {
      // No one has used it yet; the seed is written completely or not at all.
      killSelf();
    } else if (!isEnding) {
      isEnding = true;
      setTimeout(killSelf, shutdownTimeoutMs);
      thread.postMessage('stop');
    }
  };
  thread.on('message', (message: ServerMessage) => {
    if (message.kind === 'ended') {
      process.exit(message.code);
    }
    // The first line of standard output (decisions.md, "Stable interfaces").
    const line = `${stringify(message.access)}\n`;
    if (message.kind === 'attached') {
      // Another sandbox has the folder: nothing is left to do.
      process.stdout.write(line, () => process.exit(0));
      return;
    }
    process.stdout.write(line);
    isReady = true;
    process.on('SIGTERM', end);
    process.on('SIGINT', end);
    process.on('SIGHUP', end);
    process.stdout.on('error', end);
    if (parsed.stdinLifeline) {
      process.stdin.on('end', end);
      process.stdin.on('error', end);
      process.stdin.resume();
    }
  });
  thread.on('error', (error: Error) => {
    writeError(`The sandbox cannot go on: ${error.message}`);
    process.exit(1);
  });
  process.on('disconnect', end);
  // `send` exists in a forked process; its parent may have ended already.
  if (process.send !== undefined && !process.connected) {
    end();
  }
}

const parsed = readArguments();
if (parsed === undefined) {
  process.exitCode = 2;
  process.disconnect?.();
} else {
  runServer(parsed);
}
