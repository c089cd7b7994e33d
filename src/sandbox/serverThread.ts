import { parentPort, workerData } from 'node:worker_threads';
import { stringify } from '../base/json.ts';
import type { Log, LogFields } from '../base/log.ts';
import type { SandboxArguments } from './arguments.ts';
import { openSandbox } from './openSandbox.ts';
import type { SandboxAccess } from './server.ts';

/** The `workerData` of the thread. */
export type ServerArguments = SandboxArguments;

/**
 * A message from the thread to the main thread. `started` has the URL and tokens of this sandbox, `attached` those of
 * another one that already serves the folder; `failed` has the reason why it can't start; `ended` has the exit code.
 */
export type ServerMessage =
  | { readonly kind: 'started' | 'attached'; readonly access: SandboxAccess }
  | { readonly kind: 'failed'; readonly reason: string }
  | { readonly kind: 'ended'; readonly code: number };

/** The entry file of the engine processes, relative to this file in the sources and in the bundle. */
const engineProcessUrl = new URL(
  import.meta.url.endsWith('.ts') ? './engine/engineProcess.ts' : './engineProcess.js',
  import.meta.url,
);

const writeError = (line: string): void => {
  process.stderr.write(`${line}\n`);
};

/**
 * Logs warnings and errors to standard error; standard output is reserved for the JSON line with the URL and tokens.
 */
const stderrLog: Log = {
  debug() {},
  info() {},
  warn: (tag, message, fields) => writeError(formatLogLine('warning', tag, message, fields)),
  error: (tag, message, fields) => writeError(formatLogLine('error', tag, message, fields)),
};

const formatLogLine = (level: string, tag: string, message: string, fields: LogFields = {}): string =>
  `${level} [${tag}] ${message} ${stringify(fields)}`;

const postMessageToParent = (message: ServerMessage): void => parentPort?.postMessage(message, []);

/** Starts the sandbox, or attaches to the one that already runs in the folder. */
async function main(args: ServerArguments): Promise<void> {
  const sandbox = await openSandbox(args, { engineProgram: engineProcessUrl, log: stderrLog });
  if (sandbox.kind === 'started') {
    // The only message that the main thread sends is the request to stop.
    parentPort?.on('message', () => {
      sandbox.stop().then(
        () => postMessageToParent({ kind: 'ended', code: 0 }),
        (error: unknown) => {
          writeError(
            formatLogLine('error', 'sandbox', "The sandbox didn't stop cleanly", { error: String(error) }),
          );
          postMessageToParent({ kind: 'ended', code: 1 });
        },
      );
    });
  }
  postMessageToParent({ kind: sandbox.kind, access: sandbox.access });
}

// One failing request must not end the sandbox. The stored state stays consistent, since all writes are transactions.
process.on('uncaughtException', (error) => {
  stderrLog.error('sandbox', "An error wasn't handled", { message: error.message });
});

try {
  await main(workerData as ServerArguments);
} catch (error) {
  postMessageToParent({ kind: 'failed', reason: error instanceof Error ? error.message : String(error) });
}
