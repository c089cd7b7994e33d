#!/usr/bin/env node
import { homedir } from 'node:os';
import { exitCodes } from './exitCodes.ts';
import { run } from './run.ts';

/** The minimum version of Node.js for the bundled packages; older releases fail at run time. */
const minNodeVersion = [22, 19] as const;

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < minNodeVersion[0] || (major === minNodeVersion[0] && minor < minNodeVersion[1])) {
  process.stderr.write(`datamodel-studio needs Node.js ${minNodeVersion.join('.')} or later.\n`);
  process.exit(exitCodes.failed);
}

// The reader of the output may stop reading (`| head`): the work in progress continues and is recorded.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', () => undefined);
}

const abortController = new AbortController();
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  // The first signal ends the work in progress so that it can be resumed; the next one ends the process at once.
  process.on(name, () => {
    if (abortController.signal.aborted) {
      process.exit(exitCodes.failed);
    }
    abortController.abort();
  });
}

process.exitCode = await run(
  process.argv.slice(2),
  {
    env: process.env,
    platform: process.platform,
    home: homedir(),
    readInput: async () => {
      const [{ addAbortSignal }, { text }] = await Promise.all([
        import('node:stream'),
        import('node:stream/consumers'),
      ]);
      return text(addAbortSignal(abortController.signal, process.stdin));
    },
    isInputTerminal: process.stdin.isTTY,
    isErrorTerminal: process.stderr.isTTY,
    isOutputTerminal: process.stdout.isTTY,
    writeData: (data) => void process.stdout.write(data),
    writeMessage: (message) => void process.stderr.write(message),
  },
  abortController.signal,
);
