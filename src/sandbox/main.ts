import { Worker } from 'node:worker_threads';
import { stringify } from '../base/json.ts';
import {
  asksForHelp,
  help,
  parseSandboxArguments,
  type SandboxArguments,
  usage,
  UsageError,
} from './arguments.ts';
import type { ServerMessage, ServerArguments } from './serverThread.ts';

/**
 * Entry point of the sandbox process. The server runs in a worker thread, so that the main thread can always end the
 * process, even while the server is blocked.
 */

/** How long the server may take to shut down, in milliseconds. Acknowledged writes are already on disk. */
const shutdownTimeoutMs = 2000;

/** The entry file of the worker thread, next to this file both in the sources and in the bundle. */
const serverUrl = new URL(
  import.meta.url.endsWith('.ts') ? './serverThread.ts' : './sandboxServer.js',
  import.meta.url,
);

const writeError = (line: string): void => {
  process.stderr.write(`${line}\n`);
};

/** Returns the parsed command line; reports an invalid one and returns `undefined`. */
function readArguments(): SandboxArguments | undefined {
  try {
    return parseSandboxArguments(process.argv.slice(2));
  } catch (error) {
    if (error instanceof UsageError) {
      writeError(`${error.message} ${usage}`);
      return undefined;
    }
    throw error;
  }
}

/** Ends the process with SIGKILL, because `process.exit` would wait for a thread inside a native call. */
const killSelf = (): void => {
  process.kill(process.pid, 'SIGKILL');
};

function runServer(args: SandboxArguments): void {
  // Other users of the machine must not read the state or the built data, which contain the user's own data.
  process.umask(0o077);
  const thread = new Worker(serverUrl, { workerData: args satisfies ServerArguments });
  let isReady = false;
  let isShuttingDown = false;
  const shutDown = (): void => {
    if (!isReady) {
      // Safe before it is ready: there are no callers yet, and the seed is written in one transaction.
      killSelf();
    } else if (!isShuttingDown) {
      isShuttingDown = true;
      setTimeout(killSelf, shutdownTimeoutMs);
      thread.postMessage('stop');
    }
  };
  thread.on('message', (message: ServerMessage) => {
    if (message.kind === 'failed') {
      // A parent process says itself that the sandbox didn't start, so the reason is enough.
      writeError(process.send === undefined ? `The sandbox can't start: ${message.reason}` : message.reason);
      process.exit(1);
    }
    if (message.kind === 'ended') {
      process.exit(message.code);
    }
    // Must be the first line of standard output (decisions.md, "Stable interfaces").
    const line = `${stringify(message.access)}\n`;
    if (message.kind === 'attached') {
      // Another sandbox already serves the folder.
      process.stdout.write(line, () => process.exit(0));
      return;
    }
    process.stdout.write(line);
    isReady = true;
    process.on('SIGTERM', shutDown);
    process.on('SIGINT', shutDown);
    process.on('SIGHUP', shutDown);
    process.stdout.on('error', shutDown);
    if (args.stdinLifeline) {
      process.stdin.on('end', shutDown);
      process.stdin.on('error', shutDown);
      process.stdin.resume();
    }
  });
  thread.on('error', (error: Error) => {
    writeError(`The sandbox can't continue: ${error.message}`);
    process.exit(1);
  });
  process.on('disconnect', shutDown);
  // In a forked process, the parent may have ended before the listener above was added.
  if (process.send !== undefined && !process.connected) {
    shutDown();
  }
}

if (asksForHelp(process.argv.slice(2))) {
  process.stdout.write(help);
  process.disconnect?.();
} else {
  const args = readArguments();
  if (args === undefined) {
    process.exitCode = 2;
    process.disconnect?.();
  } else {
    runServer(args);
  }
}
